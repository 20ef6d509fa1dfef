"""From a file to the figures of ``triadic clustering``: read, prepare, count, each with its time."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triadic.cli.networks import read_network, wants_progress

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from triadic.graph import Graph


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """Clustering of one network, by vertex and in total, and what it took."""

    graph: Graph
    degree: NDArray[np.int64]
    triangles: NDArray[np.int64]
    clustering: NDArray[np.float64]
    triangle_count: int
    transitivity: float
    average_clustering: float
    seconds: dict[str, float]
    device: str
    threads: int

    def as_record(self) -> dict[str, Any]:
        """Give the totals as plain numbers and strings, for JSON."""
        graph, dropped = self.graph, self.graph.dropped
        return {
            "graph": {
                "vertices": graph.num_vertices,
                "edges": graph.num_edges,
                "directed": graph.directed,
                "loops_dropped": dropped.loops,
                "duplicates_dropped": dropped.duplicates,
                "reciprocal_merged": dropped.reciprocal_merged,
            },
            "triangles": self.triangle_count,
            "transitivity": self.transitivity,
            # The mean over no vertices at all is not a number, which JSON cannot write.
            "average_clustering": None if math.isnan(self.average_clustering) else self.average_clustering,
            "seconds": {step: round(seconds, 6) for step, seconds in self.seconds.items()},
            "device": self.device,
            "threads": self.threads,
        }


def analyse(
    path: Path,
    *,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - as in triadic.read
    vertices: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    show_progress: bool | None = None,
) -> Analysis:
    """Read a network and count its triangles once; everything else is arithmetic on them."""
    from triadic.blocks import resolve_threads
    from triadic.devices.select import resolve_device
    from triadic.measures import clustering as measures

    # Mistakes in these two are told before a long reading.
    used_threads, used_device = resolve_threads(threads), resolve_device(device, count="triangles")
    progress = wants_progress(show_progress)
    graph, seconds = read_network(
        path, directed=directed, format=format, vertices=vertices, threads=threads, show_progress=progress
    )
    started = time.perf_counter()
    graph.oriented(threads=threads)
    prepared = time.perf_counter()
    triangles = measures.triangles(graph, threads=threads, device=device, progress=progress)
    degree = graph.degree
    clustering = measures.local_clustering(triangles, degree)
    transitivity = measures.transitivity_of(triangles, degree)
    average_clustering = measures.mean_clustering(clustering)
    counted = time.perf_counter()
    return Analysis(
        graph=graph,
        degree=degree,
        triangles=triangles,
        clustering=clustering,
        triangle_count=measures.count_of(triangles),
        transitivity=transitivity,
        average_clustering=average_clustering,
        seconds={
            "read": seconds["read"],
            "prepare": seconds["prepare"] + prepared - started,
            "count": counted - prepared,
        },
        device=used_device,
        threads=used_threads,
    )
