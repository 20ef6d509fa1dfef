"""Patterns through two vertices with common neighbours, and wheels, on a device (common_neighbours.c)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.pair_tables import pair_tables
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.gpu.edge_triangles import EdgeTriangles
    from triadic.devices.gpu.whole_rows import WholeRows
    from triadic.devices.runtimes.runtime import Buffer, Runtime

HEADERS = ("tasks", "search", "wide_sums", "orbit_columns", "pair_table")
_SLICE = 1024  # slots that a team adds up
_SLOT_BYTES = 12  # key, common neighbours, edges between these
_MOST_WORDS = 32  # a lane for each word of a row
_SHARE_OF_FREE = 4  # of the free memory for bits


class CommonNeighbours:
    """One device's share of the patterns.

    Parameters
    ----------
    runtime : Runtime
    rows : WholeRows
    triangles : EdgeTriangles
    paths : int64 array, shape (n,)
        Number of 2-paths from each vertex, `numbers_of_paths`.
    counts : uint32 buffer, shape (columns * 2 n,)
        Receives the counts at vertices (orbit_columns.h).
    batch_bytes : int, optional
        Most bytes for the tables of a batch.
    most_words : int, default 32
        Words of the bits of a row; a power of two.
    """

    def __init__(
        self,
        runtime: Runtime,
        rows: WholeRows,
        triangles: EdgeTriangles,
        paths: NDArray[np.int64],
        counts: Buffer,
        *,
        batch_bytes: int | None = None,
        most_words: int = _MOST_WORDS,
    ) -> None:
        self._runtime, self._rows, self._triangles, self._counts = runtime, rows, triangles, counts
        check_room(runtime, f"squares at {rows.m:,} edges", 8 * rows.m)
        self.squares = runtime.zeros(rows.m, np.uint64)
        self._make_bits(most_words)
        degree = rows.degree
        reached = np.where(degree > 1, np.minimum(paths, rows.n), 0)
        self.tables = pair_tables(
            runtime, reached, np.where(degree > 1, paths, 0), slot_bytes=_SLOT_BYTES, batch_bytes=batch_bytes
        )
        self._keys, self._common, self._joined = (runtime.zeros(self.tables.most, np.uint32) for _ in range(3))

    def _make_bits(self, most_words: int) -> None:
        """Write the rows of the neighbourhoods of all vertices, as many words of each as there is room for."""
        runtime, rows, triangles = self._runtime, self._rows, self._triangles
        degree = rows.degree if triangles.number else np.zeros(rows.n, dtype=np.int64)
        needed = -(-degree // 64)
        free = runtime.memory()[0]
        while most_words > 1 and 8 * int((degree * np.minimum(needed, most_words)).sum()) > free // _SHARE_OF_FREE:
            most_words //= 2
        before = np.concatenate([[0], np.cumsum(degree * np.minimum(needed, most_words))])
        check_room(runtime, f"neighbourhoods of {rows.n:,} vertices", 8 * int(before[-1]), 8 * rows.n)
        self._has_rest = bool(needed.max(initial=0) > most_words)
        self._most_columns = 64 * most_words
        self._source = Source("common_neighbours", (("WORDS", most_words), ("SLICE", _SLICE)), HEADERS)
        self._bit_ptr, self._bits = runtime.upload(before), runtime.zeros(int(before[-1]), np.uint64)
        if triangles.number:
            runtime.launch(
                self._source, "neighbourhood_bits", -(-rows.m // runtime.teams), rows.indptr, rows.ptr, rows.sources,
                rows.indices, rows.places, *triangles.lists, np.uint64(0), np.uint64(rows.m), self._bit_ptr, self._bits,
            )  # fmt: skip

    @property
    def costs(self) -> NDArray[np.int64]:
        """The 2-paths of each batch."""
        return self.tables.costs

    def take(self, batch: int) -> None:
        """Count the patterns of the pairs of which one vertex is in a batch, and wait for the device."""
        runtime, rows, triangles, tables = self._runtime, self._rows, self._triangles, self.tables
        first, last = (int(end) for end in tables.cuts[batch : batch + 2])
        first_slot, last_slot = tables.slots(batch)
        if last_slot == first_slot:
            return
        n = np.uint64(rows.n)
        batch_entries = tables.of_entries(rows, batch, self._keys)
        teams = -(-int(rows.first[last] - rows.first[first]) // runtime.teams)
        runtime.launch(self._source, "count_paths", teams, *batch_entries, self._common)
        if triangles.number:
            rest_ptr, rest = self._room_for_rest(first, last)
            if self._has_rest:
                runtime.launch(
                    self._source, "count_rest", teams, *batch_entries, rows.places, *triangles.lists, rest_ptr, rest
                )
            runtime.launch(
                self._source, "count_links", teams, *batch_entries, rows.places, triangles.support, self._bit_ptr,
                self._bits, rest_ptr, rest, np.uint32(self._has_rest), self._common, self._joined, n, self._counts,
            )  # fmt: skip
        runtime.launch(
            self._source, "sum_middles", teams, *batch_entries, triangles.support, self._common, self._joined,
            self.squares, n, self._counts,
        )  # fmt: skip
        slices = -(-(last_slot - first_slot) // _SLICE)
        runtime.launch(
            self._source, "sum_ends", -(-slices // runtime.teams), rows.ptr, np.uint64(first), np.uint64(last),
            tables.offset, tables.masks, np.int64(first_slot), np.int64(last_slot), np.uint64(slices), self._keys,
            self._common, self._joined, n, self._counts,
        )  # fmt: skip
        runtime.synchronize()

    def _room_for_rest(self, first: int, last: int) -> tuple[Buffer, Buffer]:
        """Return a counter for each entry of rows with columns past the bits, and where those of each entry begin."""
        runtime, rows = self._runtime, self._rows
        if not self._has_rest:
            return self._bit_ptr, self._keys  # not read
        with runtime.active():
            xp = runtime.xp
            entries = slice(int(rows.first[first]), int(rows.first[last]))
            degree = xp.diff(runtime.view(rows.ptr))[runtime.view(rows.ends)[entries]]
            with_triangles = runtime.view(self._triangles.support)[runtime.view(rows.edges)[entries]] > 0
            degree[(degree <= self._most_columns) | ~with_triangles] = 0
            before = xp.zeros(len(degree) + 1, dtype=xp.int64)
            xp.cumsum(degree, out=before[1:])
            room = int(before[-1])
            check_room(runtime, "counters of neighbourhoods", 4 * room)
            return runtime.upload(before), runtime.zeros(room, np.uint32)
