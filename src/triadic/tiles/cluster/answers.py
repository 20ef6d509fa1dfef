"""What tasks gave: their errors as triadic's own, and sums at ranges, each brought here when it is asked for."""

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
    from triadic.tiles.sums import PartCount


class LostError(Exception):
    """Data was lost with its worker."""


class AtRanges(Mapping[int, Any]):
    """Sums of a group by range, each brought here when it is asked for."""

    def __init__(self, at: dict[int, Future], layout: Layout, counting: PartCount) -> None:
        self._at, self._layout, self._counting = at, layout, counting

    def __getitem__(self, i: int) -> NDArray[np.int64]:
        columns = () if self._counting.columns == 1 else (self._counting.columns,)
        whole = np.zeros((self._layout.length(i), *columns), dtype=np.int64)
        piece = result(self._at[i])
        if piece is not None:
            whole[piece.first : piece.last] = piece.counts
        return whole

    def __iter__(self) -> Iterator[int]:
        return iter(self._at)

    def __len__(self) -> int:
        return len(self._at)


def result(future: Future) -> Any:  # noqa: ANN401 - whatever its task gave
    """Give what a task gave, or raise what it raised as one of triadic's errors."""
    from distributed import KilledWorker  # noqa: PLC0415 - of an extra

    try:
        return future.result()
    except TriadicError:
        raise
    except (CancelledError, CancelledHereError):
        raise LostError from None
    except KilledWorker as error:
        raise DeviceError(
            f"workers died over and over, the last at {error.last_worker.address}: give them more memory, or cut the "
            "graph into more ranges"
        ) from None
    except Exception as error:
        why = " ".join(str(error).split())
        raise DeviceError(f"a task failed on its worker: {type(error).__name__}: {why}") from error


def checked(found: Any) -> Any:  # noqa: ANN401 - whatever a task gave
    """Give it, or raise the error that it is."""
    if isinstance(found, tasks.Failed):
        raise found.error
    return found
