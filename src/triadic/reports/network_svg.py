"""The picture of a network as an SVG element: which part is drawn, where its vertices lie, and the element."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, east_asian_width

import numpy as np

from triadic.errors import OutOfMemoryError, UnsupportedError
from triadic.measures.edge_support import trussness
from triadic.reports import budget
from triadic.reports.tables import vertex_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triadic.core.array_types import Float64Array, Int64Array, IntegerArray
    from triadic.graph.graph import Graph
    from triadic.reports.findings import Findings


WIDTH = 600.0
CLASSES = 5  # of the clustering coefficient, each with its colour
# Sizes of the labels in units of the drawing: on a telephone, and where the page is wide. style.css has the same.
LABEL, SMALL_LABEL = 18.0, 11.0
_LOWEST, _HIGHEST = 0.3, 0.8  # height as a share of the width
_MARGIN = 14.0
_LARGE, _SMALL = 10.0, 2.2  # radius of the vertex of the largest degree, and least radius
_LABELS, _SMALL_LABELS, _LONGEST = 5, 20, 24
_MOST_HEADS = 400  # arcs with arrowheads
_FEW = 10  # vertices
_DARK, _PALE = 0.4, 6.0  # opacity of an edge, and of one of many, times the square root of their number


class Box(NamedTuple):
    """A rectangle that a label or a vertex covers."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Return whether two rectangles overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


class Label(NamedTuple):
    """A label with the end of it at which its position is, and its size."""

    text: str
    x: float
    y: float
    anchor: str
    size: float


def network_svg(found: Findings, vertices: Int64Array) -> str:
    """Return a drawing of the network that some vertices induce: larger discs have more neighbours in all the network.

    Parameters
    ----------
    found : Findings
    vertices : int64 array, shape (drawn,)
        Vertices to draw, a few hundred at most.
    """
    part = found.graph._induced(vertices)  # noqa: SLF001 - by number
    degree = found.degree[vertices]
    largest = _LARGE * min(1.0, 6.0 / np.sqrt(len(vertices)) + 0.35)
    radius = np.maximum(_SMALL, largest * np.sqrt(degree / max(1, degree.max())))
    places, height = _scaled(stress_layout(part), len(vertices))
    source, target = part.edges()
    names = [vertex_name(found.graph, int(vertex)) for vertex in vertices]
    colour = np.minimum((found.clustering[vertices] * CLASSES).astype(int), CLASSES - 1)
    discs = "".join(
        f'<circle class="c{colour[i]}" cx="{places[i, 0]:.1f}" cy="{places[i, 1]:.1f}" r="{radius[i]:.1f}">'
        f"<title>{escape(names[i])}</title></circle>"
        for i in np.argsort(-degree, kind="stable").tolist()
    )
    labels = "".join(map(_text, _labels(names, degree, places, radius, height)))
    heads = _heads(source, target, places, radius) if part.directed and part.num_arcs <= _MOST_HEADS else ""
    opacity = min(_DARK, _PALE / np.sqrt(part.num_edges))
    return (
        f'<svg class="network" viewBox="0 0 {WIDTH:.0f} {height:.0f}" role="img" aria-label="Drawing of the network">'
        f'<g class="edges" style="--opacity:{opacity:.2f}">{_lines(source, target, places)}</g>{heads}'
        f'<g class="vertices">{discs}</g>'
        f'<g class="labels" aria-hidden="true">{labels}</g></svg>'
    )


def _scaled(places: Float64Array, n: int) -> tuple[Float64Array, float]:
    """Scale positions to the drawing, and return its height."""
    low, span = places.min(axis=0), np.ptp(places, axis=0)
    room = WIDTH - 2 * _MARGIN
    if n < 2 or not span[0]:
        return np.full((n, 2), (WIDTH / 2, WIDTH * _LOWEST / 2)), WIDTH * _LOWEST
    # Few vertices need not fill the drawing.
    unit = min(room / span[0], (_HIGHEST * WIDTH - 2 * _MARGIN) / max(span[1], 1e-9), WIDTH / 4 if n < _FEW else np.inf)
    height = float(max(_LOWEST * WIDTH, span[1] * unit + 2 * _MARGIN))
    centre = low + span / 2
    return (places - centre) * unit + (WIDTH / 2, height / 2), height


