"""Networks in files: where the words of a command line lead, how a network is read, and where one can be written."""

from __future__ import annotations

import sys
import time
import warnings
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph


class Url(str):
    """URL of tiles, for fsspec. As a `pathlib.Path` the URL would lose one of its slashes."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Last part of the URL, like `pathlib.Path.name`."""
        return self.rstrip("/").rpartition("/")[2]


def parse_location(text: str) -> Path | Url:
    """Return the path or the URL that an argument of the command line names.

    Examples
    --------
    >>> parse_location("s3://bucket/graph.tiles").name, parse_location("folder/graph.txt").name
    ('graph.tiles', 'graph.txt')
    """
    from triadic.tiles.stored_tiles import is_url

    return Url(text) if is_url(text) else Path(text)


def read_network(
    path: Path,
    *,
    columns: Sequence[str] | None = (),
    min_weight: float | None = None,
    max_weight: float | None = None,
    combine: str | None = None,
    threads: int | None = None,
    progress: bool,
    **reading: Any,  # noqa: ANN401 - keywords of different types
) -> tuple[Graph, dict[str, float]]:
    """Read a graph without the arcs outside a range of weights; print warnings on standard error.

    Columns of the edges and the vertices whose names are in `columns` are kept, or of None those that a file declares;
    further keywords are those of `triadic.read`. The range is that of arcs as the file gives them,
    before the weights of both ends of an undirected edge become one.

    Returns
    -------
    graph : Graph
    seconds : dict of str to float
        ``read``: from the file to arcs; ``prepare``: from the arcs to the graph.
    """
    from triadic.core.progress import reporting
    from triadic.graph.graph import Graph  # compiled code: loaded before the time is taken
    from triadic.io import read, read_arcs
    from triadic.io.stored_graphs import HEADER

    reading["columns"] = columns
    if min_weight is not None and max_weight is not None and min_weight > max_weight:
        raise ArgumentError(f"--min-weight {min_weight:g}: expected at most --max-weight {max_weight:g}")
    limits = None if min_weight is None and max_weight is None else (min_weight, max_weight)
    started = time.perf_counter()
    with reporting(progress, f"reading {path.name}"), printed_warnings():
        if (path / HEADER).is_file() and not (
            limits and reading["directed"] is False
        ):  # mapped into memory, not copied as arcs
            graph = read(path, threads=threads, **reading)
            read_at = time.perf_counter()
        else:
            arcs = read_arcs(path, threads=threads, **reading)
            read_at = time.perf_counter()
            if limits and not (arcs.directed or arcs.both_ends):
                arcs, limits = _within(arcs, limits, combine, threads), None
            graph = Graph.from_arcs(arcs, combine=combine, threads=threads)
    if limits:
        graph = _filtered(graph, limits)
    say_weights(graph.origin.weights)
    return graph, {"read": read_at - started, "prepare": time.perf_counter() - read_at}


@contextmanager
def printed_warnings() -> Iterator[None]:
    """Print the warnings of a reader on standard error when the block ends without an error."""
    from triadic.cli.printing import print_remark

    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always", UserWarning)
        yield
    # A file that is opened several times says the same each time.
    for remark in dict.fromkeys(str(remark.message) for remark in remarks if issubclass(remark.category, UserWarning)):
        print_remark(remark)


def reading_of(graph: Graph, *, directions: bool = True) -> str | None:
    """Return what a file was read as: its columns, and if it matters that the direction was assumed; None without."""
    assumed = directions and graph.directed and graph.origin.direction == "assumed"
    taken = [graph.origin.columns, "read as directed (assumed, as the file does not state it)" if assumed else None]
    return "; ".join(filter(None, taken)) or None


def titled(name: str, reading: str | None) -> str:
    """Return the title of a table: the name of a network, and what its file was read as."""
    from triadic.cli.printing import drawable

    if reading is None:
        return name
    return f"{name}: {reading if drawable('→') == '→' else reading.replace('→', '->')}"


def _filtered(graph: Graph, limits: tuple[float | None, float | None]) -> Graph:
    """Return a graph without the edges outside the limits of weights, and print their number on standard error."""
    kept = graph.filter(weights=limits)
    share, what = (1, "arcs") if graph.directed else (2, "edges")
    left_out, total = (graph.num_arcs - kept.num_arcs) // share, graph.num_arcs // share
    sys.stderr.write(f"triadic: left out {left_out:,} of {total:,} {what} by their weights\n")
    return kept


def _within(arcs: Arcs, limits: tuple[float | None, float | None], combine: str | None, threads: int | None) -> Arcs:
    """Return the loops, and the arcs of an undirected graph whose weights, repeats combined, are in a range."""
    import numpy as np

    from triadic.graph.graph import Graph

    given = Graph.from_arcs(replace(arcs, directed=True), combine=combine, threads=threads)
    source, target = _filtered(given, limits).edges()
    n = np.int64(arcs.vertices)
    loops = arcs.source == arcs.target
    inside = loops | np.isin(arcs.source * n + arcs.target, source * n + target)
    assert arcs.weights is not None  # noqa: S101 - for the type checker; `filter` has asked for them
    return replace(arcs, source=arcs.source[inside], target=arcs.target[inside], weights=arcs.weights[inside])


def say_weights(words: str | None) -> None:
    """Print on standard error what was done with weights, unless they were added, of which a warning tells."""
    from triadic.cli.printing import print_remark

    if words is not None and not words.endswith("are added"):
        print_remark(words)


def check_target(path: Path) -> None:
    """Raise an error if a network cannot be written under this name; called before the work that the file is for."""
    from triadic.io.file_source import suffix_of
    from triadic.io.format import format_of_name, written_suffixes

    suffix = suffix_of(str(path))[0]
    known = format_of_name(str(path))
    if suffix and (known is None or known.write is None):
        accepted = " ".join(written_suffixes())
        raise ArgumentError(f"{path}: networks are not written as {suffix!r}; expected {accepted}")
