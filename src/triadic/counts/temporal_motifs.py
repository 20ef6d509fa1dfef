"""Motifs of two and of three timed events, in total and at vertices; they take the oriented events of a temporal graph.

Each count has two inputs: the longest time from the first event to the last, and whether events at the same time never
follow one another.
"""

from __future__ import annotations

from triadic.core.motif_places import MOTIFS, TWO_EVENTS
from triadic.counts.count import Bytes, Count, Work
from triadic.devices.cpu.events import temporal_motifs as cpu
from triadic.devices.gpu import temporal_motifs as gpu

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
    cpu=cpu.motifs_of_vertices,
    gpu=gpu.motifs_of_vertices,
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
    cpu=cpu.two_events_of_vertices,
    bytes=Bytes(edge=16, worker_vertex=8 * TWO_EVENTS),
    work=Work(edge=80),
    not_tiled=_NOT_TILED,
)
"""The 6 motifs of two events that each rank is in: int64, shape (n, 6)."""
