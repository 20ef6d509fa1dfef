"""Times of one point, a count in one network: contenders go in turns, within a budget of seconds for each of them.

The first call of a contender warms up and is compared with the first contender's result. It counts only if it takes
more than a fifth of the budget; it is made again if it compiled kernels or imported a library. Then each contender has
at least three turns, if its budget allows, and more until it has run for `settle` seconds. A turn is one call, or as
many calls as take two milliseconds.
"""

from __future__ import annotations

import gc
import statistics
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.core import event

from contest import DIFFERS, LeftOutError
from triadic.errors import TriadicError

if TYPE_CHECKING:
    from collections.abc import Callable

    from contest import Contender

_TURN_SECONDS = 0.002
_LEAST_TURNS, _MOST_TURNS = 3, 15
_MOST_CALLS = 1000
_WORTH_REPEATING = 1 / 5  # of the budget
_SLOW = 0.05  # seconds; between slower calls, waste of the call before is collected


@dataclass
class Timing:
    """The times of a contender: seconds of a call in each turn, and of its counting alone.

    `left_out` is the reason why the contender cannot run, `stopped` the reason why it did not.
    """

    runs: list[float] = field(default_factory=list)
    counts: list[float] = field(default_factory=list)
    left_out: str | None = None
    stopped: str | None = None
    edges: int | None = None
    calls: int = 1
    spent: float = 0.0

    @property
    def seconds(self) -> float | None:
        """The median of all turns."""
        return statistics.median(self.runs) if self.runs else None

    @property
    def count_seconds(self) -> float | None:
        """The median of counting alone."""
        return statistics.median(self.counts) if self.counts else None

    def take(self, total: float, count: float) -> None:
        """Add a turn."""
        self.runs.append(total)
        self.counts.append(count)


def time_point(
    contenders: list[Contender],
    *,
    budget: Callable[[str], float],
    settle: float,
    compare: bool,
    is_first: Callable[[str], bool],
    affords: Callable[[str], bool],
) -> list[Timing]:
    """Time contenders on one network, in turns.

    Parameters
    ----------
    contenders : list of Contender
    budget : callable
        Seconds for a library.
    settle : float
    compare : bool
        Whether results are compared.
    is_first : callable
        Whether this is the first call of a library for this count.
    affords : callable
        Whether the time is left for a call of a library.
    """
    timings = [Timing() for _ in contenders]
    expected: np.ndarray | None = None
    gc.collect()
    gc.disable()
    try:
        for contender, timing in zip(contenders, timings, strict=True):
            library = contender.library
            result = _warm_up(contender, timing, budget(library), twice=is_first(library))
            if timing.left_out is not None or not compare or contender.numbers is None:
                continue
            numbers = np.asarray(contender.numbers(result))
            if expected is None:
                expected = numbers
            elif not _agree(expected, numbers):
                timing.left_out, timing.runs = DIFFERS, []
        for turn in range(_MOST_TURNS):
            for contender, timing in zip(contenders, timings, strict=True):
                if _wants_turn(timing, turn, budget(contender.library), settle) and affords(contender.library):
                    _take_turn(contender, timing)
    finally:
        gc.enable()
    return timings


def _warm_up(contender: Contender, timing: Timing, budget: float, *, twice: bool) -> Any:
    """Call once or twice; keep the time of a call that is too slow for another."""
    compiled = event.RecordingListener()
    with event.install_listener("numba:compile", compiled):
        result, total, count = _call(contender, timing)
    if timing.left_out is None and (twice or compiled.buffer or total < _SLOW):
        result, total, count = _call(contender, timing)
    if timing.left_out is not None:
        return None
    if total > _WORTH_REPEATING * budget:
        timing.take(total, count)
        timing.spent = total
    timing.calls = max(1, min(_MOST_CALLS, int(_TURN_SECONDS / total)))
    return result


def _call(contender: Contender, timing: Timing) -> tuple[Any, float, float]:
    start = time.perf_counter()
    try:
        graph = contender.build()
        built = time.perf_counter()
        result = contender.count(graph)
    except (LeftOutError, MemoryError, TriadicError) as reason:
        timing.left_out = str(reason).partition("\n")[0] or type(reason).__name__
        return None, 0.0, 0.0
    end = time.perf_counter()
    if contender.library.startswith("triadic"):
        timing.edges = graph.num_edges
    return result, end - start, end - built


def _wants_turn(timing: Timing, turn: int, budget: float, settle: float) -> bool:
    if timing.left_out is not None or (timing.runs and timing.runs[-1] > _WORTH_REPEATING * budget):
        return False
    return turn < _LEAST_TURNS or timing.spent < settle


def _take_turn(contender: Contender, timing: Timing) -> None:
    if timing.runs and timing.runs[-1] > _SLOW:
        gc.collect()
    total = count = 0.0
    for _ in range(timing.calls):
        _, of_call, of_count = _call(contender, timing)
        total, count = total + of_call, count + of_count
    timing.take(total / timing.calls, count / timing.calls)
    timing.spent += total


def _agree(expected: np.ndarray, actual: np.ndarray) -> bool:
    # Libraries may round quotients of equal integers differently.
    return expected.shape == actual.shape and np.allclose(expected, actual, rtol=1e-12, atol=1e-15)
