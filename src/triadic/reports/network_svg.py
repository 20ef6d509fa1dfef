"""The picture of a network as an SVG element."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, east_asian_width

import numpy as np

from triadic.reports.layout import stress_layout
from triadic.reports.tables import vertex_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

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


def network_svg(found: Findings, vertices: NDArray[np.int64]) -> str:
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


def _scaled(places: NDArray[np.float64], n: int) -> tuple[NDArray[np.float64], float]:
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


def _lines(source: NDArray[np.integer], target: NDArray[np.integer], places: NDArray[np.float64]) -> str:
    """Return a path for each vertex with its edges, so that a place with many edges is darker."""
    first, second = np.minimum(source, target), np.maximum(source, target)
    pairs = np.unique(np.stack([first, second], axis=1), axis=0)
    points = [f"{x:.0f} {y:.0f}" for x, y in places]
    rows = np.split(pairs[:, 1], np.flatnonzero(np.diff(pairs[:, 0])) + 1) if len(pairs) else []
    starts = np.unique(pairs[:, 0])
    return "".join(
        f'<path d="{"".join(f"M{points[start]}L{points[end]}" for end in ends)}"/>'
        for start, ends in zip(starts, rows, strict=True)
    )


def _heads(
    source: NDArray[np.integer], target: NDArray[np.integer], places: NDArray[np.float64], radius: NDArray[np.float64]
) -> str:
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
    degree: NDArray[np.int64],
    places: NDArray[np.float64],
    radius: NDArray[np.float64],
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


def _candidates(text: str, place: NDArray[np.float64], radius: float, size: float) -> Iterable[Label]:
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
