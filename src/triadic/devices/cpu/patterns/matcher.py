"""Match a pattern of two to six vertices in a graph, one vertex after another, by a plan of integers.

Computes: the matches of a pattern, each subgraph once: their number, their number at each rank and vertex of the
  pattern, or the matches themselves.
Requires: whole rows by rank with a word for each entry; a plan, in which each vertex but the first is adjacent to an
  earlier one; flags of the ranks that meet the conditions of one vertex; codes for conditions that compare.
Idea: each rank has a word of flags: four bits for each vertex that is bound (adjacent in any state, and in each of the
  three states), one bit that says that the rank is bound itself, one bit for each vertex of the pattern whose
  conditions it meets. Present and absent arcs, distinct vertices and conditions of a vertex are then one masked
  comparison. A bound vertex writes its bits along its row if a later vertex that walks another row needs them. The
  last vertex is counted along a row and never bound. Of vertices that automorphisms exchange, a later one has a smaller
  rank than an earlier one, so that rows are walked up to a limit. Conditions on arcs and between columns are tested
  for the candidates that remain. The walk keeps its place in arrays and returns after some steps, so that Ctrl-C is
  handled within one root, too.
Cost: the rows of the partial matches; 4 bytes a vertex and thread for flags, 8 more for each vertex of the pattern by
  vertex; rows and words of 9 bytes an entry.

References
----------
Mawhirter and Wu (2019), SOSP, AutoMine; Shi et al. (2020), SC, GraphPi, for orders and for limits instead of
automorphisms; Grochow and Kellis (2007), RECOMB, for the conditions that break symmetry.
"""

from __future__ import annotations

from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import summed, zeros
from triadic.core.compiled import inline_kernel, kernel
from triadic.core.oriented import frozen, int_empty, int_zeros, starts_of
from triadic.devices.cpu.intrinsics import position
from triadic.devices.cpu.orbits.whole_rows import whole_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triadic.core.array_types import Ids, Int32Array, Int64Array, IntegerArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.intrinsics import Whole

# Bits of a word of an entry, from its row's vertex: adjacent, and each of the states 1 to 3. Conditions on arcs follow.
WORD_OF_STATE = frozen(np.array([0, 0b0011, 0b0101, 0b1001], np.uint8))
STATE_BITS = 4
BOUND = 1 << 20
FIRST_FLAG = 21

_STEPS = 1 << 19  # entries after which a walk returns, some milliseconds
_BLOCK = 1 << 14  # aimed entries of a block, and the rows of their ends
_BLOCKS_PER_THREAD = 64
_LISTED = 1 << 16  # matches that are listed at a time
_PASSES = 64  # walks of a pass for each thread
_DEPTH, _FIRST, _LAST, _FOUND, _WRITTEN = range(5)  # the depth is -1 once a walk has ended


class PatternRows(NamedTuple):
    """Whole rows by rank, see `WholeRows`, and a word for each entry."""

    ptr: Int64Array
    ends: Ids
    edges: Ids
    words: IntegerArray


class Steps(NamedTuple):
    """A plan: what the vertex at each depth asks for, int64 arrays of shape (k,) unless said.

    Attributes
    ----------
    anchor : depth of the earlier vertex whose row is walked.
    entry : bits of an entry's word that count, and their values: shape (k, 2).
    flags : bits of a rank's word that count, and their values: shape (k, 2).
    marks : whether the vertex writes its bits along its row.
    below : earlier depths than whose rank that of the vertex is smaller: shape (k, k), 0 or 1.
    arcs : bits of the word of the entry from each earlier depth that have to be 1: shape (k, k).
    tested : whether `arcs` or comparisons are tested.
    """

    anchor: Int64Array
    entry: Int64Array
    flags: Int64Array
    marks: Int64Array
    below: Int64Array
    arcs: Int64Array
    tested: Int64Array


class Comparisons(NamedTuple):
    """Comparisons between columns.

    Attributes
    ----------
    table : int64 array, shape (comparisons, 8)
        Depth at which it is tested; the sum of 1 if the left side may be less, 2 if equal and 4 if more; and for both
        sides where its codes begin, and the depths of its vertex and -1, or of the tail and the head of its arc.
    codes : int64 array
        Codes in the order of the values, -1 where a value is missing: of a column of vertices by rank; of a column of
        arcs by entry of the oriented rows, first those from the larger rank, then those to it.
    """

    table: Int64Array
    codes: Int64Array


