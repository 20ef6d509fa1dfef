"""What a graph is like, as far as the cost of counting it goes: its edges by rank, each standing for so many.

Of a sample that is the whole network everything here is exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.planning.sample import degrees, distinct, runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.planning.sample import Sample

# Vertices are drawn at this scale where there are more, for the engine's own choice of ranges.
_MOST_DRAWN = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A graph seen through a sample.

    Attributes
    ----------
    vertices, edges, arcs : int
        Of the graph: `arcs` different ones, an undirected edge twice.
    ends : int
        Ends of the arcs as they are given.
    keys : int
        Arcs as they are given that are no loops.
    most : int
        Largest degree, repeats included.
    directed : bool
    row, column : float64 arrays, shape (sampled edges,)
        Ranks of the ends of each edge that was met, ``row`` above ``column``.
    end : int64 array, same shape
        The vertex that the row is of, by number of those met.
    place : int64 array, same shape
        Where it was met.
    edge, near, far : float
        How many edges one stands for; how many pairs of edges a pair does that was met in one place, or in two.
    all_rows, all_columns : float64 arrays
        As `row` and `column`, of all arcs that are no loops, with repeats.
    degree : int64 array
        Degrees, repeats included, of the vertices, or of every `drawn`-th.
    drawn : float
    """

    vertices: int
    edges: int
    arcs: int
    ends: int
    keys: int
    most: int
    directed: bool
    row: NDArray[np.float64]
    column: NDArray[np.float64]
    end: NDArray[np.int64]
    place: NDArray[np.int64]
    edge: float
    near: float
    far: float
    all_rows: NDArray[np.float64]
    all_columns: NDArray[np.float64]
    degree: NDArray[np.int64]
    drawn: float


def shape_of(sample: Sample) -> Shape:
    """Work out what the whole graph of a sample is like."""
    source, target = sample.source.astype(np.int64), sample.target.astype(np.int64)
    met, source, target = _numbered(source, target)
    vertices = _vertices(sample, met, source, target)
    stand_for = sample.arcs / len(source) if len(source) else 1.0
    compact = _with_ends(sample, source, target)
    degree = degrees(compact, met)
    weight = _weights(degree, sample, vertices if sample.vertices is None else _seldom(compact, met, vertices))
    if met:
        degree *= 2 * sample.arcs / float((degree * weight).sum())
    order = np.argsort(-degree, kind="stable")
    before = np.cumsum(weight[order]) - weight[order]
    rank = np.empty(met)
    rank[order] = before if sample.whole else before + weight[order] / 2
    proper = source != target
    source, target, place = source[proper], target[proper], sample.place[proper].astype(np.int64)
    lower = rank[source] < rank[target]
    ends, columns = np.where(lower, target, source), np.where(lower, source, target)
    keys = ends * max(1, met) + columns
    _, first = np.unique(keys, return_index=True)
    edges = float(len(first)) if sample.whole else max(distinct(keys, place, sample), float(len(first)))
    arcs = 2 * edges
    if sample.directed:
        arcs = distinct(keys * 2 + (source == ends), place, sample)
    one = edges / len(first) if len(first) else 1.0
    k, c = sample.of_places, sample.places
    across = 1.0 if sample.whole or c < 2 else (k - 1) * c / (k * (c - 1))
    drawn = max(1.0, vertices / _MOST_DRAWN)
    return Shape(
        vertices=vertices,
        edges=round(edges),
        arcs=round(arcs),
        ends=2 * sample.arcs,
        keys=round(len(keys) * stand_for),
        most=int(degree.max(initial=0)),
        directed=sample.directed,
        row=rank[ends[first]],
        column=rank[columns[first]],
        end=ends[first],
        place=place[first],
        edge=one,
        near=one,
        far=one * one * across,
        all_rows=rank[ends],
        all_columns=rank[columns],
        degree=_drawn(degree[order], weight[order], vertices, drawn),
        drawn=drawn,
    )


