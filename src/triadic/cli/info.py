"""``triadic info``: versions and devices of this installation, or what a network or a folder of tiles is read as.

What a file is read as, its format, columns, direction and size, is found in its first bytes alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from triadic.cli.help import with_examples
from triadic.cli.options import BatchOptions, Json, ReadOptions, with_options

if TYPE_CHECKING:
    from pathlib import Path

    from triadic.cli.network_files import Url
    from triadic.io.arc_stream import ArcStream
    from triadic.io.file_source import Source
    from triadic.tiles.stored_tiles import StoredTiles

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
    from triadic.core.memory import show_bytes

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
    from triadic.io.arc_stream import PIECE_ARCS, StreamLimits
    from triadic.io.format import ReadOptions as FileOptions
    from triadic.io.formats import check_columns, open_network
    from triadic.io.lake import Lake
    from triadic.io.streaming import opened_stream

    file, known = open_network(path, options.format)
    columns = FileOptions(options.directed, options.num_vertices, False, options.source, options.target, options.header)
    check_columns(known, columns)
    stream = opened_stream(file, known, columns, StreamLimits(PIECE_ARCS, 1))
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
    from triadic.io.arc_stream import BlockStream
    from triadic.io.lake import Lake
    from triadic.io.parquet_file import ParquetBlocks
    from triadic.io.text_blocks import TextBlocks

    facts: dict[str, Any] = {}
    origin, decided = stream.origin, stream.origin.direction
    if origin.columns is not None:
        facts["columns"] = origin.columns.removeprefix("columns ")
    blocks = stream.files[0] if isinstance(stream, BlockStream) and not isinstance(file, Lake) else None
    if isinstance(blocks, TextBlocks):
        facts["separator"] = _SEPARATORS.get(blocks.layout.separator.value, blocks.layout.separator.value)
        facts["ids"] = "whole numbers" if blocks.layout.numeric else "names"
        facts |= _lines(file, size)
    elif isinstance(blocks, ParquetBlocks):
        facts["rows"] = blocks.arcs
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


@with_examples("triadic info", "triadic info friends.csv", "triadic info large.tiles", "triadic info MUTAG")
@with_options
def info(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="Network to describe instead of the installation: a file, folder, quoted pattern or -, as of "
            "`triadic clustering`. Or the folder or URL of its tiles.",
            show_default=False,
        ),
    ] = None,
    *,
    options: ReadOptions,
    many: BatchOptions,
    as_json: Json = False,
) -> None:
    """Print what FILE is read as; without FILE, versions, threads, the folder of kernels, and devices.

    The format, the columns, the header, the separator and the direction are found in the first bytes of a file, as
    every command finds them. Without FILE, the output is what a bug report needs.
    """
    from triadic.cli.batch_counting import is_batch
    from triadic.cli.network_files import Url, parse_location, printed_warnings
    from triadic.cli.printing import print_facts, print_json
    from triadic.io.folder import is_graph_folder
    from triadic.tiles.layout import HEADER

    network = None if file is None else parse_location(file)
    if network is None:
        facts = words = _installation()
    elif isinstance(network, Url):
        facts = words = _describe_tiles(network)
    elif is_batch(network, many):
        facts = describe_batch(network, options, many)
        words = in_words(facts)
    elif (network / HEADER).exists() and not is_graph_folder(network):
        facts = words = _describe_tiles(network)
    else:
        with printed_warnings():
            facts = describe_network(network, options)
        words = in_words(facts)
    if as_json:
        print_json(facts, indent=2)
    else:
        print_facts(words)


def _describe_tiles(place: Path | Url) -> dict[str, object]:
    from triadic.tiles.layout import triples
    from triadic.tiles.stored_tiles import StoredTiles, open_store

    tiles = StoredTiles(open_store(place))
    layout = tiles.layout
    return {
        "vertices": layout.vertices,
        "edges": layout.edges,
        **({"arcs": layout.arcs} if layout.directed else {}),
        "directed": layout.directed,
        **_weights(tiles),
        "ranges": layout.ranges,
        "tasks": sum(1 for _ in triples(layout)),
        "bytes": tiles.nbytes,
        "made_of": str(tiles.origin["input"].get("name") or tiles.origin["input"].get("model")),
    }


def _weights(tiles: StoredTiles) -> dict[str, object]:
    """Return the column of the weights, their limits, and what was done with edges that occurred several times."""
    if tiles.weight_limits is None:
        return {}
    least, most = tiles.weight_limits
    column, combine = (tiles.origin.get(name) for name in ("weights", "combine"))
    combine = tiles.origin.get("combined") or combine
    return {"weights": column, "min_weight": least, "max_weight": most, "combine": combine}


def _installation() -> dict[str, object]:
    import platform
    from importlib.metadata import version

    from triadic._version import __version__
    from triadic.core.blocks import allowed_threads
    from triadic.devices.cpu.orient.rows import rank_by_degree
    from triadic.devices.runtimes import registry as gpus

    cache = cast("Any", rank_by_degree).stats.cache_path  # all kernels are stored in this folder or next to it
    return {
        "triadic": __version__,
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "scipy", "numba", "pyarrow")},
        "platform": platform.platform(),
        "threads": allowed_threads(),
        "kernel_cache": cache or "none: every process compiles the kernels again",
        "devices": ["cpu", *gpus.described()],
    }
