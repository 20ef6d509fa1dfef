"""A part of a count: an oriented graph of which some triangles alone are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from triadic.core.oriented import Oriented

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

Array = TypeVar("Array", bound=Any)


@dataclass(frozen=True, slots=True, eq=False)
class Part(Oriented):
    """An oriented graph, and which of its triangles {u, v, w}, u > v > w, are counted.

    Attributes
    ----------
    first, last : int
        Those with u among the rows `first` .. `last` - 1.
    middle_from : int64 array, shape (n,), optional
        Those with v in the row of u from this place in `indices` on; anywhere in it by default.
    below : int, optional
        No rank from this one on is a w, so that rows need not be walked further; by default v alone bounds them.
    """

    first: int
    last: int
    middle_from: NDArray[np.int64] | None = None
    below: int | None = None

    @property
    def hubs_pay(self) -> bool:
        """Whether v and w can both be among the first ranks."""
        return self.middle_from is None


def rows_counted(oriented: Oriented) -> tuple[int, int]:
    """Give the first row whose triangles are counted, and the one after the last."""
    return (oriented.first, oriented.last) if isinstance(oriented, Part) else (0, oriented.num_vertices)


def thirds_below(oriented: Oriented) -> int:
    """Give the rank from which on no w is."""
    below = oriented.below if isinstance(oriented, Part) else None
    return oriented.num_vertices if below is None else below


def middles_from(
    oriented: Oriented, indptr: Array, split: Array, xp: ModuleType = np, *, middle_from: Array | None = None
) -> Array:
    """Give where in each row the entries v begin whose lists are walked: past its hubs, which end at `split`.

    The first entry of a row has nothing below it. Arrays may lie on a card, whose package is then `xp`; and so may
    `middle_from`, where the part's own is not to be copied there.

    Returns
    -------
    int64 array, shape (n,)
    """
    stop = indptr[1:]
    found: Array = xp.maximum(split, indptr[:-1] + 1)
    if isinstance(oriented, Part):
        if not oriented.hubs_pay:
            found = xp.maximum(found, xp.asarray(oriented.middle_from) if middle_from is None else middle_from)
        found[: oriented.first] = stop[: oriented.first]
        found[oriented.last :] = stop[oriented.last :]
    return found
