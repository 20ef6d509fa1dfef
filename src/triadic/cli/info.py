"""``triadic info`` and ``triadic plan``: what there is, what a network is read as, and what a count takes.

What a file is read as, its format, columns, direction and size, is found in its first bytes alone.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from triadic.cli.commands import argument, flag, option
from triadic.cli.network_files import Url, is_batch, parse_location, printed_warnings, read_many, words_of_batch
from triadic.cli.options import COUNTED, OR_MANY_GRAPHS, Computation, Json, ManyGraphs, Reading, Tiling
from triadic.cli.printing import print_json, print_rows, print_text
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.io.arc_stream import ArcStream
    from triadic.io.file_source import Source
    from triadic.tiles.stored_tiles import StoredTiles

_SEPARATORS = {"\t": "tabs", ",": "commas", ";": "semicolons"}
_DECIDED = {
    None: "",  # of tiles
    "given": ", as the option says",
    "stated": ", as the file or its format states",
    "assumed": ", assumed, because the file does not state it",
}
_UNREAD = "as the file states; its format is read whole"
_OF_PLANS = ("memory", "threads", "directed", "format", "source", "target", "header")
_NOT_OF_PLANS = {*Reading.declared(), *Tiling.declared(), *Computation.declared()} - {*_OF_PLANS, "weights"}
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
        elif name == "weights":
            words |= {name: f"{facts['min_weight']:g} to {facts['max_weight']:g}", "column": value}
        elif name == "graph_labels":
            words["graph labels"] = f"{value:,} different"
        elif name == "directed":
            words[name] = _UNREAD if value is None else f"{'yes' if value else 'no'}{_DECIDED[facts.get('direction')]}"
        elif name not in ("packed", "lines_are", "direction", "min_weight", "max_weight"):
            words[name] = f"{value:,}" if isinstance(value, int) else value
    return words


def describe_network(path: Path, options: Reading) -> dict[str, Any]:
    """Return what a file is read as, as plain numbers and strings; edges are not counted.

    Parameters
    ----------
    path : pathlib.Path
    options : Reading

    Raises
    ------
    ReadError
        The file cannot be read, or its first rows do not tell which columns hold the ends of edges.
    """
    from triadic.io.arc_stream import StreamLimits
    from triadic.io.format import ReadOptions as FileOptions
    from triadic.io.networks import Lake, open_to_read
    from triadic.io.reading import opened_stream

    columns = FileOptions(options.directed, options.num_vertices, False, options.source, options.target, options.header)
    file, known = open_to_read(path, options.format, columns)
    stream = opened_stream(file, known, columns, StreamLimits())
    own = file.folder and not isinstance(file, Lake)  # a folder in triadic's own format
    size = sum(part.stat().st_size for part in path.iterdir()) if own else file.stored_bytes
    unread = {"directed": options.directed, "direction": None if options.directed is None else "given"}
    return {
        "file": str(path),
        **({"files": len(file.paths)} if isinstance(file, Lake) else {}),
        "format": known.name,
        "bytes": size,
        **({} if file.packing is None else {"packed": file.packing}),
        **(unread if stream is None else _of_stream(file, stream, size, given=options.directed is not None)),
    }


def describe_batch(path: Path, options: "Info") -> dict[str, Any]:
    """Return what many graphs are read as, as plain numbers and strings; the whole input is read, to count them.

    Parameters
    ----------
    path : pathlib.Path
    options : Reading

    Raises
    ------
    ReadError
        The input cannot be read.
    """
    batch = read_many(path, options)
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


def _of_stream(file: "Source", stream: "ArcStream", size: int, *, given: bool) -> dict[str, Any]:
    from triadic.io.arc_stream import BlockStream
    from triadic.io.networks import Lake
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


def _lines(file: "Source", size: int) -> dict[str, Any]:
    """Return the number of lines, and whether it is exact, estimated, or of the first lines alone."""
    lines = file.head.count(b"\n") + (not file.head.endswith(b"\n"))
    if file.whole:
        return {"lines": lines, "lines_are": "exact"}
    if file.packing is not None:
        return {"lines": lines, "lines_are": "at least"}
    return {"lines": round(lines * size / len(file.head), 1 - len(str(lines))), "lines_are": "estimated"}


class Info(Reading, ManyGraphs, Json):
    """Print what FILE is read as; without FILE, versions, threads, the folder of kernels, and devices.

    The format, the columns, the header, the separator and the direction are found in the first bytes of a file, as
    every command finds them. Without FILE, the output is what a bug report needs.
    """

    examples = ("triadic info", "triadic info friends.csv", "triadic info large.tiles", "triadic info MUTAG")

    file: str | None = argument(
        "FILE",
        "Network to describe instead of the installation: a file, folder, quoted pattern or -, as of `triadic "
        "clustering`. Or the folder or URL of its tiles." + OR_MANY_GRAPHS,
        default=None,
    )

    def run(self) -> None:
        """Run the command."""
        from triadic.io.stored_graphs import is_graph_folder
        from triadic.tiles.layout import HEADER
        from triadic.tiles.stored_tiles import StoredTiles, open_store

        place = None if self.file is None else parse_location(self.file)
        if place is None:
            facts = _installation()
        elif isinstance(place, Path) and is_batch(place, self):
            facts = describe_batch(place, self)
        elif isinstance(place, Url) or ((place / HEADER).exists() and not is_graph_folder(place)):
            facts = describe_tiles(StoredTiles(open_store(place)))
        else:
            with printed_warnings():
                facts = describe_network(place, self)
        if self.json:
            print_json(facts, indent=2)
        else:
            items = ((name, each if isinstance(each, list) else [each]) for name, each in in_words(facts).items())
            print_rows(
                (("" if i else name, "", str(item)) for name, each in items for i, item in enumerate(each)), style=""
            )


def describe_tiles(tiles: "StoredTiles") -> dict[str, object]:
    """Return the size of tiles and what they were made of, as plain numbers and strings."""
    from triadic.tiles.layout import triples

    layout, limits, origin = tiles.layout, tiles.weight_limits, tiles.origin
    weights = limits and {
        "weights": origin.get("weights"),
        "min_weight": limits[0],
        "max_weight": limits[1],
        "combine": origin.get("combined") or origin.get("combine"),
    }
    return {
        "vertices": layout.vertices,
        "edges": layout.edges,
        **({"arcs": layout.arcs} if layout.directed else {}),
        "directed": layout.directed,
        **(weights or {}),
        "ranges": layout.ranges,
        "tasks": sum(1 for _ in triples(layout)),
        "bytes": tiles.nbytes,
        "made_of": str(origin["input"].get("name") or origin["input"].get("model")),
    }


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


class Plan(Json, Reading, Tiling, Computation, without=_NOT_OF_PLANS):
    """Estimate what a count takes: bytes read, written and held in memory, number of tasks, and time.

    The plan says whether the graph is counted in memory, by tiles or on a cluster. It reads a sample of a large file.
    Many graphs are counted in memory, as one graph: plan them with --num-vertices and --edges, the sums over all.
    """

    examples = (
        "triadic plan friends.txt.gz",
        "triadic plan --num-vertices 1000000 --edges 50000000 --of triads --memory 8GB",
    )

    file: str | None = argument(
        "FILE",
        "Network: a file, folder, quoted pattern or -, as of `triadic tile`. Or the folder of its tiles.",
        default=None,
    )
    num_vertices: int | None = option(
        "N",
        "Without FILE: the number of vertices. With FILE: the vertices are the numbers from 0 to N-1.",
    )
    edges: int | None = option("M", "Without FILE: the number of edges.")
    of: str = option(
        "COUNT",
        "What to count, by its name in triadic count, or 'temporal motifs'. With --weights, clustering means "
        "weighted_clustering.",
        words=COUNTED,
        default="clustering",
    )
    by: str | None = option("vertex|edge", "Count at each vertex or at each edge, not in the whole network.")
    size: int | None = option("3|4|5", "Number of vertices of the largest graphlets or orbits. Default: 4.")
    workers: int | None = option("W", "Plan for a cluster with this number of worker processes.")
    worker_memory: str | None = option("SIZE", "With --workers: memory of each worker. Default: 16GB.")
    measure: bool = flag("Measure the speed of this machine.")
    error: str | None = option(
        "SHARE",
        "With --max-seconds: width of the estimate to propose, such as 1% of the value on either side.",
    )
    max_seconds: str | None = option(
        "DURATION", "Propose an estimate if the count takes longer than this, such as 30s."
    )

    def run(self) -> None:
        """Run the command."""
        from triadic.cli.estimates import seconds_of, share_of
        from triadic.planning.plan import plan, proposal

        if self.max_seconds is None:
            self.refuse_without("max_seconds", "error")
        limit = None if self.max_seconds is None else seconds_of(self.max_seconds)
        if self.error is not None:
            share_of("--error", self.error)
        network, size = self._network(), None if self.file is None else self.num_vertices
        keywords = {
            name: getattr(self, name)
            for name in (*_OF_PLANS, "of", "by", "size", "workers", "worker_memory", "measure")
        }
        with printed_warnings():
            found = plan(network, num_vertices=size, weights=self.weights_keyword(), **keywords)
        words = [
            self.file or "FILE",
            "--estimate",
            "--error",
            self.error or "1%",
            "--max-seconds",
            str(self.max_seconds),
        ]
        instead = "" if limit is None else proposal(found, limit, words)
        if self.json:
            print_json({**found.as_record(), **({} if limit is None else {"proposal": instead})})
            return
        title = "a graph of this size" if isinstance(network, tuple) else network.name
        print_rows(found.rows(), title=f"{found.of} of {title}")
        print_text(found.footnote())
        if instead:
            print_text(instead)

    def _network(self) -> Path | tuple[int, int]:
        """Return the network to plan for, or its numbers of vertices and edges."""
        from triadic.io.batches import batch_kind

        if self.file is None and self.edges is not None and self.num_vertices is not None:
            return self.num_vertices, self.edges
        if self.file is None or self.edges is not None:
            raise ArgumentError("expected either FILE, or --num-vertices N and --edges M")
        place = parse_location(self.file)
        if isinstance(place, Url):
            raise ArgumentError(
                f"{place}: a plan reads files and folders of this machine; expected --num-vertices N and --edges M, "
                f"which `triadic info {place}` prints if there are tiles"
            )
        kind = batch_kind(place)
        if kind is not None:
            raise ArgumentError(
                f"{self.file}: holds many graphs ({kind}), which are counted in memory as one graph; expected "
                f"--num-vertices N and --edges M in place of FILE, the sums that `triadic info {self.file}` prints"
            )
        return place
