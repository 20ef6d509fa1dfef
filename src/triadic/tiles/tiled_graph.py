"""A graph in tiles, which goes where a graph goes."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.memory import available_bytes
from triadic.core.sizes import parse_bytes, show_bytes
from triadic.devices.cpu.vertex_arrays import take
from triadic.errors import ArgumentError
from triadic.tiles.file_format import RESULTS
from triadic.tiles.of_graph import TilesOfGraph
from triadic.tiles.store import FolderStore
from triadic.tiles.stored_tiles import StoredTiles, open_store
from triadic.tiles.tiles import Tiles

if TYPE_CHECKING:
    from distributed import Client
    from numpy.typing import NDArray

    from triadic.core.arcs import Dropped
    from triadic.graph.graph import Graph
    from triadic.tiles.store import TileStore
    from triadic.tiles.tiles import Cluster

    Labels = NDArray[np.int64] | NDArray[np.object_]

_SHARE = 0.5  # of the memory that is there


class TiledGraph:
    r"""A graph that `triadic.tile` wrote, counted without ever being in memory as a whole.

    It goes where a `Graph` goes for `triangles`, `triangle_count`, `transitivity`, `clustering`, `average_clustering`,
    `triad_census` of 16 types, `triad_census_by_vertex`, `dyad_census` and the first five graphlets. What is counted
    is kept beside the tiles: a count that was stopped, even killed, goes on where its last finished group was, and one
    that is done is not counted again. Results at vertices are arrays mapped into memory.

    Parameters
    ----------
    tiles : str or path-like
        A folder, or a URL that fsspec knows.
    memory : int or str, optional
        Bytes to hold while counting, as 2 GB or "2GB"; half of what is available by default.
    results : path-like, optional
        Folder for what is counted; by default ``results`` beside the tiles, or one in the user's cache folder where
        they may only be read. A graph at a URL needs one.
    client : distributed.Client, optional
        Of a cluster that counts, whose workers see the tiles at the same path or URL. They keep to their own memory.

    Raises
    ------
    MissingFileError, ReadError
        There are no tiles, or they are damaged.

    Examples
    --------
    >>> import triadic
    >>> folder = getfixture("tmp_path")
    >>> _ = (folder / "kite.txt").write_text("1 2\n2 3\n1 3\n3 4\n")
    >>> _ = triadic.tile(folder / "kite.txt", folder / "kite.tiles", directed=False, ranges=2)
    >>> graph = triadic.TiledGraph(folder / "kite.tiles")
    >>> graph
    TiledGraph(undirected, 4 vertices, 4 edges, 2 ranges)
    >>> triadic.triangles(graph), triadic.transitivity(graph)
    (array([1, 1, 1, 0]), 0.6)
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
        self._take(source, _results(store, results), bytes_held, client)

    def _take(
        self, source: StoredTiles | TilesOfGraph, results: Path | None, memory: int, client: Client | None
    ) -> None:
        self._source = source
        self._tiles = Tiles(source, results, memory, None if client is None else _cluster_of(client))

    @classmethod
    def of(cls, graph: Graph, *, client: Client, ranges: int | None = None) -> TiledGraph:
        """Give a graph in memory to a cluster, which counts it tile by tile.

        Tiles go to workers one by one, when a task first needs them. Results are arrays in memory.

        Parameters
        ----------
        graph : Graph
        client : distributed.Client
        ranges : int, optional
            Number of ranges of vertices; by default so many that each thread of the cluster gets its tasks.
        """
        from triadic.tiles.cluster.connecting import check_client, enough_ranges  # noqa: PLC0415 - it builds on tiles

        check_client(client)
        if ranges is None:
            ranges = enough_ranges(client)
        elif isinstance(ranges, bool) or not isinstance(ranges, (int, np.integer)) or ranges < 1:
            raise ArgumentError(f"ranges={ranges!r}: expected a whole number of at least 1")
        made = cls.__new__(cls)
        made._take(TilesOfGraph(graph, int(ranges)), None, 0, client)  # noqa: SLF001 - of its own class
        return made

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return self._tiles.num_vertices

    @property
    def num_edges(self) -> int:
        """Number of edges of the skeleton."""
        return self._tiles.num_edges

    @property
    def num_arcs(self) -> int:
        """Number of arcs; of an undirected graph twice its edges."""
        return self._tiles.layout.arcs

    @property
    def directed(self) -> bool:
        """Whether edges have a direction."""
        return self._tiles.layout.directed

    @property
    def dropped(self) -> Dropped:
        """What was dropped or joined when the graph was tiled."""
        return self._tiles.layout.dropped

    @cached_property
    def labels(self) -> Labels | None:
        """Names of the vertices 0, 1, ...; vertices past its end have none."""
        return self._source.labels()

    @cached_property
    def degree(self) -> NDArray[np.int64]:
        """Degree of each vertex in the skeleton, mapped into memory."""
        found = self._tiles.result("degree-of-vertices", (self.num_vertices,), np.int64)
        take(self._tiles.degree, self._tiles.rank, threads=resolve_threads(None), out=found)
        return found

    def oriented(self, *, threads: int | None = None) -> Tiles:
        """Return what counts take in place of an oriented graph."""
        resolve_threads(threads)
        return self._tiles

    def __repr__(self) -> str:
        kind, layout = ("directed", self._tiles.layout) if self.directed else ("undirected", self._tiles.layout)
        edges = f"{self.num_arcs} arcs" if self.directed else f"{self.num_edges} edges"
        return f"TiledGraph({kind}, {self.num_vertices} vertices, {edges}, {layout.ranges} ranges)"

    def _repr_html_(self) -> str:
        from triadic.core.notebook import html_table  # noqa: PLC0415 - for notebooks alone

        rows = {
            "vertices": self.num_vertices,
            "arcs" if self.directed else "edges": self.num_arcs if self.directed else self.num_edges,
            "ranges": self._tiles.layout.ranges,
            "in tiles": show_bytes(self._source.nbytes),
        }
        return html_table("TiledGraph", (), rows.items())


def _cluster_of(client: Client) -> Cluster:
    from triadic.tiles.cluster.counting import DaskCluster  # noqa: PLC0415 - seldom needed

    return DaskCluster(client)


def _results(store: TileStore, results: str | os.PathLike[str] | None) -> Path:
    if results is not None:
        return Path(results)
    if isinstance(store, FolderStore):
        beside = store.folder / RESULTS
        if os.access(beside if beside.exists() else store.folder, os.W_OK):
            return beside
        from triadic.tiles.url_store import work_folder  # noqa: PLC0415 - seldom needed

        return work_folder(str(store.folder.resolve())) / RESULTS
    import tempfile  # noqa: PLC0415 - seldom needed

    return Path(tempfile.mkdtemp(prefix="triadic-"))
