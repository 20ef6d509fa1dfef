"""Texts of a drawn figure: which of them overlap, and which are cut by the edge of the figure."""

from __future__ import annotations

from itertools import combinations

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from triadic.plot.tick_names import TickDrawings

TOLERANCE = 1.0  # pixels


def faults(figure):
    """Draw a figure and return its faults: texts that overlap or are cut, and legends that hide data.

    Drawings of small graphs beside an axis count as texts.
    """
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = text_boxes(figure, canvas.get_renderer())
    width, height = canvas.get_width_height()
    found = [
        f"{one!r} overlaps {other!r}" for (one, a), (other, b) in combinations(boxes, 2) if _common(a, b) > TOLERANCE
    ]
    found += [
        f"{text!r} is cut" for text, box in boxes if min(box.x0, box.y0, width - box.x1, height - box.y1) < -TOLERANCE
    ]
    for ax in figure.axes:
        legend = ax.get_legend()
        if legend is not None and _common(legend.get_window_extent(), ax.get_window_extent()) > TOLERANCE:
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
    for drawings in figure.findobj(TickDrawings):
        boxes += [("a drawing", box) for box in drawings._boxes()]
    return boxes


def _common(a, b):
    """Return the smaller side of the intersection of two boxes; 0 if they do not intersect."""
    common = Bbox.intersection(a, b)
    return 0.0 if common is None else min(common.width, common.height)
