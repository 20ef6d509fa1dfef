"""Motifs of two and of three timed events, in total and at vertices; they take the oriented events of a temporal graph.

Each count has two inputs: the longest time from the first event to the last, and whether events at the same time never
follow one another.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.core.triad_types import MOTIFS, TWO_EVENTS
from triadic.counts.count import Bytes, Count, Work
from triadic.devices.cpu.events import moving_window
from triadic.devices.cpu.events import temporal_motifs as cpu
from triadic.devices.gpu import temporal_motifs as gpu
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.temporal import TemporalGraph

WINDOW_CLUSTERING, WINDOW_TRIADS = moving_window.CLUSTERING, moving_window.TRIADS
"""Names of the numbers of `count_windows`."""

_NOT_TILED = "tiles contain no times"

TEMPORAL_MOTIFS = Count(
    name="temporal motifs",
    gives="total",
    columns=MOTIFS,
    takes="events",
    cpu=cpu.motifs,
    gpu=gpu.motifs,
    # Spans of pairs and marks, where windows are long.
    bytes=Bytes(vertex=8, edge=16, worker_vertex=8),
    work=Work(edge=120),
    not_tiled=_NOT_TILED,
)
"""The 36 motifs of three events, row by row of the matrix: int64, shape (36,)."""

TEMPORAL_MOTIFS_OF_VERTICES = Count(
    name="temporal motifs of vertices",
    gives="vertices",
    columns=MOTIFS,
    takes="events",
    cpu=partial(cpu.motifs, by_vertex=True),
    gpu=partial(gpu.motifs, by_vertex=True),
    # Numbers of events of the same pair near each event, then spans; a table for each thread, and then the table in the
    # order of vertices.
    bytes=Bytes(vertex=8 * MOTIFS, edge=16, worker_vertex=8 * MOTIFS + 8),
    work=Work(edge=240),
    not_tiled=_NOT_TILED,
)
"""The 36 motifs of three events that each rank is in: int64, shape (n, 36)."""

PAIRS_OF_EVENTS = Count(
    name="temporal motifs of two events",
    gives="total",
    columns=TWO_EVENTS,
    takes="events",
    cpu=cpu.two_events,
    bytes=Bytes(edge=16),
    work=Work(edge=40),
    not_tiled=_NOT_TILED,
)
"""The 6 motifs of two events: int64, shape (6,)."""

PAIRS_OF_EVENTS_OF_VERTICES = Count(
    name="temporal motifs of two events of vertices",
    gives="vertices",
    columns=TWO_EVENTS,
    takes="events",
    cpu=partial(cpu.two_events, by_vertex=True),
    bytes=Bytes(edge=16, worker_vertex=8 * TWO_EVENTS),
    work=Work(edge=80),
    not_tiled=_NOT_TILED,
)
"""The 6 motifs of two events that each rank is in: int64, shape (n, 6)."""


def motifs_by_first_event(
    graph: TemporalGraph,
    delta: float,
    group: AnyArray | None,
    groups: int,
    *,
    events: int,
    simultaneous: bool,
    threads: int,
    progress: ProgressKeyword,
) -> Int64Array:
    """Count the motifs whose first event is in each group, or by default of each vertex and end: shape (groups, 36)."""
    n, number = graph.num_vertices, graph.num_events
    check_memory(
        cpu.bytes_by_first_event(number, n, groups, threads=threads),
        f"counting the temporal motifs of {number:,} events in {groups:,} rows on {threads} threads",
        "use fewer threads" + ("" if group is None else ", or a larger step"),
    )
    times = graph.time.view(np.int64) if graph.time.dtype.kind == "M" else graph.time
    with reporting(progress, "counting temporal motifs by their first event") as report:
        return cpu.motifs_by_first_event(
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


def count_windows(
    graph: TemporalGraph,
    first: Int64Array,
    last: Int64Array,
    *,
    triads: bool,
    threads: int,
    progress: ProgressKeyword,
) -> tuple[Int64Array, Float64Array]:
    """Return the numbers of each window of events `first` .. `last` - 1, and the means of its coefficients.

    The numbers are those of `WINDOW_TRIADS` if `triads`, else of `WINDOW_CLUSTERING`: int64, shape (windows, numbers).
    """
    number, n = graph.num_events, graph.num_vertices
    check_memory(
        moving_window.bytes_of_windows(number, n, len(first), threads=threads),
        f"counting {len(first):,} windows of {number:,} events between {n:,} vertices on {threads} threads",
        "use fewer threads, or a larger step",
    )
    pairs = moving_window.pair_list(graph.oriented(threads=threads))
    degree = np.diff(pairs.begins)
    # The windows have at most as many wedges as all events together.
    if len(degree) and float(np.dot(degree.astype(np.float64), degree)) >= 2.0**63:
        raise UnsupportedError("graph: its events may form 2**63 wedges or more, too many for counts of 64 bits")
    with reporting(progress, "moving a window over time") as report:
        return moving_window.count_windows(pairs, first, last, triads=triads, threads=threads, progress=report)