class Place(NamedTuple):
    """Where a walk stands: bound ranks, next entry and end of each depth, numbers, and flags of the ranks."""

    bound: Int64Array
    next: Int64Array
    stop: Int64Array
    numbers: Int64Array
    flags: Int32Array


class Typed(NamedTuple):
    """Types of ranks; by depth, what a type is multiplied with; and matches by the sum."""

    types: Int64Array
    powers: Int64Array
    table: Int64Array


def rows_with_words(oriented: Oriented, *, threads: int) -> PatternRows:
    """Return the whole rows of an oriented graph with words of the states."""
    rows = whole_rows(oriented, threads=threads)
    if oriented.state is None:
        return PatternRows(rows.ptr, rows.ends, rows.edges, frozen(np.full(len(rows.edges), 0b1001, np.uint8)))
    words = np.empty(len(rows.edges), np.uint8)
    cuts = blocks.cut(rows.ptr)
    state = frozen(oriented.state)
    blocks.run_cuts(
        lambda _, bounds: write_words(rows.ptr, rows.ends, rows.edges, state, bounds, words), cuts, threads=threads
    )
    return PatternRows(rows.ptr, rows.ends, rows.edges, frozen(words))


@kernel
def write_words(
    ptr: Int64Array, ends: Ids, edges: Ids, state: IntegerArray, bounds: tuple[int, int], words: IntegerArray
) -> None:
    """Write the words of the rows `first` .. `last` - 1; states are those from the larger rank."""
    first, last = bounds
    for v in range(first, last):
        for p in range(ptr[v], ptr[v + 1]):
            s = np.int64(state[np.int64(edges[p])])
            if np.int64(ends[p]) > v:
                s = (s >> 1) | ((s & 1) << 1)
            words[p] = WORD_OF_STATE[s]


