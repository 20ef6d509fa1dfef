"""``stream_arcs``: from a path or a model to a stream of its arcs."""
# ruff: noqa: PLC0415 - Arrow takes long to import, as in `triadic.io.reading`

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from triadic.core.blocks import resolve_threads
from triadic.core.memory import check_memory
from triadic.errors import ArgumentError
from triadic.io.asked import Asked
from triadic.io.detect import detect, known_format, suffix_of
from triadic.io.file_source import Source

if TYPE_CHECKING:
    from triadic.generate.model import Model
    from triadic.io.streams.protocol import ArcStream

PIECE_ARCS = 1 << 20
_MOST_PIECE_ARCS = 1 << 40
# The text, its words or numbers, and the arcs, beside each other.
_WHOLE_PER_BYTE = 6
_UNPACKED = 4


def stream_arcs(
    network: str | os.PathLike[str] | Model,
    *,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the keyword of triadic.read_arcs
    vertices: int | None = None,
    source: str = "source",
    target: str = "target",
    piece_arcs: int = PIECE_ARCS,
    keep: int = 0,
    threads: int | None = None,
) -> ArcStream:
    r"""Open a file or a model as a stream of arcs.

    Parameters
    ----------
    network : path-like or Model
        A file or a folder that :func:`triadic.read_arcs` reads, or a model of :mod:`triadic.generate`.
    directed, format, vertices, source, target : optional
        As :func:`triadic.read_arcs` has them; a model takes ``directed`` alone. Weights are left alone.
    piece_arcs : int, default 1048576
        Arcs in a piece, at most.
    keep : int, default 0
        Bytes: if what the first pass makes of a text, Matrix Market or METIS file takes no more, it is kept for the
        next.
    threads : int, optional
        Threads that parse, decode or make arcs; by default as many as the process may use.

    Returns
    -------
    ArcStream

    Raises
    ------
    MissingFileError
        There is no such file.
    ReadError
        The file is damaged or not what it should be; ``survey`` finds out about most of that.
    ArgumentError
        An argument has a value that cannot be used.
    OutOfMemoryError
        A format that is read whole does not fit in memory.

    Notes
    -----
    Text, Parquet, METIS, Matrix Market (but its array format), ``.sg`` and triadic's own format are read in pieces.
    Pajek and GML are read whole when the stream is opened, and held.

    Examples
    --------
    >>> file = getfixture("tmp_path") / "edges.txt"
    >>> _ = file.write_text("a b\nb c\nc c\n")
    >>> stream = stream_arcs(file, piece_arcs=2)
    >>> survey = stream.survey()
    >>> survey.vertices, survey.arcs, survey.degree.tolist()
    (3, 3, [1, 2, 3])
    >>> [(source.tolist(), target.tolist()) for source, target in stream.pieces()]
    [([0, 1], [1, 2]), ([2], [2])]
    """
    asked = Asked(directed, vertices, False, source, target)
    piece_arcs = _checked(piece_arcs)
    workers = resolve_threads(threads)
    if not isinstance(network, (str, bytes, os.PathLike)):
        return _of_model(network, asked, format, piece_arcs, workers)
    name = None if format is None else known_format(format)
    file = Source(network)
    return _of_file(file, asked, name or detect(file), piece_arcs, keep, workers)


def _of_model(network: Model, asked: Asked, name: str | None, piece_arcs: int, threads: int) -> ArcStream:
    from triadic.io.streams.whole import generated

    if not hasattr(network, "fill"):
        raise ArgumentError(f"{network!r}: expected the path of a file or a model")
    if name is not None or asked.vertices is not None or asked.names_columns:
        raise ArgumentError(
            f"{type(network).__name__}: a model has no format, columns or vertices=; use directed= alone"
        )
    return generated(network, directed=asked.directed, piece_arcs=piece_arcs, threads=threads)


