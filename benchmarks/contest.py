"""One cell of the benchmark: several libraries do the same job, in turns.

Rounds go A B C A B C, so that other work on the machine slows all libraries alike. The first round warms up compiled
kernels, thread pools and page tables, and compares the results: a library whose result differs gets no ratio. The times
of the first round count only for a library that is too slow for another run within the budget.
"""

from __future__ import annotations

import gc
import statistics
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

OURS = "triadic"
DIFFERS = "its result differs"


class LeftOutError(Exception):
    """A cell or a library cannot run on this machine; the message is the reason."""


@dataclass(frozen=True)
class Settings:
    """The options of the command line.

    `budget` is the number of seconds for one library in one cell; each library runs at least once. `data` is the folder
    of real networks.
    """

    threads: int
    repeats: int
    budget: float
    data: Path


@dataclass(frozen=True)
class Contender:
    """A library and how it does the job: `build` makes its graph from the common input, `count` counts on the graph.

    Both are timed. `numbers` converts the result to an array, to be compared; `peak_bytes` reads the largest memory
    from the result. Neither is timed. `seconds` reads the time of counting from the result of a program that measures
    itself: that time counts in place of the time of `count`.
    """

    library: str
    count: Callable[[Any], Any]
    build: Callable[[], Any] | None = None
    numbers: Callable[[Any], Any] | None = None
    peak_bytes: Callable[[Any], int] | None = None
    seconds: Callable[[Any], float] | None = None


@dataclass(frozen=True)
class Goal:
    """A goal: the least ratio of a peer's time to triadic's, or the most seconds or bytes for triadic itself."""

    ratio: float | None = None
    seconds: float | None = None
    peak_bytes: float | None = None

    def __str__(self) -> str:
        if self.ratio is not None:
            return f"≥ {self.ratio:.3g}"
        return f"≤ {self.seconds:g} s" if self.seconds is not None else f"≤ {self.peak_bytes / 1e9:g} GB"

    def met(self, entry: Entry) -> bool:
        """Return whether an entry reaches the goal."""
        if self.ratio is not None:
            return entry.ratio is not None and entry.ratio >= self.ratio
        if self.seconds is not None:
            return entry.seconds <= self.seconds
        return entry.peak_bytes is not None and entry.peak_bytes <= self.peak_bytes


@dataclass(frozen=True)
class Cell:
    """A job, named `topic`/`what`; `enter` prepares it and yields its contenders, triadic first."""

    topic: str
    what: str
    enter: Callable[[Settings], AbstractContextManager[list[Contender]]]
    goals: dict[str, Goal] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the cell for ``--only``."""
        return f"{self.topic}/{self.what}"


@dataclass(frozen=True)
class Run:
    """The seconds of one run: in total, and of counting alone if a graph is built first."""

    total: float
    count: float | None
    peak_bytes: int | None = None


@dataclass
class Entry:
    """The runs of a library in a cell, and their summary."""

    library: str
    warm_up: Run | None = None
    runs: list[Run] = field(default_factory=list)
    left_out: str | None = None
    compared: bool = False
    ratio: float | None = None
    count_ratio: float | None = None
    goal: str | None = None
    goal_met: bool | None = None

    @property
    def counted(self) -> list[Run]:
        """The runs that are summarised: all except the first, unless it is the only one."""
        return self.runs or ([self.warm_up] if self.warm_up else [])

    @property
    def seconds(self) -> float:
        """The median of the seconds of whole runs."""
        return statistics.median(run.total for run in self.counted)

    @property
    def count_seconds(self) -> float | None:
        """The median of the seconds of counting alone."""
        counts = [run.count for run in self.counted if run.count is not None]
        return statistics.median(counts) if counts else None

    @property
    def peak_bytes(self) -> int | None:
        """The largest memory of any run, in bytes."""
        return max((run.peak_bytes for run in self.counted if run.peak_bytes is not None), default=None)

    def as_record(self) -> dict[str, Any]:
        """Return all fields and summaries, for JSON."""
        record = asdict(self)
        if self.left_out is None:
            record |= {"median": self.seconds, "median_count": self.count_seconds, "peak_bytes": self.peak_bytes}
        return record


def run_cell(cell: Cell, settings: Settings, report: Callable[[str], object]) -> list[Entry]:
    """Run a cell and return an entry for each library, triadic first.

    Raises
    ------
    LeftOutError
        If the whole cell cannot run on this machine.
    """
    with cell.enter(settings) as contenders:
        entries = [Entry(contender.library) for contender in contenders]
        expected: np.ndarray | None = None
        for contender, entry in zip(contenders, entries, strict=True):
            report(f"{cell.name}: {contender.library} warms up")
            try:
                entry.warm_up, numbers = _run(contender, numbers=True)
            except LeftOutError as reason:
                entry.left_out = str(reason)
                continue
            if numbers is None:
                continue
            if expected is None:
                expected = numbers
            elif not _agree(expected, numbers):
                entry.left_out = DIFFERS
            else:
                entry.compared = True
        for turn in range(settings.repeats):
            for contender, entry in zip(contenders, entries, strict=True):
                if entry.left_out is None and _affords_another(entry, settings.budget):
                    report(f"{cell.name}: run {turn + 1} of {settings.repeats}, {contender.library}")
                    entry.runs.append(_run(contender)[0])
    _compare(cell, entries)
    return entries


def _run(contender: Contender, *, numbers: bool = False) -> tuple[Run, np.ndarray | None]:
    gc.collect()
    start = time.perf_counter()
    graph = contender.build() if contender.build else None
    built = time.perf_counter()
    result = contender.count(graph)
    ended = time.perf_counter() if contender.seconds is None else built + contender.seconds(result)
    peak = contender.peak_bytes(result) if contender.peak_bytes else None
    array = np.asarray(contender.numbers(result)) if numbers and contender.numbers else None
    return Run(ended - start, ended - built if contender.build else None, peak), array


def _affords_another(entry: Entry, budget: float) -> bool:
    if entry.library == OURS:
        return True
    spent = sum(run.total for run in (entry.warm_up, *entry.runs))
    return spent + entry.counted[-1].total <= budget


def _agree(expected: np.ndarray, actual: np.ndarray) -> bool:
    if expected.shape != actual.shape:
        return False
    if expected.dtype.kind in "iu" and actual.dtype.kind in "iu":
        return bool(np.array_equal(expected, actual))
    # Libraries may round quotients of equal integers differently.
    return bool(np.allclose(expected, actual, rtol=1e-12, atol=1e-15))


def _compare(cell: Cell, entries: list[Entry]) -> None:
    ours = next((entry for entry in entries if entry.library == OURS and entry.left_out is None), None)
    for entry in entries:
        if entry.left_out is not None:
            continue
        if ours is not None and entry is not ours:
            entry.ratio = entry.seconds / ours.seconds
            if entry.count_seconds is not None and ours.count_seconds is not None:
                entry.count_ratio = entry.count_seconds / ours.count_seconds
        if entry.library in cell.goals:
            goal = cell.goals[entry.library]
            entry.goal, entry.goal_met = str(goal), goal.met(entry)
