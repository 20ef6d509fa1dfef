"""Choose an item with a probability in proportion to its weight, and a neighbour by its number.

Computes: for a number below the sum of all weights, the group of 64 items whose weights contain it; kernels scan the
  group for the item. The items are rows of an oriented graph, or entries of its rows.
Requires: weights that are whole numbers of at least 0, with a sum below 2**62.
Idea: sums are kept for groups of 64 items, so that the table of a graph of 64 million vertices has a million numbers.
  A guide holds the group of each of as many equally spaced numbers; the search starts there, and takes about one step.
Cost: one pass over the weights, and 1/4 byte per item. A choice reads one place of the guide, about two of the sums,
  and 64 neighbouring weights.

All neighbours of a rank by number: the oriented row, followed by the list of the middle vertex.

Computes: the neighbour at a place of a whole row, without the whole rows in memory; whether two ranks are joined.
Requires: an oriented graph.
Idea: oriented rows hold the neighbours of higher degree, lists by middle vertex the others, and both rise. So the two
  together are whole rows, for half the memory. The degrees tell where each list begins, so that one pass over the rows
  fills the lists in order; each thread fills those of a range of vertices, and passes over the other entries.
Cost: the lists, 4 bytes an edge and 16 a vertex; a place is one read, and a test a binary search of an oriented row.
  Filling takes a quarter of the time of a sort (`middle_lists`) on one thread, and up to eight threads speed it up.

References
----------
Chen and Asau (1974), "On generating random variates from an empirical distribution", AIIE Transactions 6, 163, for the
guide; Walker's alias tables need a number and a place for each item instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import inline_kernel, kernel
from triadic.core.draws import GOLDEN, below, mix
from triadic.core.memory import check_memory
from triadic.core.oriented import frozen, int_empty, int_zeros, starts_of
from triadic.errors import CountOverflowError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int64Array, IntegerArray, Uint64Array, UnsignedArray
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.intrinsics import Whole

    Ids = UnsignedArray

_TWO = np.uint64(2)
GROUP_SHIFT = 6
GROUP = 1 << GROUP_SHIFT
_LARGEST = 1 << 62
_BLOCK = 1 << 13  # draws of a task
_PIECE = 1 << 8  # groups whose weights one task adds up
_LEAST_FILLED = 1 << 14  # entries of a thread
_MOST_FILLERS = 8  # threads; each reads all entries, which is a fifth of the work of one
_PLACE_BYTES = 4  # of an edge, for the places of centred paths


class ChoiceTable(NamedTuple):
    """Sums of weights by group.

    Attributes
    ----------
    before : uint64 array, shape (groups + 1,)
        Sum of the weights of all groups before each group, and of all groups.
    guide : int64 array, shape (groups + 1,)
        The group that contains the number ``i * step``, for each i.
    step : uint64
        Distance of two numbers of the guide.
    total : uint64
        Sum of all weights.
    """

    before: Uint64Array
    guide: Int64Array
    step: np.uint64
    total: np.uint64


class Draws(NamedTuple):
    """The draws `first` to `last` - 1 under a key."""

    key: np.uint64
    first: int
    last: int


def cut_draws(first: int, stop: int) -> Int64Array:
    """Cut the draws `first` to `stop` - 1 into blocks."""
    return blocks.cut_pieces(stop - first, _BLOCK) + first


def drawn(
    draw: Callable[[Draws, Int64Array, Int64Array], object], size: int, key: int, numbers: Int64Array, *, threads: int
) -> tuple[Int64Array, Int64Array]:
    """Draw all numbers from the first to the last of some rising ones; return the results of these.

    Parameters
    ----------
    draw : callable
        ``draw(draws, ranks, classes)`` writes the vertices and the class of each draw.
    size : int
        Number of vertices of a draw.
    key : int
        Key of the draws.
    numbers : int64 array
        Numbers of the draws that are returned.
    threads : int

    Returns
    -------
    ranks : int64 array, shape (numbers, size)
    classes : int64 array, shape (numbers,)
    """
    first, stop = int(numbers[0]), int(numbers[-1]) + 1
    ranks, classes = int_empty((stop - first, size)), int_empty(stop - first)

    def task(_: int, bounds: tuple[int, int]) -> None:
        at = bounds[0] - first
        draw(Draws(np.uint64(key), *bounds), ranks[at:], classes[at:])

    blocks.run_cuts(task, cut_draws(first, stop), threads=threads)
    return ranks[numbers - first], classes[numbers - first]


def choice_table(items: int, add_up: Callable[[int, int, Int64Array], None], *, threads: int, what: str) -> ChoiceTable:
    """Return the table of some items.

    Parameters
    ----------
    items : int
    add_up : callable
        ``add_up(first, last, sums)`` writes the sums of the weights of the groups `first` to `last` - 1.
    threads : int
    what : str
        What the weights count, for the message if their sum exceeds 2**62.

    Raises
    ------
    CountOverflowError
        If the sum of all weights exceeds 2**62.
    """
    groups = -(-items // GROUP)
    sums = int_zeros(groups)
    cuts = blocks.cut_pieces(groups, _PIECE)
    blocks.run_cuts(lambda _, bounds: add_up(*bounds, sums), cuts, threads=threads)
    before = sums_before(sums, what)
    step = np.uint64(max(1, -(-int(before[-1]) // max(1, groups))))
    guide = int_zeros(groups + 1)
    fill_guide(before, step, guide)
    return ChoiceTable(before, frozen(guide), step, before[-1])


def sums_before(weights: Int64Array, what: str) -> Uint64Array:
    """Return the sum of the weights before each item, and of all: uint64, shape (items + 1,)."""
    if float(weights.sum(dtype=np.float64)) >= _LARGEST or int(weights.min(initial=0)) < 0:
        raise CountOverflowError(f"graph: the number of {what} exceeds 2**62, more than can be sampled from")
    before = np.zeros(len(weights) + 1, np.uint64)
    np.cumsum(weights.view(np.uint64), out=before[1:])
    return frozen(before)


@kernel
def fill_guide(before: Uint64Array, step: np.uint64, guide: Int64Array) -> None:
    """Write for each number ``i * step`` the last group that begins at this number or before it."""
    group = 0
    last = len(before) - 2
    for i in range(len(guide)):
        number = np.uint64(i) * step
        while group < last and before[group + 1] <= number:
            group += 1
        guide[i] = group


@kernel
def group_of(table: ChoiceTable, number: np.uint64) -> int:
    """Return the group whose weights contain a number below the sum of all weights."""
    before = table.before
    group: int = table.guide[np.int64(number // table.step)]
    while before[group + 1] <= number:
        group += 1
    return group


@inline_kernel
def two_places(seed: np.uint64, bound: Whole) -> tuple[Whole, Whole]:
    """Return two different places from 0 to bound - 1, the larger first, from draws 1 and 2 of a seed."""
    i = place_below(mix(seed + GOLDEN), bound)
    j = place_below(mix(seed + _TWO * GOLDEN), bound - 1)
    if j >= i:
        j += 1
    return max(i, j), min(i, j)


@kernel
def place_below(bits: np.uint64, bound: Whole) -> Whole:
    """Return a place from 0 to bound - 1 from 64 random bits."""
    return np.int64(below(bits, np.uint64(bound)))


class Neighbours(NamedTuple):
    """Rows of neighbours in two parts.

    Attributes
    ----------
    indptr, indices : int64 and uint32 or uint64 arrays, shape (n + 1,) and (m,)
        Neighbours of smaller rank.
    list_ptr, list_ends : int64 and uint32 or uint64 arrays, shape (n + 1,) and (m,)
        Neighbours of larger rank.
    """

    indptr: Int64Array
    indices: Ids
    list_ptr: Int64Array
    list_ends: Ids


def neighbours(oriented: Oriented, *, threads: int) -> Neighbours:
    """Return the rows of neighbours of an oriented graph."""
    indptr, indices = oriented.unsigned_rows
    n, m = oriented.num_vertices, oriented.num_edges
    check_memory(
        (indices.itemsize + _PLACE_BYTES) * m + 24 * n,
        f"listing the neighbours of a graph of {n:,} vertices and {m:,} edges",
        "use more memory; estimates of triangles and triads need no such lists",
    )

    ptr = starts_of(oriented.degree - np.diff(indptr))
    place, ends = ptr[:-1].copy(), np.empty(m, indices.dtype)
    cuts = blocks.cut(ptr, _LEAST_FILLED, most=min(threads, _MOST_FILLERS))
    blocks.run_cuts(lambda _, bounds: fill_lists(indptr, indices, *bounds, place, ends), cuts, threads=threads)
    return Neighbours(indptr, indices, frozen(ptr), frozen(ends))


@kernel
def fill_lists(indptr: Int64Array, indices: Ids, first: int, last: int, place: Int64Array, ends: Ids) -> None:
    """Write the larger neighbours of the ranks `first` to `last` - 1; `place` holds where each list begins."""
    for u in range(first + 1, len(indptr) - 1):
        for p in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[p])
            if v >= last:
                break
            if v >= first:
                ends[place[v]] = u
                place[v] += 1


@kernel
def neighbour(rows: Neighbours, v: Whole, place: Whole) -> Whole:
    """Return the neighbour of `v` at a place from 0 to the degree of `v` - 1; they rise by rank."""
    indptr, indices, list_ptr, list_ends = rows
    higher = indptr[v + 1] - indptr[v]
    if place < higher:
        return np.int64(indices[indptr[v] + place])
    return np.int64(list_ends[list_ptr[v] + place - higher])


@kernel
def entry_of(indptr: Int64Array, indices: IntegerArray, x: np.integer[Any], y: np.integer[Any]) -> Whole:
    """Return the place of the edge of two ranks in `indices`, or -1 if they are not joined."""
    tail, head = max(x, y), min(x, y)
    first, last = np.int64(indptr[tail]), np.int64(indptr[tail + 1])
    while last - first > 4:
        middle = (first + last) >> 1
        if np.int64(indices[middle]) <= head:
            first = middle
        else:
            last = middle
    for at in range(first, last):
        if np.int64(indices[at]) == head:
            return at
    return np.int64(-1)
