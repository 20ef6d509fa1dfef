"""Motifs of DotMotif: `TriadicExecutor` finds what DotMotif's own executors find."""

from __future__ import annotations

import sys
from importlib import import_module

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import triadic
from strategies import examples
from triadic.errors import ArgumentError, DirectionWarning, MissingExtraError, OutOfMemoryError, UnsupportedError

pytest.importorskip("dotmotif")

from dotmotif import GrandIsoExecutor, Motif, NetworkXExecutor
from dotmotif.executors import Executor

from triadic.dotmotif import TriadicExecutor


def as_set(matches):
    """Return matches as a set, of which none is there twice."""
    found = {frozenset(match.items()) for match in matches}
    assert len(found) == len(matches)
    return found


def check(motif, host, executors=(GrandIsoExecutor, NetworkXExecutor)):
    """Compare the matches with those of other executors, and return their number."""
    executor = TriadicExecutor(host)
    matches = executor.find(motif)
    for other in executors:
        assert as_set(other(graph=host).find(motif)) == as_set(matches)
    assert executor.count(motif) == len(matches)
    return len(matches)


def network(*arcs, **types):
    """Return a directed network of arcs, each with an attribute "weight" if it has a third item, and types of nodes."""
    host = nx.DiGraph()
    for tail, head, *weight in arcs:
        host.add_edge(tail, head, **dict(zip(["weight"], weight, strict=False)))
    nx.set_node_attributes(host, types, "type")
    return host


RING = network(("x", "y", 4), ("y", "z", 9), ("z", "x", 6))
# Two inputs of one neuron, which excite and inhibit it, and a chain behind it.
CIRCUIT = network(
    ("P", "Q", 2), ("R", "Q", 7), ("Q", "S", 7), ("S", "T", 3), ("P", "S", 1), ("T", "Q", 5),
    P="GABAergic", Q="KC", R="KC", S="MBON", T="GABA",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "host", "matches"),
    [
        ("A -> B", RING, 3),
        ("A -> B; B -> C; C -> A", RING, 3),
        ("A -> B; B -> A", RING, 0),
        ("A -> B; B -> C; A !> C; C !> A", RING, 0),
        ("A -> B; B -> C; A -> C", CIRCUIT, 1),
        ("A -> B; B ~> A; A -> C", CIRCUIT, 2),
        ("A -| B; B -+ C; A -> C", CIRCUIT, 1),  # kinds of edges are one kind
        ("A -> B; A -| B", CIRCUIT, 6),
        ("A -> B [weight >= 6]", CIRCUIT, 2),
        ("A -> B [weight > 2, weight < 6, weight != 5]", CIRCUIT, 1),
        ("A -> B [weight == 7]; C -> B [weight <= 5]", CIRCUIT, 3),
        ('A -> B\nA.type = "KC"', CIRCUIT, 2),
        ("A -> B\nA.type = KC\nB.type != KC", CIRCUIT, 1),
        ('A -> B\nA["type"] contains "GABA"\nB.type in "KC, MBON"', CIRCUIT, 3),
        ('A -> B\nA.type !contains "GABA"\nB.type !in "KC"', CIRCUIT, 2),
        ("A -> B\nA.type = B.type", CIRCUIT, 1),
        ("A -> B\nB -> C\nA.type > B.type\nB.type < C.type", CIRCUIT, 1),
        ("A -> B as ab\nB -> C as bc\nab.weight > bc.weight", CIRCUIT, 1),
        ("A -> B as ab\nC -> B as cb\nab.weight = 7\ncb.weight < ab.weight", CIRCUIT, 3),
        ("chain(u, v, w) {\n u -> v\n v -> w\n}\nchain(A, B, C)\nchain(B, C, D)", CIRCUIT, 3),
        ("strong(u, v) {\n u -> v as uv\n uv.weight >= 5\n}\nstrong(A, B)\nstrong(B, C)", CIRCUIT, 2),
        ("heavy(A, B) {\n A -> B [weight > 2]\n A.type = B.type\n}\nheavy(A, B)", CIRCUIT, 1),
        ("inner(c, d) {\n c -> d\n}\nouter(a, b) {\n inner(a, b)\n}\nouter(A, B)", CIRCUIT, 6),
        ("A -> C\nB -> C\nA === B\nA.type = KC", CIRCUIT, 0),  # so B is a KC, too
        ("A -> C\nB -> C\nA.type = KC", CIRCUIT, 3),
    ],
)
def test_matches_of_a_motif_are_those_of_dotmotif(text, host, matches):
    assert check(Motif(text), host) == matches


