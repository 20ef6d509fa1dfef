"""The columns of a table of vertices, computed range by range from counts at ranks, as workers of a cluster do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.oriented import frozen
from triadic.counts.count import check_kind, part_counter
from triadic.counts.triads import (
    CLOSED_ROLES_OF_VERTICES,
    CLOSED_TRIADS_OF_VERTICES,
    DYADS,
    WEDGE_ENDS,
    census_of_ranks,
)
from triadic.counts.triangles import TRIANGLES
from triadic.measures.clustering import local_clustering
from triadic.measures.directed_clustering import directed_ratios, ldbc_ratio
from triadic.measures.vertex_table import DIRECTED_COLUMNS, ROLE_COLUMNS, TRIAD_COLUMNS, by_column
from triadic.tiles.range_values import EdgeCount, TablePlan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.counts.count import Count
    from triadic.measures.weighted_clustering import WeightedRanks
    from triadic.tiles.range_values import RangeValues

    Columns = dict[str, AnyArray]


@dataclass(frozen=True, slots=True)
class RangeColumns:
    """A measure whose columns at ranks follow from degrees and counts at the same ranks.

    Attributes
    ----------
    counts : tuple of Count
        Counts at ranks; the inputs of a count come before it.
    columns : callable
        ``columns(values)`` returns the columns of a range.
    """

    counts: tuple[Count[Any], ...]
    columns: Callable[[RangeValues], Columns]


WEIGHTED = "weighted_clustering"
"""The measure of tiles with weights."""


def plan_of(
    measures: Sequence[str], *, threads: int | None, device: str, weighted: WeightedRanks | None = None
) -> TablePlan:
    """Return the plan of a table with the columns of some of `MEASURES` and of `WEIGHTED`, pickled by name.

    Parameters
    ----------
    measures : sequence of str
        Names of measures.
    threads : int, optional
    device : str
    weighted : WeightedRanks, optional
        The coefficient of `WEIGHTED`, if it is among the measures.

    Raises
    ------
    ArgumentError
        If `device` has not the form of a device's name, or `threads` is not a number of threads.
    UnsupportedError
        If the kind of device cannot count what the measures take.
    """
    counts = dict.fromkeys(count for name in measures if name != WEIGHTED for count in MEASURES[name].counts)
    counts |= dict.fromkeys(() if weighted is None else weighted.counts)
    for count in counts:
        if count.adds_over == "triangles":
            check_kind(count, device)
    counters = {
        count: part_counter(
            count,
            {},
            threads=threads,
            device=device if count.adds_over == "triangles" else "cpu",
            values=weighted.values if weighted is not None and count.takes_values else None,
        )
        for count in counts
    }
    return TablePlan(
        " ".join(measures),
        tuple(counter for count, counter in counters.items() if count.adds_over == "triangles"),
        tuple(
            EdgeCount(counter, tuple(counters[needed].name for needed in _INPUTS.get(count.name, ())))
            for count, counter in counters.items()
            if count.adds_over == "edges"
        ),
        partial(columns_of, tuple(measures), weighted),
    )


def columns_of(measures: Sequence[str], weighted: WeightedRanks | None, values: RangeValues) -> Columns:
    """Return the columns of some measures at the ranks of a range."""
    columns: Columns = {}
    for name in measures:
        if name != WEIGHTED:
            columns |= MEASURES[name].columns(values)
        elif weighted is not None:
            columns[name] = _weighted_clustering(weighted, values)
    return columns


def _weighted_clustering(weighted: WeightedRanks, values: RangeValues) -> Float64Array:
    triangles, *edges = (
        values.counts[part_counter(count, {}, threads=1, device="cpu", values=of_edges).name]
        for count in weighted.counts
        for of_edges in (weighted.values if count.takes_values else None,)
    )
    return weighted.coefficients(triangles, edges[0] if edges else None, values.degree)


def _count(values: RangeValues, count: Count[Any]) -> Int64Array:
    return values.counts[count.name.replace(" ", "-")]


def _directed_clustering(values: RangeValues) -> Columns:
    ratios = directed_ratios(_count(values, CLOSED_ROLES_OF_VERTICES), _count(values, DYADS), parts=True)
    return dict(zip(DIRECTED_COLUMNS, ratios, strict=True))


def _triads(values: RangeValues) -> Columns:
    mutual = values.arcs - values.edges
    census = census_of_ranks(
        _RankedOnly(len(values.degree)),
        (values.edges - mutual, mutual),
        *(frozen(_count(values, count)) for count in (DYADS, WEDGE_ENDS, CLOSED_TRIADS_OF_VERTICES)),
        threads=1,
        vertices=values.vertices,
    )
    return by_column(TRIAD_COLUMNS, census)


class _RankedOnly:
    """The ranks of a range, numbered from 0, in place of an oriented graph."""

    def __init__(self, ranks: int) -> None:
        self.rank = np.arange(ranks)


# Counts whose values are inputs of others.
_INPUTS = {WEDGE_ENDS.name: (DYADS,)}

MEASURES = {
    "degree": RangeColumns((), lambda values: {"degree": values.degree}),
    "in_degree": RangeColumns((DYADS,), lambda values: {"in_degree": _count(values, DYADS)[:, (0, 2)].sum(axis=1)}),
    "out_degree": RangeColumns((DYADS,), lambda values: {"out_degree": _count(values, DYADS)[:, :2].sum(axis=1)}),
    "mutual_degree": RangeColumns((DYADS,), lambda values: {"mutual_degree": _count(values, DYADS)[:, 0].copy()}),
    "triangles": RangeColumns((TRIANGLES,), lambda values: {"triangles": _count(values, TRIANGLES)}),
    "clustering": RangeColumns(
        (TRIANGLES,),
        lambda values: {"clustering": local_clustering(_count(values, TRIANGLES), values.degree, threads=1)},
    ),
    "directed_clustering": RangeColumns((CLOSED_ROLES_OF_VERTICES, DYADS), _directed_clustering),
    "ldbc_clustering": RangeColumns(
        (CLOSED_ROLES_OF_VERTICES,),
        lambda values: {"ldbc_clustering": ldbc_ratio(_count(values, CLOSED_ROLES_OF_VERTICES), values.degree)},
    ),
    "triads": RangeColumns((CLOSED_TRIADS_OF_VERTICES, DYADS, WEDGE_ENDS), _triads),
    "roles": RangeColumns(
        (CLOSED_ROLES_OF_VERTICES,),
        lambda values: by_column(ROLE_COLUMNS, _count(values, CLOSED_ROLES_OF_VERTICES)),
    ),
}
"""Measures of `triadic.vertex_table` that a tiled graph has, by name."""
