"""Drawing of the graphlets of two to five vertices, with the numbers of the orbits of their vertices or edges."""

from __future__ import annotations

from math import dist
from typing import TYPE_CHECKING

from triadic.core.graphlets import EDGE_ORBITS_OF_GRAPHLETS, GRAPH_NAMES, ORBITS_OF_GRAPHLETS, ORBITS_OF_SIZE
from triadic.errors import ArgumentError
from triadic.plot.canvas import axes_for, ink_of, is_dark
from triadic.plot.network_style import COLOURS, DARK_COLOURS
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from triadic.plot.shape import Point

SIZES = {4: (6.8, 2.5), 5: (6.8, 7.3)}  # inches
_COLUMNS = 6
_ACROSS = 1.3  # width of a graphlet, in units of its height, so that the vertices of a tail do not touch
_WIDTH, _HEIGHT = 2.0, 2.1  # of a cell
_DISC = 0.155  # radius of a vertex with a number, or of the number of an edge
_DOT = 0.05  # radius of a vertex without a number
_ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)  # where the number of an edge may be, as shares of the edge
_FONT = 0.17  # size of all texts
_NUMBER_BELOW, _NAME_BELOW = 0.38, 0.61  # distances of the number and the name below the graphlet
_EVEN_LUMINANCE = 0.179  # of a colour on which black and white are equally readable


def graphlets(*, size: int = 5, edges: bool = False, ax: Axes | None = None) -> Axes:
    """Draw the connected graphs of two to five vertices, with the number of its orbit in each vertex.

    The graphlets have the numbers G0 to G29 of Pržulj and the names that `triadic.graphlet_counts` returns. The orbits
    have the numbers of the columns of `triadic.orbit_degrees`. The vertices of an orbit have the same colour within a
    graphlet: a symmetry of the graphlet maps them to one another. With ``edges=True``, the edges of an edge orbit have
    the same colour, and one of them has the number of the orbit, a column of `triadic.edge_orbit_degrees`.

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

    T. Hočevar and J. Demšar, *Computation of graphlet orbits for nodes and edges in sparse graphs*, Journal of
    Statistical Software 71 (10), 2016, for the orbits of edges.

    Examples
    --------
    >>> import triadic
    >>> ax = triadic.plot.graphlets(size=4)
    >>> [text.get_text() for text in ax.texts][:5]
    ['0', '0', 'G0', 'edge', '2']
    """
    if size not in ORBITS_OF_SIZE:
        raise ArgumentError(f"size={size!r}: expected 4 or 5")
    of_edges = " and the orbits of their edges" if edges else ""
    ax, drawn = axes_for(ax, f"the graphlets of up to {size} vertices{of_edges}", SIZES[size])
    if drawn.networks:  # they are there already
        return ax
    drawn.networks += 1
    rows = _rows(size)
    for row, numbers in enumerate(rows):
        for column, number in enumerate(numbers):
            _draw(ax, number, column * _WIDTH, -row * _HEIGHT, edges=edges)
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


def _draw(ax: Axes, number: int, left: float, bottom: float, *, edges: bool) -> None:
    """Draw a graphlet of a number in the rectangle of height 1 from a point, its number and its name below."""
    from triadic.plot.artists import ScaledText  # noqa: PLC0415 - imports matplotlib

    name = GRAPH_NAMES[number]
    shape, colours = GRAPHLET_SHAPES[name], DARK_COLOURS if is_dark(ax) else COLOURS
    places = [(left + _ACROSS * x, bottom + y) for x, y in shape.places]
    lines = [(places[u], places[v]) for u, v in shape.edges]
    if edges:
        orbits: Sequence[int] = EDGE_ORBITS_OF_GRAPHLETS[number]
        styles = [colours[sorted(set(orbits)).index(orbit)] for orbit in orbits] or [ink_of(ax)]
        _draw_lines(ax, lines, styles, width=2.0)
        for place in places:
            _draw_disc(ax, place, _DOT, ink_of(ax))
        for orbit, place in _places_of_numbers(lines, orbits, places).items():
            _draw_number(ax, place, orbit, styles[orbits.index(orbit)])
    else:
        orbits = ORBITS_OF_GRAPHLETS[number]
        _draw_lines(ax, lines, [ink_of(ax)], width=1.0)
        for place, orbit in zip(places, orbits, strict=True):
            _draw_number(ax, place, orbit, colours[sorted(set(orbits)).index(orbit)])
    middle = left + _ACROSS / 2
    below = {"color": ink_of(ax)}
    ax.add_artist(ScaledText(middle, bottom - _NUMBER_BELOW, f"G{number}", _FONT, weight="bold", **below))
    ax.add_artist(ScaledText(middle, bottom - _NAME_BELOW, name, _FONT, **below))


def _draw_lines(ax: Axes, lines: list[tuple[Point, Point]], colours: list[str], *, width: float) -> None:
    from matplotlib.collections import LineCollection  # noqa: PLC0415 - an extra, and slow to import

    ax.add_collection(LineCollection(lines, colors=colours, linewidths=width), autolim=False)


def _draw_disc(ax: Axes, place: Point, radius: float, colour: str) -> None:
    from matplotlib.patches import Circle  # noqa: PLC0415 - an extra, and slow to import

    ax.add_patch(Circle(place, radius, facecolor=colour, edgecolor="none", zorder=2))


def _draw_number(ax: Axes, place: Point, orbit: int, colour: str) -> None:
    from triadic.plot.artists import ScaledText  # noqa: PLC0415 - imports matplotlib

    _draw_disc(ax, place, _DISC, colour)
    ax.add_artist(ScaledText(*place, str(orbit), _FONT, color=_readable_on(colour), zorder=3))


def _places_of_numbers(
    lines: list[tuple[Point, Point]], orbits: Sequence[int], vertices: list[Point]
) -> dict[int, Point]:
    """Return a place on an edge of each orbit, as far as possible from other edges, vertices and numbers."""
    found: dict[int, Point] = {}
    # Orbits of few edges have the least choice.
    for orbit in sorted(set(orbits), key=lambda orbit: (orbits.count(orbit), orbit)):
        free = {}
        for number, line in enumerate(lines):
            if orbits[number] != orbit:
                continue
            others = [other for other in lines if other != line]
            for share in _ALONG:
                place = _between(*line, share)
                gaps = [_distance(place, *other) for other in others]
                gaps += [dist(place, vertex) - _DOT for vertex in vertices]
                gaps += [dist(place, taken) - _DISC for taken in found.values()]
                free[place] = round(min(gaps), 6)
        found[orbit] = max(free, key=free.__getitem__)
    return dict(sorted(found.items()))


def _between(a: Point, b: Point, share: float) -> Point:
    """Return the point at a share of the way from a to b."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _distance(point: Point, a: Point, b: Point) -> float:
    """Return the distance of a point from the line between a and b.

    Examples
    --------
    >>> _distance((0.5, 1.0), (0.0, 0.0), (1.0, 0.0)), _distance((2.0, 0.0), (0.0, 0.0), (1.0, 0.0))
    (1.0, 1.0)
    """
    x, y = b[0] - a[0], b[1] - a[1]
    share = ((point[0] - a[0]) * x + (point[1] - a[1]) * y) / (x * x + y * y)
    return dist(point, _between(a, b, min(1.0, max(0.0, share))))


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
