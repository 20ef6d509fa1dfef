"""The approximate average clustering of the backend."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from triadic.errors import UnsupportedError
from triadic.networkx_backend import dispatch as backend
from triadic.networkx_backend.backend_graph import BackendGraph


def test_every_wedge_of_a_clique_is_closed_and_none_of_a_star():
    for seed in (1, None, random.Random(2)):
        assert backend.approximate_average_clustering(nx.complete_graph(9), seed=seed) == 1
        assert backend.approximate_average_clustering(nx.star_graph(9), seed=seed) == 0


def test_many_trials_come_close_to_the_exact_value_and_count_nodes_of_degree_one_as_zero():
    graph = nx.karate_club_graph()
    graph.add_edges_from((0, ("leaf", i)) for i in range(20))
    found = backend.approximate_average_clustering(graph, trials=1_000_000, seed=3)
    assert found == pytest.approx(nx.average_clustering(graph), abs=0.003)


def test_the_backend_answers_for_networkx_and_repeats_a_seed():
    graph = nx.karate_club_graph()
    of_networkx = nx.approximation.average_clustering
    found = of_networkx(graph, trials=5000, seed=7, backend="triadic")
    assert found == of_networkx(graph, trials=5000, seed=7, backend="triadic")
    assert found == pytest.approx(of_networkx(graph, trials=5000, seed=7), abs=0.05)


def test_few_trials_are_left_to_networkx_unless_the_graph_is_converted():
    graph = nx.path_graph(5000)
    assert backend.should_run("approximate_average_clustering", (graph,), {"trials": 10}) is not True
    assert backend.should_run("approximate_average_clustering", (graph,), {"trials": 10_000}) is True
    assert backend.should_run("approximate_average_clustering", (BackendGraph.of(graph),), {"trials": 10}) is True


def test_directed_graphs_and_loops_are_refused():
    with pytest.raises(nx.NetworkXNotImplemented):
        backend.approximate_average_clustering(nx.DiGraph([(0, 1)]))
    with pytest.raises(UnsupportedError, match="networkx counts loops"):
        backend.approximate_average_clustering(nx.Graph([(0, 0), (0, 1)]))
    with pytest.raises(ZeroDivisionError):
        backend.approximate_average_clustering(nx.complete_graph(3), trials=0)
