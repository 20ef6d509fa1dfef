"""CSTN-117 on Threading Building Blocks: algorithms 4 to 6, with numba's TBB layer in a separate process.

A process can load only one of numba's threading layers, so this module also runs as a program:
``python -m triadic_papers.cstn117_tbb FOLDER GRAIN`` reads the arrays from the folder, counts, and prints the counts
and the threading layer; any other layer than TBB is an error.

Differences from the paper:

- `parallel_reduce` splits the range of vertices on demand; here all parts are split equally often, down to `grain`
  vertices, and numba's loop over these leaves passes each to TBB as one task that idle threads can steal.
- JOIN runs up the tree of halves when all leaves are finished, not as soon as two of them are.

References
----------
A. Leist, K. Hawick, D. Playne (2011), technical note CSTN-117, algorithms 4 to 6.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from triadic.core import blocks
from triadic.errors import DeviceError, MissingExtraError
from triadic_papers.cstn117_counts import Clock, Counts, check_size
from triadic_papers.cstn117_digraph import digraph
from triadic_papers.cstn117_kernels import compile_parallel, reverse_lengths
from triadic_papers.threading_layer import check_exit, run_with_layer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic_papers.cstn117_digraph import Digraph

_NO_LAYER = 3  # exit code of the process if numba finds no TBB


def clustering_tbb(network: Graph | Arcs | Digraph, *, threads: int | None = None, grain: int = 64) -> Counts:
    """Count triangles and paths with algorithms 4 to 6: halves of the range of vertices, which idle threads steal.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        An undirected edge is an arc in each direction. Repeated arcs are dropped, arcs from a vertex to itself are
        kept.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result does not depend on it.
    grain : int, default 64
        Largest range of vertices that is not split again.

    Returns
    -------
    Counts
        With the steps "layout" (including the transfer to the other process), "compile", "reverse" and "count".

    Raises
    ------
    ArgumentError
        `threads` or `grain` is below 1.
    MissingExtraError
        numba finds no TBB of version 2021.6 or later.
    DeviceError
        The process failed, or used another threading layer.

    Notes
    -----
    Starting the process takes about a second, which no step includes.

    References
    ----------
    Leist, Hawick and Playne (2011), algorithms 4 to 6.
    """
    workers, grain = blocks.resolve_threads(threads), check_size("grain", grain)
    clock = Clock()
    with TemporaryDirectory(prefix="triadic-tbb-") as folder:
        with clock.step("layout"):
            V, A = digraph(network)
            np.save(Path(folder) / "V.npy", V)
            np.save(Path(folder) / "A.npy", A)
        done = run_with_layer(__name__, folder, str(grain), layer="tbb", threads=workers, settings=_paths())
    if done.returncode == _NO_LAYER:
        raise MissingExtraError("numba finds no TBB of 2021.6 or later: pip install 'triadic-papers[tbb]'")
    check_exit(done, "TBB's")
    found: dict[str, Any] = json.loads(done.stdout)
    if found["layer"] != "tbb":
        raise DeviceError(f"numba took the threading layer {found['layer']!r}: expected 'tbb'")
    return Counts(found["triangles"], found["paths"], {**clock.seconds, **found["seconds"]})


def leaves(n: int, grain: int) -> NDArray[np.int64]:
    """Halve the range 0 to n - 1 until no part exceeds `grain`; return the start of each part, and n.

    Examples
    --------
    >>> leaves(10, 3).tolist()
    [0, 2, 5, 7, 10]
    """
    parts = 1 << max(0, (-(-n // grain) - 1).bit_length())
    return np.arange(parts + 1, dtype=np.int64) * n // parts


def join(found: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add up a power of two of results in pairs, up the tree of halves; return the root's result: algorithm 6.

    Examples
    --------
    >>> join(np.array([[1, 10], [2, 20], [3, 30], [4, 40]])).tolist()
    [10, 100]
    """
    while len(found) > 1:
        found = found[::2] + found[1::2]
    root: NDArray[np.int64] = found[0]
    return root


def _paths() -> dict[str, str]:
    """Return the environment with which the process finds TBB: pip installs the library outside the loader's path."""
    folders = [os.environ["LD_LIBRARY_PATH"]] if os.environ.get("LD_LIBRARY_PATH") else []
    try:
        installed = metadata.files("tbb") or []
    except metadata.PackageNotFoundError:
        installed = []
    folders += sorted(
        {str(Path(str(file.locate())).resolve().parent) for file in installed if file.name == "libtbb.so.12"}
    )
    return {"LD_LIBRARY_PATH": os.pathsep.join(folders)} if folders else {}


def _main(folder: Path, grain: int) -> None:
    V, A = (np.load(folder / name, allow_pickle=False) for name in ("V.npy", "A.npy"))
    clock, R, starts = Clock(), np.zeros(len(V) - 1, dtype=np.int64), leaves(len(V) - 1, grain)
    found = np.zeros((len(starts) - 1, 2), dtype=np.int64)
    with clock.step("compile"):
        process_tasks = compile_parallel()
        reverse_lengths(V[:1], A, False, R)
        try:
            numba.set_parallel_chunksize(1)  # by default each thread gets one fixed part of the loop
            process_tasks(V, A, R, np.zeros(2, dtype=np.int64), found)
        except ValueError as error:  # numba: "No threading layer could be loaded"
            if "hreading layer" in str(error):
                sys.exit(_NO_LAYER)
            raise
    layer = numba.threading_layer()
    with clock.step("reverse"):
        reverse_lengths(V, A, False, R)
    with clock.step("count"):
        process_tasks(V, A, R, starts, found)
        t, p = (int(total) for total in join(found))
    sys.stdout.write(json.dumps({"layer": layer, "triangles": t, "paths": p, "seconds": dict(clock.seconds)}))


if __name__ == "__main__":
    _main(Path(sys.argv[1]), int(sys.argv[2]))
