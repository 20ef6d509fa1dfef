"""How the work of a count on a cluster is cut: triples into groups, the most costly triples into slices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triadic.tiles.triples import Triple

_TASKS_PER_THREAD = 8  # at least
_SHARE_OF_THREAD = 0.25  # of what a thread has to do, a task takes at most
_MOST_TASKS = 1 << 12  # of a group


def largest_task(costs: list[float], threads: int) -> float:
    """Give what a task may cost at most, in triples of these costs."""
    most = sum(costs) * _SHARE_OF_THREAD / threads
    while most > 0 and sum(slices_of(cost, most) for cost in costs) < _TASKS_PER_THREAD * threads:
        most *= 0.8
    return most


def slices_of(cost: float, most: float) -> int:
    """Give how many slices a triple of this cost is cut into, none of which costs more than `most`."""
    return max(1, int(np.ceil(cost / most))) if most else 1


def groups(left: Iterable[Triple], cost: dict[Triple, float], most: float, aim: float) -> list[list[Triple]]:
    """Put triples into groups, those of one range of u together; the groups that take longest first."""
    found: list[list[Triple]] = [[]]
    taken, tasks_taken = 0.0, 0
    for triple in sorted(left, reverse=True):
        if found[-1] and (taken + cost[triple] > aim or tasks_taken >= _MOST_TASKS):
            found.append([])
            taken, tasks_taken = 0.0, 0
        found[-1].append(triple)
        taken += cost[triple]
        tasks_taken += slices_of(cost[triple], most)
    return sorted(found, key=lambda group: -sum(cost[triple] for triple in group))
