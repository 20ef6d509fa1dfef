"""What a file is read as: its format, its columns, its direction and its size, from its first bytes alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from triadic.cli.options import BatchOptions, ReadOptions
    from triadic.io.arc_stream import ArcStream
    from triadic.io.file_source import Source

_SEPARATORS = {"\t": "tabs", ",": "commas", ";": "semicolons"}
_DECIDED = {
    "given": "as the option says",
    "stated": "as the file or its format states",
    "assumed": "assumed, because the file does not state it",
}


def describe_network(path: Path, options: ReadOptions) -> dict[str, object]:
    """Return in words what a file is read as; edges are not counted.

    Parameters
    ----------
    path : pathlib.Path
    options : ReadOptions

    Raises
    ------
    ReadError
        The file cannot be read, or its first rows do not tell which columns hold the ends of edges.
    """
    from triadic.core.sizes import show_bytes
    from triadic.io.formats import check_columns, open_network
    from triadic.io.lake import Lake
    from triadic.io.options import ReadOptions as FileOptions
    from triadic.io.stream_passes import PIECE_ARCS, StreamLimits

    file, known = open_network(path, options.format)
    columns = FileOptions(options.directed, options.vertices, False, options.source, options.target, options.header)
    check_columns(known, columns)
    stream = None if known.stream is None else known.stream(file, columns, StreamLimits(PIECE_ARCS, 1))
    own = file.folder and not isinstance(file, Lake)  # a folder in triadic's own format
    size = sum(part.stat().st_size for part in path.iterdir()) if own else file.stored_bytes
    return {
        "file": str(path),
        **({"files": f"{len(file.paths):,}"} if isinstance(file, Lake) else {}),
        "format": known.name,
        "bytes": show_bytes(size) + ("" if file.packing is None else f", packed by {file.packing}"),
        **(_unread(options) if stream is None else _of_stream(file, stream, size, given=options.directed is not None)),
    }


def describe_batch(path: Path, options: ReadOptions, many: BatchOptions) -> dict[str, object]:
    """Return in words what many graphs are read as; the whole input is read, to count them.

    Parameters
    ----------
    path : pathlib.Path
    options : ReadOptions
    many : BatchOptions

    Raises
    ------
    ReadError
        The input cannot be read.
    """
    from triadic.cli.batch_counting import read_many, words_of_batch

    batch = read_many(path, options, many)
    decided = _DECIDED[batch.graph.origin.direction]
    labels = batch.graph_labels
    return {
        "file": str(path),
        "batch": words_of_batch(path, batch),
        "graphs": f"{batch.num_graphs:,}",
        **({} if labels is None else {"graph labels": f"{len(set(map(str, labels.tolist()))):,} different"}),
        "vertices": f"{batch.num_vertices:,}",
        "edges": f"{batch.num_edges:,}",
        "directed": f"{'yes' if batch.directed else 'no'}, {decided}",
    }


def _unread(options: ReadOptions) -> dict[str, object]:
    """Return the direction of a file that has to be read whole."""
    if options.directed is None:
        return {"directed": "as the file states; its format is read whole"}
    return {"directed": f"{'yes' if options.directed else 'no'}, {_DECIDED['given']}"}


def _of_stream(file: Source, stream: ArcStream, size: int, *, given: bool) -> dict[str, object]:
    from triadic.io.parquet_file import ParquetStream
    from triadic.io.text_stream import TextStream

    facts: dict[str, object] = {}
    origin, decided = stream.origin, stream.origin.direction
    if origin.columns is not None:
        facts["columns"] = origin.columns.removeprefix("columns ")
    if isinstance(stream, TextStream):
        facts["separator"] = _SEPARATORS.get(stream.layout.separator.value, stream.layout.separator.value)
        facts["ids"] = "whole numbers" if stream.layout.numeric else "names"
        facts["lines"] = _lines(file, size)
    elif isinstance(stream, ParquetStream):
        facts["rows"] = f"{stream.rows:,}"
    decided = "given" if given else "stated" if decided == "given" else decided
    facts["directed"] = f"{'yes' if stream.directed else 'no'}, {_DECIDED[decided]}"
    return facts


def _lines(file: Source, size: int) -> str:
    lines = file.head.count(b"\n") + (not file.head.endswith(b"\n"))
    if file.whole:
        return f"{lines:,}"
    if file.packing is not None:
        return f"more than {lines:,}"
    return f"about {round(lines * size / len(file.head), 1 - len(str(lines))):,}"
