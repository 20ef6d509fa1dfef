"""Drawing of the graphlets of two to five vertices, with the numbers of their orbits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.orbit_tables import GRAPH_NAMES, ORBITS_OF_GRAPHLETS, ORBITS_OF_SIZE
from triadic.errors import ArgumentError
from triadic.plot.canvas import axes_for, ink_of, is_dark
from triadic.plot.network_style import COLOURS, DARK_COLOURS
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZES = {4: (6.8, 2.5), 5: (6.8, 7.3)}  # inches
_COLUMNS = 6
_ACROSS = 1.3  # width of a graphlet, in units of its height, so that the vertices of a tail do not touch
_WIDTH, _HEIGHT = 2.0, 2.1  # of a cell
_DISC = 0.155  # radius of a vertex
_FONT = 0.17  # size of all texts
_NUMBER_BELOW, _NAME_BELOW = 0.38, 0.61  # distances of the number and the name below the graphlet
_EVEN_LUMINANCE = 0.179  # of a colour on which black and white are equally readable


def graphlets(*, size: int = 5, ax: Axes | None = None) -> Axes:
    """Draw the connected graphs of two to five vertices, with the number of its orbit in each vertex.

    The graphlets have the numbers G0 to G29 of Pržulj and the names that `triadic.graphlet_counts` returns. The orbits
    have the numbers of the columns of `triadic.orbit_degrees`. The vertices of an orbit have the same colour within a
    graphlet: a symmetry of the graphlet maps them to one another.

    Parameters
    ----------
    size : {5, 4}, default 5
        Number of vertices of the largest graphlets: 30 graphlets with 73 orbits, or 9 with 15.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on, without lines and ticks. Numbers and names grow and shrink with the axes.

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

    Examples
    --------
    >>> import triadic
    >>> ax = triadic.plot.graphlets(size=4)
    >>> [text.get_text() for text in ax.texts][:5]
    ['0', '0', 'G0', 'edge', '2']
    """
    if size not in ORBITS_OF_SIZE or isinstance(size, bool):
        raise ArgumentError(f"size={size!r}: expected 4 or 5")
    ax, drawn = axes_for(ax, f"the graphlets of up to {size} vertices", SIZES[size])
    if drawn.networks:  # they are there already
        return ax
    drawn.networks += 1
    rows = _rows(size)
    for row, numbers in enumerate(rows):
        for column, number in enumerate(numbers):
            _draw(ax, number, column * _WIDTH, -row * _HEIGHT)
    ax.set(xticks=(), yticks=())
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set_xlim((_ACROSS - _WIDTH) / 2, (_ACROSS - _WIDTH) / 2 + _COLUMNS * _WIDTH)
    ax.set_ylim(-_NAME_BELOW - 0.7 * _FONT - (len(rows) - 1) * _HEIGHT, 1 + 1.2 * _DISC)
    return ax


def _rows(size: int) -> list[list[int]]:
    """Return the numbers of the graphlets in each row: up to three vertices, four vertices, and four rows of five."""
    rows = [[0, 1, 2]]
    for vertices in range(4, size + 1):
        numbers = [number for number, orbits in enumerate(ORBITS_OF_GRAPHLETS) if len(orbits) == vertices]
        rows += [numbers[start : start + _COLUMNS] for start in range(0, len(numbers), _COLUMNS)]
    return rows


def _draw(ax: Axes, number: int, left: float, bottom: float) -> None:
    """Draw a graphlet of a number in the rectangle of height 1 from a point, its number and its name below."""
    from matplotlib.collections import LineCollection  # noqa: PLC0415 - an extra, and slow to import
    from matplotlib.patches import Circle  # noqa: PLC0415 - as above

    from triadic.plot.scaled_text import ScaledText  # noqa: PLC0415 - imports matplotlib

    name, orbits = GRAPH_NAMES[number], ORBITS_OF_GRAPHLETS[number]
    shape, colours = GRAPHLET_SHAPES[name], DARK_COLOURS if is_dark(ax) else COLOURS
    places = [(left + _ACROSS * x, bottom + y) for x, y in shape.places]
    lines = [(places[u], places[v]) for u, v in shape.edges]
    ax.add_collection(LineCollection(lines, colors=ink_of(ax), linewidths=1.0), autolim=False)
    for place, orbit in zip(places, orbits, strict=True):
        colour = colours[sorted(set(orbits)).index(orbit)]
        ax.add_patch(Circle(place, _DISC, facecolor=colour, edgecolor="none", zorder=2))
        ax.add_artist(ScaledText(*place, str(orbit), _FONT, color=_readable_on(colour), zorder=3))
    middle = left + _ACROSS / 2
    below = {"color": ink_of(ax)}
    ax.add_artist(ScaledText(middle, bottom - _NUMBER_BELOW, f"G{number}", _FONT, weight="bold", **below))
    ax.add_artist(ScaledText(middle, bottom - _NAME_BELOW, name, _FONT, **below))


def _readable_on(colour: str) -> str:
    """Return black or white, whichever has the larger contrast with a colour.

    Examples
    --------
    >>> _readable_on("#0072B2"), _readable_on("#CC79A7")
    ('#FFFFFF', '#000000')
    """
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    # The contrast is (brighter + 0.05) / (darker + 0.05): equal for black and white at sqrt(1.05 * 0.05) - 0.05.
    return "#000000" if luminance > _EVEN_LUMINANCE else "#FFFFFF"
