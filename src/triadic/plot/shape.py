"""A small graph as lines, arrowheads and discs, for matplotlib and for SVG alike."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import NamedTuple

Point = tuple[float, float]

_HEAD = 0.3  # length of an arrowhead, as a share of the smaller side
_SLIM = 0.42  # half the width of an arrowhead, as a share of its length


@dataclass(frozen=True, slots=True)
class Shape:
    """A small graph with a position for each vertex.

    Attributes
    ----------
    places : tuple of (float, float)
        Positions in the square from (0, 0), bottom left, to (1, 1).
    edges : tuple of (int, int)
        Pairs of vertices that a line joins.
    arcs : tuple of (int, int)
        Pairs of vertices with an arrowhead at the second, on the line from the first.
    disc : float
        Radius of a disc, as a share of the smaller side of the drawing.
    """

    places: tuple[Point, ...]
    edges: tuple[tuple[int, int], ...]
    arcs: tuple[tuple[int, int], ...] = ()
    disc: float = 0.1


class Strokes(NamedTuple):
    """The lines, arrowheads and discs of a drawn shape.

    Attributes
    ----------
    lines : list of (Point, Point)
        Ends of each line.
    heads : list of (Point, Point, Point)
        Corners of each filled triangle, the tip first.
    discs : list of Point
        Centres of the filled discs.
    radius : float
        Radius of the discs.
    """

    lines: list[tuple[Point, Point]]
    heads: list[tuple[Point, Point, Point]]
    discs: list[Point]
    radius: float


def strokes_of(shape: Shape, width: float, height: float) -> Strokes:
    """Return the strokes of a shape in a box of this size, with (0, 0) at the bottom left."""
    side = min(width, height)
    radius = shape.disc * side
    discs = [(radius + x * (width - 2 * radius), radius + y * (height - 2 * radius)) for x, y in shape.places]
    return Strokes(
        lines=[_line(shape, discs, edge, radius, side) for edge in shape.edges],
        heads=[_head(discs[a], discs[b], radius, side) for a, b in shape.arcs],
        discs=discs,
        radius=radius,
    )


def _line(shape: Shape, discs: list[Point], edge: tuple[int, int], radius: float, side: float) -> tuple[Point, Point]:
    # A line ends at its disc, which may be a ring, or inside its arrowhead, because it would blunt the tip.
    (a, b), beyond = edge, 0.5 * _HEAD * side
    start, end = discs[a], discs[b]
    return (
        _towards(start, end, radius + beyond * ((b, a) in shape.arcs)),
        _towards(end, start, radius + beyond * ((a, b) in shape.arcs)),
    )


def _head(start: Point, end: Point, radius: float, side: float) -> tuple[Point, Point, Point]:
    tip, back = _towards(end, start, radius), _towards(end, start, radius + _HEAD * side)
    across = (_SLIM * (tip[1] - back[1]), _SLIM * (back[0] - tip[0]))
    return tip, (back[0] + across[0], back[1] + across[1]), (back[0] - across[0], back[1] - across[1])


def _towards(start: Point, end: Point, distance: float) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1])
    return start[0] + (end[0] - start[0]) * distance / length, start[1] + (end[1] - start[1]) * distance / length
