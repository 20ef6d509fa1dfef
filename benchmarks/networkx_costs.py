"""Measure the table of `triadic.networkx_backend.reasons`: ``python benchmarks/networkx_costs.py``.

Networkx and triadic run each function of the backend on random graphs of 10 to 1000 nodes. The script prints the rows
of the table. The comment of a row is its largest loss: where the row chooses the slower library, the ratio of its time
to the time of the faster one. Arguments name the rows to measure; by default all. The machine should be idle.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np
from networkx.algorithms import bipartite
from scipy.optimize import nnls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SIZES = [
    (n, degree)
    for n, degrees in {10: (2, 6), 34: (2, 4.6, 12), 100: (2, 6, 20), 300: (2, 6), 1000: (2, 4)}.items()
    for degree in degrees
]
_SECONDS = 0.03  # for each graph and library
# The crossing lies where networkx takes about as long as the first call; larger graphs say nothing about it.
_MOST = 30


class Function(NamedTuple):
    """A function of networkx: its row of the table, the call, and the graphs that it takes."""

    row: str
    call: Callable[..., Any]
    directed: bool = False
    bipartite: bool = False
    weighted: bool = False
    pairs: bool = False


class Times(NamedTuple):
    """Microseconds for one graph."""

    nodes: int
    edges: int
    networkx: float
    first: float
    later: float


def functions() -> list[Function]:
    """Return the functions of all rows, less those that the installed networkx does not have."""
    weighted = partial(nx.clustering, weight="weight")
    found = [
        Function("triangles", nx.triangles),
        Function("clustering", nx.clustering),
        Function("clustering, directed", nx.clustering, directed=True),
        Function("clustering, weighted", weighted, weighted=True),
        Function("clustering, directed, weighted", weighted, directed=True, weighted=True),
        Function("transitivity", nx.transitivity),
        Function("transitivity, directed", nx.transitivity, directed=True),
        Function("square_clustering", nx.square_clustering),
        Function("generalized_degree", nx.generalized_degree),
        Function("triadic_census", nx.triadic_census, directed=True),
        Function("k_truss", partial(nx.k_truss, k=4)),
        Function("link prediction", _listed(nx.jaccard_coefficient), pairs=True),
        Function("latapy_clustering", bipartite.latapy_clustering, bipartite=True),
        Function("robins_alexander_clustering", bipartite.robins_alexander_clustering, bipartite=True),
    ]
    if hasattr(nx, "all_triangles"):
        found.append(Function("all_triangles", _listed(nx.all_triangles)))
    if hasattr(bipartite, "butterflies"):
        found.append(Function("butterflies", bipartite.butterflies, bipartite=True))
    return found


def measure(function: Function) -> Iterator[Times]:
    """Yield the times of a function for each graph."""
    for n, degree in _SIZES:
        if function.pairs and n > 100:
            continue
        graph = _graph(function, n, int(n * degree / 2))

        def first(graph: nx.Graph = graph) -> None:
            graph.__networkx_cache__.clear()
            function.call(graph, backend="triadic")

        yield Times(
            n,
            graph.number_of_edges(),
            _fastest(partial(function.call, graph, backend="networkx")),
            _fastest(first),
            _fastest(partial(function.call, graph, backend="triadic")),
        )


def fit(times: list[Times], *, pairs: bool) -> list[float]:
    """Return the row of a function: node, edge, path, pair, first and later."""
    n, m, networkx, first, later = np.array(times).T
    near = networkx < _MOST * first
    none = 0 * n
    sizes = np.column_stack([none, none, none, n * n] if pairs else [n, m, m * m / n, none])
    # The time here grows with the size, too; the row has the difference.
    fixed = [float(here[:2].mean()) for here in (first, later)]
    saved = networkx - (first - fixed[0])
    slopes, _ = nnls((sizes / networkx[:, None])[near], (saved / networkx)[near])
    return [*slopes.tolist(), *fixed]


def largest_loss(times: list[Times], row: list[float]) -> float:
    """Return the largest ratio of the time of the library that the row chooses to the time of the other."""
    losses = [1.0]
    for n, m, networkx, first, later in times:
        saved = row[0] * n + row[1] * m + row[2] * m * m / n + row[3] * n * n
        for here, fixed in ((first, row[4]), (later, row[5])):
            losses.append(here / networkx if saved >= fixed else networkx / here)
    return max(losses)


def main() -> None:
    """Print a row for each function, or for those that the command line names."""
    nx.config.warnings_to_ignore.add("cache")
    for function in functions():
        if sys.argv[1:] and function.row not in sys.argv[1:]:
            continue
        times = list(measure(function))
        row = fit(times, pairs=function.pairs)
        shown = [*row[:3], *row[4:], row[3]]  # in the order of the fields of `Cost`
        numbers = ", ".join(f"{value:.2g}" if value < 10 else f"{value:.0f}" for value in shown)
        print(f'    "{function.row}": Cost({numbers}),  # at most {largest_loss(times, row):.1f}')


def _listed(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **options: list(function(*args, **options))


def _graph(function: Function, nodes: int, edges: int) -> nx.Graph:
    if function.bipartite:
        graph = bipartite.gnmk_random_graph(nodes // 2, nodes - nodes // 2, edges, seed=1)
    else:
        graph = nx.gnm_random_graph(nodes, edges, seed=1, directed=function.directed)
    if function.weighted:
        for place, (_, _, data) in enumerate(graph.edges(data=True)):
            data["weight"] = 1 + place % 5
    return graph


def _fastest(call: Callable[[], Any]) -> float:
    call()
    runs = []
    end = time.perf_counter() + _SECONDS
    while len(runs) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        runs.append(time.perf_counter() - begin)
    return 1e6 * min(runs)


if __name__ == "__main__":
    main()
