"""Texts of a drawn figure: which of them overlap, and which are cut by the edge of the figure."""

from __future__ import annotations

from itertools import combinations

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.offsetbox import AnnotationBbox
from matplotlib.text import Text

TOLERANCE = 1.0  # pixels


def faults(figure):
    """Draw a figure and return its faults: texts that overlap or are cut, and legends that hide data.

    Drawings of small graphs beside an axis count as texts.
    """
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = [(text, _Corners(box)) for text, box in text_boxes(figure, canvas.get_renderer())]
    width, height = canvas.get_width_height()
    found = [
        f"{one!r} overlaps {other!r}" for (one, a), (other, b) in combinations(boxes, 2) if _common(a, b) > TOLERANCE
    ]
    found += [
        f"{text!r} is cut" for text, box in boxes if min(box.x0, box.y0, width - box.x1, height - box.y1) < -TOLERANCE
    ]
    for ax in figure.axes:
        legend = ax.get_legend()
        if legend is None:
            continue
        if _common(_Corners(legend.get_window_extent()), _Corners(ax.get_window_extent())) > TOLERANCE:
            found.append("a legend hides data")
    return found


def text_boxes(figure, renderer):
    """Return the visible texts of a figure, and its drawings beside ticks, with their boxes in pixels."""
    shown = {
        label
        for ax in figure.axes
        for axis in (ax.xaxis, ax.yaxis)
        for tick in axis._update_ticks()
        for label in (tick.label1, tick.label2)
    }
    hidden = {
        label
        for ax in figure.axes
        for axis in (ax.xaxis, ax.yaxis)
        for tick in (*axis.majorTicks, *axis.minorTicks)
        for label in (tick.label1, tick.label2)
    } - shown
    boxes = [
        (text.get_text(), text.get_window_extent(renderer))
        for text in figure.findobj(Text)
        if text.get_visible() and text.get_text().strip() and text not in hidden
    ]
    return boxes + [
        ("a drawing", box.get_window_extent(renderer)) for box in figure.findobj(AnnotationBbox) if box.get_visible()
    ]


class _Corners:
    """The corners of a box as plain numbers, which are many times faster than those of matplotlib."""

    def __init__(self, box):
        self.x0, self.y0 = map(float, box.min)
        self.x1, self.y1 = map(float, box.max)


def _common(a, b):
    """Return the smaller side of the intersection of two boxes; 0 if they do not intersect."""
    return max(0.0, min(min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)))