def _lines(source: IntegerArray, target: IntegerArray, places: Float64Array) -> str:
    """Return a path for each vertex with its edges, so that a place with many edges is darker."""
    points = [f"{x:.0f} {y:.0f}" for x, y in places]
    paths: dict[int, str] = {}
    for start, end in sorted({(min(pair), max(pair)) for pair in zip(source.tolist(), target.tolist(), strict=True)}):
        paths[start] = f"{paths.get(start, '')}M{points[start]}L{points[end]}"
    return "".join(f'<path d="{path}"/>' for path in paths.values())


def _heads(source: IntegerArray, target: IntegerArray, places: Float64Array, radius: Float64Array) -> str:
    """Return a path of the arrowheads of all arcs."""
    way = places[target] - places[source]
    way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    tip = places[target] - way * (radius[target] + 0.5)[:, None]
    back, across = tip - 5.0 * way, 2.1 * way[:, ::-1] * (1, -1)
    corners = np.concatenate([tip, back + across, back - across], axis=1)
    heads = ("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z".format(*points) for points in corners.tolist())
    return f'<path class="heads" d="{"".join(heads)}"/>'


def _labels(
    names: list[str],
    degree: Int64Array,
    places: Float64Array,
    radius: Float64Array,
    height: float,
) -> list[Label]:
    """Return labels of the vertices of the largest degrees that overlap no label and stay inside the drawing.

    A few labels have room at the size of a telephone; wider pages show more.
    """
    order = np.argsort(-degree, kind="stable").tolist()
    discs = [Box(x - r, y - r, x + r, y + r) for (x, y), r in zip(places.tolist(), radius.tolist(), strict=True)]
    large = [discs[i] for i in order[:_LABELS]]
    labels: list[Label] = []
    boxes: list[Box] = []
    for size, most, tried in ((LABEL, _LABELS, order[:_LABELS]), (SMALL_LABEL, _SMALL_LABELS, order[:_SMALL_LABELS])):
        # Where the page is wide, the labels of both sizes are small.
        boxes = [_box(label._replace(size=size)) for label in labels]
        named = {label.text for label in labels}
        for i in tried:
            text = _shortened(names[i])
            if text in named or len(labels) == most or not text.strip():
                continue
            candidates = list(_candidates(text, places[i], radius[i], size))
            # Without room between the discs, a label may cover small ones.
            free = (
                label
                for obstacles in (discs, large)
                for label in candidates
                if _is_free(_box(label), [*boxes, *obstacles], height)
            )
            label = next(free, None)
            if label is not None:
                labels.append(label)
                boxes.append(_box(label))
    return labels


def _candidates(text: str, place: Float64Array, radius: float, size: float) -> Iterable[Label]:
    x, y = float(place[0]), float(place[1])
    beside, beyond = radius + 2.0, radius + 0.62 * size
    yield Label(text, x + beside, y, "start", size)
    yield Label(text, x - beside, y, "end", size)
    yield Label(text, x, y - beyond, "middle", size)
    yield Label(text, x, y + beyond, "middle", size)


def _is_free(box: Box, taken: list[Box], height: float) -> bool:
    inside = box.left >= 0 and box.right <= WIDTH and box.top >= 0 and box.bottom <= height
    return inside and not any(box.meets(other) for other in taken)


def _box(label: Label) -> Box:
    """Return the box of a label, by a cautious estimate of the widths of its letters."""
    wide = sum(
        1.05 if east_asian_width(letter) in "WF" else 0.0 if combining(letter) else 0.72 for letter in label.text
    )
    width, half = wide * label.size, 0.6 * label.size
    left = label.x - {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
    return Box(left, label.y - half, left + width, label.y + half)


def _text(label: Label) -> str:
    kind = ' class="small"' if label.size == SMALL_LABEL else ""
    anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    return f'<text{kind} x="{label.x:.1f}" y="{label.y:.1f}"{anchor}>{escape(label.text)}</text>'


def _shortened(name: str) -> str:
    """Return a name of up to 24 letters; a longer one loses its middle."""
    name = " ".join(name.split())
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 9]}…{name[-8:]}"


