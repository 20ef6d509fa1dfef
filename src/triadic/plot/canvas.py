"""The axes that plots are drawn on: their colour of text, guide lines, and the number of networks drawn before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

from triadic.core.checked import check_extra
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer
    from matplotlib.text import Text

INK = "#000000"  # of text on white

SIZE = (4.4, 3.3)  # inches; narrow, so that text stays readable where a phone shows the figure


@dataclass(slots=True)
class Drawn:
    """What the functions of this package have drawn on a pair of axes.

    Attributes
    ----------
    subject : str
        Values that the axes show, in words.
    networks : int
        Number of networks.
    values : list of float
        Values of all networks on the horizontal axis, if it is logarithmic, or else on the other; zeros among them.
    places : list of float
        Values of all networks on the vertical axis, if both are logarithmic.
    message : Text or None
        Sentence in the middle of the axes, shown as long as no network has anything to show.
    profiles : list of (tuple, ErrorbarContainer, str or None)
        Null model, line and label of each significance profile.
    """

    subject: str
    networks: int = 0
    values: list[float] = field(default_factory=list)
    places: list[float] = field(default_factory=list)
    message: Text | None = None
    profiles: list[tuple[Any, ErrorbarContainer, str | None]] = field(default_factory=list)


_drawn: WeakKeyDictionary[Axes, Drawn] = WeakKeyDictionary()


def check_matplotlib() -> None:
    """Raise MissingExtraError if matplotlib is not installed."""
    check_extra("matplotlib", "plot", "figures need")


def axes_for(ax: Axes | None, subject: str, size: tuple[float, float] = SIZE) -> tuple[Axes, Drawn]:
    """Return the axes to draw on, in the style of this package.

    Parameters
    ----------
    ax : Axes or None
        None makes a new pyplot figure.
    subject : str
        Values that the plot shows, in words; the axes cannot show others as well.
    size : tuple of float
        Size of a new figure, in inches.

    Returns
    -------
    ax : Axes
    drawn : Drawn
        What was drawn on the axes before; ``drawn.networks`` is 0 for axes that this package has not drawn on, or that
        were cleared since.

    Raises
    ------
    ArgumentError
        A plot of other values was drawn on the axes before.
    MissingExtraError
        matplotlib is not installed.
    """
    check_matplotlib()
    if ax is None:
        from matplotlib import pyplot as plt  # noqa: PLC0415 - an extra, and slow to import

        ax = plt.subplots(figsize=size, layout="constrained")[1]
    if ax not in _drawn or not ax.has_data():
        _drawn[ax] = Drawn(subject)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    if _drawn[ax].subject != subject:
        raise ArgumentError(f"ax: the axes show {_drawn[ax].subject}; draw {subject} on other axes")
    return ax, _drawn[ax]


def ink_of(ax: Axes) -> str:
    """Return the colour of the text of axes: black, unless a style such as "dark_background" has another."""
    from matplotlib.colors import to_hex  # noqa: PLC0415 - an extra

    return to_hex(ax.xaxis.label.get_color())


def is_dark(ax: Axes) -> bool:
    """Return whether the background of axes is dark, because their text is bright."""
    from matplotlib.colors import to_rgb  # noqa: PLC0415 - an extra

    return sum(to_rgb(ink_of(ax))) > 1.5


def draw_guides(ax: Axes, axis: Literal["x", "y"]) -> None:
    """Draw guide lines at the ticks of an axis, in a tint of the colour of the text."""
    ax.grid(visible=True, axis=axis, color=ink_of(ax), alpha=0.15, linewidth=0.6, linestyle="-")


def set_message(ax: Axes, drawn: Drawn, text: str | None, *, height: float = 0.5) -> None:
    """Write a sentence in the middle of axes that have nothing to show; None removes the sentence of before.

    Parameters
    ----------
    ax : Axes
    drawn : Drawn
    text : str or None
    height : float, default 0.5
        Height of the sentence, as a share of the axes.
    """
    if drawn.message is not None:
        drawn.message.remove()
        drawn.message = None
    if text is not None:
        drawn.message = ax.text(
            0.5, height, text, transform=ax.transAxes, ha="center", va="center", color=ink_of(ax), fontsize="small"
        )


def name_under(label: str | None, null: str) -> str:
    """Return the entry of the legend for a result under a null model, which its label need not repeat.

    Examples
    --------
    >>> name_under(None, "degrees"), name_under("degrees", "degrees, 50 samples"), name_under("near", "mutual")
    ('degrees', 'degrees, 50 samples', 'near (mutual)')
    """
    return null if label is None or label == null.partition(",")[0] else f"{label} ({null})"
