"""Random graphs with the degrees of a given graph whose arcs keep their classes: switching between stubs of a group.

Computes: a number of steps of a Markov chain over the simple graphs with the degrees of a given graph and with the same
  number of arcs of each class: group of the tail, group of the head, bin of the length.
Requires: stubs in strata; vertices numbered by group; the `dyads` of all arcs and edges.
Idea: an arc is two stubs, one at its tail and one at its head, and an edge is two stubs of one kind. A *stratum* is the
  stubs of one kind (tails, heads or edges) at the vertices of one group. Two stubs of a stratum, of vertices a and c,
  exchange their far ends: arcs a-b and c-d become a-d and c-b. A switch of two arcs can keep the numbers of arcs
  between groups only if its tails, or its heads, are of one group, so that strata leave no such switch out. It keeps
  the classes if b is as far from a as from c, by bins, and d too: such far ends are *free*. A switch that keeps the
  classes because a is as far from b as from d, and c too, is one of the stubs of b and d.
  A draw takes a stub uniformly and a partner in its stratum, looks at up to 16 stubs of each of their vertices for free
  far ends, and exchanges up to four pairs of these, about as many as a random division of the free ends between a and c
  would; one draw in 64 exchanges one pair. An exchange that makes a loop or a repeat is rejected, and the step counts.
  If lengths are kept, vertices of a group are numbered along a curve through space, and the partner is drawn from the
  aligned block of 2**k stubs around the stub, with k uniform: near and far partners alike.
  An exchange leaves the same stubs with free ends, and the draw does not look at far ends, so that the same draw takes
  an exchange back: every proposal is as likely as its reverse. Exchanges of one draw concern different dyads, or are
  all rejected, so that their order does not matter (docs/significance.md).
  One draw in eight on tails reverses a directed 3-cycle instead, as in `switching`.
  A stub is a row (vertex, vertex at the far end, its twin, arc): 16 bytes in one cache line.
Cost: 100 ns per step, and 250 ns if the stubs do not fit the cache, most of it for reading stubs and the table.

References
----------
B. K. Fosdick, D. B. Larremore, J. Nishimura and J. Ugander, SIAM Review 60, 315-355, 2018: why a rejected proposal
counts as a step.
R. F. Betzel and D. S. Bassett, PNAS 115, E4880-E4889, 2018: switches that keep the bins of lengths of connections.
G. M. Morton, *A computer oriented geodetic data base*, IBM, 1966: the curve.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.compiled import inline_kernel, kernel
from triadic.core.draws import GOLDEN, below, mix
from triadic.core.memory import check_memory
from triadic.core.oriented import int_zeros, inverse
from triadic.core.records import record
from triadic.devices.cpu.intrinsics import Whole, prefetch
from triadic.devices.gpu.switching import SwitchableStubs
from triadic.errors import ArgumentError
from triadic.null_models.constraints import arc_lengths
from triadic.null_models.dyads import ARC, MUTUAL, closes, exchange, prefetch_dyads, reverse
from triadic.null_models.switching import NullModel, Walk, fields_of, parts_of

if TYPE_CHECKING:
    from triadic.core.array_types import (
        BoolArray,
        Float64Array,
        Int32Array,
        Int64Array,
        Uint8Array,
        Uint16Array,
        Uint64Array,
    )
    from triadic.graph.graph import Graph
    from triadic.null_models.constraints import Constraints
    from triadic.null_models.dyads import Dyads
    from triadic.null_models.switching import Ends

    Ids = Int32Array

_MOST_ARCS = 1 << 30  # an arc's number has 30 bits
_CURVE_BITS = 20  # of each coordinate
# The default number of steps grows by the factor _WANTED / accepted if a trial of _TRIAL steps accepts fewer proposals.
_TRIAL, _WANTED, _MOST_TIMES = 20_000, 0.8, 20
AHEAD = 32  # number of proposals drawn at a time
SHARED = 4  # proposals in a row that share their two vertices
DRAWS = AHEAD // SHARED
_WINDOW = 16  # stubs of a vertex that are looked at, around the drawn one
ROW = 4  # numbers of a stub: vertex, far end, twin, arc
MOVED = np.int32(1 << 30)  # bit of the arc: a proposal with it was accepted
_VERTEX, _FAR, _TWIN, _ARC_ID = 0, 1, 2, 3
_CYCLE_BITS = np.uint64(7)  # one draw in eight on tails is for the reversal of a 3-cycle
_LEVEL_SHIFT, _LEVEL_BITS, _OFFSET_SHIFT = np.uint64(3), np.uint64(0x1FFF), np.uint64(16)
_ALONE_BITS = np.uint64(63)  # one draw in 64 is for one exchange alone
_STAMP = 4095  # bits of a vertex
_0, _1, _2, _6, _26, _32 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(6), np.uint64(26), np.uint64(32)
_26_BITS = np.uint64((1 << 26) - 1)


class Stubs(NamedTuple):
    """The stubs of a walk, as `SwitchableStubs` has them at its begin, and the bin of the length of each stub's arc."""

    rows: Ids
    bins: Uint16Array