_ITERATIONS = 200
_FINE = 1e-4  # relative change of the stress at which the iteration ends
_JITTER = 0.05


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
    return _turned(places)


def _steps(graph: Graph) -> Float64Array:
    """Return the number of steps between each two vertices; between components a step more than within any."""
    from scipy.sparse.csgraph import shortest_path  # noqa: PLC0415 - slow to import

    # The weights of a graph are no distances.
    steps = shortest_path(graph.to_scipy(), method="D", directed=False, unweighted=True)
    apart = np.isinf(steps)
    steps[apart] = steps[~apart].max() + 1
    return np.asarray(steps, dtype=np.float64)


def _classical_scaling(steps: Float64Array) -> Float64Array:
    squares = np.square(steps)
    centred = -0.5 * (squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean())
    values, vectors = np.linalg.eigh(centred)
    return np.asarray(vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0.0)))


def _turned(places: Float64Array) -> Float64Array:
    """Centre the positions and turn them so that the longer axis lies across."""
    places = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(places, full_matrices=False)
    return np.asarray(places @ axes.T)


WHOLE, PART = 300, 150  # most vertices of a network that is drawn as a whole, and of a part
MOST_EDGES = 5_000


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
    graph = found.graph
    try:
        order = trussness(graph, threads=found.threads)
    except (OutOfMemoryError, UnsupportedError):
        return None
    source, target = graph.edges()
    # The largest order of the edges of a vertex is the last truss that contains the vertex.
    last = np.zeros(graph.num_vertices, dtype=np.int64)
    np.maximum.at(last, source, order)
    np.maximum.at(last, target, order)
    members = np.cumsum(np.bincount(last)[::-1])[::-1]  # of the truss of each order
    edges = np.cumsum(np.bincount(order, minlength=len(members))[::-1])[::-1]
    fitting = np.flatnonzero((members <= PART) & (edges <= MOST_EDGES) & (members > 0))
    if len(fitting):
        k = int(fitting[0])
        return Part(np.flatnonzero(last >= k), _truss_caption(k, int(members[k])))
    k = len(members) - 1
    chosen = _densest(np.flatnonzero(last >= k), found)
    drawn = f" Drawn are the {len(chosen)} of them with the most neighbours." if len(chosen) < members[k] else ""
    return Part(chosen, _truss_caption(k, int(members[k])) + drawn)


def _truss_caption(k: int, members: int) -> str:
    return (
        f"The densest part of the network, {members:,} vertices: its {k}-truss, in which every edge is in at least "
        f"{k - 2} triangle{'s' if k > 3 else ''} of the part."
    )


def _densest(vertices: Int64Array, found: Findings) -> Int64Array:
    """Return the vertices of the largest degrees, with few enough edges to draw even if all are joined."""
    first = int(np.sqrt(2 * MOST_EDGES))
    return np.sort(vertices[np.argsort(-found.degree[vertices], kind="stable")[:first]])


def _neighbourhood(found: Findings) -> Part:
    """Return the vertex of the largest degree and its neighbours, those of the largest degrees if there are many."""
    hub = int(found.degree.argmax())
    source, target = found.graph.edges()
    around = np.unique(np.concatenate([target[source == hub], source[target == hub]])).astype(np.int64)
    first = around[np.argsort(-found.degree[around], kind="stable")[: PART - 1]]
    caption = (
        f"The vertex with the most neighbours, and {'all' if len(first) == len(around) else 'the best connected'} "
    )
    return Part(np.sort(np.append(first, hub)), f"{caption}{len(first):,} of its {len(around):,} neighbours.")
