"""The choice of a null model by its name and by what arcs and weights keep, and the models without walks.

All simple graphs with the numbers of vertices and edges of a given graph, G(n, m), the erased configuration model
(stubs matched at random, without the loops and repeats that result), and the given graph with the types of its vertices
permuted are drawn directly.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from triadic.core import blocks
from triadic.core.arcs import Arcs
from triadic.core.checked import check_positive, check_whole
from triadic.core.draws import derive_keys
from triadic.core.memory import check_memory
from triadic.core.oriented import int_zeros, starts_of
from triadic.core.records import record, value_class
from triadic.devices.select import warn
from triadic.errors import ArgumentError, shown
from triadic.generate.arc_draws import ErdosRenyi
from triadic.generate.model import make_arcs
from triadic.graph.graph import Graph, edge_weights
from triadic.null_models.constrained import ConstrainedSwitching
from triadic.null_models.constraints import TYPE_NUMBERS, Constraints, take_groups
from triadic.null_models.switching import NullModel, SignedSwitching, Switching, shuffle
from triadic.null_models.weights import TOLERANCE, WEIGHTS, Weighted, has_both_signs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.blocks import Progress
    from triadic.null_models.constraints import Groups, Missing

Value = TypeVar("Value")

NULLS = ("degrees", "mutual", "gnm", "configuration", "types")
_WALKS = ("degrees", "mutual")
_MOST_STEPS = 1 << 62
_LEAST_SAMPLES = 2  # for a standard deviation
_BYTES_AN_EDGE, _BYTES_WITH_STUBS = 60, 120  # of a walk and of its last graph


@value_class
class Null:
    """A null model as it is asked for: its name and its options, which `triadic.randomize` describes.

    Attributes
    ----------
    name : {"degrees", "mutual", "gnm", "configuration", "types"}
    steps : int, optional
        Number of steps of the walk to a sample, for "degrees" and "mutual" alone.
    groups, positions, bins : array_like, optional
        What arcs keep, for "degrees" and "mutual" alone; of "types" the groups within which types are permuted.
    keep_weights : {"keep", "shuffle", "strength"}, optional
        How the weights of the graph are placed in samples.
    tolerance : float, optional
        Of ``keep_weights="strength"``.
    missing : {"error", "type", "drop"}, default "error"
        With "type" and "drop", vertices without a group are a group of their own. Vertices without a type exchange it
        with "type", and keep none with "drop".
    types : str or array_like, optional
        What "types" permutes.
    """

    name: str
    steps: int | None = None
    groups: Any = None
    positions: Any = None
    bins: Any = None
    keep_weights: str | None = None
    tolerance: float | None = None
    missing: Missing = "error"
    types: Any = None

    def of_arcs(self) -> dict[str, object]:
        """Return the options that random networks with times do not take."""
        return {name: getattr(self, name) for name in ("groups", "positions", "bins", "keep_weights", "tolerance")}

    def of(self, graph: Graph) -> NullModel:
        """Return the model of a graph.

        Raises
        ------
        ArgumentError
            The name is another one, or "mutual" for an undirected graph; `steps` is less than 1; an option is given
            for a model that does not take it; or another option does not have an accepted value.

        Warns
        -----
        UserWarning
            All lengths are in one bin.
        """
        name, steps, walks = self.name, self.steps, self.name in _WALKS
        if name not in NULLS:
            raise ArgumentError(f"null={name!r}: expected {', '.join(map(repr, NULLS[:-1]))} or {NULLS[-1]!r}")
        if name == "types":
            return self._of_types(graph)
        if name == "mutual" and not graph.directed:
            raise ArgumentError(
                "null='mutual': the graph is undirected, so all its edges are mutual; expected null='degrees'"
            )
        if steps is not None:
            if not walks:
                raise ArgumentError(
                    f"steps={steps!r}: samples of null={name!r} are drawn directly, not by a walk; expected None"
                )
            check_whole("steps", steps, 1, _MOST_STEPS)
        if self.tolerance is not None and self.keep_weights != "strength":
            raise ArgumentError(
                f"tolerance={self.tolerance!r}: only keep_weights='strength' has a tolerance; expected None"
            )
        constraints = Constraints.of(
            graph, groups=self.groups, positions=self.positions, bins=self.bins, missing=self.missing
        )
        if constraints is not None:
            if not walks:
                raise ArgumentError(
                    f"null={name!r}: it keeps no groups= or positions=; expected null='degrees' or 'mutual'"
                )
            constraints.warn_of_one_bin(graph)
        model = self._without_weights(graph, constraints)
        return model if self.keep_weights is None else self._with_weights(graph, model, self.keep_weights)

    def _of_types(self, graph: Graph) -> ShuffledTypes:
        """Return the model that permutes types, after a check that nothing else is asked for."""
        for name, value in {**self.of_arcs(), "steps": self.steps}.items():
            if name != "groups" and value is not None:
                raise ArgumentError(f"{name}={shown(value)}: null='types' moves no arcs; expected None")
        if self.types is None:
            raise ArgumentError(
                "null='types': expected types=, the name of the column of the vertices that is permuted"
            )
        return ShuffledTypes.of(graph, self.types, self.groups, self.missing)

    def _without_weights(self, graph: Graph, constraints: Constraints | None) -> NullModel:
        """Return the model that draws the arcs; with strengths, it keeps the degrees of each sign where it can."""
        mutual, steps = self.name == "mutual", self.steps
        if constraints is not None:
            return ConstrainedSwitching.of(graph, constraints, mutual=mutual, steps=steps)
        if self.name not in _WALKS:
            return (gnm if self.name == "gnm" else configuration)(graph)
        if self.keep_weights == "strength" and has_both_signs(graph.weights):
            return SignedSwitching.of(graph, edge_weights(graph), mutual=mutual, steps=steps)
        return Switching.of(graph, mutual=mutual, steps=steps)

    def _with_weights(self, graph: Graph, model: NullModel, weights: str) -> Weighted:
        """Return the model whose samples have the weights of the graph."""
        share = TOLERANCE if self.tolerance is None else self.tolerance
        tolerance = check_positive("tolerance", share, "a share above 0 and up to 1", most=1)
        problem = ""
        if weights not in WEIGHTS:
            problem = "expected 'keep', 'shuffle' or 'strength'"
        elif not graph.is_weighted:
            problem = "the graph has no weights; give them to Graph or read with weights="
        elif self.name == "configuration":
            problem = (
                "null='configuration' erases edges, so that weights are left over; expected null='degrees', 'mutual' "
                "or 'gnm'"
            )
        elif self.name == "gnm" and weights != "shuffle":
            problem = "samples of null='gnm' have other edges; expected 'shuffle'"
        if problem:
            raise ArgumentError(f"keep_weights={weights!r}: {problem}")
        return Weighted.of(graph, model, weights, tolerance)


def check_room(graph: Graph, model: NullModel, concurrent: int) -> None:
    """Raise if `concurrent` samples that are drawn at the same time do not fit in memory.

    Raises
    ------
    OutOfMemoryError
    """
    needed = (_BYTES_AN_EDGE if model.kept is None else _BYTES_WITH_STUBS) * graph.num_edges * concurrent
    check_memory(needed, f"drawing {concurrent:,} random graphs at a time", "ask for fewer threads")


def default_null(graph: Graph) -> str:
    """Return the name of the default null model: it keeps degrees, and in a directed graph mutual degrees too."""
    return "mutual" if graph.directed else "degrees"


def sample_each(
    sample: Callable[[int], Value], count: int, *, threads: int, partial: bool = False, progress: Progress | None
) -> list[Value]:
    """Return ``sample(i)`` for each of some samples, which threads draw side by side."""
    values: list[Value | None] = [None] * count

    def draw(_: int, i: int) -> None:
        values[i] = sample(i)

    try:
        blocks.run(draw, count, threads=threads, progress=progress)
    except KeyboardInterrupt:
        return samples_done(values, partial=partial)
    return cast("list[Value]", values)


def samples_done(values: Sequence[Value | None], *, partial: bool = True) -> list[Value]:
    """Return the samples that are done at Ctrl-C and warn; raise it again if they are fewer than two, or all.

    Samples that are done equal the first ones of the same seed, except for samples that other threads had begun.
    """
    done = [each for each in values if each is not None]
    if not (partial and _LEAST_SAMPLES <= len(done) < len(values)):
        raise  # noqa: PLE0704 - called while the exception is handled
    warn(f"interrupted: the result has {len(done):,} of {len(values):,} samples")
    return done


@record
class Drawn(NullModel):
    """A null model whose samples are drawn directly, without a walk.

    Attributes
    ----------
    arcs_of : callable
        Returns the arcs of the sample of a key; loops and repeats are erased.
    varies : bool
        Whether there are other samples than the given graph.
    directed : bool
    """

    arcs_of: Callable[[int], Arcs]
    varies: bool
    directed: bool
    steps: int | None = None

    def draw(self, key: int, show: object = None) -> tuple[Graph, bool]:  # noqa: ARG002 - there is no walk
        """Return the sample of a key, and whether it can differ from the graph."""
        return Graph.from_arcs(self.arcs_of(key), threads=1), self.varies

    def admits_change(self, key: int) -> bool:  # noqa: ARG002 - of the interface; the numbers of edges decide
        """Return whether there are other samples than the given graph."""
        return self.varies


def gnm(graph: Graph) -> Drawn:
    """Return the model G(n, m) with the numbers of vertices and of edges (or arcs) of a graph, all equally likely.

    References
    ----------
    P. Erdős and A. Rényi, *On random graphs I*, Publicationes Mathematicae 6, 290-297, 1959.
    """
    n, directed = graph.num_vertices, graph.directed
    edges, pairs = (graph.num_arcs, n * (n - 1)) if directed else (graph.num_edges, n * (n - 1) // 2)

    def arcs_of(key: int) -> Arcs:
        return make_arcs(ErdosRenyi(n, edges, seed=key, directed=directed), threads=1)

    return Drawn(arcs_of, 0 < edges < pairs, directed)


def configuration(graph: Graph) -> Drawn:
    """Return the erased configuration model with the degrees of a graph.

    Each vertex has as many stubs as its degree, and out-stubs and in-stubs in a directed graph. All stubs are matched
    at random, and loops and repeats are erased. No degree grows, and few shrink; `Graph.dropped` counts the erased
    edges.

    References
    ----------
    B. Bollobás, *A probabilistic proof of an asymptotic formula for the number of labelled regular graphs*, European
    Journal of Combinatorics 1, 311-316, 1980.
    T. Britton, M. Deijfen and A. Martin-Löf, *Generating simple random graphs with prescribed degree distribution*,
    Journal of Statistical Physics 124, 1377-1397, 2006, for the erased model.
    """
    source, target = graph.edges()
    n, directed = graph.num_vertices, graph.directed

    def arcs_of(key: int) -> Arcs:
        stubs = np.array(target) if directed else np.concatenate([source, target])
        shuffle(np.uint64(key), stubs)
        ends = (source, stubs) if directed else (stubs[0::2].copy(), stubs[1::2].copy())
        return Arcs(*ends, n, directed)

    return Drawn(arcs_of, len(source) > 1, directed)


@record
class ShuffledTypes(NullModel):
    """The given graph, with the types of its vertices permuted, within groups where there are some.

    All permutations are equally likely. The graph, the number of vertices of each type in each group, and all other
    columns stay.

    Attributes
    ----------
    graph : Graph
    directed : bool
        Whether the graph is directed.
    columns : dict of array, shape (n,)
        What moves together: the number of the type of each vertex, and the column that was named.
    places : int64 array
        Vertices that exchange their types, group after group.
    bounds : int64 array, shape (groups + 1,)
        Start of each group in `places`.
    groups : Constraints or None
    """

    graph: Graph
    directed: bool
    columns: dict[str, AnyArray]
    places: Int64Array
    bounds: Int64Array
    groups: Constraints | None
    steps: int | None = None
    fixed = "for all its vertices have one type"

    @classmethod
    def of(cls, graph: Graph, types: Groups | str, groups: Groups | None, missing: Missing) -> ShuffledTypes:
        """Return the model of a graph; `missing` is of types and groups, as `take_groups` describes."""
        numbers, _ = take_groups(types, graph, "types", missing)
        columns: dict[str, AnyArray] = {TYPE_NUMBERS: numbers.astype(np.int64)}
        if isinstance(types, str):
            values = graph.vertex_columns[types]
            texts = all(isinstance(value, str) for value in values.tolist())  # moved and compared faster than objects
            columns[types] = values.astype(str) if texts else values
        kept = Constraints.of(graph, groups=groups, missing=missing)
        places = np.flatnonzero(numbers >= 0)
        group = int_zeros(len(places)) if kept is None else kept.group[places]
        bounds = starts_of(np.bincount(group, minlength=1))
        return cls(graph, graph.directed, columns, places[np.argsort(group, kind="stable")], bounds, kept)

    @property
    def kept(self) -> Constraints | None:
        """Groups within which types are permuted."""
        return self.groups

    def draw(self, key: int, show: object = None) -> tuple[Graph, bool]:  # noqa: ARG002 - there is no walk
        """Return the sample of a key, whose columns have the permuted types and their numbers."""
        drawn, keys = self.places.copy(), derive_keys(key, len(self.bounds) - 1)
        for part, (start, stop) in enumerate(pairwise(self.bounds.tolist())):
            shuffle(keys[part], drawn[start:stop])
        moved = {name: values.copy() for name, values in self.columns.items()}
        for name, values in self.columns.items():
            moved[name][self.places] = values[drawn]
        columns = dict(self.graph.vertex_columns) | moved
        return self.graph._with(vertex_columns=columns), self.admits_change(key)  # noqa: SLF001 - the same arrays

    def admits_change(self, key: int) -> bool:  # noqa: ARG002 - of the interface; the types decide
        """Return whether some group has vertices of two types."""
        types = self.columns[TYPE_NUMBERS][self.places]
        other = np.flatnonzero(np.diff(types)) + 1  # where a vertex has another type than the one before it
        return not np.isin(other, self.bounds).all()
