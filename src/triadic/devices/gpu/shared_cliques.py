"""4-cliques at each edge, 5-cliques, and pairs of 4-cliques with a common triangle, on a device (shared_cliques.c)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.pair_tables import cut_by
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.gpu.edge_triangles import EdgeTriangles
    from triadic.devices.gpu.whole_rows import WholeRows
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_SOURCE = Source(
    "shared_cliques", (("COLUMNS", 1024), ("INNER", 512)), ("tasks", "search", "wide_sums", "orbit_columns")
)
# The bits of a batch of neighbourhoods take an eighth of the free memory, at most 1 GiB.
_SHARE_OF_FREE, _MOST_BYTES = 8, 1 << 30
_WORDS = 1 << 30  # words that a batch reads
_TRIANGLE = 32  # cost of a triangle beside its words


class SharedCliques:
    """One device's share of the cliques.

    Parameters
    ----------
    runtime : Runtime
    rows : WholeRows
    triangles : EdgeTriangles
    counts : uint32 buffer, shape (columns * 2 n,)
        Receives the counts at vertices (orbit_columns.h).
    batch_bytes : int, optional
        Most bytes for the bits of a batch.

    Attributes
    ----------
    at_edge : uint64 buffer, shape (m,)
        Twice the 4-cliques at each edge.
    costs : int64 array, shape (batches,)
        Words of each batch.
    """

    def __init__(
        self,
        runtime: Runtime,
        rows: WholeRows,
        triangles: EdgeTriangles,
        counts: Buffer,
        *,
        batch_bytes: int | None = None,
    ) -> None:
        self._runtime, self._rows, self._triangles, self._counts = runtime, rows, triangles, counts
        check_room(runtime, f"cliques at {rows.m:,} edges", 8 * rows.m)
        self.at_edge = runtime.zeros(rows.m, np.uint64)
        self._before = np.concatenate([[0], np.cumsum(-(-rows.degree // 64) * rows.higher)])
        if batch_bytes is None:
            batch_bytes = min(runtime.memory()[0] // _SHARE_OF_FREE, _MOST_BYTES)
        self._cuts = cut_by((self._before, max(1, batch_bytes // 8)), (self._work(), _WORDS))
        self.costs = np.diff(self._before[self._cuts])
        self._word_ptr = runtime.upload(self._before)
        self._first_edge = np.concatenate([[0], np.cumsum(rows.higher)])

    def _work(self) -> NDArray[np.int64]:
        """Return the words that are read for the triangles at the edges of the oriented rows before each row."""
        runtime, rows = self._runtime, self._rows
        with runtime.active():
            places = runtime.view(self._triangles.ptr)[runtime.view(rows.indptr)]
            before = runtime.download(runtime.upload(places))
        return np.concatenate([[0], np.cumsum(np.diff(before) * (_TRIANGLE + -(-rows.degree // 64)))])

    def take(self, batch: int) -> None:
        """Count the cliques whose vertex of largest rank is in a batch, and wait for the device."""
        runtime, rows, triangles = self._runtime, self._rows, self._triangles
        first, last = (int(end) for end in self._cuts[batch : batch + 2])
        first_edge, count = int(self._first_edge[first]), int(self._first_edge[last] - self._first_edge[first])
        if not triangles.number or count == 0:
            return
        words = int(self._before[last] - self._before[first])
        check_room(runtime, f"the neighbourhoods of {last - first:,} vertices", 8 * words)
        bits = runtime.zeros(words, np.uint64)
        edges = (
            rows.indptr, rows.ptr, rows.ends, rows.sources, rows.indices, rows.places, *triangles.lists,
            np.uint64(first_edge), np.uint64(count), self._word_ptr, np.int64(self._before[first]),
        )  # fmt: skip
        teams = -(-count // runtime.teams)
        runtime.launch(_SOURCE, "clique_bits", teams, *edges, bits)
        runtime.launch(
            _SOURCE, "cliques", teams, *edges, bits, triangles.support, self.at_edge, np.uint64(rows.n), self._counts
        )
        runtime.synchronize()