class Layout(NamedTuple):
    """What stubs never change, see `SwitchableStubs`."""

    arcs: int
    strata: Int64Array
    starts: Int64Array
    group: Ids
    place: Float64Array
    limits: Float64Array
    lowest: int


@record(kw_only=True)
class ConstrainedSwitching(NullModel, SwitchableStubs):
    """The simple graphs with the degrees and the classes of arcs of a given graph that switching reaches.

    All of them are equally likely in the limit of many steps. Vertices are numbered anew, by group and then along a
    curve through space.

    The stubs are those at the tails of the arcs, by vertex; those at their heads; and two stubs for each edge, or pair
    joined both ways if mutual degrees are kept.

    Attributes
    ----------
    constraints : Constraints
        Groups and bins of length that are kept.
    bins : uint16 array, shape (stubs,)
        Bin of the length of each stub's arc.
    dyads : array of unsigned integers
        The `dyads` of the arcs and edges: a matrix of bits or a hash table.
    steps : int
        Number of steps of the walk to a sample.
    """

    constraints: Constraints
    bins: Uint16Array
    dyads: Dyads
    steps: int

    @classmethod
    def of(
        cls, graph: Graph, constraints: Constraints, *, mutual: bool, steps: int | None = None
    ) -> ConstrainedSwitching:
        """Return the model of a graph, ready for walks that begin at it. O(m log m)."""
        n = graph.num_vertices
        if graph.num_arcs >= _MOST_ARCS:
            raise ArgumentError(
                f"graph: it has {graph.num_arcs:,} arcs; switching with groups or positions takes less than 2**30"
            )
        check_memory(200 * graph.num_arcs, f"switching {graph.num_arcs:,} arcs", "use more memory")
        order = _order(constraints)
        rank = inverse(order)
        tail, head, left, right = (rank[each] for each in parts_of(graph, mutual=mutual))
        group, place = constraints.group[order], np.ascontiguousarray(constraints.place[order])
        stubs = _make_stubs(tail, head, left, right)
        vertex, groups = stubs[:, 0], max(1, len(constraints.names))
        kind = np.repeat([0, 1, 2], [len(tail), len(tail), 2 * len(left)])
        strata, rows = (
            np.searchsorted(kind * size + number, np.arange(3 * size + 1)).astype(np.int64)
            for size, number in ((groups, group[vertex]), (n, vertex))
        )
        lengths = arc_lengths(place, vertex, stubs[:, 1])
        model = cls(
            stubs,
            len(tail),
            strata,
            rows,
            group,
            place,
            constraints.limits,
            int(len(vertex) // max(1, n)).bit_length(),
            order,
            constraints=constraints,
            bins=np.digitize(lengths, constraints.edges).astype(np.uint16),
            **fields_of(graph, (tail, head, left, right), mutual=mutual, steps=steps),
        )
        if steps is not None:
            return model
        # As many steps as are accepted in a walk without constraints.
        accepted = model.walk(0).go(_TRIAL) / _TRIAL
        times = min(_MOST_TIMES, max(1.0, _WANTED / max(accepted, 1 / _TRIAL)))
        return replace(model, steps=ceil(model.steps * times))

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return len(self.group)

    @property
    def kept(self) -> Constraints:
        """Groups and bins of length that arcs keep."""
        return self.constraints

    def walk(self, key: int) -> StubWalk:
        """Return a walk that begins at the original graph; its key determines all its draws."""
        return StubWalk(self, key)


class StubWalk(Walk):
    """A random walk over graphs with the same degrees and classes of arcs."""

    _rows: Ids

    def __init__(self, model: ConstrainedSwitching, key: int, stubs: Ids | None = None) -> None:
        """Begin a walk at the original graph, or take the stubs of one that a device has made, for a look at its arcs.

        A walk with stubs of a device cannot be continued.
        """
        super().__init__(model, key)
        self._rows = model.stubs.copy() if stubs is None else stubs.reshape(model.stubs.shape)
        self._bins = model.bins.copy()

    def _make(self, most: int) -> tuple[int, Whole]:
        model = self.model
        layout = Layout(model.arcs, model.strata, model.rows, model.group, model.place, model.limits, model.lowest)
        stubs = Stubs(self._rows, self._bins)
        return most, walk_stubs(self.key, self._begin, most, stubs, layout, self._dyads, model.ordered)

    def _ends(self) -> Ends:
        order, arcs = self.model.order, self._rows[: self.model.arcs]
        number = np.arange(2 * len(arcs), len(self._rows))
        edges = self._rows[2 * len(arcs) :]
        once = edges[number < edges[:, 2]]
        left, right = np.empty(len(once), np.int32), np.empty(len(once), np.int32)
        at = once[:, 3] & (MOVED - 1)
        left[at], right[at] = order[once[:, 0]], order[once[:, 1]]
        return order[arcs[:, 0]], order[arcs[:, 1]], left, right

    def moved(self) -> BoolArray:
        """Return whether an accepted proposal took part in each arc, in the order of `edges`."""
        arcs, numbers = self.model.arcs, self._rows[:, 3]
        edge = numbers[2 * arcs :]
        of_edge = np.zeros(len(edge) // 2, np.bool_)
        of_edge[edge & (MOVED - 1)] = edge >= MOVED
        return np.concatenate([numbers[:arcs] >= MOVED, *[of_edge] * (1 + self.model.directed)])


def _order(constraints: Constraints) -> Ids:
    """Return the vertices by group, and within a group along a curve through space (Morton 1966)."""
    if not constraints.has_bins:
        return np.argsort(constraints.group, kind="stable").astype(np.int32)
    place = constraints.place - constraints.place.min(axis=0, initial=np.inf)
    extent = place.max(initial=0.0)
    cell = (place * ((1 << _CURVE_BITS) - 1) / extent if extent > 0 else place).astype(np.int64)
    code = int_zeros(len(cell))
    for bit in range(_CURVE_BITS):
        for axis in range(3):
            code |= ((cell[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.lexsort((code, constraints.group)).astype(np.int32)


def _make_stubs(tail: Ids, head: Ids, left: Ids, right: Ids) -> Ids:
    """Return the stubs of arcs and edges: those at tails, at heads and of edges, each part sorted by vertex."""
    arcs, edges = len(tail), len(left)
    vertex = np.concatenate([tail, head, left, right])
    far = np.concatenate([head, tail, right, left])
    number = np.concatenate([np.arange(arcs)] * 2 + [np.arange(edges)] * 2).astype(np.int32)
    first = np.arange(arcs)
    edge = np.arange(2 * arcs, 2 * arcs + edges)
    twin = np.concatenate([first + arcs, first, edge + edges, edge])
    order = np.lexsort((far, vertex, np.repeat([0, 1, 2], [arcs, arcs, 2 * edges])))
    twins = inverse(order)[twin[order]]
    stubs = np.stack([vertex[order], far[order], twins, number[order]], axis=1).astype(np.int32)
    stubs[:arcs, 3] = np.arange(arcs)
    return np.ascontiguousarray(stubs)


@kernel
def walk_stubs(
    key: np.uint64, begin: Whole, steps: Whole, stubs: Stubs, layout: Layout, dyads: Dyads, ordered: bool
) -> Whole:
    """Run `steps` steps from step `begin` of the walk `key`, in place; return the number of accepted proposals.

    Pairs of stubs are matched ahead of their exchanges, and again where `changed` says that an exchange since then has
    changed a stub of their vertices: it holds the batch of the last change of each vertex, by its lowest bits.
    """
    taken = np.int64(0)
    end, arcs, rows = begin + steps, layout.arcs, stubs.rows
    first, second, bits = np.empty(DRAWS, np.int64), np.empty(DRAWS, np.int64), np.empty(DRAWS, np.uint64)
    one, two, count = np.empty(AHEAD, np.int64), np.empty(AHEAD, np.int64), np.empty(DRAWS, np.int64)
    found = np.empty(2 * _WINDOW, np.int64)
    changed = np.zeros(_STAMP + 1, np.uint8)
    for start in range(begin // SHARED, (end + SHARED - 1) // SHARED, DRAWS):
        now = np.uint8(start // DRAWS)  # an old stamp of the same number only costs time
        length = min(DRAWS, (end + SHARED - 1) // SHARED - start)
        _draw(key + _2 * np.uint64(start) * GOLDEN, length, rows, layout, first, second, bits)
        for p in range(length):
            i, j = first[p], second[p]
            if j < 0:
                continue
            kind = _kind(i, arcs)
            at = p * SHARED
            count[p] = _match(stubs, layout, kind, i, j, bits[p], found, at, one, two)
            for q in range(at, at + count[p]):
                _prefetch_switch(rows, kind, dyads, one[q], two[q], ordered)
        for p in range(length):
            i, j, at = first[p], second[p], p * SHARED
            skipped, wanted = max(0, begin - (start + p) * SHARED), min(SHARED, end - (start + p) * SHARED)
            if j < 0:
                if skipped == 0:
                    taken += _reverse_cycle(stubs, layout, dyads, i, bits[p], ordered, changed, now)
                continue
            a, c = rows[i, _VERTEX], rows[j, _VERTEX]
            kind = _kind(i, arcs)
            if changed[a & _STAMP] == now or changed[c & _STAMP] == now:
                count[p] = _match(stubs, layout, kind, i, j, bits[p], found, at, one, two)
            for q in range(at + skipped, at + min(wanted, count[p])):
                taken += _switch(stubs, kind, dyads, one[q], two[q], ordered, changed, now)
    return taken


@inline_kernel
def _kind(i: Whole, arcs: Whole) -> Whole:
    """Return 0 for a stub at a tail, 1 for one at a head, 2 for one of an edge."""
    return np.int64(i >= arcs) + np.int64(i >= 2 * arcs)


@inline_kernel
def _draw(
    counter: np.uint64,
    length: Whole,
    stubs: Ids,
    layout: Layout,
    first: Int64Array,
    second: Int64Array,
    bits: Uint64Array,
) -> None:
    """Draw pairs of stubs and prefetch them; the second is negative for the reversal of a 3-cycle."""
    arcs, strata, starts, group, _, limits, lowest = layout
    for p in range(length):
        first[p] = np.int64(below(mix(counter), np.uint64(len(stubs))))
        bits[p] = mix(counter + GOLDEN)
        counter += _2 * GOLDEN
        _prefetch_window(stubs, first[p])
    for p in range(length):
        i = first[p]
        if i < arcs and (bits[p] & _CYCLE_BITS) == _0:
            second[p] = -1
            prefetch(starts, np.int64(stubs[i, _FAR]))
            continue
        kind = _kind(i, arcs)
        stratum = kind * (len(strata) // 3) + np.int64(group[stubs[i, _VERTEX]])
        second[p] = _partner(i, bits[p], strata[stratum], strata[stratum + 1], lowest, limits.size > 2)
        _prefetch_window(stubs, second[p])


@inline_kernel
def _prefetch_switch(stubs: Ids, kind: Whole, dyads: Dyads, i: Whole, j: Whole, ordered: bool) -> None:
    """Prefetch what an exchange reads or writes besides the stubs i and j."""
    prefetch(stubs, ROW * np.int64(stubs[i, _TWIN]))
    prefetch(stubs, ROW * np.int64(stubs[j, _TWIN]))
    a, b, c, d = stubs[i, _VERTEX], stubs[i, _FAR], stubs[j, _VERTEX], stubs[j, _FAR]
    if kind == 1:
        prefetch_dyads(dyads, b, a, d, c, ordered)
    else:
        prefetch_dyads(dyads, a, b, c, d, ordered)


@inline_kernel
def _prefetch_window(stubs: Ids, i: Whole) -> None:
    """Prefetch the stubs around `i`."""
    for near in range(-_WINDOW // 2, _WINDOW // 2 + 1, 4):
        prefetch(stubs, ROW * (i + near))


@inline_kernel
def _partner(i: Whole, bits: np.uint64, start: Whole, stop: Whole, lowest: Whole, nearby: bool) -> Whole:
    """Return a stub of the stratum of `i`, from the whole of it or from a block around `i`."""
    if not nearby:
        return start + np.int64(below(bits, np.uint64(stop - start)))
    levels = np.int64(0)
    while (np.int64(1) << levels) < stop - start:
        levels += 1
    least = min(lowest, levels)
    scaled = np.int64((bits >> _LEVEL_SHIFT) & _LEVEL_BITS) * (levels - least + 1)
    level = least + (scaled >> 13)
    offset = np.int64(bits >> _OFFSET_SHIFT) & ((np.int64(1) << level) - 1)
    if level > least:
        offset |= np.int64(1) << (level - 1)
    j = start + ((i - start) ^ offset)
    return j if j < stop else j - (stop - start)


@inline_kernel
def _match(
    stubs: Stubs,
    layout: Layout,
    kind: Whole,
    i: Whole,
    j: Whole,
    bits: np.uint64,
    found: Int64Array,
    start: Whole,
    one: Int64Array,
    two: Int64Array,
) -> Whole:
    """Write the pairs of stubs of a draw that exchange their far ends, from `start` on; return their number."""
    a, c = np.int64(stubs.rows[i, _VERTEX]), np.int64(stubs.rows[j, _VERTEX])
    if a == c:
        return 0
    row = kind * len(layout.group)
    of_a = _write_free(stubs, layout, row + a, i, c, found, _0)
    of_c = _write_free(stubs, layout, row + c, j, a, found, np.uint64(_WINDOW))
    if of_a == 0 or of_c == 0:
        return 0
    choice = mix(bits)
    # As many as a random division exchanges, rounded up. All ends of a for all of c would only rename the two vertices.
    count = 1 if (choice & _ALONE_BITS) == _0 else min(SHARED, (of_a * of_c + of_a + of_c - 1) // (of_a + of_c))
    x: Whole = np.int64(((choice >> _6) & _26_BITS) * np.uint64(of_a) >> _26)
    y: Whole = np.int64((choice >> _32) * np.uint64(of_c) >> _32)
    for q in range(start, start + count):
        one[q], two[q] = found[x], found[_WINDOW + y]
        x, y = (x + 1 if x + 1 < of_a else 0), (y + 1 if y + 1 < of_c else 0)
    return count


@inline_kernel
def _write_free(stubs: Stubs, layout: Layout, row: Whole, i: Whole, c: Whole, found: Int64Array, start: Whole) -> Whole:
    """Write the stubs around `i` at its vertex whose far ends are free for c, from `start` on; return their number."""
    rows, bins = stubs
    _, _, starts, _, place, limits, _ = layout
    last = starts[row + 1]
    begin = max(starts[row], min(i - _WINDOW // 2, last - _WINDOW))
    count, other = _0, np.uint64(c)
    x, y, z = place[c, 0], place[c, 1], place[c, 2]
    for place_of in range(begin, min(last, begin + _WINDOW)):
        at = np.uint64(place_of)
        v = np.uint64(rows[at, _FAR])
        dx, dy, dz = x - place[v, 0], y - place[v, 1], z - place[v, 2]
        square = (dx * dx + dy * dy) + dz * dz
        number = np.uint64(bins[at])
        found[start + count] = place_of
        count += np.uint64((limits[number] <= square) & (square < limits[number + _1]) & (v != other))
    return np.int64(count)


@inline_kernel
def _switch(
    state: Stubs,
    kind: Whole,
    dyads: Dyads,
    first: Whole,
    second: Whole,
    ordered: bool,
    changed: Uint8Array,
    now: np.uint8,
) -> Whole:
    """Exchange the far ends of stubs i and j of one stratum if that is allowed; return 1 if so.

    Stubs are written either way: a branch on the outcome would often be foreseen wrongly.
    """
    stubs, bins = state
    i, j = np.uint64(first), np.uint64(second)
    a, b, c, d = stubs[i, _VERTEX], stubs[i, _FAR], stubs[j, _VERTEX], stubs[j, _FAR]
    k, m = np.uint64(stubs[i, _TWIN]), np.uint64(stubs[j, _TWIN])
    tail, head, other_tail, other_head = (b, a, d, c) if kind == 1 else (a, b, c, d)
    moved = np.int32(exchange(dyads, tail, head, other_tail, other_head, MUTUAL if kind == 2 else ARC, ordered))
    far, near, bin_ = (b ^ d) & -moved, (a ^ c) & -moved, (bins[i] ^ bins[j]) & -moved
    twin, other = np.int32(k ^ m) & -moved, np.int32(i ^ j) & -moved
    stubs[i, _FAR], stubs[j, _FAR] = b ^ far, d ^ far
    stubs[i, _TWIN], stubs[j, _TWIN] = np.int32(k) ^ twin, np.int32(m) ^ twin
    stubs[k, _FAR], stubs[m, _FAR] = a ^ near, c ^ near
    stubs[k, _TWIN], stubs[m, _TWIN] = np.int32(i) ^ other, np.int32(j) ^ other
    bins[i] ^= np.uint16(bin_)
    bins[j] ^= np.uint16(bin_)
    one, two = (k, m) if kind == 1 else (i, j)  # an arc goes by the number of its tail's stub
    stubs[one, _ARC_ID] |= MOVED & -moved
    stubs[two, _ARC_ID] |= MOVED & -moved
    if kind == 2 and moved != 0:
        stubs[m, _ARC_ID], stubs[k, _ARC_ID] = stubs[i, _ARC_ID], stubs[j, _ARC_ID]
    for vertex in (a, b, c, d):
        changed[np.uint64(vertex & _STAMP)] = now
    return np.int64(moved)


@kernel
def _join(stubs: Ids, i: Whole, u: Whole, j: Whole, v: Whole) -> None:
    """Make stub i at vertex u and stub j at vertex v the two ends of an arc."""
    stubs[i, _FAR] = v
    stubs[i, _TWIN] = j
    stubs[j, _FAR] = u
    stubs[j, _TWIN] = i


@kernel
def _reverse_cycle(
    state: Stubs,
    layout: Layout,
    dyads: Dyads,
    i: Whole,
    bits: np.uint64,
    ordered: bool,
    changed: Uint8Array,
    now: np.uint8,
) -> Whole:
    """Reverse a 3-cycle a->b->c->a of stub `i`, with b->c drawn; return 1 if there is one that may be reversed."""
    stubs, bins = state
    rows, group = layout.starts, layout.group
    a, b = stubs[i, _VERTEX], stubs[i, _FAR]
    row = rows[b]
    out = rows[b + 1] - row
    if out == 0:
        return 0
    j = row + np.int64(below(bits, np.uint64(out)))
    c = stubs[j, _FAR]
    if c == a or not closes(dyads, a, b, c, ordered):
        return 0
    k = rows[c]
    while stubs[k, _FAR] != a:
        k += 1
    ab, bc, ca = bins[i], bins[j], bins[k]
    # Lengths do not change. Two vertices have to be of one group; the two arcs of the third vertex, one from and one to
    # another group, exchange their directions, so that their lengths have to be in one bin.
    at_a, at_b, at_c = group[a], group[b], group[c]
    if not (
        (at_a == at_b and (bc == ca or at_b == at_c)) or (at_b == at_c and ab == ca) or (at_c == at_a and ab == bc)
    ):
        return 0
    reverse(dyads, a, b, c, ordered)
    head_b, head_c, head_a = np.int64(stubs[i, _TWIN]), np.int64(stubs[j, _TWIN]), np.int64(stubs[k, _TWIN])
    _join(stubs, i, a, head_c, c)
    _join(stubs, k, c, head_b, b)
    _join(stubs, j, b, head_a, a)
    bins[i] = bins[head_c] = ca
    bins[k] = bins[head_b] = bc
    bins[j] = bins[head_a] = ab
    for arc, vertex in ((i, a), (j, b), (k, c)):
        stubs[arc, _ARC_ID] |= MOVED
        changed[vertex & _STAMP] = now
    return 1
