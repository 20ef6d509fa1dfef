"""A Dask cluster that counts the tiles of a graph."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.tiles.cluster import table_tasks, tasks
from triadic.tiles.cluster.client import check_client
from triadic.tiles.cluster.cluster_count import ClusterCount
from triadic.tiles.cluster.cutting import (
    all_cuts,
    bytes_needed,
    count_cut_tests,
    count_fine_cuts,
    count_fine_edges,
    cut_to_fit,
    fine_layout,
)
from triadic.tiles.cluster.table_run import TableRun
from triadic.tiles.cluster.task_results import ClientSums
from triadic.tiles.cluster.tile_transfer import (
    MemoryTileProvider,
    StoredTileProvider,
    address_of,
    free_worker_memory,
)
from triadic.tiles.cluster.wedges import ClusterWedges
from triadic.tiles.cluster.worker_pool import RETRIES, WorkerPool
from triadic.tiles.edge_sums import EdgeSums, tiles_with_edges
from triadic.tiles.edge_values import valued
from triadic.tiles.fitting import step_of
from triadic.tiles.recut import RecutTiles, tested_in_ranges
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.tile import LeaflessTiles
from triadic.tiles.triples import triples
from triadic.tiles.work import nanoseconds

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from distributed import Client, Future
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.tiles.cluster.cluster_count import GroupSums
    from triadic.tiles.cluster.stored_sums import StoredSums
    from triadic.tiles.cluster.tile_transfer import TileAddress, TileProvider
    from triadic.tiles.edge_values import TileValues
    from triadic.tiles.layout import Layout
    from triadic.tiles.memory_tiles import MemoryTiles
    from triadic.tiles.range_values import EdgeCount, RangeValues, TablePlan
    from triadic.tiles.sums import PartCounter, PartialSums
    from triadic.tiles.tile import TileSource

    Tests = NDArray[np.float64]


class DaskCluster:
    """A Dask cluster that counts the tiles of a graph: a `triadic.tiles.oriented_tiles.Cluster`.

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
        self._fine: tuple[str, Layout] | None = None

    def layout(self, tiles: LeaflessTiles, counter: PartCounter, begun: Layout | None = None) -> Layout:
        """Return the ranges in which the workers count.

        Parameters
        ----------
        tiles : LeaflessTiles
            The tiles.
        counter : PartCounter
            The count.
        begun : Layout, optional
            The ranges of the sums of an earlier run.

        Returns
        -------
        Layout
            The first of these in which every task fits into the memory of a thread of each worker: the ranges of the
            sums, the stored ranges, and the stored ranges cut into the fewest ranges.

        Raises
        ------
        OutOfMemoryError
            If no ranges fit; the message has the memory that is needed.
        """
        allowed = WorkerPool(self._client).allowed_bytes()
        limits = tiles.layout.weight_limits
        for layout in (None if begun is None else replace(begun, weight_limits=limits), tiles.layout):
            if layout is not None and bytes_needed(layout, counter) <= allowed:
                return layout
        fine = replace(self._fine_layout(tiles), weight_limits=limits)
        return cut_to_fit(tiles.layout, fine, counter, allowed)

    def _fine_layout(self, tiles: LeaflessTiles) -> Layout:
        """Return fine ranges with the numbers of edges between them, which workers count if the tiles are stored."""
        source, layout = tiles.source, tiles.layout
        if not isinstance(source, StoredTiles):
            return fine_layout(tiles)
        if self._fine is None or self._fine[0] != source.fingerprint:
            address = address_of(source, tiles.ranks)
            found = self._of_ranges(layout, count_fine_cuts, address, step_of(layout))
            cuts = all_cuts(found, layout)
            edges = sum(self._of_ranges(layout, count_fine_edges, address, cuts))
            self._fine = source.fingerprint, replace(layout, cuts=cuts, tile_edges=edges)
        return self._fine[1]

    def _of_ranges(self, layout: Layout, task: Callable[..., Any], address: TileAddress, argument: Any) -> list[Any]:  # noqa: ANN401 - of any task
        """Return the results of a task for each range of the stored tiles that is not empty."""

        def submit() -> list[Future]:
            return [
                self._client.submit(task, address, i, argument, pure=False, retries=RETRIES)
                for i in range(layout.ranges)
                if layout.length(i)
            ]

        return WorkerPool(self._client).results(submit)

    def sum_over_triples(
        self,
        tiles: LeaflessTiles,
        layout: Layout,
        counter: PartCounter,
        sums: PartialSums,
        *,
        tests: Callable[[Layout, Callable[[], Tests]], Tests],
        progress: Progress | None,
    ) -> None:
        """Count every triple that is not in `sums` yet, and add its counts to `sums`.

        Parameters
        ----------
        tiles : LeaflessTiles
            The tiles.
        layout : Layout
            The ranges to count in, from the method `layout`.
        counter : PartCounter
            The count.
        sums : PartialSums
            The sums of triples counted so far.
        tests : callable
            ``tests(layout, compute)`` returns the stored result of `triadic.tiles.work.entries_tested` in the ranges of
            a layout, or the result of ``compute()`` if none is stored.
        progress : callable or None
            Called with the estimated work done and in total, in nanoseconds.

        Raises
        ------
        DeviceError
            If there are no workers, workers die repeatedly, or a task fails with an error that is not one of triadic's.
        TriadicError
            If a task raises it.
        """
        self._count(tiles, layout, counter, ClientSums(sums, layout, counter), tests, progress)

    def write_table(
        self,
        tiles: LeaflessTiles,
        plan: TablePlan,
        output: str,
        *,
        tests: Callable[[Layout, Callable[[], Tests]], Tests],
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
            Totals of all ranges, as `triadic.tiles.cluster.table_tasks.write_part` returns those of one range.

        Raises
        ------
        WriteError
            If the folder holds something else, or cannot be written to.
        DeviceError
            As for `sum_over_triples`.
        """
        source = tiles.source
        if not isinstance(source, StoredTiles):
            raise TypeError(f"tiles of {source!r} are not stored")

        def tiles_for(counter: PartCounter) -> LeaflessTiles:
            return tiles if counter.values is None else LeaflessTiles(source.with_weights(), tiles.ranks)

        def layouts(counter: PartCounter, begun: Layout | None) -> Layout:
            return self.layout(tiles_for(counter), counter, begun)

        def count(counter: PartCounter, layout: Layout, sums: StoredSums) -> None:
            with progress(f"counting {counter.name.replace('-', ' ')}") as report:
                self._count(tiles_for(counter), layout, counter, sums, tests, report)

        return TableRun(self._client, source, plan, output).run(layouts, count, progress)

    def leafless_ranks(self, tiles: StoredTiles) -> int:
        """Return the number of ranks up to the last rank of degree 2 or more; a worker reads the degrees."""
        address = address_of(tiles, tiles.layout.vertices)

        def submit() -> list[Future]:
            return [self._client.submit(tasks.leafless_ranks, address, pure=False, retries=RETRIES)]

        return int(WorkerPool(self._client).results(submit)[0])

    def total_over_ranks(
        self, tiles: StoredTiles, function: Callable[[RangeValues], list[int]], counts: tuple[EdgeCount, ...]
    ) -> list[int]:
        """Return the sums over all ranges of a function of the degrees and counts of a range; each range is a task."""
        address = address_of(tiles, tiles.layout.vertices)

        def submit() -> list[Future]:
            return [
                self._client.submit(
                    table_tasks.total_of_range, address, function, counts, i, pure=False, retries=RETRIES
                )
                for i in range(tiles.layout.ranges)
            ]

        sums = WorkerPool(self._client).results(submit)
        return [sum(column) for column in zip(*sums, strict=True)]

    def wedges(self, tiles: StoredTiles | MemoryTiles, degree: Callable[[], NDArray[np.int64]]) -> ClusterWedges:
        """Return the rows on workers, from which wedges are drawn; ``degree()`` returns the degree of each rank."""
        return ClusterWedges(self._client, tiles.layout, self._provider(tiles, tiles, tiles.layout.vertices), degree)

    def _count(
        self,
        tiles: LeaflessTiles,
        layout: Layout,
        counter: PartCounter,
        sums: GroupSums,
        tests: Callable[[Layout, Callable[[], Tests]], Tests],
        progress: Progress | None,
    ) -> None:
        """Count every triple that is not in `sums` yet."""
        counted = sums.counted_triples()
        every = list(triples(layout))
        remaining = [triple for triple in every if triple not in counted]
        if not remaining:
            if progress is not None:
                progress(1, 1)
            return
        is_cut = not np.array_equal(layout.cuts, tiles.layout.cuts)
        in_layout = RecutTiles(tiles, layout) if is_cut else tiles
        provider = self._provider(tiles.source, in_layout, tiles.ranks, counter.values)
        run = ClusterCount(self._client, layout, provider, counter)
        numbers = tests(layout, partial(self._cut_tests, tiles, layout) if is_cut else run.tests)
        cost = {triple: nanoseconds(layout, triple, numbers) for triple in every}
        try:
            run.count(remaining, cost, sums, progress)
        finally:
            with suppress(Exception):  # if the cluster is gone, another error is being raised
                self._client.run(free_worker_memory, wait=False, on_error="ignore")

    def _cut_tests(self, tiles: LeaflessTiles, layout: Layout) -> Tests:
        """Return the numbers of tests in other ranges, which workers compute from rows of the stored tiles."""
        source = tiles.source
        if not isinstance(source, StoredTiles):
            return tested_in_ranges(tiles, layout.cuts)
        tests = np.zeros((layout.ranges,) * 3)
        for found in self._of_ranges(tiles.layout, count_cut_tests, address_of(source, tiles.ranks), layout.cuts):
            for i, values in found.items():
                tests[i] += values
        return tests

    def sum_over_edges(
        self,
        tiles: StoredTiles | MemoryTiles,
        counter: PartCounter,
        inputs: tuple[NDArray[Any], ...],
        result: Callable[[tuple[int, ...]], NDArray[np.int64]],
        *,
        progress: Progress | None,
    ) -> NDArray[np.int64]:
        """Count every tile as a task, and return the sums; the client adds the counts, one row of tiles at a time."""
        layout = tiles.layout
        provider = self._provider(tiles, tiles, layout.vertices, counter.values)
        run = ClusterCount(self._client, layout, provider, counter)
        sums = EdgeSums(layout, counter, result)
        every = tiles_with_edges(layout)
        for done, i in enumerate(sorted({i for i, _ in every})):
            if progress is not None:
                progress(done, layout.ranges)
            for shares in run.count_tiles([tile for tile in every if tile[0] == i], inputs):
                sums.add(shares)
        if progress is not None:
            progress(layout.ranges, layout.ranges)
        return sums.total()

    def _provider(
        self, source: TileSource, tiles: TileSource, ranks: int, values: TileValues | None = None
    ) -> TileProvider:
        if isinstance(source, StoredTiles):
            layout = tiles.layout if isinstance(tiles, RecutTiles) else None
            return StoredTileProvider(source, ranks, self._client, layout, values=values)
        return MemoryTileProvider(valued(tiles, values), self._client)
