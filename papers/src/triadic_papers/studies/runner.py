"""Runs the cells of a study: each several times within its budget; finished cells are not run again.

The kernels of a cell are compiled on a tiny network first, those of the engine on the network itself. The time of a
cell is predicted from the last network on which the same algorithm ran, scaled by the study's estimate of the work: if
a single run would exceed the budget, the cell is left out, and its row shows the prediction. All other cells run at
least three times.
"""

from __future__ import annotations

import gc
import time
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Protocol

from triadic.errors import ArgumentError, DeviceError, MissingExtraError, OutOfMemoryError, UnsupportedError
from triadic_papers.studies.cells import ENGINE, UnavailableError, is_equal
from triadic_papers.studies.results import Result, Run
from triadic_papers.studies.tables import format_entry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.graph.graph import Graph
    from triadic_papers.studies.cells import Answer, Cell, Outcome, Scalar, Workload
    from triadic_papers.studies.folder import ResultFolder
    from triadic_papers.studies.study import Study

MIN_RUNS = 3


@dataclass(frozen=True)
class Settings:
    """Number of runs and time limit per cell.

    Attributes
    ----------
    repeats : int
        Runs per cell, at least 3.
    budget : float
        Seconds after which no further run of a cell starts, once it has run three times.
    """

    repeats: int
    budget: float


class ProgressCallback(Protocol):
    """Function that is called with the number of a cell and its current step, or its result."""

    def __call__(self, number: int, step: str, result: Result | None, *, is_old: bool = False) -> object:
        """Report a step or a result; `is_old` is True for a result of an earlier call."""


def select_cells(cells: Sequence[Cell], patterns: Sequence[str]) -> list[Cell]:
    """Return the cells that match a pattern; all cells without patterns.

    A pattern is the name of a cell with ``*`` and ``?``, or its beginning up to a ``/``.

    Raises
    ------
    ArgumentError
        A pattern matches no cell.
    """
    if not patterns:
        return list(cells)
    for pattern in patterns:
        if not any(_matches(cell.name, pattern) for cell in cells):
            raise ArgumentError(f"--only {pattern}: no such cell; --list names them")
    return [cell for cell in cells if any(_matches(cell.name, pattern) for pattern in patterns)]


def check_files(cells: Sequence[Cell], folder: ResultFolder, machine: str) -> None:
    """Read every file that the cells need, so that an invalid file raises its error at the start.

    Raises
    ------
    ReadError, ArgumentError
        As raised by the file's reader.
    """
    waiting = [cell.workload for cell in cells if cell.workload and not folder.valid_result(cell, machine)]
    for workload in {workload.name: workload for workload in waiting if workload.path}.values():
        with suppress(OutOfMemoryError):  # becomes a row with the reason
            workload.make()


def run_cells(
    study: Study,
    cells: Sequence[Cell],
    folder: ResultFolder,
    settings: Settings,
    machine: str,
    progress: ProgressCallback,
) -> None:
    """Run the unfinished cells, network by network, and write each result as soon as its cell is finished.

    Parameters
    ----------
    study : Study
    cells : sequence of Cell
        The cells of one network are consecutive.
    folder : ResultFolder
    settings : Settings
    machine : str
        Key of this machine.
    progress : callable
        Called for each step and each result.
    """
    state = _Session(study, settings, machine)
    for number, cell in enumerate(cells):
        done = folder.valid_result(cell, machine)
        if done is not None:
            state.remember(cell, done)
            progress(number, "", done, is_old=True)
            continue
        result = state.result(cell, partial(_show_step, progress, number))
        folder.add(result)
        progress(number, "", result)


def _show_step(progress: ProgressCallback, number: int, step: str) -> None:
    progress(number, step, None)