def _numbered(source: NDArray[np.int64], target: NDArray[np.int64]) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """Give how many vertices were met, and the ends as their numbers, which keep the order of ids."""
    greatest = max(int(source.max(initial=-1)), int(target.max(initial=-1)))
    if greatest > 8 * (len(source) + 1):  # a table over the ids would be longer than the sample by far
        ids, _ = runs(np.concatenate([source, target]))
        return len(ids), np.searchsorted(ids, source), np.searchsorted(ids, target)
    there = np.zeros(greatest + 1, dtype=np.bool_)
    there[source] = True
    there[target] = True
    number = np.cumsum(there) - 1
    return int(there.sum()), number[source], number[target]


def _vertices(sample: Sample, met: int, source: NDArray[np.int64], target: NDArray[np.int64]) -> int:
    if sample.vertices is not None:
        return max(met, sample.vertices)
    both = np.concatenate([sample.place, sample.place])
    return max(met, round(distinct(np.concatenate([source, target]), both, sample)))


def _seldom(sample: Sample, met: int, vertices: int) -> int:
    """Give about how many of the vertices that a file declares have an arc at all."""
    both = np.concatenate([sample.place, sample.place])
    ends = np.concatenate([sample.source, sample.target]).astype(np.int64)
    return min(vertices, max(met, round(distinct(ends, both, sample))))


def _with_ends(sample: Sample, source: NDArray[np.int64], target: NDArray[np.int64]) -> Sample:
    return replace(sample, source=source, target=target)


def _weights(degree: NDArray[np.float64], sample: Sample, vertices: int) -> NDArray[np.float64]:
    """Give how many vertices each one met stands for: itself, and its share of those with no arc in the sample."""
    missed = max(0, vertices - len(degree))
    if not missed or not len(degree):
        return np.ones(len(degree))
    unmet = (1 - sample.share) ** degree
    chance = np.maximum(unmet / np.maximum(1 - unmet, 1e-12), 1e-12)
    return 1 + missed * chance / float(chance.sum())


def _drawn(degree: NDArray[np.float64], weight: NDArray[np.float64], vertices: int, drawn: float) -> NDArray[np.int64]:
    """Give the degrees of all vertices, falling, or of one of so many."""
    places = np.round(np.cumsum(weight) / drawn).astype(np.int64)
    times = np.diff(places, prepend=0)
    found = np.repeat(np.maximum(np.round(degree), 1).astype(np.int64), times)
    isolated = max(0, round(vertices / drawn) - len(found))
    return np.concatenate([found, np.zeros(isolated, dtype=np.int64)])


def pairs(
    shape: Shape, group: NDArray[np.integer[Any]], groups: int, chosen: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """Count the pairs of edges of one row by the groups that their columns are in: float64, shape (groups, groups).

    On the diagonal each pair once, elsewhere on both sides.

    Parameters
    ----------
    shape : Shape
    group : int array, shape (sampled edges,)
    groups : int
    chosen : bool array, shape (sampled edges,), optional
        Of these edges alone.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415 - slow to import

    end, place = shape.end, shape.place
    if chosen is not None:
        end, place, group = end[chosen], place[chosen], group[chosen]

    def together(rows: NDArray[np.int64]) -> NDArray[np.float64]:
        if len(rows) == 0:
            return np.zeros((groups, groups))
        _, number = np.unique(rows, return_inverse=True)
        lengths = csr_array((np.ones(len(rows)), (number, group)), shape=(int(number.max()) + 1, groups))
        found = np.asarray((lengths.T @ lengths).todense())
        np.fill_diagonal(found, (np.diagonal(found) - np.asarray(lengths.sum(axis=0)).ravel()) / 2)
        return found

    every = together(end)
    if shape.near == shape.far:
        return every * shape.far
    same = together(end * (int(shape.place.max(initial=0)) + 1) + place)
    return same * shape.near + (every - same) * shape.far
