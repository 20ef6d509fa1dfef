"""Plot of the triads of types of vertices that are much more or much less frequent than expected."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.checked import check_probability, check_whole
from triadic.core.triad_types import order_by_role
from triadic.errors import ArgumentError
from triadic.measures.significance.typed_triads import TypedTriads
from triadic.plot.canvas import axes_for, draw_guides, ink_of, network_style, set_message
from triadic.plot.subgraph_shapes import DYADS, TRIAD_SHAPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_ROWS = 100
_DRAWING = (23.0, 17.0)  # points
_DISC, _RING = 0.18, 1.2  # radius of a vertex as a share of the drawing's height, and width of a ring in points
_DOT = 4.6  # points
_LONGEST = 16  # letters of a type beside a drawing


def types(typed: TypedTriads, *, most: int = 12, q: float = 0.05, names: bool = True, ax: Axes | None = None) -> Axes:
    """Plot the triads of typed vertices that deviate the most from random graphs, drawn in the colours of the types.

    Each row is a type of triad with the types of its three vertices, such as a feed-forward loop from a sensory neuron
    by an interneuron to a motor neuron. Rows above zero are more frequent than in random graphs, rows below zero less.

    Parameters
    ----------
    typed : TypedTriads
        The result of `triadic.typed_triads`. Without samples, the most frequent rows are plotted with their counts.
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
    >>> typed = triadic.typed_triads(made.graph, "030T", made.types, samples=20, seed=1)
    >>> ax = triadic.plot.types(typed, most=5)
    >>> ax.get_xlabel(), len(ax.get_yticks())
    ('z-score', 5)
    """
    if not isinstance(typed, TypedTriads):
        raise ArgumentError(f"typed: got {type(typed).__name__}; expected the result of triadic.typed_triads")
    check_whole("most", most, 1, _MOST_ROWS)
    check_probability("q", q)
    sampled = len(typed.samples) > 0
    values = typed.z if sampled else typed.counts.astype(np.float64)
    strongest = np.argsort(-np.abs(values), kind="stable")[:most]  # nan is last
    rows = strongest[np.isfinite(values[strongest])]
    rows = rows[np.argsort(-values[rows], kind="stable")]
    subject = f"{'z-scores' if sampled else 'numbers'} of typed triads"
    ax, drawn = axes_for(ax, subject, (5.6, 1.3 + 0.32 * len(rows)), alone=True)
    from triadic.plot.artists import add_legend, set_log_axis  # noqa: PLC0415 - imports matplotlib

    if not len(rows):
        set_message(ax, drawn, "no count differs\nfrom its expectation" if sampled else "no triad of these types")
    _draw_rows(ax, typed, rows, names=names)
    ink = ink_of(ax)
    if sampled:
        ax.axvline(0, color=ink, linewidth=0.8)
        ax.hlines(range(len(rows)), 0, values[rows], color=ink, linewidth=1.0, zorder=1)
    rates = typed.q if sampled else np.zeros(len(typed))
    for place, row in enumerate(rows):
        face = ink if rates[row] <= q else "none"
        ax.plot(values[row], place, "o", color=ink, markerfacecolor=face, markersize=_DOT)
    draw_guides(ax, "y")
    if not sampled:
        set_log_axis(ax, "x", values[rows].tolist(), share=False)
    ax.set_xlabel("z-score" if sampled else "number of triads")
    title = [f"{name}: {', '.join(roles)}" for name, roles in typed.roles.items()][: len(typed.roles) == 1]
    title += [f"null: {typed.null}, {len(typed.samples):,} samples\nfilled dots: q ≤ {q:g}"] * sampled
    add_legend(ax, "\n".join(title) or None)
    return ax


def _draw_rows(ax: Axes, typed: TypedTriads, rows: np.ndarray, *, names: bool) -> None:
    """Name the ticks, draw the triads in the colours of their vertices, and give the legend an entry for each type."""
    from triadic.plot.artists import name_ticks  # noqa: PLC0415 - imports matplotlib

    every, looks = np.unique(typed.groups).tolist(), {}
    for number, group in enumerate(every):
        style = network_style(ax, number, 6.0)
        looks[group] = {"facecolor": style["markerfacecolor"], "edgecolor": style["color"], "linewidth": _RING}
    texts, shapes, discs = [], [], []
    for name, groups in zip(typed.types[rows], typed.groups[rows].tolist(), strict=True):
        texts.append(f"{name}  {', '.join(map(_shortened, groups))}" if names else name)
        shapes.append(replace(TRIAD_SHAPES[name], disc=_DISC))
        left_top, left_right, top_right = DYADS[name]
        order = order_by_role(name)[left_top + 4 * left_right + 16 * top_right].tolist()
        discs.append([looks[groups[order.index(vertex)]] for vertex in range(3)])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    name_ticks(ax, texts, shapes, axis="y", size=_DRAWING, discs=discs)
    for group in every:
        if group in typed.groups[rows]:
            ax.scatter([], [], 36, label=_shortened(group), **looks[group])


def _shortened(group: object) -> str:
    """Return the name of a type; a long one loses its end."""
    return text if len(text := str(group)) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
