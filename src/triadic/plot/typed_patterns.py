"""Plot of the patterns of types of vertices that are much more or much less frequent than expected."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import Table
from triadic.core.checked import check_probability, check_whole
from triadic.core.triad_types import order_by_role
from triadic.errors import ArgumentError
from triadic.measures.patterns.matches import HEADINGS
from triadic.measures.patterns.pattern import Pattern
from triadic.measures.significance.result import Significance
from triadic.plot.canvas import axes_for, draw_guides, ink_of, network_style, set_message
from triadic.plot.patterns import shape_of
from triadic.plot.subgraph_shapes import DYADS, TRIAD_SHAPES, Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

_MOST_ROWS = 100
_DRAWING = (23.0, 17.0)  # points
_DISC, _RING = 0.18, 1.2  # radius of a vertex as a share of the drawing's height, and width of a ring in points
_DOT = 4.6  # points
_LONGEST = 16  # letters of a type beside a drawing


def types(
    typed: Significance | Table, *, most: int = 12, q: float = 0.05, names: bool = True, ax: Axes | None = None
) -> Axes:
    """Plot the patterns of typed vertices that deviate the most from random graphs, drawn in the colours of the types.

    Each row is a pattern with the types of its vertices, such as a feed-forward loop from a sensory neuron by an
    interneuron to a motor neuron. Rows above zero are more frequent than in random graphs, rows below zero less.

    Parameters
    ----------
    typed : Significance or Table
        The result of ``triadic.significance(..., by="type")``; or that of ``triadic.count(graph, [...], by="type")``,
        of which the most frequent rows are plotted with their counts.
    most : int, default 12
        Number of rows, at most 100: those whose z-scores are farthest from zero.
    q : float, default 0.05
        False discovery rate up to which the dot of a row is filled; other dots are open.
    names : bool, default True
        Write the types of the vertices beside each drawing, in the order of their roles. False leaves them to the
        legend, for narrow figures.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure, whose height fits the rows.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on. The legend has the colour of each type that is drawn; from the ninth type on,
        vertices are rings.

    Raises
    ------
    ArgumentError
        `typed` is of another class, `most` is no whole number from 1 to 100, or `q` is not from 0 to 1; or the axes
        have a plot.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.

    Notes
    -----
    Nothing is counted. Rows that have the same count in all random graphs have no z-score and are not plotted. q is
    that of a row among all rows of the result; from s samples no p is below 2 / (s + 1), so that many rows need many
    samples.

    References
    ----------
    R. Milo and others, *Network motifs: simple building blocks of complex networks*, Science 298, 824-827, 2002.

    Examples
    --------
    >>> import triadic
    >>> made = triadic.generate.connectome(200, 1500, types=3, seed=1)
    >>> typed = triadic.significance(made.graph, of="030T", by="type", types=made.types, samples=20, seed=1)
    >>> ax = triadic.plot.types(typed, most=5)
    >>> ax.get_xlabel(), len(ax.get_yticks())
    ('z-score', 5)
    """
    found: Any = typed
    sampled = isinstance(typed, Significance) and bool(typed.roles)
    if not sampled and not (isinstance(typed, Table) and "name" in typed):
        expected = "significance(..., by='type') or of count(graph, [...], by='type')"
        raise ArgumentError(f"typed: got {type(typed).__name__}; expected the result of {expected}")
    check_whole("most", most, 1, _MOST_ROWS)
    check_probability("q", q)
    headings = [found[heading].tolist() for heading in HEADINGS if not sampled and heading in found]
    every = found.names if sampled else list(zip(*headings, strict=True))
    values = found.z if sampled else found["count"].astype(np.float64)
    strongest = np.argsort(-np.abs(values), kind="stable")[:most]  # nan is last
    rows = strongest[np.isfinite(values[strongest])]
    rows = rows[np.argsort(-values[rows], kind="stable")]
    subject = f"{'z-scores' if sampled else 'numbers'} of typed patterns"
    ax, drawn = axes_for(ax, subject, (5.6, 1.3 + 0.32 * len(rows)), alone=True)
    from triadic.plot.artists import add_legend, set_log_axis  # noqa: PLC0415 - imports matplotlib

    if not len(rows):
        set_message(ax, drawn, "no count differs\nfrom its expectation" if every else "no pattern of these types")
    _draw_rows(ax, every, [every[row] for row in rows], names=names)
    ink = ink_of(ax)
    if sampled:
        ax.axvline(0, color=ink, linewidth=0.8)
        ax.hlines(range(len(rows)), 0, values[rows], color=ink, linewidth=1.0, zorder=1)
    rates = found.q if sampled else np.zeros(len(values))
    for place, row in enumerate(rows):
        face = ink if rates[row] <= q else "none"
        ax.plot(values[row], place, "o", color=ink, markerfacecolor=face, markersize=_DOT)
    draw_guides(ax, "y")
    if not sampled:
        set_log_axis(ax, "x", values[rows].tolist(), share=False)
    ax.set_xlabel("z-score" if sampled else "count")
    title = []
    if sampled:
        title = [f"{name}: {', '.join(roles)}" for name, roles in found.roles.items()][: len(found.roles) == 1]
        title += [f"null: {found.null_title}, {len(found.samples):,} samples", f"filled dots: q ≤ {q:g}"]
    add_legend(ax, "\n".join(title) or None)
    return ax


def _draw_rows(ax: Axes, every: Sequence[Any], rows: Sequence[Any], *, names: bool) -> None:
    """Name the ticks, draw the patterns in the colours of their vertices, and give each type an entry in the legend."""
    from triadic.plot.artists import name_ticks  # noqa: PLC0415 - imports matplotlib

    types, looks = np.unique([of_vertex for _, *types in every for of_vertex in types if of_vertex != ""]), {}
    for number, of_vertex in enumerate(types.tolist()):
        style = network_style(ax, number, 6.0)
        looks[of_vertex] = {"facecolor": style["markerfacecolor"], "edgecolor": style["color"], "linewidth": _RING}
    texts, shapes, discs = [], [], []
    for name, *of_row in rows:
        texts.append(f"{name}  {', '.join(map(_shortened, of_row))}" if names else name)
        shape, order = _shape_of(name)
        shapes.append(replace(shape, disc=_DISC))
        discs.append([looks[of_row[vertex]] for vertex in order])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    name_ticks(ax, texts, shapes, axis="y", size=_DRAWING, discs=discs)
    for of_vertex, look in looks.items():
        if any(of_vertex in of_row for of_row in rows):
            ax.scatter([], [], 36, label=_shortened(of_vertex), **look)


def _shape_of(name: str) -> tuple[Shape, list[int]]:
    """Return the drawing of a type of triad or a pattern, and the place of each of its vertices in a row of types."""
    if name not in TRIAD_SHAPES:
        shape = shape_of(Pattern(name))
        return shape, list(range(len(shape.places)))
    left_top, left_right, top_right = DYADS[name]
    order = order_by_role(name)[left_top + 4 * left_right + 16 * top_right].tolist()
    return TRIAD_SHAPES[name], [order.index(vertex) for vertex in range(3)]


def _shortened(group: object) -> str:
    """Return the name of a type; a long one loses its end."""
    return text if len(text := str(group)) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
