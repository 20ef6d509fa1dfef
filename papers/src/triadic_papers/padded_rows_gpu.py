"""Listing 2 on a GPU: the table is copied to the device, and the links between neighbours are copied back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.runtimes.runtime import Source
from triadic.errors import ArgumentError, UnsupportedError
from triadic_papers.local_clustering import timed
from triadic_papers.padded_rows_table import padded_table
from triadic_papers.single_gpu import open_gpu

if TYPE_CHECKING:
    from numpy.typing import NDArray

GROUPS = tuple(1 << power for power in range(11))  # blocks of a card have at most 1024 threads


def count(
    indptr: NDArray[np.int64],
    indices: NDArray[np.integer[Any]],
    device: str,
    seconds: dict[str, float],
    *,
    group: int,
    as_printed: bool,
) -> NDArray[np.int64]:
    """Count the links at each vertex, and add to the seconds of the phases; see `padded_rows.opencl`."""
    if isinstance(group, bool) or group not in GROUPS:
        raise ArgumentError(f"group={group!r}: expected a power of two from 1 to {GROUPS[-1]}")
    source = Source("padded_rows", (("GROUP", int(group)),), package="triadic_papers")
    with timed(seconds, "table"):
        table = padded_table(indptr, indices)
    with timed(seconds, "initialisation"):
        runtime = open_gpu(device)
    n, width = table.shape
    kernel, groups = "links", n
    if as_printed:
        _check_defined(table, group)
        kernel, groups = "links_as_printed", n // group
    runtime.check_room("the padded table", table.nbytes, 4 * n)
    with timed(seconds, "compilation"):  # with a launch for no vertices
        none = runtime.zeros(1, np.int32), np.uint32(1), np.uint64(0), runtime.zeros(1, np.uint32)
        runtime.launch(source, kernel, 1, *none, threads=group)
        runtime.synchronize()
    with timed(seconds, "transfer"):
        entries = runtime.upload(table.reshape(-1))
        links = runtime.empty(n, np.uint32)
        runtime.synchronize()
    with timed(seconds, "compute"):
        runtime.launch(source, kernel, groups, entries, np.uint32(width), np.uint64(n), links, threads=group)
        runtime.synchronize()
    with timed(seconds, "transfer"):
        found = runtime.download(links)
    return found.astype(np.int64)


def _check_defined(table: NDArray[np.int32], group: int) -> None:
    degree = table[:, 0]
    if len(table) % group or (degree != degree[:1]).any():
        raise UnsupportedError(
            "as_printed=True: listing 2 needs equal degrees and vertices that fill the work-groups; "
            f"degrees are {degree.min()} to {degree.max()}, and {len(table):,} vertices are in groups of {group}"
        )
