"""The picture of a network: which part of it is drawn, where its vertices lie, and the drawing on matplotlib axes."""

from __future__ import annotations

import re
from bisect import bisect_left
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import east_asian_width

import numpy as np

from triadic.core.formatting import plural
from triadic.errors import OutOfMemoryError, UnsupportedError
from triadic.measures.edge_support import trussness
from triadic.plot.canvas import INK
from triadic.reports import budget
from triadic.reports.tables import vertex_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.graph.graph import Graph
    from triadic.reports.findings import Findings

WHOLE, PART = 300, 150  # most vertices of a network that is drawn as a whole, and of a part
MOST_EDGES = 5_000
SHADES = ("#f2f7fb", "#bcd9ec", "#74b2d8", "#2e7ebc", "#084a91")  # of clustering coefficients from 0 to 1
WIDTH = 5.2  # inches
_PAPER = "#ffffff"
_LOWEST, _HIGHEST = 0.3, 0.8  # height as a share of the width
_LARGE, _SMALL = 0.017, 0.004  # radius of the vertex of the largest degree, and least radius, as shares of the width
_LABELS, _LONGEST = 12, 24
_FEW = 4.0  # steps across the drawing, which a network of few vertices need not fill
_MOST_HEADS = 400  # arcs with arrowheads
_DARK, _PALE = 0.4, 6.0  # opacity of an edge, and of one of many, times the square root of their number
_ITERATIONS = 200
_FINE = 1e-4  # relative change of the stress at which the iteration ends
_JITTER = 0.05
# Where a label stands beside its vertex: the direction, and the side of the label at the vertex.
_BESIDE = ((1, 0, "left", "center"), (-1, 0, "right", "center"), (0, 1, "center", "bottom"), (0, -1, "center", "top"))


class Part(NamedTuple):
    """Vertices to draw, and a sentence that says what they are."""

    vertices: Int64Array
    caption: str


def drawn_part(found: Findings) -> Part | None:
    """Return the vertices to draw, or None for a network without edges.

    A network of up to 300 vertices with edges is drawn as a whole. Of a larger one, its truss of the smallest order
    with up to 150 vertices is drawn; if the network has no triangles, or trusses take too long, its vertex of the
    largest degree with its neighbours.
    """
    joined = np.flatnonzero(found.degree)
    if not len(joined):
        return None
    if len(joined) <= WHOLE and found.graph.num_edges <= MOST_EDGES:
        isolated = found.graph.num_vertices - len(joined)
        if isolated:
            return Part(joined, f"All {len(joined):,} vertices that have an edge; {isolated:,} have none.")
        return Part(joined, f"The whole network: {len(joined):,} vertices.")
    truss = _truss(found) if found.triangles.any() and budget.affords_trusses(found.seconds["triangles"]) else None
    return _neighbourhood(found) if truss is None else truss


def _truss(found: Findings) -> Part | None:
    """Return the truss of the smallest order that can be drawn, or the best connected part of the last truss."""
    try:
        order = trussness(found.graph, threads=found.threads)
    except (OutOfMemoryError, UnsupportedError):
        return None
    ends, last = np.stack(found.graph.edges()), int(order.max())

    def members(k: int) -> Int64Array:
        return np.unique(ends[:, order >= k]).astype(np.int64)

    def fits(k: int) -> bool:
        return int(np.count_nonzero(order >= k)) <= MOST_EDGES and len(members(k)) <= PART

    k = min(bisect_left(range(last + 1), True, key=fits), last)
    inside = members(k)
    caption = (
        f"The densest part of the network, {len(inside):,} vertices: its {k}-truss, in which every edge is in at least "
        f"{plural(k - 2, 'triangle')} of the part."
    )
    if fits(k):
        return Part(inside, caption)
    chosen = _best_connected(inside, found, int(np.sqrt(2 * MOST_EDGES)))  # few enough even if all are joined
    return Part(np.sort(chosen), f"{caption} Drawn are the {len(chosen)} of them with the most neighbours.")


