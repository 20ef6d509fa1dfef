"""Figures as SVG elements inside an HTML page, several on one page."""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING, Any

from triadic.plot.canvas import check_matplotlib

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Text stays text, and the same figure makes the same file.
SVG_SETTINGS: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "triadic"}


def svg_of(figure: Figure, prefix: str) -> str:
    """Return a figure as an SVG element whose ids begin with `prefix`."""
    check_matplotlib()
    import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import

    text = StringIO()
    with mpl.rc_context(SVG_SETTINGS):
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return inline_svg(text.getvalue(), prefix)


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
