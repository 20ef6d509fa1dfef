"""Counts of triangles over pairs of blocks of rows, for graphs that a device does not hold as a whole.

Requires: rows from a `RowSource`.
Idea: of a triangle {u, v, w} of ranks u > v > w the row of u holds v and w, and the row of v holds w. So the rows of a
  block with u and of a block with v are all that its count needs, whichever w it has: each pair of blocks is one part,
  whose lists by middle vertex are made once. Blocks are as large as the device allows, one for the whole graph if it
  fits; lists that take too much memory are made for some rows u at a time. Sums over all parts stay on the device.
Cost: that of the graph as a whole, and up to (G + 1) / 2 copies of it to the device, for G groups of blocks with u.
"""

from __future__ import annotations

from itertools import chain, pairwise
from itertools import count as count_from
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.memory import show_bytes
from triadic.core.records import record
from triadic.devices.gpu.list_tasks import (
    ListTasks,
    bytes_of_low_columns,
    choose_hubs,
    choose_marks,
    cut_into_tasks,
    low_columns,
    rows_by_hubs,
)
from triadic.devices.gpu.row_blocks import SOURCE, Block, Blocks, RowSource, most_entries
from triadic.devices.gpu.rows import ROWS, Rows
from triadic.devices.gpu.tasks import downloaded
from triadic.devices.runtimes.runtime import FOR_SORTING, MAX_VERTICES, Buffer, Runtime
from triadic.errors import OutOfMemoryError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.devices.gpu.list_tasks import ListCounter

_LIST_BYTES = 17  # of an entry of a list while lists are made: its key, a second buffer of keys, and its state
_LOW_BYTES = 2  # of an entry of one block among its columns of low rank
_HELD_BYTES = 8  # of a row of each block on the device
_ROW_BYTES = 54  # of a row of a part: where it, its hubs, its lists and its tasks begin, and its task
_WHOLE = 0.85  # of the room for blocks and lists: a graph that takes no more is one block
_BLOCKS = 0.88  # of that room for the blocks of a graph that takes more
# Blocks on the device: one with v, the others with u. If there are few blocks, one of them is copied while others are
# counted; with many, the host's work for parts and copies takes turns anyway, and a larger group is faster.
_SLOTS, _LEAST_WITH_NEXT, _FEW_BLOCKS = (2, 3, 4, 6), 4, 16
_TURNS, _TURNS_FROM = 8, 1 << 25  # blocks of a graph that fits the device, and its entries from which it has some
# Bytes a second to the device; of a part, beside its count; of an entry's share of the count (H200).
_COPY_SPEED, _PART_SECONDS, _ENTRY_SECONDS = 2e10, 7e-4, 5e-10
_SLACK = 0.04  # of the device's memory, which the allocator's pieces leave unused
_LEAST = 1 << 22  # bytes for blocks and lists
_STAGED = 1 << 24  # entries of tiles, and rows of tiles, that are put together at a time
_BLOCKS_OF_A_DEVICE = 4  # at least, if several devices share them


@record(kw_only=True)
class PartwiseCount:
    """A count on devices that adds up over parts of a graph.

    Attributes
    ----------
    counter : callable
        ``counter(graph, state, counts, bits)`` returns the counter of a part, which adds to `counts`; `state` has the
        states of the entries if the count reads them, and `bits` is the bit matrix of the hubs, if a part before had
        one.
    size : callable
        ``size(n)`` returns the number of counts, int64, of n ranks.
    result : callable
        Return the result for the counts of all parts.
    planes : int
        Number of bits for each pair of hubs.
    most_hubs : callable
        ``most_hubs(m)`` returns the number of hubs of a graph of m edges, if no ranks are marked.
    marks : bool
        Whether the count tests columns of low rank apart from the others; `choose_marks` then chooses the hubs too.
    states : bool
        Whether the count reads states of entries.
    """

    counter: Callable[[ListTasks, Buffer, Buffer, Buffer | None], ListCounter]
    size: Callable[[int], int]
    result: Callable[[Int64Array], Int64Array] = lambda counts: counts
    planes: int = 1
    most_hubs: Callable[[int], int] = choose_hubs
    marks: bool = False
    states: bool = False


class Plan(NamedTuple):
    """How a graph is cut for a device.

    Attributes
    ----------
    cuts : int64 array, shape (blocks + 1,)
        First rank of each block, and the number of ranks.
    slots : int
        Number of blocks that the device holds at a time.
    listed : int
        Largest number of entries in the lists of a part.
    staged : int
        Number of entries of tiles that are copied at a time.
    hubs : int
        Number of hubs.
    marked : int
        Number of marked ranks; 0 if no columns are tested apart.
    """

    cuts: Int64Array
    slots: int
    listed: int
    staged: int
    hubs: int
    marked: int


