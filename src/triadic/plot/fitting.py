"""Axis labels broken into lines where the axes are short, and legends above the axes and their title."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary, WeakSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.axis import XAxis, YAxis
    from matplotlib.legend import Legend
    from matplotlib.text import Text

AnyAxis: TypeAlias = "XAxis | YAxis"

_POINTS = 72.0  # per inch
_MOST_LINES = 3
_TOLERANCE = 0.15  # of the next shares: layouts measure a label before they change the size of the axes
_SMALLER = 0.85  # share of its size to which the font of a label shrinks before the label is broken
_SMALLEST = 0.6  # share of its size to which the font of a label shrinks at most
_LETTER = 0.62  # width of a letter, in font sizes
_LINE = 1.3  # height of a line of a title, in font sizes
_LEGEND_FONTS = (0.83, 0.7, 0.6, 0.5)  # font sizes of a legend as shares of the normal size, the largest that fits
_LEGEND_SHARE = 0.3  # largest height of a legend as a share of the height of the axes
_BEYOND = 1.35  # width of a legend in a small font as a share of the axes; it extends to the left over their labels
_MOST_COLUMNS = 5
_COLUMN_GAP = 1.2  # font sizes


@dataclass(slots=True)
class _Label:
    """The text of an axis label, its font size, and the length that it was fitted to last."""

    text: str
    size: float
    length: float = -1.0
    fitted: tuple[str, float] = ("", 0.0)


_labels: WeakKeyDictionary[Text, _Label] = WeakKeyDictionary()
_legends: WeakSet[Legend] = WeakSet()


def length_of(axis: AnyAxis) -> float:
    """Return the length of an axis in points."""
    ax = axis.axes
    extent, dpi = ax.get_window_extent(), ax.figure.dpi
    return (extent.width if axis.axis_name == "x" else extent.height) * _POINTS / dpi


def set_label(axis: AnyAxis, text: str) -> None:
    """Label an axis with a text that `fit_label` may break into lines, unless the user changed such a label."""
    known = _labels.get(axis.label)
    if known is not None and known.text == text and axis.label.get_text():
        return
    axis.set_label_text(text)
    size = float(axis.label.get_fontsize())
    _labels[axis.label] = _Label(text, size, fitted=(text, size))


def fit_label(axis: AnyAxis) -> None:
    """Break the label of an axis into lines if it is longer than the axis; a label that the user changed stays."""
    label, length = axis.label, length_of(axis)
    known = _labels.get(label)
    if known is None or (label.get_text(), label.get_fontsize()) != known.fitted or length == known.length:
        return
    before = known.fitted[0].count("\n")
    for text in _broken(known.text):
        label.set_text(text)
        label.set_fontsize(known.size)
        scale = length / max(1e-9, _extent(axis))
        lines = text.count("\n")
        least = _SMALLEST if lines else _SMALLER
        if known.length >= 0:
            least = _SMALLEST if lines == before else least + _TOLERANCE if lines < before else least
        if scale >= least:
            break
    label.set_fontsize(known.size * min(1.0, max(_SMALLEST, scale)))
    known.length, known.fitted = length, (label.get_text(), float(label.get_fontsize()))


def add_legend(ax: Axes, *, title: str | None = None) -> None:
    """Put a legend above the axes, with as many columns as fit their width, if any line has a label.

    Above the axes it hides no data. It moves above the title of the axes when the axes are drawn.
    """
    labels = ax.get_legend_handles_labels()[1]
    if not labels and title is None:
        return
    legend = _legend(ax, title, _LEGEND_FONTS[0], 1)
    extent, points = legend.get_window_extent(), _POINTS / ax.figure.dpi
    font, columns = _font_and_columns(
        len(labels), extent.width * points, extent.height * points, length_of(ax.xaxis), _room_above(ax)
    )
    if (font, columns) != (_LEGEND_FONTS[0], 1):
        legend = _legend(ax, title, font, columns)
    _legends.add(legend)


def _room_above(ax: Axes) -> float:
    """Return the largest height of a legend above axes, in points; without a layout, the figure may end there."""
    height, figure = _LEGEND_SHARE * length_of(ax.yaxis), ax.get_figure()
    if figure is None or figure.get_layout_engine() is not None:
        return height
    margin = float(ax.figure.bbox.y1 - ax.get_window_extent().y1) * _POINTS / ax.figure.dpi
    return min(height, margin - 1.3 * _font_size())


def _font_and_columns(
    entries: int, entry: float, height: float, room_across: float, room_above: float
) -> tuple[float, int]:
    """Return the largest font of a legend, and its number of columns, such that the legend fits.

    Parameters
    ----------
    entries : int
    entry, height : float
        Width and height of the legend in the largest font and with one column, in points.
    room_across, room_above : float
        Width of the axes, and largest height of the legend, in points.
    """
    for font in _LEGEND_FONTS:
        scale = font / _LEGEND_FONTS[0]
        gap = _COLUMN_GAP * font * _font_size()
        wide = room_across * (1.0 if font == _LEGEND_FONTS[0] else _BEYOND)
        fitting = int((wide + gap) / (scale * entry + gap))
        columns = max(1, min(entries, fitting, _MOST_COLUMNS))
        columns = ceil(entries / ceil(entries / columns)) if entries else 1
        if fitting and scale * height * ceil(entries / columns) / max(1, entries) <= room_above:
            break
    return font, columns


def _legend(ax: Axes, title: str | None, font: float, columns: int) -> Legend:
    return ax.legend(
        *ax.get_legend_handles_labels(),
        title=title,
        loc="lower right",
        bbox_to_anchor=(1, 1),
        ncols=columns,
        frameon=False,
        fontsize=font * _font_size(),
        title_fontsize=font * _font_size(),
        alignment="left",
        borderpad=0,
        borderaxespad=0.8,
        handlelength=1.6,
        handletextpad=0.5,
        columnspacing=_COLUMN_GAP,
        labelspacing=0.3,
    )


def fit_legend(ax: Axes) -> None:
    """Move a legend that `add_legend` has put above the axes above their title."""
    legend = ax.get_legend()
    if legend is None or legend not in _legends:
        return
    lines = max(len(ax.get_title(loc=place).splitlines()) for place in ("left", "center", "right"))
    title = (lines * _LINE * float(ax.title.get_fontsize()) + _title_pad()) if lines else 0.0
    legend.set_bbox_to_anchor((1, 1 + title / max(1.0, length_of(ax.yaxis))), transform=ax.transAxes)


def lines_of(text: str, ax: Axes, font: float) -> str:
    """Break a text in the middle of axes into lines that are not longer than the axes are wide."""
    letters = length_of(ax.xaxis) / (_LETTER * font)
    return "\n".join(wrap(text, max(8, int(letters))))


def _font_size() -> float:
    import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import

    return float(mpl.rcParams["font.size"])


def _title_pad() -> float:
    import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import

    return float(mpl.rcParams["axes.titlepad"])


def _extent(axis: AnyAxis) -> float:
    """Return the length of the label of an axis, along the axis, in points."""
    extent, dpi = axis.label.get_window_extent(), axis.axes.figure.dpi
    return (extent.width if axis.axis_name == "x" else extent.height) * _POINTS / dpi


def _broken(text: str) -> Iterator[str]:
    r"""Yield a text in one line, in two lines of about the same length, and in three.

    Examples
    --------
    >>> list(_broken("local clustering coefficient"))
    ['local clustering coefficient', 'local clustering\ncoefficient', 'local\nclustering\ncoefficient']
    """
    words = text.split(" ")
    for lines in range(1, 1 + min(_MOST_LINES, len(words))):
        yield "\n".join(min(_splits(words, lines), key=lambda parts: max(map(len, parts))))


def _splits(words: list[str], lines: int) -> Iterator[list[str]]:
    """Yield all ways to split words into lines."""
    if lines == 1:
        yield [" ".join(words)]
        return
    for first in range(len(words) - lines + 1, 0, -1):
        for rest in _splits(words[first:], lines - 1):
            yield [" ".join(words[:first]), *rest]
