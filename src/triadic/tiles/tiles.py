"""The tiles of a graph as counts take them, in place of an oriented graph in memory."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.blocks import resolve_threads
from triadic.tiles.engine import count
from triadic.tiles.lock import locked
from triadic.tiles.results import by_rank, mapped
from triadic.tiles.sums import Counting, SumsInFolder
from triadic.tiles.work import tests

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.blocks import Progress
    from triadic.tiles.stored import StoredTiles
    from triadic.tiles.sums import CountPart
    from triadic.tiles.tile import TileSource

    Ids = NDArray[np.integer[Any]]


class Tiles:
    """A tiled graph with a folder for results.

    Parameters
    ----------
    source : StoredTiles
    results : Path
        Where what is counted is kept: it outlives the process, and is gone on with.
    memory : int
        Bytes to hold while counting.
    """

    def __init__(self, source: StoredTiles, results: Path, memory: int) -> None:
        self.source, self.results, self.memory = source, results, memory
        self.layout = source.layout

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
        return by_rank(self.results / "degree.npy", self.layout, self.source.fingerprint, self.source.degree)

    def room(self, name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
        """Give an array for a result, in a file that is mapped into memory."""
        return mapped(self.results / f"{name}.npy", shape, dtype)

    def count(
        self,
        name: str,
        of_part: CountPart,
        *,
        columns: int = 1,
        at_ranks: bool,
        threads: int | None,
        progress: Progress | None,
    ) -> Any:
        """Count in triples of tiles what a function counts in a part.

        Parameters
        ----------
        name : str
            Of the folder that keeps it.
        of_part : callable
            As `triadic.tiles.sums.Counting` has it.
        columns : int, default 1
        at_ranks : bool
        threads : int
        progress : callable, optional

        Returns
        -------
        list of int, or int64 array
            Shape (n,) or (n, columns) at ranks, mapped into memory.
        """
        counting = Counting(name, of_part, columns, at_ranks)
        folder, graph = self.results / name, self.source.fingerprint
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            sums = SumsInFolder(folder, self.layout, counting, graph)
            count(
                self.source,
                counting,
                sums,
                tested=self._tested,
                memory=self.memory,
                threads=resolve_threads(threads),
                progress=progress,
            )
            if not at_ranks:
                return sums.totals()
            return by_rank(folder / "all.npy", self.layout, graph, sums.at_range)

    def _tested(self, source: TileSource) -> NDArray[np.float64]:
        path = self.results / "tests.npy"
        try:
            found: NDArray[np.float64] = np.load(path, allow_pickle=False)
            if found.shape == (self.layout.ranges,) * 3:
                return found
        except (OSError, ValueError, EOFError):
            pass
        found = tests(source)
        mapped(path, found.shape, np.float64)[:] = found
        return found