def _best_connected(vertices: Int64Array, found: Findings, most: int) -> Int64Array:
    """Return the vertices of the largest degrees, the largest first."""
    return vertices[np.argsort(-found.degree[vertices], kind="stable")[:most]]


def _neighbourhood(found: Findings) -> Part:
    """Return the vertex of the largest degree and its neighbours, those of the largest degrees if there are many."""
    hub = int(found.degree.argmax())
    source, target = found.graph.edges()
    around = np.unique(np.concatenate([target[source == hub], source[target == hub]])).astype(np.int64)
    first = _best_connected(around, found, PART - 1)
    which = "all" if len(first) == len(around) else "the best connected"
    caption = f"The vertex with the most neighbours, and {which} {len(first):,} of its {len(around):,} neighbours."
    return Part(np.sort(np.append(first, hub)), caption)


def draw_network(found: Findings, vertices: Int64Array, ax: Axes) -> None:
    """Draw the network that some vertices induce, a few hundred at most, in a figure whose height fits it.

    Larger discs have more neighbours in all the network, darker ones a higher clustering coefficient.
    """
    from matplotlib.collections import LineCollection  # noqa: PLC0415 - an extra, and slow to import
    from matplotlib.patches import Circle, FancyArrowPatch  # noqa: PLC0415 - as above

    part, degree = found.graph._induced(vertices), found.degree[vertices]  # noqa: SLF001 - by number
    places = stress_layout(part)
    width, height = np.ptp(places, axis=0)
    places /= max(width, height / _HIGHEST, _FEW)
    height = max(_LOWEST, float(np.ptp(places[:, 1])) + 0.06)
    ax.figure.figure.set_size_inches(WIDTH, WIDTH * height)
    ax.set(xlim=(-0.53, 0.53), ylim=(-height / 2, height / 2), aspect="equal")
    ax.set_axis_off()
    order = np.argsort(-degree, kind="stable")
    largest = _LARGE * min(1.0, 6.0 / np.sqrt(len(vertices)) + 0.35)
    radius = np.maximum(_SMALL, largest * np.sqrt(degree / degree.max()))
    looks: dict[str, Any] = {
        "color": INK,
        "clip_on": False,
        "linewidth": 0.7,
        "alpha": min(_DARK, _PALE / np.sqrt(part.num_edges)),
    }
    source, target = part.edges()
    if part.directed and part.num_arcs <= _MOST_HEADS:
        for tail, head in zip(source, target, strict=True):
            ends, beyond = places[[tail, head]], 72 * WIDTH * radius[head]
            way = FancyArrowPatch(*ends, arrowstyle="-|>", mutation_scale=5, shrinkA=0, shrinkB=beyond, **looks)
            ax.add_artist(way)
    else:
        ax.add_collection(LineCollection(list(places[np.stack([source, target], axis=1)]), **looks))
    shades = np.minimum((found.clustering[vertices] * len(SHADES)).astype(int), len(SHADES) - 1)
    for i in order:
        disc = Circle(places[i], radius[i], facecolor=SHADES[shades[i]], edgecolor="#808890", linewidth=0.4, zorder=3)
        disc.set_gid(f"vertex-{i}")
        ax.add_patch(disc)
    taken = [disc.get_window_extent() for disc in ax.patches[: len(order) // 10 + 1]]
    style: dict[str, Any] = {"fontsize": "small", "color": INK, "parse_math": False, "zorder": 4}
    style["bbox"] = {"facecolor": _PAPER, "alpha": 0.65, "linewidth": 0, "pad": 0.6}
    for i in order[:_LABELS]:
        # A vertex has a name if it meets no other and none of the largest discs, and is within the drawing.
        name, beside = shortened(vertex_name(found.graph, int(vertices[i]))), radius[i] + 0.004
        # Fonts of matplotlib may lack wide letters, which are as wide as W.
        measured = "".join("W" if east_asian_width(letter) in "WF" else letter for letter in name)
        for x, y, ha, va in _BESIDE:
            label = ax.text(places[i, 0] + beside * x, places[i, 1] + beside * y, measured, ha=ha, va=va, **style)
            box = label.get_window_extent()
            label.set_text(name)
            if not box.count_overlaps(taken) and ax.bbox.containsx(box.x0) and ax.bbox.containsx(box.x1):
                taken.append(box)
                break
            label.remove()


def shortened(name: str) -> str:
    """Return a name of up to 24 letters; a longer one loses its middle."""
    name = " ".join(name.split())
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 9]}…{name[-8:]}"


