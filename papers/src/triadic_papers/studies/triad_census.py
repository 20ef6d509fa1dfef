"""The triad census over lists, rows, task queues and on a GPU: tables of chapters 4 and 5 of the thesis."""

from __future__ import annotations

import time
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

from triadic import triad_census as engine_census
from triadic.core.blocks import allowed_threads
from triadic.generate import RMat
from triadic_papers import batagelj_mrvar
from triadic_papers.adjacency import adjacency
from triadic_papers.batagelj_mrvar_gpu import QUEUES, copy_to_device, set_memory
from triadic_papers.batagelj_mrvar_lists import VERSIONS, lists
from triadic_papers.batagelj_mrvar_queues import BALANCES, task_queues, work_estimates
from triadic_papers.studies.cells import ENGINE, Cell, Outcome, Workload
from triadic_papers.studies.engine import from_rows
from triadic_papers.studies.networks import SEED, file_workload, model_workload, tiny_network
from triadic_papers.studies.paper_values.triad_census import GRAPHS
from triadic_papers.studies.study import Study
from triadic_papers.studies.triad_census_tables import comparisons, figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.graph.graph import Graph
    from triadic.measures.census import Census
    from triadic_papers.adjacency import Adjacency
    from triadic_papers.batagelj_mrvar_lists import Version
    from triadic_papers.batagelj_mrvar_queues import Balance
    from triadic_papers.studies.cells import Answer, Scalar
    from triadic_papers.studies.study import Scale, StudyOptions

_RMAT: dict[Scale, tuple[int, ...]] = {"smoke": (7,), "small": (9, 10, 11, 12), "paper": (12, 14, 16)}
_LINKS = 8
_SWEEP: dict[Scale, tuple[int, ...]] = {
    "smoke": (1, 16, 700),
    "small": (1, 2, 4, 8, 16, 64, 256, 700),
    "paper": (1, 2, 4, 8, 16, 32, 64, 128, 256, 400, 600, 700),
}


def workloads(options: StudyOptions) -> list[Workload]:
    """Return the R-MAT networks, then the networks from files."""
    from_files = [file_workload(name, name, path) for name, path in options.graphs.items()]
    generated = [
        model_workload(
            f"rmat-{scale}", "rmat", scale, RMat(scale, _LINKS, seed=SEED, directed=True), row=f"R-MAT {scale}"
        )
        for scale in _RMAT[options.scale]
    ]
    return [*generated, *from_files]


def cells(options: StudyOptions) -> list[Cell]:
    """Return the cells, and a row for each network of the thesis without a file."""
    found = [cell for workload in workloads(options) for cell in _cells(workload, options)]
    for name in GRAPHS:
        if name not in options.graphs:
            reason = f"its file is not given: --graph {name}=FILE"
            found.append(Cell(None, "census", "any", None, left_out=reason, row=name))
    if not options.devices.gpus:
        found.append(Cell(None, "gpu", "cuda", None, left_out="--devices names no GPU", row="all"))
    return found


def _cells(workload: Workload, options: StudyOptions) -> list[Cell]:
    found: list[Cell] = []
    if options.devices.cpu:
        threads = allowed_threads()
        found.append(Cell(workload, "estimates", "cpu", _estimates))
        found += [
            Cell(workload, "lists", "cpu", partial(_lists, version), {"version": version}) for version in VERSIONS
        ]
        found.append(Cell(workload, "rows", "cpu", _rows_sequential))
        found += [_queues(workload, balance, threads) for balance in BALANCES]
        found.append(_queues(workload, "estimate", threads, shared=True))
        found += [_queues(workload, "estimate", count) for count in _SWEEP[options.scale] if count != threads]
    for gpu in options.devices.gpus:
        found += [
            Cell(workload, "gpu", gpu, partial(_on_gpu, gpu, shared), {"shared": shared}) for shared in (False, True)
        ]
    return found + [Cell(workload, ENGINE, device, partial(_engine, device)) for device in options.devices.names]


def _queues(workload: Workload, balance: Balance, threads: int, *, shared: bool = False) -> Cell:
    parameters: dict[str, Scalar] = {"balance": balance.replace(" ", "-"), "threads": threads, "shared": shared}
    return Cell(workload, "queues", "cpu", partial(_by_queues, balance, threads, shared), parameters)


