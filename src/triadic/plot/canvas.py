"""The axes that plots are drawn on, and the colours and markers that tell several networks on them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.extras import check_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette, which readers with any kind of colour blindness tell apart; an ochre replaces its yellow,
# which is too pale on white. Markers tell networks apart without colour.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
GRID = "#d9d9d9"
INK = "#333333"

_SHORT, _COLUMNS = 14, 3
SIZE = (4.4, 3.3)  # inches; narrow, so that text stays readable where a phone shows the figure


def check_matplotlib() -> None:
    """Raise MissingExtraError if matplotlib is not installed."""
    check_extra("matplotlib", "plot", "figures need")


def axes_for(ax: Axes | None, size: tuple[float, float] = SIZE) -> tuple[Axes, bool]:
    """Return the axes to draw on, in the style of this package.

    Parameters
    ----------
    ax : Axes or None
        None makes a new pyplot figure.
    size : tuple of float
        Size of a new figure, in inches.

    Returns
    -------
    ax : Axes
    first : bool
        Whether the axes were empty; the cycle of colours and markers then begins.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    """
    check_matplotlib()
    if ax is None:
        from matplotlib import pyplot as plt  # noqa: PLC0415 - an extra, and slow to import

        ax = plt.subplots(figsize=size, layout="constrained")[1]
    first = not ax.has_data()
    if first:
        ax.set_prop_cycle(color=COLOURS, marker=MARKERS)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(visible=True, which="major", color=GRID, linewidth=0.6)
    return ax, first


def add_message(ax: Axes, text: str) -> None:
    """Write a sentence in the middle of axes that have nothing to show."""
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", color=INK)


def add_legend(ax: Axes, *, above: bool = False) -> None:
    """Add a legend if any line has a label: inside the axes, or `above` them where the lines leave no room."""
    labels = ax.get_legend_handles_labels()[1]
    if above and labels:
        columns = 1 if max(map(len, labels)) > _SHORT else _COLUMNS
        ax.legend(
            loc="lower right",
            bbox_to_anchor=(1, 1),
            ncols=min(columns, len(labels)),
            frameon=False,
            fontsize="small",
            handletextpad=0.4,
            columnspacing=1.2,
        )
    elif labels:
        ax.legend(frameon=False, fontsize="small")
