"""The support of each edge, written as a data set of Parquet files, on a cluster by its workers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.exact import exact_sum
from triadic.core.progress import reporting
from triadic.counts.triangles import EDGE_SUPPORT
from triadic.devices.cpu.tile_supports import add_supports_of_tiles
from triadic.devices.select import check_kind
from triadic.io.tables import parquet_of_edges
from triadic.measures.table_folder import ROWS, TableFolder, checked_place
from triadic.measures.triangles import edge_support
from triadic.tiles.range_values import INT, TablePlan
from triadic.tiles.sums import PartCounter
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    import os

    from triadic.core.progress import ProgressKeyword
    from triadic.tiles.range_values import RangeValues

_CLUSTER_ONLY = "the support of edges of tiles is counted on a Dask cluster only: open the tiles with client="


def write_edge_support(
    graph: GraphLike,
    output: str | os.PathLike[str],
    *,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> dict[str, int]:
    """Count the triangles at each edge and write them as a folder of Parquet files; return totals.

    For a `TiledGraph` with a Dask client, the workers of the cluster write the files: nothing that is as long as the
    graph passes through this process.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The directions of a directed graph are ignored. A `TiledGraph` must have a Dask client.
    output : str or path-like
        Folder to make, or a URL that fsspec can open, such as ``s3://bucket/edges``. Workers of a cluster must be able
        to write to it.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    dict of str to int
        Number of "edges", and the sum of "triangles" over the edges, three times the number of triangles.

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    DeviceError
        If the device or the cluster fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph` without a client, or with one and `device` names a GPU.
    WriteError
        If `output` cannot be written to, or holds files of something else.

    See Also
    --------
    edge_support : Return the counts in place of writing them.
    write_vertex_table : Write measures of vertices.

    Notes
    -----
    Each file has the columns "source" and "target", the labels of the two ends, or their numbers if the graph has no
    labels, and "triangles". Each edge has one row. Rows, and the two ends of an edge, are in no particular order. The
    file ``_SUCCESS``, which is written last, holds the totals.

    On a cluster, finished work is stored in the folder ``_sums`` of `output` about once a minute. After any
    interruption, even if this process or a worker was killed, the same call goes on.

    The cost is at most O(m^1.5) for m edges.

    References
    ----------
    Cohen (2008), "Trusses: cohesive subgraphs for social network analysis", National Security Agency, defines the
    support of an edge.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> triadic.write_edge_support(graph, "edges.parquet")
    {'edges': 4, 'triangles': 3}
    >>> import pyarrow.parquet
    >>> pyarrow.parquet.read_table("edges.parquet").to_pydict()
    {'source': [0, 0, 1, 2], 'target': [1, 2, 2, 3], 'triangles': [1, 1, 1, 0]}
    """
    place = checked_place(output)
    if isinstance(graph, TiledGraph) and graph.oriented(threads=threads).on_cluster:
        if device != "auto":
            check_kind(device, kinds=("cpu",), name="triangles of edges of tiles")
        found = graph.oriented().write_table(_PLAN, place, partial(reporting, progress))
        if found is not None:
            return {name.removeprefix(INT): total for name, total in found.items()}
    network = as_graph(graph, not_tiled=_CLUSTER_ONLY).to_undirected(combine="first")
    folder = TableFolder(place)
    support = edge_support(network, threads=threads, device=device, progress=progress)
    ends, labels = dict(zip(("source", "target"), network.edges(), strict=True)), network.labels
    for part, start in enumerate(range(0, len(support), ROWS)):
        rows = slice(start, start + ROWS)
        of_part = {}
        for name, vertices in ends.items():
            numbers = vertices[rows].astype(np.int64)
            unlabelled = numbers >= (network.num_vertices if labels is None else len(labels))
            named = None if labels is None else labels[np.where(unlabelled, 0, numbers)]
            of_part[name] = (numbers, named, unlabelled)
        folder.write(part, parquet_of_edges(of_part, {"triangles": support[rows]}))
    totals = {"edges": len(support), "triangles": exact_sum(support)}
    folder.finish({"edges": totals["edges"], f"{INT}triangles": totals["triangles"]})
    return totals


def _no_columns(values: RangeValues) -> dict[str, np.ndarray]:  # noqa: ARG001 - of `TablePlan`
    return {}


_COUNTER = PartCounter(EDGE_SUPPORT.name.replace(" ", "-"), add_supports_of_tiles, 1, per_rank=True, entries=True)
_PLAN = TablePlan("edge support", (_COUNTER,), (), _no_columns, entries=True)
