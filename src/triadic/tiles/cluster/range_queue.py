"""Tasks that wait for a free worker, by the range i of their triples.

A worker holds the tiles of recent tasks. Two of the three tiles of a triple (i, j, k) are of range i, so that a worker
reads least if it keeps to one range. It takes the next task of its range as long as one is left, and then goes to the
range with the most work for each thread that counts there. Towards the end of a count, when one task is much of what is
left, a worker also leaves a range whose next task is shorter than those of other ranges, so that no long task is last.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

# The end begins when the longest task that waits is more than this share of the work of a thread. A worker then leaves
# its range if the next task of the range is shorter than this share of the longest one.
_SHARE_OF_WORK, _SHARE_OF_LONGEST = 0.5, 0.75


class RangeTask(Protocol):
    """A task of one range."""

    @property
    def i(self) -> int:
        """The range of u."""

    @property
    def cost(self) -> float:
        """The estimated cost."""


AnyTask = TypeVar("AnyTask", bound=RangeTask)


class RangeQueue(Generic[AnyTask]):
    """Tasks that wait for a free worker, in their order within each range.

    Examples
    --------
    >>> from triadic.tiles.cluster.strips import Task
    >>> from triadic.tiles.layout import Triple
    >>> queue = RangeQueue()
    >>> queue.extend(Task((Triple(i, 0, 0),), 1.0) for i in (3, 3, 2, 2))
    >>> [queue.take(worker).i for worker in ("a", "b", "a", "b")]
    [3, 2, 3, 2]
    """

    def __init__(self) -> None:
        self._tasks: dict[int, deque[AnyTask]] = {}
        self._cost: dict[int, float] = {}
        self._threads: dict[int, int] = defaultdict(int)
        self._range: dict[Hashable, tuple[int, int]] = {}

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def extend(self, tasks: Iterable[AnyTask]) -> None:
        """Add tasks behind the waiting ones."""
        for task in tasks:
            self._tasks.setdefault(task.i, deque()).append(task)
            self._cost[task.i] = self._cost.get(task.i, 0.0) + task.cost

    def take(self, worker: Hashable, threads: int = 1) -> AnyTask:
        """Remove and return the next task for a worker of some threads; at least one task has to wait."""
        longest = max(tasks[0].cost for tasks in self._tasks.values())
        at_the_end = longest * sum(self._threads.values()) > _SHARE_OF_WORK * sum(self._cost.values())
        ranges = [
            i for i, tasks in self._tasks.items() if not at_the_end or tasks[0].cost >= _SHARE_OF_LONGEST * longest
        ]
        i = self._range.get(worker, (-1, 0))[0]
        if i not in ranges:
            self.leave(worker)
            i = max(ranges, key=lambda i: (self._cost[i] / (threads + self._threads[i]), i))
            self._range[worker] = i, threads
            self._threads[i] += threads
        task = self._tasks[i].popleft()
        self._cost[i] -= task.cost
        if not self._tasks[i]:
            del self._tasks[i], self._cost[i]
        return task

    def leave(self, worker: Hashable) -> None:
        """Forget the range of a worker, which may have left the cluster."""
        if worker in self._range:
            i, threads = self._range.pop(worker)
            self._threads[i] -= threads
