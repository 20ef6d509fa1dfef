"""Shapes of triads and connected graphs of up to five vertices, as lines, arrowheads and discs to draw."""

from __future__ import annotations

from math import dist
from typing import NamedTuple

from triadic.core.graphlets import EDGES_OF_GRAPHLETS, GRAPH_NAMES
from triadic.core.records import value_class
from triadic.core.triad_types import TRIAD_NAMES, states

Point = tuple[float, float]

_HEAD = 0.3  # length of an arrowhead, as a share of the smaller side
_SLIM = 0.42  # half the width of an arrowhead, as a share of its length


@value_class
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
    radius, head = shape.disc * side, _HEAD * side
    discs = [(radius + x * (width - 2 * radius), radius + y * (height - 2 * radius)) for x, y in shape.places]
    heads, arcs = [], set(shape.arcs)
    for a, b in shape.arcs:
        tip, back = (_towards(discs[b], discs[a], inset) for inset in (radius, radius + head))
        x, y = _SLIM * (tip[1] - back[1]), _SLIM * (back[0] - tip[0])
        heads.append((tip, (back[0] + x, back[1] + y), (back[0] - x, back[1] - y)))
    # A line ends at its disc, which may be a ring, or inside its arrowhead, because it would blunt the tip.
    lines = [
        (
            _towards(discs[a], discs[b], radius + head / 2 * ((b, a) in arcs)),
            _towards(discs[b], discs[a], radius + head / 2 * ((a, b) in arcs)),
        )
        for a, b in shape.edges
    ]
    return Strokes(lines, heads, discs, radius)


