"""The first five graphlets over grids and blocks: table 1 of the report "FGLT with CUDA"."""

from __future__ import annotations

import time
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from triadic import graphlet_transform
from triadic.generate import Delaunay, RMat
from triadic_papers.adjacency import adjacency
from triadic_papers.fglt import first_five
from triadic_papers.fglt_gpu import gpu_first_five
from triadic_papers.studies.cells import ENGINE, Cell, Outcome, Workload
from triadic_papers.studies.engine import from_rows
from triadic_papers.studies.fglt_tables import comparisons, figures
from triadic_papers.studies.networks import SEED, file_workload, model_workload, tiny_network
from triadic_papers.studies.paper_values.fglt import BY_BLOCKS, BY_THREADS, GRAPHS
from triadic_papers.studies.study import Study
from triadic_papers.studies.substitute_networks import mesh, roads

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.graph.graph import Graph
    from triadic_papers.adjacency import Adjacency
    from triadic_papers.fglt import FirstFive
    from triadic_papers.studies.cells import Answer, Scalar
    from triadic_papers.studies.study import Scale, StudyOptions

# At the paper's scale: a mesh of 77³ points; streets of 10 pieces, 7.7 million vertices; 2^22 points; 2^20 vertices.
_MESH: dict[Scale, int] = {"smoke": 5, "small": 24, "paper": 77}
_ROADS: dict[Scale, int] = {"smoke": 5, "small": 80, "paper": 638}
_PIECES = 10
_DELAUNAY: dict[Scale, int] = {"smoke": 8, "small": 16, "paper": 22}
_RMAT: dict[Scale, int] = {"smoke": 7, "small": 14, "paper": 20}
_LINKS = 3
_THREADS, _GRID = 32, 256  # the fixed values in the halves of table 1
_BEST_GRID = 1024


def workloads(options: StudyOptions) -> list[Workload]:
    """Return the report's four networks: from files if given, else generated networks of the same kind and size."""
    scale = options.scale
    generated = (
        Workload("mesh", "auto", 0.0, f"mesh({_MESH[scale]})", partial(mesh, _MESH[scale]), "mesh (stand-in for auto)"),
        Workload(
            "roads",
            "great-britain_osm",
            0.0,
            f"roads({_ROADS[scale]}, {_PIECES})",
            partial(roads, _ROADS[scale], _PIECES),
            "roads (stand-in for great-britain_osm)",
        ),
        model_workload(
            "delaunay",
            "delaunay_n22",
            0.0,
            Delaunay(1 << _DELAUNAY[scale], seed=SEED),
            row="Delaunay (stand-in for delaunay_n22)",
        ),
        model_workload(
            "scale-free",
            "com-Youtube",
            0.0,
            RMat(_RMAT[scale], _LINKS, seed=SEED),
            row="R-MAT (stand-in for com-Youtube)",
        ),
    )
    from_files = [
        file_workload(name, name, path, symmetric_only="the FGLT report") for name, path in options.graphs.items()
    ]
    return [*(workload for workload in generated if workload.kind not in options.graphs), *from_files]


def cells(options: StudyOptions) -> list[Cell]:
    """Return the cells: the serial program, grids and blocks on each device, streams on and off, the engine."""
    found = []
    for workload in workloads(options):
        if options.devices.cpu:
            found += [
                Cell(workload, "serial", "cpu", _timed(partial(first_five, threads=1))),
                Cell(workload, "threads", "cpu", _timed(first_five)),
            ]
        for gpu in options.devices.gpus:
            found += [_on_gpu(workload, gpu, grid=grid, block=_THREADS) for grid in BY_BLOCKS]
            found += [_on_gpu(workload, gpu, grid=_GRID, block=block) for block in BY_THREADS if block != _THREADS]
            found.append(_on_gpu(workload, gpu, grid=_BEST_GRID, block=_THREADS, overlap=False))
        found += [Cell(workload, ENGINE, device, partial(_engine, device)) for device in options.devices.names]
    if not options.devices.gpus:
        found.append(Cell(None, "fglt", "cuda", None, left_out="--devices names no GPU", row="all"))
    return found


def _on_gpu(workload: Workload, gpu: str, **parameters: int | bool) -> Cell:
    cell_parameters: dict[str, Scalar] = {"overlap": True, **parameters}
    count = partial(gpu_first_five, device=gpu, **parameters)  # type: ignore[arg-type]  # grid, block: int; overlap: bool
    return Cell(workload, "fglt", gpu, _timed(count), cell_parameters)


# The report's times start with the rows, so they are made once per network.
_rows = lru_cache(maxsize=2)(adjacency)


def _timed(count: Callable[[Adjacency], FirstFive]) -> Callable[[Graph], Outcome]:
    def run(graph: Graph) -> Outcome:
        rows = _rows(graph)
        start = time.perf_counter()
        found = count(rows)
        seconds = time.perf_counter() - start
        return Outcome({"raw": found.raw, "net": found.net}, seconds)

    return run


def _engine(device: str, graph: Graph) -> Outcome:
    def count(fresh: Graph) -> Answer:
        found = graphlet_transform(fresh, size=3, device=device)
        return {"raw": found.raw, "net": found.net}

    answer, phases = from_rows(graph, count)
    return Outcome(answer, sum(phases.values()), phases)


def _expected(graph: Graph) -> Answer:
    found = graphlet_transform(graph, size=3)
    return {"raw": found.raw, "net": found.net}


def _work(graph: Graph) -> float:
    """Estimate the steps of merging rows by the sum of squared degrees."""
    degree = graph.degree.astype(float)
    return float(degree @ degree)


STUDY = Study(
    name="fglt",
    title="FGLT with CUDA: the first five graphlets, one block per row",
    paper="A. Athanasiadis, Parallel & Distributed Computer Systems, exercise 3, 2023",
    about=(
        "Raw and net frequencies of the first five graphlets at every vertex, for grids of 64 to 4096 blocks of 32 "
        "threads, and for 256 blocks of 32 to 512 threads; end to end, with copies to the device and back, from rows "
        "in memory. The report's matrices are read from files; without a file, a generated network of the same kind "
        "replaces it: a mesh of tetrahedra, a grid of crossings with streets of 10 pieces, a Delaunay triangulation, "
        "an R-MAT network with 3 links per vertex."
    ),
    repeats={"smoke": 3, "small": 5, "paper": 10},
    budget={"smoke": 1.0, "small": 2.0, "paper": 60.0},
    cells=cells,
    expected=_expected,
    work=_work,
    tiny_network=tiny_network(),
    comparisons=comparisons,
    figures=figures,
    graphs=GRAPHS,
    any_graph=True,
)