def count_over_blocks(
    runtimes: list[Runtime],
    source: RowSource,
    count: PartwiseCount,
    *,
    first: int = 0,
    progress: Progress | None = None,
    room: int | None = None,
) -> Int64Array:
    """Return a count over all pairs of blocks of a graph.

    Parameters
    ----------
    runtimes : list of Runtime
        The devices, which share the work.
    source : RowSource
        The rows of the graph.
    count : PartwiseCount
        The count.
    first : int, default 0
        Only triangles {u, v, w} of ranks u > v > w with u >= `first` are counted.
    progress : callable, optional
        Called with the number of pairs counted and of all pairs.
    room : int, optional
        Bytes that each device may use; by default all that is free.

    Raises
    ------
    OutOfMemoryError
        If a device has less memory than two blocks of the least size take beside the sums.
    UnsupportedError
        If there are more vertices than kernels can number.
    """
    if source.vertices > MAX_VERTICES:
        raise UnsupportedError(f"{runtimes[0].name}: graphs of more than 2**31 - 1 vertices are counted on the CPU")
    room = min(runtime.memory()[0] for runtime in runtimes) if room is None else room
    largest = min(runtime.largest_buffer() for runtime in runtimes)
    least = 1 if len(runtimes) == 1 else _BLOCKS_OF_A_DEVICE * len(runtimes)
    share = 1.0
    while True:
        plan = plan_blocks(runtimes[0], source, count, room=int(share * room), largest=largest, least=least)
        try:
            return _count(runtimes, source, count, plan, first, progress)
        except OutOfMemoryError:  # the memory was in more pieces than planned
            share *= 0.7


