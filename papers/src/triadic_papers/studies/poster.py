"""Local clustering coefficients by vertices and by edges, on a CPU and on GPUs: the poster's tables."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.generate import RMat
from triadic_papers import vertex_edge_centric as algorithms
from triadic_papers.studies import local_clustering
from triadic_papers.studies.cells import ENGINE, Cell, Workload
from triadic_papers.studies.counters import read_counters
from triadic_papers.studies.networks import SEED, file_workload, model_workload, tiny_network
from triadic_papers.studies.paper_values.poster import GRAPHS
from triadic_papers.studies.poster_tables import REAL, RMAT, comparisons, figures
from triadic_papers.studies.study import Study

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic_papers.studies.study import Scale, StudyOptions

# The poster begins at scale 20; smaller networks serve to predict the time of the slowest program there.
_SCALES: dict[Scale, tuple[int, ...]] = {
    "smoke": (7, 8),
    "small": (13, 14, 15, 16),
    "paper": (16, 18, 20, 21, 22, 23, 24),
}
_EDGES = 16  # drawn for each vertex


def workloads(options: StudyOptions) -> list[Workload]:
    """Return the R-MAT networks by rising scale, then the networks from files."""
    from_files = [file_workload(name, REAL, path) for name, path in options.graphs.items()]
    generated = [
        model_workload(f"rmat-{scale}", RMAT, scale, RMat(scale, _EDGES, seed=SEED), row=f"RMAT{scale}")
        for scale in _SCALES[options.scale]
    ]
    return [*generated, *from_files]


def cells(options: StudyOptions) -> list[Cell]:
    """Return the cells, and a row for each real network of the poster without a file."""
    found = [cell for workload in workloads(options) for cell in _cells(workload, options)]
    for name in GRAPHS:
        if name not in options.graphs:
            reason = f"its file is not given: --graph {name}=FILE"
            found.append(Cell(None, "edge-centric", "any", None, left_out=reason, row=name))
    if not options.devices.gpus:
        found.append(Cell(None, "edge-centric", "cuda", None, left_out="--devices names no GPU", row="all"))
    return found


def _cells(workload: Workload, options: StudyOptions) -> list[Cell]:
    timed = local_clustering.timed
    found: list[Cell] = []
    if options.devices.cpu:
        found += [
            Cell(workload, "node-iterator", "cpu", timed(algorithms.node_iterator)),
            Cell(workload, "node-iterator-plus-plus", "cpu", timed(algorithms.node_iterator_plus_plus)),
        ]
    for device in options.devices.names:
        found += [
            Cell(workload, "vertex-centric", device, timed(partial(algorithms.vertex_centric, device=device))),
            Cell(workload, "edge-centric", device, timed(partial(algorithms.edge_centric, device=device))),
        ]
    if options.profile:
        found += [
            Cell(workload, f"profile-{algorithm}", device, partial(read_counters, algorithm, device), warm_up=False)
            for device in options.devices.gpus or ("cpu",)
            for algorithm in ("vertex-centric", "edge-centric")
        ]
    engine = local_clustering.engine
    return found + [Cell(workload, ENGINE, device, partial(engine, device)) for device in options.devices.names]


def _work(graph: Graph) -> float:
    """Estimate the steps of merging rows by the sum of squared degrees."""
    degree = graph.degree.astype(np.float64)
    return float(degree @ degree)


STUDY = Study(
    name="poster",
    title="Parallel clustering coefficient computation using GPUs",
    paper="T. Reza, T. K. Asawat, M. Ripeanu, poster, University of British Columbia and Jadavpur University",
    about=(
        "Clustering coefficients of all vertices by intersecting sorted lists, one thread per vertex or one thread per "
        "edge, on the CPU and on GPUs, compared with NodeIterator and NodeIterator++; on R-MAT networks (.57, .19, "
        f".19, {_EDGES} edges drawn per vertex; ids shuffled, loops and repeats dropped) and on real networks read "
        "from files. Directions are dropped. Times cover computing and, on a GPU, copies."
    ),
    repeats={"smoke": 3, "small": 5, "paper": 5},
    budget={"smoke": 1.0, "small": 6.0, "paper": 120.0},
    cells=cells,
    expected=local_clustering.expected,
    work=_work,
    tiny_network=tiny_network(),
    comparisons=comparisons,
    figures=figures,
    graphs=GRAPHS,
    any_graph=True,
)
