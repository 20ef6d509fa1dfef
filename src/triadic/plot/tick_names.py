"""Names and drawings of small graphs at the ticks of an axis, as large as the room between the ticks allows.

Only functions that draw import this module, because it imports matplotlib.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Literal

from matplotlib.artist import Artist
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator
from matplotlib.transforms import Affine2D, Bbox

from triadic.plot.canvas import ink_of
from triadic.plot.fitting import AnyAxis, fit_label, fit_legend, length_of
from triadic.plot.shape import strokes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase

    from triadic.plot.shape import Shape

_GAP = 3.5  # points between the axis and the drawings, and between the drawings and the names
_BETWEEN = 1.5  # points between two drawings
_STROKE = 0.06  # width of a line, as a share of the smaller side of a drawing
_LEAST_DRAWING, _LEAST_WITH_ARROWS = 6.0, 8.5  # heights of the smallest drawings that are readable, in points
_LEAST_FONT = 4.8  # points
_LETTER = 0.75  # width of a letter, in font sizes
_LINE = 1.2  # height of a line of text, in font sizes


class NameLocator(FixedLocator):
    """Ticks at 0, 1, 2, … with names, and drawings whose size fits the axis.

    Parameters
    ----------
    axis : XAxis or YAxis
    names : sequence of str
    size : tuple of float
        Full width and height of a drawing, in points.
    least : float
        Height of the smallest drawing that is readable, in points.
    font : float
        Largest font size of the names, in points.
    """

    def __init__(
        self, axis: AnyAxis, names: Sequence[str], size: tuple[float, float], least: float, font: float
    ) -> None:
        super().__init__(list(range(len(names))))
        self.fitted = axis
        self.names, self.size, self.least, self.font = list(names), size, least, font
        self.formatter = FixedFormatter(self.names)

    def fit(self) -> float:
        """Set the font of the names, and leave some out where they would overlap; return the scale of the drawings.

        The scale is a share of the full size of a drawing, and 0 if there is no room for drawings.
        """
        low, high = self.fitted.get_view_interval()
        room = length_of(self.fitted) / max(1e-9, abs(high - low))
        font = max(_LEAST_FONT, min(self.font, room / _LINE))
        horizontal = self.fitted.axis_name == "x"
        scale = min(1.0, (room - _BETWEEN) / self.size[0 if horizontal else 1])
        figure = self.fitted.axes.get_figure()
        if figure is not None and figure.get_layout_engine() is None:  # the figure may end beside the names
            extent = self.fitted.axes.get_window_extent()
            margin = (extent.y0 if horizontal else extent.x0) * 72 / self.fitted.axes.figure.dpi
            names = _LETTER * font * max(map(len, self.names), default=0)
            scale = min(scale, (margin - names - 2 * _GAP) / self.size[1 if horizontal else 0])
        scale = scale if scale * self.size[1] >= self.least else 0.0
        step = ceil(_LINE * font / max(room, 1e-9) - 1e-9)
        self.formatter.seq = [name if i % step == 0 else "" for i, name in enumerate(self.names)]
        across = scale * self.size[1 if horizontal else 0]
        self.fitted.set_tick_params(labelsize=font, pad=2 * _GAP + across if scale else _GAP)
        return scale

    def __call__(self) -> Sequence[float]:
        """Return the places of ticks, after their names were fitted."""
        fit_label(self.fitted)
        fit_legend(self.fitted.axes)
        self.fit()
        return super().__call__()


class TickDrawings(Artist):
    """Drawings of small graphs between an axis and the names of its ticks.

    Parameters
    ----------
    locator : NameLocator
    shapes : sequence of Shape
    colour : str
    """

    def __init__(self, locator: NameLocator, shapes: Sequence[Shape], colour: str) -> None:
        super().__init__()
        self.locator, self.shapes = locator, tuple(shapes)
        self._patches = [_patches(shape, locator.size, colour) for shape in shapes]
        self.set_clip_on(False)

    def draw(self, renderer: RendererBase) -> None:
        """Draw the small graphs."""
        if not self.get_visible() or self.axes is None:
            return
        scale = self.locator.fit() * self.axes.figure.dpi / 72
        for (line, solid), box in zip(self._patches, self._boxes(), strict=False):
            place = Affine2D().scale(scale).translate(box.x0, box.y0)
            for patch in (line, solid):
                patch.set_figure(self.axes.figure)
                patch.set_transform(place)
                patch.draw(renderer)

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:  # noqa: ARG002 - matplotlib's signature
        """Return the box around all drawings, in pixels."""
        boxes = self._boxes()
        return Bbox.union(boxes) if boxes else Bbox.null()

    def get_tightbbox(self, renderer: RendererBase | None = None) -> Bbox | None:  # noqa: ARG002 - matplotlib's signature
        """Return the box around all drawings, in pixels; None if no drawing is shown."""
        boxes = self._boxes()
        return Bbox.union(boxes) if boxes else None

    def _boxes(self) -> list[Bbox]:
        """Return the box of each drawing in pixels; the list is empty if there is no room for drawings."""
        ax, scale = self.axes, self.locator.fit()
        if ax is None or not scale:
            return []
        point = ax.figure.dpi / 72
        width, height = (scale * side * point for side in self.locator.size)
        extent, gap = ax.get_window_extent(), _GAP * point
        boxes = []
        for i in range(len(self.shapes)):
            if self.locator.fitted.axis_name == "x":
                x = ax.get_xaxis_transform().transform((i, 0))[0]
                left, bottom = x - width / 2, extent.y0 - gap - height
            else:
                y = ax.get_yaxis_transform().transform((0, i))[1]
                left, bottom = extent.x0 - gap - width, y - height / 2
            boxes.append(Bbox.from_bounds(left, bottom, width, height))
        return boxes


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
    scaled: AnyAxis = ax.xaxis if axis == "x" else ax.yaxis
    least = _LEAST_WITH_ARROWS if any(shape.arcs for shape in shapes) else _LEAST_DRAWING
    locator = NameLocator(scaled, names, size, least, FontProperties(size="small").get_size_in_points())
    scaled.set_major_locator(locator)
    scaled.set_major_formatter(locator.formatter)
    scaled.set_minor_locator(NullLocator())
    ax.tick_params(axis=axis, length=0, labelrotation=90 if axis == "x" else 0)
    ax.add_artist(TickDrawings(locator, shapes, ink_of(ax)))


def _patches(shape: Shape, size: tuple[float, float], colour: str) -> tuple[PathPatch, PathPatch]:
    """Return the lines of a shape, and its discs and arrowheads, in points."""
    strokes = strokes_of(shape, *size)
    width = _STROKE * min(size)
    line = Path.make_compound_path(*(Path(line) for line in strokes.lines)) if strokes.lines else Path([(0.0, 0.0)])
    solid = [Path.circle(middle, strokes.radius) for middle in strokes.discs]
    solid += [Path([*head, head[0]], closed=True) for head in strokes.heads]
    return (
        PathPatch(line, fill=False, edgecolor=colour, linewidth=width),
        PathPatch(Path.make_compound_path(*solid), facecolor=colour, linewidth=0),
    )
