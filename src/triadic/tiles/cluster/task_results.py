"""The results of tasks on the client: errors become triadic's, and sums at ranks are downloaded range by range."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Mapping
from concurrent.futures import CancelledError as CancelledHereError
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import DeviceError, TriadicError
from triadic.tiles.cluster import tasks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from distributed import Future
    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout
    from triadic.tiles.sums import PartCounter


class LostDataError(Exception):
    """Data was lost with its worker."""


class RangeSums(Mapping[int, Any]):
    """The sums of a group at the ranks of each range, downloaded when they are used.

    Parameters
    ----------
    futures : dict of int to Future
        The piece with the sums of each range.
    layout : Layout
        The ranges.
    counter : PartCounter
        The count.
    """

    def __init__(self, futures: dict[int, Future], layout: Layout, counter: PartCounter) -> None:
        self._futures, self._layout, self._counter = futures, layout, counter

    def __getitem__(self, i: int) -> NDArray[np.int64]:
        sums = np.zeros(self._counter.range_shape(self._layout, i), dtype=np.int64)
        piece = result(self._futures[i])
        if piece is not None:
            sums[piece.first : piece.last] = piece.counts
        return sums

    def __iter__(self) -> Iterator[int]:
        return iter(self._futures)

    def __len__(self) -> int:
        return len(self._futures)


def result(future: Future) -> Any:  # noqa: ANN401 - the result of any task
    """Return the result of a task; raise its error as one of triadic, or LostDataError."""
    from distributed import KilledWorker  # noqa: PLC0415 - of an extra

    try:
        return future.result()
    except TriadicError:
        raise
    except (CancelledError, CancelledHereError):
        raise LostDataError from None
    except KilledWorker as error:
        raise DeviceError(
            f"workers died repeatedly in the same task, the last one at {error.last_worker.address}: give workers more "
            "memory, or cut the graph into more ranges"
        ) from None
    except Exception as error:
        why = " ".join(str(error).split())
        raise DeviceError(f"a task failed on its worker: {type(error).__name__}: {why}") from error


def success(value: Any) -> Any:  # noqa: ANN401 - the result of any task
    """Return the result of a task unchanged; raise the error of a failure."""
    if isinstance(value, tasks.Failure):
        raise value.error
    return value
