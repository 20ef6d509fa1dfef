"""Pictures of time against edges on logarithmic axes, in the style of `triadic.plot`, for light and dark pages."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from growth import contenders
from triadic.plot.artists import add_legend, set_log_axis
from triadic.plot.canvas import axes_for, network_style

sys.path.append(str(Path(__file__).resolve().parents[2] / "docs"))
import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from growth.lines import Line, Results

SIZE = (6.4, 4.2)  # inches
_MARKER = 4.0  # points
_ORDER = (*contenders.OURS, *contenders.PEERS)  # a contender has the same colour and marker in all pictures


def name_of(family: str, measure: str) -> str:
    """Return the name of a picture."""
    return f"scaling-{measure}" if family == "rmat" else f"scaling-{family}-{measure}"


def draw(results: Results, folder: Path | None) -> None:
    """Draw a picture for each family and count."""
    for (family, measure), lines in results.lines.items():
        shown = [line for line in lines if line.points]
        if shown:
            figures.save(
                name_of(family, measure), SIZE, partial(draw_lines, lines=shown), folder=folder or figures.FOLDER
            )


def draw_lines(ax: Axes, lines: list[Line]) -> None:
    """Draw time against edges."""
    ax, drawn = axes_for(ax, "times of a count")
    for line in lines:
        style = network_style(ax, _ORDER.index(line.contender), _MARKER)
        if line.contender in contenders.PEERS:
            style |= {"linestyle": "--"}
        x, y = [point.edges for point in line.points], [point.seconds for point in line.points]
        ax.plot(x, y, linewidth=1.2, label=line.contender, **style)
        drawn.places += x
        drawn.values += y
    set_log_axis(ax, "x", drawn.places, share=False)
    set_log_axis(ax, "y", drawn.values, share=False)
    ax.set(xlabel="edges", ylabel="seconds from edges to the result")
    add_legend(ax)
