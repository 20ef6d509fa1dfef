"""Work on the next pieces while the caller is busy with one: results in order, few of them at a time."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")


def worked_ahead(work: Callable[[Item], Result], items: Iterable[Item], *, threads: int) -> Iterator[Result]:
    """Yield ``work(item)`` for each item, in order.

    Parameters
    ----------
    work : callable
        Runs in a thread of its own.
    items : iterable
        Taken in the caller's thread, at most ``threads + 1`` ahead of what was yielded.
    threads : int

    Examples
    --------
    >>> list(worked_ahead(abs, [-1, 2, -3], threads=2))
    [1, 2, 3]
    """
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="triadic-stream") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
