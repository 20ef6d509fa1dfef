"""Clustering coefficients from a table of rows of one width, as Djinevski, Mishkovski and Trajanov print them.

"Accelerating Clustering Coefficient Calculations on a GPU Using OpenCL". A network is a table of N x max_links numbers,
a row for each vertex with its neighbours, filled up with negative ones (figure 1). For each pair of entries j < k of a
row, the vertex at j is looked for in the row of the vertex at k from end to end; E_i is how many are found, and
C_i = 2 E_i / (k_i (k_i - 1)), <C> their mean (section 4.1). Listing 1 does so on one thread, or with its outer loop
under an OpenMP directive. Listing 2 brings rows to local memory, a tile at a time, for a whole work-group to read.

Misprints, each mended here; ``as_printed=True`` where what is printed is defined:

- Listing 1: ``k < ki`` leaves out the last neighbour. A triangle gets C_i = 0 three times.
- Listing 1: ``z < search_row_size`` leaves out the end of the row. With k mended, a triangle gets 0, 1, 1: 1 is last in
  the row of 2.
- Listing 1: Ei, ki, search_index and search_row_size are shared, and each thread writes them: a race. Private here;
  `openmp` has no ``as_printed``.
- Both: k_i under 2 divides 0 by 0, and a single edge gets a mean that is no number. 0 here.
- Figure 1 has the vertex itself first in its row, where listing 1 reads k_i; here it is k_i. Row 5 there holds 6 twice,
  and each link is in one row only (2 in that of 1, not 1 in that of 2), where the listings need both.
- Listing 2: a work-item for each vertex has loops of its own length, with barriers inside: undefined as soon as two
  degrees differ, as in a path of three vertices. Here a work-group has one vertex, so that all meet all barriers.
- Listing 2: each work-item brings an entry of the row that itself searches, so that a tile mixes rows. With all degrees
  the same it is defined and wrong: a square, in a group of four, gets 0, 1, 0, 1; of triangles one after another, only
  the first of a group is found. Here a tile is of one row.
- Listing 2: ``lsize``, cut at the end of a row, is never set back: the rows after go by smaller tiles. Slow, not wrong.
- "A simple parallel reduction" for k_i is not printed, and has nothing to reduce where a work-item has a vertex. Here a
  work-group adds up the entries of its row that are not negative.

Differs from the paper:

- In listing 2 the loops over j and k are exchanged, so that a row comes to local memory once for all j before k, each
  work-item looking for some of them.
- A work-group has 128 work-items by default; the paper, with a vertex to a work-item, found 512 best.
- Rows of the table are as many as vertices, not a multiple of the work-group's size: no work-item is left over.
- C_i is divided on the host in double precision; the paper's are single. No table of more than 1 GB, its card's memory.

References
----------
Djinevski, Mishkovski and Trajanov, "Accelerating clustering coefficient calculations on a GPU using OpenCL", Ss. Cyril
and Methodius University, Skopje.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.frozen import frozen
from triadic_papers import padded_rows_kernels
from triadic_papers.local_clustering import LocalClustering, local_clustering, neighbour_rows, timed
from triadic_papers.padded_rows_table import padded_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic_papers.adjacency import Adjacency

_BLOCKS = 64  # between two there is room for Ctrl-C, and dispatching them costs nothing


def sequential(network: Graph | Arcs | Adjacency, *, as_printed: bool = False) -> LocalClustering:
    """Count by listing 1 on one thread.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeats and directions are left out.
    as_printed : bool, default False
        With the listing's loop ends, and its quotients: of single precision, not a number for a degree under 2.

    Returns
    -------
    LocalClustering
        Phases "rows", "table", "compilation" and "compute".

    Raises
    ------
    OutOfMemoryError
        The table would pass 1 GB.

    Notes
    -----
    O(sum over vertices of squared degrees times the neighbours' degrees).

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
    """Count by listing 1 on OpenMP's threads: numba's OpenMP layer, in a process of its own.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        As for `sequential`.
    threads : int, optional
        Number of threads; as many as the process may use by default. The result is the same for any number.

    Returns
    -------
    LocalClustering
        Phases "rows", "initialisation" (of that process, and of what goes to it and comes from it), "table",
        "compilation" and "compute".

    Raises
    ------
    ArgumentError
    DeviceError
        numba's OpenMP layer cannot be loaded; the message says why.
    OutOfMemoryError
        The table would pass 1 GB.
    """
    from triadic_papers import padded_rows_openmp  # noqa: PLC0415 - also run as a program

    seconds: dict[str, float] = {}
    workers = blocks.resolve_threads(threads)
    with timed(seconds, "rows"):
        indptr, indices = neighbour_rows(network)
    links = padded_rows_openmp.count(indptr, indices, workers, seconds)
    return local_clustering(links, np.diff(indptr), seconds)


def opencl(
    network: Graph | Arcs | Adjacency, *, device: str = "opencl", group: int = 128, as_printed: bool = False
) -> LocalClustering:
    """Count by listing 2, a work-group a vertex, on an OpenCL device or a CUDA card.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        As for `sequential`.
    device : str, default "opencl"
        One device: "opencl:1", "cuda:0".
    group : int, default 128
        Work-items of a work-group, a power of two that the device allows. The result is the same for any, but as
        printed.
    as_printed : bool, default False
        A work-item a vertex, tiles mixed, and quotients as for `sequential`.

    Returns
    -------
    LocalClustering
        Phases "rows", "table", "initialisation", "compilation", "transfer" (there and back) and "compute". A device
        stays open and its kernels compiled, so that only the first call of a process has much of these two.

    Raises
    ------
    ArgumentError
    DeviceError, MissingExtraError
        There is no such device.
    OutOfMemoryError
        The table would pass 1 GB, or what the device has.
    UnsupportedError
        More than one device; or as printed and not defined: degrees differ, or do not fill work-groups.
    """
    from triadic_papers import padded_rows_gpu  # noqa: PLC0415 - not without a device

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
