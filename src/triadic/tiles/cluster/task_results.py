"""The results of tasks on the client: errors become triadic's, and sums are downloaded block by block."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Mapping
from concurrent.futures import CancelledError as CancelledHereError
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import DeviceError, TriadicError
from triadic.tiles.cluster import tasks
from triadic.tiles.cluster.strips import blocks_of_sums
from triadic.tiles.sums import MemorySums

if TYPE_CHECKING:
    from collections.abc import Iterator

    from distributed import Client, Future

    from triadic.core.array_types import Int64Array
    from triadic.tiles.layout import Layout, Triple
    from triadic.tiles.sums import PartCounter, PartialSums


class LostDataError(Exception):
    """Data was lost with its worker."""


class ClientSums:
    """Sums that the client downloads, one group at a time.

    Parameters
    ----------
    sums : PartialSums
        The sums of the groups that are complete, in memory or in a folder on the client.
    layout : Layout
        The ranges.
    counter : PartCounter
        The count.
    """

    def __init__(self, sums: PartialSums, layout: Layout, counter: PartCounter) -> None:
        self._sums, self._layout, self._counter = sums, layout, counter

    def counted_triples(self) -> set[Triple]:
        """Return the triples whose counts are in the sums."""
        return self._sums.counted_triples()

    def finish(self, client: Client, name: str, triples: list[Triple], sums: list[Future]) -> list[Future]:  # noqa: ARG002 - as `StoredSums`
        """Return the sums, of which nothing remains to be computed."""
        return sums

    def add(self, triples: list[Triple], finished: list[Future]) -> None:
        """Download the sums of a group and add them."""
        if not self._counter.per_rank:
            self._sums.add(triples, result(finished[0])[tasks.TOTALS], {})
            return
        ranges = sorted({i for triple in triples for i in triple})
        downloads = _Downloads(finished, ranges, self._layout, self._counter)
        # Download all before `add` of sums in memory, which cannot undo a part of its additions.
        range_sums = dict(downloads) if isinstance(self._sums, MemorySums) else downloads
        self._sums.add(triples, [0] * self._counter.columns, range_sums)


class _Downloads(Mapping[int, Any]):
    """The sums of a group at the ranks of some ranges, downloaded when they are used, one block of ranges at a time."""

    def __init__(self, futures: list[Future], ranges: list[int], layout: Layout, counter: PartCounter) -> None:
        self._ranges, self._layout, self._counter = ranges, layout, counter
        self._blocks = list(zip(blocks_of_sums(layout, counter), futures, strict=True))
        self._held: tuple[range, Any] = (range(0), {})

    def __getitem__(self, i: int) -> Int64Array:
        if i not in self._held[0]:
            self._held = next((block, result(future)) for block, future in self._blocks if i in block)
        sums = np.zeros(self._counter.range_shape(self._layout, i), dtype=np.int64)
        piece = self._held[1].get(i)
        if piece is not None:
            sums[piece.first : piece.last] = piece.counts
        return sums

    def __iter__(self) -> Iterator[int]:
        return iter(self._ranges)

    def __len__(self) -> int:
        return len(self._ranges)


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
