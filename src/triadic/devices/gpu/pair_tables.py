"""Tables of the vertices within two steps of each vertex of a batch, in a device's memory (pair_table.h)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.runtimes.errors import check_room

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.gpu.whole_rows import WholeRows
    from triadic.devices.runtimes.runtime import Buffer, Runtime

LANES = 32  # the number of slots of a table is a multiple of it
_ALL = (1 << 32) - 1  # mask of a table with a slot for each vertex
# The tables of a batch take a quarter of the free memory, at most 4 GiB; a batch ends at 2**28 2-paths.
_SHARE_OF_FREE, _MOST_BYTES, _PATHS = 4, 1 << 32, 1 << 28


@dataclass(frozen=True, slots=True, eq=False)
class PairTables:
    """The tables of all vertices, batch by batch.

    Attributes
    ----------
    first_slot : int64 array, shape (n + 1,)
        Where the table of each rank begins, on the host.
    offset : int64 buffer, shape (n + 1,)
        The same on the device.
    masks : uint32 buffer, shape (n,)
        Number of slots less one, or 2**32 - 1 for a table with a slot for each vertex; 0 for no table.
    cuts : int64 array, shape (batches + 1,)
        First vertex of each batch, and n.
    costs : int64 array, shape (batches,)
        Number of 2-paths of each batch.
    """

    first_slot: NDArray[np.int64]
    offset: Buffer
    masks: Buffer
    cuts: NDArray[np.int64]
    costs: NDArray[np.int64]

    @property
    def most(self) -> int:
        """Largest number of slots in a batch."""
        return int(np.diff(self.first_slot[self.cuts]).max(initial=0))

    def slots(self, batch: int) -> tuple[int, int]:
        """Return the first slot of a batch, and the end of its slots."""
        return int(self.first_slot[self.cuts[batch]]), int(self.first_slot[self.cuts[batch + 1]])

    def of_entries(self, rows: WholeRows, batch: int, keys: Buffer) -> tuple[Buffer | np.generic, ...]:
        """Return the parameters of kernels over the entries of a batch's rows."""
        first, last = rows.first[self.cuts[batch : batch + 2]]
        return (
            *rows.of_entries, np.uint64(first), np.uint64(last - first), self.offset, self.masks,
            np.int64(self.slots(batch)[0]), keys,
        )  # fmt: skip


def pair_tables(
    runtime: Runtime, reached: NDArray[np.int64], paths: NDArray[np.int64], *, slot_bytes: int, batch_bytes: int | None
) -> PairTables:
    """Plan tables for the vertices that each vertex reaches.

    Parameters
    ----------
    runtime : Runtime
    reached : int64 array, shape (n,)
        Upper bound of the number of vertices that each vertex reaches; 0 for no table.
    paths : int64 array, shape (n,)
        Number of 2-paths of each vertex, in which work is measured.
    slot_bytes : int
        Bytes of a slot.
    batch_bytes : int or None
        Most bytes of the tables of a batch, if a single table does not take more.

    Raises
    ------
    OutOfMemoryError
        If the device has no room for the largest batch.
    """
    n = len(reached)
    every = -(-n // LANES) * LANES
    # A power of two of at least twice the number; 2**62 for numbers near it is cut to the number of vertices below.
    slots = np.where(reached > 0, np.exp2(np.ceil(np.log2(np.maximum(2 * reached, LANES)))), 0).astype(np.int64)
    whole = slots >= every
    masks = np.where(whole & (reached > 0), _ALL, np.maximum(slots - 1, 0)).astype(np.uint32)
    slots = np.where(whole & (reached > 0), every, slots)
    first_slot, before = (np.concatenate([[0], np.cumsum(values)]) for values in (slots, paths))
    if batch_bytes is None:
        batch_bytes = min(runtime.memory()[0] // _SHARE_OF_FREE, _MOST_BYTES)
    most = max(batch_bytes // slot_bytes, int(slots.max(initial=0)))
    cuts = cut_by((first_slot, most), (before, _PATHS))
    tables = PairTables(first_slot, runtime.upload(first_slot), runtime.upload(masks), cuts, np.diff(before[cuts]))
    check_room(runtime, f"pairs of vertices within two steps of {n:,} vertices", slot_bytes * tables.most)
    return tables


def cut_by(*limits: tuple[NDArray[np.int64], int]) -> NDArray[np.int64]:
    """Cut items into batches as long as several limits allow, or of one item.

    Parameters
    ----------
    *limits : tuple of int64 array, shape (n + 1,), and int
        The sum of a cost over the items before each item, and of all items; the most that a batch may cost.

    Returns
    -------
    int64 array, shape (batches + 1,)
        First item of each batch, and n.
    """
    n = len(limits[0][0]) - 1
    cuts = [0]
    while cuts[-1] < n:
        here = cuts[-1]
        ends = (int(np.searchsorted(before, before[here] + most, side="right")) - 1 for before, most in limits)
        cuts.append(max(here + 1, min(ends)))
    return np.array(cuts, dtype=np.int64)