@pytest.mark.parametrize(
    ("text", "matches", "once"),
    [
        ("A -> C; B -> C", 8, {4}),
        ("A -> C; B -> C; D -> C", 6, {1}),
        ("A -> B; B -> C; C -> A", 3, {1}),
        ("A -> C; B -> C; A === B", 8, {4}),
        # DotMotif 0.18 asks for rising nodes, though the two of each motif differ by more than their edges.
        ("A -> C\nB -> C\nA.type = GABA\nB.type = KC", 1, {0, 1}),
        ("A -> C\nB -> C\nA.type < B.type", 4, {2, 4}),
        ("A -> B; A -> C; B -> D; C !> D", 1, {0, 1}),
        ("A -> B as ab\nA -> C as ac\nab.weight != ac.weight", 2, {1}),
    ],
)
def test_automorphisms_are_excluded_as_by_dotmotif(text, matches, once):
    assert check(Motif(text), CIRCUIT) == matches
    assert check(Motif(text, exclude_automorphisms=True), CIRCUIT) in once


def test_one_match_for_each_bifan():
    host, bifan = nx.complete_graph(5, create_using=nx.DiGraph), "A -> C; A -> D; B -> C; B -> D"
    assert check(Motif(bifan), host) == 120
    assert check(Motif(bifan, exclude_automorphisms=True), host) == triadic.count(host, bifan) == 30


def test_both_directions_of_a_cycle_of_three_are_counted_by_triadic():
    host = nx.DiGraph([(1, 2), (2, 3), (3, 1), (4, 6), (6, 5), (5, 4)])
    assert check(Motif("A -> B; B -> C; C -> A", exclude_automorphisms=True), host) in {1, 2}  # 1 by DotMotif 0.18
    assert triadic.count(host, "A -> B; B -> C; C -> A") == 2


def test_edges_and_loops_that_the_motif_does_not_name_do_not_matter():
    host = nx.complete_graph(4, create_using=nx.DiGraph)
    host.add_edges_from([(0, 0), (3, 3)])
    assert check(Motif("A -> B; B -> C"), host) == 24


def test_parallel_edges_are_one():
    host = nx.MultiDiGraph([(0, 1), (0, 1), (1, 2)])
    assert check(Motif("A -> B; B -> C"), host) == 1
    nx.set_edge_attributes(host, {edge: place for place, edge in enumerate(host.edges)}, "size")
    with pytest.raises(ArgumentError, match="vertex 0 and vertex 1 are joined with the values 0 and 1"):
        TriadicExecutor(host).count(Motif("A -> B [size > 0]"))
    assert TriadicExecutor(triadic.Graph(host, columns=["size"], combine="max")).count(Motif("A -> B [size > 0]")) == 2


@st.composite
def hosts(draw, *, directed=True):
    """Networks of up to seven nodes with loops, types and sizes of nodes, weights and signs of edges."""
    nodes = draw(
        st.sampled_from([list(range(7)), [9, 4, -2, 5, 100, 7, 1], list("bdacfge"), [(i % 3, i) for i in range(7)]])
    )
    host = nx.DiGraph() if directed else nx.Graph()
    for node in nodes[: draw(st.integers(2, 7))]:
        host.add_node(node, type=draw(st.sampled_from(["K", "KC", "GABA"])), size=draw(st.integers(0, 2)))
    pair = st.tuples(*2 * [st.sampled_from(list(host))])
    for tail, head in draw(st.lists(pair, min_size=1, max_size=25)):
        host.add_edge(tail, head, weight=draw(st.integers(0, 3)), sign=draw(st.sampled_from(["exc", "inh"])))
    if draw(st.booleans()):  # of some nodes and edges, attributes are missing
        attributes = [data for _, data in host.nodes(data=True)] + [data for *_, data in host.edges(data=True)]
        for data in attributes[::2]:
            for name in draw(st.lists(st.sampled_from(sorted(data)))) if data else ():
                data.pop(name, None)
    return host


