"""The division of a count on a cluster: triples into groups, and the most costly triples into slices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triadic.tiles.triples import Triple

_TASKS_PER_THREAD = 8  # at least
_SHARE_OF_THREAD = 0.25  # largest share of a thread's work that one task may be
_MOST_TASKS = 1 << 12  # of a group


def largest_task(costs: list[float], threads: int) -> float:
    """Return the largest cost that a task may have, for triples of these costs."""
    most = sum(costs) * _SHARE_OF_THREAD / threads
    while most > 0 and sum(slices_of(cost, most) for cost in costs) < _TASKS_PER_THREAD * threads:
        most *= 0.8
    return most


def slices_of(cost: float, most: float) -> int:
    """Return the number of slices of a triple of this cost, so that no slice costs more than `most`."""
    return max(1, int(np.ceil(cost / most))) if most else 1


def groups(triples: Iterable[Triple], cost: dict[Triple, float], most: float, aim: float) -> list[list[Triple]]:
    """Return triples in groups of a cost of at most `aim`, sorted by range of u; the most costly group first."""
    result: list[list[Triple]] = [[]]
    group_cost, tasks = 0.0, 0
    for triple in sorted(triples, reverse=True):
        if result[-1] and (group_cost + cost[triple] > aim or tasks >= _MOST_TASKS):
            result.append([])
            group_cost, tasks = 0.0, 0
        result[-1].append(triple)
        group_cost += cost[triple]
        tasks += slices_of(cost[triple], most)
    return sorted(result, key=lambda group: -sum(cost[triple] for triple in group))
