"""Clustering coefficients from a table of padded rows, as printed by Djinevski, Mishkovski and Trajanov.

A network is a table of N x max_links numbers, one row per vertex with its neighbours, padded with negative numbers
(figure 1). For each pair of entries j < k of a row, the vertex at j is searched in the whole row of the vertex at k;
E_i is the number of hits, C_i = 2 E_i / (k_i (k_i - 1)), and <C> is the mean of all C_i (section 4.1). Listing 1 does
this on one thread, or with its outer loop under an OpenMP directive. Listing 2 copies rows to local memory, one tile at
a time, which a whole work-group reads.

Misprints, all corrected here; ``as_printed=True`` keeps them where the printed program is defined:

- Listing 1: ``k < ki`` omits the last neighbour. A triangle gets C_i = 0 three times.
- Listing 1: ``z < search_row_size`` omits the end of the row. With k corrected, a triangle gets 0, 1, 1: vertex 1 is
  last in the row of vertex 2.
- Listing 1: Ei, ki, search_index and search_row_size are shared and written by each thread: a race. Here they are
  private, and `openmp` has no ``as_printed``.
- Both listings: k_i below 2 divides 0 by 0, and a single edge gets a mean of NaN. Here the coefficient is 0.
- Figure 1 stores the vertex itself first in its row, where listing 1 reads k_i; here it is k_i. Row 5 of the figure
  contains 6 twice, and each link is in one row only (2 in row 1, but not 1 in row 2), where the listings need both.
- Listing 2: the work-item of each vertex has loops of its own length with barriers inside, which is undefined as soon
  as two degrees differ, as in a path of three vertices. Here a work-group has one vertex, so all its work-items reach
  all barriers.
- Listing 2: each work-item copies an entry of the row that it searches itself, so a tile mixes rows. With equal degrees
  the program is defined and wrong: a square, in a group of four, gets 0, 1, 0, 1; of consecutive triangles, only the
  first of a group is found. Here a tile comes from one row.
- Listing 2: ``lsize``, shortened at the end of a row, is never reset: later rows use smaller tiles, which is slow but
  correct.
- "A simple parallel reduction" for k_i is not printed, and has nothing to reduce if a work-item has a vertex. Here a
  work-group counts the entries of its row that are not negative.

Differences from the paper:

- In listing 2 the loops over j and k are exchanged, so that a row is copied to local memory once for all j before k,
  and each work-item searches for some of them.
- A work-group has 128 work-items by default; the paper, with one vertex per work-item, found 512 best.
- The table has as many rows as vertices, not a multiple of the work-group's size, so no work-item is left over.
- C_i is divided on the host in double precision; the paper uses single precision. The table is limited to 1 GB, the
  memory of the paper's card.

References
----------
A. Djinevski, I. Mishkovski, D. Trajanov, "Accelerating clustering coefficient calculations on a GPU using OpenCL", Ss.
Cyril and Methodius University, Skopje, section 4, listings 1 and 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.oriented import frozen
from triadic_papers import padded_rows_kernels
from triadic_papers.local_clustering import LocalClustering, local_clustering, neighbour_rows, timed
from triadic_papers.padded_rows_table import padded_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic_papers.adjacency import Adjacency

_BLOCKS = 64  # few enough to cost nothing, many enough to react to Ctrl-C


def sequential(network: Graph | Arcs | Adjacency, *, as_printed: bool = False) -> LocalClustering:
    """Count with listing 1 on one thread.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeated edges and directions are dropped.
    as_printed : bool, default False
        Keep the listing's loop bounds and its single-precision quotients, which are NaN for degrees below 2.

    Returns
    -------
    LocalClustering
        With the phases "rows", "table", "compilation" and "compute".

    Raises
    ------
    OutOfMemoryError
        The table would exceed 1 GB.

    Notes
    -----
    Takes time proportional to the sum, over all vertices, of the squared degree times the degrees of the neighbours.

    References
    ----------
    Djinevski, Mishkovski and Trajanov, listing 1.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    >>> sequential(graph).coefficients.round(3).tolist(), round(sequential(graph).mean, 3)
    ([1.0, 1.0, 0.333, 0.0], 0.583)
    >>> sequential(graph, as_printed=True).triangles.tolist()
    [0, 0, 1, 0]
    """
    seconds: dict[str, float] = {}
    with timed(seconds, "rows"):
        indptr, indices = neighbour_rows(network)
    with timed(seconds, "table"):
        table = padded_table(indptr, indices)
    links = np.zeros(len(table), dtype=np.int64)
    short = int(as_printed)
    with timed(seconds, "compilation"):
        padded_rows_kernels.links(table, 0, 0, short, links)
    starts = blocks.cut_evenly(len(table), _BLOCKS)

    def count(_: int, block: int) -> None:
        padded_rows_kernels.links(table, starts[block], starts[block + 1], short, links)

    with timed(seconds, "compute"):
        blocks.run(count, len(starts) - 1, threads=1)
    return _with_coefficients(links, np.diff(indptr), seconds, as_printed=as_printed)


def openmp(network: Graph | Arcs | Adjacency, *, threads: int | None = None) -> LocalClustering:
    """Count with listing 1 on OpenMP's threads: numba's OpenMP layer, in a separate process.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeated edges and directions are dropped.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result does not depend on it.

    Returns
    -------
    LocalClustering
        With the phases "rows", "initialisation" (starting the process, and the transfer to and from it), "table",
        "compilation" and "compute".

    Raises
    ------
    ArgumentError
        `threads` is below 1.
    DeviceError
        numba's OpenMP layer cannot be loaded; the message contains the reason.
    OutOfMemoryError
        The table would exceed 1 GB.

    References
    ----------
    Djinevski, Mishkovski and Trajanov, listing 1 and section 4.
    """
    from triadic_papers import padded_rows_openmp  # noqa: PLC0415 - the module also runs as a program

    seconds: dict[str, float] = {}
    workers = blocks.resolve_threads(threads)
    with timed(seconds, "rows"):
        indptr, indices = neighbour_rows(network)
    links = padded_rows_openmp.count(indptr, indices, workers, seconds)
    return local_clustering(links, np.diff(indptr), seconds)


def opencl(
    network: Graph | Arcs | Adjacency, *, device: str = "opencl", group: int = 128, as_printed: bool = False
) -> LocalClustering:
    """Count with listing 2, one work-group per vertex, on an OpenCL device or a CUDA card.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeated edges and directions are dropped.
    device : str, default "opencl"
        One device: "opencl:1", "cuda:0".
    group : int, default 128
        Work-items per work-group, a power of two that the device supports. The result does not depend on it, except
        with `as_printed`.
    as_printed : bool, default False
        Keep one work-item per vertex, mixed tiles and the quotients of the listing.

    Returns
    -------
    LocalClustering
        With the phases "rows", "table", "initialisation", "compilation", "transfer" (in both directions) and "compute".
        A device stays open and its kernels stay compiled, so only the first call of a process takes long for these two.

    Raises
    ------
    ArgumentError
        `group` or `device` is invalid.
    DeviceError
        The device does not exist or failed.
    MissingExtraError
        The package for the device is not installed.
    OutOfMemoryError
        The table would exceed 1 GB, or the memory of the device.
    UnsupportedError
        More than one device; or `as_printed` for a network on which the listing is undefined, because degrees differ or
        the vertices do not fill the work-groups.

    References
    ----------
    Djinevski, Mishkovski and Trajanov, listing 2.
    """
    from triadic_papers import padded_rows_gpu  # noqa: PLC0415 - only needed with a GPU

    seconds: dict[str, float] = {}
    with timed(seconds, "rows"):
        indptr, indices = neighbour_rows(network)
    links = padded_rows_gpu.count(indptr, indices, device, seconds, group=group, as_printed=as_printed)
    return _with_coefficients(links, np.diff(indptr), seconds, as_printed=as_printed)


def _with_coefficients(
    links: NDArray[np.int64], degree: NDArray[np.int64], seconds: dict[str, float], *, as_printed: bool
) -> LocalClustering:
    if not as_printed:
        return local_clustering(links, degree, seconds)
    with np.errstate(invalid="ignore"):  # 0 / 0
        quotients = (2 * links).astype(np.float32) / (degree * (degree - 1)).astype(np.float32)
    coefficients = quotients.astype(np.float64)
    mean = float(coefficients.mean()) if len(coefficients) else 0.0
    return LocalClustering(frozen(links), frozen(coefficients), mean, seconds)
