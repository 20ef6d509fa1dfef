"""CSTN-117 on Threading Building Blocks: algorithms 4 to 6, through numba's TBB layer in a process of its own.

A process has one threading layer of numba's for good, so there is a process for it:
``python -m triadic_papers.cstn117_tbb FOLDER GRAIN`` takes the arrays from the folder, counts, and writes what it
found and which layer that was to its output; another layer than TBB's is an error.

Differs from the paper:

- `parallel_reduce` halves the range of vertices as it goes; here it is halved as often for all, down to `grain`
  vertices, and numba's loop over these leaves hands each to TBB as one task that idle threads can steal.
- JOIN goes up the tree of halves when all leaves are done, not as soon as two of them are.
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
from triadic_papers.cstn117_counts import Clock, Counts, take_size
from triadic_papers.cstn117_digraph import digraph
from triadic_papers.cstn117_kernels import compiled_for_threads, reverse_lengths
from triadic_papers.threading_layer import check_done, run_module

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic_papers.cstn117_digraph import Digraph

_NO_LAYER = 3  # how the process ends where numba finds no TBB


def clustering_tbb(network: Graph | Arcs | Digraph, *, threads: int | None = None, grain: int = 64) -> Counts:
    """Count triangles and paths by algorithms 4 to 6: halves of the range of vertices, which idle threads steal.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        As for `clustering`.
    threads : int, optional
        As many as the process may use by default. The result is the same for any number.
    grain : int, default 64
        Vertices at which a range is not split again.

    Returns
    -------
    Counts
        Steps: layout (with the way to the other process), compile, reverse, count.

    Raises
    ------
    ArgumentError
    MissingExtraError
        numba finds no TBB of 2021.6 or later.
    DeviceError
        The process failed, or its layer was not TBB's.

    Notes
    -----
    Starting the process takes about a second, which no step counts.
    """
    workers, grain = blocks.resolve_threads(threads), take_size("grain", grain)
    clock = Clock()
    with TemporaryDirectory(prefix="triadic-tbb-") as folder:
        with clock.step("layout"):
            V, A = digraph(network)
            np.save(Path(folder) / "V.npy", V)
            np.save(Path(folder) / "A.npy", A)
        done = run_module(__name__, folder, str(grain), layer="tbb", threads=workers, settings=_paths())
    if done.returncode == _NO_LAYER:
        raise MissingExtraError("numba finds no TBB of 2021.6 or later: pip install 'triadic-papers[tbb]'")
    check_done(done, "TBB's")
    found: dict[str, Any] = json.loads(done.stdout)
    if found["layer"] != "tbb":
        raise DeviceError(f"numba took the threading layer {found['layer']!r}: expected 'tbb'")
    return Counts(found["triangles"], found["paths"], {**clock.seconds, **found["seconds"]})


def leaves(n: int, grain: int) -> NDArray[np.int64]:
    """Halve 0 .. n - 1 until no part has more than `grain`; give where each begins, and the end.

    Examples
    --------
    >>> leaves(10, 3).tolist()
    [0, 2, 5, 7, 10]
    """
    parts = 1 << max(0, (-(-n // grain) - 1).bit_length())
    return np.arange(parts + 1, dtype=np.int64) * n // parts


def join(found: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add up a power of two of results two by two, up the tree that halving made; give the root's: algorithm 6.

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
    """Give what the process finds TBB by: pip puts its library where the loader does not look."""
    folders = [os.environ["LD_LIBRARY_PATH"]] if os.environ.get("LD_LIBRARY_PATH") else []
    try:
        brought = metadata.files("tbb") or []
    except metadata.PackageNotFoundError:
        brought = []
    folders += sorted({str(Path(str(of.locate())).resolve().parent) for of in brought if of.name == "libtbb.so.12"})
    return {"LD_LIBRARY_PATH": os.pathsep.join(folders)} if folders else {}


def _main(folder: Path, grain: int) -> None:
    V, A = (np.load(folder / name, allow_pickle=False) for name in ("V.npy", "A.npy"))
    clock, R, starts = Clock(), np.zeros(len(V) - 1, dtype=np.int64), leaves(len(V) - 1, grain)
    found = np.zeros((len(starts) - 1, 2), dtype=np.int64)
    with clock.step("compile"):
        process_tasks = compiled_for_threads()
        reverse_lengths(V[:1], A, False, R)
        try:
            numba.set_parallel_chunksize(1)  # else each thread has one part of the loop for good
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
        t, p = (int(each) for each in join(found))
    sys.stdout.write(json.dumps({"layer": layer, "triangles": t, "paths": p, "seconds": dict(clock.seconds)}))


if __name__ == "__main__":
    _main(Path(sys.argv[1]), int(sys.argv[2]))
