"""Sources that read a part of a file, in places spread over it, in place of all of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from triadic.io.file_source import Source
from triadic.io.streams.ahead import worked_ahead
from triadic.io.streams.parquet import ParquetStream
from triadic.planning.sample import scattered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike

    from triadic.io.asked import Asked

# Bytes of text read in one place.
_PLACE_BYTES = 1 << 19
_FEWEST_PLACES = 8


class SpreadSource(Source):
    """A text of which some places are read; the start of it where it is packed.

    Parameters
    ----------
    path : path-like
    most : int
        Bytes to read, about, unpacked.

    Attributes
    ----------
    size : int
        Bytes of the file.
    share : float
        What part of it the chunks were.
    """

    def __init__(self, path: str | PathLike[str], most: int) -> None:
        super().__init__(path)
        self.size = 0 if self.folder else Path(self.path).stat().st_size
        self._most = most
        self.share = 1.0

    def chunks(self, size: int | None = None) -> Iterator[bytes]:  # noqa: ARG002 - as the class above has it
        """Yield whole lines, a chunk for each place."""
        if self.whole or self._held is not None:
            yield from super().chunks(_PLACE_BYTES)
        elif self.packing is not None:
            yield from self._start()
        elif self.size <= self._most:
            yield from super().chunks(max(_PLACE_BYTES, self.size // _FEWEST_PLACES))
        else:
            yield from self._places()

    def _start(self) -> Iterator[bytes]:
        taken = 0
        with pa.OSFile(self.path) as raw, pa.CompressedInputStream(raw, self.packing) as unpacked:
            held = b""
            while taken < self._most and (block := unpacked.read(_PLACE_BYTES)):
                taken += len(block)
                cut = block.rfind(b"\n") + 1
                yield _lines(held + block[:cut])
                held = block[cut:]
            ended = taken < self._most
            # What was read of the packed file ahead is not much beside the rest.
            self.share = 1.0 if ended else raw.tell() / self.size
            if held and ended:
                yield _lines(held)

    def _places(self) -> Iterator[bytes]:
        count = max(_FEWEST_PLACES, self._most // _PLACE_BYTES)
        starts = [0, *scattered(self.size - _PLACE_BYTES, count)[1:]]
        taken = 0
        with Path(self.path).open("rb") as file:
            for start in starts:
                file.seek(start)
                block = file.read(_PLACE_BYTES)
                first = 0 if start == 0 else block.find(b"\n") + 1
                last = block.rfind(b"\n") + 1 if start + len(block) < self.size else len(block)
                if last > first:
                    taken += last - first
                    yield _lines(block[first:last])
        self.share = taken / self.size


class SpreadParquet(ParquetStream):
    """A Parquet file of which some row groups are read."""

    def __init__(self, source: Source, asked: Asked, *, most: int, threads: int) -> None:
        super().__init__(source, asked, piece_arcs=1 << 40, threads=threads)
        self._most = most
        self.arcs = self._metadata.num_rows

    def _read(self, change: Callable[[Any, Any], tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
        rows = [self._metadata.row_group(i).num_rows for i in range(self._metadata.num_row_groups)]
        if sum(rows) <= self._most:
            yield from super()._read(change)
            return
        groups = _chosen(len(rows), self._most / max(1, *rows))
        each = max(1, -(-self._most // len(groups)))

        def part(i: int) -> tuple[Any, Any]:
            with self._opened() as file:
                table = file.read_row_group(i, columns=self._ends, use_threads=False)
            return change(*self._columns(table.slice(0, each), 0))

        yield from worked_ahead(part, groups, threads=self._threads)


def _chosen(groups: int, enough: float) -> list[int]:
    count = min(groups, max(_FEWEST_PLACES, round(enough)))
    chosen: list[int] = np.unique(np.linspace(0, groups - 1, count).astype(np.int64)).tolist()
    return chosen


def _lines(chunk: bytes) -> bytes:
    return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in chunk else chunk