def _of_file(file: Source, asked: Asked, name: str, piece_arcs: int, keep: int, threads: int) -> ArcStream:
    if file.folder or name == "triadic":
        return _of_folder(file, asked, piece_arcs)
    if name == "gap":
        return _of_gap(file, asked, piece_arcs)
    if name == "parquet":
        from triadic.io.streams.parquet import ParquetStream

        return ParquetStream(file, asked, piece_arcs=piece_arcs, threads=threads)
    return _of_lines(file, asked, name, piece_arcs, keep, threads) or _of_whole(file, asked, name, piece_arcs)


def _of_lines(file: Source, asked: Asked, name: str, piece_arcs: int, keep: int, threads: int) -> ArcStream | None:
    """Give the stream of a text that is read in chunks of lines; None where it is not."""
    if name in ("text", "csv", "tsv"):
        from triadic.io.streams.text import TextStream
        from triadic.io.text_layout import Separator

        prefer = Separator.COMMA if name == "csv" else Separator.TAB
        return TextStream(file, asked, prefer=prefer, piece_arcs=piece_arcs, threads=threads, keep=keep)
    if name == "metis":
        from triadic.io.streams.metis import MetisStream

        return MetisStream(file, asked, piece_arcs=piece_arcs, threads=threads, keep=keep)
    if name == "matrix-market":
        from triadic.io.matrix_market import read_header
        from triadic.io.streams.matrix_market import MatrixMarketStream

        header = read_header(file)
        if header.entries is not None:
            return MatrixMarketStream(file, header, asked, piece_arcs=piece_arcs, threads=threads, keep=keep)
    return None


def _of_folder(file: Source, asked: Asked, piece_arcs: int) -> ArcStream:
    from triadic.io.folder import read_stored
    from triadic.io.streams.rows import RowStream

    stored = read_stored(file, weights=False)
    rows = len(stored.indptr) - 1
    return RowStream(
        stored.indptr,
        stored.indices,
        vertices=asked.vertices_at_least(file, rows),
        directed=stored.directed if asked.directed is None else asked.directed,
        labels=stored.labels,
        damaged=lambda *_: file.error(f"indices.npy is damaged; expected numbers from 0 to {rows - 1}"),
        dtype=stored.indices.dtype.type,
        piece_arcs=piece_arcs,
    )


def _of_gap(file: Source, asked: Asked, piece_arcs: int) -> ArcStream:
    import numpy as np

    from triadic.io.gap import mapped_rows
    from triadic.io.streams.rows import RowStream

    has_weights = suffix_of(file.path)[0] == ".wsg"
    directed, offsets, neighbours = mapped_rows(file, has_weights=has_weights)
    rows = len(offsets) - 1
    return RowStream(
        offsets,
        neighbours["vertex"] if has_weights else neighbours,
        vertices=asked.vertices_at_least(file, rows),
        directed=directed if asked.directed is None else asked.directed,
        labels=None,
        damaged=lambda least, greatest: file.error(
            f"its neighbours go from {least} to {greatest}, expected 0 to {rows - 1}"
        ),
        dtype=np.int32,
        piece_arcs=piece_arcs,
    )


def _of_whole(file: Source, asked: Asked, name: str, piece_arcs: int) -> ArcStream:
    from triadic.io.reading import arcs_of_format
    from triadic.io.streams.whole import held

    size = Path(file.path).stat().st_size * (1 if file.packing is None else _UNPACKED)
    check_memory(
        _WHOLE_PER_BYTE * size,
        f"reading {file.path}, whose format ({name}) is read whole,",
        "an edge list or Parquet is read in pieces",
    )
    return held(arcs_of_format(file, asked, name), piece_arcs=piece_arcs)


def _checked(piece_arcs: int) -> int:
    if isinstance(piece_arcs, bool) or not isinstance(piece_arcs, int) or not 1 <= piece_arcs <= _MOST_PIECE_ARCS:
        raise ArgumentError(f"piece_arcs={piece_arcs!r}: expected a whole number from 1 to 2**40")
    return piece_arcs
