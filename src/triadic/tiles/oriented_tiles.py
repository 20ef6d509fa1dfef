"""The oriented graph of a tiled graph, which counts take in place of an oriented graph in memory.

Results of counts are kept in sealed files, which a later process reads back. A sealed file is an ordinary ``.npy`` file
with 8 more bytes at its end, which NumPy does not read: the checksum of the bytes before, together with the fingerprint
of the graph that was counted. A file that is damaged, incomplete or of
another graph is therefore never taken for a result.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.memory import drop_pages
from triadic.core.oriented import frozen
from triadic.core.records import cached_property
from triadic.devices.cpu.vertex_arrays import take, take_in_windows
from triadic.io.temporary_files import whole_file
from triadic.tiles.edge_sums import sum_over_edges
from triadic.tiles.engine import count
from triadic.tiles.file_format import file_checksum
from triadic.tiles.store import FolderStore, locked, make_folder, write_errors
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.sums import FolderSums, MemorySums, RangeValues
from triadic.tiles.tile import LeaflessTiles, num_leafless_ranks
from triadic.tiles.wedge_draws import draws_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from triadic.core.array_types import AnyArray, Float64Array, Ids, Int64Array
    from triadic.core.blocks import Progress
    from triadic.tiles.cluster.dask_cluster import DaskCluster
    from triadic.tiles.engine import OnDevice
    from triadic.tiles.memory_tiles import MemoryTiles
    from triadic.tiles.sums import EdgeCount, PartCounter, PartialSums, TablePlan
    from triadic.tiles.wedge_draws import TileDraws

_SEAL_BYTES = 8


def write_sealed(
    path: Path,
    shape: tuple[int, ...],
    dtype: type[np.generic],
    fill: Callable[[AnyArray], None],
    *,
    graph: str,
) -> AnyArray:
    """Write an array to a file, and return it, mapped into memory and read-only.

    The file is flushed to the disk before it gets its name.

    Parameters
    ----------
    path : pathlib.Path
        The file; its folder is created.
    shape : tuple of int
        Shape of the array.
    dtype : type
        Type of the array's entries.
    fill : callable
        ``fill(array)`` fills the array, which has zeros.
    graph : str
        Fingerprint of the graph.

    Raises
    ------
    WriteError
        The file cannot be written; the message has the reason.

    Examples
    --------
    >>> from pathlib import Path
    >>> path = Path("ones.npy")
    >>> write_sealed(path, (3,), np.int64, lambda array: array.fill(1), graph="a")
    array([1, 1, 1])
    >>> read_sealed(path, graph="a"), read_sealed(path, graph="b")
    (array([1, 1, 1]), None)
    """
    if 0 in shape:
        return np.zeros(shape, dtype)
    with new_file(path) as temporary:
        array = mapped_zeros(temporary, shape, dtype)
        fill(array)
        array.base.flush()  # type: ignore[union-attr] # the base of a mapped array is a memmap
        drop_pages(array)
        seal = file_checksum(temporary, before=graph.encode())
        with temporary.open("ab") as file:
            file.write(seal.to_bytes(_SEAL_BYTES, "little"))
            file.flush()
            os.fsync(file.fileno())
    FolderStore(path.parent).flush()
    return frozen(array)


def read_sealed(path: Path, *, graph: str) -> AnyArray | None:
    """Map an array into memory, read-only; return None if the file is missing, damaged or of another graph."""
    try:
        with path.open("rb") as file:
            size = file.seek(-_SEAL_BYTES, os.SEEK_END)
            stated = int.from_bytes(file.read(), "little")
        if stated != file_checksum(path, size=size, before=graph.encode()):
            return None
        # Compiled kernels accept plain arrays only, not the subclass `memmap`.
        return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except (OSError, ValueError, EOFError):
        return None


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path as `whole_file` does, in a folder that is created if needed.

    Raises
    ------
    WriteError
        The file cannot be written; the message has the reason.
    """
    with write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as temporary:
        yield temporary


