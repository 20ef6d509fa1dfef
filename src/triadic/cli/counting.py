"""From a file to counts, for every command that counts: read, prepare, count, each with its time.

Counts that tiles have go by tiles where the graph does not fit in memory: see `triadic.cli.by_tiles`.
"""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar

from triadic.cli.networks import read_network, wants_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from triadic.cli.by_tiles import Asked, Place
    from triadic.cli.file_options import FileOptions
    from triadic.cli.locations import Url
    from triadic.graph.graph import Graph

Figures = TypeVar("Figures")


class Options(TypedDict, total=False):
    """What the commands that count are asked with; each has its default."""

    directed: bool | None
    format: str | None
    vertices: int | None
    threads: int | None
    device: str
    show_progress: bool | None
    by_tiles: Asked | None


class Keywords(TypedDict):
    """What every measure is called with."""

    threads: int | None
    device: str
    progress: bool


@dataclass(frozen=True, slots=True, eq=False)
class Counted(Generic[Figures]):
    """A network, the figures that were found in it, and what it took."""

    graph: Graph
    figures: Figures
    seconds: dict[str, float]
    device: str
    threads: int
    tiles: dict[str, int] | None = None
    made: Path | None = None

    def done(self) -> None:
        """Remove tiles that were made for this count alone: what was asked for is written."""
        if self.made is not None:
            from triadic.cli.by_tiles import remove

            remove(self.made)

    def as_record(self, figures: Mapping[str, Any], *, arcs: bool = False) -> dict[str, Any]:
        """Give plain numbers and strings, for JSON: the graph (with its `arcs` or not), the figures, what it took."""
        graph, dropped = self.graph, self.graph.dropped
        return {
            "graph": {
                "vertices": graph.num_vertices,
                "edges": graph.num_edges,
                **({"arcs": graph.num_arcs} if arcs else {}),
                "directed": graph.directed,
                "loops_dropped": dropped.loops,
                "duplicates_dropped": dropped.duplicates,
                "reciprocal_merged": dropped.reciprocal_merged,
            },
            **figures,
            "seconds": {step: round(seconds, 6) for step, seconds in self.seconds.items()},
            "device": self.device,
            "threads": self.threads,
            **({} if self.tiles is None else {"tiles": self.tiles}),
        }


def count_file(
    path: Path | Url,
    count: Callable[[Graph, Keywords], Figures],
    *,
    what: str,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - as in triadic.read
    vertices: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    show_progress: bool | None = None,
    by_tiles: Asked | None = None,
) -> Counted[Figures]:
    """Read a network and count in it, in memory or by tiles.

    Parameters
    ----------
    path : Path or Url
        A URL is one of tiles.
    count : callable
        Makes the figures from a graph and the keywords of measures.
    what : str
        What is counted, for the message about a device that does not have it.
    directed, format, vertices, threads, device, show_progress
        As the command line has them.
    by_tiles : Asked, optional
        How to count by tiles where that is needed; a count that tiles do not have has none.
    """
    from triadic.core.blocks import resolve_threads
    from triadic.counts.count import check_device, declared

    # Mistakes in these two are told before a long reading.
    used_threads = resolve_threads(threads)
    check_device(declared()[what], device)
    progress = wants_progress(show_progress)
    keywords: Keywords = {"threads": threads, "device": device, "progress": progress}
    options: FileOptions = {"directed": directed, "format": format, "vertices": vertices}
    if by_tiles is None:
        return _count_in_memory(Path(path), options, count, keywords, used_threads)
    from triadic.cli.by_tiles import client_of, place_of, resumable

    with client_of(by_tiles.dask) as client:
        place = place_of(path, by_tiles, options, threads=threads, progress=progress, client=client)
        if place is None:
            return _count_in_memory(Path(path), options, count, keywords, used_threads, client)
        with resumable():
            return _count_tiles(place, count, keywords, used_threads, client)


def _count_in_memory(
    path: Path,
    options: FileOptions,
    count: Callable[[Graph, Keywords], Figures],
    keywords: Keywords,
    used_threads: int,
    client: Any = None,  # noqa: ANN401 - distributed has no types
) -> Counted[Figures]:
    """Read a graph and count it, here or on a cluster that it is given to."""
    threads = keywords["threads"]
    graph, seconds = read_network(path, **options, threads=threads, show_progress=keywords["progress"])
    started = time.perf_counter()
    graph.oriented(threads=threads)
    seconds = {"read": seconds["read"], "prepare": seconds["prepare"] + time.perf_counter() - started}
    if client is None:
        figures, used, taken = _counted(graph, count, keywords)
        return Counted(graph, figures, {**seconds, "count": taken}, used, used_threads)
    from triadic.tiles.tiled_graph import TiledGraph

    tiled: Any = TiledGraph.of(graph, client=client)  # it has what the measures ask of a graph
    figures, used, taken = _counted(tiled, count, keywords)
    return Counted(graph, figures, {**seconds, "count": taken}, used, used_threads, _of_tiles(tiled, client))


def _count_tiles(
    place: Place,
    count: Callable[[Graph, Keywords], Figures],
    keywords: Keywords,
    threads: int,
    client: Any,  # noqa: ANN401 - distributed has no types
) -> Counted[Figures]:
    """Count in tiles that are there, on this machine or on a cluster."""
    from triadic.cli.by_tiles import open_tiles

    graph, opened = open_tiles(place, client)
    figures, used, taken = _counted(graph, count, keywords)
    seconds = {**(place.seconds or {"read": opened}), "count": taken}
    return Counted(graph, figures, seconds, used, threads, _of_tiles(graph, client), place.made)


def _of_tiles(graph: Any, client: Any) -> dict[str, int]:  # noqa: ANN401 - a TiledGraph, and distributed has no types
    from triadic.tiles.triples import triples

    layout = graph.oriented().layout
    found = {"ranges": layout.ranges, "tasks": sum(1 for _ in triples(layout))}
    return found if client is None else {**found, "workers": len(client.scheduler_info(n_workers=-1)["workers"])}


def _counted(
    graph: Graph, count: Callable[[Graph, Keywords], Figures], keywords: Keywords
) -> tuple[Figures, str, float]:
    """Give the figures, what they were counted on, and the seconds that took."""
    from triadic.counts.count import noting

    started = time.perf_counter()
    with noting() as used, warnings.catch_warnings():
        warnings.showwarning = _say
        figures = count(graph, keywords)
    return figures, ", ".join(used) or "cpu", time.perf_counter() - started


def _say(message: Warning | str, *_: object, **__: object) -> None:
    sys.stderr.write(f"triadic: {message}\n")
