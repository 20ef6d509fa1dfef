"""Names and drawings of small graphs at the ticks of an axis, as large as the room between the ticks allows.

Only functions that draw import this module, because it imports matplotlib.
"""

from __future__ import annotations

from math import ceil
from operator import add
from typing import TYPE_CHECKING, Literal, NamedTuple

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
_LEAST_FONT, _ALTERNATING_FONT = 4.8, 6.5  # points; the largest font of names in two columns is the second
_LETTER = 0.8  # width of a letter with its share of the gap between columns, in font sizes
_NARROW, _WIDE = 0.58, 0.72  # widths of small letters, and of capitals and digits, in font sizes
_TOLERANCE = 0.15
_LINE = 1.2  # height of a line of text, in font sizes


class Fit(NamedTuple):
    """Sizes of names and drawings that fit the room between ticks.

    Attributes
    ----------
    font : float
        Font size of the names, in points.
    columns : int
        Number of columns of names beside a vertical axis, or of rows below a horizontal one, between which the names
        alternate.
    step : int
        Every `step`-th tick has a name.
    scale : float
        Size of the drawings as a share of their full size; 0 if there is no room for drawings.
    rows : int
        Number of columns or rows between which the drawings alternate; 0 if there is no room for drawings.
    """

    font: float
    columns: int
    step: int
    scale: float
    rows: int


def fit_names(
    room: float, font: float, size: tuple[float, float], least: float, *, horizontal: bool, last: Fit | None = None
) -> Fit:
    """Fit names and drawings to a distance between ticks.

    Parameters
    ----------
    room : float
        Distance between neighbouring ticks, in points.
    font : float
        Largest font size of the names, in points.
    size : tuple of float
        Full width and height of a drawing, in points.
    least : float
        Height of the smallest drawing that is readable, in points.
    horizontal : bool
        Whether the axis is horizontal.
    last : Fit, optional
        Fit to another distance, whose numbers of columns and rows are kept if they almost fit. Layouts of matplotlib
        measure the axes before they change their size a little.

    Examples
    --------
    >>> fit_names(30, 8, (20, 16), 8, horizontal=False)
    Fit(font=8, columns=1, step=1, scale=1.0, rows=1)
    >>> fit_names(5, 8, (20, 16), 8, horizontal=False)
    Fit(font=6.5, columns=2, step=1, scale=0.53125, rows=2)
    >>> fit_names(2, 8, (20, 16), 8, horizontal=False)
    Fit(font=4.8, columns=2, step=2, scale=0.0, rows=0)
    """
    columns = 1 if room / _LINE >= _LEAST_FONT * _slack(last and last.columns, 1) else 2
    fitted = min(font, room / _LINE) if columns == 1 else min(_ALTERNATING_FONT, 2 * room / _LINE)
    fitted = max(_LEAST_FONT, fitted)
    step = max(1, ceil(_LINE * fitted / max(columns * room, 1e-9) * (1 - _TOLERANCE)))
    for rows in (1, 2):
        scale = min(1.0, (rows * room - _BETWEEN) / size[0 if horizontal else 1])
        if scale * size[1] >= least * _slack(last and last.rows, rows):
            return Fit(fitted, columns, step, scale, rows)
    return Fit(fitted, columns, step, 0.0, 0)


def _slack(last: int | None, rows: int) -> float:
    """Return the factor by which the smallest size is smaller for the last number of rows, and larger for others."""
    if last is None:
        return 1.0
    return 1 - _TOLERANCE if last == rows else 1 + _TOLERANCE


class NameLocator(FixedLocator):
    """Ticks at 0, 1, 2, … whose names and drawings fit the axis.

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
        self._last: Fit | None = None

    def fit(self) -> Fit:
        """Return the sizes for the present length of the axis, and set the font and the places of the names."""
        low, high = self.fitted.get_view_interval()
        room = length_of(self.fitted) / max(1e-9, abs(high - low))
        fit = fit_names(
            room, self.font, self.size, self.least, horizontal=self.fitted.axis_name == "x", last=self._last
        )
        fit = self._inside_figure(fit)
        if fit != self._last:
            self._last = fit
            self._set_names(fit)
        return fit

    def __call__(self) -> Sequence[float]:
        """Return the places of ticks, after their names were fitted."""
        fit_label(self.fitted)
        fit_legend(self.fitted.axes)
        self.fit()
        return super().__call__()

    def _inside_figure(self, fit: Fit) -> Fit:
        """Return a fit with smaller drawings, or none, if the names would be cut by the edge of the figure.

        Without a layout that makes room for the names, the room is that between the axes and the edge of the figure.
        """
        figure, horizontal = self.fitted.axes.get_figure(), self.fitted.axis_name == "x"
        if figure is None or not fit.rows or figure.get_layout_engine() is not None:
            return fit
        extent = self.fitted.axes.get_window_extent()
        room = (extent.y0 if horizontal else extent.x0) * 72 / self.fitted.axes.figure.dpi
        letters = [_WIDE * sum(c.isupper() or c.isdigit() for c in name) for name in self.names]
        small = [_NARROW * sum(not (c.isupper() or c.isdigit()) for c in name) for name in self.names]
        names = fit.font * max(map(add, letters, small), default=0.0)
        across = (room - names - (1 + fit.rows) * _GAP) / fit.rows
        scale = min(fit.scale, across / self.size[1 if horizontal else 0])
        if scale * self.size[1] >= self.least * (1 - _TOLERANCE):
            return fit._replace(scale=scale)
        return fit._replace(scale=0.0, rows=0)

    def _set_names(self, fit: Fit) -> None:
        across = self.size[1 if self.fitted.axis_name == "x" else 0]
        pad = _GAP + fit.rows * (fit.scale * across + _GAP)
        self.fitted.set_tick_params(labelsize=fit.font, pad=pad)
        self.formatter.seq = [name if i % fit.step == 0 else "" for i, name in enumerate(self.names)]
        width = _LETTER * fit.font * max(map(len, self.names), default=0)
        for i, tick in enumerate(self.fitted.get_major_ticks(len(self.names))):
            tick.set_pad(pad + i // fit.step % fit.columns * width)


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
        scale = self.locator.fit().scale * self.axes.figure.dpi / 72
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
        ax, fit = self.axes, self.locator.fit()
        if ax is None or not fit.rows:
            return []
        point = ax.figure.dpi / 72
        width, height = (fit.scale * side * point for side in self.locator.size)
        extent, gap = ax.get_window_extent(), _GAP * point
        boxes = []
        for i in range(len(self.shapes)):
            row = i % fit.rows
            if self.locator.fitted.axis_name == "x":
                x = ax.get_xaxis_transform().transform((i, 0))[0]
                left, bottom = x - width / 2, extent.y0 - (row + 1) * (gap + height)
            else:
                y = ax.get_yaxis_transform().transform((0, i))[1]
                left, bottom = extent.x0 - (row + 1) * (gap + width), y - height / 2
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