def mapped_zeros(path: Path, shape: tuple[int, ...], dtype: type[np.generic]) -> AnyArray:
    """Return the zeros of a new ``.npy`` file, mapped into memory for writing.

    Raises
    ------
    OSError
        The file cannot be created, or the disk is full.
    """
    array = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape)
    if hasattr(os, "posix_fallocate"):  # not on every system
        # Reserve the space now: on a full disk, writing to a mapped page would end the process.
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
    return np.asarray(array)


# Ranks that are passed over at a time, and fewest ranks whose values are held at a time, in arrays mapped from files.
_PIECE, _LEAST_WINDOW = 1 << 18, 1 << 18


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
    cluster : DaskCluster, optional
        A cluster that counts; by default this machine does.
    """

    def __init__(
        self,
        source: StoredTiles | MemoryTiles,
        results: Path | None,
        memory: int,
        cluster: DaskCluster | None = None,
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

    @property
    def device(self) -> None:
        """None: tiles are on the host."""

    @cached_property
    def rank(self) -> Ids:
        """Rank of each vertex, shape (n,); of stored tiles mapped into memory."""
        n = self.num_vertices
        return self._stored("rank.npy", (n,), np.int32 if n < 2**31 else np.int64, self.source.fill_ranks)

    @cached_property
    def degree(self) -> Int64Array:
        """Degree of each rank in the skeleton, shape (n,); of stored tiles mapped into memory."""
        return self._stored("degree.npy", (self.num_vertices,), np.int64, _filled(self.layout.cuts, self.source.degree))

    @cached_property
    def leafless(self) -> LeaflessTiles:
        """The tiles without vertices of degree 0 and 1, which are in no triangle."""
        if self._cluster is not None and isinstance(self.source, StoredTiles):
            return LeaflessTiles(self.source, self._cluster.leafless_ranks(self.source))
        return LeaflessTiles(self.source, num_leafless_ranks(self.source))

    @cached_property
    def wedge_draws(self) -> TileDraws:
        """Random wedges, which a cluster draws if there is one."""
        if self._cluster is not None:
            return self._cluster.wedges(self.source)
        return draws_of(self.source)

    @property
    def on_cluster(self) -> bool:
        """Whether a cluster counts, on whose workers devices are looked for."""
        return self._cluster is not None

    def total_over_ranks(
        self, function: Callable[[RangeValues], list[int]], counts: tuple[EdgeCount, ...] = ()
    ) -> list[int]:
        """Return the sums over all ranges of a function of the degrees and counts of a range.

        Parameters
        ----------
        function : callable
            Returns sums over the ranks of a range. It is pickled by name if a cluster computes them.
        counts : tuple of EdgeCount
            Counts over edges without inputs, which the function takes.
        """
        if self._cluster is not None and isinstance(self.source, StoredTiles):
            return self._cluster.total_over_ranks(self.source, function, counts)
        layout = self.layout
        whole = {count.counter.name: self.sum_over_edges(count.counter, (), progress=None) for count in counts}
        sums: list[list[int]] = []
        for i in range(layout.ranges):
            ranks = slice(int(layout.cuts[i]), int(layout.cuts[i + 1]))
            at_ranks = {name: values[ranks] for name, values in whole.items()}
            degree = self.source.degree(i)
            sums.append(function(RangeValues(layout.vertices, layout.edges, layout.arcs, degree, at_ranks)))
        return [sum(column) for column in zip(*sums, strict=True)]

    def write_table(
        self,
        plan: TablePlan,
        output: str,
        progress: Callable[[str], AbstractContextManager[Progress | None]],
    ) -> dict[str, int] | None:
        """Let the workers of a cluster write a table of the vertices, and return totals.

        None if no cluster counts, or the tiles are those of a graph in memory, which workers cannot open.
        """
        if self._cluster is None or not isinstance(self.source, StoredTiles):
            return None
        return self._cluster.write_table(self.leafless, plan, output, tests=self._tests, progress=progress)

    def _tests(self, compute: Callable[[], Float64Array]) -> Float64Array:
        """Return the numbers of tests of the triples that are counted: those of tiling, or computed and stored."""
        stored = self.source.tested()
        if stored is not None:
            return stored
        shape = (self.layout.ranges,) * 3
        return self._stored("tested.npy", shape, np.float64, lambda values: np.copyto(values, compute()))

    def result(self, name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> AnyArray:
        """Return an array of zeros for a result, mapped into memory from a new file ``name.npy``.

        Raises
        ------
        WriteError
            If the file cannot be written.
        """
        if self.results is None or 0 in shape:
            return np.zeros(shape, dtype)
        with new_file(self.results / f"{name}.npy") as temporary:
            return mapped_zeros(temporary, shape, dtype)

    def at_vertices(self, at_rank: AnyArray, name: str, *, threads: int) -> AnyArray:
        """Return the value at the rank of each vertex, shape (n,), as `result` returns an array."""
        out = self.result(name, at_rank.shape, at_rank.dtype.type)
        if self.results is None:
            return take(at_rank, self.rank, threads=threads, out=out)
        window = max(_LEAST_WINDOW, self.memory // (4 * at_rank.itemsize))
        return take_in_windows(at_rank, self.rank, out, window=window, threads=threads)

    def pieces(self, *arrays: AnyArray) -> Iterator[slice]:
        """Yield consecutive ranks; after each piece, drop the pages of arrays that are mapped into memory."""
        for start in range(0, self.num_vertices, _PIECE):
            yield slice(start, start + _PIECE)
            drop_pages(*arrays)

    def sum_over_edges(
        self, counter: PartCounter, inputs: tuple[AnyArray, ...], *, progress: Progress | None
    ) -> Int64Array:
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

        def result(shape: tuple[int, ...]) -> Int64Array:
            return self.result(counter.name, shape, np.int64)

        if self._cluster is not None:
            return self._cluster.sum_over_edges(self.source, counter, inputs, result, progress=progress)
        return sum_over_edges(self.source, counter, inputs, result, progress, memory=self.memory)

    def sum_over_triples(
        self,
        counter: PartCounter,
        *,
        threads: int | None,
        progress: Progress | None,
        on_device: OnDevice | None = None,
    ) -> Int64Array:
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
            Counts whole ranges on a device, see `triadic.tiles.engine.count_ranges`; a cluster does not use it.

        Returns
        -------
        int64 array
            Shape (columns,), or (n,) or (n, columns) at ranks; at ranks mapped into memory.

        Raises
        ------
        WriteError
            If the folder for results cannot be created.
        """
        workers, layout = resolve_threads(threads), self.leafless.layout
        with ExitStack() as stack:
            sums: PartialSums = MemorySums(layout, counter)
            if self.results is not None:
                folder = self.results / counter.name
                make_folder(folder, "results= ")
                stack.enter_context(locked(folder))
                sums = FolderSums(folder, layout, counter, self.source.fingerprint)
            if self._cluster is not None:
                self._cluster.sum_over_triples(self.leafless, counter, sums, tests=self._tests, progress=progress)
            else:
                count(
                    self.leafless, counter, sums, tests=self._tests, memory=self.memory, threads=workers,
                    progress=progress, on_device=on_device,
                )  # fmt: skip
            if not counter.per_rank:
                return np.array(sums.totals, np.int64)
            shape = counter.range_shape(self.layout)
            return self._stored(f"{counter.name}/all.npy", shape, np.int64, _filled(layout.cuts, sums.range_sums))

    def _stored(
        self, name: str, shape: tuple[int, ...], dtype: type[np.generic], fill: Callable[[AnyArray], None]
    ) -> AnyArray:
        """Return an array of zeros that ``fill(array)`` filled, in memory or in a file of the folder for results.

        A complete file of the same graph is mapped and not written again; a damaged one is written again.
        """
        if self.results is None:
            values: AnyArray = np.zeros(shape, dtype)
            fill(values)
            return values
        path, graph = self.results / name, self.source.fingerprint
        found = read_sealed(path, graph=graph)
        return write_sealed(path, shape, dtype, fill, graph=graph) if found is None else found


def _filled(cuts: Int64Array, of_range: Callable[[int], Int64Array]) -> Callable[[AnyArray], None]:
    """Return a function that fills an array by rank from those of ranges, whose first ranks are `cuts`.

    Ranks past the last range keep their zeros.
    """

    def fill(values: AnyArray) -> None:
        for i in range(len(cuts) - 1):
            values[cuts[i] : cuts[i + 1]] = of_range(i)
            drop_pages(values)

    return fill
