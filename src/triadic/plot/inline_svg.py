"""Figures as SVG elements inside an HTML page, several on one page, in the colour of the page's text."""

from __future__ import annotations

import re
import warnings
from io import StringIO
from typing import TYPE_CHECKING, Any

from triadic.plot.canvas import COLOURS, INK, check_matplotlib

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Text stays text, and the same figure makes the same file.
SVG_SETTINGS: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "triadic"}

_INK = re.compile(rf"\b(fill|stroke): {INK}\b")


def svg_of(figure: Figure, prefix: str) -> str:
    """Return a figure as an SVG element for a page with a light or a dark background.

    The background is transparent. Text, axes, drawings of subgraphs and black dots have the colour of the text around
    the element (``currentColor``). The colours of networks are the CSS variables ``--plot-1``, …, ``--plot-8``, where a
    page does not set them the colours of `triadic.plot.canvas.COLOURS`; ``DARK_COLOURS`` suit a dark page.

    Parameters
    ----------
    figure : Figure
        A figure drawn with matplotlib's default colours of text and background.
    prefix : str
        Beginning of the ids, which differs between the figures of a page.
    """
    check_matplotlib()
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
