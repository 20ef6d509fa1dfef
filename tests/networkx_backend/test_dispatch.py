from __future__ import annotations

import inspect
import subprocess
import sys

import networkx as nx
import pytest

import triadic
from triadic.errors import ArgumentError
from triadic.networkx_backend import dispatch as backend
from triadic.networkx_backend.info import get_info
from triadic.networkx_backend.reasons import ALGORITHMS

# The same in networkx 3.4 to 3.7; networkx has all_triangles from 3.6 on, and butterflies from 3.7 on.
SIGNATURES = {
    "adamic_adar_index": "(G, ebunch=None)",
    "all_triads": "(G)",
    "all_triangles": "(G, nbunch=None)",
    "approximate_average_clustering": "(G, trials=1000, seed=None)",
    "average_clustering": "(G, nodes=None, weight=None, count_zeros=True)",
    "bipartite_average_clustering": "(G, nodes=None, mode='dot')",
    "butterflies": "(G, nodes=None)",
    "clustering": "(G, nodes=None, weight=None)",
    "generalized_degree": "(G, nodes=None)",
    "is_triad": "(G)",
    "jaccard_coefficient": "(G, ebunch=None)",
    "k_truss": "(G, k)",
    "latapy_clustering": "(G, nodes=None, mode='dot')",
    "resource_allocation_index": "(G, ebunch=None)",
    "robins_alexander_clustering": "(G)",
    "square_clustering": "(G, nodes=None)",
    "transitivity": "(G)",
    "triad_type": "(G)",
    "triadic_census": "(G, nodelist=None)",
    "triads_by_type": "(G)",
    "triangles": "(G, nodes=None)",
}
_LEFT_TO_NETWORKX = {"all_triads", "triads_by_type"}


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_signatures_are_those_of_networkx(name):
    signature = inspect.signature(getattr(backend, name))
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    assert str(inspect.Signature(bare)) == SIGNATURES[name]
    known = nx.utils.backends._registered_algorithms
    if name not in known:
        assert name in {"all_triangles", "butterflies"}
        return
    assert str(inspect.signature(known[name].orig_func)) == SIGNATURES[name]


def test_the_information_names_every_function_that_can_run():
    assert set(get_info()["functions"]) == set(SIGNATURES) - _LEFT_TO_NETWORKX


def test_the_information_is_that_of_the_registered_algorithms():
    """If this fails: python -m triadic.networkx_backend.dispatch writes it anew."""
    assert get_info()["functions"] == backend.listed_functions()
    assert set(SIGNATURES) == set(ALGORITHMS)
    assert all(getattr(backend, name) is algorithm.function for name, algorithm in ALGORITHMS.items())


def test_networkx_finds_the_backend_and_loads_nothing_heavy_for_it():
    heavy = {"numpy", "scipy", "numba", "pyarrow", "triadic.graph.graph", "triadic.networkx_backend.dispatch"}
    code = f"import sys, networkx as nx; print('triadic' in nx.config.backends, sorted({heavy!r} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split(maxsplit=1) == ["True", "[]\n"]


def test_the_docstring_in_networkx_names_the_backend():
    assert "triadic : Exact triangles" in nx.clustering.__doc__


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("clustering", (nx.path_graph(10),), "networkx is faster on 10 nodes with fewer than"),
        ("triangles", (nx.path_graph(50),), "networkx is faster on 50 nodes with fewer than 1"),
        ("triadic_census", (nx.path_graph(9, create_using=nx.DiGraph),), "networkx is faster on 9 nodes"),
        ("adamic_adar_index", (nx.complete_graph(9),), "networkx is faster on 9 nodes"),
        ("clustering", (nx.complete_graph(60), 3), "one node"),
        ("triangles", (nx.complete_graph(60), [3]), "1 nodes in a graph of 60"),
        ("jaccard_coefficient", (nx.complete_graph(60), [(3, 4)]), "1 pairs in a graph of 60"),
        ("triad_type", (nx.complete_graph(3, create_using=nx.DiGraph),), "three nodes"),
    ],
)
def test_calls_that_networkx_answers_faster_are_left_to_it_with_a_reason(name, arguments, reason):
    assert backend.can_run(name, arguments, {}) is True
    assert reason in backend.should_run(name, arguments, {})


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("clustering", (nx.complete_graph(60),)),
        ("clustering", (nx.complete_graph(60), range(50))),
        ("triadic_census", (nx.complete_graph(60, create_using=nx.DiGraph),)),
        ("adamic_adar_index", (nx.complete_graph(60),)),
        ("k_truss", (nx.complete_graph(60), 3)),
    ],
)
def test_calls_for_large_graphs_run_here(name, arguments):
    assert backend.can_run(name, arguments, {}) is True
    assert backend.should_run(name, arguments, {}) is True


def test_one_node_of_a_graph_that_is_converted_runs_here():
    graph = nx.complete_graph(60)
    nx.clustering(graph, backend="triadic")
    assert backend.should_run("clustering", (graph,), {"nodes": 3}) is True
    assert backend.should_run("clustering", (backend.convert_from_nx(graph), 3), {}) is True


@pytest.mark.parametrize(
    ("name", "graph", "reason"),
    [
        ("square_clustering", nx.DiGraph([(0, 1)]), "forward"),
        ("latapy_clustering", nx.DiGraph([(0, 1)]), "forward"),
        ("clustering", 7, "int is no graph"),
    ],
)
def test_can_run_returns_the_reason_in_words(name, graph, reason):
    assert reason in backend.can_run(name, (graph,), {})
    assert reason in backend.can_run(name, (), {"G": graph})


def test_with_priority_large_graphs_run_here_and_small_ones_in_networkx(monkeypatch):
    runs = []
    monkeypatch.setattr(backend, "clustering", lambda G, nodes=None, weight=None: runs.append(len(G)) or {})
    with nx.config.backend_priority(algos=["triadic"]):
        nx.clustering(nx.complete_graph(60))
        nx.clustering(nx.complete_graph(5))
    assert runs == [60]


def test_options_reach_the_measures():
    graph = nx.complete_graph(5)
    with nx.config.backends.triadic(threads=0), pytest.raises(ArgumentError, match="threads"):
        nx.triangles(graph, backend="triadic")
    with nx.config.backends.triadic(device="abacus"), pytest.raises(ArgumentError, match="abacus"):
        nx.triangles(nx.complete_graph(5), backend="triadic")
    with nx.config.backends.triadic(device="cpu", threads=2):
        assert nx.triangles(nx.complete_graph(5), 0, backend="triadic") == 6
    assert dict(nx.config.backends.triadic) == {"device": "auto", "threads": None}


def test_one_node_after_another_counts_once(monkeypatch):
    runs = []
    graph = backend.convert_from_nx(nx.complete_graph(9))
    count = triadic.triangles
    monkeypatch.setattr(triadic, "triangles", lambda *given, **options: runs.append(1) or count(*given, **options))
    assert [backend.triangles(graph, node) for node in range(9)] == [28] * 9
    assert len(runs) == 1
