"""Local clustering coefficients by vertices and by edges, on a CPU and on GPUs: the poster's tables."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.generate import RMat
from triadic_papers import vertex_edge_centric as published
from triadic_papers.studies import local_clustering
from triadic_papers.studies.cells import ENGINE, Cell, Workload
from triadic_papers.studies.counters import read_counters
from triadic_papers.studies.networks import SEED, of_file, of_model, tiny
from triadic_papers.studies.paper_values.poster import GRAPHS
from triadic_papers.studies.poster_tables import REAL, RMAT, comparisons, figures
from triadic_papers.studies.study import Study

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic_papers.studies.study import Asked, Scale

# The paper's begin at 20; those before tell how long a run of the slowest would take there.
_SCALES: dict[Scale, tuple[int, ...]] = {
    "smoke": (7, 8),
    "small": (13, 14, 15, 16),
    "paper": (16, 18, 20, 21, 22, 23, 24),
}
_EDGES = 16  # drawn for each vertex


def workloads(asked: Asked) -> list[Workload]:
    """Give R-MAT by rising scale, then the networks by path."""
    given = [of_file(name, REAL, path) for name, path in asked.graphs.items()]
    made = [
        of_model(f"rmat-{scale}", RMAT, scale, RMat(scale, _EDGES, seed=SEED), row=f"RMAT{scale}")
        for scale in _SCALES[asked.scale]
    ]
    return [*made, *given]


def cells(asked: Asked) -> list[Cell]:
    """Give the cells, and a row for each real network of the poster that is not given."""
    found = [cell for workload in workloads(asked) for cell in _cells(workload, asked)]
    for name in GRAPHS:
        if name not in asked.graphs:
            reason = f"its file is not given: --graph {name}=FILE"
            found.append(Cell(None, "edge-centric", "any", None, left_out=reason, row=name))
    if not asked.devices.gpus:
        found.append(Cell(None, "edge-centric", "cuda", None, left_out="--devices names no GPU", row="all"))
    return found


def _cells(workload: Workload, asked: Asked) -> list[Cell]:
    timed = local_clustering.timed
    found: list[Cell] = []
    if asked.devices.cpu:
        found += [
            Cell(workload, "node-iterator", "cpu", timed(published.node_iterator)),
            Cell(workload, "node-iterator-plus-plus", "cpu", timed(published.node_iterator_plus_plus)),
        ]
    for device in asked.devices.names:
        found += [
            Cell(workload, "vertex-centric", device, timed(partial(published.vertex_centric, device=device))),
            Cell(workload, "edge-centric", device, timed(partial(published.edge_centric, device=device))),
        ]
    if asked.profile:
        found += [
            Cell(workload, f"profile-{algorithm}", device, partial(read_counters, algorithm, device), warm_up=False)
            for device in asked.devices.gpus or ("cpu",)
            for algorithm in ("vertex-centric", "edge-centric")
        ]
    engine = local_clustering.engine
    return found + [Cell(workload, ENGINE, device, partial(engine, device)) for device in asked.devices.names]


def _work(graph: Graph) -> float:
    """Estimate steps of merging lists: the sum of squared degrees."""
    degree = graph.degree.astype(np.float64)
    return float(degree @ degree)


STUDY = Study(
    name="poster",
    title="Parallel clustering coefficient computation using GPUs",
    paper="T. Reza, T. K. Asawat, M. Ripeanu, poster, University of British Columbia and Jadavpur University",
    about=(
        "Clustering coefficients of all vertices by intersecting sorted lists, a thread a vertex and a thread an edge, "
        "on threads and on GPUs, beside NodeIterator and NodeIterator++; on R-MAT networks (.57, .19, .19, "
        f"{_EDGES} edges drawn for each vertex; ids shuffled, loops and repeats dropped) and on real ones by path. "
        "Directions are left out. Times are of computing and, on a GPU, of copies."
    ),
    repeats={"smoke": 3, "small": 5, "paper": 5},
    budget={"smoke": 1.0, "small": 6.0, "paper": 120.0},
    cells=cells,
    expected=local_clustering.expected,
    work=_work,
    tiny=tiny(),
    comparisons=comparisons,
    figures=figures,
    graphs=GRAPHS,
    any_graph=True,
)
