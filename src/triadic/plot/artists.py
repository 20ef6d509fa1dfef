"""Parts of plots that are made of matplotlib's classes: logarithmic axes, names of ticks, legends and texts that scale.

Only functions that draw import this module, because it imports matplotlib.
"""

from __future__ import annotations

from math import floor, inf, log10
from typing import TYPE_CHECKING, Any, Literal

from matplotlib.font_manager import FontProperties
from matplotlib.legend import Legend
from matplotlib.offsetbox import AnnotationBbox, AuxTransformBox
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.scale import LogScale, SymmetricalLogScale
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, FixedLocator, LogFormatterSciNotation, LogLocator, SymmetricalLogLocator
from matplotlib.transforms import Affine2D

from triadic.plot.canvas import ink_of
from triadic.plot.shape import strokes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from matplotlib.transforms import Bbox

    from triadic.plot.shape import Shape

_LEAST_DECADES, _FEW_DECADES = 0.8, 2.0  # the shortest axis, and one that also has ticks at multiples of powers of ten
_MARGIN = 0.06  # share of a logarithmic axis that is empty at either end
_ZERO = 0.12  # length of the axis from 0 to the first power of ten, as a share of the rest
_LEAST_PLAIN, _MOST_PLAIN = 0.99e-3, 1e4  # the labels of an axis beyond these values are powers of ten
_DIGITS = range(2, 10)

