"""Running a study's cells: each several times within its budget, what is finished never again.

A cell's kernels are compiled on a tiny network first, the engine's on the network itself. What a cell would take is
foretold from the last network on which the same algorithm ran, by the study's own estimate of work: where a single run
would pass the budget, the cell becomes a row that says so. What does run, runs at least three times.
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
from triadic_papers.studies.cells import ENGINE, NotHereError, is_equal
from triadic_papers.studies.results import Result, Run
from triadic_papers.studies.tables import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.graph.graph import Graph
    from triadic_papers.studies.cells import Answer, Cell, Outcome, Scalar, Workload
    from triadic_papers.studies.folder import ResultFolder
    from triadic_papers.studies.study import Study

LEAST_RUNS = 3


@dataclass(frozen=True)
class Settings:
    """How often, and how long.

    Attributes
    ----------
    repeats : int
        Runs of a cell, at least 3.
    budget : float
        Seconds after which no further run of a cell is begun, once there are three.
    """

    repeats: int
    budget: float


class Tell(Protocol):
    """What is told of the cell of a number: what goes on, or what it gave; `kept`, before this call."""

    def __call__(self, number: int, what: str, result: Result | None, *, kept: bool = False) -> object:
        """Tell it."""


def chosen(cells: Sequence[Cell], patterns: Sequence[str]) -> list[Cell]:
    """Give the cells that a pattern matches: all without one.

    A pattern is a cell's name with ``*`` and ``?``, or its beginning up to a ``/``.

    Raises
    ------
    ArgumentError
        A pattern that matches none.
    """
    if not patterns:
        return list(cells)
    for pattern in patterns:
        if not any(_matches(cell.name, pattern) for cell in cells):
            raise ArgumentError(f"--only {pattern}: no such cell; --list names them")
    return [cell for cell in cells if any(_matches(cell.name, pattern) for pattern in patterns)]


def check_files(cells: Sequence[Cell], folder: ResultFolder, machine: str) -> None:
    """Read every file that will be needed, so that one that is no such network is told of at the start.

    Raises
    ------
    ReadError, ArgumentError
        As the file's reader has it.
    """
    waiting = [cell.workload for cell in cells if cell.workload and not folder.finished(cell, machine)]
    for workload in {each.name: each for each in waiting if each.path}.values():
        with suppress(OutOfMemoryError):  # which will be a row that says so
            workload.make()


def run_cells(
    study: Study,
    cells: Sequence[Cell],
    folder: ResultFolder,
    settings: Settings,
    machine: str,
    tell: Tell,
) -> None:
    """Run what is not finished, network by network, and keep each cell as soon as it is done.

    Parameters
    ----------
    study : Study
    cells : sequence of Cell
        Those of one network next to each other.
    folder : ResultFolder
    settings : Settings
    machine : str
        Key of this machine.
    tell : callable
    """
    state = _Session(study, settings, machine)
    for number, cell in enumerate(cells):
        done = folder.finished(cell, machine)
        if done is not None:
            state.remember(cell, done)
            tell(number, "", done, kept=True)
            continue
        result = state.result(cell, partial(_tell, tell, number))
        folder.keep(result)
        tell(number, "", result)


def _tell(tell: Tell, number: int, what: str) -> None:
    tell(number, what, None)


class _Session:
    """The network at hand with the engine's answer, and how long algorithms took so far."""

    def __init__(self, study: Study, settings: Settings, machine: str) -> None:
        self.study, self.settings, self.machine = study, settings, machine
        self.workload: Workload | None = None
        self.graph: Graph | None = None
        self.trouble = ""
        self.expected: Answer = {}
        self.work = self.loaded = 0.0
        self.warm: set[tuple[object, ...]] = set()
        self.rates: dict[tuple[object, ...], float] = {}  # seconds a unit of work

    def result(self, cell: Cell, say: Callable[[str], object]) -> Result:
        """Run a cell, or say why not."""
        run = cell.run
        if run is None or cell.workload is None:
            return self._left_out(cell, cell.left_out)
        try:
            graph = self._load(cell.workload, say)
            self._check_budget(cell)
            self._warm_up(cell, run, graph, say)
            return self._repeat(cell, run, graph, say)
        except (NotHereError, UnsupportedError, MissingExtraError, DeviceError, OutOfMemoryError) as reason:
            return self._left_out(cell, str(reason))
        except MemoryError as reason:
            return self._left_out(cell, f"out of memory: {reason}")

    def remember(self, cell: Cell, result: Result) -> None:
        """Take a finished cell's time into account for the next network."""
        if result.median is not None and result.work:
            self.rates[_series(cell)] = self.rates[_series(cell)[1:]] = result.median / result.work

    def _left_out(self, cell: Cell, reason: str) -> Result:
        graph = self.graph if self.workload is cell.workload else None
        vertices = graph.num_vertices if graph else 0
        edges = _links(graph) if graph else 0
        return Result.of_cell(
            cell, machine=self.machine, vertices=vertices, edges=edges, left_out=" ".join(reason.split())
        )

    def _load(self, workload: Workload, say: Callable[[str], object]) -> Graph:
        if self.workload is not workload:
            self.workload, self.graph, self.trouble, self.expected = workload, None, "", {}
            gc.collect()
            say(f"{'reads' if workload.path else 'makes'} {workload.name}")
            begun = time.perf_counter()
            try:
                graph = workload.make()
            except OutOfMemoryError as error:
                self.trouble = str(error)
            else:
                self.loaded = time.perf_counter() - begun if workload.path else 0.0
                say(f"the engine on {workload.name}")
                self.work = max(1.0, float(self.study.work(graph)))
                self.expected = self.study.expected(graph)
                self.graph = graph
        if self.graph is None:
            raise NotHereError(self.trouble)
        return self.graph

    def _check_budget(self, cell: Cell) -> None:
        series = _series(cell)
        rate = self.rates.get(series, self.rates.get(series[1:]))  # of networks of its kind, else of any
        if rate is None or cell.algorithm == ENGINE:
            return
        foretold = rate * self.work
        if foretold > self.settings.budget:
            raise NotHereError(
                f"one run would take about {shown(foretold)} s, by the time on the network before; "
                f"--cell-budget is {self.settings.budget:g} s"
            )

    def _warm_up(self, cell: Cell, run: Callable[[Graph], Outcome], graph: Graph, say: Callable[[str], object]) -> None:
        if cell.algorithm == ENGINE:  # it chooses its kernels by the network
            run(graph)
            return
        key = _series(cell)[1:]
        if cell.warm_up and key not in self.warm:
            say("compiles")
            run(self.study.tiny())
            self.warm.add(key)

    def _repeat(
        self, cell: Cell, run: Callable[[Graph], Outcome], graph: Graph, say: Callable[[str], object]
    ) -> Result:
        runs: list[Run] = []
        equal, spent = True, 0.0
        facts: dict[str, Scalar] = {}
        while len(runs) < LEAST_RUNS or (len(runs) < self.settings.repeats and spent < self.settings.budget):
            say(f"run {len(runs) + 1} of {self.settings.repeats}")
            begun = time.perf_counter()
            outcome = run(graph)
            took = time.perf_counter() - begun
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
    """Give what cells of one algorithm on several networks have in common."""
    kind = cell.workload.kind if cell.workload else ""
    return (kind, cell.algorithm, cell.device, *sorted(cell.parameters.items()))


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) or name.startswith(f"{pattern}/")
