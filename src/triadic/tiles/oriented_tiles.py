"""The oriented graph of a tiled graph, which counts take in place of an oriented graph in memory."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.cached import cached_property
from triadic.errors import WriteError
from triadic.tiles.edge_sums import sum_over_edges
from triadic.tiles.engine import count
from triadic.tiles.sealed_array import mapped_zeros, new_file, read_sealed, write_sealed
from triadic.tiles.store import locked
from triadic.tiles.sums import FolderSums, MemorySums
from triadic.tiles.tile import LeaflessTiles, num_leafless_ranks
from triadic.tiles.work import entries_tested

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.tiles.engine import OnDevice
    from triadic.tiles.memory_tiles import MemoryTiles
    from triadic.tiles.stored_tiles import StoredTiles
    from triadic.tiles.sums import PartCounter, PartialSums

    Ids = NDArray[np.integer[Any]]
    Tests = NDArray[np.float64]


class Cluster(Protocol):
    """A cluster that counts the tiles of a graph."""

    def sum_over_triples(
        self,
        tiles: LeaflessTiles,
        counter: PartCounter,
        sums: PartialSums,
        *,
        tests: Callable[[Callable[[], Tests]], Tests],
        progress: Progress | None,
    ) -> None:
        """Count every triple that is not in `sums` yet, and add its counts to `sums`.

        ``tests(compute)`` returns the stored numbers of tests, and those that ``compute()`` returns if none are stored.
        """

    def sum_over_edges(
        self,
        tiles: StoredTiles | MemoryTiles,
        counter: PartCounter,
        inputs: tuple[NDArray[Any], ...],
        result: Callable[[tuple[int, ...]], NDArray[np.int64]],
        *,
        progress: Progress | None,
    ) -> NDArray[np.int64]:
        """Count every tile and return the sums."""


class OrientedTiles:
    """The oriented graph of a tiled graph, with a folder for results.

    Parameters
    ----------
    source : StoredTiles or MemoryTiles
        The tiles.
    results : Path or None
        Folder for results and unfinished sums, which outlives the process. None keeps them in memory.
    memory : int
        Bytes that counting on this machine may use.
    cluster : Cluster, optional
        A cluster that counts; by default this machine does.
    """

    def __init__(
        self,
        source: StoredTiles | MemoryTiles,
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
    def device(self) -> None:
        """None: tiles lie on no device."""
        return None

    @property
    def num_edges(self) -> int:
        """Number of edges, m."""
        return self.layout.edges

    @cached_property
    def rank(self) -> Ids:
        """Rank of each vertex, shape (n,); of stored tiles mapped into memory."""
        return self.source.rank_of_vertices()

    @cached_property
    def degree(self) -> NDArray[np.int64]:
        """Degree of each rank in the skeleton, shape (n,); of stored tiles mapped into memory."""
        return self._by_rank("degree.npy", self.source.degree)

    @cached_property
    def leafless(self) -> LeaflessTiles:
        """The tiles without vertices of degree 0 and 1, which are in no triangle."""
        return LeaflessTiles(self.source, num_leafless_ranks(self.source))

    def result(self, name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
        """Return an array of zeros for a result, mapped into memory from a new file ``name.npy``.

        Raises
        ------
        WriteError
            If the file cannot be written.
        """
        if self.results is None:
            return np.zeros(shape, dtype=dtype)
        return _mapped(self.results / f"{name}.npy", shape, dtype)

    def sum_over_edges(
        self, counter: PartCounter, inputs: tuple[NDArray[Any], ...], *, progress: Progress | None
    ) -> NDArray[np.int64]:
        """Return a count that adds up over edges, in one pass over the tiles.

        Parameters
        ----------
        counter : PartCounter
            The count.
        inputs : tuple of array
            Inputs of the count, each with a row for each rank.
        progress : callable, optional
            Called with the work done and in total.

        Returns
        -------
        int64 array
            Shape (columns,), or (n,) or (n, columns) at ranks; at ranks mapped into memory.
        """

        def result(shape: tuple[int, ...]) -> NDArray[np.int64]:
            return self.result(counter.name, shape, np.int64)

        if self._cluster is not None:
            return self._cluster.sum_over_edges(self.source, counter, inputs, result, progress=progress)
        return sum_over_edges(self.source, counter, inputs, result, progress)

    def sum_over_triples(
        self,
        counter: PartCounter,
        *,
        threads: int | None,
        progress: Progress | None,
        on_device: OnDevice | None = None,
    ) -> NDArray[np.int64]:
        """Return a count that adds up over triangles, counted triple by triple.

        Parameters
        ----------
        counter : PartCounter
            The count.
        threads : int, optional
            Number of threads; by default as many as the process may use. A cluster uses its own number.
        progress : callable, optional
            Called with the work done and in total.
        on_device : callable, optional
            Counts many triples at once, as `triadic.tiles.engine.count` says. A cluster does not use it.

        Returns
        -------
        int64 array
            Shape (columns,), or (n,) or (n, columns) at ranks; at ranks mapped into memory.

        Raises
        ------
        WriteError
            If the folder for results cannot be created.
        """
        layout = self.leafless.layout
        if self.results is None:
            in_memory = MemorySums(layout, counter)
            self._count(counter, in_memory, threads, progress, on_device)
            return self._summed(counter, in_memory)
        folder = self.results / counter.name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(
                f"{folder}: cannot be created: {error.strerror}; expected results= a folder that can be written to"
            ) from None
        with locked(folder):
            sums = FolderSums(folder, layout, counter, self.source.fingerprint)
            self._count(counter, sums, threads, progress, on_device)
            return self._summed(counter, sums)

    def _count(
        self,
        counter: PartCounter,
        sums: PartialSums,
        threads: int | None,
        progress: Progress | None,
        on_device: OnDevice | None,
    ) -> None:
        if self._cluster is not None:
            self._cluster.sum_over_triples(self.leafless, counter, sums, tests=self._tests, progress=progress)
            return
        count(
            self.leafless,
            counter,
            sums,
            tests=lambda tiles: self._tests(partial(entries_tested, tiles)),
            memory=self.memory,
            threads=resolve_threads(threads),
            progress=progress,
            on_device=on_device,
        )

    def _summed(self, counter: PartCounter, sums: PartialSums) -> NDArray[np.int64]:
        """Return the result of a finished count; at ranks, ranks that are not in `leafless` have zeros."""
        if not counter.per_rank:
            return np.array(sums.totals(), dtype=np.int64)

        return self._by_rank(f"{counter.name}/all.npy", sums.range_sums)

    def _tests(self, compute: Callable[[], Tests]) -> Tests:
        """Return the numbers of tests of triples: stored with the tiles or the results, else computed and stored."""
        stored = self.source.tested()
        if stored is not None:
            return stored
        if self.results is None:
            return compute()
        path, graph = self.results / "tested.npy", self.source.fingerprint
        tests = read_sealed(path, graph=graph)
        if tests is None:
            tests = compute()
            write_sealed(path, tests.shape, np.float64, lambda array: np.copyto(array, tests), graph=graph)
        return np.array(tests)

    def _by_rank(self, name: str, of_range: Callable[[int], NDArray[Any]]) -> NDArray[Any]:
        """Return the arrays of all ranges as one array by rank, in memory or in a file of the folder for results.

        Arrays of ranges may be short: zeros follow. A complete file of the same graph is mapped and not written again;
        a damaged one is written again.
        """
        layout, graph = self.layout, self.source.fingerprint
        if self.results is not None:
            found = read_sealed(self.results / name, graph=graph)
            if found is not None:
                return found
        first = of_range(0)

        def fill(values: NDArray[Any]) -> None:
            for i in range(layout.ranges):
                part = first if i == 0 else of_range(i)
                values[layout.cuts[i] : layout.cuts[i] + len(part)] = part

        shape = (layout.vertices, *first.shape[1:])
        if self.results is None:
            values = np.zeros(shape, dtype=first.dtype)
            fill(values)
            return values
        return write_sealed(self.results / name, shape, first.dtype.type, fill, graph=graph)


def _mapped(path: Path, shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
    """Return the zeros of a new ``.npy`` file, mapped into memory for writing; raise WriteError if the disk is full."""
    if 0 in shape:
        return np.zeros(shape, dtype=dtype)
    with new_file(path) as temporary:
        return mapped_zeros(temporary, shape, dtype)
