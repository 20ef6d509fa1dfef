"""Files of networks on the command line: read them with what there is to say, and know early where they can go."""

from __future__ import annotations

import sys
import time
import warnings
from typing import TYPE_CHECKING

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from pathlib import Path

    from triadic.graph.graph import Graph


def wants_progress(asked: bool | None) -> bool:
    """Whether to show progress: as asked, else on a terminal."""
    return sys.stderr.isatty() if asked is None else asked


def read_network(
    path: Path,
    *,
    directed: bool | None,
    format: str | None,  # noqa: A002 - as in triadic.read
    vertices: int | None,
    weights: bool | str | int | None = None,
    threads: int | None = None,
    show_progress: bool,
) -> tuple[Graph, dict[str, float]]:
    """Read a graph, and say on standard error what the reader leaves out.

    Returns
    -------
    graph : Graph
    seconds : dict
        ``read``: the file as arcs; ``prepare``: the graph from the arcs.
    """
    from triadic.core.progress import reporting
    from triadic.graph.graph import Graph  # the engine: imported before the clock runs
    from triadic.io import ReadWarning, read, read_arcs

    started = time.perf_counter()
    with reporting(show_progress, f"reading {path.name}"), warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always", ReadWarning)
        if path.is_dir():  # triadic's own format: a graph mapped into memory, which as arcs would be copied
            graph = read(path, directed=directed, format=format, vertices=vertices, weights=weights)
            read_at = time.perf_counter()
        else:
            arcs = read_arcs(path, directed=directed, format=format, vertices=vertices, weights=weights)
            read_at = time.perf_counter()
            graph = Graph.from_arcs(arcs, threads=threads)
    for remark in remarks:
        if issubclass(remark.category, ReadWarning):
            sys.stderr.write(f"triadic: {remark.message}\n")
    return graph, {"read": read_at - started, "prepare": time.perf_counter() - read_at}


def check_target(path: Path) -> None:
    """Raise if a network cannot be written under this name, before any work is done for it."""
    from triadic.io.file_source import suffix_of
    from triadic.io.formats import format_of_name, written_suffixes

    suffix = suffix_of(str(path))[0]
    known = format_of_name(str(path))
    if suffix and (known is None or known.write is None):
        accepted = " ".join(written_suffixes())
        raise ArgumentError(f"{path}: networks are not written as {suffix!r}; expected {accepted}")
