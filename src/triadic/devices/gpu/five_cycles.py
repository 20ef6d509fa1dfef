"""Cycles of five vertices on a device (five_cycles.c)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.common_neighbours import HEADERS
from triadic.devices.gpu.pair_tables import LANES, pair_tables
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.runtime import launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.gpu.edge_triangles import EdgeTriangles
    from triadic.devices.gpu.whole_rows import WholeRows
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_SOURCE = Source("five_cycles", headers=HEADERS)
_SLOT_BYTES = 16  # key, 2-paths, sum over the row


class FiveCycles:
    """One device's share of the 5-cycles.

    Parameters
    ----------
    runtime : Runtime
    rows : WholeRows
    later : int64 array, shape (n,)
        Number of 2-paths from each vertex to larger ranks, `numbers_of_paths`.
    counts : uint32 buffer, shape (columns * 2 n,)
        Receives the counts at vertices (orbit_columns.h).
    batch_bytes : int, optional
        Most bytes for the tables of a batch.
    """

    def __init__(
        self,
        runtime: Runtime,
        rows: WholeRows,
        later: NDArray[np.int64],
        counts: Buffer,
        *,
        batch_bytes: int | None = None,
    ) -> None:
        self._runtime, self._rows, self._counts = runtime, rows, counts
        # One neighbour of larger rank is enough for a walk that folds.
        lower = rows.degree - rows.higher
        reached = np.where(lower > 0, np.minimum(later + lower, rows.n), 0)
        self.tables = pair_tables(
            runtime, reached, np.where(lower > 0, later, 0), slot_bytes=_SLOT_BYTES, batch_bytes=batch_bytes
        )
        most = self.tables.most
        self._keys, self._values = runtime.zeros(most, np.uint32), runtime.zeros(most, np.uint32)
        self._other = runtime.zeros(most, np.uint64)

    @property
    def costs(self) -> NDArray[np.int64]:
        """The 2-paths of each batch."""
        return self.tables.costs

    def take(self, batch: int) -> None:
        """Count the cycles whose vertex of smallest rank is in a batch, and walks that fold, and wait."""
        runtime, rows, tables = self._runtime, self._rows, self.tables
        first, last = (int(end) for end in tables.cuts[batch : batch + 2])
        first_slot, last_slot = tables.slots(batch)
        if last_slot == first_slot:
            return
        n = np.uint64(rows.n)
        batch_entries = tables.of_entries(rows, batch, self._keys)
        teams = -(-int(rows.first[last] - rows.first[first]) // runtime.teams)
        runtime.launch(_SOURCE, "count_later_paths", teams, *batch_entries, self._values)
        count = (last_slot - first_slot) // LANES
        runtime.launch(
            _SOURCE, "close_cycles", -(-count // runtime.teams), rows.ptr, rows.ends, np.uint64(first),
            np.uint64(last), tables.offset, tables.masks, np.int64(first_slot), np.uint64(count), self._keys,
            self._values, self._other, n, self._counts,
        )  # fmt: skip
        runtime.launch(_SOURCE, "cycles_at_middles", teams, *batch_entries, self._values, self._other, n, self._counts)
        slots = last_slot - first_slot
        launch_each(runtime, _SOURCE, "clear", slots, np.uint64(slots), self._keys, self._values, self._other)
        runtime.synchronize()


def take_folded(runtime: Runtime, rows: WholeRows, triangles: EdgeTriangles, counts: Buffer) -> None:
    """Take away the walks that fold around triangles."""
    if not triangles.number:
        return
    entries = 2 * rows.m
    check_room(runtime, f"triangles past {entries:,} entries", 8 * entries, 8 * entries)
    found = runtime.empty(entries, np.int64)
    launch_each(
        runtime, _SOURCE, "later_triangles", entries, rows.ends, rows.edges, triangles.ptr, triangles.third,
        np.uint64(entries), found,
    )  # fmt: skip
    with runtime.active():
        xp = runtime.xp
        before = xp.zeros(entries + 1, dtype=xp.int64)
        xp.cumsum(runtime.view(found), out=before[1:])
        runtime.launch(
            _SOURCE, "take_folded", -(-entries // runtime.teams), *rows.of_entries, np.uint64(0), np.uint64(entries),
            triangles.ptr, triangles.third, runtime.upload(before), np.uint64(rows.n), counts,
        )  # fmt: skip
