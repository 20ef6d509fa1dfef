"""Drawings of triads as small SVG elements for a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.plot.shape import strokes_of
from triadic.plot.subgraph_shapes import TRIAD_SHAPES

if TYPE_CHECKING:
    from triadic.plot.shape import Point

_WIDTH, _HEIGHT = 30.0, 24.0


def triad_svg(name: str) -> str:
    """Return a drawing of a type of triads as an SVG element in the colour of the text.

    Examples
    --------
    >>> triad_svg("003").count("circle")
    3
    """
    strokes = strokes_of(TRIAD_SHAPES[name], _WIDTH, _HEIGHT)
    lines = "".join(f"M{_coordinates(a)}L{_coordinates(b)}" for a, b in strokes.lines)
    heads = "".join(f"M{'L'.join(map(_coordinates, head))}Z" for head in strokes.heads)
    discs = "".join(f'<circle cx="{x:.1f}" cy="{_HEIGHT - y:.1f}" r="{strokes.radius:.1f}"/>' for x, y in strokes.discs)
    return (
        f'<svg class="triad" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" width="{_WIDTH:.0f}" height="{_HEIGHT:.0f}" '
        f'aria-hidden="true"><path class="line" d="{lines}"/><path d="{heads}"/>{discs}</svg>'
    )


def _coordinates(point: Point) -> str:
    return f"{point[0]:.1f} {_HEIGHT - point[1]:.1f}"
