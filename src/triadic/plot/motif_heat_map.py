"""Heat map of the 36 temporal motifs of three events."""

from __future__ import annotations

from math import isfinite, log, log1p, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.formatting import format_compact, format_length
from triadic.errors import ArgumentError
from triadic.graph.temporal import TemporalGraph
from triadic.measures import temporal as measures
from triadic.measures.significance.result import Significance
from triadic.measures.temporal import SECOND_EVENTS, THIRD_EVENTS, TemporalMotifs
from triadic.plot.canvas import axes_for, ink_of, network_style, set_message
from triadic.plot.subgraph_shapes import Shape

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.events import Duration

SIZE = (4.6, 4.2)
_DRAWING = (18.0, 15.0)
_CELLS, _SIDE = 6, 0.97  # cells along an axis, and the side of a cell as a share of their distance
_FAINT, _STRONG = 0.08, 0.62  # opacity of a cell; text stays readable on the strongest
_WIDE = 100  # a z-score from here on is rounded
# First row and column of the blocks of two by two motifs.
_TRIANGLES, _PAIRS = ((0, 2), (2, 4)), ((4, 0),)


def temporal_motifs(
    graph: TemporalGraph | TemporalMotifs | Significance,
    delta: Duration | None = None,
    *,
    ax: Axes | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> Axes:
    """Plot the numbers of the 36 temporal motifs as a heat map, with the events of the motifs drawn beside it.

    A row is the second event of a motif, and a column the third. The first event runs from a, drawn on the left, to b,
    on the right; c is drawn above. The colour is the logarithm of the count.

    Parameters
    ----------
    graph : TemporalGraph, TemporalMotifs or Significance
        Events to count the motifs of; or the counts that `triadic.temporal_motifs` returned; or the result of
        `triadic.significance` for a temporal graph, whose z-scores are plotted: those below 0 in another colour.
    delta : number, timedelta, timedelta64 or str, optional
        Longest time from the first event of a motif to the last, if `graph` is a `TemporalGraph`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    threads : int, optional
        Number of threads that count the motifs; by default as many as the process may use.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentError
        `graph` has no times; `delta` is missing, or given for a result; the motifs are not the 36 of three events; or
        the axes have a plot.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.

    Notes
    -----
    The counts cost what `triadic.temporal_motifs` costs. Motifs of two vertices and triangles are outlined; the others
    are stars.

    References
    ----------
    A. Paranjape, A. R. Benson and J. Leskovec, *Motifs in temporal networks*, WSDM 2017, figure 2.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0, 2], [1, 0, 1, 1], [10, 20, 30, 40])
    >>> ax = triadic.plot.temporal_motifs(graph, 60)
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['M1· cb', 'M2· bc', 'M3· ca', 'M4· ac', 'M5· ba', 'M6· ab']
    """
    if isinstance(graph, (TemporalMotifs, Significance)):
        if delta is not None:
            raise ArgumentError(f"delta={delta!r}: the motifs are counted already; expected None")
        found = graph
    else:
        if delta is None and isinstance(graph, TemporalGraph):
            raise ArgumentError("delta=None: expected the longest time from the first event of a motif to the last")
        found = measures.temporal_motifs(graph, 0 if delta is None else delta, threads=threads, progress=progress)
    subject, title, texts, sizes = _cells(found)
    ax, drawn = axes_for(ax, subject, SIZE, alone=True)
    from matplotlib.colors import to_rgba_array  # noqa: PLC0415 - an extra, and slow to import

    _draw_frame(ax, title)
    strength = np.array(sizes)
    shown = np.isfinite(strength)
    if not shown.any():
        set_message(ax, drawn, "no motif lies\nwithin delta" if title != subject else "no motif\nhas a z-score")
    strength = strength[shown]
    limits = [strength.min(initial=np.inf), strength.max(initial=-np.inf)]
    opacity = np.interp(strength, limits, [_FAINT, _STRONG]).tolist()
    row, column = np.divmod(np.arange(_CELLS**2), _CELLS)
    colours = [network_style(ax, int(texts[place][0] == "−"), 4.0)["color"] for place in np.flatnonzero(shown)]
    tints = to_rgba_array(list(zip(colours, opacity, strict=True)))
    ax.bar(column[shown], _SIDE, _SIDE, row[shown] - _SIDE / 2, color=tints, linewidth=0)
    for x, y, text in zip(column, row, texts, strict=True):
        ax.text(x, y, text, ha="center", va="center_baseline", color=ink_of(ax), fontsize="small")
    return ax


def _cells(found: TemporalMotifs | Significance) -> tuple[str, str, list[str], list[float]]:
    """Return what is drawn and the title, and for each cell, row by row, its text and its size.

    The size of a cell that has the background is not finite.
    """
    if isinstance(found, TemporalMotifs):
        if len(found) != _CELLS**2:
            raise ArgumentError(f"graph: expected the 36 directed motifs of three events, got {len(found)} motifs")
        sizes = [log(count) if count else nan for count in found.counts]
        title = f"temporal motifs within {format_length(found.delta, found.unit)}"
        return "a heat map of temporal motifs", title, list(map(format_compact, found.counts)), sizes
    if found.of != "motifs":
        raise ArgumentError(f"graph: expected the significance of temporal motifs, got that of {found.title}")
    z, subject = found.z.tolist(), "z-scores of temporal motifs"
    return subject, subject, list(map(_text, z)), [log1p(abs(score)) for score in z]


def _text(score: float) -> str:
    if not isfinite(score):
        return "–"
    size = f"{score:.1f}".removeprefix("-") if abs(score) < _WIDE else format_compact(round(abs(score)))
    return f"−{size}" if score < 0 else size


def _draw_frame(ax: Axes, title: str) -> None:
    """Draw the outlines of motifs of a kind, and the names and drawings of the ticks."""
    from triadic.plot.artists import add_legend, name_ticks  # noqa: PLC0415 - imports matplotlib

    ax.set(xlim=(-0.5, _CELLS - 0.5), ylim=(_CELLS - 0.5, -0.5))
    for blocks, style, label in ((_TRIANGLES, "-", "triangles"), (_PAIRS, (0, (2, 1.5)), "two vertices")):
        row, column = np.array(blocks).T - 0.5
        outline: dict[str, Any] = {"fill": False, "edgecolor": ink_of(ax), "linewidth": 1, "linestyle": style}
        ax.bar(column, 2, 2, row, align="edge", label=label, **outline)
    name_ticks(
        ax,
        [f"M{i}· {name}" for i, name in enumerate(SECOND_EVENTS, 1)],
        _shapes(SECOND_EVENTS),
        axis="y",
        size=_DRAWING,
    )
    name_ticks(
        ax,
        [f"{name}\n·{j}" for j, name in enumerate(THIRD_EVENTS, 1)],
        _shapes(THIRD_EVENTS),
        axis="x",
        size=_DRAWING,
    )
    ax.tick_params(axis="x", labelrotation=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.set(xlabel="third event; the first is ab", ylabel="second event")
    add_legend(ax, title)


def _shapes(names: tuple[str, ...]) -> list[Shape]:
    """Return drawings of single events between a on the left, b on the right and c above."""
    ends = [("abc".index(name[0]), "abc".index(name[1])) for name in names]
    return [Shape(((0.0, 0.0), (1.0, 0.0), (0.5, 1.0)), (pair,), (pair,)) for pair in ends]
