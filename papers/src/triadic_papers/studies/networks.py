"""Workloads from generated networks and from files."""

from __future__ import annotations

import warnings
from functools import partial
from typing import TYPE_CHECKING

from triadic.errors import ArgumentError
from triadic.generate import make_graph
from triadic.io import ReadWarning, read
from triadic_papers.studies.cells import Workload

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from triadic.generate import Model
    from triadic.graph.graph import Graph

SEED = 1


def model_workload(name: str, kind: str, size: float, model: Model, *, row: str = "") -> Workload:
    """Return the workload of a random model; the model's parameters and seed are its source.

    Examples
    --------
    >>> from triadic.generate import Grid
    >>> workload = model_workload("grid-6", "grid", 6, Grid(2, 3))
    >>> workload.source, workload.make().num_edges
    ('Grid(rows=2, columns=3, periodic=False, directed=False)', 7)
    """
    return Workload(name, kind, size, repr(model), partial(make_graph, model), row)


def file_workload(
    name: str, kind: str, path: Path, *, directed: bool | None = None, symmetric_only: str = ""
) -> Workload:
    """Return the workload of a file.

    Parameters
    ----------
    name, kind : str
    path : Path
    directed : bool, optional
        Whether to read arcs; by default the file decides.
    symmetric_only : str, default ""
        Paper that requires undirected networks; it appears in the error for a directed file.
    """
    source = f"file {path.name}, {path.stat().st_size} bytes" if path.is_file() else f"folder {path.name}"
    return Workload(name, kind, 0.0, source, partial(_read, path, directed, symmetric_only), name, path)


def tiny_network(*, directed: bool = False) -> Callable[[], Graph]:
    """Return a function that creates a network of a few vertices with triangles, on which kernels are compiled."""
    return partial(_make_tiny, directed)


def _make_tiny(directed: bool) -> Graph:
    from triadic.graph.graph import Graph  # noqa: PLC0415 - only where a study runs

    source, target = [0, 1, 2, 0, 3, 3, 4], [1, 2, 0, 3, 1, 4, 0]
    return Graph.from_edges(source, target, num_vertices=6, directed=directed)


def _read(path: Path, directed: bool | None, symmetric_only: str) -> Graph:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReadWarning)
        graph = read(path, directed=directed)
    if symmetric_only and graph.directed:
        raise ArgumentError(f"{path}: has directions; {symmetric_only} takes networks without, as a symmetric matrix")
    return graph
