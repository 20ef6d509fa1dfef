"""From columns of ids to vertices in two passes: the first counts the ids, the second turns them into vertices.

A network of one set of vertices counts the ids of both columns together. A bipartite network numbers its sources and
its targets separately, and the targets follow the sources.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from triadic.io.arc_stream import Survey
from triadic.io.id_tallies import NameTally, NumberTally, VertexMap, longer_table
from triadic.io.identifiers import Column, Vertices, arrays_of, index_dtype, listed_positions, two_sets

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray
    from triadic.graph.labels import Labels

    Piece = tuple[AnyArray, ...]


@dataclass(frozen=True, slots=True)
class Numbering:
    """The survey of the first pass, and the function that turns two columns of ids into vertices in the second."""

    survey: Survey
    vertices: Callable[[Column, Column], Piece]


class VertexSet(Protocol):
    """Ids of one set of vertices, as numbers or as names."""

    def add(self, source: Column, target: Column | None) -> None:
        """Count the ids of both columns, or of one."""

    def numbered(self, stated: int | None) -> VertexMap:
        """Return the vertices after all ids are counted; raise an UnusableIdError if an id cannot be a vertex."""

    def column(self, column: Column) -> Column:
        """Return a column of ids in the form that ``VertexMap.vertices`` takes."""


class NumberSet:
    """Ids that are numbers."""

    def __init__(self, *, declared: int | None, arcs: int) -> None:
        self._tally = NumberTally(declared=declared, ends=2 * arcs)

    def add(self, source: Column, target: Column | None) -> None:  # noqa: D102 - documented in `VertexSet`
        for chunk in arrays_of(source, *([] if target is None else [target])):
            self._tally.add(chunk)

    def numbered(self, stated: int | None) -> VertexMap:  # noqa: D102 - documented in `VertexSet`
        return self._tally.numbered(stated)

    def column(self, column: Column) -> Column:  # noqa: D102 - documented in `VertexSet`
        return column


class NameSet:
    """Ids that are names."""

    def __init__(self, *, declared: int | None) -> None:
        self.tally = NameTally(declared=declared)

    def add(self, source: Column, target: Column | None) -> None:  # noqa: D102 - documented in `VertexSet`
        self.tally.add(source, target)

    def numbered(self, stated: int | None) -> VertexMap:  # noqa: D102 - documented in `VertexSet`
        return self.tally.numbered(stated)

    def column(self, column: Column) -> Column:  # noqa: D102 - documented in `VertexSet`
        return self.tally.codes(column)


class IntegerNameSet(NameSet):
    """Ids that were counted as names, all of which are integers."""

    def __init__(self, names: NameSet) -> None:
        self.tally = names.tally

    def numbered(self, stated: int | None) -> VertexMap:  # noqa: D102 - documented in `VertexSet`
        return self.tally.numbered_as_integers(stated)


def number_one_set(
    ids: VertexSet, arcs: int, stated: int | None, *, listed: Labels | None = None, declared: int | None = None
) -> Numbering:
    """Return the numbering of a network of one set of vertices.

    Parameters
    ----------
    ids : VertexSet
        The ids of all rows; made without a declared number of vertices if there is a list.
    arcs : int
    stated : int or None
        Number of vertices in the header of the file.
    listed : array, optional
        The list of the vertices (:mod:`triadic.io.edge_blocks`). By default there is none.
    declared : int, optional
        Number of vertices in the options, for a network with a list.

    Raises
    ------
    UnusableIdError
        An id cannot be a vertex.
    """
    if listed is not None:
        return _number_by_list(ids, arcs, listed, stated=stated, declared=declared)
    found = ids.numbered(stated)
    survey = Survey(found.count, found.labels, arcs, found.degree)
    light = _without_degree(found)
    return Numbering(survey, lambda source, target: (light(ids.column(source)), light(ids.column(target))))


def _number_by_list(
    ids: VertexSet, arcs: int, listed: Labels, *, stated: int | None, declared: int | None
) -> Numbering:
    found = ids.numbered(None)
    positions, count, labels = listed_positions(found.labels, found.count, listed, stated=stated, declared=declared)
    degree = longer_table(np.zeros(0, dtype=np.int64), count, exactly=True)
    degree[positions] = found.degree[: len(positions)]
    light = _without_degree(found)

    def vertices(source: Column, target: Column) -> Piece:
        return positions[light(ids.column(source))], positions[light(ids.column(target))]

    return Numbering(Survey(count, labels, arcs, degree), vertices)


def number_two_sets(left: VertexSet, right: VertexSet, arcs: int, *, declared: int | None, stated: int) -> Numbering:
    """Return the numbering of a bipartite network: its sources, followed by its targets."""
    sides = [side.numbered(None) for side in (left, right)]
    nothing = np.empty(0, dtype=np.int32)
    both = two_sets(
        *(Vertices(nothing, nothing, side.count, side.labels) for side in sides), declared=declared, stated=stated
    )
    degree = longer_table(np.zeros(0, dtype=np.int64), both.count, exactly=True)
    first = sides[0].count
    degree[:first] = sides[0].degree
    degree[first : first + sides[1].count] = sides[1].degree
    dtype = index_dtype(first + sides[1].count)
    of_left, of_right = (_without_degree(side) for side in sides)

    def vertices(source: Column, target: Column) -> Piece:
        ends = of_left(left.column(source)).astype(dtype, copy=False)
        others: AnyArray = of_right(right.column(target)).astype(dtype)
        others += first
        return ends, others

    return Numbering(Survey(both.count, both.labels, arcs, degree), vertices)


def _without_degree(found: VertexMap) -> Callable[[Column], AnyArray]:
    """Return the function from ids to vertices, without a reference to the degrees."""
    return VertexMap(0, None, np.empty(0, dtype=np.int64), found.dtype, found.change).vertices
