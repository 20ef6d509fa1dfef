"""Drawing of the graphlets of two to five vertices, with the numbers of the orbits of their vertices or edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.checked import check_number
from triadic.core.graphlets import EDGE_ORBITS_OF_GRAPHLETS, GRAPH_NAMES, ORBITS_OF_GRAPHLETS
from triadic.plot.canvas import axes_for, colours_on, ink_of
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from triadic.core.array_types import Float64Array

SIZES = {4: (6.8, 2.5), 5: (6.8, 7.3)}  # inches
_COLUMNS = 6
_ACROSS = 1.3  # width of a graphlet, in units of its height, so that the vertices of a tail do not touch
_WIDTH, _HEIGHT = 2.0, 2.1  # of a cell
_DISC = 0.155  # radius of a vertex with a number, or of the number of an edge
_DOT = 0.05  # radius of a vertex without a number
_ALONG, _MIDDLE = np.linspace(0, 1, 25), slice(6, 19)  # points of an edge, and where its number may be
_FONT = 0.17  # size of all texts
_NUMBER_BELOW, _NAME_BELOW = 0.38, 0.61  # distances of the number and the name below the graphlet
# Luminance of the primary colours, and of a colour on which black and white are equally readable. The contrast is
# (brighter + 0.05) / (darker + 0.05): equal for black and white at sqrt(1.05 * 0.05) - 0.05.
_LUMINANCE, _EVEN_LUMINANCE = (0.2126, 0.7152, 0.0722), 0.179


def graphlets(*, size: int = 5, edges: bool = False, ax: Axes | None = None) -> Axes:
    """Draw the connected graphs of two to five vertices, with the number of its orbit in each vertex.

    The graphlets have the numbers G0 to G29 of Pržulj and the names that `triadic.graphlets` returns. The orbits
    have the numbers of the columns of `triadic.graphlets` by vertex. The vertices of an orbit have the same colour
    within a graphlet: a symmetry of the graphlet maps them to one another. With ``edges=True``, the edges of an edge
    orbit have the same colour, and one of them has the number of the orbit, a column of `triadic.graphlets` by edge.

    Parameters
    ----------
    size : {5, 4}, default 5
        Number of vertices of the largest graphlets: 30 graphlets with 73 orbits, or 9 with 15.
    edges : bool, default False
        Whether to show the 68 or 12 orbits of edges in place of those of vertices.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on, without lines and ticks. Numbers and names have the size that fits the axes.

    Raises
    ------
    ArgumentError
        `size` is not 4 or 5, or a plot of values was drawn on the axes before.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.

    References
    ----------
    N. Pržulj, *Biological network comparison using graphlet degree distribution*, Bioinformatics 23, e177-e183, 2007,
    figure 1.

    T. Hočevar and J. Demšar, *Computation of graphlet orbits for nodes and edges in sparse graphs*, Journal of
    Statistical Software 71 (10), 2016, for the orbits of edges.

    Examples
    --------
    >>> import triadic
    >>> ax = triadic.plot.graphlets(size=4)
    >>> [text.get_text() for text in ax.texts][:5]
    ['0', '0', 'G0', 'edge', '2']
    """
    check_number("size=", size, *SIZES)
    of_edges = " and the orbits of their edges" if edges else ""
    ax, drawn = axes_for(ax, f"the graphlets of up to {size} vertices{of_edges}", SIZES[size])
    if drawn.number:  # they are there already
        return ax
    from matplotlib.collections import LineCollection  # noqa: PLC0415 - an extra, and slow to import
    from matplotlib.colors import to_rgb  # noqa: PLC0415 - as above
    from matplotlib.patches import Circle  # noqa: PLC0415 - as above

    end = {4: 9, 5: 30}[size]  # rows of graphlets of up to three vertices, of four, and of five
    rows = [range(3), *(range(start, min(start + _COLUMNS, end)) for start in range(3, end, _COLUMNS))]
    ax.set(xticks=(), yticks=(), aspect="equal")
    ax.set_axis_off()
    ax.set_xlim((_ACROSS - _WIDTH) / 2, (_ACROSS - _WIDTH) / 2 + _COLUMNS * _WIDTH)
    ax.set_ylim(-_NAME_BELOW - 0.7 * _FONT - (len(rows) - 1) * _HEIGHT, 1 + 1.2 * _DISC)
    figure: Any = ax.figure.figure
    figure.draw_without_rendering()  # lays the axes out
    font = _FONT * ax.bbox.width / (_COLUMNS * _WIDTH) * 72 / figure.dpi
    ink, colours = ink_of(ax), colours_on(ax)
    style: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": font}
    for number, name in enumerate(GRAPH_NAMES[:end]):
        row = next(row for row, numbers in enumerate(rows) if number in numbers)
        left, bottom = (number - rows[row].start) * _WIDTH, -row * _HEIGHT
        shape = GRAPHLET_SHAPES[name]
        places = np.array((left, bottom)) + np.array(shape.places) * (_ACROSS, 1)
        lines = places[np.array(shape.edges)]
        orbits: Sequence[int] = (EDGE_ORBITS_OF_GRAPHLETS if edges else ORBITS_OF_GRAPHLETS)[number]
        styles = [colours[sorted(set(orbits)).index(orbit)] for orbit in orbits]
        looks: Any = {"colors": styles or [ink], "linewidths": 2.0} if edges else {"colors": [ink], "linewidths": 1.0}
        ax.add_collection(LineCollection(list(lines), **looks), autolim=False)
        numbered = list(zip(orbits, places, strict=False))
        if edges:
            numbered = sorted(_places_of_numbers(lines, orbits).items())
            for x, y in places:
                ax.add_patch(Circle((x, y), _DOT, facecolor=ink, edgecolor="none", zorder=2))
        for orbit, (x, y) in numbered:
            colour = styles[orbits.index(orbit)]
            ax.add_patch(Circle((x, y), _DISC, facecolor=colour, edgecolor="none", zorder=2))
            luminance = np.dot(_LUMINANCE, np.array(to_rgb(colour)) ** 2.2)
            readable = "#000000" if luminance > _EVEN_LUMINANCE else "#FFFFFF"
            ax.text(x, y, str(orbit), color=readable, zorder=3, **style)
        middle = left + _ACROSS / 2
        ax.text(middle, bottom - _NUMBER_BELOW, f"G{number}", color=ink, weight="bold", **style)
        ax.text(middle, bottom - _NAME_BELOW, name, color=ink, **style)
    return ax


def _places_of_numbers(lines: Float64Array, orbits: Sequence[int]) -> dict[int, Float64Array]:
    """Return a point on an edge of each orbit, as far as possible from vertices, edges of other orbits and numbers."""
    found: dict[int, Float64Array] = {}
    of, points = np.array(orbits), lines[:, :1] + _ALONG[:, None] * (lines[:, 1:] - lines[:, :1])
    for orbit in sorted(set(orbits), key=orbits.count):  # orbits of few edges have the least choice
        own = points[of == orbit, _MIDDLE].reshape(-1, 2)
        others = np.concatenate([*lines, *points[of != orbit], *([place] for place in found.values())])
        found[orbit] = own[np.linalg.norm(own[:, None] - others, axis=2).min(axis=1).round(6).argmax()]
    return found
