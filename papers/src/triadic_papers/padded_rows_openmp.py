"""Listing 1 on OpenMP's threads, in a separate process: a process can load only one of numba's threading layers.

``python -m triadic_papers.padded_rows_openmp FOLDER`` is that process: it reads the rows from the folder, builds the
table, counts, checks that the layer is OpenMP, and writes the result into the folder.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from triadic.errors import DeviceError
from triadic_papers.local_clustering import timed
from triadic_papers.padded_rows_kernels import compile_parallel
from triadic_papers.padded_rows_table import check_table, padded_table
from triadic_papers.threading_layer import check_exit, run_with_layer

if TYPE_CHECKING:
    from numpy.typing import NDArray


def why_not() -> str | None:
    """Return the reason why numba's OpenMP layer cannot be loaded, or None if it can."""
    try:
        import_module("numba.np.ufunc.omppool")
    except ImportError as error:
        return f"numba's OpenMP threading layer cannot be loaded: {' '.join(str(error).split())}"
    return None


def count(
    indptr: NDArray[np.int64], indices: NDArray[np.integer[Any]], threads: int, seconds: dict[str, float]
) -> NDArray[np.int64]:
    """Count the links at each vertex in a process with `threads` OpenMP threads, and add to the seconds of the phases.

    Raises
    ------
    DeviceError
        numba's OpenMP layer cannot be loaded, or the process failed.
    OutOfMemoryError
        The table would exceed 1 GB.
    """
    check_table(indptr)
    reason = why_not()
    if reason is not None:
        raise DeviceError(reason)
    with TemporaryDirectory(prefix="triadic-openmp-") as name:
        folder = Path(name)
        start = perf_counter()
        np.save(folder / "indptr.npy", indptr)
        np.save(folder / "indices.npy", indices)
        check_exit(run_with_layer(__name__, name, layer="omp", threads=threads), "OpenMP's")
        inside = json.loads((folder / "seconds.json").read_text(encoding="utf-8"))
        links: NDArray[np.int64] = np.load(folder / "links.npy", allow_pickle=False)
        seconds["initialisation"] = perf_counter() - start - sum(inside.values())
        seconds.update(inside)
        return links


def _main(folder: Path) -> None:
    indptr = np.load(folder / "indptr.npy", allow_pickle=False)
    indices = np.load(folder / "indices.npy", allow_pickle=False)
    seconds: dict[str, float] = {}
    with timed(seconds, "table"):
        table = padded_table(indptr, indices)
    links = np.zeros(len(table), dtype=np.int64)
    with timed(seconds, "compilation"):
        loop = compile_parallel()
        loop(table, 0, links)
    layer = numba.threading_layer()
    if layer != "omp":
        raise DeviceError(f"numba took the threading layer {layer!r}: expected 'omp'")
    with timed(seconds, "compute"):
        loop(table, len(table), links)
    np.save(folder / "links.npy", links)
    (folder / "seconds.json").write_text(json.dumps(seconds), encoding="utf-8")


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
