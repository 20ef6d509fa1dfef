"""The tiles of a graph as counts take them, in place of an oriented graph in memory."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.errors import WriteError
from triadic.tiles.edge_sums import sum_over_edges
from triadic.tiles.engine import count
from triadic.tiles.file_format import put_array
from triadic.tiles.leaves import WithoutLeaves, ranks_without_leaves
from triadic.tiles.results import by_rank, mapped
from triadic.tiles.store import FolderStore, locked
from triadic.tiles.sums import SumsInFolder, SumsInMemory
from triadic.tiles.work import entries_tested

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.tiles.of_graph import TilesOfGraph
    from triadic.tiles.stored_tiles import StoredTiles
    from triadic.tiles.sums import PartCount, Sums

    Ids = NDArray[np.integer[Any]]


class Cluster(Protocol):
    """A cluster that counts the tiles of a graph."""

    def sum_over_triples(
        self,
        tiles: WithoutLeaves,
        counter: PartCount,
        sums: Sums,
        *,
        tested: Callable[[Callable[[], NDArray[np.float64]]], NDArray[np.float64]],
        progress: Progress | None,
    ) -> None:
        """Count every triple of tiles whose counts are not in `sums` yet."""

    def sum_over_edges(
        self,
        tiles: StoredTiles | TilesOfGraph,
        counter: PartCount,
        inputs: tuple[NDArray[Any], ...],
        result: Callable[[tuple[int, ...]], NDArray[np.int64]],
        *,
        progress: Progress | None,
    ) -> NDArray[np.int64]:
        """Count every tile and add up."""


class Tiles:
    """A tiled graph, a place for results, and what counts its triples.

    Parameters
    ----------
    source : StoredTiles or TilesOfGraph
    results : Path or None
        Folder where what is counted is kept: it outlives the process, and is gone on with. None keeps it in memory.
    memory : int
        Bytes to hold while counting here.
    cluster : Cluster, optional
        Counts elsewhere.
    """

    def __init__(
        self,
        source: StoredTiles | TilesOfGraph,
        results: Path | None,
        memory: int,
        cluster: Cluster | None = None,
    ) -> None:
        self.source, self.results, self.memory = source, results, memory
        self.layout = source.layout
        self._cluster = cluster

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return self.layout.vertices

    @property
    def num_edges(self) -> int:
        """Number of edges, m."""
        return self.layout.edges

    @cached_property
    def rank(self) -> Ids:
        """Rank of each vertex, mapped into memory."""
        return self.source.rank_of_vertices()

    @cached_property
    def degree(self) -> NDArray[np.int64]:
        """Degree of each rank in the skeleton, mapped into memory."""
        if self.results is None:
            return self._in_memory(self.source.degree)
        return by_rank(self.results / "degree.npy", self.layout, self.source.fingerprint, self.source.degree)

    @cached_property
    def counted(self) -> WithoutLeaves:
        """What is counted: the tiles without the vertices that no triangle can hold."""
        return WithoutLeaves(self.source, ranks_without_leaves(self.source))

    def result(self, name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
        """Return an array of zeros for a result, in a file of this name that is mapped into memory."""
        if self.results is None:
            return np.zeros(shape, dtype=dtype)
        return mapped(self.results / f"{name}.npy", shape, dtype)

    def sum_over_edges(
        self, counter: PartCount, inputs: tuple[NDArray[Any], ...], *, progress: Progress | None
    ) -> NDArray[np.int64]:
        """Count something that adds up over edges, in one pass over the tiles.

        Parameters
        ----------
        counter : PartCount
        inputs : tuple of array
            What the count takes: a row for each rank.
        progress : callable, optional

        Returns
        -------
        int64 array
            Shape (columns,), or (n,) or (n, columns) at ranks, mapped into memory.
        """

        def result(shape: tuple[int, ...]) -> NDArray[np.int64]:
            return self.result(counter.name, shape, np.int64)

        if self._cluster is not None:
            return self._cluster.sum_over_edges(self.source, counter, inputs, result, progress=progress)
        return sum_over_edges(self.source, counter, inputs, result, progress)

    def sum_over_triples(
        self, counter: PartCount, *, threads: int | None, progress: Progress | None
    ) -> NDArray[np.int64]:
        """Count something that adds up over triangles, in the triples of tiles.

        Parameters
        ----------
        counter : PartCount
        threads : int
        progress : callable, optional

        Returns
        -------
        int64 array
            Shape (columns,), or (n,) or (n, columns) at ranks, mapped into memory.

        Raises
        ------
        WriteError
            If the folder for results cannot be made.
        """
        layout = self.counted.layout
        if self.results is None:
            in_memory = SumsInMemory(layout, counter)
            self._count(counter, in_memory, threads, progress)
            if not counter.at_ranks:
                return np.array(in_memory.totals(), dtype=np.int64)
            return self._in_memory(partial(self._with_leaves, in_memory))
        folder, graph = self.results / counter.name, self.source.fingerprint
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(
                f"{folder}: cannot be made: {error.strerror}; expected results= a folder to write to"
            ) from None
        with locked(folder):
            sums = SumsInFolder(folder, layout, counter, graph)
            self._count(counter, sums, threads, progress)
            if not counter.at_ranks:
                return np.array(sums.totals(), dtype=np.int64)
            return by_rank(folder / "all.npy", self.layout, graph, partial(self._with_leaves, sums))

    def _count(self, counter: PartCount, sums: Sums, threads: int | None, progress: Progress | None) -> None:
        if self._cluster is not None:
            self._cluster.sum_over_triples(self.counted, counter, sums, tested=self._tested, progress=progress)
            return
        count(
            self.counted,
            counter,
            sums,
            tested=lambda tiles: self._tested(partial(entries_tested, tiles)),
            memory=self.memory,
            threads=resolve_threads(threads),
            progress=progress,
        )

    def _with_leaves(self, sums: Sums, i: int) -> NDArray[np.int64]:
        """Give the sums at all ranks of a range: none at those that no triangle can hold."""
        found, length = sums.at_range(i), self.layout.length(i)
        if len(found) == length:
            return found
        return np.concatenate([found, np.zeros((length - len(found), *found.shape[1:]), dtype=np.int64)])

    def _tested(self, of_all: Callable[[], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Give the entries that triples test: what was noted of them, or what the function gives."""
        noted = self.source.tested()
        if noted is not None:
            return noted
        if self.results is None:
            return of_all()
        name = f"tested-{self.source.fingerprint}.npy"
        with suppress(OSError, ValueError, EOFError):
            found: NDArray[np.float64] = np.load(self.results / name, allow_pickle=False)
            return found.reshape((self.layout.ranges,) * 3)
        found = of_all()
        put_array(FolderStore(self.results), name, found.reshape(-1))
        return found

    def _in_memory(self, of_range: Callable[[int], NDArray[np.int64]]) -> NDArray[np.int64]:
        return np.concatenate([of_range(i) for i in range(self.layout.ranges)])
