"""Arcs from a file or a model in bounded memory: read twice, a piece at a time, never held.

``stream_arcs(path)`` or ``stream_arcs(model)`` gives an :class:`ArcStream`. Its ``survey()`` reads everything once and
gives the number of vertices, their labels and the degrees; its ``pieces()`` then gives the arcs as vertices, as often
as they are wanted. Together they are exactly what :func:`triadic.read_arcs` gives.

What is held besides a few pieces: some bytes for each vertex, the names where ids are names, and a table over the ids
where they are numbers with gaps.
"""

from __future__ import annotations

from triadic.io.streams.opening import PIECE_ARCS, stream_arcs
from triadic.io.streams.protocol import ArcStream, Survey

__all__ = ["PIECE_ARCS", "ArcStream", "Survey", "stream_arcs"]
