"""Triads by the groups of their vertices."""

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


def table(found):
    return {tuple(row): count for row, count in zip(found.groups.tolist(), found.counts.tolist(), strict=True) if count}


@examples(30)
@given(network=networks(), seed=st.integers(0, 99), name=st.sampled_from(list(ARCS)))
def test_counts_are_those_of_all_triples(network, seed, name):
    graph = network.graph()
    if graph.num_vertices > 14:
        graph = graph.subgraph(range(14))
    groups = np.random.default_rng(seed).integers(0, 4, graph.num_vertices)
    found = triadic.typed_triads(graph, name, groups)
    assert table(found) == naive(graph, name, groups.tolist())
    assert found.counts.sum() == triadic.triad_census(graph)[name]


def test_every_type_has_its_roles():
    assert list(ROLES) == list(triadic.TRIAD_NAMES[3:])
    for name, arcs in ARCS.items():
        source, target = np.array([[int(end) for end in arc] for arc in arcs.split()]).T
        graph = Graph.from_edges(source, target, directed=True)
        assert triadic.triad_census(graph)[name] == 1
        found = triadic.typed_triads(graph, name, list("abc"))
        roles = dict(zip("abc", ROLES[name], strict=True))
        assert tuple(roles[group] for group in found.groups[0]) == ROLES[name]


def test_many_groups_and_types_at_a_time():
    graph = triadic.generate.rmat(7, seed=1, directed=True)
    groups = [f"type {v % 50}" for v in range(graph.num_vertices)]
    names = ["030T", "021C", "300"]
    found = triadic.typed_triads(graph, names, groups)
    census = triadic.triad_census(graph)
    assert [found.counts[found.types == name].sum() for name in names] == [census[name] for name in names]
    for name in names:
        assert (np.diff(found.counts[found.types == name]) <= 0).all()
    assert found.to_pandas().columns.tolist() == ["first", "second", "third", "count"]
    assert len(found.to_polars()) == len(found)


@pytest.mark.parametrize("keep", [False, True])
def test_counts_are_compared_with_those_of_random_graphs(keep):
    graph = triadic.generate.watts_strogatz(60, 8, 0.2, seed=1, directed=True)
    groups = np.arange(60) % 2
    found = triadic.typed_triads(graph, "030T", groups, samples=9, seed=3, keep_types=keep, threads=2)
    drawn = triadic.randomize(graph, null="mutual", samples=9, seed=3, groups=groups if keep else None)
    tables = [table(triadic.typed_triads(one, "030T", groups)) for one in drawn]
    for i, cell in enumerate(map(tuple, found.groups.tolist())):
        values = [one.get(cell, 0) for one in tables]
        assert found.samples[:, i].tolist() == values
        above, below = (sum(x >= found.counts[i] for x in values), sum(x <= found.counts[i] for x in values))
        row = found["030T", *cell]
        assert row.count == found.counts[i]
        assert row.mean == pytest.approx(np.mean(values))
        assert row.std == pytest.approx(np.std(values, ddof=1))
        assert row.p == pytest.approx(min(1, 2 * (1 + min(above, below)) / 10))
    assert found.q == pytest.approx(false_discovery_control(found.p))
    assert found.null == ("mutual, 2 groups" if keep else "mutual")
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
    found = triadic.typed_triads(planted, "030T", groups, samples=60, seed=1)
    assert found["030T", "a", "b", "c"].z > 8
    others = [found["030T", *cell].z for cell in found.groups.tolist() if cell != ["a", "b", "c"]]
    assert np.nanmax(np.abs(others)) < 4


def test_without_samples_there_is_nothing_but_counts():
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2])
    found = triadic.typed_triads(graph, ("300", "201", "030T"), ["x", "y", "x"])
    assert found.groups.tolist() == [["x", "x", "y"]]
    assert np.isnan(found.p).all()
    assert np.isnan(found.resolution)
    assert found["300", "x", "x", "y"].count == 1
    for wrong in (("300", "x"), "300", ("300", "y", "y", "y")):
        with pytest.raises(KeyError):
            found[wrong]
    assert len(triadic.typed_triads(Graph.from_edges([], [], num_vertices=2), "300", [0, 0])) == 0


@pytest.mark.parametrize(
    ("keywords", "found"),
    [
        ({"of": "030X"}, "of='030X': expected one of 021D"),
        ({"of": ["012"]}, "expected one of 021D"),
        ({"of": []}, "expected one of"),
        ({"types": [0, 1]}, "types: expected one label for each of the 3 vertices"),
        ({"types": [0, None, 1]}, "types: vertex 1 has none"),
        ({"null": "nonsense"}, "null='nonsense': expected 'degrees'"),
        ({"samples": 1}, "samples=1: expected a whole number from 2"),
        ({"samples": 2, "null": "gnm"}, "it keeps no groups"),
        ({"samples": 2, "keep_types": "no"}, "keep_types='no'"),
        ({"samples": 2, "steps": 0}, "steps=0"),
    ],
    ids=str,
)
def test_a_bad_argument_is_named(keywords, found):
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], directed=True)
    with pytest.raises(ArgumentError, match=found):
        triadic.typed_triads(graph, **({"of": "030T", "types": [0, 1, 2]} | keywords))


TANGLE = triadic.generate.rmat(6, seed=1, directed=True)


@pytest.mark.parametrize("keywords", [{}, {"keep_types": False}, {"null": "gnm", "keep_types": False}], ids=str)
def test_samples_of_a_device_have_the_triads_of_those_of_the_cpu(gpu_device, keywords):
    seen = []
    here, there = (
        triadic.typed_triads(
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
    assert np.array_equal(here.samples, there.samples)
    assert (here.types.tolist(), here.groups.tolist()) == (there.types.tolist(), there.groups.tolist())
    assert seen[-1] == (6, 6)


def test_a_device_draws_the_samples_that_the_cpu_counts(gpu_device, monkeypatch):
    monkeypatch.setattr(Switching, "draw", lambda *_: pytest.fail("the CPU has drawn a sample"))
    found = triadic.typed_triads(TANGLE, "030T", np.arange(64) % 3, samples=3, keep_types=False, device=gpu_device)
    assert found.samples.shape[0] == 3


def test_ctrl_c_keeps_the_batches_that_a_device_has_drawn(gpu_device, monkeypatch):
    def stop(done, _):
        if done == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(randomization, "walks_at_a_time", lambda *_: 3)
    with pytest.warns(UserWarning, match="interrupted: the result has 3 of 6 samples"):
        triadic.typed_triads(
            TANGLE, "030T", np.arange(64) % 3, samples=6, keep_types=False, device=gpu_device, progress=stop
        )


def test_a_device_that_does_not_exist_is_an_error():
    with pytest.raises(ArgumentError, match="device='gpu'"):
        triadic.typed_triads(TANGLE, "030T", np.arange(64) % 3, device="gpu")


def test_groups_whose_triples_would_not_fit_64_bits_are_refused(monkeypatch):
    monkeypatch.setattr("triadic.measures.significance.typed_triads.MOST_GROUPS", 4)
    path = Graph.from_edges([0, 1, 2], [1, 2, 3], directed=True)
    assert triadic.typed_triads(path, "021C", list("aabc"))["021C", "a", "a", "b"].count == 1
    with pytest.raises(ArgumentError, match="expected fewer than 4 types, got 4"):
        triadic.typed_triads(path, "021C", list("abcd"))
