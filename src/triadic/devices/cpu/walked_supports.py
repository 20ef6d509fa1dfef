"""The triangles of every edge, where the rows of a row's entries are walked instead of lists by middle vertex.

Computes: the support of each entry of the oriented rows.
Requires: an oriented graph; for the kernel columns viewed as unsigned; marks and slots all zero, which it leaves so.
Idea: row u is marked, and N+(v) is walked for each entry v of the row. A mark found at w is the triangle {u, v, w}: it
  counts at the entry of v in row u, at the entry of w in row v, which is the place of the walk, and at the entry of w
  in row u, by way of a slot of w. Each worker adds into an array of its own, since the walks of several rows u meet in
  row v. Neither lists nor the bits of `neighbourhoods` are made, which take as long as a third of the walks.
Cost: Sum of |N+(v)| over the entries v, so that degrees must differ little (`row_walks`); 4 bytes an edge for each
  worker, 4 bytes and 1/8 a vertex for each worker.

The papers that the walk comes from are cited in `list_walk`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import as_unsigned, frozen
from triadic.devices.cpu.list_walk import fetch_row_ahead, mark_row, marked, unmark_row
from triadic.devices.cpu.middle_lists import TEST
from triadic.devices.cpu.row_walks import FEW_ENTRIES, row_walks
from triadic.devices.cpu.triangles import DENSE
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes

    Ids = NDArray[np.unsignedinteger[Any]]

MOST_WORKERS = 4  # whose supports take no more memory than the lists and bits of the other way
_MADE = 25.0  # nanoseconds an entry for its list, its place and its bits in the other way, as measured on one core
_BLOCKS_PER_THREAD = 8


def by_walks(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> NDArray[np.int32] | None:
    """Return the support of each entry, or None if lists by middle vertex take less time or memory."""
    if threads > MOST_WORKERS:
        return None
    indptr, indices = frozen(oriented.indptr), as_unsigned(oriented.indices)
    walks = row_walks(indptr, indices, indptr[:-1], made=_MADE)
    if walks is None:
        return None
    n, m = oriented.num_vertices, oriented.num_edges
    support, slot = zeros(threads, m, np.int32), zeros(threads, n, np.int32)
    mark = zeros(threads, n // 64 + 1, np.int64)
    cuts = walks.cut(_BLOCKS_PER_THREAD * threads)

    def walk(worker: int, b: int) -> None:
        add_walked(indptr, indices, cuts[b], cuts[b + 1], mark[worker], slot[worker], support[worker])

    blocks.run(walk, len(cuts) - 1, threads=threads, progress=progress)
    return summed(support, threads=threads)


def bytes_of_walks(sizes: Sizes, threads: int) -> int | None:
    """Return the bytes of `by_walks`: supports and slots of each worker, and the costs of rows.

    None unless all rows are so short that they are walked, whichever rows `row_walks` samples.
    """
    below = sizes.row_pairs / max(1, sizes.edges)  # entries before an entry in its row, on average
    if threads > MOST_WORKERS or sizes.edges < FEW_ENTRIES or TEST * sizes.longest_row >= TEST * below + _MADE:
        return None
    return round((16 + 4.2 * threads) * sizes.vertices + 4 * threads * sizes.edges)


@kernel
def add_walked(
    indptr: NDArray[np.int64],
    indices: Ids,
    first: int,
    last: int,
    mark: NDArray[np.int64],
    slot: NDArray[np.int32],
    support: NDArray[np.int32],
) -> None:
    """Add at each entry the triangles {u, v, w} of the rows u in the block."""
    dense = False
    for u in range(first, last):
        start = indptr[u]
        stop = indptr[u + 1]
        if stop - start < 2:
            continue
        mark_row(indices, start, stop, mark)
        hits_at_u = 0
        for k in range(start + 1, stop):  # the first entry has no entry below it
            fetch_row_ahead(indptr, indices, indices, k, indices.size)
            v = np.int64(indices[k])
            hits = 0
            if dense:
                for p in range(indptr[v], indptr[v + 1]):
                    w = np.int64(indices[p])
                    bit = marked(mark, w)
                    slot[w] += bit
                    support[p] += bit
                    hits += bit
            else:
                for p in range(indptr[v], indptr[v + 1]):
                    w = np.int64(indices[p])
                    if marked(mark, w):
                        slot[w] += 1
                        support[p] += 1
                        hits += 1
            dense = DENSE * hits > indptr[v + 1] - indptr[v]
            if hits > 0:
                support[k] += hits
                hits_at_u += hits
        unmark_row(indices, start, stop, mark)
        if hits_at_u > 0:
            for i in range(start, stop):
                w = np.int64(indices[i])
                support[i] += slot[w]
                slot[w] = 0