_GAP = 3.5  # points between the axis and the drawings, and between the drawings and the names
_BETWEEN = 1.5  # points between two drawings
_STROKE = 0.06  # width of a line, as a share of the smaller side of a drawing
_LEAST_DRAWING = 8.0  # height of the smallest drawing that is readable, in points
_LETTER, _LINE = 0.75, 1.3  # width of a letter and height of a line, in font sizes


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
    scaled: Any = ax.xaxis if axis == "x" else ax.yaxis
    positive = [value for value in values if value] or ([1e-2, 1.0] if share else [1.0, 10.0])
    low, high = log10(min(positive)), log10(max(positive))
    missing = max(0.0, _LEAST_DECADES - (high - low))
    low, high = (low - missing, high) if share else (low, high + missing)
    margin, digits = _MARGIN * (high - low), (1,) if high - low > _FEW_DECADES else (1, 3)
    least, most = 10.0 ** (low - margin), 10.0 ** (high + margin)
    locators: Any = LogLocator(subs=digits), LogLocator(subs=_DIGITS, numticks=99)
    scale: Any = LogScale(scaled, nonpositive="mask")
    plain = least > _LEAST_PLAIN and most < _MOST_PLAIN
    if 0.0 in values:
        first = 1.000001 * 10.0 ** floor(low)  # the locator takes the logarithm, rounded down
        scale = SymmetricalLogScale(scaled, linthresh=first, linscale=max(0.1, _ZERO * (high - log10(first))))
        locators = [SymmetricalLogLocator(scale.get_transform(), subs=subs) for subs in (digits, _DIGITS)]
        locators[0].set_params(numticks=5)
        least = -0.6 * first
    ax.set(**{f"{axis}scale": scale})
    scaled.set_major_locator(locators[0])
    scaled.set_minor_locator(locators[1])
    scaled.set_major_formatter("{x:,g}" if plain else LogFormatterSciNotation(minor_thresholds=(inf, inf)))
    scaled.set_minor_formatter("")
    (ax.set_xlim if axis == "x" else ax.set_ylim)(least, most, auto=True)


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
        Width and height of a drawing, in points, if there is room.
    """
    horizontal, scaled = axis == "x", ax.xaxis if axis == "x" else ax.yaxis
    locator = _NameLocator(range(len(names)))
    locator.names, locator.size, locator.scale, locator.boxes = names, size, Affine2D(), []
    scaled.set_major_locator(locator)
    scaled.set_major_formatter(FixedFormatter(list(names)))
    ax.tick_params(axis=axis, length=0, labelrotation=90 if horizontal else 0)
    for place, shape in enumerate(shapes):
        area = AuxTransformBox(locator.scale)
        for patch in _patches(shape, size, ink_of(ax)):
            area.add_artist(patch)
        box = AnnotationBbox(
            area,
            (place, 0) if horizontal else (0, place),
            (0, -_GAP) if horizontal else (-_GAP, 0),
            xycoords=ax.get_xaxis_transform() if horizontal else ax.get_yaxis_transform(),
            boxcoords="offset points",
            box_alignment=(0.5, 1) if horizontal else (1, 0.5),
            frameon=False,
            pad=0,
            annotation_clip=False,
        )
        locator.boxes.append(box)
        ax.add_artist(box)


class _NameLocator(FixedLocator):
    """Places of ticks, whose names and drawings get the size that fits the distance between ticks."""

    names: Sequence[str]
    size: tuple[float, float]
    scale: Affine2D
    boxes: list[AnnotationBbox]

    def __call__(self) -> Any:  # noqa: ANN401 - matplotlib's
        """Return the places."""
        axis: Any = self.axis
        horizontal, extent, point = axis.axis_name == "x", axis.axes.get_window_extent(), axis.axes.figure.dpi / 72
        along, across = self.size if horizontal else self.size[::-1]
        room = (extent.width if horizontal else extent.height) / point / (len(self.names) + 0.2)
        font = min(FontProperties(size="small").get_size_in_points(), room / _LINE)
        scale = min(1.0, (room - _BETWEEN) / along)
        if axis.axes.figure.get_layout_engine() is None:  # the figure may end beside the names
            margin = (extent.y0 if horizontal else extent.x0) / point
            scale = min(scale, (margin - _LETTER * font * max(map(len, self.names)) - 2 * _GAP) / across)
        shown = scale * self.size[1] >= _LEAST_DRAWING
        self.scale.clear().scale(scale * point)
        for box in self.boxes:
            box.set_visible(shown)
        axis.set_tick_params(labelsize=font, pad=2 * _GAP + scale * across if shown else _GAP)
        return super().__call__()


def _patches(shape: Shape, size: tuple[float, float], colour: str) -> tuple[PathPatch, PathPatch]:
    """Return the lines of a shape, and its discs and arrowheads, in points."""
    strokes = strokes_of(shape, *size)
    line = Path.make_compound_path(*map(Path, strokes.lines)) if strokes.lines else Path([(0.0, 0.0)])
    solid = [Path.circle(middle, strokes.radius) for middle in strokes.discs]
    solid += [Path([*head, head[0]], closed=True) for head in strokes.heads]
    return (
        PathPatch(line, fill=False, edgecolor=colour, linewidth=_STROKE * min(size)),
        PathPatch(Path.make_compound_path(*solid), facecolor=colour, linewidth=0),
    )


def add_legend(ax: Axes, title: str | None = None) -> None:
    """Put a legend above the axes and their title, where it hides no data, if any line has a label."""
    handles, labels = ax.get_legend_handles_labels()
    if labels or title is not None:
        legend = ax.legend(
            handles,
            labels,
            title=title,
            loc="lower right",
            ncols=2,
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


class ScaledText(Text):
    """A text in the middle of a point, whose font size is a length on the vertical axis.

    Parameters
    ----------
    x, y : float
        The point.
    text : str
    size : float
        Font size in units of the vertical axis.
    **keywords
        Properties of `matplotlib.text.Text`, such as ``color``.
    """

    def __init__(self, x: float, y: float, text: str, size: float, **keywords: Any) -> None:  # noqa: ANN401 - matplotlib's
        super().__init__(x, y, text, ha="center", va="center_baseline", **keywords)
        self.scaled_size = size

    def draw(self, renderer: RendererBase) -> None:
        """Draw the text in the size that fits the axes."""
        self._fit()
        super().draw(renderer)

    def get_window_extent(self, *arguments: Any, **keywords: Any) -> Bbox:  # noqa: ANN401 - matplotlib's
        """Return the box around the text in pixels."""
        self._fit()
        return super().get_window_extent(*arguments, **keywords)

    def _fit(self) -> None:
        if (ax := self.axes) is not None:
            (_, low), (_, high) = ax.transData.transform([(0, 0), (0, self.scaled_size)])
            self.set_fontsize(abs(high - low) * 72 / ax.figure.dpi)
