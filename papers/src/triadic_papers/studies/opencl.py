"""Clustering coefficients from a fixed-width table, sequential, OpenMP and OpenCL: figure 2 of the OpenCL paper."""

from __future__ import annotations

from functools import partial
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from triadic.generate import BarabasiAlbert, ErdosRenyi, WattsStrogatz
from triadic_papers import padded_rows
from triadic_papers.studies import local_clustering
from triadic_papers.studies.cells import ENGINE, Cell, Workload
from triadic_papers.studies.first_call import first_call
from triadic_papers.studies.networks import SEED, model_workload, tiny_network
from triadic_papers.studies.opencl_tables import FIRST_CALL, KINDS, comparisons, figures
from triadic_papers.studies.paper_values.opencl import ELEMENTS, FACTORS
from triadic_papers.studies.study import Study

if TYPE_CHECKING:
    from triadic.generate import Model
    from triadic.graph.graph import Graph
    from triadic_papers.studies.study import Scale, StudyOptions

_FACTORS: dict[Scale, tuple[int, ...]] = {"smoke": (1, 2), "small": FACTORS, "paper": FACTORS}
LINKS = 25  # edges per vertex, which the paper does not state; 50 neighbours, as in CSTN-117
_P = 0.1


def workloads(scale: Scale) -> list[Workload]:
    """Return the networks: the adjacency matrix of each has 250,000 elements times the factor."""
    return [
        model_workload(f"{kind}-{factor}", kind, factor, _model(kind, isqrt(ELEMENTS * factor)))
        for kind in KINDS
        for factor in _FACTORS[scale]
    ]


def _model(kind: str, vertices: int) -> Model:
    if kind == "random":
        return ErdosRenyi(vertices, LINKS * vertices, seed=SEED)
    if kind == "small-world":
        return WattsStrogatz(vertices, 2 * LINKS, _P, seed=SEED)
    return BarabasiAlbert(vertices, LINKS, seed=SEED)


def cells(options: StudyOptions) -> list[Cell]:
    """Return the cells: the three programs and the engine, and a first call on each device at the smallest size."""
    found = [cell for workload in workloads(options.scale) for cell in _cells(workload, options)]
    if not options.devices.gpus:
        found.append(
            Cell(None, "opencl", "opencl", None, left_out="--devices names no GPU or OpenCL device", row="all")
        )
    return found


def _cells(workload: Workload, options: StudyOptions) -> list[Cell]:
    found = []
    if options.devices.cpu:
        found += [
            Cell(workload, "sequential", "cpu", local_clustering.timed(padded_rows.sequential)),
            Cell(workload, "openmp", "cpu", local_clustering.timed(padded_rows.openmp), warm_up=False),
        ]
    for gpu in options.devices.gpus:
        found.append(Cell(workload, "opencl", gpu, local_clustering.timed(partial(padded_rows.opencl, device=gpu))))
        if workload.size == 1 and (options.scale != "smoke" or workload.kind == KINDS[0]):
            found.append(Cell(workload, FIRST_CALL, gpu, partial(first_call, gpu), warm_up=False))
    found += [
        Cell(workload, ENGINE, device, partial(local_clustering.engine, device)) for device in options.devices.names
    ]
    return found


def _work(graph: Graph) -> float:
    """Estimate the comparisons: each pair of a vertex's neighbours searches a row as wide as the largest degree."""
    degree = graph.degree.astype(np.float64)
    return float(degree @ (degree - 1) / 2 * degree.max(initial=0))


STUDY = Study(
    name="opencl",
    title="Accelerating clustering coefficient calculations on a GPU using OpenCL",
    paper="L. Djinevski, I. Mishkovski, D. Trajanov, Ss Cyril and Methodius University, Skopje",
    about=(
        "Clustering coefficients of all vertices and their mean from a table as wide as the largest degree, padded "
        "with -1: the sequential program, OpenMP and OpenCL. The paper states only the number of vertices, V with V² "
        f"equal to 250,000 times the scaling factor; the number of links is chosen here, {LINKS} per vertex: "
        f"G(V, {LINKS} V) for random, Watts-Strogatz with k = {2 * LINKS} and p = {_P} for small-world, "
        f"Barabási-Albert with {LINKS} links for scale-free networks. Times cover computing and, on a device, "
        "transfers; the table, initialisation and compilation are listed separately."
    ),
    repeats={"smoke": 3, "small": 10, "paper": 10},
    budget={"smoke": 1.0, "small": 12.0, "paper": 60.0},
    cells=cells,
    expected=local_clustering.expected,
    work=_work,
    tiny_network=tiny_network(),
    comparisons=comparisons,
    figures=figures,
)
