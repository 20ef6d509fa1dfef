"""What a null model and its walks are, and the first models: random graphs with the degrees of a given graph.

Walks switch the ends of edges, one random proposal after another.

Computes: a number of steps of a Markov chain over the simple graphs with the degrees of a given graph.
Requires: rows (tail, head) of arcs, sorted by tail, with `indptr`, and rows of edges after them; the `dyads` of both.
Idea: each step makes one of three proposals. Two arcs exchange their heads; two edges exchange one end each, in one of
  two ways chosen by a coin; or a directed 3-cycle is reversed, which consists of an arc a->b, a random arc b->c of b
  and the arc c->a if it exists. A proposal that would make a loop or a repeat, or join a dyad that is joined already,
  is rejected, and the graph stays the same for that step. Arcs keep their tails, so `indptr` stays valid. Each
  proposal is as likely as its reverse (rows are drawn uniformly whatever they hold, and a 3-cycle is drawn by the
  out-degrees of its vertices, which never change), so all graphs that the chain reaches are equally likely in the
  limit. Proposals are drawn 32 at a time, by vector instructions, and their cache lines prefetched, so that the walk
  seldom waits for memory.
Cost: about 10 ns per step of a small graph, and 100 ns if the rows and the dyads do not fit the cache.

References
----------
R. Milo, N. Kashtan, S. Itzkovitz, M. E. J. Newman and U. Alon, arXiv cond-mat/0312028, 2003: switching.
A. R. Rao, R. Jana and S. Bandyopadhyay, Sankhya A 58, 225-242, 1996: why 3-cycles must be reversed.
B. K. Fosdick, D. B. Larremore, J. Nishimura and J. Ugander, SIAM Review 60, 315-355, 2018: why a rejected proposal
counts as a step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.compiled import inline_kernel, kernel
from triadic.core.draws import GOLDEN, below, derive_keys, mix
from triadic.core.memory import check_memory
from triadic.core.oriented import frozen, starts_of
from triadic.core.records import record
from triadic.devices.cpu.intrinsics import Whole, prefetch
from triadic.devices.gpu.switching import Switchable
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.null_models.dyads import (
    ARC,
    MATRIX,
    MOST_VERTICES,
    MUTUAL,
    closes,
    copy_dyads,
    exchange,
    make_dyads,
    prefetch_dyads,
    reverse,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Sized

    from triadic.core.array_types import (
        BoolArray,
        Float64Array,
        Int32Array,
        Int64Array,
        IntegerArray,
        Uint64Array,
        UnsignedArray,
    )
    from triadic.null_models.constraints import Constraints

    Ids = Int32Array
    Ends = tuple[Ids, Ids, Ids, Ids]  # tails and heads of arcs, left and right ends of edges
    Dyads = UnsignedArray

# docs/significance.md says how these defaults were chosen.
STEPS_AN_EDGE, LEAST_STEPS = 10, 10_000
PART = 1 << 22  # steps of one kernel call, between which Ctrl-C takes effect
AHEAD = 32  # proposals of a batch
RING = 4  # batches that are drawn but not made: the current one and two more
ROW = 2  # numbers of an arc: tail, head
_CYCLE_BITS = np.uint64(7)  # one proposal in eight on arcs concerns a 3-cycle
COIN = np.uint64(8)  # the bit that decides in which of two ways two edges exchange ends
_SHORTEST, _LONGEST = 64, 1 << 12  # round in which a walk visits each section once; in between, a step for each row
_NO_ROWS = np.empty((0, 2), np.int32)
_0, _1, _2, _32 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(32)


class NullModel:
    """A distribution over simple graphs on the vertices of a given graph; samples are the ends of walks that switch.

    Attributes
    ----------
    directed : bool
        Whether the graphs are directed.
    steps : int or None
        Number of steps of the walk to a sample; None for a model without walks, whose samples are drawn directly.
    fixed : str
        What may leave nothing to move, in words.
    """

    __slots__ = ()
    fixed = "with its degrees kept"

    directed: bool
    steps: int | None

    @property
    def kept(self) -> Constraints | None:
        """Groups and bins of length that arcs keep; None if they keep none."""
        return None

    def walk(self, key: int) -> Walk:
        """Return a walk that begins at the original graph; its key determines all its draws."""
        return SwitchingWalk(self, key)

    def draw(self, key: int, show: Callable[[Walk], object] | None = None) -> tuple[Graph, bool]:
        """Return the sample of a key, and whether any edge was moved to make it; show its walk to a function."""
        walk = self.walk(key)
        moved = walk.go(self.steps or 0) > 0
        if show is not None:
            show(walk)
        return walk.graph(), moved

    def admits_change(self, key: int) -> bool:
        """Return whether the model is known to have more than one graph, by a walk of at least 10,000 steps."""
        return self.walk(key).go(max(self.steps or 0, LEAST_STEPS)) > 0


class Walk:
    """A random walk over graphs that begins at a given graph: the current graph and the number of steps made."""

    _rows: Sized  # what switches: none if the graph has no edges
    weigh: Callable[[Ids, Ids, int], Float64Array] | None = None  # gives the arcs of a graph weights, by the walk's key

    def __init__(self, model: Any, key: int) -> None:  # noqa: ANN401 - one of several dataclasses
        self.model, self.key, self._begin = model, np.uint64(key), 0
        self._dyads = copy_dyads(model.dyads)

    def go(self, steps: int) -> int:
        """Make `steps` steps more and return the number of accepted proposals; a walk may be split in any way."""
        accepted, end = 0, self._begin + steps
        while self._begin < end and len(self._rows):
            made, taken = self._make(min(PART, end - self._begin))
            accepted += int(taken)
            self._begin += made
        return accepted

    def _make(self, most: int) -> tuple[int, Whole]:
        """Make at most `most` steps; return their number, and that of the accepted proposals."""
        raise NotImplementedError

    def edges(self) -> tuple[Ids, Ids]:
        """Return the ends of each arc, or of each edge once, each at the place of the arc that became it."""
        tail, head, left, right = self._ends()
        if not self.model.directed:
            return left.copy(), right.copy()
        return np.concatenate([tail, left, right]), np.concatenate([head, right, left])

    def _ends(self) -> Ends:
        """Return tails and heads of the arcs, and left and right ends of the edges, at the places where they began."""
        raise NotImplementedError

    def graph(self) -> Graph:
        """Return the current graph."""
        model, (source, target) = self.model, self.edges()
        weights = None if self.weigh is None else self.weigh(source, target, int(self.key))
        arcs = Arcs(source, target, model.num_vertices, model.directed, weights)
        return Graph.from_arcs(arcs, threads=1)


class Section(NamedTuple):
    """Arcs and edges that exchange ends with one another only: all of a graph, or those of one sign.

    Attributes
    ----------
    rows : int32 array, shape (rows, 2)
        Tail and head of each arc, sorted by tail; then the two ends of each edge.
    indptr : int64 array, shape (n + 1,)
        Start of the arcs of each tail.
    arcs : int
        Number of rows that are arcs. The others are edges of an undirected graph, or pairs of arcs both ways.
    coin : uint64
        Whether the ends of an edge are alike: ``COIN``, or 0 for pairs whose first arc is positive and whose
        second arc is negative.
    """

    rows: Ids
    indptr: Int64Array
    arcs: int
    coin: np.uint64


@record(kw_only=True)
class Switching(NullModel, Switchable):
    """The simple graphs with the degrees of a given graph that switching reaches, all equally likely.

    The arcs that exchange their heads are all arcs of a directed graph, or, if mutual degrees are kept, those without a
    reciprocal arc.

    Attributes
    ----------
    dyads : array of unsigned integers
        The `dyads` of the arcs and edges: a matrix of bits or a hash table.
    steps : int
        Number of steps of the walk to a sample.

    References
    ----------
    R. Milo, N. Kashtan, S. Itzkovitz, M. E. J. Newman and U. Alon, *On the uniform generation of random graphs with
    prescribed degree sequences*, arXiv cond-mat/0312028, 2003.
    A. R. Rao, R. Jana and S. Bandyopadhyay, *A Markov chain Monte Carlo method for generating random (0,1)-matrices
    with given marginals*, Sankhya A 58, 225-242, 1996.
    """

    dyads: Dyads
    steps: int

    @classmethod
    def of(cls, graph: Graph, *, mutual: bool, steps: int | None = None) -> Switching:
        """Return the model of a graph, ready for walks that begin at it. O(m log m)."""
        tail, head, left, right = ends = parts_of(graph, mutual=mutual)
        indptr = frozen(
            starts_of(np.bincount(tail, minlength=graph.num_vertices))
        )  # as a graph's: one variant of a kernel
        return cls(tail, head, indptr, left, right, **fields_of(graph, ends, mutual=mutual, steps=steps))

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return len(self.indptr) - 1

    @property
    def sections(self) -> tuple[Section, ...]:
        """All arcs and edges in one section; none if there are none."""
        arcs, edges = np.stack([self.tail, self.head], axis=1), np.stack([self.left, self.right], axis=1)
        rows = np.concatenate([arcs, edges])
        return (Section(rows, self.indptr, len(arcs), COIN),) if len(rows) else ()


@record
class SignedSwitching(NullModel):
    """The simple graphs whose vertices have as many positive and as many negative arcs as in a given graph.

    Arcs exchange ends with arcs of their sign, so that each vertex keeps its positive and its negative out- and
    in-degree; if mutual degrees are kept, pairs joined both ways exchange ends with pairs of the same two signs. If
    arcs exchanged ends without regard to signs, some would lead from a vertex whose arcs out are all positive to one
    whose arcs in are all negative, and no placement of the weights would keep the strengths of both.
    All graphs that the walk reaches are equally likely.

    Attributes
    ----------
    num_vertices : int
        Number of vertices.
    sections : tuple of Section
    dyads : array of unsigned integers
        The `dyads` of all sections.
    ordered, directed : bool
        Whether the two arcs of a pair joined both ways are arcs of their own; whether the graph is directed.
    steps : int
        Number of steps of the walk to a sample.

    References
    ----------
    M. Rubinov and O. Sporns, *Weight-conserving characterization of complex functional brain networks*, NeuroImage 56,
    2068-2079, 2011.
    """

    num_vertices: int
    sections: tuple[Section, ...]
    dyads: Dyads
    ordered: bool
    directed: bool
    steps: int

    @classmethod
    def of(cls, graph: Graph, weights: Float64Array, *, mutual: bool, steps: int | None) -> SignedSwitching:
        """Return the model of a graph, of which `weights` are the weights of ``graph.edges()``. O(m log m)."""
        n, (source, target) = graph.num_vertices, ends_of(graph)
        positive = weights >= 0
        back = switched_as_edges(graph, source, target, mutual=mutual)
        answer = positive[reverse_places(source, target)] if mutual else positive  # the sign of the other arc of a pair
        once = back & (source < target)
        alike = [~back & (positive == sign) for sign in (True, False)]
        alike += [once & (positive == sign) & (answer == sign) for sign in (True, False)]
        sections = []
        for mask, coin in [*((mask, COIN) for mask in alike), (back & positive & ~answer, np.uint64(0))]:
            rows = np.stack([source[mask], target[mask]], axis=1)
            arcs = 0 if back[mask].any() else len(rows)
            indptr = frozen(starts_of(np.bincount(rows[:arcs, 0], minlength=n)))
            sections += [Section(rows, indptr, arcs, coin)] if len(rows) else []
        ends = joined_ends(sections, [section.rows for section in sections])
        return cls(n, tuple(sections), **fields_of(graph, ends, mutual=mutual, steps=steps))


class SwitchingWalk(Walk):
    """A random walk over graphs with the same degrees, also of each sign.

    Its steps are in rounds, each of which visits the sections one after another, for a number of steps in proportion to
    their rows.
    """

    _rows: list[Ids]

    def __init__(self, model: Any, key: int) -> None:  # noqa: ANN401 - Switching or SignedSwitching
        super().__init__(model, key)
        self._sections = model.sections
        self._rows = [section.rows.copy() for section in self._sections]
        sizes = np.array([len(rows) for rows in self._rows], np.int64)
        self._keys, self._bounds = np.array([self.key]), np.array([0, PART])
        if len(sizes) > 1:
            rows = int(sizes.sum())
            self._keys = derive_keys(key, len(sizes))
            self._bounds = starts_of(np.maximum(1, min(max(_SHORTEST, rows), _LONGEST) * sizes // rows))
        self._proposals = np.zeros((3, RING * AHEAD), np.uint64)

    def _make(self, most: int) -> tuple[int, Whole]:
        rounds, at = divmod(self._begin, int(self._bounds[-1]))
        number = int(np.searchsorted(self._bounds, at, side="right")) - 1
        first, last = int(self._bounds[number]), int(self._bounds[number + 1])
        section, steps = self._sections[number], min(last - at, most)
        taken = switch(
            self._keys[number],
            np.uint64(rounds * (last - first) + at - first),
            steps,
            self._rows[number].reshape(-1),
            np.uint64(section.arcs),
            section.indptr,
            self._dyads,
            self.model.ordered,
            section.coin,
            *self._proposals,
        )
        return steps, taken

    def _ends(self) -> Ends:
        return joined_ends(self._sections, self._rows)


def joined_ends(sections: Sequence[Section], rows: list[Ids]) -> Ends:
    """Return tails and heads of the arcs in the rows of some sections, and left and right ends of the edges."""
    pairs = list(zip(rows, sections, strict=True))
    arcs = np.concatenate([_NO_ROWS, *(own[: section.arcs] for own, section in pairs)])
    edges = np.concatenate([_NO_ROWS, *(own[section.arcs :] for own, section in pairs)])
    tail, head, left, right = (np.ascontiguousarray(each[:, end]) for each in (arcs, edges) for end in (0, 1))
    return tail, head, left, right


def fields_of(graph: Graph, ends: Ends, *, mutual: bool, steps: int | None) -> dict[str, Any]:
    """Return the fields of a model besides what its walks switch: `dyads`, `ordered`, `directed` and `steps`."""
    ordered = graph.directed and not mutual
    return {
        "dyads": make_dyads(graph.num_vertices, *ends, ordered=ordered),
        "ordered": ordered,
        "directed": graph.directed,
        "steps": steps or max(STEPS_AN_EDGE * (len(ends[0]) + len(ends[2])), LEAST_STEPS),
    }


def ends_of(graph: Graph) -> tuple[Ids, Ids]:
    """Return the ends of the arcs of a graph, after a check that it can be switched."""
    if graph.num_vertices > MOST_VERTICES:
        raise ArgumentError(f"graph: it has {graph.num_vertices:,} vertices; switching takes at most {MOST_VERTICES:,}")
    check_memory(100 * graph.num_arcs, f"switching {graph.num_arcs:,} arcs", "use more memory")
    source, target = (ends.astype(np.int32, copy=False) for ends in graph.edges())
    return source, target


def parts_of(graph: Graph, *, mutual: bool) -> Ends:
    """Return the tails and heads of the arcs of a graph that switch as arcs, and the two ends of its edges."""
    source, target = ends_of(graph)
    back = switched_as_edges(graph, source, target, mutual=mutual)
    once = back & (source < target)
    return source[~back], target[~back], source[once], target[once]


def switched_as_edges(graph: Graph, source: Ids, target: Ids, *, mutual: bool) -> BoolArray:
    """Return which arcs switch as edges: all of an undirected graph, or, if `mutual`, those with a reverse."""
    if not mutual or len(source) == 0:
        return np.full(len(source), not graph.directed)
    place = reverse_places(source, target)
    found: BoolArray = (source[place] == target) & (target[place] == source)
    return found


def reverse_places(source: Ids, target: Ids) -> Int64Array:
    """Return the place of the reverse of each arc; some place if it has none."""
    arcs, back = ((one.astype(np.int64) << 32) | other for one, other in ((source, target), (target, source)))
    return np.minimum(np.searchsorted(arcs, back), len(arcs) - 1)


@kernel
def switch(
    key: np.uint64,
    begin: np.uint64,
    steps: Whole,
    ends: Ids,
    arcs: np.uint64,
    indptr: Int64Array,
    dyads: Dyads,
    ordered: bool,
    coin: np.uint64,
    first: Uint64Array,
    second: Uint64Array,
    bits: Uint64Array,
) -> Whole:
    """Run `steps` steps from step `begin` of the walk `key`, in place; return the number of accepted proposals.

    The first `arcs` rows of `ends` are arcs, the others edges. `dyads` may hold more arcs, which stay as they are. The
    ends of an edge are exchanged if the bits of `coin`, `COIN` or none, are set in its random number. The last three
    arrays have room for `RING` batches.
    """
    taken = np.int64(0)
    counter = key + _2 * begin * GOLDEN
    batches = (steps + AHEAD - 1) // AHEAD
    lead = 0 if dyads.ndim == MATRIX else 2  # a matrix is in the cache
    drawn = 0
    for batch in range(batches):
        while drawn <= min(batch + lead, batches - 1):
            at = (drawn % RING) * AHEAD
            _draw(counter, np.uint64(ends.size // ROW), arcs, at, first, second, bits)
            counter += _2 * np.uint64(AHEAD) * GOLDEN
            if lead > 0:
                for q in range(at, at + AHEAD):
                    prefetch(ends, ROW * np.int64(first[q]))
                    prefetch(ends, ROW * np.int64(second[q]))
            drawn += 1
        now, soon = (batch % RING) * AHEAD, ((batch + 1) % RING) * AHEAD
        for p in range(min(AHEAD, steps - batch * AHEAD)):
            if lead > 0:
                q = soon + p
                _prefetch(ends, arcs, indptr, dyads, ordered, first[q], second[q], bits[q], coin)
            i, j, other = first[now + p], second[now + p], bits[now + p]
            if i >= arcs:
                c, d = _oriented_edge(ends, j, other & coin)
                if i != j and exchange(dyads, ends[_2 * i], ends[_2 * i + _1], c, d, MUTUAL, ordered):
                    ends[_2 * j], ends[_2 * j + _1] = c, ends[_2 * i + _1]
                    ends[_2 * i + _1] = d
                    taken += 1
            elif (other & _CYCLE_BITS) == _0:
                taken += _reverse_cycle(ends, indptr, dyads, i, other, ordered)
            else:
                b, d = ends[_2 * i + _1], ends[_2 * j + _1]
                moved = np.int32(exchange(dyads, ends[_2 * i], b, ends[_2 * j], d, ARC, ordered))
                change = (b ^ d) & -moved  # a branch on the outcome would often be foreseen wrongly
                ends[_2 * i + _1] = b ^ change
                ends[_2 * j + _1] = d ^ change
                taken += np.int64(moved)
    return taken


@kernel
def _draw(
    counter: np.uint64,
    rows: np.uint64,
    arcs: np.uint64,
    at: Whole,
    first: Uint64Array,
    second: Uint64Array,
    bits: Uint64Array,
) -> None:
    """Draw the rows of a batch of proposals, two of arcs or two of edges for each, and write them from `at` on."""
    first, second, bits = first[at : at + AHEAD], second[at : at + AHEAD], bits[at : at + AHEAD]
    for p in range(AHEAD):
        place = counter + _2 * np.uint64(p) * GOLDEN
        bits[p] = mix(place + GOLDEN)
        first[p] = below(mix(place), rows)
        least, bound = (_0, arcs) if first[p] < arcs else (arcs, rows - arcs)
        second[p] = least + below(bits[p], bound)


@inline_kernel
def _prefetch(
    ends: Ids,
    arcs: np.uint64,
    indptr: Int64Array,
    dyads: Dyads,
    ordered: bool,
    i: np.uint64,
    j: np.uint64,
    bits: np.uint64,
    coin: np.uint64,
) -> None:
    """Prefetch what a proposal reads besides its rows, as far as steps before it do not change them."""
    if i >= arcs:
        c, d = _oriented_edge(ends, j, bits & coin)
        prefetch_dyads(dyads, ends[_2 * i], ends[_2 * i + _1], c, d, ordered)
    elif (bits & _CYCLE_BITS) == _0:
        prefetch(indptr, np.int64(ends[_2 * i + _1]))
    else:
        prefetch_dyads(dyads, ends[_2 * i], ends[_2 * i + _1], ends[_2 * j], ends[_2 * j + _1], ordered)


@inline_kernel
def _oriented_edge(ends: Ids, i: np.uint64, turned: np.uint64) -> tuple[np.int32, np.int32]:
    """Return the ends of an edge, exchanged if `turned` is not 0."""
    if turned == _0:
        return ends[_2 * i], ends[_2 * i + _1]
    return ends[_2 * i + _1], ends[_2 * i]


@inline_kernel
def _reverse_cycle(ends: Ids, indptr: Int64Array, dyads: Dyads, i: np.uint64, bits: np.uint64, ordered: bool) -> Whole:
    """Reverse a 3-cycle a->b->c->a of row `i`, with b->c drawn; return 1 if there is one without reciprocal arcs."""
    a, b = ends[_2 * i], ends[_2 * i + _1]
    row = indptr[b]
    out = indptr[b + 1] - row
    if out == 0:
        return 0
    j = np.uint64(row) + below(bits, np.uint64(out))
    c = ends[_2 * j + _1]
    if c == a or not closes(dyads, a, b, c, ordered):
        return 0
    k, stop = np.uint64(indptr[c]), np.uint64(indptr[c + 1])
    while k < stop and ends[_2 * k + _1] != a:
        k += _1
    if k == stop:  # the arc c->a is not one of these rows
        return 0
    reverse(dyads, a, b, c, ordered)
    ends[_2 * i + _1], ends[_2 * j + _1], ends[_2 * k + _1] = c, a, b
    return 1


@kernel
def shuffle(key: np.uint64, values: IntegerArray) -> None:
    """Shuffle values in place (Fisher and Yates; D. E. Knuth, *The Art of Computer Programming* 2, 3.4.2, P)."""
    counter = key
    for i in range(values.size - 1, 0, -1):
        j = np.int64(below(mix(counter), np.uint64(i + 1)))
        counter += GOLDEN
        values[i], values[j] = values[j], values[i]
