"""Random wedges of a tiled graph on a Dask cluster: workers draw them in the tiles, and look for the edges that close.

Each pass over the tiles has a task for each range of rows. In the first, the task finds the draws of a batch whose
middle is in its range; in the second, the edges between the ends of which the larger rank is in its range. Between both
the draws pass through the client, some 20 bytes each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.cpu.wedge_sampling import OPEN
from triadic.errors import CountOverflowError
from triadic.tiles.cluster import wedge_tasks
from triadic.tiles.cluster.worker_pool import RETRIES, WorkerPool
from triadic.tiles.wedge_draws import closed_weights, members_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed import Client, Future
    from numpy.typing import NDArray

    from triadic.tiles.cluster.tile_transfer import TileProvider
    from triadic.tiles.layout import Layout
    from triadic.tiles.wedge_draws import Resolved

_TOGETHER = 4  # batches, so that a task has enough to do
_LARGEST = 1 << 62


class ClusterWedges:
    """The rows of tiles on workers, from which wedges are drawn: a `triadic.tiles.wedge_draws.WedgeSource`.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    layout : Layout
        The ranges.
    tiles : TileProvider
        The tiles.
    """

    together = _TOGETHER

    def __init__(self, client: Client, layout: Layout, tiles: TileProvider) -> None:
        self._client, self._layout, self._tiles = client, layout, tiles
        self._pool = WorkerPool(client)
        self._weights: dict[bool, list[int]] = {}

    def total(self, *, local: bool) -> int:
        """Return the sum of the weights of all rows, to which each range is a task."""
        if local not in self._weights:
            ranges = range(self._layout.ranges)
            weights = self._of_ranges(wedge_tasks.weight_of_rows, [(i, (local,)) for i in ranges], degrees=local)
            if sum(weights) >= _LARGEST:
                raise CountOverflowError("graph: the number of wedges exceeds 2**62, more than can be sampled from")
            self._weights[local] = weights
        return sum(self._weights[local])

    def resolve(self, key: int, first: int, count: int, *, local: bool) -> Resolved:
        """Return the codes of some draws, and with `local` the weights of the closed."""
        batch = wedge_tasks.Draws(key, first, count, self.total(local=local), local)
        before, tasks = 0, []
        for i, weight in enumerate(self._weights[local]):
            if weight:
                tasks.append((i, (before, batch)))
            before += weight
        ranks, code = np.empty((count, 3), dtype=np.int64), np.zeros(count, dtype=np.int64)
        for chosen in self._of_ranges(wedge_tasks.choose_wedges, tasks, degrees=local):
            ranks[chosen.draws], code[chosen.draws] = chosen.ranks, chosen.code
        members = members_of(self._layout.cuts, ranks[:, 1])
        narrow = np.int32 if self._layout.vertices < 1 << 31 else np.int64
        ends = [(i, (ranks[mine, 1:].astype(narrow),)) for i, mine in members]
        state = np.zeros(count, dtype=np.int64)
        for (_, mine), states in zip(members, self._of_ranges(wedge_tasks.states_of_ends, ends), strict=True):
            state[mine] = states
        closed = state > 0
        weights = np.zeros(count)
        if local:
            weights[closed] = closed_weights(*self._degrees(ranks[closed].reshape(-1)).reshape(-1, 3).T)
        return np.where(closed, code + 16 * state, OPEN), weights

    def _degrees(self, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the degrees of some ranks, which workers read: an array of all may be too long for this machine."""
        degree, members = np.empty(len(ranks), dtype=np.int64), members_of(self._layout.cuts, ranks)
        asked = [(i, (ranks[mine] - self._layout.cuts[i],)) for i, mine in members]
        for (_, mine), found in zip(members, self._of_ranges(wedge_tasks.degrees_of, asked, degrees=True), strict=True):
            degree[mine] = found
        return degree

    def _of_ranges(
        self, function: Callable[..., Any], tasks: list[tuple[int, tuple[Any, ...]]], *, degrees: bool | None = None
    ) -> list[Any]:
        """Return the results of a function of the rows of some ranges, each of which is a task with its arguments.

        The function also takes the degrees of its range, or None, unless `degrees` is None.
        """

        def submit() -> list[Future]:
            futures = []
            for i, arguments in tasks:
                sent = self._tiles.send([(i, j) for j in range(i + 1) if self._layout.tile_edges[i, j]])
                degree = () if degrees is None else (self._tiles.send_degree(i) if degrees else None,)
                futures.append(
                    self._client.submit(
                        function, self._tiles.origin, sent, *degree, i, *arguments, pure=False, retries=RETRIES
                    )
                )
            return futures

        return self._pool.results(submit, renew=self._tiles.renew)
