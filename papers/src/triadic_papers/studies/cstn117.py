"""CSTN-117: Newman's clustering coefficient on one core, threads, TBB, the Cell's program, one GPU and several."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from triadic import triangle_count
from triadic.generate import BarabasiAlbert, WattsStrogatz
from triadic_papers import cstn117 as algorithms
from triadic_papers.studies.cells import ENGINE, Cell, Outcome, Workload
from triadic_papers.studies.cstn117_tables import comparisons, figures
from triadic_papers.studies.engine import from_rows
from triadic_papers.studies.networks import SEED, model_workload, tiny_network
from triadic_papers.studies.study import Study

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.graph.graph import Graph
    from triadic_papers.cstn117 import Counts
    from triadic_papers.studies.cells import Answer, Scalar
    from triadic_papers.studies.study import Scale, StudyOptions

    Run = Callable[[Graph], Outcome]
    Kernel = Literal["auto", 1, 2]

_SMALL_WORLD: dict[Scale, tuple[int, ...]] = {
    "smoke": (300, 600),
    "small": (10_000, 20_000, 30_000, 40_000, 50_000),
    "paper": tuple(range(100_000, 1_000_001, 100_000)),
}
_SCALE_FREE: dict[Scale, tuple[int, ...]] = {
    "smoke": (200, 400),
    "small": (2000, 4000, 6000, 8000, 10_000),
    "paper": tuple(range(20_000, 200_001, 20_000)),
}
_K, _P, _LINKS = 50, 0.1, 25  # 50 neighbours on average; each new vertex of a scale-free network adds 25 links
_UNTIMED = ("layout", "compile")  # the paper times the programs from the arrays on
_MOST_CARDS = 4


def workloads(scale: Scale) -> list[Workload]:
    """Return the networks of figures 4 and 5, small-world networks first, by rising size."""
    return [
        *(
            model_workload(f"small-world-{v}", "small-world", v, WattsStrogatz(v, _K, _P, seed=SEED))
            for v in _SMALL_WORLD[scale]
        ),
        *(
            model_workload(f"scale-free-{v}", "scale-free", v, BarabasiAlbert(v, _LINKS, seed=SEED))
            for v in _SCALE_FREE[scale]
        ),
    ]


def cells(options: StudyOptions) -> list[Cell]:
    """Return the cells: every device of the paper, both kernels and the choice between them, and the engine."""
    return [cell for workload in workloads(options.scale) for cell in _cells(workload, options)] + [
        Cell(
            None,
            f"kernel-{kernel}",
            "cuda",
            None,
            {"cards": cards},
            left_out=_NO_GPU if cards == 1 else _NO_CARDS.format(cards=cards),
            row=kind,
        )
        for kind, kernel in (("small-world", 1), ("scale-free", 2))
        for cards in (1, 2, _MOST_CARDS)
        if not _has_cards(options, cards)
    ]


_NO_GPU = "--devices names no GPU"
_NO_CARDS = "--devices names no {cards} GPUs together, as cuda:0,1 would"


def _has_cards(options: StudyOptions, cards: int) -> bool:
    return bool(options.devices.gpus) if cards == 1 else options.devices.with_cards(cards) is not None


def _cells(workload: Workload, options: StudyOptions) -> list[Cell]:
    def cell(algorithm: str, device: str, run: Run, **parameters: Scalar) -> Cell:
        return Cell(workload, algorithm, device, run, parameters)

    found = []
    if options.devices.cpu:
        found += [
            cell("sequential", "cpu", _timed(algorithms.clustering)),
            cell("pthreads", "cpu", _timed(algorithms.clustering_pthreads)),
            Cell(
                workload, "tbb", "cpu", _timed(algorithms.clustering_tbb), warm_up=False
            ),  # runs in a separate process
            cell("cell", "cpu", _timed(algorithms.clustering_phases)),
        ]
    for gpu in options.devices.gpus:
        for prefetch in (True, False):
            one = partial(algorithms.clustering_cuda, device=gpu, prefetch=prefetch)
            found += [
                cell(f"kernel-{kernel}", gpu, _timed(partial(one, kernel=kernel)), prefetch=prefetch)
                for kernel in _BOTH
            ]
        found.append(cell("kernel-auto", gpu, _choosing(gpu)))
    for cards in options.devices.sets:
        for prefetch in (True, False):
            several = partial(algorithms.clustering_multi_gpu, device=cards, prefetch=prefetch)
            found += [
                cell(f"kernel-{kernel}", cards, _timed(partial(several, kernel=kernel)), prefetch=prefetch)
                for kernel in _BOTH
            ]
    found += [
        cell(ENGINE, device, partial(_engine, device)) for device in (*options.devices.names, *options.devices.sets)
    ]
    return found


_BOTH: tuple[Kernel, ...] = (1, 2)


def _timed(count: Callable[[Graph], Counts]) -> Run:
    def run(graph: Graph) -> Outcome:
        return _outcome(count(graph))

    return run


def _choosing(gpu: str) -> Run:
    def run(graph: Graph) -> Outcome:
        found = _outcome(algorithms.clustering_cuda(graph, device=gpu, kernel="auto"))
        return Outcome(
            found.answer, found.seconds, found.phases, {**found.facts, "chose": algorithms.choose_kernel(graph)}
        )

    return run


def _outcome(counts: Counts) -> Outcome:
    phases = {name: seconds for name, seconds in counts.seconds.items() if name not in _UNTIMED}
    coefficient = counts.coefficient
    return Outcome(
        {"triangles": counts.triangles, "paths": counts.paths},
        sum(phases.values()),
        phases,
        {} if coefficient is None else {"C": coefficient},
    )


def _engine(device: str, graph: Graph) -> Outcome:
    found, phases = from_rows(graph, lambda fresh: triangle_count(fresh, device=device))
    return Outcome(_answer(graph, found), sum(phases.values()), phases)


def _expected(graph: Graph) -> Answer:
    return _answer(graph, triangle_count(graph))


def _answer(graph: Graph, triangles: int) -> Answer:
    """Return the paper's counts of an undirected network: two directions for each triangle and each path."""
    degree = graph.degree
    return {"triangles": 2 * int(triangles), "paths": int(degree @ (degree - 1))}


def _work(graph: Graph) -> float:
    """Return the number of walks of three arcs; algorithm 1 visits about a sixth of them."""
    source, target = graph.edges()
    degree = graph.degree.astype(np.float64)
    return float(2 * (degree[source] @ degree[target]))


STUDY = Study(
    name="cstn117",
    title="GP-GPU and multi-core architectures for computing clustering coefficients of irregular graphs",
    paper="A. Leist, K. A. Hawick, D. P. Playne, CSTN-117, CSC'11, Las Vegas 2011",
    about=(
        "Triangles and paths of two arcs in Watts-Strogatz networks (k = 50 in total, p = 0.1) and Barabási-Albert "
        "networks (25 links per vertex) of rising size, with the paper's programs for one core, POSIX threads, TBB, "
        "the Cell processor (its program runs on this machine's threads), one GPU and several. Times cover counting "
        "from rows in memory, copies to GPUs and the host's sort for kernel 2, but not compilation. The engine starts "
        "with the same rows and ranks the vertices first."
    ),
    repeats={"smoke": 3, "small": 5, "paper": 20},
    budget={"smoke": 1.0, "small": 6.0, "paper": 120.0},
    cells=cells,
    expected=_expected,
    work=_work,
    tiny_network=tiny_network(),
    comparisons=comparisons,
    figures=figures,
)