class _Session:
    """The current network with the engine's answer, and the measured rates of the algorithms."""

    def __init__(self, study: Study, settings: Settings, machine: str) -> None:
        self.study, self.settings, self.machine = study, settings, machine
        self.workload: Workload | None = None
        self.graph: Graph | None = None
        self.trouble = ""
        self.expected: Answer = {}
        self.work = self.loaded = 0.0
        self.warm: set[tuple[object, ...]] = set()
        self.rates: dict[tuple[object, ...], float] = {}  # seconds per unit of work

    def result(self, cell: Cell, show: Callable[[str], object]) -> Result:
        """Run a cell, or return the reason why it cannot run."""
        run = cell.run
        if run is None or cell.workload is None:
            return self._left_out(cell, cell.left_out)
        try:
            graph = self._load(cell.workload, show)
            self._check_budget(cell)
            self._warm_up(cell, run, graph, show)
            return self._repeat(cell, run, graph, show)
        except (UnavailableError, UnsupportedError, MissingExtraError, DeviceError, OutOfMemoryError) as reason:
            return self._left_out(cell, str(reason))
        except MemoryError as reason:
            return self._left_out(cell, f"out of memory: {reason}")

    def remember(self, cell: Cell, result: Result) -> None:
        """Store a finished cell's time to predict the time on the next network."""
        if result.median is not None and result.work:
            self.rates[_series(cell)] = self.rates[_series(cell)[1:]] = result.median / result.work

    def _left_out(self, cell: Cell, reason: str) -> Result:
        graph = self.graph if self.workload is cell.workload else None
        vertices = graph.num_vertices if graph else 0
        edges = _links(graph) if graph else 0
        return Result.of_cell(
            cell, machine=self.machine, vertices=vertices, edges=edges, left_out=" ".join(reason.split())
        )

    def _load(self, workload: Workload, show: Callable[[str], object]) -> Graph:
        if self.workload is not workload:
            self.workload, self.graph, self.trouble, self.expected = workload, None, "", {}
            gc.collect()
            show(f"{'reads' if workload.path else 'makes'} {workload.name}")
            start = time.perf_counter()
            try:
                graph = workload.make()
            except OutOfMemoryError as error:
                self.trouble = str(error)
            else:
                self.loaded = time.perf_counter() - start if workload.path else 0.0
                show(f"the engine on {workload.name}")
                self.work = max(1.0, float(self.study.work(graph)))
                self.expected = self.study.expected(graph)
                self.graph = graph
        if self.graph is None:
            raise UnavailableError(self.trouble)
        return self.graph

    def _check_budget(self, cell: Cell) -> None:
        series = _series(cell)
        rate = self.rates.get(series, self.rates.get(series[1:]))  # rate on networks of the same kind, else on any
        if rate is None or cell.algorithm == ENGINE:
            return
        predicted = rate * self.work
        if predicted > self.settings.budget:
            raise UnavailableError(
                f"one run would take about {format_entry(predicted)} s, by the time on the network before; "
                f"--cell-budget is {self.settings.budget:g} s"
            )

    def _warm_up(
        self, cell: Cell, run: Callable[[Graph], Outcome], graph: Graph, show: Callable[[str], object]
    ) -> None:
        if cell.algorithm == ENGINE:  # the engine chooses its kernels by the network
            run(graph)
            return
        key = _series(cell)[1:]
        if cell.warm_up and key not in self.warm:
            show("compiles")
            run(self.study.tiny_network())
            self.warm.add(key)

    def _repeat(
        self, cell: Cell, run: Callable[[Graph], Outcome], graph: Graph, show: Callable[[str], object]
    ) -> Result:
        runs: list[Run] = []
        equal, spent = True, 0.0
        facts: dict[str, Scalar] = {}
        while len(runs) < MIN_RUNS or (len(runs) < self.settings.repeats and spent < self.settings.budget):
            show(f"run {len(runs) + 1} of {self.settings.repeats}")
            start = time.perf_counter()
            outcome = run(graph)
            took = time.perf_counter() - start
            spent += took
            runs.append(Run(took if outcome.seconds is None else outcome.seconds, dict(outcome.phases)))
            equal = equal and is_equal(self.expected, outcome.answer)
            facts = dict(outcome.facts)
        result = Result.of_cell(
            cell,
            machine=self.machine,
            vertices=graph.num_vertices,
            edges=_links(graph),
            runs=tuple(runs),
            work=self.work,
            loaded=self.loaded,
            facts=facts,
            equal=equal,
        )
        self.remember(cell, result)
        return result


def _links(graph: Graph) -> int:
    return graph.num_arcs if graph.directed else graph.num_edges


def _series(cell: Cell) -> tuple[object, ...]:
    """Return the key that cells of one algorithm on several networks share."""
    kind = cell.workload.kind if cell.workload else ""
    return (kind, cell.algorithm, cell.device, *sorted(cell.parameters.items()))


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) or name.startswith(f"{pattern}/")
