"""Axis labels broken into lines where the axes are short, and legends above the axes and their title."""

from __future__ import annotations

from dataclasses import dataclass
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
_OVERHANG = 8.0  # points by which a label may be longer than its axis
_TOLERANCE = 0.1  # of the next share: layouts measure a label before they change the size of the axes a little
_SMALLER, _SMALLEST = (
    0.85,
    0.65,
)  # shares of its size to which the font of a label shrinks before and after it is broken
_LINE = 1.3  # height of a line of a title, in font sizes
_LEGEND_FONT = "small"


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
    """Label an axis with a text that `fit_label` may break into lines."""
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
        scale = (length + _OVERHANG) / max(1e-9, _extent(axis))
        lines = text.count("\n")
        if scale >= _SMALLER + (0 if known.length < 0 else -_TOLERANCE if lines == before else _TOLERANCE):
            break
    label.set_fontsize(known.size * min(1.0, max(_SMALLEST, scale)))
    known.length, known.fitted = length, (label.get_text(), float(label.get_fontsize()))


def add_legend(ax: Axes, *, title: str | None = None) -> None:
    """Put a legend above the axes, with as many columns as fit their width, if any line has a label.

    Above the axes it hides no data. It moves above the title of the axes when the axes are drawn.
    """
    handles, labels = ax.get_legend_handles_labels()
    if not labels and title is None:
        return
    room = length_of(ax.xaxis)
    for columns in range(max(1, min(len(labels), 4)), 0, -1):
        legend = ax.legend(
            handles,
            labels,
            title=title,
            loc="lower right",
            bbox_to_anchor=(1, 1),
            ncols=columns,
            frameon=False,
            fontsize=_LEGEND_FONT,
            title_fontsize=_LEGEND_FONT,
            alignment="left",
            borderpad=0,
            borderaxespad=0.8,
            handlelength=1.6,
            handletextpad=0.5,
            columnspacing=1.2,
            labelspacing=0.3,
        )
        width = legend.get_window_extent().width * _POINTS / ax.figure.dpi
        if width <= room:
            break
    _legends.add(legend)


def fit_legend(ax: Axes) -> None:
    """Move a legend that `add_legend` has put above the axes above their title."""
    legend = ax.get_legend()
    if legend is None or legend not in _legends:
        return
    lines = max(len(ax.get_title(loc=place).splitlines()) for place in ("left", "center", "right"))
    title = (lines * _LINE * float(ax.title.get_fontsize()) + _title_pad()) if lines else 0.0
    legend.set_bbox_to_anchor((1, 1 + title / max(1.0, length_of(ax.yaxis))), transform=ax.transAxes)


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
