"""Drawing of the graphlets of two to five vertices, with the numbers of the orbits of their vertices or edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.core.graphlets import EDGE_ORBITS_OF_GRAPHLETS, GRAPH_NAMES, ORBITS_OF_GRAPHLETS
from triadic.errors import ArgumentError
from triadic.plot.canvas import axes_for, ink_of, is_dark
from triadic.plot.network_style import COLOURS, DARK_COLOURS
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

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
    if size not in SIZES:
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
    from matplotlib.collections import LineCollection  # noqa: PLC0415 - an extra, and slow to import
    from matplotlib.patches import Circle  # noqa: PLC0415 - as above

    from triadic.plot.artists import ScaledText  # noqa: PLC0415 - imports matplotlib

    def write(place: complex, text: str, colour: str, **keywords: Any) -> None:  # noqa: ANN401 - matplotlib's
        ax.add_artist(ScaledText(place.real, place.imag, text, _FONT, color=colour, **keywords))

    def draw_disc(place: complex, radius: float, colour: str) -> None:
        ax.add_patch(Circle((place.real, place.imag), radius, facecolor=colour, edgecolor="none", zorder=2))

    name, ink, colours = GRAPH_NAMES[number], ink_of(ax), DARK_COLOURS if is_dark(ax) else COLOURS
    shape = GRAPHLET_SHAPES[name]
    places = [complex(left + _ACROSS * x, bottom + y) for x, y in shape.places]
    lines = [(places[u], places[v]) for u, v in shape.edges]
    orbits: Sequence[int] = (EDGE_ORBITS_OF_GRAPHLETS if edges else ORBITS_OF_GRAPHLETS)[number]
    styles = [colours[sorted(set(orbits)).index(orbit)] for orbit in orbits]
    ends = [[(end.real, end.imag) for end in line] for line in lines]
    looks: Any = {"colors": styles or [ink], "linewidths": 2.0} if edges else {"colors": [ink], "linewidths": 1.0}
    ax.add_collection(LineCollection(ends, **looks), autolim=False)
    numbered = list(zip(places, orbits, strict=False))
    if edges:
        numbered = [(place, orbit) for orbit, place in _places_of_numbers(lines, orbits, places).items()]
        for place in places:
            draw_disc(place, _DOT, ink)
    for place, orbit in numbered:
        colour = styles[orbits.index(orbit)]
        draw_disc(place, _DISC, colour)
        write(place, str(orbit), _readable_on(colour), zorder=3)
    middle = complex(left + _ACROSS / 2, bottom)
    write(middle - _NUMBER_BELOW * 1j, f"G{number}", ink, weight="bold")
    write(middle - _NAME_BELOW * 1j, name, ink)


def _places_of_numbers(
    lines: list[tuple[complex, complex]], orbits: Sequence[int], vertices: list[complex]
) -> dict[int, complex]:
    """Return a place on an edge of each orbit, as far as possible from other edges, vertices and numbers."""
    found: dict[int, complex] = {}
    # Orbits of few edges have the least choice.
    for orbit in sorted(set(orbits), key=lambda orbit: (orbits.count(orbit), orbit)):
        free = {}
        for line in (line for line, of in zip(lines, orbits, strict=True) if of == orbit):
            for place in (line[0] + share * (line[1] - line[0]) for share in _ALONG):
                gaps = [_distance(place, *other) for other in lines if other != line]
                gaps += [abs(place - vertex) - _DOT for vertex in vertices]
                gaps += [abs(place - taken) - _DISC for taken in found.values()]
                free[place] = round(min(gaps), 6)
        found[orbit] = max(free, key=free.__getitem__)
    return dict(sorted(found.items()))


def _distance(point: complex, a: complex, b: complex) -> float:
    """Return the distance of a point from the line between a and b.

    Examples
    --------
    >>> _distance(0.5 + 1j, 0, 1), _distance(2, 0, 1)
    (1.0, 1.0)
    """
    share = ((point - a) / (b - a)).real
    return abs(point - a - min(1.0, max(0.0, share)) * (b - a))


def _readable_on(colour: str) -> str:
    """Return black or white, whichever has the larger contrast with a colour.

    Examples
    --------
    >>> _readable_on("#0072B2"), _readable_on("#CC79A7")
    ('#FFFFFF', '#000000')
    """
    linear = [(int(colour[i : i + 2], 16) / 255) ** 2.2 for i in (1, 3, 5)]
    luminance = sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    # The contrast is (brighter + 0.05) / (darker + 0.05): equal for black and white at sqrt(1.05 * 0.05) - 0.05.
    return "#000000" if luminance > _EVEN_LUMINANCE else "#FFFFFF"
