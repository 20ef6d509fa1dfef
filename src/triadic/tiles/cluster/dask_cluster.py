"""A Dask cluster that counts the tiles of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import CountOverflowError
from triadic.tiles.cluster import tables, tasks
from triadic.tiles.cluster.client import check_client
from triadic.tiles.cluster.cluster_count import ClientSums, ClusterCount
from triadic.tiles.cluster.tile_transfer import TileProvider, address_of
from triadic.tiles.cluster.worker_watch import WorkerPool
from triadic.tiles.edge_sums import EdgeSums, tiles_with_edges
from triadic.tiles.layout import triples
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.tile import LeaflessTiles
from triadic.tiles.wedge_draws import members_of, resolved
from triadic.tiles.work import check_thread, costs, most_needed

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from distributed import Client

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.core.blocks import Progress
    from triadic.tiles.cluster.cluster_count import GroupSums, StoredSums
    from triadic.tiles.layout import Layout
    from triadic.tiles.memory_tiles import MemoryTiles
    from triadic.tiles.sums import EdgeCount, PartCounter, PartialSums, RangeValues, TablePlan
    from triadic.tiles.wedge_draws import Resolved

    Tests = Float64Array

_LARGEST = 1 << 62


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
        sums: PartialSums,
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
        sums : PartialSums
            The sums of triples counted so far.
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
        self._count(tiles, counter, ClientSums(sums), tests, progress)

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
                self._count(counted, counter, sums, tests, report)

        return tables.TableRun(self._client, source, plan, output).run(count, progress)

    def leafless_ranks(self, tiles: StoredTiles) -> int:
        """Return the number of ranks up to the last rank of degree 2 or more; a worker reads the degrees."""
        address = address_of(tiles, tiles.layout.vertices)
        return int(WorkerPool(self._client).results(1, lambda _: (tasks.leafless_ranks, address))[0])

    def total_over_ranks(
        self, tiles: StoredTiles, function: Callable[[RangeValues], list[int]], counts: tuple[EdgeCount, ...]
    ) -> list[int]:
        """Return the sums over all ranges of a function of the degrees and counts of a range; each range is a task."""
        address = address_of(tiles, tiles.layout.vertices)
        sums = WorkerPool(self._client).results(
            tiles.layout.ranges, lambda i: (tables.total_of_range, address, function, counts, i)
        )
        return [sum(column) for column in zip(*sums, strict=True)]

    def wedges(self, tiles: StoredTiles | MemoryTiles) -> ClusterWedges:
        """Return the rows on workers, from which wedges are drawn."""
        layout = tiles.layout
        return ClusterWedges(self._client, layout, TileProvider(self._client, tiles, tiles, layout.vertices))

    def _count(
        self,
        tiles: LeaflessTiles,
        counter: PartCounter,
        sums: GroupSums,
        tests: Callable[[Callable[[], Tests]], Tests],
        progress: Progress | None,
    ) -> None:
        """Count every triple that is not in `sums` yet."""
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
        provider = TileProvider(self._client, tiles.source, tiles, tiles.ranks, counter.values)
        run = ClusterCount(self._client, layout, provider, counter)
        cost = costs(layout, tests(run.tests))
        try:
            run.count(remaining, cost, sums, progress)
        finally:
            pool.free_memory()

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
        provider = TileProvider(self._client, tiles, tiles, layout.vertices, counter.values)
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


class ClusterWedges:
    """The rows of tiles on workers, from which wedges are drawn: a `triadic.tiles.wedge_draws.WedgeSource`.

    Each pass over the tiles has a task for each range of rows. In the first, the task finds the draws of a batch whose
    middle is in its range; in the second, the edges between the ends of which the larger rank is in its range. Between
    both the draws pass through the client, some 20 bytes each.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    layout : Layout
        The ranges.
    tiles : TileProvider
        The tiles.
    """

    together = 4  # batches, so that a task has enough to do

    def __init__(self, client: Client, layout: Layout, tiles: TileProvider) -> None:
        self._pool, self._layout, self._tiles = WorkerPool(client), layout, tiles
        self._weights: dict[bool, list[int]] = {}

    def total(self, *, local: bool) -> int:
        """Return the sum of the weights of all rows, to which each range is a task."""
        if local not in self._weights:
            ranges = range(self._layout.ranges)
            weights = self._of_ranges(tasks.weight_of_rows, [(i, (local,)) for i in ranges], degrees=local)
            if sum(weights) >= _LARGEST:
                raise CountOverflowError("graph: the number of wedges exceeds 2**62, more than can be sampled from")
            self._weights[local] = weights
        return sum(self._weights[local])

    def resolve(self, key: int, first: int, count: int, *, local: bool) -> Resolved:
        """Return the codes of some draws, and with `local` the weights of the closed."""
        batch = tasks.Draws(key, first, count, self.total(local=local), local)
        before, calls = 0, []
        for i, weight in enumerate(self._weights[local]):
            if weight:
                calls.append((i, (before, batch)))
            before += weight
        ranks, code = np.empty((count, 3), dtype=np.int64), np.zeros(count, dtype=np.int64)
        for chosen in self._of_ranges(tasks.choose_wedges, calls, degrees=local):
            ranks[chosen.draws], code[chosen.draws] = chosen.ranks, chosen.code
        members = members_of(self._layout.cuts, ranks[:, 1])
        narrow = np.int32 if self._layout.vertices < 1 << 31 else np.int64
        ends = [(i, (ranks[mine, 1:].astype(narrow),)) for i, mine in members]
        state = np.zeros(count, dtype=np.int64)
        for (_, mine), states in zip(members, self._of_ranges(tasks.states_of_ends, ends), strict=True):
            state[mine] = states
        return resolved(ranks, code, state, self._degrees if local else None)

    def _degrees(self, ranks: Int64Array) -> Int64Array:
        """Return the degrees of some ranks, which workers read: an array of all may be too long for this machine."""
        degree, members = np.empty(len(ranks), dtype=np.int64), members_of(self._layout.cuts, ranks)
        asked = [(i, (ranks[mine] - self._layout.cuts[i],)) for i, mine in members]
        for (_, mine), found in zip(members, self._of_ranges(tasks.degrees_of, asked, degrees=True), strict=True):
            degree[mine] = found
        return degree

    def _of_ranges(
        self, function: Callable[..., Any], calls: list[tuple[int, tuple[Any, ...]]], *, degrees: bool = False
    ) -> list[Any]:
        """Return the results of a function of the rows of some ranges, and perhaps of their degrees; each is a task."""

        def call(k: int) -> tuple[Any, ...]:
            i, arguments = calls[k]
            tiles = [(i, j) for j in range(i + 1) if self._layout.tile_edges[i, j]]
            return function, self._tiles.origin, self._tiles.send(tiles, [i] if degrees else []), i, *arguments

        return self._pool.results(len(calls), call, renew=self._tiles.renew)
