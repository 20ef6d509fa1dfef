"""Drawings of small graphs beside the ticks of an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from triadic.plot.canvas import INK
from triadic.plot.shape import strokes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.offsetbox import DrawingArea

    from triadic.plot.shape import Shape

_GAP = 5.0  # points between the axis and the drawings, and between the drawings and the names
_STROKE = 0.06  # width of a line, as a share of the smaller side


def name_ticks(
    ax: Axes, names: Sequence[str], shapes: Sequence[Shape], *, axis: Literal["x", "y"], size: tuple[float, float]
) -> None:
    """Set ticks at 0, 1, 2, … of an axis, each with a drawing and, below or to the left of it, a name.

    Parameters
    ----------
    ax : Axes
    names : sequence of str
    shapes : sequence of Shape
    axis : {"x", "y"}
    size : tuple of float
        Width and height of a drawing, in points.
    """
    from matplotlib.offsetbox import AnnotationBbox  # noqa: PLC0415 - an extra

    horizontal = axis == "x"
    (ax.set_xticks if horizontal else ax.set_yticks)(range(len(names)), names)
    pad = 2 * _GAP + size[1 if horizontal else 0]
    ax.tick_params(axis=axis, length=0, pad=pad, labelrotation=90 if horizontal else 0, labelsize="small")
    for place, shape in enumerate(shapes):
        ax.add_artist(
            AnnotationBbox(
                _drawing(shape, *size),
                (place, 0) if horizontal else (0, place),
                xybox=(0, -_GAP) if horizontal else (-_GAP, 0),
                xycoords=ax.get_xaxis_transform() if horizontal else ax.get_yaxis_transform(),
                boxcoords="offset points",
                box_alignment=(0.5, 1) if horizontal else (1, 0.5),
                frameon=False,
                pad=0,
                annotation_clip=False,
            )
        )


def _drawing(shape: Shape, width: float, height: float) -> DrawingArea:
    from matplotlib.offsetbox import DrawingArea  # noqa: PLC0415 - an extra
    from matplotlib.patches import PathPatch  # noqa: PLC0415 - an extra
    from matplotlib.path import Path  # noqa: PLC0415 - an extra

    strokes = strokes_of(shape, width, height)
    area = DrawingArea(width, height)
    if strokes.lines:
        lines = Path.make_compound_path(*(Path(line) for line in strokes.lines))
        area.add_artist(PathPatch(lines, fill=False, edgecolor=INK, linewidth=_STROKE * min(width, height)))
    solid = [Path.circle(middle, strokes.radius) for middle in strokes.discs]
    solid += [Path([*head, head[0]], closed=True) for head in strokes.heads]
    area.add_artist(PathPatch(Path.make_compound_path(*solid), facecolor=INK, linewidth=0))
    return area
