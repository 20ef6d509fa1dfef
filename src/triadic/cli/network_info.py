"""What a file is read as: its format, its columns, its direction and its size, from its first bytes alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
_UNREAD = "as the file states; its format is read whole"
_LINES = {"exact": "", "estimated": "about ", "at least": "more than "}


def in_words(facts: dict[str, Any]) -> dict[str, object]:
    """Return the facts about a network or a batch for readers: numbers with commas and units, and reasons.

    Examples
    --------
    >>> in_words({"format": "csv", "lines": 1200, "lines_are": "estimated", "directed": True, "direction": "assumed"})
    {'format': 'csv', 'lines': 'about 1,200', 'directed': 'yes, assumed, because the file does not state it'}
    """
    from triadic.core.sizes import show_bytes

    words: dict[str, object] = {}
    for name, value in facts.items():
        if name == "bytes":
            words[name] = show_bytes(value) + (f", packed by {facts['packed']}" if "packed" in facts else "")
        elif name == "lines":
            words[name] = f"{_LINES[facts['lines_are']]}{value:,}"
        elif name == "graph_labels":
            words["graph labels"] = f"{value:,} different"
        elif name == "directed":
            decided = _DECIDED.get(facts["direction"])
            words[name] = f"{'yes' if value else 'no'}, {decided}" if decided is not None else _UNREAD
        elif name not in ("packed", "lines_are", "direction"):
            words[name] = f"{value:,}" if isinstance(value, int) else value
    return words


def describe_network(path: Path, options: ReadOptions) -> dict[str, Any]:
    """Return what a file is read as, as plain numbers and strings; edges are not counted.

    Parameters
    ----------
    path : pathlib.Path
    options : ReadOptions

    Raises
    ------
    ReadError
        The file cannot be read, or its first rows do not tell which columns hold the ends of edges.
    """
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
        **({"files": len(file.paths)} if isinstance(file, Lake) else {}),
        "format": known.name,
        "bytes": size,
        **({} if file.packing is None else {"packed": file.packing}),
        **(_unread(options) if stream is None else _of_stream(file, stream, size, given=options.directed is not None)),
    }


def describe_batch(path: Path, options: ReadOptions, many: BatchOptions) -> dict[str, Any]:
    """Return what many graphs are read as, as plain numbers and strings; the whole input is read, to count them.

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
    labels = batch.graph_labels
    return {
        "file": str(path),
        "batch": words_of_batch(path, batch),
        "graphs": batch.num_graphs,
        **({} if labels is None else {"graph_labels": len(set(map(str, labels.tolist())))}),
        "vertices": batch.num_vertices,
        "edges": batch.num_edges,
        "directed": batch.directed,
        "direction": batch.graph.origin.direction,
    }


def _unread(options: ReadOptions) -> dict[str, Any]:
    """Return the direction of a file that has to be read whole."""
    return {"directed": options.directed, "direction": None if options.directed is None else "given"}


def _of_stream(file: Source, stream: ArcStream, size: int, *, given: bool) -> dict[str, Any]:
    from triadic.io.parquet_file import ParquetStream
    from triadic.io.text_stream import TextStream

    facts: dict[str, Any] = {}
    origin, decided = stream.origin, stream.origin.direction
    if origin.columns is not None:
        facts["columns"] = origin.columns.removeprefix("columns ")
    if isinstance(stream, TextStream):
        facts["separator"] = _SEPARATORS.get(stream.layout.separator.value, stream.layout.separator.value)
        facts["ids"] = "whole numbers" if stream.layout.numeric else "names"
        facts |= _lines(file, size)
    elif isinstance(stream, ParquetStream):
        facts["rows"] = stream.rows
    decided = "given" if given else "stated" if decided == "given" else decided
    return facts | {"directed": stream.directed, "direction": decided}


def _lines(file: Source, size: int) -> dict[str, Any]:
    """Return the number of lines, and whether it is exact, estimated, or of the first lines alone."""
    lines = file.head.count(b"\n") + (not file.head.endswith(b"\n"))
    if file.whole:
        return {"lines": lines, "lines_are": "exact"}
    if file.packing is not None:
        return {"lines": lines, "lines_are": "at least"}
    return {"lines": round(lines * size / len(file.head), 1 - len(str(lines))), "lines_are": "estimated"}
