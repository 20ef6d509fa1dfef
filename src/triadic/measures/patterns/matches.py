"""Patterns counted, listed and explained: totals, columns at vertices and edges by role, and tables by types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import Directions, GraphLike, as_graph
from triadic.convert.result_table import Table
from triadic.core.blocks import resolve_threads
from triadic.core.pattern import Term
from triadic.core.triad_types import ASYMMETRIC, ROLES
from triadic.counts import patterns as engine
from triadic.counts.cliques import CLIQUES
from triadic.devices.select import check_kind
from triadic.errors import ArgumentError
from triadic.measures.cliques import NAMES as CLIQUE_NAMES
from triadic.measures.cliques import clique_network
from triadic.measures.patterns.pattern import Pattern, triad_pattern
from triadic.measures.triangles import check_limit
from triadic.null_models.constraints import take_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph
    from triadic.null_models.constraints import Groups, Missing

NOT_TILED = "the vertices of a match lie in tiles all over the graph; read the graph into memory, or a part of it"
HEADINGS = ("name", "first", "second", "third", "fourth", "fifth", "sixth")
"""Names of the columns that say what a row counts by types: a pattern, and the type of each of its vertices."""

_NAME = re.compile(r"(\d\w*|[a-z]{2}\w*)(-\w+)+")
_MOST_LISTED = 1 << 23  # subgraphs that are kept for counts by types that are permuted
_STEP = 2e-9  # seconds for an entry of a row, on one thread


def is_pattern(of: object) -> bool:
    """Return whether something to count is a pattern: a `Pattern`, or a text with an arrow; foo-bar is a name."""
    return isinstance(of, Pattern) or (isinstance(of, str) and bool(re.search("[->]", of)) and not _NAME.fullmatch(of))


def pattern_of(of: Any) -> Pattern:  # noqa: ANN401 - whatever a caller passes
    """Return a `Pattern` unchanged, and the one of a text."""
    if not is_pattern(of):
        raise ArgumentError(f"of={of!r}: expected a pattern, such as 'A -> B; B -> C; A -> C'")
    return of if isinstance(of, Pattern) else Pattern(of)


def network_of(graph: GraphLike, pattern: Pattern, device: str = "auto", *, batch: bool = False) -> Graph:
    """Return the graph in which a pattern is counted; it warns of directions if the pattern has arrows."""
    check_kind(device, kinds=("cpu",), name="patterns")
    directions: Directions = "counted" if pattern.shape.arrows else "unused"
    return as_graph(graph, not_tiled=NOT_TILED, batch=batch, directions=directions)


def total(pattern: Pattern, graph: GraphLike, *, device: str = "auto", **machine: Any) -> int:  # noqa: ANN401 - threads and progress
    """Return the number of subgraphs."""
    return engine.count_pattern(network_of(graph, pattern, device), pattern.shape, **machine) // pattern.automorphisms


def at_roles(
    pattern: Pattern,
    graph: GraphLike,
    *,
    edges: bool,
    device: str = "auto",
    **machine: Any,  # noqa: ANN401 - as above
) -> dict[str, Int64Array]:
    """Return for each role of vertices, or of arcs, the number of subgraphs in which each vertex, or arc, has it."""
    network = network_of(graph, pattern, device, batch=not edges)
    if edges:
        orbit_of, names = pattern.arc_orbit_of, pattern.arc_roles
        embeddings = engine.pattern_at_edges(network, pattern.shape, pattern.arcs, **machine)
    else:
        orbit_of, names = pattern.orbit_of, pattern.roles
        embeddings = engine.pattern_at_vertices(network, pattern.shape, **machine)
    return {  # columns of embeddings are equal within a role
        name: embeddings[:, orbit_of.index(role)] // (pattern.automorphisms // orbit_of.count(role))
        for role, name in enumerate(names)
    }


def patterns_of(of: Any, *, directed: bool) -> dict[str, Pattern]:  # noqa: ANN401 - whatever a caller passes
    """Return by name what is counted by types: patterns, and connected types of triads; "triads" are all of these."""
    found: dict[str, Pattern] = {}
    for each in of if isinstance(of, (tuple, list)) else [of]:
        names = [name for name in ROLES if name == each or (each == "triads" and (directed or not ASYMMETRIC[name]))]
        if not names and not is_pattern(each):
            raise ArgumentError(f"of={each!r}: expected 'triads', one of {', '.join(ROLES)}, or a pattern")
        found |= {name: triad_pattern(name, directed=directed) for name in names}
        found |= {pattern.text: pattern for pattern in ([] if names else [pattern_of(each)])}
    return found


def by_types(
    of: Any,  # noqa: ANN401 - patterns and names
    graph: GraphLike,
    types: Groups | None,
    *,
    missing: Missing,
    device: str,
    **machine: Any,  # noqa: ANN401 - threads and progress
) -> Table:
    """Return a row for each combination of types of the vertices that occurs, with its number of subgraphs."""
    network = as_graph(graph, not_tiled=NOT_TILED, directions="unused")
    patterns = patterns_of(of, directed=network.directed)
    codes, names = types_of(network, types, missing)
    found = [cells_of(each, network_of(network, each, device), codes, **machine) for each in patterns.values()]
    counts = np.concatenate([times for _, times in found])
    if isinstance(of, (str, Pattern)) and len(patterns) == 1:
        (pattern,) = patterns.values()
        return Table({"count": counts}, dict(zip(pattern.names, names[found[0][0]].T, strict=True)))
    rows = [(name, *row) for name, (tuples, _) in zip(patterns, found, strict=True) for row in names[tuples].tolist()]
    return Table({"count": counts}, heading_columns(rows, max(each.shape.size for each in patterns.values())))


def types_of(graph: Graph, types: Groups | None, missing: Missing) -> tuple[Int64Array, AnyArray]:
    """Return the number of the type of each vertex, and the names of the types, for ``by="type"``."""
    if types is None:
        raise ArgumentError("by='type': expected types=, the name of a column of the vertices or a mapping by label")
    codes, names = take_groups(types, graph, "types", missing)
    return codes.astype(np.int64), names


def cells_of(pattern: Pattern, graph: Graph, codes: Int64Array, **machine: Any) -> tuple[Int64Array, Int64Array]:  # noqa: ANN401 - as above
    """Return the numbers of types of the vertices of subgraphs, a row for each combination, and its count."""
    return engine.pattern_by_type(graph, pattern.shape, codes, **machine)


def _terms(of: object) -> list[Term]:
    conditions = of.shape.conditions if isinstance(of, Pattern) else ()
    return [side for each in conditions for side in (each.left, each.right) if isinstance(side, Term)]


def columns_of(of: object) -> set[str]:
    """Return the names of the columns of vertices and arcs that a pattern has conditions on; none of a name."""
    return {term.column for term in _terms(of)}


def depends_on(pattern: Pattern, column: object) -> bool:
    """Return whether a pattern has a condition on a column of the vertices."""
    return any(term.column == column and len(term.vertices) == 1 for term in _terms(pattern))


def listed_once(pattern: Pattern, graph: Graph, types: object, threads: int | None) -> Int64Array | None:
    """Return the subgraphs of a pattern that are counted by types over and over; None if they change or are many."""
    if depends_on(pattern, types):
        return None
    many = engine.count_pattern(graph, pattern.shape, threads=threads) > _MOST_LISTED * pattern.automorphisms
    return None if many else engine.list_pattern(graph, pattern.shape, threads=threads)


def heading_columns(names: Sequence[tuple[Any, ...]], size: int) -> dict[str, AnyArray]:
    """Return the columns of names, each a pattern and the types of at most `size` vertices; others are empty texts."""
    padded = [(*name, *[""] * (size + 1 - len(name))) for name in names]
    table = np.array(padded, object).reshape(len(names), size + 1)
    return {heading: np.array(column.tolist()) for heading, column in zip(HEADINGS, table.T, strict=False)}


def list_matches(
    graph: GraphLike,
    of: str | Pattern,
    *,
    limit: int | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> Table:
    """List the subgraphs of a network that match a pattern.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        Where to look.
    of : str or Pattern
        The pattern, such as ``"A -> B; B -> C; A -> C"``.
    limit : int, optional
        Largest number of subgraphs to list, always the same ones; by default all.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    Table
        A row for each subgraph, with a column for each vertex of the pattern that holds its label, or its number if the
        graph has no labels. Of the orders that automorphisms exchange, one is listed.

    Raises
    ------
    ArgumentError
        If `of` is not a pattern, names a column that does not exist, or has arrows in an undirected graph; or `limit`
        is not a whole number of at least 0.
    OutOfMemoryError
        If the list does not fit in memory.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    count : Count the subgraphs, which is much faster.

    Notes
    -----
    The list takes 8 bytes for each vertex of each subgraph.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 2], directed=True, labels=["a", "b", "c", "d"])
    >>> triadic.list_matches(graph, "A -> B; B -> C; A -> C").to_dict()
    {'A': ['a'], 'B': ['b'], 'C': ['c']}
    """
    pattern, limit = pattern_of(of), check_limit(limit)
    network = network_of(graph, pattern)
    found = engine.list_pattern(network, pattern.shape, limit, threads=threads, progress=progress)
    names: AnyArray = found if network.labels is None else np.asarray(network.labels)[found]
    return Table({}, dict(zip(pattern.names, names.T, strict=True)), nouns=("match", "matches"))


def explain(graph: GraphLike, of: str | Pattern) -> Table:
    """Tell how a pattern, or cliques, would be counted in a network, and what that would take, without counting.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        Where they would be counted.
    of : str or Pattern
        The pattern, such as ``"A -> B; B -> C; A -> C"``; or "cliques" or "simplices".

    Returns
    -------
    Table
        One row: the "way" to count, which is "homomorphisms", "orbits" of graphlets, "matching" or "pivots"; the
        "order" in which vertices would be matched; of a pattern its "automorphisms" and the expected "steps" through
        rows; and the expected "seconds" on one thread and "bytes" beside the graph.

    Raises
    ------
    ArgumentError
        If the pattern cannot be counted in the network, as `count` says.
    UnsupportedError
        If the graph is a `TiledGraph`.

    Notes
    -----
    The steps are estimated from degrees; in a network with many triangles they are more. The seconds of cliques are the
    least: dense parts of the network multiply them. The cost is that of preparing the graph, O(m).

    Examples
    --------
    >>> import triadic
    >>> ring = triadic.generate.watts_strogatz(100, 6, 0.1, seed=1)
    >>> plan = triadic.explain(ring, "A - B; B - C; C - A")
    >>> plan["automorphisms"].tolist()
    [6]
    """
    if str(of) in CLIQUE_NAMES:
        oriented = clique_network(graph, str(of)).oriented()
        way, order = "pivots", "rising degree"
        numbers = {
            "seconds": CLIQUES.work(oriented.sizes) * 1e-9,
            "bytes": CLIQUES.bytes(oriented.sizes, resolve_threads(None)),
        }
    else:
        pattern = pattern_of(of)
        plan = engine.plan_of(network_of(graph, pattern), pattern.shape)
        way, order = plan.way, " ".join(pattern.names[v] for v in plan.order)
        numbers = {
            "automorphisms": pattern.automorphisms,
            "steps": round(plan.work),
            "seconds": plan.work * _STEP,
            "bytes": plan.memory,
        }
    columns = {name: np.array([number]) for name, number in numbers.items()}
    return Table(columns, {"way": np.array([way]), "order": np.array([order])})
