"""Whether small graphs run here: a coarse table of answers, far from the sizes at which both libraries are as fast."""

from __future__ import annotations

import networkx as nx
import pytest

from triadic.networkx_backend import dispatch as backend
from triadic.networkx_backend.backend_graph import is_converted
from triadic.networkx_backend.reasons import ALGORITHMS, COSTS, Cost

_SMALL, _LARGE = 8, 3000
_WEIGHTED = {"weight": "weight"}

# Function, arguments, whether arcs have a direction, whether the graph is bipartite; and whether the karate club, with
# its 34 nodes and 78 edges, runs here at a first call and at later ones: None where both libraries are about as fast.
_TABLE = [
    ("triangles", {}, False, False, None, True),
    ("clustering", {}, False, False, True, True),
    ("clustering", {}, True, False, None, True),
    ("clustering", _WEIGHTED, False, False, None, True),
    ("clustering", _WEIGHTED, True, False, True, True),
    ("average_clustering", {}, False, False, True, True),
    ("transitivity", {}, False, False, True, True),
    ("transitivity", {}, True, False, None, True),
    ("square_clustering", {}, False, False, False, True),
    ("generalized_degree", {}, False, False, None, True),
    ("all_triangles", {}, False, False, False, False),
    ("triadic_census", {}, True, False, True, True),
    ("k_truss", {"k": 4}, False, False, False, None),
    ("jaccard_coefficient", {}, False, False, True, True),
    ("adamic_adar_index", {}, False, False, True, True),
    ("resource_allocation_index", {}, False, False, True, True),
    ("latapy_clustering", {}, False, True, None, True),
    ("bipartite_average_clustering", {}, False, True, None, True),
    ("robins_alexander_clustering", {}, False, True, True, True),
    ("butterflies", {}, False, True, None, True),
]


def _graph(nodes, edges, *, directed, bipartite):
    """A graph of equal degrees."""
    steps = range(1, 2 * edges // nodes, 2) if bipartite else range(1, edges // nodes + 1)
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from((v, (v + step) % nodes) for step in steps for v in range(nodes))
    return graph


def _answer(name, graph, arguments):
    return backend.should_run(name, (graph,), arguments)


@pytest.mark.parametrize(("name", "arguments", "directed", "bipartite"), [row[:4] for row in _TABLE])
def test_the_smallest_graphs_are_left_to_networkx_and_large_ones_run_here(name, arguments, directed, bipartite):
    kind = {"directed": directed, "bipartite": bipartite}
    assert "networkx is faster on 8 nodes" in _answer(name, _graph(_SMALL, _SMALL, **kind), arguments)
    assert _answer(name, _graph(_LARGE, 6 * _LARGE, **kind), arguments) is True


@pytest.mark.parametrize(("name", "arguments", "directed", "first", "later"), [(*row[:3], *row[4:]) for row in _TABLE])
def test_the_karate_club_runs_here_where_it_is_faster(name, arguments, directed, first, later):
    graph = nx.karate_club_graph()
    if directed:
        graph = nx.DiGraph(list(graph.edges))
    assert first is None or (_answer(name, graph, arguments) is True) == first
    attributes = {arguments["weight"]: 1} if "weight" in arguments else None
    graph.__networkx_cache__["backends"] = {"triadic": {0: backend.convert_from_nx(graph, attributes)}}
    assert later is None or (_answer(name, graph, arguments) is True) == later


def test_every_function_has_its_place_in_the_table_of_costs():
    # Whether an approximation runs here follows from its number of trials.
    without = {"is_triad", "triad_type", "all_triads", "triads_by_type", "approximate_average_clustering"}
    assert {name for name, *_ in _TABLE} == set(ALGORITHMS) - without
    for name, arguments, directed, bipartite, *_ in _TABLE:
        graph = _graph(_SMALL, _SMALL, directed=directed, bipartite=bipartite)
        assert isinstance(_answer(name, graph, arguments), str)


def test_a_call_for_a_part_of_the_nodes_is_worth_less():
    graph = _graph(100, 600, directed=False, bipartite=False)
    assert _answer("clustering", graph, {}) is True
    assert _answer("clustering", graph, {"nodes": range(80)}) is True
    assert "networkx is faster on 100 nodes" in _answer("clustering", graph, {"nodes": range(4)})
    assert "0 nodes in a graph of 100" in _answer("clustering", graph, {"nodes": []})
    assert _answer("clustering", graph, {"nodes": iter(range(4))}) is True  # an iterator does not tell its length


def test_butterflies_of_a_part_of_the_nodes_take_networkx_as_long_as_those_of_all():
    graph = _graph(100, 600, directed=False, bipartite=True)
    assert _answer("butterflies", graph, {"nodes": [3]}) is True


def test_a_graph_without_the_weights_is_not_converted_for_a_weighted_call():
    graph = nx.complete_graph(5)
    assert not is_converted(graph)
    nx.clustering(graph, backend="triadic")
    assert is_converted(graph)
    assert not is_converted(graph, "weight")
    nx.clustering(graph, weight="weight", backend="triadic")
    assert is_converted(graph, "weight")


def test_a_conversion_that_failed_leaves_no_converted_graph():
    graph = nx.Graph([(0, 1, {"weight": "heavy"})])
    with pytest.raises(NotImplementedError):
        nx.clustering(graph, weight="weight", backend="triadic")
    assert not is_converted(graph, "weight")


def test_the_number_of_edges_solves_the_equation_of_the_cost():
    cost = Cost(node=2, edge=3, path=0.5, pair=0, first=200, later=20)
    enough = cost.enough_edges(30, 1, converted=False)
    assert 2 * 30 + 3 * enough + 0.5 * enough**2 / 30 == pytest.approx(200)
    assert cost.enough_edges(30, 1, converted=True) == 0
    assert cost.enough_edges(30, 0.5, converted=False) > enough
    assert cost.enough_edges(30, 0, converted=False) == float("inf")


def test_fixed_times_of_converted_graphs_are_shorter():
    assert all(cost.later < cost.first for cost in COSTS.values())


def test_an_empty_graph_is_left_to_networkx():
    assert "networkx is faster on 0 nodes" in backend.should_run("clustering", (nx.Graph(),), {})


class CountedRows(dict):
    """Rows of a graph, which count how many of them are read one after another."""

    read = 0

    def _counted(self, found):
        for one in found:
            self.read += 1
            yield one

    def __iter__(self):
        return self._counted(super().__iter__())

    def keys(self):
        return self._counted(super().keys())

    def values(self):
        return self._counted(super().values())

    def items(self):
        return self._counted(super().items())


@pytest.mark.parametrize("name", ["triangles", "clustering", "jaccard_coefficient", "k_truss"])
def test_the_answer_for_a_large_graph_reads_a_few_of_its_rows(name):
    graph = nx.empty_graph(20_000)
    graph.add_edges_from((v, v + 1) for v in range(1000))
    graph._adj = CountedRows(graph._adj)
    graph._node = CountedRows(graph._node)
    assert backend.should_run(name, (graph,), {"k": 3} if name == "k_truss" else {}) is True
    assert graph._adj.read <= 1000
    assert graph._node.read == 0
    assert len(list(graph)) == graph._node.read  # which are counted where they are read
