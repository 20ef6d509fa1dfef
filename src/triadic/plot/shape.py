"""A small graph as lines, arrowheads and discs, for whatever draws them."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import NamedTuple

Point = tuple[float, float]

_DISC, _HEAD, _SLIM = 0.1, 0.3, 0.42  # of the smaller side; the last of a head's length


@dataclass(frozen=True, slots=True)
class Shape:
    """A small graph with a place for each vertex.

    Attributes
    ----------
    places : tuple of (float, float)
        In the square from (0, 0), bottom left, to (1, 1).
    edges : tuple of (int, int)
        The lines.
    arcs : tuple of (int, int)
        The heads: at the second vertex, on the line from the first.
    """

    places: tuple[Point, ...]
    edges: tuple[tuple[int, int], ...]
    arcs: tuple[tuple[int, int], ...] = ()


class Strokes(NamedTuple):
    """What a shape is drawn with, in the units of its size.

    Attributes
    ----------
    lines : list of (Point, Point)
    heads : list of (Point, Point, Point)
        Triangles to fill, the tip first.
    discs : list of Point
        Middles of discs to fill.
    radius : float
        Of the discs.
    """

    lines: list[tuple[Point, Point]]
    heads: list[tuple[Point, Point, Point]]
    discs: list[Point]
    radius: float


def strokes_of(shape: Shape, width: float, height: float) -> Strokes:
    """Give the strokes of a shape in a box, from (0, 0) at the bottom left."""
    side = min(width, height)
    radius = _DISC * side
    discs = [(radius + x * (width - 2 * radius), radius + y * (height - 2 * radius)) for x, y in shape.places]
    return Strokes(
        lines=[_line(shape, discs, edge, radius, side) for edge in shape.edges],
        heads=[_head(discs[a], discs[b], radius, side) for a, b in shape.arcs],
        discs=discs,
        radius=radius,
    )


def _line(shape: Shape, discs: list[Point], edge: tuple[int, int], radius: float, side: float) -> tuple[Point, Point]:
    # A line stops inside its head, whose tip it would blunt.
    a, b = edge
    inset = radius + 0.5 * _HEAD * side
    start = _towards(discs[a], discs[b], inset) if (b, a) in shape.arcs else discs[a]
    end = _towards(discs[b], discs[a], inset) if (a, b) in shape.arcs else discs[b]
    return start, end


def _head(start: Point, end: Point, radius: float, side: float) -> tuple[Point, Point, Point]:
    tip, back = _towards(end, start, radius), _towards(end, start, radius + _HEAD * side)
    across = (_SLIM * (tip[1] - back[1]), _SLIM * (back[0] - tip[0]))
    return tip, (back[0] + across[0], back[1] + across[1]), (back[0] - across[0], back[1] - across[1])


def _towards(start: Point, end: Point, distance: float) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1])
    return start[0] + (end[0] - start[0]) * distance / length, start[1] + (end[1] - start[1]) * distance / length
