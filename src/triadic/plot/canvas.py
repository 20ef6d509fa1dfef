"""The axes that plots are drawn on: colours, markers and lines of networks, guide lines, and what was drawn before.

`svg_of` returns a figure as an SVG element inside an HTML page, several on one page, in the colour of the page's text.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

from triadic.core.checked import check_extra
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer
    from matplotlib.figure import Figure
    from matplotlib.text import Text

INK = "#000000"  # of text on white

# Okabe and Ito's palette, which readers with any kind of colour blindness tell apart; an ochre replaces its yellow,
# which is too pale on white. Markers tell networks apart without colour.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", INK, "#8C6D00")
# The same colours for dark backgrounds: the blue, the black and the ochre would be too dark.
DARK_COLOURS = ("#2E90D1", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#FFFFFF", "#B8920F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":")
_SCALE = {"^": 1.15, "v": 1.15, "D": 0.88, "s": 0.92, "P": 1.15, "X": 1.15, "*": 1.45}  # markers of equal area
_SHIFT = 3  # markers by which a round of colours differs from the round before

# Text stays text, and the same figure makes the same file.
SVG_SETTINGS: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "triadic"}

_INK = re.compile(rf"\b(fill|stroke): {INK}\b")

SIZE = (4.4, 3.3)  # inches; narrow, so that text stays readable where a phone shows the figure


@dataclass(slots=True)
class Drawn:
    """What the functions of this package have drawn on a pair of axes.

    Attributes
    ----------
    subject : str
        Values that the axes show, in words.
    number : int
        Number of the network that is drawn now, from 0.
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
    number: int = -1
    values: list[float] = field(default_factory=list)
    places: list[float] = field(default_factory=list)
    message: Text | None = None
    profiles: list[tuple[Any, ErrorbarContainer, str | None]] = field(default_factory=list)


_drawn: WeakKeyDictionary[Axes, Drawn] = WeakKeyDictionary()


def check_matplotlib() -> None:
    """Raise MissingExtraError if matplotlib is not installed."""
    check_extra("matplotlib", "plot", "figures need")


def axes_for(
    ax: Axes | None, subject: str, size: tuple[float, float] = SIZE, *, alone: bool = False
) -> tuple[Axes, Drawn]:
    """Return the axes to draw a network on, in the style of this package.

    Parameters
    ----------
    ax : Axes or None
        None makes a new pyplot figure.
    subject : str
        Values that the plot shows, in words; the axes cannot show others as well.
    size : tuple of float
        Size of a new figure, in inches.
    alone : bool, default False
        Whether the axes have room for one network only.

    Returns
    -------
    ax : Axes
    drawn : Drawn
        What was drawn on the axes before; ``drawn.number`` is 0 for axes that this package has not drawn on, or that
        were cleared since.

    Raises
    ------
    ArgumentError
        A plot of other values was drawn on the axes before; or any plot, on axes for one network.
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
    drawn = _drawn[ax]
    if drawn.subject != subject:
        raise ArgumentError(f"ax: the axes show {drawn.subject}; draw {subject} on other axes")
    drawn.number += 1
    if alone and drawn.number:
        raise ArgumentError(f"ax: the axes show {subject}; draw others on other axes")
    return ax, drawn


def ink_of(ax: Axes) -> str:
    """Return the colour of the text of axes: black, unless a style such as "dark_background" has another."""
    from matplotlib.colors import to_hex  # noqa: PLC0415 - an extra

    return to_hex(ax.xaxis.label.get_color())


def colours_on(ax: Axes) -> tuple[str, ...]:
    """Return the colours for the background of axes, which is dark if their text is bright."""
    from matplotlib.colors import to_rgb  # noqa: PLC0415 - an extra

    return DARK_COLOURS if sum(to_rgb(ink_of(ax))) > 1.5 else COLOURS


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
        return [{"color": colour} for colour in colours_on(ax)]
    return list(chosen)


def draw_guides(ax: Axes, axis: Literal["x", "y"]) -> None:
    """Draw guide lines at the ticks of an axis, in a tint of the colour of the text."""
    ax.grid(visible=True, axis=axis, color=ink_of(ax), alpha=0.15, linewidth=0.6, linestyle="-")


def set_message(ax: Axes, drawn: Drawn, text: str, *, height: float = 0.5) -> None:
    """Write a sentence in the middle of axes as long as no network has values, and remove the sentence of before.

    Parameters
    ----------
    ax : Axes
    drawn : Drawn
    text : str
    height : float, default 0.5
        Height of the sentence, as a share of the axes.
    """
    if drawn.message is not None:
        drawn.message.remove()
        drawn.message = None
    if not drawn.values:
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


def svg_of(figure: Figure, prefix: str) -> str:
    """Return a figure as an SVG element for a page with a light or a dark background.

    The background is transparent. Text, axes, drawings of subgraphs and black dots have the colour of the text around
    the element (``currentColor``). The colours of networks are the CSS variables ``--plot-1``, …, ``--plot-8``, where a
    page does not set them the colours of `COLOURS`; ``DARK_COLOURS`` suit a dark page.

    Parameters
    ----------
    figure : Figure
        A figure drawn with matplotlib's default colours of text and background.
    prefix : str
        Beginning of the ids, which differs between the figures of a page.
    """
    import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import

    text = StringIO()
    with mpl.rc_context(SVG_SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # the page has other fonts
        metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(text, format="svg", transparent=True, metadata=metadata)
    return follow_text_colour(inline_svg(text.getvalue(), prefix))


def inline_svg(svg: str, prefix: str) -> str:
    """Return the SVG element of a file, with `prefix` before its ids and the references to them.

    Examples
    --------
    >>> inline_svg('<?xml version="1.0"?><svg><path id="a"/><use xlink:href="#a"/></svg>', "f1-")
    '<svg><path id="f1-a"/><use xlink:href="#f1-a"/></svg>'
    """
    body = svg[svg.index("<svg") :]
    body = re.sub(r'\bid="', f'id="{prefix}', body)
    return re.sub(r'((?:xlink:)?href="|url\()#', rf"\1#{prefix}", body)


def follow_text_colour(svg: str) -> str:
    """Replace the colours of an SVG element by colours that its page may choose.

    Black becomes the colour of the text around the element, and the colours of networks become the CSS variables
    ``--plot-1`` to ``--plot-8`` with the same colours as defaults.

    Examples
    --------
    >>> follow_text_colour('<svg><path style="fill: none; stroke: #000000"/></svg>')
    '<svg fill="currentColor"><path style="fill: none; stroke: currentColor"/></svg>'
    >>> follow_text_colour('<svg><path style="fill: #0072b2"/></svg>')
    '<svg fill="currentColor"><path style="fill: var(--plot-1, #0072B2)"/></svg>'
    """
    # matplotlib leaves out the fill of black text and of black discs, because black is the default of SVG.
    svg = svg.replace("<svg", '<svg fill="currentColor"', 1)
    svg = _INK.sub(r"\1: currentColor", svg)
    for number, colour in enumerate(COLOURS, 1):
        if colour != INK:
            svg = re.sub(rf"\b(fill|stroke): {colour.lower()}\b", rf"\1: var(--plot-{number}, {colour})", svg)
    return svg
