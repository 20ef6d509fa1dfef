"""A Dask cluster that counts the tiles of a graph."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from triadic.tiles.cluster import tables, tasks
from triadic.tiles.cluster.client import check_client
from triadic.tiles.cluster.cluster_count import ClientSums, ClusterCount, StoredSums
from triadic.tiles.cluster.tile_transfer import TileProvider, address_of
from triadic.tiles.cluster.worker_watch import WorkerPool
from triadic.tiles.edge_sums import add_up, tiles_with_edges
from triadic.tiles.layout import triples
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.tile import LeaflessTiles, num_leafless_ranks
from triadic.tiles.wedge_draws import TileDraws
from triadic.tiles.work import check_thread, costs, most_needed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from distributed import Client

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.core.blocks import Progress
    from triadic.tiles.edge_sums import Shares
    from triadic.tiles.memory_tiles import MemoryTiles
    from triadic.tiles.sums import EdgeCount, PartCounter, PartialSums, RangeValues, TablePlan

    Tests = Float64Array

_TOGETHER = 4  # batches of random wedges, so that a task has enough to do


class DaskCluster:
    """A Dask cluster that counts the tiles of a graph.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.

    Raises
    ------
    ArgumentError
        If `client` is not a synchronous client of Dask.
    """

    def __init__(self, client: Client) -> None:
        check_client(client)
        self._client = client

    def sum_over_triples(
        self,
        tiles: LeaflessTiles,
        counter: PartCounter,
        sums: PartialSums | StoredSums,
        *,
        tests: Callable[[Callable[[], Tests]], Tests],
        progress: Progress | None,
    ) -> None:
        """Count every triple that is not in `sums` yet, and add its counts to `sums`.

        Parameters
        ----------
        tiles : LeaflessTiles
            The tiles.
        counter : PartCounter
            The count.
        sums : PartialSums or StoredSums
            The sums of triples counted so far, of this process or of the workers.
        tests : callable
            ``tests(compute)`` returns the stored result of `triadic.tiles.work.entries_tested`, or the result of
            ``compute()`` if none is stored.
        progress : callable or None
            Called with the estimated work done and in total, in nanoseconds.

        Raises
        ------
        DeviceError
            If there are no workers, workers die repeatedly, or a task fails with an error that is not one of triadic's.
        TriadicError
            If a task raises it.
        """
        layout, counted = tiles.layout, sums.counted_triples()
        remaining = [triple for triple in triples(layout) if triple not in counted]
        if not remaining:
            if progress is not None:
                progress(1, 1)
            return
        pool = WorkerPool(self._client)
        needed = most_needed(layout, threads=1, columns=counter.rank_columns)
        # Counts at entries take as much as the tiles.
        needed_bytes = (2 if counter.entries else 1) * (needed.working + needed.tiles)
        check_thread(layout, needed_bytes, pool.allowed_bytes())
        run = ClusterCount(self._client, TileProvider(self._client, tiles, counter.values), counter)
        cost = costs(layout, tests(run.tests))
        try:
            run.count(remaining, cost, sums if isinstance(sums, StoredSums) else ClientSums(sums), progress)
        finally:
            pool.free_memory()

    def write_table(
        self,
        tiles: LeaflessTiles,
        plan: TablePlan,
        output: str,
        *,
        tests: Callable[[Callable[[], Tests]], Tests],
        progress: Callable[[str], AbstractContextManager[Progress | None]],
    ) -> dict[str, int]:
        """Count and write a table of the vertices of stored tiles; return totals.

        Parameters
        ----------
        tiles : LeaflessTiles
            The stored tiles.
        plan : TablePlan
            The counts and columns.
        output : str
            Path or URL of the folder of the table, which all workers can write to.
        tests : callable
            As for `sum_over_triples`.
        progress : callable
            ``progress(label)`` returns a context with a function that reports progress, or None.

        Returns
        -------
        dict of str to int
            Totals of all ranges, as `triadic.tiles.cluster.tables.write_part` returns those of one range.

        Raises
        ------
        WriteError
            If the folder holds something else, or cannot be written to.
        DeviceError
            As for `sum_over_triples`.
        """
        source = tiles.source
        assert isinstance(source, StoredTiles)  # noqa: S101 - checked by the caller

        def count(counter: PartCounter, sums: StoredSums) -> None:
            counted = tiles if counter.values is None else LeaflessTiles(source.with_weights(), tiles.ranks)
            with progress(f"counting {counter.name.replace('-', ' ')}") as report:
                self.sum_over_triples(counted, counter, sums, tests=tests, progress=report)

        return tables.TableRun(self._client, source, plan, output).run(count, progress)

    def leafless_ranks(self, tiles: StoredTiles) -> int:
        """Return the number of ranks up to the last rank of degree 2 or more; a worker reads the degrees."""
        return int(self._over_ranges(tiles)(lambda every, _: num_leafless_ranks(every), [(0, ())])[0])

    def total_over_ranks(
        self, tiles: StoredTiles, function: Callable[[RangeValues], list[int]], counts: tuple[EdgeCount, ...]
    ) -> list[int]:
        """Return the sums over all ranges of a function of the degrees and counts of a range; each range is a task."""
        address = address_of(tiles, tiles.layout.vertices)
        sums = WorkerPool(self._client).results(
            tiles.layout.ranges, lambda i: (tables.total_of_range, address, function, counts, i)
        )
        return [sum(column) for column in zip(*sums, strict=True)]

    def wedges(self, tiles: StoredTiles | MemoryTiles) -> TileDraws:
        """Return the random wedges, which workers draw."""
        return TileDraws(tiles.layout, self._over_ranges(tiles), _TOGETHER)

    def _over_ranges(self, tiles: StoredTiles | MemoryTiles) -> Callable[..., list[Any]]:
        """Return `tasks.over_ranges` of all ranks of some tiles."""
        provider = TileProvider(self._client, LeaflessTiles(tiles, tiles.layout.vertices))
        return partial(tasks.over_ranges, WorkerPool(self._client), provider)

    def sum_over_edges(
        self,
        tiles: StoredTiles | MemoryTiles,
        counter: PartCounter,
        inputs: tuple[AnyArray, ...],
        result: Callable[[tuple[int, ...]], Int64Array],
        *,
        progress: Progress | None,
    ) -> Int64Array:
        """Count every tile as a task, and return the sums; the client adds the counts, one row of tiles at a time."""
        layout = tiles.layout
        provider = TileProvider(self._client, LeaflessTiles(tiles, layout.vertices), counter.values)
        run = ClusterCount(self._client, provider, counter)
        every, report = tiles_with_edges(layout), progress or (lambda _done, _total: None)

        def counted() -> Iterator[Shares]:
            for done, i in enumerate(sorted({i for i, _ in every})):
                report(done, layout.ranges)
                yield from run.count_tiles([tile for tile in every if tile[0] == i], inputs)
            report(layout.ranges, layout.ranges)

        return add_up(layout, counter, result, counted())