@st.composite
def motifs(draw, *, conditions=True, **options):
    """Motifs of two to five nodes, with absent edges and conditions."""
    names = draw(st.permutations("ABCDx"))[: draw(st.integers(2, 5))]
    pairs = [draw(st.permutations([names[draw(st.integers(0, i - 1))], names[i]])) for i in range(1, len(names))]
    several = st.lists(st.permutations(names).map(lambda order: order[:2]), max_size=3)
    present = list(dict.fromkeys(map(tuple, pairs + draw(several))))
    absent = [pair for pair in dict.fromkeys(map(tuple, draw(several))) if pair not in present]
    number, kind = (
        st.sampled_from(["=", "==", "!=", "<", "<=", ">", ">="]),
        st.sampled_from(["exc", "K", "KC", "GABAK"]),
    )
    text = st.sampled_from(["=", "!=", "in", "contains", "!in", "!contains", "<", ">="])
    lines, edges = [], []
    for tail, head in present:
        asked = draw(st.lists(st.sampled_from(["weight", "sign"]), max_size=2)) if conditions else []
        tests = [
            f"weight {draw(number)} {draw(st.integers(0, 3))}"
            if each == "weight"
            else f'sign {draw(text)} "{draw(kind)}"'
            for each in asked
        ]
        edges.append(f"e{len(lines)}")
        lines.append(f"{tail} -> {head}{f' [{chr(44).join(tests)}]' if tests else ''} as {edges[-1]}")
    lines += [f"{tail} !> {head}" for tail, head in absent]
    for _ in range(draw(st.integers(0, 3)) if conditions else 0):
        one, other = draw(st.permutations(names))[:2]
        lines.append(
            draw(
                st.sampled_from(
                    [
                        f"{one}.size {draw(number)} {draw(st.integers(0, 2))}",
                        f'{one}["type"] {draw(text)} "{draw(kind)}"',
                        f"{one}.size {draw(number)} {other}.size",
                        f"{one}.type {draw(number)} {other}.type",
                        f"{one} === {other}",
                    ]
                )
            )
        )
    if conditions and len(edges) > 1 and draw(st.booleans()):
        lines.append(f"{edges[0]}.weight {draw(number)} {edges[-1]}.weight")
    try:
        return Motif("\n".join(lines), exclude_automorphisms=draw(st.booleans()), **options)
    except ValueError:  # conditions that contradict themselves
        assume(condition=False)


def lacks(host, motif):
    """Return whether a motif names an attribute that no node or edge has, or compares edges of which one lacks it."""
    attributes = [data for _, data in host.nodes(data=True)], [data for *_, data in host.edges(data=True)]
    named = [*motif.list_node_constraints().values(), *motif.list_dynamic_node_constraints().values()]
    of_edges = [*motif.list_edge_constraints().values(), *motif.list_dynamic_edge_constraints().values()]
    if motif.list_dynamic_edge_constraints() and any("weight" not in data for data in attributes[1]):
        return True
    return any(
        not any(name in data for data in there)
        for there, conditions in zip(attributes, (named, of_edges), strict=True)
        for names in conditions
        for name in names
    )


@given(hosts(), motifs())
@examples(60)
def test_random_motifs_have_the_matches_of_both_executors(host, motif):
    assume(not lacks(host, motif))
    check(motif, host)


@given(hosts(directed=False), motifs(conditions=False))
@examples(15)
def test_in_an_undirected_network_edges_have_either_direction(host, motif):
    present = {frozenset(ends) for *ends, exists in motif.to_nx().edges(data="exists") if exists}
    assume(not any(frozenset(ends) in present for *ends, exists in motif.to_nx().edges(data="exists") if not exists))
    check(motif, host, [NetworkXExecutor])


@given(hosts(), motifs(conditions=False, ignore_direction=True))
@examples(15)
def test_directions_are_ignored_on_demand(host, motif):
    present = {frozenset(ends) for *ends, exists in motif.to_nx().edges(data="exists") if exists}
    assume(not any(frozenset(ends) in present for *ends, exists in motif.to_nx().edges(data="exists") if not exists))
    check(motif, host, [NetworkXExecutor])


def test_attributes_of_undirected_edges():
    host = nx.Graph([(0, 1, {"weight": 3}), (1, 2, {"weight": 5}), (2, 0, {"weight": 5})])
    assert check(Motif("A -> B [weight > 3]; B -> C [weight < 4]"), host, [NetworkXExecutor]) == 2
    assert check(Motif("A -> B as ab\nB -> C as bc\nab.weight = bc.weight"), host, [NetworkXExecutor]) == 2


def test_an_executor_is_one_of_dotmotif_and_takes_the_graph_by_name():
    executor = TriadicExecutor(graph=RING)
    assert isinstance(executor, Executor)
    assert executor.graph is RING


def test_a_graph_and_a_table_are_hosts_too():
    graph = triadic.Graph.from_edges(
        [0, 1, 0], [1, 2, 2], directed=True, weights=np.array([1, 2, 3]), labels=["a", "b", "c"]
    ).with_vertices({"label": ["a", "b", "c"], "type": ["p", "q", "q"]}, key="label")
    motif = Motif("A -> B [weight >= 2]\nA.type != B.type")
    assert TriadicExecutor(graph).find(motif) == [{"A": "a", "B": "c"}]
    plain = triadic.Graph.from_edges([0, 1], [1, 2], directed=True)
    assert TriadicExecutor(plain).find(Motif("A -> B; B -> C")) == [{"A": 0, "B": 1, "C": 2}]
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"pre": ["u", "v", "w"], "post": ["v", "w", "v"], "synapses": [4, 9, 1]})
    assert TriadicExecutor(table).find(Motif("A -> B [synapses > 3]; B -> C")) == [{"A": "u", "B": "v", "C": "w"}]
    with pytest.warns(DirectionWarning, match="read as directed"):
        assert TriadicExecutor(table[:2]).count(Motif("A -> B")) == 2


