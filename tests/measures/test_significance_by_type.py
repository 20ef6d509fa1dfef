"""Triads and other patterns by the types of their vertices, counted and compared with random graphs."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.core.triad_types import ROLES
from triadic.errors import ArgumentError
from triadic.null_models import randomization
from triadic.null_models.switching import Switching

# Arcs between the first, second and third role, by the definition of the types.
ARCS = {
    "021D": "01 02",
    "021U": "10 20",
    "021C": "01 12",
    "111D": "01 12 21",
    "111U": "10 12 21",
    "030T": "01 02 12",
    "030C": "01 12 20",
    "201": "01 10 02 20",
    "120D": "01 02 12 21",
    "120U": "10 20 12 21",
    "120C": "01 12 02 20",
    "210": "01 12 21 02 20",
    "300": "01 10 02 20 12 21",
}


def naive(graph, name, groups):
    """Try every triple of vertices in every order; of equal orders take the one with the smallest groups."""
    arcs = set(zip(*(end.tolist() for end in graph.edges()), strict=True))
    if not graph.directed:
        arcs |= {(v, u) for u, v in arcs}
    wanted = {(int(arc[0]), int(arc[1])) for arc in ARCS[name].split()}
    found = {}
    for triple in permutations(range(graph.num_vertices), 3):
        joined = {(i, j) for i in range(3) for j in range(3) if (triple[i], triple[j]) in arcs}
        if joined == wanted:
            cell = tuple(groups[v] for v in triple)
            key = frozenset(triple)
            found[key] = min(found.get(key, cell), cell)
    return Counter(found.values())


def counted(graph, name, types):
    """Return the counts of one type of triad by the types of its vertices."""
    found = triadic.count(graph, name, by="type", types=types).to_dict()
    counts = found.pop("count")
    return dict(zip(zip(*found.values(), strict=True), counts, strict=True))


def compared(graph, of, types, **keywords):
    return triadic.significance(graph, of=of, by="type", types=types, **keywords)


@examples(30)
@given(network=networks(), seed=st.integers(0, 99), name=st.sampled_from(list(ARCS)))
def test_counts_are_those_of_all_triples(network, seed, name):
    graph = network.graph()
    if graph.num_vertices > 14:
        graph = graph.subgraph(range(14))
    groups = np.random.default_rng(seed).integers(0, 4, graph.num_vertices)
    whole = triadic.triad_census(graph, by="type", types=groups)
    census = triadic.triad_census(graph)
    assert whole["count"][whole["name"] == name].sum() == census[name]
    if graph.directed or name in ("201", "300"):
        found = counted(graph, name, groups)
        assert found == naive(graph, name, groups.tolist())
        assert sum(found.values()) == census[name]


def test_every_type_has_its_roles():
    assert list(ROLES) == list(triadic.TRIAD_NAMES[3:])
    for name, arcs in ARCS.items():
        source, target = np.array([[int(end) for end in arc] for arc in arcs.split()]).T
        graph = Graph.from_edges(source, target, directed=True)
        assert triadic.triad_census(graph)[name] == 1
        (found,) = counted(graph, name, list("abc"))
        roles = dict(zip("abc", ROLES[name], strict=True))
        assert tuple(roles[group] for group in found) == ROLES[name]


def test_many_groups_and_types_at_a_time():
    graph = triadic.generate.rmat(7, seed=1, directed=True)
    groups = [f"type {v % 50}" for v in range(graph.num_vertices)]
    names = ["030T", "021C", "300"]
    found = triadic.count(graph, names, by="type", types=groups)
    census = triadic.triad_census(graph)
    assert [found["count"][found["name"] == name].sum() for name in names] == [census[name] for name in names]
    table = compared(graph, names, groups, samples=2, seed=1)
    for name in names:
        counts = [table[row].count for row in table if row[0] == name]
        assert sum(counts) == census[name]
        assert counts == sorted(counts, reverse=True)
    assert table.to_pandas().columns.tolist()[:4] == ["first", "second", "third", "count"]
    assert len(table.to_polars()) == len(table) == len(table.to_dict())
    assert len(table.title.split(" and ")) == 3


def test_vertices_without_a_type_are_refused_are_a_type_or_are_left_out():
    graph = triadic.generate.rmat(6, seed=1, directed=True)
    types = np.arange(graph.num_vertices) % 3 * 1.0
    types[types == 1] = np.nan
    with pytest.raises(ArgumentError, match="missing='type' gives them one of their own, missing='drop' leaves them"):
        counted(graph, "030T", types)
    known = np.where(np.isnan(types), 5, types)
    every = naive(graph, "030T", ["(missing)" if group == 5 else str(int(group)) for group in known])
    table = triadic.triad_census(graph, by="type", types=types, missing="type").to_dict()
    rows = zip(*table.values(), strict=True)
    assert {row[1:4]: row[4] for row in rows if row[0] == "030T"} == every
    table = triadic.count(graph, "030T", by="type", types=types, missing="drop").to_dict()
    left = {tuple(map(int, key)): count for key, count in every.items() if "(missing)" not in key}
    assert {row[:3]: row[3] for row in zip(*table.values(), strict=True)} == left
    found = compared(graph, "030T", types, groups=types, missing="drop", samples=3, seed=1)
    assert {cell[1:]: found[cell].count for cell in found if found[cell].count} == left
    assert found.null_title == "mutual, 3 groups"
    assert not len(triadic.count(graph, "A -> B", by="type", types=types * np.nan, missing="drop")["count"])
    for by in (None, "vertex"):
        with pytest.raises(ArgumentError, match="missing"):
            triadic.triad_census(graph, by=by, missing="drop")


@pytest.mark.parametrize("keep", [False, True])
def test_counts_are_compared_with_those_of_random_graphs(keep):
    graph = triadic.generate.watts_strogatz(60, 8, 0.2, seed=1, directed=True)
    groups = np.arange(60) % 2
    found = compared(graph, "030T", groups, samples=9, seed=3, groups=groups if keep else None, threads=2)
    drawn = triadic.randomize(graph, null="mutual", samples=9, seed=3, groups=groups if keep else None)
    tables = [counted(one, "030T", groups) for one in drawn]
    for i, cell in enumerate(found):
        values = [one.get(cell[1:], 0) for one in tables]
        assert [sample[i] for sample in found.samples] == values
        row = found[cell]
        above, below = (sum(x >= row.count for x in values), sum(x <= row.count for x in values))
        assert row.mean == pytest.approx(np.mean(values))
        assert row.std == pytest.approx(np.std(values, ddof=1))
        assert row.p == pytest.approx(min(1, 2 * (1 + min(above, below)) / 10))
    assert found.q == pytest.approx(false_discovery_control(found.p))
    assert found.roles == {"030T": ("source", "middle", "target")}
    assert found.null_title == ("mutual, 2 groups" if keep else "mutual")
    assert "9 samples of 'mutual" in repr(found)


def test_a_planted_path_through_three_groups_is_found():
    """Loops from a to b to c are planted in a random network; other loops are not."""
    rng = np.random.default_rng(1)
    graph = triadic.generate.erdos_renyi(300, 2000, seed=1, directed=True)
    groups = np.repeat(["a", "b", "c"], 100)
    a, b, c = (rng.integers(100 * i, 100 * i + 100, 60) for i in range(3))
    source, target = graph.edges()
    planted = Graph.from_edges(
        np.concatenate([source, a, b, a]), np.concatenate([target, b, c, c]), directed=True, num_vertices=300
    )
    found = compared(planted, "030T", groups, groups=groups, samples=60, seed=1)
    assert found["030T", "a", "b", "c"].z > 8
    others = [found[cell].z for cell in found if cell != ("030T", "a", "b", "c")]
    assert np.nanmax(np.abs(others)) < 4


def test_undirected_graphs_have_two_connected_triads():
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2])
    found = triadic.triad_census(graph, by="type", types=["x", "y", "x"])
    assert found.to_dict() == {"name": ["300"], "first": ["x"], "second": ["x"], "third": ["y"], "count": [1]}
    assert len(triadic.triad_census(Graph.from_edges([], [], num_vertices=2), by="type", types=[0, 0])["count"]) == 0
    with pytest.raises(ArgumentError, match="join vertices by -"):
        triadic.count(graph, "030T", by="type", types=[0, 1, 2])


def test_patterns_of_different_sizes_stand_beside_triads():
    graph = triadic.generate.rmat(7, seed=1, directed=True)
    ring, types = "A -> B; B -> C; C -> D; D -> A", [f"t{v % 2}" for v in range(graph.num_vertices)]
    found = compared(graph, [ring, "300"], types, samples=4, seed=1)
    assert sum(found[row].count for row in found if row[0] == ring) == triadic.count(graph, ring)
    assert {len(row) for row in found} == {4, 5}
    assert set(found.to_pandas()["fourth"]) == {"t0", "t1", ""}
    kinds = graph.with_vertices({"kind": types})
    assert compared(kinds, [ring, "300"], "kind", samples=4, seed=1).samples == found.samples
    both = triadic.count(graph, [ring, "300"], by="type", types=types)
    assert dict.fromkeys(both["name"].tolist()) == {ring: None, "300": None}


@pytest.mark.parametrize(
    ("keywords", "found"),
    [
        ({"of": "030X"}, "of='030X': expected 'triads', one of 021D"),
        ({"of": ["012"]}, "of='012': expected 'triads'"),
        ({"of": ["triads", "closure"]}, "of='closure': expected 'triads'"),
        ({"types": [0, 1]}, "types: expected one label for each of the 3 vertices"),
        ({"types": [0, None, 1]}, "types: vertex 1 has none"),
        ({"types": None}, "by='type': expected types="),
        ({"by": None}, "types: only by='type' and null='types' take them"),
        ({"by": "vertex"}, "by='vertex': expected one of None, 'type'"),
        ({"null": "nonsense"}, "null='nonsense': expected 'degrees'"),
        ({"samples": 1}, "samples=1: expected a whole number from 2"),
        ({"null": "gnm", "groups": [0, 1, 2]}, "it keeps no groups"),
        ({"steps": 0}, "steps=0"),
        ({"diagnose": True}, "diagnose=True: not for by='type'"),
        ({"effective": 5}, "effective=5: not for by='type'"),
        ({"size": 4}, "size=4: not for by='type'"),
    ],
    ids=str,
)
def test_a_bad_argument_is_named(keywords, found):
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], directed=True)
    with pytest.raises(ArgumentError, match=found):
        triadic.significance(graph, **({"of": "030T", "by": "type", "types": [0, 1, 2], "samples": 2} | keywords))
    batch = triadic.GraphBatch.from_graphs([graph])
    with pytest.raises(ArgumentError, match="by='type': the graphs of a batch"):
        triadic.significance(batch, of="030T", by="type", types=[0, 1, 2])
    with pytest.raises(ArgumentError, match="types= is for by='type'"):
        triadic.triad_census(graph, types=[0, 1, 2])
    with pytest.raises(ArgumentError, match="by='type': labelled=True counts"):
        triadic.triad_census(graph, by="type", types=[0, 1, 2], labelled=True)


TANGLE = triadic.generate.rmat(6, seed=1, directed=True)


@pytest.mark.parametrize("keywords", [{"groups": np.arange(64) % 3}, {}, {"null": "gnm"}], ids=str)
def test_samples_of_a_device_have_the_triads_of_those_of_the_cpu(gpu_device, keywords):
    seen = []
    here, there = (
        compared(
            TANGLE,
            ["030T", "021D"],
            np.arange(64) % 3,
            samples=6,
            seed=2,
            device=device,
            progress=lambda *done: seen.append(done),
            **keywords,
        )
        for device in ("cpu", gpu_device)
    )
    assert here.samples == there.samples
    assert (here.names, here.counts) == (there.names, there.counts)
    assert seen[-1] == (6, 6)


def test_a_device_draws_the_samples_that_the_cpu_counts(gpu_device, monkeypatch):
    monkeypatch.setattr(Switching, "draw", lambda *_: pytest.fail("the CPU has drawn a sample"))
    found = compared(TANGLE, "030T", np.arange(64) % 3, samples=3, device=gpu_device)
    assert len(found.samples) == 3


def test_ctrl_c_keeps_the_batches_that_a_device_has_drawn(gpu_device, monkeypatch):
    def stop(done, _):
        if done == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(randomization, "walks_at_a_time", lambda *_: 3)
    with pytest.warns(UserWarning, match="interrupted: the result has 3 of 6 samples"):
        compared(TANGLE, "030T", np.arange(64) % 3, samples=6, device=gpu_device, progress=stop)


def test_a_device_that_does_not_exist_is_an_error():
    with pytest.raises(ArgumentError, match="device='gpu'"):
        compared(TANGLE, "030T", np.arange(64) % 3, device="gpu")
