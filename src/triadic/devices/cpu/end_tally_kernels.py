"""How often each id occurs.

Computes: adds to ``degree[id]`` once for each of some ids, up to the first that has no place in the table.
Requires: nothing of the ids; one that is negative or beyond the table ends the count.
Idea: the check against the table's length is what a bounds check would be, so that finding ids beyond it is free.
  Places are asked for ahead, so that many reads from memory are under way at a time.
Cost: one random access an id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import prefetch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Ids ahead of the one that is counted; fewer hide less of a wait that is all there is to do.
AHEAD = 64


@kernel
def tally_ends(ids: NDArray[np.integer[Any]], degree: NDArray[np.int64]) -> int:
    """Count the ids before the first without a place; give how many that were."""
    size = len(ids)
    for i in range(size):
        if i + AHEAD < size:
            prefetch(degree, ids[i + AHEAD])
        if ids[i] < 0 or ids[i] >= len(degree):
            return i
        degree[ids[i]] += 1
    return len(ids)
