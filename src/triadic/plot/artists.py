"""Parts of plots that are made of matplotlib's classes: logarithmic axes, names and drawings of ticks, and legends.

Only functions that draw import this module, because it imports matplotlib.
"""

from __future__ import annotations

from itertools import repeat
from math import floor, inf, log10
from typing import TYPE_CHECKING, Any, Literal

from matplotlib.legend import Legend
from matplotlib.offsetbox import AnnotationBbox, DrawingArea
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import LogFormatterSciNotation

from triadic.plot.canvas import ink_of
from triadic.plot.subgraph_shapes import strokes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

    from triadic.plot.subgraph_shapes import Shape

_LEAST_DECADES, _FEW_DECADES = 0.8, 2.0  # the shortest axis, and one that also has ticks at multiples of powers of ten
_MARGIN = 0.06  # share of a logarithmic axis that is empty at either end
_ZERO = 0.12  # length of the axis from 0 to the first power of ten, as a share of the rest
_LEAST_PLAIN, _MOST_PLAIN = 0.99e-3, 1e4  # the labels of an axis beyond these values are powers of ten
_DIGITS = range(2, 10)

_GAP = 3.5  # points between the axis and the drawings, and between the drawings and the names
_BETWEEN = 1.5  # points between two drawings
_STROKE = 0.06  # width of a line, as a share of the smaller side of a drawing
_LONG_ENTRY = 26  # letters of a legend's entry, beside which there is no room for a second column


def set_log_axis(ax: Axes, axis: Literal["x", "y"], values: Sequence[float], *, share: bool) -> None:
    """Make an axis logarithmic, with limits that fit some values; zeros among them have a place, too.

    Parameters
    ----------
    ax : Axes
    axis : {"x", "y"}
    values : sequence of float
        At least 0. The axis is linear from 0 to the power of ten below the other values.
    share : bool
        Whether the values are shares, which are at most 1.
    """
    scaled: Any = getattr(ax, f"{axis}axis")
    positive = [value for value in values if value] or ([1e-2, 1.0] if share else [1.0, 10.0])
    low, high = log10(min(positive)), log10(max(positive))
    low, high = (min(low, high - _LEAST_DECADES), high) if share else (low, max(high, low + _LEAST_DECADES))
    margin, digits = _MARGIN * (high - low), (1,) if high - low > _FEW_DECADES else (1, 3)
    least, most = 10.0 ** (low - margin), 10.0 ** (high + margin)
    plain = least > _LEAST_PLAIN and most < _MOST_PLAIN
    options: dict[str, Any] = {"value": "log", "nonpositive": "mask"}
    if 0.0 in values:
        first = 1.000001 * 10.0 ** floor(low)  # the locator takes the logarithm, rounded down
        linear = max(0.1, _ZERO * (high - log10(first)))
        options, least = {"value": "symlog", "linthresh": first, "linscale": linear, "subs": _DIGITS}, -0.6 * first
    getattr(ax, f"set_{axis}scale")(**options)
    scaled.get_major_locator().set_params(subs=digits, numticks=5 if 0.0 in values else None)
    scaled.set_major_formatter("{x:,g}" if plain else LogFormatterSciNotation(minor_thresholds=(inf, inf)))
    scaled.set_minor_formatter("")
    getattr(ax, f"set_{axis}lim")(least, most, auto=True)


def name_ticks(
    ax: Axes,
    names: Sequence[str],
    shapes: Sequence[Shape],
    *,
    axis: Literal["x", "y"],
    size: tuple[float, float],
    discs: Sequence[Sequence[dict[str, Any]]] | None = None,
) -> None:
    """Set ticks at 0, 1, 2, … of an axis, each with a drawing and, below or to the left of it, a name.

    Drawings shrink to the distance between the ticks.

    Parameters
    ----------
    ax : Axes
    names : sequence of str
    shapes : sequence of Shape
    axis : {"x", "y"}
    size : tuple of float
        Width and height of a drawing, in points, if there is room.
    discs : sequence of sequence of dict, optional
        Properties of each disc of each drawing, such as ``facecolor``; by default all discs have the colour of text.
    """
    horizontal, box = axis == "x", ax.get_window_extent()

    def turned(along: float, across: float) -> tuple[float, float]:
        return (along, across) if horizontal else (across, along)

    along, across = turned(*size)
    room = (box.width if horizontal else box.height) * 72 / ax.figure.dpi / (len(names) + 0.2)
    scale = min(1.0, max(_BETWEEN, room - _BETWEEN) / along)
    width, height = (scale * side for side in size)
    getattr(ax, f"set_{axis}ticks")(range(len(names)), names)
    pad = 2 * _GAP + scale * across
    ax.tick_params(axis=axis, length=0, labelsize="small", labelrotation=90 if horizontal else 0, pad=pad)
    for place, (shape, looks) in enumerate(zip(shapes, discs or repeat(None), strict=False)):
        area = DrawingArea(width, height)
        for patch in _patches(shape, (width, height), ink_of(ax), looks):
            area.add_artist(patch)
        drawing = AnnotationBbox(
            area,
            turned(place, 0),
            turned(0, -_GAP),
            xycoords=getattr(ax, f"get_{axis}axis_transform")(),
            boxcoords="offset points",
            box_alignment=turned(0.5, 1),
            frameon=False,
            pad=0,
            annotation_clip=False,
        )
        ax.add_artist(drawing)


def _patches(
    shape: Shape, size: tuple[float, float], ink: str, looks: Sequence[dict[str, Any]] | None = None
) -> Iterator[PathPatch]:
    """Yield the lines of a shape, and its arrowheads and discs, in points."""
    strokes = strokes_of(shape, *size)
    plain = {"facecolor": ink, "linewidth": 0}
    heads = [Path([*head, head[0]], closed=True) for head in strokes.heads]
    discs = [Path.circle(middle, strokes.radius) for middle in strokes.discs]
    line = {"edgecolor": ink, "linewidth": _STROKE * min(size), "fill": False}
    # A single path is a third as long in a file.
    parts: list[tuple[list[Path], dict[str, Any]]] = [
        (list(map(Path, strokes.lines)), line),
        (heads if looks else heads + discs, plain),
        *zip(([disc] for disc in discs), looks or (), strict=False),
    ]
    for paths, style in parts:
        if paths:
            yield PathPatch(Path.make_compound_path(*paths), **style)


def add_legend(ax: Axes, title: str | None = None) -> None:
    """Put a legend above the axes and their title, where it hides no data, if any line has a label."""
    handles, labels = ax.get_legend_handles_labels()
    if labels or title is not None:
        legend = ax.legend(
            handles,
            labels,
            title=title,
            loc="lower right",
            ncols=2 if max(map(len, labels), default=0) <= _LONG_ENTRY else 1,
            frameon=False,
            fontsize="small",
            title_fontsize="small",
            alignment="left",
            borderpad=0,
            handlelength=1.6,
            columnspacing=1.2,
            labelspacing=0.3,
        )
        legend.__class__ = _LegendAboveTitle


class _LegendAboveTitle(Legend):
    """A legend that stands on the upper edge of axes, or on their title."""

    def get_bbox_to_anchor(self) -> Bbox:
        """Return the edge in pixels."""
        titles: Any = (getattr(self.axes, name) for name in ("title", "_left_title", "_right_title"))
        tops = [title.get_window_extent().y1 for title in titles if title.get_text()]
        edge = self.axes.bbox.frozen()
        edge.y0 = edge.y1 = max([edge.y1, *tops])
        return edge
