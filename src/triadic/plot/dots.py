"""Dot plots of counts that may be zero or differ by many orders of magnitude."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING

import numpy as np

from triadic.plot.canvas import add_legend
from triadic.plot.ticks import format_tick, ticks_from_zero

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes


def draw_dots(ax: Axes, values: Sequence[float], *, label: str | None, shift: float = 0.0) -> None:
    """Draw a dot for each value, from top to bottom, on an axis that is logarithmic but includes zero.

    Parameters
    ----------
    ax : Axes
    values : sequence of float
    label : str, optional
        Entry of the legend.
    shift : float
        Distance of the dots below their ticks, as a share of the distance between ticks.
    """
    values = [float(value) for value in values]  # matplotlib does not accept integers of 2**63 or more
    places = [place + shift for place in range(len(values))]
    (dots,) = ax.plot(
        values, places, linestyle="none", markersize=5, markeredgewidth=0, label=label, zorder=3, clip_on=False
    )
    colour = dots.get_color()
    ax.hlines(places, 0, values, colors=colour, linewidth=1.2, alpha=0.5)
    plotted = [value for line in ax.lines for value in np.asarray(line.get_xdata()).tolist()]
    least = 10.0 ** floor(log10(min((value for value in plotted if value), default=1.0)) + 1e-9)
    largest = max(plotted)
    ax.set_xscale("symlog", linthresh=least, linscale=0.6)
    ticks = ticks_from_zero(largest, least)
    ax.set_xticks(ticks, [format_tick(tick) for tick in ticks])
    ax.set_xticks([], minor=True)
    ax.set_xlim(0, max(2 * largest, least))
    ax.set_ylim(len(values) - 0.4, -0.6)
    ax.grid(visible=False, axis="y")
    add_legend(ax, above=True)