class _Clock:
    """Stopwatch for the phases of a run."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[phase] = time.perf_counter() - start

    def outcome(self, census: Census, **facts: int) -> Outcome:
        """Return the outcome of the run; its time excludes reading."""
        return Outcome({"census": _counts(census)}, sum(self.seconds.values()), self.seconds, facts)


def _lists(version: Version, graph: Graph) -> Outcome:
    clock = _Clock()
    rows = _adjacency(graph)  # corresponds to the file in memory; not timed
    with clock("sets"):
        linked_lists = lists(rows, version)
    with clock("census"):
        found = linked_lists.census()
    return clock.outcome(found, bytes=linked_lists.nbytes)


def _rows_sequential(graph: Graph) -> Outcome:
    clock = _Clock()
    with clock("sets"):
        rows = adjacency(graph)
    with clock("census"):
        found = batagelj_mrvar.census(rows)
    return clock.outcome(found, bytes=sum(array.nbytes for array in rows if isinstance(array, np.ndarray)))


def _by_queues(balance: Balance, threads: int, shared: bool, graph: Graph) -> Outcome:
    clock = _Clock()
    with clock("sets"):
        rows = adjacency(graph)
    with clock("queues"):
        tasks = task_queues(rows, queues=threads, balance=balance)
    with clock("census"):
        found = batagelj_mrvar.count_queues(rows, tasks, shared=shared, threads=threads)
    return clock.outcome(found)


def _on_gpu(gpu: str, shared: bool, graph: Graph) -> Outcome:
    clock = _Clock()
    with clock("sets"):
        rows = adjacency(graph)
    with clock("queues"):
        tasks = task_queues(rows, queues=QUEUES)
    with clock("copy"):
        ready = copy_to_device(rows, tasks, device=gpu)
        ready.runtime.synchronize()
    with clock("census"):
        found = ready.census(shared=shared)
    return clock.outcome(found, bytes=ready.nbytes)


def _estimates(graph: Graph) -> Outcome:
    """Return the loads of table 4.12, and the memory of tables 5.1 and 5.2."""
    rows = _adjacency(graph)
    loads = work_estimates(rows)
    memory = set_memory(rows, task_queues(rows, queues=QUEUES))
    return Outcome(
        {"authors": loads.authors, "estimate": loads.estimate}, facts={**loads._asdict(), **memory._asdict()}
    )


def _engine(device: str, graph: Graph) -> Outcome:
    found, phases = from_rows(graph, lambda fresh: engine_census(fresh, device=device))
    return Outcome({"census": _counts(found)}, sum(phases.values()), phases)


def _expected(graph: Graph) -> Answer:
    """Return the engine's census, and the sum of squared degrees, which equals |N(u)| + |N(v)| over all edges."""
    degree = np.diff(_adjacency(graph).indptr)
    squares = int(degree @ degree)
    return {"census": _counts(engine_census(graph)), "authors": squares, "estimate": squares - int(degree.sum())}


def _counts(census: Census) -> tuple[int, ...]:
    return tuple(int(count) for count in census.values())


def _work(graph: Graph) -> float:
    """Estimate work by |N(u)| + |N(v)| over all edges, as the thesis does."""
    degree = np.diff(_adjacency(graph).indptr).astype(np.float64)
    return float(degree @ degree)


_adjacency: Callable[[Graph], Adjacency] = lru_cache(maxsize=2)(adjacency)

STUDY = Study(
    name="triad-census",
    title="The triad census on multicore and GPU",
    paper=(
        "S. Nagpal, Study and evaluation of an irregular graph algorithm on multicore and GPU processor architectures, "
        "master's thesis, Lugano 2013; V. Batagelj, A. Mrvar, A subquadratic triad census algorithm, 2001"
    ),
    about=(
        "Batagelj and Mrvar's census on labelled linked lists (v0.1 to v0.5), on sorted rows, with task queues on "
        "threads (v0.6, v0.7 and simpler ways to cut the queues) and on a GPU. The networks are the thesis's, read "
        f"from files, and directed R-MAT networks with {_LINKS} links per vertex. Times include building lists or "
        "rows, queues, copies and counting; totals with reading are listed separately."
    ),
    repeats={"smoke": 3, "small": 5, "paper": 5},
    budget={"smoke": 1.0, "small": 4.0, "paper": 120.0},
    cells=cells,
    expected=_expected,
    work=_work,
    tiny_network=tiny_network(directed=True),
    comparisons=comparisons,
    figures=figures,
    graphs=GRAPHS,
    any_graph=True,
)
