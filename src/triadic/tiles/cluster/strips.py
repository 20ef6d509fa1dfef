"""The division of a count on a cluster into tasks.

Triples with ranges i and j in common form a strip: two of the three tiles of a triple hold entries of the rows of i,
and the tile (i, j) serves the whole strip. A task is a run of triples of one strip, or of several strips of one range i
if they are short, so that no task is shorter than the time that Dask needs to dispatch many of them. A costly triple is
cut into slices of its rows, each of which is a task and needs the tiles of the triple in full; so only as many triples
are cut as balance takes.

The runs of each range become shorter towards its end, so that all threads end at about the same time. If there are more
ranges than workers, the most costly ones come first, as many as there are workers.

A worker holds the tiles of recent tasks. Two of the three tiles of a triple (i, j, k) are of range i, so that a worker
reads least if it keeps to one range: `near` chooses the workers of each range.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.records import value_class
from triadic.tiles.layout import tile_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from triadic.tiles.layout import Layout, Triple
    from triadic.tiles.sums import PartCounter


SHORTEST = 0.2e9  # nanoseconds of the shortest task
LONGEST = 15e9  # nanoseconds of the longest run of several triples, so that little is lost with a worker
_SHARE_OF_THREAD = 0.25  # largest share of a thread's work that one task may be
_LITTLE = 1 / 32  # of a thread's work, for a task whose exact place among similar ones does not matter
_TASKS_PER_THREAD = 8  # at least, if triples are long enough
_BLOCK_BYTES = 1 << 26  # of the sums of a block of ranges


@value_class
class Task:
    """The work of one task.

    Attributes
    ----------
    triples : tuple of Triple
        Triples with a common range i, counted one after another; one triple if it is cut into slices.
    cost : float
        Estimated nanoseconds on one thread.
    number, slices : int
        Number of the slice of the triple, and the number of its slices; 0 and 1 for whole triples.
    """

    triples: tuple[Triple, ...]
    cost: float
    number: int = 0
    slices: int = 1

    @property
    def i(self) -> int:
        """The range of u of all triples."""
        return self.triples[0].i

    @property
    def tiles(self) -> tuple[tuple[int, int], ...]:
        """The different tiles of the triples."""
        return tuple(dict.fromkeys(tile for triple in self.triples for tile in triple.tiles))

    def sums(self, counter: PartCounter) -> set[int]:
        """Return the ranges, or the numbers of the tiles, at which the task counts."""
        if counter.entries:
            return {tile_number(*tile) for tile in self.tiles}
        return {i for triple in self.triples for i in triple}


def cut_into_tasks(
    triples: Iterable[Triple],
    cost: dict[Triple, float],
    layout: Layout,
    *,
    threads: int,
    columns: int,
    room: int,
    workers: int = 0,
    shortest: float = SHORTEST,
) -> list[Task]:
    """Return the tasks of some triples, in the order in which they should start.

    Parameters
    ----------
    triples : iterable of Triple
        Triples to count.
    cost : dict of Triple to float
        Estimated nanoseconds of each triple on one thread.
    layout : Layout
        The ranges.
    threads : int
        Number of threads of the cluster.
    columns : int
        Numbers at each rank in the result of a task; 0 if it has totals only.
    room : int
        Largest number of bytes of the tiles and sums of a task of more than one triple.
    workers : int, optional
        Number of workers that the threads belong to; by default each thread is a worker.
    shortest : float, default SHORTEST
        Nanoseconds of the shortest task.
    """
    by_range = _triples_of_ranges(triples, cost)
    most = _longest_slice([cost[triple] for _, of_range in by_range for triple in of_range], threads, shortest)
    tasks: list[Task] = []
    left = total = sum(range_cost for range_cost, _ in by_range)
    at_a_time = workers or threads
    for first in range(0, len(by_range), at_a_time):
        together = by_range[first : first + at_a_time]
        cost_together = sum(range_cost for range_cost, _ in together)
        left -= cost_together
        started: list[tuple[float, Task]] = []
        for range_cost, in_order in together:
            run, done, of_range = _Run(layout, columns, room), 0.0, list[Task]()
            for triple in in_order:
                share = done / range_cost if range_cost else 0.0  # of all ranges that are counted at this time
                aim = max(shortest, min(LONGEST, (left + (1 - share) * cost_together) * _SHARE_OF_THREAD / threads))
                if run.triples and (run.cost + cost[triple] > aim or not run.has_room(triple)):
                    of_range.append(run.task)
                    run = _Run(layout, columns, room)
                slices = _slices(cost[triple], most)
                if slices > 1:
                    of_range += [Task((triple,), cost[triple] / slices, number, slices) for number in range(slices)]
                else:
                    run.add(triple, cost[triple])
                done += cost[triple]
            if run.triples:
                of_range.append(run.task)
            started += _with_shares(of_range, range_cost, total / threads)
        tasks += [task for _, task in sorted(started, key=lambda pair: pair[0])]
    return tasks


def _with_shares(tasks: list[Task], cost: float, of_thread: float) -> Iterator[tuple[float, Task]]:
    """Yield the tasks of a range, the longest first, with the share of its cost that starts before; 0 to 1.

    Tasks that are little of the work `of_thread` of a thread stay in the order of strips if their costs are similar.
    """

    def order(task: Task) -> float:
        return -task.cost if task.cost > _LITTLE * of_thread else -(2.0 ** math.frexp(task.cost)[1])

    before, share = 0.0, 0.0
    for task in sorted(tasks, key=order):  # slices of one triple stay together
        if task.number == 0:
            share = before / cost if cost else 0.0
        yield share, task
        before += task.cost


def _longest_slice(costs: list[float], threads: int, shortest: float) -> float:
    """Return the largest cost of a triple that is not cut, so that there are enough tasks and none is too long."""
    most = sum(costs) * _SHARE_OF_THREAD / threads
    while most > shortest and sum(_slices(cost, most) for cost in costs if cost >= shortest) < (
        _TASKS_PER_THREAD * threads
    ):
        most *= 0.8
    return max(most, shortest)


def _slices(cost: float, most: float) -> int:
    return max(1, -int(-cost // most))


def blocks_of_sums(layout: Layout, counter: PartCounter) -> list[range]:
    """Cut the ranges, or the numbers of tiles, into blocks whose sums take about 64 MiB; a larger one is a block."""
    if counter.entries:
        sizes = [int(layout.tile_edges[tile]) for tile in layout.tiles]
    else:
        sizes = [counter.columns * layout.length(i) for i in range(layout.ranges)]
    return cut_into_runs(sizes, _BLOCK_BYTES / 8)


def cut_into_runs(sizes: Sequence[int], most: float) -> list[range]:
    """Cut numbers into runs whose sizes add up to `most` at most, or of one number that is larger.

    Examples
    --------
    >>> cut_into_runs([3, 3, 1, 9, 0, 2], 6)
    [range(0, 2), range(2, 3), range(3, 4), range(4, 6)]
    """
    first, held, runs = 0, 0, list[range]()
    for number, size in enumerate(sizes):
        if number > first and held + size > most:
            runs.append(range(first, number))
            first, held = number, 0
        held += size
    return [*runs, range(first, len(sizes))]


class _Run:
    """Triples of one task, with the bytes of their tiles and of their sums."""

    def __init__(self, layout: Layout, columns: int, room: int) -> None:
        self._layout, self._columns, self._room = layout, columns, room
        self.triples: list[Triple] = []
        self.cost = 0.0
        self._tiles: set[tuple[int, int]] = set()
        self._ranges: set[int] = set()
        self._bytes = 0

    @property
    def task(self) -> Task:
        """The task of the run."""
        return Task(tuple(self.triples), self.cost)

    def add(self, triple: Triple, cost: float) -> None:
        self._bytes += self._more_bytes(triple)
        self.triples.append(triple)
        self.cost += cost
        self._tiles.update(triple.tiles)
        self._ranges.update(triple.ranges)

    def has_room(self, triple: Triple) -> bool:
        return self._bytes + self._more_bytes(triple) <= self._room

    def _more_bytes(self, triple: Triple) -> int:
        """Return the bytes of the tiles and sums that the triple adds."""
        layout = self._layout
        tiles = sum(layout.tile_bytes(*tile) for tile in triple.tiles if tile not in self._tiles)
        return tiles + sum(8 * self._columns * layout.length(i) for i in triple.ranges if i not in self._ranges)


def _triples_of_ranges(triples: Iterable[Triple], cost: dict[Triple, float]) -> list[tuple[float, list[Triple]]]:
    """Return the cost and the triples of each range i, strip by strip; the most costly i first, and then j."""
    by_range: dict[int, dict[int, list[Triple]]] = defaultdict(lambda: defaultdict(list))
    for triple in triples:
        by_range[triple.i][triple.j].append(triple)

    def cost_of(strip: list[Triple]) -> float:
        return sum(cost[triple] for triple in strip)

    ordered = []
    for strips in by_range.values():
        in_order: list[Triple] = []
        for strip in sorted(strips.values(), key=lambda strip: (-cost_of(strip), -strip[0].j)):
            in_order += sorted(strip, key=lambda triple: (-cost[triple], triple.k))
        ordered.append((cost_of(in_order), in_order))
    return sorted(ordered, key=lambda entry: (-entry[0], -entry[1][0].i))


def near(tasks: Iterable[Task], workers: Mapping[str, int]) -> dict[int, list[str]]:
    """Return the workers that should count the tasks of each range, so that all threads have about as much work.

    The ranges lie on a line, each as long as its tasks take, and workers beside them, each as long as it has threads.

    Parameters
    ----------
    tasks : iterable of Task
        The tasks.
    workers : mapping of str to int
        Number of threads of each worker.

    Examples
    --------
    >>> from triadic.tiles.cluster.strips import Task
    >>> from triadic.tiles.layout import Triple
    >>> near([Task((Triple(i, 0, 0),), 1.0) for i in (3, 3, 2, 1)], {"a": 1, "b": 1})
    {3: ['a'], 2: ['b'], 1: ['b']}
    """
    costs: dict[int, float] = defaultdict(float)
    for task in tasks:
        costs[task.i] += task.cost
    names = list(workers)
    ends, of_workers = (np.cumsum([0.0, *values]) for values in (costs.values(), workers.values()))
    marks = np.round(ends / (ends[-1] or 1.0) * of_workers[-1], 9)
    first = np.searchsorted(of_workers[:-1], marks[:-1], side="right") - 1
    last = np.searchsorted(of_workers, marks[1:], side="left")
    return {i: names[a : max(a + 1, b)] for i, a, b in zip(costs, first.tolist(), last.tolist(), strict=True)}
