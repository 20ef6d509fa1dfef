"""The graphlet transform and its result. The directions of arcs are ignored.

A graphlet is a connected graph of up to four vertices with a marked vertex. The transform counts, at each vertex of a
network, the subgraphs (raw) or induced subgraphs (net) in which the vertex has the marked place. Raw frequencies follow
from a few counts, and net frequencies from raw ones; docs/graphlets.md has the formulas and a picture of each graphlet.

References
----------
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
Athanasiadis (2023), "FGLT with CUDA", section 1, for the first five graphlets.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import Table, frame, table_of_graphs
from triadic.core.blocks import resolve_threads, split
from triadic.core.checked import checked
from triadic.core.exact import exact_column_sums
from triadic.core.formatting import html_table, plural, text_counts
from triadic.core.graphlets import GRAPHLET_NAMES, GRAPHS
from triadic.core.oriented import frozen, int_empty
from triadic.core.progress import reporting
from triadic.core.records import cached_property
from triadic.counts.count import chosen_device, run
from triadic.counts.graphlet_formulas import check_width, net_of, raw_of
from triadic.counts.graphlets import FOUR_VERTEX_COUNTS
from triadic.counts.triads import NEIGHBOUR_SUMS
from triadic.counts.triangles import TRIANGLES
from triadic.errors import ArgumentError
from triadic.graph.batch import GraphBatch, sums_by_graph, vertex_columns

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from numpy.typing import DTypeLike

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword


Kind = Literal["net", "raw"]

_PART = 1 << 16  # vertices of the graphs of a batch that are counted at a time
_NOT_TILED = FOUR_VERTEX_COUNTS.not_tiled


@checked
@dataclass(frozen=True, eq=False, repr=False)
class GraphletTransform:
    """Graphlet frequencies at each vertex, as `triadic.graphlet_transform` returns them.

    ``numpy.asarray`` of a transform returns its net frequencies.

    Parameters
    ----------
    raw : int64 array, shape (n, 16) or (n, 5)
        Raw frequencies.
    threads : int, optional
        Number of threads that compute the net frequencies; by default as many as the process may use.
    labels : int64 array or object array of str, optional
        Labels of the vertices.
    batch : GraphBatch, optional
        The batch that the vertices belong to.

    See Also
    --------
    graphlet_transform : Count the graphlets of a graph.

    Examples
    --------
    >>> import triadic
    >>> transform = triadic.graphlet_transform(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]), size=3)
    >>> transform.names
    ('vertex', 'degree', '2-path end', '2-path middle', 'triangle')
    >>> transform.raw[2].tolist(), transform.net[2].tolist()
    ([1, 3, 2, 3, 1], [1, 3, 0, 2, 1])
    """

    raw: Int64Array
    """Number of subgraphs, induced or not, of each graphlet at each vertex: int64, shape (n, 16) or (n, 5)."""
    _: KW_ONLY
    threads: int | None = None
    labels: AnyArray | None = None
    """Labels of the vertices, or None; vertices beyond the end of the array have no label."""
    batch: GraphBatch | None = None
    """The batch that the vertices belong to, or None."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "raw", frozen(self.raw))
        if self.labels is not None:
            object.__setattr__(self, "labels", frozen(self.labels))

    def __reduce__(self) -> tuple[Any, ...]:
        # __init__ makes the arrays read-only again
        return partial(type(self), labels=self.labels, batch=self.batch), (self.raw,)

    @cached_property
    def net(self) -> Int64Array:
        """Number of induced subgraphs of each graphlet at each vertex: int64, the shape of `raw`; computed once."""
        return frozen(net_of(self.raw, threads=resolve_threads(self.threads)))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the graphlets, the columns of `raw` and `net`."""
        return GRAPHLET_NAMES[: self.raw.shape[1]]

    @property
    def raw_sums(self) -> tuple[int, ...]:
        """Sums of the raw frequencies over all vertices, as Python ints: some exceed 2**63."""
        return tuple(exact_column_sums(self.raw))

    @property
    def net_sums(self) -> tuple[int, ...]:
        """Sums of the net frequencies over all vertices, as Python ints."""
        return tuple(exact_column_sums(self.net))

    @property
    def totals(self) -> dict[str, int]:
        """Number of induced subgraphs of the network by name, of up to four vertices (three for five graphlets)."""
        net = self.net_sums
        return {name: net[column] // vertices for name, (column, vertices) in GRAPHS.items() if column < len(net)}

    @property
    def graph_totals(self) -> Table:
        """Number of induced subgraphs of each graph of a batch, one row for each graph, by the names of `totals`."""
        batch = self.batch
        if batch is None:
            raise ArgumentError("the transform is that of a single graph; totals holds its numbers of subgraphs")
        sums = sums_by_graph(self.net[batch._by_graph], batch.offsets)  # noqa: SLF001 - for measures of batches
        columns = {name: sums[:, i] // vertices for name, (i, vertices) in GRAPHS.items() if i < sums.shape[1]}
        return table_of_graphs(columns, batch.names)

    def __len__(self) -> int:
        return len(self.raw)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> AnyArray:
        return np.array(self.net, dtype, copy=copy)

    def __repr__(self) -> str:
        return "\n".join([type(self).__name__, *text_counts(self.totals)])

    def _repr_html_(self) -> str:
        title = f"Induced subgraphs at {plural(len(self), 'vertex', 'vertices')}"
        return html_table(title, ("name", "count"), self.totals.items())

    def to_pandas(self, kind: Kind = "net") -> pd.DataFrame:
        """Return the frequencies as a pandas DataFrame.

        Parameters
        ----------
        kind : {"net", "raw"}, default "net"
            Which frequencies to return.

        Returns
        -------
        pandas.DataFrame
            One row per vertex and one column per graphlet; the index "label" holds the labels of the vertices, or their
            numbers if the labels are not all different. Of a batch, the index has the levels "graph" and "label",
            and the numbers are those in each graph.

        Raises
        ------
        ArgumentError
            If `kind` is another string.
        MissingExtraError
            If pandas is not installed.
        """
        index = ["label"] if self.batch is None else ["graph", "label"]
        return frame(self._columns(kind), "pandas", index=index)

    def to_polars(self, kind: Kind = "net") -> pl.DataFrame:
        """Return the frequencies as a polars DataFrame.

        Parameters
        ----------
        kind : {"net", "raw"}, default "net"
            Which frequencies to return.

        Returns
        -------
        polars.DataFrame
            One row per vertex: the column "label" holds its label, or its number if the labels are not all different;
            the other columns are the graphlets. Of a batch, the first column "graph" holds the name or the
            number of its graph, and numbers of vertices are those in each graph.

        Raises
        ------
        ArgumentError
            If `kind` is another string.
        MissingExtraError
            If polars is not installed.
        """
        return frame(self._columns(kind), "polars")

    def _columns(self, kind: Kind) -> dict[str, AnyArray]:
        if kind not in get_args(Kind):
            raise ArgumentError(f"kind={kind!r}: expected 'net' or 'raw'")
        frequencies = self.net if kind == "net" else self.raw
        by_name = dict(zip(self.names, np.ascontiguousarray(frequencies.T), strict=True))
        return {**vertex_columns(self.labels, len(self), self.batch), **by_name}


def graphlet_transform(
    graph: GraphLike,
    *,
    size: int = 4,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> GraphletTransform:
    """Count the graphlets of up to four vertices at each vertex.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
        A `TiledGraph` has the graphlets of three vertices only.
    size : {4, 3}, default 4
        Number of vertices of the largest graphlets: four for all 16, or three for the first five, which need only
        triangles.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    GraphletTransform
        Raw and net frequencies at each vertex, int64 arrays of shape (n, graphlets), and the number of induced
        subgraphs of each kind in the whole graph.

    Raises
    ------
    ArgumentError
        If `size` is not 4 or 3, or another argument does not have an accepted value.
    CountOverflowError
        If a frequency could exceed 64 bits: the claws at a vertex with more than 3,810,779 neighbours.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If `size` is 4 for a `TiledGraph`.

    See Also
    --------
    graphlets : Count graphlets of up to five vertices in the order of Pržulj and ORCA, also at edges.
    compare : Compare two networks.
    vertex_table : Compute the frequencies and other measures as the columns of a table.

    Notes
    -----
    Counting 4-cycles takes most of the time: the sum over edges of the smaller of two degrees. While counting, about 25
    bytes per edge (up to 40 in very dense graphs) and 32 bytes per vertex and thread are held beside the graph. Raw and
    net frequencies take 128 bytes per vertex each; net frequencies are computed when they are first read. Beside the
    graphs of a batch, and the frequencies, 10 MB are held, or what its largest graph takes.

    References
    ----------
    Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
    Athanasiadis (2023), "FGLT with CUDA", section 1, for the first five graphlets.
    Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for 4-cycles.

    Examples
    --------
    >>> import triadic
    >>> transform = triadic.graphlet_transform(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    >>> transform.net[2].tolist()
    [1, 3, 0, 2, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    >>> transform.totals["paw"], transform.totals["2-path"]
    (1, 2)
    """
    batch = graph if isinstance(graph, GraphBatch) else None
    machine: Any = {"threads": threads, "device": device, "progress": progress}
    if size == 3:
        tiled = as_graph(graph, tiled=True, batch=True)
        rows = tiled.oriented(threads=threads)
        triangles = run(TRIANGLES, rows, **machine)
        near = run(NEIGHBOUR_SUMS, rows, rows.degree[:, None], threads=threads, device=device)
        raw = rows.result("graphlets", (rows.num_vertices, 5), np.int64)
        raw_of(rows, (triangles, near), threads=resolve_threads(threads), out=raw)
        return GraphletTransform(raw, threads=threads, labels=tiled.labels, batch=batch)
    if size != 4:
        raise ArgumentError(f"size={size!r}: expected 4 or 3")
    reason = f"only size=3 is counted by tiles, as {_NOT_TILED}"
    graph = as_graph(graph, not_tiled=reason, batch=True)
    oriented = graph.oriented(threads=threads)
    check_width(graph, oriented.num_edges, int(oriented.degree.max(initial=0)))
    raw, workers = int_empty((oriented.num_vertices, 16)), resolve_threads(threads)
    parts: list[tuple[int, Oriented]] = [(0, oriented)]
    large = oriented.num_vertices > _PART
    if batch is not None and large and chosen_device(FOUR_VERTEX_COUNTS, device, oriented) == "cpu":
        parts = list(batch._parts(_PART))  # noqa: SLF001 - so that of all numbers only the frequencies are held at once
    if len(parts) == 1:
        counts = run(FOUR_VERTEX_COUNTS, oriented, **machine)
        raw_of(oriented, counts, threads=workers, out=raw)
        return GraphletTransform(raw, threads=threads, labels=graph.labels, batch=batch)
    with reporting(progress, FOUR_VERTEX_COUNTS.label) as report:
        for (first, part), each in zip(parts, split(report, [1.0] * len(parts)), strict=True):
            counts = run(FOUR_VERTEX_COUNTS, part, threads=threads, device=device, progress=each or False)
            raw_of(part, counts, threads=workers, out=raw[first : first + part.num_vertices])
    return GraphletTransform(raw, threads=threads, labels=graph.labels, batch=batch)
