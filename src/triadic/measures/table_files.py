"""Tables of vertices that the workers of a cluster write as data sets of Parquet files.

Workers compute the columns of a range from counts at its ranks; `MEASURES` has the measures for which that is enough.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.oriented import frozen
from triadic.core.progress import reporting
from triadic.counts.count import part_counter
from triadic.counts.triads import (
    CLOSED_ROLES_OF_VERTICES,
    CLOSED_TRIADS_OF_VERTICES,
    DYADS,
    WEDGE_ENDS,
    census_of_ranks,
)
from triadic.counts.triangles import TRIANGLES
from triadic.devices.select import check_kind
from triadic.measures.directed_clustering import directed_ratios, ldbc_ratio
from triadic.measures.registry import DIRECTED_COLUMNS, TRIAD_COLUMNS, by_column, countable
from triadic.measures.table_folder import as_numbers
from triadic.measures.weighted_clustering import weighted_layout, weighted_ranks
from triadic.tiles.sums import EdgeCount, TablePlan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from triadic.core.array_types import AnyArray, Float64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.counts.count import Count
    from triadic.measures.weighted_clustering import WeightedRanks
    from triadic.tiles.sums import RangeValues
    from triadic.tiles.tiled_graph import TiledGraph


def write_on_cluster(
    graph: TiledGraph,
    place: str,
    names: Sequence[str],
    *,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> dict[str, int | float] | None:
    """Let the workers of a cluster write measures of each vertex; return the totals, or None if they cannot."""
    if not set(names) <= {*MEASURES, WEIGHTED}:
        return None
    weighted = weighted_ranks(weighted_layout(graph), "onnela", None) if WEIGHTED in names else None
    plan = plan_of(names, threads=threads, device=device, weighted=weighted)
    found = graph.oriented(threads=threads).write_table(plan, place, partial(reporting, progress))
    return None if found is None else as_numbers(found)


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
    needed = [count for name in measures if name != WEIGHTED for count in MEASURES[name]]
    triangles, edges = [], []
    for count in dict.fromkeys((*needed, *(() if weighted is None else weighted.counts))):
        over_triangles = count.adds_over == "triangles"
        if over_triangles and device != "auto":
            check_kind(device, kinds=count.kinds, name=count.name)
        counter = part_counter(
            count,
            {},
            threads=threads,
            device=device if over_triangles else "cpu",
            values=weighted.values if weighted is not None and count.takes_values else None,
        )
        if over_triangles:
            triangles.append(counter)
        else:
            edges.append(EdgeCount(counter, (_name(DYADS),) if count is WEDGE_ENDS else ()))
    return TablePlan(" ".join(measures), tuple(triangles), tuple(edges), partial(columns_of, tuple(measures), weighted))


def columns_of(measures: Sequence[str], weighted: WeightedRanks | None, values: RangeValues) -> dict[str, AnyArray]:
    """Return the columns of some measures at the ranks of a range."""
    columns: dict[str, AnyArray] = {}
    counts = _OfRange(values)
    for name in measures:
        if weighted is None or name != WEIGHTED:
            columns |= _COLUMNS[name](counts)
        else:
            columns[name] = _weighted_clustering(weighted, values)
    return columns


def _name(count: Count[Any]) -> str:
    return count.name.replace(" ", "-")


class _OfRange:
    """The counts of a range, with the names that `vertex_table` has for those of a graph."""

    threads = 1

    def __init__(self, values: RangeValues) -> None:
        self.values, self.degree = values, values.degree
        self.rank = np.arange(len(values.degree))  # ranks of a range are numbered from 0
        named = (DYADS, TRIANGLES, CLOSED_ROLES_OF_VERTICES)
        self.dyads, self.triangles, self.roles = (values.counts.get(_name(count)) for count in named)


def _weighted_clustering(weighted: WeightedRanks, values: RangeValues) -> Float64Array:
    triangles, *edges = (
        values.counts[part_counter(count, {}, threads=1, device="cpu", values=of_edges).name]
        for count in weighted.counts
        for of_edges in (weighted.values if count.takes_values else None,)
    )
    return weighted.coefficients(triangles, edges[0] if edges else None, values.degree)


def _directed_clustering(counts: Any) -> dict[str, AnyArray]:  # noqa: ANN401 - an `_OfRange` with roles and dyads
    return dict(zip(DIRECTED_COLUMNS, directed_ratios(counts.roles, counts.dyads, parts=True), strict=True))


def _triads(counts: Any) -> dict[str, AnyArray]:  # noqa: ANN401 - an `_OfRange`
    values = counts.values
    mutual = values.arcs - values.edges
    census = census_of_ranks(
        counts,
        (values.edges - mutual, mutual),
        *(frozen(values.counts[_name(count)]) for count in MEASURES["triads"]),
        threads=1,
        vertices=values.vertices,
    )
    return by_column(TRIAD_COLUMNS, census)


# Counts at ranks from which the columns of each measure follow; the inputs of a count come before it.
MEASURES: dict[str, tuple[Count[Any], ...]] = {
    "degree": (),
    **dict.fromkeys(("in_degree", "out_degree", "mutual_degree"), (DYADS,)),
    **dict.fromkeys(("triangles", "clustering"), (TRIANGLES,)),
    "directed_clustering": (CLOSED_ROLES_OF_VERTICES, DYADS),
    **dict.fromkeys(("ldbc_clustering", "roles"), (CLOSED_ROLES_OF_VERTICES,)),
    "triads": (DYADS, WEDGE_ENDS, CLOSED_TRIADS_OF_VERTICES),
}
_COLUMNS: dict[str, Callable[[Any], Mapping[str, AnyArray]]] = {
    **{name: columns for name in MEASURES if (columns := countable(name).columns) is not None},
    "directed_clustering": _directed_clustering,
    "ldbc_clustering": lambda counts: {"ldbc_clustering": ldbc_ratio(counts.roles, counts.degree)},
    "triads": _triads,
}
