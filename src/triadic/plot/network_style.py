"""Colours, markers and line styles that tell the networks of a plot apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.plot.canvas import INK, is_dark

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette, which readers with any kind of colour blindness tell apart; an ochre replaces its yellow,
# which is too pale on white. Markers tell networks apart without colour.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", INK, "#8C6D00")
# The same colours for dark backgrounds: the blue, the black and the ochre would be too dark.
DARK_COLOURS = ("#2E90D1", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#FFFFFF", "#B8920F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":")
_SCALE = {"^": 1.15, "v": 1.15, "D": 0.88, "s": 0.92, "P": 1.15, "X": 1.15, "*": 1.45}  # markers of equal area
_SHIFT = 3  # markers by which a round of colours differs from the round before


def network_style(ax: Axes, number: int, size: float) -> dict[str, Any]:
    """Return the keywords of matplotlib's lines for the network of a number, which is 0 for the first.

    After a round of colours, the next networks have open markers, other markers and dashed lines. A cycle of properties
    that the user or a style sheet has set as ``rcParams["axes.prop_cycle"]`` replaces the colours of this package.

    Parameters
    ----------
    ax : Axes
    number : int
    size : float
        Diameter of a round marker, in points.
    """
    cycle = _cycle(ax)
    turn, place = divmod(number, len(cycle))
    marker = MARKERS[(place + _SHIFT * turn) % len(MARKERS)]
    style = {"marker": marker, "linestyle": DASHES[turn % len(DASHES)]} | cycle[place]
    colour = style["color"]
    is_open = turn % 2 == 1
    return style | {
        "markersize": size * _SCALE.get(style["marker"], 1.0),
        "markerfacecolor": "none" if is_open else colour,
        "markeredgewidth": 0.9 if is_open else 0.0,
    }


def _cycle(ax: Axes) -> list[dict[str, Any]]:
    """Return the properties of the networks of one round."""
    import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import

    chosen = mpl.rcParams["axes.prop_cycle"]
    if chosen == mpl.rcParamsDefault["axes.prop_cycle"] or "color" not in chosen.keys:
        return [{"color": colour} for colour in (DARK_COLOURS if is_dark(ax) else COLOURS)]
    return list(chosen)