def _towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point at a distance from the start on the line to the end."""
    share = distance / dist(start, end)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


# States of the dyads left-top, left-right and top-right: 1 for an arc to the second vertex, 2 for an arc back, 3 for
# both. They are given as the codes of labelled triads. Each type is drawn so that its letter can be seen: Down from the
# top vertex, Up to it, a Chain through it, Transitive, Cyclic.
DYADS = dict(zip(TRIAD_NAMES, map(states, (0, 4, 12, 18, 33, 17, 35, 19, 21, 25, 51, 30, 45, 29, 61, 63)), strict=True))

_LEFT_TOP_RIGHT = ((0.0, 0.0), (0.5, 1.0), (1.0, 0.0))
_ENDS = ((0, 1), (0, 2), (1, 2))


def _shape(dyads: tuple[int, int, int]) -> Shape:
    edges = [ends for ends, state in zip(_ENDS, dyads, strict=True) if state]
    arcs = [(a, b) for (a, b), state in zip(_ENDS, dyads, strict=True) if state & 1]
    back = [(b, a) for (a, b), state in zip(_ENDS, dyads, strict=True) if state & 2]
    return Shape(_LEFT_TOP_RIGHT, tuple(edges), tuple(arcs + back))


TRIAD_SHAPES = {name: _shape(dyads) for name, dyads in DYADS.items()}

# Places of the vertices 0, 1, ... of `EDGES_OF_GRAPHLETS`. Several graphs share the corners of a square, or of a
# pentagon from its top to the right. Graphs with a tail have it on the right.
_SQUARE = (_BOTTOM_LEFT, _BOTTOM_RIGHT, _TOP_RIGHT, _TOP_LEFT) = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
_MIDDLE = (0.5, 0.5)
_TOP, _RIGHT, _RIGHT_FOOT, _LEFT_FOOT, _LEFT = ((0.5, 1.0), (1.0, 0.62), (0.81, 0.0), (0.19, 0.0), (0.0, 0.62))
_TIP, _NECK, _ABOVE, _BELOW, _FAR = (1.0, 0.5), (0.66, 0.5), (0.33, 1.0), (0.33, 0.0), (0.0, 0.5)
_PLACES = {
    "edge": ((0.0, 0.5), (1.0, 0.5)),
    "2-path": ((0.5, 1.0), (0.0, 0.0), (1.0, 0.0)),
    "triangle": _LEFT_TOP_RIGHT,
    "3-path": _SQUARE,
    "claw": ((0.5, 0.45), (0.5, 1.0), (0.0, 0.0), (1.0, 0.0)),
    "4-cycle": (_BOTTOM_LEFT, _TOP_RIGHT, _BOTTOM_RIGHT, _TOP_LEFT),
    "paw": ((0.5, 0.55), (0.0, 0.0), (1.0, 0.0), (0.5, 1.0)),
    "diamond": (_BOTTOM_LEFT, _TOP_RIGHT, _BOTTOM_RIGHT, _TOP_LEFT),
    "4-clique": _SQUARE,
    "4-path": ((0.25, 0.1), (0.75, 0.1), (0.5, 0.9), (1.0, 0.9), (0.0, 0.9)),
    "fork": ((0.34, 0.5), (0.67, 0.5), _TIP, (0.0, 1.0), (0.0, 0.0)),
    "4-star": (_MIDDLE, *_SQUARE),
    "bull": ((0.22, 0.5), (0.78, 0.5), (0.5, 0.0), _TOP_RIGHT, _TOP_LEFT),
    "(3,2)-lollipop": ((0.67, 0.5), (0.34, 0.5), (0.0, 1.0), (0.0, 0.0), _TIP),
    "cricket": ((0.5, 0.5), (0.15, 0.0), (0.85, 0.0), (0.1, 1.0), (0.9, 1.0)),
    "5-cycle": (_TOP, _LEFT_FOOT, _RIGHT_FOOT, _RIGHT, _LEFT),
    "banner": (_NECK, _FAR, _ABOVE, _BELOW, _TIP),
    "dart": (_NECK, _FAR, _ABOVE, _BELOW, _TIP),
    "butterfly": (_MIDDLE, _BOTTOM_LEFT, _TOP_RIGHT, _BOTTOM_RIGHT, _TOP_LEFT),
    "kite": (_NECK, _ABOVE, _BELOW, _FAR, _TIP),
    "K(2,3)": ((0.5, 1.0), (0.5, 0.0), (0.0, 0.5), _MIDDLE, (1.0, 0.5)),
    "house": ((0.1, 0.58), (0.9, 0.58), (0.9, 0.0), (0.1, 0.0), _TOP),
    "K(1,1,3)": ((0.36, 1.0), (0.36, 0.0), (0.0, 0.5), (0.65, 0.5), (1.0, 0.5)),
    "(4,1)-lollipop": (_NECK, _ABOVE, _BELOW, _FAR, _TIP),
    "gem": ((0.5, 0.0), (0.28, 1.0), (0.72, 1.0), (1.0, 0.45), (0.0, 0.45)),
    "wheel less a spoke": (_LEFT, _RIGHT, _LEFT_FOOT, _RIGHT_FOOT, _TOP),
    "5-clique less a 2-path": (_LEFT, _RIGHT, _LEFT_FOOT, _RIGHT_FOOT, _TOP),
    "wheel": (_MIDDLE, _BOTTOM_LEFT, _TOP_RIGHT, _BOTTOM_RIGHT, _TOP_LEFT),
    "5-clique less an edge": (_TOP, _LEFT_FOOT, _RIGHT_FOOT, _LEFT, _RIGHT),
    "5-clique": (_TOP, _RIGHT, _RIGHT_FOOT, _LEFT_FOOT, _LEFT),
}


GRAPHLET_SHAPES = {"vertex": Shape((_MIDDLE,), ())} | {
    name: Shape(_PLACES[name], tuple((int(pair[0]), int(pair[1])) for pair in edges.split()))
    for name, edges in zip(GRAPH_NAMES, EDGES_OF_GRAPHLETS, strict=True)
}
"""Shapes of the connected graphs by name; their vertices are numbered as in `EDGES_OF_GRAPHLETS`."""