def plan_blocks(
    runtime: Runtime, source: RowSource, count: PartwiseCount, *, room: int, largest: int, least: int = 1
) -> Plan:
    """Cut a graph into blocks for a device with `room` bytes, of which one buffer may have `largest`.

    Parameters
    ----------
    least : int, default 1
        Number of groups of blocks that hold u, at least if the graph has enough rows.

    Raises
    ------
    OutOfMemoryError
        If the sums alone leave no room for blocks.
    """
    n, m = source.vertices, source.edges
    hubs, marked = choose_marks(n, m) if count.marks else (count.most_hubs(m), 0)
    hubs = min(hubs, n)
    entry = 5 if count.states else 4
    staged = max(1, min(_STAGED, room // (64 * entry))) if source.most_pieces > 1 else 0
    making = (4 + entry) * staged + FOR_SORTING
    matrix, fixed = count.planes * hubs * hubs // 8, 8 * count.size(n) + making + int(_SLACK * room)
    if room - fixed - matrix < _LEAST:  # without the matrix of hubs, all triangles are counted by lists
        hubs = matrix = 0
    left = room - fixed - matrix
    if left < _LEAST:
        raise OutOfMemoryError(
            f"{runtime.name} ({runtime.label}): counting in blocks takes at least {show_bytes(fixed + _LEAST)} there "
            f"and {show_bytes(room)} are free"
        )
    whole = entry * m + (_HELD_BYTES + _ROW_BYTES) * n + (sum(bytes_of_low_columns(n, m)) if marked else 0)
    if least == 1 and whole <= _WHOLE * left and 4 * m <= largest:
        if m >= _TURNS_FROM:  # each block is copied while those before it are counted
            cuts = _cut(source, -(-m // _TURNS), n)
            slots = len(cuts) - 1
            blocks_held = slots * most_entries(source, cuts)
            in_turns = whole + entry * (blocks_held - m)
            if in_turns <= _WHOLE * left and 4 * blocks_held <= largest and cuts[1] >= hubs:
                return Plan(cuts, slots, (left - in_turns) // _LIST_BYTES, staged, hubs, marked)
        return Plan(np.array([0, n]), 1, (left - whole) // _LIST_BYTES, staged, hubs, marked)
    _, slots, entries, rows = min(
        _with_slots(slots, m, n, entry, int(_BLOCKS * left), marked=marked > 0) for slots in _SLOTS
    )
    entries = min(entries, largest // (4 * slots), -(-m // (least * max(1, slots - 1))))
    cuts = _cut(source, max(1, entries), max(1, rows))
    slots = min(slots, len(cuts) - 1)
    listed = max(1, int((1 - _BLOCKS) * left) // _LIST_BYTES)
    if hubs > cuts[1]:  # few different numbers, since kernels are compiled for each
        hubs = max(0, (1 << int(cuts[1]).bit_length() - 1) - 64)
    return Plan(cuts, slots, listed, staged, hubs, marked)


def _group_size(slots: int, number: float) -> int:
    """Return how many of `number` blocks are on the device together with u, beside one with v and perhaps the next."""
    return slots - 2 if _copies_next(slots, number) else max(1, slots - 1)


def _copies_next(slots: int, number: float) -> bool:
    return slots >= _LEAST_WITH_NEXT and number <= _FEW_BLOCKS


def _with_slots(slots: int, m: int, n: int, entry: int, room: int, *, marked: bool) -> tuple[float, int, int, int]:
    """Return estimated seconds, `slots`, and the most entries and rows of a block.

    The seconds are those of copies and of parts: their sum, or the larger if copies run meanwhile.
    """
    of_entry, of_row = slots * entry, slots * _HELD_BYTES + 2 * _ROW_BYTES
    if marked:  # a part has the columns of low rank of one block, and where they end in two
        of_entry += _LOW_BYTES
        of_row += 2 * sum(bytes_of_low_columns(1, 1))
    # The fewest blocks, if some blocks are cut at the most entries and the others at the most rows.
    for_entries, for_rows = (of_entry * m) ** 0.5, (of_row * n) ** 0.5
    share = for_entries / max(1.0, for_entries + for_rows)
    entries, rows = int(share * room) // of_entry, int((1 - share) * room) // of_row
    number = m / max(1, entries) + n / max(1, rows)
    copies = (1 + number / _group_size(slots, number) / 2) * entry * m / _COPY_SPEED
    parts = number * number / 2 * _PART_SECONDS + m * _ENTRY_SECONDS
    return max(copies, parts) if _copies_next(slots, number) else copies + parts, slots, entries, rows


def _cut(source: RowSource, entries: int, rows: int) -> Int64Array:
    """Cut ranks into blocks with limits on their entries and rows; a block may be one longer row."""
    cuts, marks = [0], list(source.marks)
    while cuts[-1] < source.vertices:
        first, before = cuts[-1], source.entries_before(cuts[-1])
        low, high = first + 1, min(source.vertices, first + rows)
        for mark in marks:  # no rows are read between marks that are not needed
            if low < mark < high:
                fits = source.entries_before(mark) - before <= entries
                low, high = (mark, high) if fits else (low, mark - 1)
        while low < high:  # the last rank whose block keeps to the limit of entries
            middle = (low + high + 1) // 2
            fits = source.entries_before(middle) - before <= entries
            low, high = (middle, high) if fits else (low, middle - 1)
        cuts.append(low)
    return np.array(cuts if len(cuts) > 1 else [0, 0], np.int64)


def _count(
    runtimes: list[Runtime], source: RowSource, count: PartwiseCount, plan: Plan, first: int, progress: Progress | None
) -> Int64Array:
    counters = [_PairCounter(runtime, source, count, plan, first) for runtime in runtimes]
    number_of_blocks = len(plan.cuts) - 1
    numbers = [b for b in reversed(range(number_of_blocks)) if plan.cuts[b + 1] > first]  # the last have most pairs
    all_held = len(runtimes) == 1 and plan.slots == number_of_blocks
    together = max(1, len(numbers)) if all_held else _group_size(plan.slots, number_of_blocks)
    groups = [numbers[start : start + together] for start in range(0, len(numbers), together)]
    pairs, done = sum(number + 1 for number in numbers), count_from(1)

    def report() -> None:
        counted = next(done)  # a single step, which no other thread interrupts
        if progress is not None:
            progress(counted, pairs)

    try:
        blocks.run(
            lambda worker, group: counters[worker].count_blocks(groups[group], report), len(groups),
            threads=len(runtimes),
        )  # fmt: skip
    finally:
        for counter in counters:
            counter.blocks.close()
    return count.result(downloaded(counters))


class _PairCounter:
    """One device's share of a count over pairs of blocks."""

    def __init__(self, runtime: Runtime, source: RowSource, count: PartwiseCount, plan: Plan, first: int) -> None:
        self.runtime, self._plan, self._first, self._counter_of = runtime, plan, first, count.counter
        self.counts = runtime.zeros(count.size(source.vertices), np.int64)
        self._bits: Buffer | None = None
        self.blocks = Blocks(runtime, source, plan.cuts, slots=plan.slots, states=count.states, staged=plan.staged)
        self._forward = True

    def count_blocks(self, group: list[int], report: Callable[[], None]) -> None:
        """Count the triangles with u in some blocks: a part for each of them and each block of v."""
        pairs = self._pairs(group)
        for at, (other, number) in enumerate(pairs):
            needed = {*group, other}
            near = self.blocks.get(other, beside=needed)
            far = self.blocks.get(number, beside=needed)
            # The next block that is not there is copied while this part is counted, if there is a place for it.
            for following in chain.from_iterable(pairs[at + 1 :]):
                if following not in self.blocks:
                    self.blocks.fetch(following, beside=needed)
                    break
                needed.add(following)
            self._count_part(near, far)
            report()

    def _pairs(self, group: list[int]) -> list[tuple[int, int]]:
        """Return the parts of a group, the numbers of their blocks with v and with u, in the order of counting."""
        if self._plan.slots >= len(self.blocks):  # a block is counted with all before it when it comes
            return [(other, number) for number in sorted(group) for other in range(number + 1)]
        others = range(max(group) + 1)
        # In turns, so that blocks that are on the device after one group are counted first with the next.
        self._forward = not self._forward
        return [
            (other, number)
            for other in (others if self._forward else reversed(others))
            for number in group
            if number >= other
        ]

    def _count_part(self, near: Block, far: Block) -> None:
        """Count the triangles with v in the block `near` and u in the block `far`."""
        runtime, plan = self.runtime, self._plan
        if near is far:
            indptr, before_far = far.indptr, 0
        else:
            # One more row lies between the blocks, from the end of `near` to the start of `far`; no list holds it.
            indptr = runtime.computed(lambda xp, *both: xp.concatenate(both), near.indptr, far.indptr)
            before_far = near.rows + 1
        rows = Rows(indptr, self.blocks.indices)
        n, first = rows.n, before_far + max(0, self._first - far.first)
        hubs = plan.hubs if near.first == 0 else 0
        split, begins = runtime.empty(n if hubs else 0, np.int64), runtime.empty(n, np.int64)
        places = runtime.empty(n + 1, np.int64)
        limits = np.uint32(hubs), np.uint32(near.first), np.uint32(near.last)
        runtime.launch_each(SOURCE, "part_walks", n, *rows, first, n, *limits, split, begins, places)
        by_hubs = (runtime.empty(0),) * 2
        with runtime.active():
            if hubs:
                by_hubs = rows_by_hubs(runtime, runtime.view(split) - runtime.view(indptr)[:-1])
            before = runtime.xp.cumsum(runtime.view(places))
            cuts = self._cut_rows(before, first, n)
            places = runtime.upload(before)
        marks = None
        if plan.marked and any(entries for _, _, entries in cuts):
            marks = low_columns(runtime, plan.marked, rows, first=first)
        for low, high, entries in cuts:
            lists = self._lists(n, begins, places, low, high, entries, near.first)
            tasks = cut_into_tasks(runtime, n, indptr, lists[0])
            bases = near.first, far.first - before_far
            graph = ListTasks(runtime, n, rows.m, hubs, *rows, split, *by_hubs, *lists, *tasks, *bases, marks)
            counter = self._counter_of(graph, self.blocks.state, self.counts, self._bits)
            counter.take(0, 1)
            self.runtime.synchronize()
            self._bits = counter.bits
            hubs = 0

    def _cut_rows(self, before: Buffer, first: int, rows: int) -> list[tuple[int, int, int]]:
        """Cut the rows of u so that their lists fit, from the entries before each row; return also the entries."""
        entries = int(before[-1])
        if entries <= self._plan.listed:
            return [(first, rows, entries)]
        xp, cuts = self.runtime.xp, [first]
        while cuts[-1] < rows:
            mark = int(before[cuts[-1]]) + self._plan.listed
            cuts.append(max(cuts[-1] + 1, int(xp.searchsorted(before, xp.asarray([mark]), side="right")[0]) - 1))
        numbers = np.diff([int(before[cut]) for cut in cuts]).tolist()
        return [(*ends, number) for ends, number in zip(pairwise(cuts), numbers, strict=True)]

    def _lists(
        self, rows: int, begins: Buffer, places: Buffer, low: int, high: int, entries: int, v_base: int
    ) -> tuple[Buffer, Buffer]:
        """Return the lists of the middle vertices in the rows u from `low` to `high`."""
        runtime = self.runtime
        keys = runtime.empty(entries, np.uint64)
        columns, rows_of_u = self.blocks.indices, high - low
        runtime.launch_teams(
            SOURCE, "part_keys", rows_of_u, columns, begins, places, low, rows_of_u, np.uint32(v_base), keys
        )
        keys = runtime.sort(keys)
        list_ptr = runtime.empty(rows + 1, np.int64)
        runtime.launch_each(ROWS, "row_starts", rows + 1, keys, entries, rows, list_ptr)
        return list_ptr, runtime.computed(lambda _, keys: keys.astype(np.uint32), keys)
