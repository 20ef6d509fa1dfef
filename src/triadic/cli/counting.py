"""From a file to counts, for every command that counts: read, prepare, count, each with its time."""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar

from triadic.cli.networks import read_network, wants_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from triadic.graph import Graph

Figures = TypeVar("Figures")


class Options(TypedDict, total=False):
    """What the commands that count are asked with; each has its default."""

    directed: bool | None
    format: str | None
    vertices: int | None
    threads: int | None
    device: str
    show_progress: bool | None


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
        }


def count_file(
    path: Path,
    count: Callable[[Graph, Keywords], Figures],
    *,
    what: str,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - as in triadic.read
    vertices: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    show_progress: bool | None = None,
) -> Counted[Figures]:
    """Read a network and count in it.

    Parameters
    ----------
    path : Path
    count : callable
        Makes the figures from a graph and the keywords of measures.
    what : str
        What is counted, for the message about a device that does not have it.
    directed, format, vertices, threads, device, show_progress
        As the command line has them.
    """
    from triadic.blocks import resolve_threads
    from triadic.devices.select import noting, resolve_device

    # Mistakes in these two are told before a long reading.
    used_threads, _ = resolve_threads(threads), resolve_device(device, count=what)
    progress = wants_progress(show_progress)
    graph, seconds = read_network(
        path, directed=directed, format=format, vertices=vertices, threads=threads, show_progress=progress
    )
    started = time.perf_counter()
    graph.oriented(threads=threads)
    prepared = time.perf_counter()
    with noting() as used, warnings.catch_warnings():
        warnings.showwarning = _say
        figures = count(graph, {"threads": threads, "device": device, "progress": progress})
    counted = time.perf_counter()
    return Counted(
        graph=graph,
        figures=figures,
        seconds={
            "read": seconds["read"],
            "prepare": seconds["prepare"] + prepared - started,
            "count": counted - prepared,
        },
        device=", ".join(used) or "cpu",
        threads=used_threads,
    )


def _say(message: Warning | str, *_: object, **__: object) -> None:
    sys.stderr.write(f"triadic: {message}\n")