def test_the_limit_is_that_of_grandiso():
    host = nx.complete_graph(6, create_using=nx.DiGraph)
    executor, other, motif = TriadicExecutor(host), GrandIsoExecutor(graph=host), Motif("A -> C; B -> C", limit=3)
    for limit in (None, 0, 1, 5, 1000):
        assert executor.count(motif, limit) == other.count(motif, limit) == len(executor.find(motif, limit=limit))
    everything = as_set(executor.find(motif))
    assert as_set(executor.find(motif, limit=7)) < everything
    assert executor.find(motif, limit=7) == executor.find(motif, limit=9)[:7]


@pytest.mark.parametrize(
    ("motif", "message"),
    [
        ("A -> B", "motif: got str; expected a dotmotif.Motif"),
        (Motif("A -> A"), "graphs have no loops.*; or use NetworkXExecutor"),
        (Motif("A -> B; C -> D"), "none join A and C; or use NetworkXExecutor"),
        (Motif("A -> B; B !> C"), "none join A and C"),
        (Motif("A -> B; B -> C; C -> D; D -> E; E -> F; F -> G"), "2 to 6 vertices; got 7 vertices"),
        (Motif("A -> B; A !> B", validators=[]), "contradicts another part"),
        (Motif("A -> B; B !> A [weight > 2]"), "a condition on B -> A; expected one on: A, B, A -> B"),
        (Motif("A -> B\nA.type < Z.type"), "a condition on Z; expected one on: A, B, A -> B"),
        (Motif("A -> B\nA.colour = 3"), r"columns=\['colour'\]: the edges have \['weight'\]"),
        (Motif("A -> B\nA.weight = 3"), "'weight' is no column of the vertices"),
        (Motif("A -> B\nA.type = 3"), "the column 'type' holds texts, and = 3"),
        (Motif("A -> B [weight in 12]"), "the column 'weight' holds numbers, and within 12"),
        (Motif("A -> B\nA.type contains B.type"), "compare two columns of one kind"),
        (Motif("A -> B [weight > 2]", ignore_direction=True), "name the direction"),
    ],
)
def test_what_cannot_be_matched_is_refused(motif, message):
    executor = TriadicExecutor(CIRCUIT)
    for ask in (executor.count, executor.find):
        with pytest.raises(ArgumentError, match=message):
            ask(motif)
    assert executor.count(Motif("A -> B [weight > 6]")) == 2


def test_nodes_that_have_no_order_cannot_exclude_automorphisms():
    executor = TriadicExecutor(nx.DiGraph([(1, "b"), ("c", "b")]))
    motif = Motif("A -> C; B -> C", exclude_automorphisms=True)
    assert executor.count(motif) == 1
    with pytest.raises(ArgumentError, match="exclude_automorphisms=True: nodes of the graph cannot be compared"):
        executor.find(motif)


def test_what_is_no_graph_is_refused(tmp_path):
    with pytest.raises(ArgumentError, match="graph: got str"):
        TriadicExecutor("network.csv")
    (tmp_path / "arcs.csv").write_text("0,1\n1,2\n")
    with pytest.raises(UnsupportedError, match="TiledGraph"):
        TriadicExecutor(triadic.tile(tmp_path / "arcs.csv", tmp_path / "tiles"))
    with pytest.raises(ArgumentError, match="limit="):
        TriadicExecutor(RING).count(Motif("A -> B"), limit=-1)


def test_a_long_list_is_refused_before_it_is_made():
    executor = TriadicExecutor(nx.complete_graph(20, create_using=nx.DiGraph))
    with triadic.core.memory.memory_limit(1_000_000), pytest.raises(OutOfMemoryError, match="pass limit="):
        executor.find(Motif("A -> B; B -> C; C -> A"))


def test_without_dotmotif_the_error_tells_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "triadic.dotmotif")
    monkeypatch.setattr("triadic.core.checked.find_spec", lambda name: None if name == "dotmotif" else name)
    with pytest.raises(
        MissingExtraError, match=r"triadic.dotmotif needs dotmotif, .*pip install 'triadic\[dotmotif\]'"
    ):
        import_module("triadic.dotmotif")
