"""What can be counted, by name: one table for `triadic.count`, `significance` and `vertex_table`.

A `Countable` has a name, and says how its totals, its columns at vertices and its columns at edges are computed from
the measures; it is all that a function needs to know of what it counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import fsum, nan
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.exact import exact_column_sums, exact_sum
from triadic.core.graphlets import (
    GRAPH_NAMES,
    GRAPHLET_NAMES,
    GRAPHS_OF_FIVE,
    ORBITS,
    ORBITS_OF_SIZE,
)
from triadic.core.records import cached_property, record
from triadic.core.triad_types import CLOSED_NAMES, CLOSED_ROLES, TRIAD_NAMES
from triadic.counts.cliques import CLIQUES, cliques_count
from triadic.counts.count import at_vertices, check_kind, run
from triadic.counts.edges import EDGE_SUPPORT, MOTIF_INTENSITY, WEIGHTED_TRIANGLES
from triadic.counts.graphlets import FIVE_VERTEX_COUNTS, FOUR_VERTEX_COUNTS, SQUARES
from triadic.counts.triads import CLOSED_ROLES_OF_VERTICES, CLOSED_TRIADS, DYADS
from triadic.counts.triangles import TRIANGLES
from triadic.errors import ArgumentError, CountOverflowError, shown
from triadic.measures import cliques
from triadic.measures.batches import one_row_a_graph, sums_of_graphs
from triadic.measures.census import Census
from triadic.measures.closure import average_closure, local_closure, square_clustering
from triadic.measures.clustering import local_clustering, wedges_at
from triadic.measures.directed_clustering import cycle_transitivity, directed_clustering, directed_transitivity
from triadic.measures.edge_support import edge_support, trussness
from triadic.measures.graphlets.orbits import graphlets, orbits_of_edges, orbits_of_vertices
from triadic.measures.graphlets.transform import graphlet_transform
from triadic.measures.patterns import matches
from triadic.measures.patterns.pattern import Pattern
from triadic.measures.triads import dyad_census, triad_census, triads_of_vertices
from triadic.measures.triangles import triangle_count, triangles
from triadic.measures.weighted_clustering import weighted_clustering
from triadic.measures.weighted_triads import motif_intensity, structural_balance
from triadic.null_models.constraints import TYPE_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from triadic.convert.recognise import GraphLike
    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.counts.count import Count
    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph
    from triadic.measures.graphlets.transform import GraphletTransform
    from triadic.tiles.tiled_graph import TiledGraph

    Columns = dict[str, AnyArray]
    Values: TypeAlias = tuple[int | float, ...]


@record(kw_only=True)
class Countable:
    """Something that can be counted in a graph.

    Attributes
    ----------
    name : str
    count : Count
        Count that takes most of the time, by which the device is chosen.
    names : tuple of str
        Names of the totals.
    measure : callable, optional
        ``measure(graph, threads=, device=)`` returns the total, or a mapping that has at least each name. If the graph
        is a batch, it returns a table with a row for each graph.
    columns, edges : callable, optional
        Return the columns at vertices, and at edges, by name from the `Shared` counts of a graph.
    size : int, optional
        Number of vertices of the largest subgraphs, if that can be chosen.
    in_memory : Count, optional
        Count that a tiled graph does not have, if the columns at vertices take one.
    directed : bool
        Whether directions matter; if not, they are left out.
    weighted : bool
        Whether the weights of edges are counted.
    profiled : tuple
        First total in the significance profile, and the one after the last; None for the end.
    pattern : Pattern, optional
        The pattern that is counted, for which `of_pattern` makes all others.
    made_by : tuple
        Function of this module that makes it again in another process, and its arguments.
    """

    name: str
    count: Count[Any]
    names: tuple[str, ...] = ()
    measure: Callable[..., Any] | None = None
    columns: Callable[[Shared], Columns] | None = None
    edges: Callable[[Shared], Columns] | None = None
    size: int | None = None
    in_memory: Count[Any] | None = None
    directed: bool = False
    weighted: bool = False
    profiled: tuple[int, int | None] = (0, None)
    pattern: Pattern | None = None
    made_by: tuple[Any, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return self.made_by or (countable, (self.name, self.size))

    def totals(self, graph: Graph, **machine: Any) -> Values:  # noqa: ANN401 - threads and device
        """Return a number for each name; a countable without a measure has none."""
        assert self.measure is not None  # noqa: S101 - for the type checker
        found = self.measure(graph, **machine)
        if isinstance(found, Census) and found.names == self.names:
            return found.counts
        return tuple(found[name] for name in self.names) if isinstance(found, Mapping) else (found,)

    def __str__(self) -> str:
        return self.name if self.size in (None, _SIZE) else f"{self.name} of up to {self.size} vertices"


class Shared:
    """A graph, the keywords of its measures, and counts that several measures share, each made at its first use."""

    def __init__(
        self, graph: Graph | TiledGraph, keywords: dict[str, Any], names: Iterable[str] = (), size: int | None = None
    ) -> None:
        check_kind(TRIANGLES, keywords["device"])  # also where no measure counts
        self.graph, self.keywords, self.size = graph, keywords, size or _SIZE
        self.threads: int | None = keywords["threads"]
        self.with_graphlets = not {"graphlets", "raw_graphlets"}.isdisjoint(names) and self.size == _SIZE
        self.batch: GraphBatch | None = None  # of which `graph` is the union

    @property
    def network(self) -> GraphLike:
        """The batch, if there is one, for measures that depend on the graph of a vertex; else the graph."""
        return self.graph if self.batch is None else self.batch

    @cached_property
    def graphlets(self) -> GraphletTransform:
        """Frequencies of graphlets of up to four vertices."""
        return graphlet_transform(self.graph, size=min(self.size, _SIZE), **self.keywords)

    @cached_property
    def triangles(self) -> Int64Array:
        """Triangles at each vertex."""
        if self.with_graphlets:
            return np.ascontiguousarray(self.graphlets.raw[:, GRAPHLET_NAMES.index("triangle")])
        return triangles(self.graph, **self.keywords)

    @cached_property
    def degree(self) -> Int64Array:
        """Neighbours of each vertex, in either direction."""
        return self.graph.degree

    @cached_property
    def dyads(self) -> Int64Array:
        """Mutual, only-out and only-in neighbours: int64, shape (n, 3)."""
        return self._at_vertices(DYADS, self.graph.oriented(), threads=self.threads)

    @cached_property
    def roles(self) -> Int64Array:
        """Closed triads by role: int64, shape (n, 15)."""
        oriented = self.graph.oriented(threads=self.threads)
        return self._at_vertices(CLOSED_ROLES_OF_VERTICES, oriented, **self.keywords)

    def _at_vertices(self, count: Count[Int64Array], oriented: Any, **keywords: Any) -> Int64Array:  # noqa: ANN401 - of `run`
        return at_vertices(oriented, run(count, oriented, **keywords), threads=self.threads)


def by_column(names: Iterable[str], values: AnyArray) -> Columns:
    """Return the columns of a matrix by name."""
    return dict(zip(names, np.ascontiguousarray(values.T), strict=True))


def _clustering(graph: Graph, *, threads: int | None, device: str) -> dict[str, float]:
    """Return both coefficients from one count of the triangles."""
    oriented = graph.oriented(threads=threads)
    at_rank = run(TRIANGLES, oriented, threads=threads, device=device)
    degree = oriented.degree
    wedges = wedges_at(degree)
    # The sum is exact, so that graphs with the same coefficients in another order have the same mean.
    total = fsum(local_clustering(at_rank, degree, threads=threads).tolist())
    average = total / len(degree) if len(degree) else nan
    return {"transitivity": exact_sum(at_rank) / wedges if wedges else 0.0, "average_clustering": average}


@one_row_a_graph("intensity")
def _intensities(graph: GraphLike, /, **machine: Any) -> dict[str, float]:  # noqa: ANN401 - threads and device
    found = motif_intensity(graph, **machine)
    return dict(zip(_INTENSITIES, [*found["intensity"].tolist(), *found["coherence"].tolist()], strict=True))


def _measure(measure: Callable[..., AnyArray], name: str = "") -> Callable[[Shared], Columns]:
    """Return a function that computes a measure of one column, which has the name of the measure."""
    return lambda counts: {name or measure.__name__: measure(counts.network, **counts.keywords)}


def _degree(name: str, dyads: list[int]) -> Callable[[Shared], Columns]:
    return lambda counts: {name: counts.dyads[:, dyads].sum(axis=1)}


def _directed_clustering(counts: Shared) -> Columns:
    parts = directed_clustering(counts.graph, parts=True, **counts.keywords)
    return dict(zip(DIRECTED_COLUMNS, parts.values(), strict=True))


def _orbits(measure: Callable[..., Int64Array]) -> Callable[[Shared], Columns]:
    """Return a function that computes the columns of the orbits of vertices, or of edges."""

    def columns(counts: Shared) -> Columns:
        found = measure(counts.graph, counts.size, **counts.keywords)
        return by_column(_ORBIT_NAMES[: found.shape[1]], found)

    return columns


def _graphlets(counts: Shared) -> Columns:
    if counts.size > _SIZE:
        return _orbits(orbits_of_vertices)(counts)
    places = ORBITS[: ORBITS_OF_SIZE[counts.size]]
    return by_column((f"graphlet {GRAPHLET_NAMES[place]}" for place in places), counts.graphlets.net[:, places])


@one_row_a_graph("orbits")
def _orbit_sums(graph: GraphLike, /, *, size: int, **machine: Any) -> Census:  # noqa: ANN401 - threads and device
    sums = exact_column_sums(orbits_of_vertices(graph, size, **machine))
    return Census(_ORBIT_NAMES[: len(sums)], tuple(sums))


_SIZE = 4  # of graphlets, unless another is asked for
_PATTERNS = ("cycle", "middle", "into", "out")
TRIAD_COLUMNS = tuple(f"triad {name}" for name in TRIAD_NAMES)
ROLE_COLUMNS = tuple(f"role {name} out {out} in {into} mutual {mutual}" for name, mutual, out, into in CLOSED_ROLES)
DIRECTED_COLUMNS = ("directed_clustering", *(f"directed_clustering {name}" for name in _PATTERNS))
FIVE = "graphlets of five vertices"
"""Name of the graphlets of exactly five vertices, which `significance` compares beside those of up to four."""
_CLUSTERING = ("transitivity", "average_clustering")
_INTENSITIES = tuple(f"{name} {sum_of}" for sum_of in ("intensity", "coherence") for name in CLOSED_NAMES)
_ORBIT_NAMES = tuple(f"orbit {number}" for number in range(ORBITS_OF_SIZE[5]))
_OF_SIZE = {3: GRAPH_NAMES[1:3], 4: GRAPH_NAMES[1:9], 5: GRAPH_NAMES[1:]}  # an edge is no subgraph to compare
_ORBIT_COUNTS: dict[int, Count[Any]] = {3: TRIANGLES, 4: FOUR_VERTEX_COUNTS, 5: FIVE_VERTEX_COUNTS}

_COUNTABLES = (
    Countable(name="degree", count=DYADS, columns=lambda counts: {"degree": counts.degree}),
    *(
        Countable(
            name=name,
            count=DYADS,
            columns=_degree(name, places),
            directed=True,
        )
        for name, places in (("in_degree", [0, 2]), ("out_degree", [0, 1]), ("mutual_degree", [0]))
    ),
    Countable(
        name="triangles",
        count=TRIANGLES,
        names=("triangles",),
        measure=triangle_count,
        columns=lambda counts: {"triangles": counts.triangles},
        edges=_measure(edge_support, "triangles"),
    ),
    Countable(name="trussness", count=EDGE_SUPPORT, edges=_measure(trussness)),
    Countable(
        name="clustering",
        count=TRIANGLES,
        names=_CLUSTERING,
        measure=_clustering,
        columns=lambda counts: {
            "clustering": local_clustering(counts.triangles, counts.degree, threads=counts.threads)
        },
    ),
    *(Countable(name=name, count=TRIANGLES, names=(name,), measure=_clustering) for name in _CLUSTERING),
    Countable(
        name="closure",
        count=TRIANGLES,
        names=("average_closure",),
        measure=average_closure,
        columns=_measure(local_closure, "closure"),
        in_memory=FOUR_VERTEX_COUNTS,
    ),
    Countable(name="square_clustering", count=SQUARES, columns=_measure(square_clustering), in_memory=SQUARES),
    Countable(
        name="directed_clustering",
        count=CLOSED_ROLES_OF_VERTICES,
        names=("directed_transitivity",),
        measure=directed_transitivity,
        columns=_directed_clustering,
        directed=True,
    ),
    Countable(
        name="ldbc_clustering",
        count=CLOSED_ROLES_OF_VERTICES,
        columns=lambda counts: {"ldbc_clustering": directed_clustering(counts.graph, method="ldbc", **counts.keywords)},
        directed=True,
    ),
    Countable(
        name="cycle_transitivity",
        count=CLOSED_TRIADS,
        names=("cycle_transitivity",),
        measure=cycle_transitivity,
        directed=True,
    ),
    Countable(
        name="weighted_clustering", count=WEIGHTED_TRIANGLES, columns=_measure(weighted_clustering), weighted=True
    ),
    Countable(
        name="structural_balance",
        count=WEIGHTED_TRIANGLES,
        names=("structural_balance",),
        measure=structural_balance,
        weighted=True,
    ),
    Countable(name="dyads", count=DYADS, names=("mutual", "asymmetric", "null"), measure=dyad_census, directed=True),
    Countable(
        name="triads",
        count=CLOSED_TRIADS,
        names=TRIAD_NAMES,
        measure=triad_census,
        columns=lambda counts: by_column(TRIAD_COLUMNS, triads_of_vertices(counts.network, **counts.keywords)),
        directed=True,
        profiled=(3, None),  # the first three types are not connected
    ),
    Countable(
        name="roles",
        count=CLOSED_ROLES_OF_VERTICES,
        columns=lambda counts: by_column(ROLE_COLUMNS, counts.roles),
        directed=True,
    ),
    *(
        Countable(
            name=name,
            count=count,
            names=names,
            measure=partial(measure, size=size),
            columns=columns,
            edges=_orbits(orbits_of_edges),
            size=size,
            in_memory=None if size == 3 else count,
        )
        for size, count in _ORBIT_COUNTS.items()
        for name, names, measure, columns in (
            ("graphlets", _OF_SIZE[size], graphlets, _graphlets),
            ("orbits", _ORBIT_NAMES[: ORBITS_OF_SIZE[size]], _orbit_sums, _orbits(orbits_of_vertices)),
        )
    ),
    Countable(name=FIVE, count=FIVE_VERTEX_COUNTS, names=GRAPHS_OF_FIVE, measure=partial(graphlets, size=5)),
    Countable(
        name="raw_graphlets",
        count=FOUR_VERTEX_COUNTS,
        columns=lambda counts: by_column((f"raw graphlet {name}" for name in GRAPHLET_NAMES), counts.graphlets.raw),
        in_memory=FOUR_VERTEX_COUNTS,
    ),
    Countable(
        name="intensity",
        count=MOTIF_INTENSITY,
        names=_INTENSITIES,
        measure=_intensities,
        directed=True,
        weighted=True,
        profiled=(0, len(CLOSED_NAMES)),
    ),
)
COUNTABLES: dict[tuple[str, int | None], Countable] = {(each.name, each.size): each for each in _COUNTABLES}
NAMES = (*dict.fromkeys(each.name for each in _COUNTABLES if each.name != FIVE), *cliques.NAMES)
"""Names of what can be counted in a graph."""


def countable(name: str, size: int | None = None) -> Countable:
    """Return what has a name, of the usual size unless another is given."""
    if name in cliques.NAMES:
        return of_cliques(name, size)
    return COUNTABLES.get((name, size)) or COUNTABLES[name, _SIZE]


def of_cliques(
    name: str,
    size: Any = None,  # noqa: ANN401 - a whole number or two
    dtype: type | None = None,
    max_seconds: float | None = None,
    kept: Sequence[int] = (),
) -> Countable:
    """Return the countable of "cliques" or "simplices" of some sizes; of `kept` each has a total, even of none."""
    names = tuple(f"{name} of {k}" for k in kept)

    def measure(graph: Any, /, **machine: Any) -> Any:  # noqa: ANN401 - a graph; threads and device; a census
        found = cliques.clique_counts(graph, name, size, max_seconds=max_seconds, **machine)
        return Census(names, tuple(found.get(k, 0) for k in kept)) if kept else found

    def at(counts: Shared, *, edges: bool) -> Columns:
        options = {"edges": edges, "dtype": dtype, "max_seconds": max_seconds, **counts.keywords}
        return cliques.clique_columns(counts.graph, name, size, **options)

    return Countable(
        name=name,
        count=CLIQUES if size is None else cliques_count(cliques.check_sizes(size), simplices=name == "simplices"),
        names=names or (name,),
        measure=measure,
        columns=partial(at, edges=False),
        size=size,
        edges=None if name == "simplices" else partial(at, edges=True),
        in_memory=CLIQUES,
        directed=name == "simplices",
        made_by=(of_cliques, (name, size, dtype, max_seconds, kept)),
    )


_LARGE = 1 << 12  # edges of a graph, whose count takes longer than to begin it
# What a choice of a device asks of a count.
_ON_CPU: Any = SimpleNamespace(name="patterns", kinds=("cpu",), not_tiled=matches.NOT_TILED)


def of_pattern(pattern: Pattern, rows: tuple[Any, Columns] | None = None, *, prefix: str = "") -> Countable:
    """Return the countable of a pattern, with a column for each role."""

    def of_batch(batch: GraphBatch, **machine: Any) -> Columns | None:  # noqa: ANN401 - threads and device
        if batch.num_edges > _LARGE * batch.num_graphs:
            return None  # counts at vertices take up to four times as long as totals
        if batch.graph.labels is None and matches.depends_on(pattern, "label"):
            return None  # labels are then the numbers of vertices in their own graphs
        try:
            at_first = matches.at_roles(pattern, batch, edges=False, **machine)[pattern.roles[0]]
        except CountOverflowError:
            return None
        sums = sums_of_graphs(batch, at_first)
        return None if sums is None else {pattern.text: sums // pattern.orbit_of.count(0)}

    @one_row_a_graph(pattern.text, of_batch)
    def measure(graph: Any, /, **machine: Any) -> int:  # noqa: ANN401 - a graph; threads and device
        if rows is not None:
            columns = dict(graph.vertex_columns) or rows[1]
            graph = graph._with(labels=rows[0], vertex_columns=columns)  # noqa: SLF001 - as null models do
        return matches.total(pattern, graph, **machine)

    def at(counts: Shared, *, edges: bool) -> Columns:
        found = matches.at_roles(pattern, counts.graph, edges=edges, **counts.keywords)
        return {prefix + name: values for name, values in found.items()}

    return Countable(
        name=pattern.text,
        count=_ON_CPU,
        names=(pattern.text,),
        measure=measure,
        columns=partial(at, edges=False),
        edges=partial(at, edges=True),
        in_memory=_ON_CPU,
        directed=pattern.shape.arrows,
        weighted=_is_weighted(pattern),
        pattern=pattern,
        made_by=(of_pattern, (pattern, rows)),
    )


def of_types(
    name: str, pattern: Pattern, codes: Int64Array, rows: tuple[Any, Columns], listed: Int64Array | None = None
) -> Countable:
    """Return the countable of a pattern by the types of its vertices, whose one total has all combinations.

    Its graphs may be on any device, where random networks are drawn; it is the CPU that counts. Graphs with columns of
    their own have the numbers of their types there; `listed` has the subgraphs if all graphs have the same ones.
    """

    def measure(graph: Any, *, threads: int | None, **_: Any) -> Any:  # noqa: ANN401 - a graph; a device; two arrays
        columns = dict(graph.vertex_columns) or rows[1]
        graph = graph._on_host()._with(labels=rows[0], vertex_columns=columns)  # noqa: SLF001 - as null models do
        return matches.cells_of(pattern, graph, columns.get(TYPE_NUMBERS, codes), listed=listed, threads=threads)

    return Countable(
        name=name,
        count=CLOSED_TRIADS,
        measure=measure,
        weighted=_is_weighted(pattern),
        pattern=pattern,
        made_by=(of_types, (name, pattern, codes, rows, listed)),
    )


def _is_weighted(pattern: Pattern) -> bool:
    return any(len(each.left.vertices) == 2 for each in pattern.shape.conditions)


def check_named(of: object) -> list[Any]:
    """Return the names and patterns to count, or raise an ArgumentError if something is neither."""
    names = list(of) if isinstance(of, (tuple, list)) else [of]
    if not all(isinstance(each, (str, Pattern)) for each in names):
        raise ArgumentError(f"of={shown(of)}: expected a name such as 'triangles', a pattern, or several of these")
    return names


def countables_of(of: Any, size: Any, *, having: str = "measure") -> tuple[Countable, ...]:  # noqa: ANN401 - whatever a caller passes
    """Return what the argument `of` names.

    Parameters
    ----------
    of : str or sequence of str
    size : int, optional
        Number of vertices of the largest graphlets; None is 4.
    having : {"measure", "columns", "edges", "count"}
        What each of them must have.

    Raises
    ------
    ArgumentError
        A name is unknown, is given twice or has not what is asked for; or the size is another one, or belongs to none.
    """
    if isinstance(of, Countable):
        return (of,)
    names = check_named(of)
    patterns = [name for name in names if name not in NAMES and matches.is_pattern(name)]
    prefixes = {name: f"{getattr(name, 'text', name)}: " * (len(names) > 1) for name in patterns}
    known = [name for name in NAMES if getattr(countable(name), having) is not None]
    five = (FIVE,) if having == "measure" else ()
    wrong = [name for name in names if name not in (*known, *five, *patterns)]
    if wrong or not names or len(set(names)) < len(names):
        expected = ", ".join(map(repr, known))
        raise ArgumentError(
            f"of={(wrong or [of])[0]!r}: expected one of {expected}, a pattern such as 'A -> B; B -> C', or several of "
            "them once each"
        )
    sized = {name for name, of_size in COUNTABLES if of_size is not None} | {*cliques.NAMES}
    if size is not None and sized.isdisjoint(names):
        raise ArgumentError(f"size={size!r}: only {' and '.join(sorted(sized))} have a size; expected None")
    if size is not None and size not in ORBITS_OF_SIZE and not {*cliques.NAMES}.issuperset(names):
        raise ArgumentError(f"size={size!r}: expected 3, 4 or 5")
    return tuple(
        of_pattern(matches.pattern_of(name), prefix=prefixes[name])
        if name in prefixes
        else countable(name, size if name in sized else None)
        for name in names
    )
