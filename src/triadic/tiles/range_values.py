"""What a table of vertices is computed from, range by range: the counts that it takes, and their values at ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.tiles.sums import PartCounter


INT, FLOAT = "int ", "float "
"""Before the names of columns in totals: sums of integers, and sums of floats in units of `exact_float_units`."""


@dataclass(frozen=True, slots=True, eq=False)
class EdgeCount:
    """A count at ranks that adds up over edges.

    Attributes
    ----------
    counter : PartCounter
        The count.
    inputs : tuple of str
        Names of earlier counts over edges, whose values at ranks are its inputs.
    """

    counter: PartCounter
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class RangeValues:
    """The degrees and counts at the ranks of one range, with the size of the whole graph.

    Attributes
    ----------
    vertices, edges, arcs : int
        Size of the whole graph, as in `triadic.tiles.layout.Layout`.
    degree : int64 array, shape (ranks,)
        Degree of each rank in the skeleton.
    counts : dict of str to int64 array, shape (ranks,) or (ranks, columns)
        Counts by the name of their counter.
    """

    vertices: int
    edges: int
    arcs: int
    degree: Int64Array
    counts: dict[str, Int64Array]


@dataclass(frozen=True, slots=True, eq=False)
class TablePlan:
    """A table of vertices that is computed range by range.

    Attributes
    ----------
    name : str
        Names of the measures, which distinguish the table from others of the same graph.
    triangles : tuple of PartCounter
        Counts at ranks that add up over triangles.
    edges : tuple of EdgeCount
        Counts at ranks that add up over edges, after their inputs.
    columns : callable
        ``columns(values)`` returns the columns of a range by name, each an array of shape (ranks,).
    entries : bool, default False
        Whether it is a table of edges, with a file for each tile and its one count over triangles as the column.
    """

    name: str
    triangles: tuple[PartCounter, ...]
    edges: tuple[EdgeCount, ...]
    columns: Callable[[RangeValues], Mapping[str, AnyArray]]
    entries: bool = False
