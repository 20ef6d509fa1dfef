"""`TiledGraph`, a graph in tiles that measures accept in place of a graph in memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.core.arcs import Origin
from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_whole, checked
from triadic.core.formatting import html_table, plural
from triadic.core.memory import available_bytes, parse_bytes, show_bytes
from triadic.core.oriented import frozen
from triadic.core.records import cached_property
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph, entry_weights
from triadic.graph.labels import LabelledGraph
from triadic.tiles.file_format import RESULTS
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.oriented_tiles import OrientedTiles
from triadic.tiles.store import FolderStore
from triadic.tiles.stored_tiles import StoredTiles, open_store

if TYPE_CHECKING:
    from distributed import Client

    from triadic.core.arcs import Dropped
    from triadic.core.array_types import Int64Array, ObjectArray
    from triadic.tiles.cluster.dask_cluster import DaskCluster
    from triadic.tiles.url_store import TileStore

    Labels = Int64Array | ObjectArray

_SHARE = 0.5  # of the available memory, for counting


@checked
class TiledGraph(LabelledGraph):
    r"""A graph in tiles that `triadic.tile` wrote, which is counted without being in memory as a whole.

    Measures of triangles, clustering, directed clustering, closure and triads, and graphlets of three vertices accept
    it in place of a `Graph` and return the same results; of tiles with weights also weighted clustering and signed
    triangles. Their documentation names a `TiledGraph` among the values of `graph`. All other functions refuse it with
    an `UnsupportedError`.

    Parameters
    ----------
    tiles : str or path-like
        Folder of the tiles, or a URL that fsspec can open, such as ``s3://bucket/network.tiles``.
    memory : int or str, optional
        Bytes that counting may hold beside what the process holds when it is idle, such as ``2_000_000_000`` or
        ``"2GB"``. A count for which the tiles are too coarse is refused. By default half of the memory that is
        available.
    results : path-like, optional
        Folder for results and unfinished counts. By default ``results`` in the folder of the tiles, or a folder in the
        user's cache folder if the tiles are at a URL or their folder cannot be written to.
    client : distributed.Client, optional
        Client of a Dask cluster that counts. Its workers must be able to read `tiles` at the same path or URL. Each
        worker uses its own memory, and `memory` is ignored. By default this process counts.

    Raises
    ------
    MissingFileError
        If there are no tiles, or `triadic.tile` has not finished them.
    ReadError
        If the header of the tiles is damaged.
    ArgumentError
        If `memory` is not a size, or `client` is not a synchronous client of Dask.
    MissingExtraError
        If the tiles are at a URL and fsspec, or the package it needs for this kind of URL, is not installed.

    See Also
    --------
    tile : Cut a network into tiles.

    Notes
    -----
    Making a `TiledGraph` reads only the header of the tiles. A count of triangles reads each of the P (P + 1) / 2 tiles
    of P ranges at most P times, and once if all tiles fit into `memory`.

    Results are stored in the folder for results. About once a minute the finished part of a count is stored there as
    well: a count that was interrupted, even killed, resumes from there, and a finished count is not repeated. Results
    at vertices are arrays mapped into memory.

    Examples
    --------
    >>> import triadic
    >>> model = triadic.generate.RMat(8, seed=1)
    >>> _ = triadic.tile(model, "network.tiles", ranges=2)
    >>> tiled = triadic.TiledGraph("network.tiles", memory="1GB")
    >>> tiled
    TiledGraph(undirected, 256 vertices, 2,158 edges, 2 ranges)
    >>> triadic.transitivity(tiled) == triadic.transitivity(triadic.generate.make_graph(model))
    True
    """

    def __init__(
        self,
        tiles: str | os.PathLike[str],
        *,
        memory: int | str | None = None,
        results: str | os.PathLike[str] | None = None,
        client: Client | None = None,
    ) -> None:
        store = open_store(tiles)
        source = StoredTiles(store)
        bytes_held = int(_SHARE * available_bytes()) if memory is None else parse_bytes(memory)
        weighted = None if source.weight_limits is None else source.with_weights()
        self._set(source, weighted, _results_folder(store, results), bytes_held, client, _origin_of(source.origin))

    def _set(
        self,
        source: StoredTiles | MemoryTiles,
        weighted: StoredTiles | MemoryTiles | None,
        results: Path | None,
        memory: int,
        client: Client | None,
        origin: Origin | None = None,
    ) -> None:
        self._source, self._weighted_source, self._results, self._memory = source, weighted, results, memory
        self._cluster: DaskCluster | None = None
        if client is not None:
            from triadic.tiles.cluster.dask_cluster import DaskCluster  # noqa: PLC0415 - seldom needed

            self._cluster = DaskCluster(client)
        self._origin = origin or Origin()
        self._label_index = None

    @cached_property
    def _oriented(self) -> OrientedTiles:
        return OrientedTiles(self._source, self._results, self._memory, self._cluster)

    @cached_property
    def _weighted_oriented(self) -> OrientedTiles:
        """The oriented form whose tiles come with weights; other counts do not read them.

        Raises
        ------
        ArgumentError
            If the tiles have no weights.
        """
        if self._weighted_source is None:
            raise ArgumentError(
                "graph: the tiles have no weights; expected tiles that were made with weights, as by "
                'triadic.tile(..., weights="column")'
            )
        return OrientedTiles(self._weighted_source, self._results, self._memory, self._cluster)

    @classmethod
    def of(cls, graph: Graph, *, client: Client, ranges: int | None = None) -> TiledGraph:
        """Return a graph in memory as a tiled graph that a Dask cluster counts.

        Each tile is sent to a worker when a task first needs it; nothing is written to disk. Results are arrays in
        memory, and an interrupted count starts again.

        Parameters
        ----------
        graph : Graph
            The graph.
        client : distributed.Client
            Client of the cluster.
        ranges : int, optional
            Number of ranges of vertices, at least 1; P ranges make P (P + 1) (P + 2) / 6 tasks. By default the smallest
            number that makes 12 tasks for each thread of the cluster.

        Returns
        -------
        TiledGraph
            A tiled graph with the vertices and labels of `graph`.

        Raises
        ------
        ArgumentError
            If `graph` is not a `Graph`, `client` is not a synchronous client of Dask, or `ranges` is not an integer of
            at least 1.

        Examples
        --------
        >>> import triadic
        >>> from distributed import Client  # doctest: +SKIP
        >>> graph = triadic.generate.rmat(8, seed=1)
        >>> with Client("tcp://scheduler:8786") as client:  # doctest: +SKIP
        ...     triadic.triangle_count(triadic.TiledGraph.of(graph, client=client))
        """
        from triadic.tiles.cluster.client import check_client, enough_ranges  # noqa: PLC0415 - seldom needed

        check_client(client)
        if not isinstance(graph, Graph):
            raise ArgumentError(f"graph: TiledGraph.of got a {type(graph).__name__}; expected a Graph")
        if ranges is None:
            ranges = enough_ranges(client)
        check_whole("ranges", ranges, 1)
        tiles = MemoryTiles(
            graph.oriented(), int(ranges), arcs=graph.num_arcs, dropped=graph.dropped, labels=graph.labels
        )
        weighted = tiles.with_weights(entry_weights(graph, threads=None)) if graph.is_weighted else None
        tiled = cls.__new__(cls)
        tiled._set(tiles, weighted, None, 0, client, graph.origin)  # noqa: SLF001 - of its own class
        return tiled

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return self._source.layout.vertices

    @property
    def num_edges(self) -> int:
        """Number of edges of the skeleton, m: edges without direction."""
        return self._source.layout.edges

    @property
    def num_arcs(self) -> int:
        """Number of arcs; an undirected edge is two arcs."""
        return self._source.layout.arcs

    @property
    def directed(self) -> bool:
        """Whether edges have a direction."""
        return self._source.layout.directed

    @property
    def is_weighted(self) -> bool:
        """Whether the tiles hold a weight of each edge."""
        return self._weighted_source is not None

    @property
    def dropped(self) -> Dropped:
        """Number of loops, repeats and reverse arcs that were dropped or merged when the graph was tiled."""
        return self._source.layout.dropped

    @property
    def origin(self) -> Origin:
        """What the graph was made from, and how its direction was decided; the default for tiles that are stored."""
        return self._origin

    @cached_property
    def labels(self) -> Labels | None:
        """Names of the vertices 0, 1, ...: int64 array or object array of str, shape (at most n,); None without."""
        return self._source.labels()

    @cached_property
    def degree(self) -> Int64Array:
        """Degree of each vertex in the skeleton: int64, shape (n,), mapped into memory. O(n)."""
        at_rank, threads = self._oriented.degree, resolve_threads(None)
        return frozen(self._oriented.at_vertices(at_rank, "degree-of-vertices", threads=threads))

    def oriented(self, *, threads: int | None = None) -> OrientedTiles:
        """Return the oriented form that counting takes, which reads tiles when they are needed.

        Parameters
        ----------
        threads : int, optional
            Number of threads. It is checked and not used, so that the method has the parameters of `Graph.oriented`.

        Returns
        -------
        OrientedTiles
            The oriented graph by tiles.

        Raises
        ------
        ArgumentError
            If `threads` is not an integer of at least 1.
        """
        resolve_threads(threads)
        return self._oriented

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        edges = plural(self.num_arcs, "arc") if self.directed else plural(self.num_edges, "edge")
        ranges = f"{plural(self._source.layout.ranges, 'range')}{', with weights' if self.is_weighted else ''}"
        return f"TiledGraph({kind}, {plural(self.num_vertices, 'vertex', 'vertices')}, {edges}, {ranges})"

    def _repr_html_(self) -> str:
        rows = {
            "vertices": self.num_vertices,
            "arcs" if self.directed else "edges": self.num_arcs if self.directed else self.num_edges,
            "ranges": self._source.layout.ranges,
            "in tiles": show_bytes(self._source.nbytes),
        }
        return html_table("TiledGraph", (), rows.items())


def _origin_of(header: dict[str, Any]) -> Origin:
    """Return what the header of tiles records of their input."""
    columns, direction = header.get("columns"), header.get("direction")
    return Origin(
        columns if isinstance(columns, str) else None,
        direction if direction in ("stated", "assumed") else "given",
        weights=header.get("combined"),
    )


def _results_folder(store: TileStore, results: str | os.PathLike[str] | None) -> Path:
    """Return the folder for results: the given one, one beside the tiles, or one in the user's cache folder."""
    if results is not None:
        return Path(results)
    place = store.place
    if isinstance(store, FolderStore):
        beside = store.folder / RESULTS
        if os.access(beside if beside.exists() else store.folder, os.W_OK):
            return beside
        place = str(store.folder.resolve())
    from triadic.tiles.url_store import work_folder  # noqa: PLC0415 - seldom needed

    return work_folder(place) / RESULTS
