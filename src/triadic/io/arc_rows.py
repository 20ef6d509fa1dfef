"""The arcs of a network in one pass, as they stand in its files: vertices are not numbered, and names are hashed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import xxhash

from triadic.io.blocks import ProgressCount, gather, open_blocks
from triadic.io.file_source import CHUNK_BYTES
from triadic.io.format import ReadOptions
from triadic.io.formats import open_network
from triadic.io.identifiers import array_of, arrays_of
from triadic.io.streaming import stream_arcs

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.blocks import Progress
    from triadic.io.blocks import Rows
    from triadic.io.file_source import NetworkInput
    from triadic.io.identifiers import Column

    Take = Callable[[AnyArray, AnyArray], None]


def number_of(name: str) -> int:
    """Return the number that stands for a name: 63 bits of a hash.

    Examples
    --------
    >>> number_of("Valjean") == number_of("Valjean"), number_of("Valjean") == number_of("Javert")
    (True, False)
    """
    return xxhash.xxh3_64_intdigest(name.encode()) >> 1


def arc_rows(
    network: NetworkInput,
    begin: Callable[[str | None], None],
    take: Take,
    progress: Progress | None = None,
    *,
    format: str | None = None,  # noqa: A002 - the keyword of triadic.read
    source: str | int | None = None,
    target: str | int | None = None,
    header: bool | None = None,
    threads: int,
) -> None:
    """Read the ends of all arcs, in order.

    Parameters
    ----------
    network : NetworkInput
        What `triadic.read` reads.
    begin : callable
        Called before the first arc with the columns that are read, in the words of `Origin.columns`; and once more if
        the rows before turn out to be parsed in the wrong way.
    take : callable
        Called with the ends of some arcs: numbers as they stand in the file, or `number_of` names. Of formats that are
        no tables of edges, the numbers of vertices.
    progress : callable, optional
    format, source, target, header : optional
        As `triadic.read` takes them.
    threads : int
        Threads that parse or decode.

    Raises
    ------
    MissingFileError, ReadError, ArgumentError
        As `triadic.read` raises them.
    """
    options = ReadOptions(None, None, False, source, target, header, threads)
    file, known = open_network(network, format)
    if known.read is not None:
        stream = stream_arcs(network, format=format, threads=threads)
        begin(stream.origin.columns)
        for ends in stream.pieces(progress):
            take(*ends)
        return
    files = list(open_blocks(file, known, options, threads, twice=False))
    total = sum(blocks.work for blocks in files)

    def began(numeric: bool) -> Callable[[Rows], None]:
        begin(next((blocks.taken for blocks in files if blocks.taken), None))
        ends = _numbers if numeric else _hashes
        return lambda rows: take(ends(rows["source"]), ends(rows["target"]))

    gather(
        files, began, options, chunk_bytes=CHUNK_BYTES, threads=min(threads, files[0].most_threads),
        reported=lambda: ProgressCount(progress, total),
    )  # fmt: skip


def _numbers(column: Column) -> Int64Array:
    chunks = list(arrays_of(column))
    return chunks[0] if len(chunks) == 1 else np.concatenate([np.empty(0, dtype=np.int64), *chunks])


def _hashes(column: Column) -> Int64Array:
    found = [np.empty(0, dtype=np.int64)]
    for chunk in column.chunks:
        names = chunk.dictionary.to_pylist()
        found.append(np.fromiter(map(number_of, names), np.int64, len(names))[array_of(chunk.indices)])
    return np.concatenate(found)
