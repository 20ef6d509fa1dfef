"""Triads and graphlets on a page: their drawings, and words that say what a triad means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.graphlets import GRAPH_NAMES
from triadic.plot.shape import Shape, strokes_of
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES, TRIAD_SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triadic.plot.shape import Point

_WIDTH, _HEIGHT = 30.0, 24.0
_MUTUAL_PAIR = Shape(((0.0, 0.5), (1.0, 0.5)), ((0, 1),), ((0, 1), (1, 0)))
_SHAPES = {**TRIAD_SHAPES, **GRAPHLET_SHAPES, "mutual pair": _MUTUAL_PAIR}

TRIAD_WORDS = {
    "003": "no arc",
    "012": "a single arc",
    "102": "a single mutual pair",
    "021D": "one vertex points at two",
    "021U": "two vertices point at one",
    "021C": "a chain of two arcs",
    "111D": "an arc to a mutual pair",
    "111U": "an arc from a mutual pair",
    "030T": "a feed-forward loop",
    "030C": "a cycle of three arcs",
    "201": "two mutual pairs that share a vertex",
    "120D": "one vertex points at a mutual pair",
    "120U": "a mutual pair points at one vertex",
    "120C": "a chain closed by a mutual pair",
    "210": "two mutual pairs and an arc",
    "300": "three mutual pairs",
}


def subgraph_svg(name: str) -> str:
    """Return a drawing of a triad, a graphlet or a "mutual pair" as an SVG element in the colour of the text.

    Examples
    --------
    >>> subgraph_svg("003").count("circle"), subgraph_svg("4-cycle").count("circle")
    (3, 4)
    """
    strokes = strokes_of(_SHAPES[name], _WIDTH, _HEIGHT)
    lines = "".join(f"M{_coordinates(a)}L{_coordinates(b)}" for a, b in strokes.lines)
    heads = "".join(f"M{'L'.join(map(_coordinates, head))}Z" for head in strokes.heads)
    discs = "".join(f'<circle cx="{x:.1f}" cy="{_HEIGHT - y:.1f}" r="{strokes.radius:.1f}"/>' for x, y in strokes.discs)
    return (
        f'<svg class="subgraph" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" width="{_WIDTH:.0f}" height="{_HEIGHT:.0f}" '
        f'aria-hidden="true"><path class="line" d="{lines}"/><path d="{heads}"/>{discs}</svg>'
    )


def in_order(names: Iterable[str]) -> list[str]:
    """Return names in the order of all tables and plots: graphlets in that of G0 to G29, and others as they come.

    Examples
    --------
    >>> in_order(["claw", "paw", "4-cycle"]), in_order(["003", "012"])
    (['claw', '4-cycle', 'paw'], ['003', '012'])
    """
    places = {name: place for place, name in enumerate(GRAPH_NAMES)}
    return sorted(names, key=lambda name: places.get(name, -1))


def _coordinates(point: Point) -> str:
    return f"{point[0]:.1f} {_HEIGHT - point[1]:.1f}"
