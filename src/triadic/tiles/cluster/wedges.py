"""Random wedges of a tiled graph on a Dask cluster: workers draw them in the tiles, and look for the edges that close.

Each pass over the tiles has a task for each range of rows. In the first, the task finds the draws of a batch whose
middle is in its range; in the second, the edges between the ends of which the larger rank is in its range. Between both
the draws pass through the client, some 20 bytes each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.cpu.draws.star_sampling import add_up_rows, choose_in_range
from triadic.devices.cpu.draws.wedge_sampling import OPEN, weight_shift
from triadic.errors import CountOverflowError
from triadic.tiles.cluster.tile_transfer import open_tiles, task
from triadic.tiles.cluster.worker_watch import WorkerPool
from triadic.tiles.wedge_draws import closed_weights, find_entries, find_states, members_of, row_lengths

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed import Client

    from triadic.core.array_types import Int32Array, Int64Array, IntegerArray, Uint8Array, Uint64Array
    from triadic.tiles.cluster.tile_transfer import Origin, TileDict, TileProvider, WorkerTiles
    from triadic.tiles.layout import Layout
    from triadic.tiles.wedge_draws import Resolved

    Degree = Int64Array | None  # of the ranks of a range, if they are sent with the tiles

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
            weights = self._of_ranges(weight_of_rows, [(i, (local,)) for i in ranges], degrees=local)
            if sum(weights) >= _LARGEST:
                raise CountOverflowError("graph: the number of wedges exceeds 2**62, more than can be sampled from")
            self._weights[local] = weights
        return sum(self._weights[local])

    def resolve(self, key: int, first: int, count: int, *, local: bool) -> Resolved:
        """Return the codes of some draws, and with `local` the weights of the closed."""
        batch = Draws(key, first, count, self.total(local=local), local)
        before, tasks = 0, []
        for i, weight in enumerate(self._weights[local]):
            if weight:
                tasks.append((i, (before, batch)))
            before += weight
        ranks, code = np.empty((count, 3), dtype=np.int64), np.zeros(count, dtype=np.int64)
        for chosen in self._of_ranges(choose_wedges, tasks, degrees=local):
            ranks[chosen.draws], code[chosen.draws] = chosen.ranks, chosen.code
        members = members_of(self._layout.cuts, ranks[:, 1])
        narrow = np.int32 if self._layout.vertices < 1 << 31 else np.int64
        ends = [(i, (ranks[mine, 1:].astype(narrow),)) for i, mine in members]
        state = np.zeros(count, dtype=np.int64)
        for (_, mine), states in zip(members, self._of_ranges(states_of_ends, ends), strict=True):
            state[mine] = states
        closed = state > 0
        weights = np.zeros(count)
        if local:
            weights[closed] = closed_weights(*self._degrees(ranks[closed].reshape(-1)).reshape(-1, 3).T)
        return np.where(closed, code + 16 * state, OPEN), weights

    def _degrees(self, ranks: Int64Array) -> Int64Array:
        """Return the degrees of some ranks, which workers read: an array of all may be too long for this machine."""
        degree, members = np.empty(len(ranks), dtype=np.int64), members_of(self._layout.cuts, ranks)
        asked = [(i, (ranks[mine] - self._layout.cuts[i],)) for i, mine in members]
        for (_, mine), found in zip(members, self._of_ranges(degrees_of, asked, degrees=True), strict=True):
            degree[mine] = found
        return degree

    def _of_ranges(
        self, function: Callable[..., Any], tasks: list[tuple[int, tuple[Any, ...]]], *, degrees: bool | None = None
    ) -> list[Any]:
        """Return the results of a function of the rows of some ranges, each of which is a task with its arguments.

        The function also takes the degrees of its range, or None, unless `degrees` is None.
        """

        def call(k: int) -> tuple[Any, ...]:
            i, arguments = tasks[k]
            sent = self._tiles.send([(i, j) for j in range(i + 1) if self._layout.tile_edges[i, j]])
            degree = () if degrees is None else (self._tiles.send_degree(i) if degrees else None,)
            return function, self._tiles.origin, sent, *degree, i, *arguments

        return self._pool.results(len(tasks), call, renew=self._tiles.renew)


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of a batch.

    Attributes
    ----------
    key : int
    first, count : int
        Number of the first draw, and the number of draws.
    total : int
        Sum of the weights of all rows.
    local : bool
        Whether rows have the weights for local coefficients.
    """

    key: int
    first: int
    count: int
    total: int
    local: bool


@dataclass(frozen=True, slots=True, eq=False)
class Wedges:
    """The draws of a batch whose middle is in one range.

    Attributes
    ----------
    draws : int32 array, shape (draws,)
        Their numbers, counted from the first of the batch.
    ranks : int32 or int64 array, shape (draws, 3)
        The ranks u > v > w of each.
    code : uint8 array, shape (draws,)
        The states of the edges to v and w, as in the code of a triad.
    """

    draws: Int32Array
    ranks: IntegerArray
    code: Uint8Array


@task
def weight_of_rows(origin: Origin, sent: TileDict, degree: Degree, i: int, local: bool) -> int:
    """Return the sum of the weights of the rows of range `i`."""
    tiles = open_tiles(origin, sent)
    return int(_weights_before(tiles, degree, i, row_lengths(tiles, i), local)[-1])


@task
def choose_wedges(origin: Origin, sent: TileDict, degree: Degree, i: int, weight_before: int, batch: Draws) -> Wedges:
    """Return the draws of a batch whose row is in range `i`; the rows of ranges before it weigh `weight_before`."""
    tiles = open_tiles(origin, sent)
    lengths = row_lengths(tiles, i)
    before = _weights_before(tiles, degree, i, lengths, batch.local)
    draws, rows = np.empty(batch.count, dtype=np.int64), np.empty(batch.count, dtype=np.int64)
    places = np.empty((batch.count, 2), dtype=np.int64)
    weights = np.uint64(weight_before), np.uint64(batch.total)
    found = choose_in_range(lengths, before, weights, np.uint64(batch.key), batch.first, (draws, rows, places))
    rows = rows[:found]
    ends, code = find_entries(tiles, i, rows, places[:found])
    ranks = np.column_stack([rows + tiles.layout.cuts[i], ends])
    narrow = np.int32 if tiles.layout.vertices < 1 << 31 else np.int64
    return Wedges(draws[:found].astype(np.int32), ranks.astype(narrow), code.astype(np.uint8))


@task
def states_of_ends(origin: Origin, sent: TileDict, i: int, ends: IntegerArray) -> Uint8Array:
    """Return the states of the edges between ranks of range `i` and smaller ranks, shape (edges, 2); 0 without one."""
    larger, smaller = ends.astype(np.int64).T
    return find_states(open_tiles(origin, sent), i, larger, smaller).astype(np.uint8)


@task
def degrees_of(origin: Origin, sent: TileDict, degree: Degree, i: int, ranks: Int64Array) -> Int64Array:
    """Return the degrees of some ranks of range `i`, counted from its first."""
    known: Int64Array = open_tiles(origin, sent).degree(i) if degree is None else degree
    return known[ranks]


def _weights_before(tiles: WorkerTiles, degree: Degree, i: int, lengths: Int64Array, local: bool) -> Uint64Array:
    """Return the sum of the weights of the rows of range `i` before each of them, and of all."""
    shift = weight_shift(tiles.layout.vertices, local=local)
    before = np.empty(len(lengths) + 1, dtype=np.uint64)
    degrees = (tiles.degree(i) if degree is None else degree) if local else lengths
    add_up_rows(lengths, degrees, shift, before)
    return before