class Matcher:
    """The walks of a plan over the rows of a graph.

    Parameters
    ----------
    rows : PatternRows
    plan : tuple of Steps and Comparisons
    flags : int32 array, shape (n,)
        Of each rank, the vertices of the pattern whose conditions it meets, from bit `FIRST_FLAG` on.
    threads : int
    """

    def __init__(self, rows: PatternRows, plan: tuple[Steps, Comparisons], flags: Int32Array, threads: int) -> None:
        self._rows, self._plan, self._flags, self._threads = rows, plan, flags, threads
        self._size = len(plan[0].anchor)
        mask, wanted = plan[0].flags[0]
        degree = np.where(flags & mask == wanted, np.diff(rows.ptr), 0)
        entries = starts_of(degree * degree.clip(1, 1 << 20))
        aim = max(_BLOCK, int(entries[-1]) // (_BLOCKS_PER_THREAD * threads))
        self._blocks: list[tuple[int, int, int, int]] = []  # rows and entries; a row that is longer than a block is cut
        for first, last in pairwise(blocks.cut(entries, aim).tolist()):
            begin, end = int(rows.ptr[first]), int(rows.ptr[last])
            pieces = int(entries[last] - entries[first]) // (2 * aim) + 1 if last == first + 1 else 1
            inner = np.linspace(begin, end, min(pieces, max(1, end - begin)) + 1).astype(np.int64).tolist()
            self._blocks += [(first, last, low, high) for low, high in pairwise(inner)]

    def count(self, progress: Progress | None = None) -> int:
        """Return the number of matches."""
        places = self._walk(progress, [(None, None)] * self._threads)
        return sum(int(place.numbers[_FOUND]) for place in places)

    def at_ranks(self, progress: Progress | None = None) -> Int64Array:
        """Count the matches in which each rank is each vertex, by depth: int64, shape (n, k)."""
        at = zeros(self._threads, (len(self._flags), self._size), np.int64)
        self._walk(progress, [(each, None) for each in at])
        return summed(at, threads=self._threads)

    def by_types(self, types: Int64Array, powers: Int64Array, cells: int, progress: Progress | None) -> Int64Array:
        """Count the matches by cells, the sums of the types of ranks, at least 0, times powers by depth: int64."""
        tables = zeros(self._threads, cells, np.int64)
        self._walk(progress, [(None, Typed(types, powers, table)) for table in tables])
        return summed(tables, threads=self._threads)

    def lists(self, progress: Progress | None = None) -> Iterator[Int64Array]:
        """Yield the matches part by part: ranks by depth, int64, shape (matches, k), always in the same order."""
        (place,) = self._places(1)
        for number, block in enumerate(self._blocks):
            if progress is not None:
                progress(number, len(self._blocks))
            _begin(place, block)
            done = False
            while not done:
                place.numbers[_WRITTEN] = 0
                written = int_empty((_LISTED, self._size))
                done = walk(self._rows, *self._plan, place, None, None, written)
                if place.numbers[_WRITTEN]:
                    yield written[: place.numbers[_WRITTEN]]
        if progress is not None:
            progress(len(self._blocks), len(self._blocks))

    def _places(self, workers: int | None = None) -> list[Place]:
        return [
            Place(room[0], room[1], room[2], np.array([-1, 0, 0, 0, 0]), self._flags.copy())
            for room in int_zeros((workers or self._threads, 3, self._size))
        ]

    def _walk(self, progress: Progress | None, sums: Sequence[tuple[Int64Array | None, Typed | None]]) -> list[Place]:
        """Walk all blocks: each task of a pass goes on with a walk that has stopped, or begins one, for some steps."""
        places = self._places()
        waiting, idle, stopped = self._blocks[::-1], list(range(len(places))), list[int]()
        total, lock = max(1, len(self._blocks)), Lock()

        def task(*_: int) -> None:
            with lock:
                if not (stopped or waiting):
                    return
                number = (stopped or idle).pop()
                if places[number].numbers[_DEPTH] < 0:
                    _begin(places[number], waiting.pop())
            done = walk(self._rows, *self._plan, places[number], *sums[number], None)
            (idle if done else stopped).append(number)

        def report(*_: int) -> None:
            if progress is not None:
                progress(total - len(waiting) - len(stopped), total)

        with blocks.one_team():
            while waiting or stopped:
                passes = min(len(waiting) + len(stopped), _PASSES * len(places))
                blocks.run(task, passes, threads=len(places), progress=None if progress is None else report)
        return places


def _begin(place: Place, block: tuple[int, int, int, int]) -> None:
    first, last, place.numbers[_FIRST], place.numbers[_LAST] = block
    place.next[0], place.stop[0], place.numbers[_DEPTH] = first, last, 0


@kernel
def walk(  # noqa: PLR0915 - all loops of a kernel are in one function
    rows: PatternRows,
    steps: Steps,
    comparisons: Comparisons,
    place: Place,
    at: Int64Array | None,
    typed: Typed | None,
    listed: Int64Array | None,
) -> bool:
    """Go on with a walk for some steps; return whether it has ended."""
    ptr, ends, _, words = rows
    anchor, entry, wanted, marks, below, _, tested = steps
    bound, next_entry, stop, numbers, flags = place
    last = anchor.size - 1
    depth = numbers[_DEPTH]
    left = np.int64(_STEPS)
    while left > 0:
        left -= 1
        if depth == 0:
            x = next_entry[0]
            if x >= stop[0]:
                numbers[_DEPTH] = -1
                return True
            next_entry[0] = x + 1
            begin, end = max(ptr[x], numbers[_FIRST]), min(ptr[x + 1], numbers[_LAST])
            if begin >= end or (np.int64(flags[x]) & wanted[0, 0]) != wanted[0, 1]:
                continue
        elif depth < last:
            p = next_entry[depth]
            if p >= stop[depth]:
                depth -= 1
                release(ptr, ends, bound[depth], depth, marks, flags)
                continue
            next_entry[depth] = p + 1
            x = np.int64(ends[p])
            if (np.int64(words[p]) & entry[depth, 0]) != entry[depth, 1]:
                continue
            if (np.int64(flags[x]) & wanted[depth, 0]) != wanted[depth, 1]:
                continue
            bound[depth] = x
            if tested[depth] != 0 and not passes(rows, steps, comparisons, bound, depth):
                continue
            begin, end = np.int64(0), np.int64(0)
        else:
            found = np.int64(0)
            p, end = next_entry[last], stop[last]
            left -= end - p
            entry_mask, entry_wanted = entry[last, 0], entry[last, 1]
            mask, value = wanted[last, 0], wanted[last, 1]
            cell = np.int64(0)
            if typed is not None:
                for d in range(last):
                    cell += typed.types[bound[d]] * typed.powers[d]
            while p < end:
                x = np.int64(ends[p])
                if (np.int64(words[p]) & entry_mask) == entry_wanted and (np.int64(flags[x]) & mask) == value:
                    bound[last] = x
                    if tested[last] == 0 or passes(rows, steps, comparisons, bound, last):
                        if listed is not None:
                            if numbers[_WRITTEN] == listed.shape[0]:
                                break
                            listed[numbers[_WRITTEN]] = bound
                            numbers[_WRITTEN] += 1
                        if at is not None:
                            at[x, last] += 1
                        if typed is not None:
                            typed.table[cell + typed.types[x] * typed.powers[last]] += 1
                        found += 1
                p += 1
            numbers[_FOUND] += found
            if at is not None and found > 0:
                for d in range(last):
                    at[bound[d], d] += found
            if p < end:  # no room for another match
                next_entry[last] = p
                numbers[_DEPTH] = depth
                return False
            depth -= 1
            release(ptr, ends, bound[depth], depth, marks, flags)
            continue
        bound[depth] = x
        flags[x] |= BOUND
        if marks[depth] != 0:
            left -= ptr[x + 1] - ptr[x]
            for q in range(ptr[x], ptr[x + 1]):
                flags[np.int64(ends[q])] |= (np.int64(words[q]) & 15) << (STATE_BITS * depth)
        depth += 1
        row = bound[anchor[depth]]
        if depth > 1:
            begin, end = ptr[row], ptr[row + 1]
        for d in range(depth):
            if below[depth, d] != 0:
                end = position(ends, begin, end, np.int64(bound[d]))
        next_entry[depth], stop[depth] = begin, end
    numbers[_DEPTH] = depth
    return False


@kernel
def release(ptr: Int64Array, ends: Ids, x: Whole, depth: Whole, marks: Int64Array, flags: Int32Array) -> None:
    """Take away the bits of a bound rank."""
    flags[x] &= ~BOUND
    if marks[depth] != 0:
        kept = ~(15 << (STATE_BITS * depth))
        for q in range(ptr[x], ptr[x + 1]):
            flags[np.int64(ends[q])] &= kept


@kernel
def passes(rows: PatternRows, steps: Steps, comparisons: Comparisons, bound: Int64Array, depth: Whole) -> bool:
    """Return whether a candidate meets the conditions on arcs, and the comparisons that end at its depth."""
    table, codes = comparisons
    for d in range(depth):
        needed = steps.arcs[depth, d]
        if needed != 0:
            at = place_of(rows, bound[d], bound[depth])
            if (np.int64(rows.words[at]) & needed) != needed:
                return False
    for c in range(table.shape[0]):
        if table[c, 0] != depth:
            continue
        left = code_of(rows, codes, table[c, 2], table[c, 3], table[c, 4], bound)
        right = code_of(rows, codes, table[c, 5], table[c, 6], table[c, 7], bound)
        order = 1 if left < right else 2 if left == right else 4
        if left < 0 or right < 0 or table[c, 1] & order == 0:
            return False
    return True


@inline_kernel
def place_of(rows: PatternRows, v: Whole, x: Whole) -> Whole:
    """Return the entry of x in the row of v."""
    return position(rows.ends, np.int64(rows.ptr[v]), np.int64(rows.ptr[v + 1]), x)


@kernel
def code_of(rows: PatternRows, codes: Int64Array, start: Whole, one: Whole, other: Whole, bound: Int64Array) -> Whole:
    """Return the code of a bound vertex, or of the arc from one to the other."""
    tail = np.int64(bound[one])
    if other < 0:
        return np.int64(codes[start + tail])
    head = np.int64(bound[other])
    edge = np.int64(rows.edges[np.int64(place_of(rows, tail, head))])
    if tail < head:
        edge += rows.edges.size >> 1
    return np.int64(codes[start + edge])
