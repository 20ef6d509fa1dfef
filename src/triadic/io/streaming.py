"""``stream_arcs``: the arcs of a network, read twice in pieces and never held as a whole.

``stream_arcs(path)`` returns an :class:`~triadic.io.arc_stream.ArcStream`. Its ``survey()`` reads the file once and
returns the number of vertices, their labels and their degrees; its ``pieces()`` then yields the arcs as vertices, as
often as it is called. Together they return exactly what :func:`triadic.io.read_arcs` returns.

A stream holds, besides a few pieces, some bytes for each vertex, the names where ids are names, and a table of the ids
where they are numbers with gaps.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from triadic.core.blocks import resolve_threads
from triadic.core.memory import check_memory, named_memory_errors
from triadic.core.oriented import NO_NUMBERS
from triadic.errors import ArgumentError
from triadic.io.arc_stream import PIECE_ARCS, ArcStream, BlockStream, StreamLimits, stream_of_arcs
from triadic.io.blocks import gather, open_blocks
from triadic.io.file_source import CHUNK_BYTES, LESS_MEMORY
from triadic.io.format import ReadOptions
from triadic.io.identifiers import array_of, to_array
from triadic.io.networks import open_to_read
from triadic.io.reading import arcs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.blocks import Progress
    from triadic.io.blocks import Rows
    from triadic.io.file_source import NetworkInput, Source
    from triadic.io.format import Format
    from triadic.io.identifiers import Column

    Take = Callable[[AnyArray, AnyArray], None]

_MOST_PIECE_ARCS = 1 << 40
# The text, its words or numbers, and the arcs are in memory at the same time.
_WHOLE_PER_BYTE = 6


def stream_arcs(
    network: NetworkInput,
    *,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the keyword of triadic.io.read_arcs
    num_vertices: int | None = None,
    weights: bool | str | int | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    header: bool | None = None,
    bad_rows: str = "error",
    where: Mapping[str, Any] | None = None,
    piece_arcs: int = PIECE_ARCS,
    keep: int = 0,
    threads: int | None = None,
) -> ArcStream:
    r"""Open a network as a stream of arcs.

    Parameters
    ----------
    network : path-like, list of path-like, binary file or table
        What :func:`triadic.io.read_arcs` reads.
    directed : bool, optional
        None takes the direction that the format or the header of the file states, and True where neither does.
    format : str, optional
        A key of ``triadic.io.FORMATS``; None chooses by the first bytes and the suffix.
    num_vertices : int, optional
        Number of vertices 0, 1, ...; every id has to be below it.
    weights : bool, str or int, optional
        Which weights to read, as in :func:`triadic.read`; None and False read none.
    source, target : str or int, optional
        Names or indices of the columns of the two ends, as in :func:`triadic.read`.
    header : bool, optional
        Whether the first row of a text holds the names of the columns, as in :func:`triadic.read`.
    bad_rows : {"error", "skip"}, default "error"
    where : mapping, optional
        What becomes of rows that cannot be read, and which rows are read, as in :func:`triadic.read`.
    piece_arcs : int, default 1048576
        Largest number of arcs in a piece.
    keep : int, default 0
        Bytes: if the decoded columns of text or METIS files are not larger, they are kept for the second pass.
    threads : int, optional
        Threads that parse or decode; by default as many as the process may use.

    Returns
    -------
    ArcStream

    Raises
    ------
    MissingFileError
        The file does not exist.
    ReadError
        The file is damaged or of another format; most damage is found by ``survey`` only.
    ArgumentError
        An argument has a value that cannot be used.
    OutOfMemoryError
        The format is read whole, and the file does not fit in memory.

    Notes
    -----
    Text, Parquet, METIS, ``.sg`` and triadic's own format are read in pieces. Files of other formats are read whole
    when the stream is opened.

    An Arrow dataset, a polars LazyFrame and a DuckDB relation are read in batches. A query is executed three times, to
    count its rows and for the two passes; its rows must be the same each time, which a digest checks. A LazyFrame of
    polars before 1.34 and a stream that can be read only once, such as a ``pyarrow.RecordBatchReader``, are copied to a
    temporary Parquet file with the two columns first.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("edges.txt").write_text("a b\nb c\nc c\n")
    >>> stream = stream_arcs("edges.txt", piece_arcs=2)
    >>> survey = stream.survey()
    >>> survey.vertices, survey.arcs, survey.degree.tolist()
    (3, 3, [1, 2, 3])
    >>> [(source.tolist(), target.tolist()) for source, target in stream.pieces()]
    [([0, 1], [1, 2]), ([2], [2])]
    """
    weights = False if weights is None else weights
    options = ReadOptions(
        directed, num_vertices, weights, source, target, header, threads, bad_rows=bad_rows, where=where
    )
    if type(piece_arcs) is not int or not 1 <= piece_arcs <= _MOST_PIECE_ARCS:
        raise ArgumentError(f"piece_arcs={piece_arcs!r}: expected a whole number from 1 to 2**40")
    limits = StreamLimits(piece_arcs, resolve_threads(threads), keep)
    file, known = open_to_read(network, format, options)
    work = f"{file.name}: reading the network"
    with named_memory_errors(work, LESS_MEMORY):
        stream = opened_stream(file, known, options, limits)
        if stream is None:
            whole = f"reading {file.name}, whose format ({known.name}) is read whole,"
            check_memory(_WHOLE_PER_BYTE * file.unpacked_bytes, whole, LESS_MEMORY)
            arcs = arcs_of(file, known, options)
            if arcs.weights is None and options.wants_weights:
                raise file.error(f"weights={options.weights!r}: the file has no weights")
            stream = stream_of_arcs(arcs, piece_arcs=piece_arcs)
        stream.work = work
        return stream


def opened_stream(file: Source, known: Format, options: ReadOptions, limits: StreamLimits) -> ArcStream | None:
    """Open a network as a stream; return None if it has to be read whole."""
    if known.stream is not None:
        return known.stream(file, options, limits)
    if known.read is not None:
        return None
    return BlockStream(file, list(open_blocks(file, known, options)), options, limits)


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
    format: str | None,  # noqa: A002 - the keyword of triadic.read
    options: ReadOptions,
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
    format : str or None
        As `triadic.read` takes it.
    options : ReadOptions
        Without weights and further columns.

    Raises
    ------
    MissingFileError, ReadError, ArgumentError
        As `triadic.read` raises them.
    """
    file, known = open_to_read(network, format, options)
    threads = resolve_threads(options.threads)
    if known.read is not None:
        stream = stream_arcs(network, format=format, threads=threads)
        begin(stream.origin.columns)
        for ends in stream.pieces(progress):
            take(*ends)
        return
    files = list(open_blocks(file, known, options, twice=False))

    def began(numeric: bool) -> Callable[[Rows], None]:
        begin(next((blocks.taken for blocks in files if blocks.taken), None))
        ends = partial(to_array, dtype=np.int64) if numeric else _hashes
        return lambda rows: take(ends(rows["source"]), ends(rows["target"]))

    gather(files, began, options, chunk_bytes=CHUNK_BYTES, threads=threads, progress=progress)


def _hashes(column: Column) -> Int64Array:
    found = [NO_NUMBERS]
    for chunk in column.chunks:
        names = chunk.dictionary.to_pylist()
        found.append(np.fromiter(map(number_of, names), np.int64, len(names))[array_of(chunk.indices)])
    return np.concatenate(found)
