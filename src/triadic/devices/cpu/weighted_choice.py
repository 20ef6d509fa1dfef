"""Choose an item with a probability in proportion to its weight: a table that stays in cache, and a short scan.

Computes: for a number below the sum of all weights, the group of 64 items whose weights contain it; kernels scan the
  group for the item. The items are rows of an oriented graph, or entries of its rows.
Requires: weights that are whole numbers of at least 0, with a sum below 2**62.
Idea: sums are kept for groups of 64 items, so that the table of a graph of 64 million vertices has a million numbers.
  A guide holds the group of each of as many equally spaced numbers; the search starts there, and takes about one step.
Cost: one pass over the weights, and 1/4 byte per item. A choice reads one place of the guide, about two of the sums,
  and 64 neighbouring weights.

References
----------
Chen and Asau (1974), "On generating random variates from an empirical distribution", AIIE Transactions 6, 163, for the
guide; Walker's alias tables need a number and a place for each item instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.draws import below
from triadic.core.oriented import frozen
from triadic.errors import CountOverflowError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Whole = int | np.integer[Any]  # the same to numba

GROUP_SHIFT = 6
GROUP = 1 << GROUP_SHIFT
_LARGEST = 1 << 62
_PIECE = 1 << 8  # groups whose weights one task adds up


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceTable:
    """Sums of weights by group.

    Attributes
    ----------
    before : uint64 array, shape (groups + 1,)
        Sum of the weights of all groups before each group, and of all groups.
    guide : int64 array, shape (groups + 1,)
        The group that contains the number ``i * step``, for each i.
    step : int
        Distance of two numbers of the guide.
    total : int
        Sum of all weights.
    """

    before: NDArray[np.uint64]
    guide: NDArray[np.int64]
    step: int
    total: int

    @property
    def arrays(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], np.uint64]:
        """The parameters of kernels that choose: sums, guide and step."""
        return self.before, self.guide, np.uint64(self.step)


def choice_table(
    items: int, add_up: Callable[[int, int, NDArray[np.int64]], None], *, threads: int, what: str
) -> ChoiceTable:
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
    sums = np.zeros(groups, dtype=np.int64)
    cuts = blocks.cut_evenly(groups, -(-groups // _PIECE))
    blocks.run(lambda _, b: add_up(cuts[b], cuts[b + 1], sums), len(cuts) - 1, threads=threads)
    if float(sums.sum(dtype=np.float64)) >= _LARGEST or (groups and int(sums.min()) < 0):
        raise CountOverflowError(f"graph: the number of {what} exceeds 2**62, more than can be sampled from")
    before = np.zeros(groups + 1, dtype=np.uint64)
    np.cumsum(sums.view(np.uint64), out=before[1:])
    total = int(before[-1])
    step = max(1, -(-total // max(1, groups)))
    guide = np.zeros(groups + 1, dtype=np.int64)
    fill_guide(before, np.uint64(step), guide)
    return ChoiceTable(frozen(before), frozen(guide), step, total)


@kernel
def fill_guide(before: NDArray[np.uint64], step: np.uint64, guide: NDArray[np.int64]) -> None:
    """Write for each number ``i * step`` the last group that begins at this number or before it."""
    group = 0
    last = len(before) - 2
    for i in range(len(guide)):
        number = np.uint64(i) * step
        while group < last and before[group + 1] <= number:
            group += 1
        guide[i] = group


@kernel
def group_of(before: NDArray[np.uint64], guide: NDArray[np.int64], step: np.uint64, number: np.uint64) -> int:
    """Return the group whose weights contain a number below the sum of all weights."""
    group: int = guide[np.int64(number // step)]
    while before[group + 1] <= number:
        group += 1
    return group


@kernel
def place_below(bits: np.uint64, bound: Whole) -> Whole:
    """Return a place from 0 to bound - 1 from 64 random bits."""
    return np.int64(below(bits, np.uint64(bound)))