def for_page(svg: str, found: Findings, vertices: Int64Array) -> str:
    """Return an SVG element whose vertices say their names, and whose colours are variables of the page.

    The variables are ``--c0`` to ``--c4`` for clustering coefficients, and ``--paper`` behind labels.
    """

    def titled(start: re.Match[str]) -> str:
        return f"{start[0]}<title>{escape(vertex_name(found.graph, int(vertices[int(start[1])])))}</title>"

    svg = re.sub(r'<g id="[\w-]*vertex-(\d+)">', titled, svg)
    for name, colour in (*((f"c{i}", shade) for i, shade in enumerate(SHADES)), ("paper", _PAPER)):
        svg = svg.replace(f"fill: {colour}", f"fill: var(--{name}, {colour})")
    return svg


def stress_layout(graph: Graph) -> Float64Array:
    """Place the vertices so that their distances are close to their numbers of steps in the network.

    Stress majorization from the positions of classical scaling; the longer axis of the picture lies across. The
    positions of a network are always the same.

    Parameters
    ----------
    graph : Graph
        Network of a few hundred vertices; directions are ignored.

    Returns
    -------
    float64 array, shape (n, 2)

    Notes
    -----
    O(n³) time and O(n²) memory.

    References
    ----------
    Gansner, Koren and North (2004), "Graph drawing by stress majorization", Graph Drawing, 239.

    Examples
    --------
    >>> import triadic
    >>> path = stress_layout(triadic.Graph.from_edges([0, 1], [1, 2]))
    >>> bool(abs(path[0, 0] - path[2, 0]) > 1.9), bool(np.allclose(path[:, 1], 0, atol=0.05))
    (True, True)
    """
    n = graph.num_vertices
    if n < 2:
        return np.zeros((n, 2))
    steps = _steps(graph)
    weights = 1.0 / np.square(steps + np.eye(n))
    np.fill_diagonal(weights, 0.0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    places = _classical_scaling(steps) + _JITTER * np.random.default_rng(0).standard_normal((n, 2))
    last = np.inf
    for _ in range(_ITERATIONS):
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        stress = float((weights * np.square(apart - steps)).sum())
        if last - stress < _FINE * stress:
            break
        last = stress
        ratio = -weights * steps / np.maximum(apart, 1e-9)
        np.fill_diagonal(ratio, 0.0)
        np.fill_diagonal(ratio, -ratio.sum(axis=1))
        places = inverse @ (ratio @ places)
    return places - (places.max(axis=0) + places.min(axis=0)) / 2


def _steps(graph: Graph) -> Float64Array:
    """Return the number of steps between each two vertices; between components a step more than within any."""
    from scipy.sparse.csgraph import shortest_path  # noqa: PLC0415 - slow to import

    # The weights of a graph are no distances.
    steps = shortest_path(graph.to_scipy(), method="D", directed=False, unweighted=True)
    apart = np.isinf(steps)
    steps[apart] = steps[~apart].max() + 1
    return np.asarray(steps, np.float64)


def _classical_scaling(steps: Float64Array) -> Float64Array:
    centring = np.eye(len(steps)) - 1 / len(steps)
    values, vectors = np.linalg.eigh(-0.5 * centring @ np.square(steps) @ centring)
    return np.asarray(vectors[:, :-3:-1] * np.sqrt(np.maximum(values[:-3:-1], 0.0)))  # the longer axis lies across
