"""Temporal motifs by their first event: over time, and at each vertex by the role that it plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.devices.cpu.first_events import bytes_by_first_event, motifs_by_first_event

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.temporal import TemporalGraph
    from triadic.measures.time_windows import Windows


def motifs_of_windows(
    graph: TemporalGraph,
    delta: float,
    windows: Windows,
    *,
    events: int,
    simultaneous: bool,
    threads: int,
    progress: ProgressKeyword,
) -> NDArray[np.int64]:
    """Count the motifs whose first event is in each window: int64, shape (windows, 36), or 6 in place of 36.

    Windows that overlap share their events, which are counted once: by the stretches between the bounds of windows.
    """
    bounds = np.unique(np.concatenate([windows.first, windows.last]))
    stretches = max(0, len(bounds) - 1)
    low, high = np.searchsorted(bounds, windows.first), np.searchsorted(bounds, windows.last)
    # A stretch between two windows is in none of them.
    covered = np.zeros(stretches + 1, dtype=np.int64)
    np.add.at(covered, low, 1)
    np.add.at(covered, high, -1)
    stretch = np.searchsorted(bounds, np.arange(graph.num_events), side="right") - 1
    outside = (stretch < 0) | (stretch >= stretches)
    stretch[outside] = -1
    stretch[~outside] = np.where(np.cumsum(covered)[stretch[~outside]] > 0, stretch[~outside], -1)
    keywords: dict[str, Any] = {"events": events, "simultaneous": simultaneous, "threads": threads}
    found = _counted(graph, delta, stretch, stretches, **keywords, progress=progress)
    sums = np.zeros((stretches + 1, found.shape[1]), dtype=np.int64)
    np.cumsum(found, axis=0, out=sums[1:])
    return sums[high] - sums[low]


def motifs_by_role(
    graph: TemporalGraph,
    delta: float,
    by_vertex: NDArray[np.int64],
    *,
    events: int,
    simultaneous: bool,
    threads: int,
    progress: ProgressKeyword,
) -> NDArray[np.int64]:
    """Split the motifs at each vertex by role: int64, shape (n, motifs, 3).

    The vertex is the source of the first event, its target, or the third vertex.
    """
    n = graph.num_vertices
    keywords: dict[str, Any] = {"events": events, "simultaneous": simultaneous, "threads": threads}
    found = _counted(graph, delta, None, 2 * n, **keywords, progress=progress)
    roles = np.empty((*by_vertex.shape, 3), dtype=np.int64)
    roles[:, :, 0], roles[:, :, 1] = found[0::2], found[1::2]
    np.subtract(by_vertex, roles[:, :, 0], out=roles[:, :, 2])
    roles[:, :, 2] -= roles[:, :, 1]
    return roles


def _counted(
    graph: TemporalGraph,
    delta: float,
    group: NDArray[Any] | None,
    groups: int,
    *,
    events: int,
    simultaneous: bool,
    threads: int,
    progress: ProgressKeyword,
) -> NDArray[np.int64]:
    n, number = graph.num_vertices, graph.num_events
    check_memory(
        bytes_by_first_event(number, n, groups, threads=threads),
        f"counting the temporal motifs of {number:,} events in {groups:,} rows on {threads} threads",
        "use fewer threads" + ("" if group is None else ", or a larger step"),
    )
    times = graph.time.view(np.int64) if graph.time.dtype.kind == "M" else graph.time
    with reporting(progress, "counting temporal motifs by their first event") as report:
        return motifs_by_first_event(
            graph.source,
            graph.target,
            times,
            delta,
            n,
            group,
            groups,
            events=events,
            simultaneous=simultaneous,
            threads=threads,
            progress=report,
        )
