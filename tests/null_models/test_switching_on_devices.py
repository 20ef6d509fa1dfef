"""Walks on devices: the steps of the CPU to the bit, a table that stays right, and samples that lie on the device."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

import triadic
from naive_realisations import realisations
from strategies import examples, networks
from triadic import Graph
from triadic.core.draws import derive_keys
from triadic.devices.gpu import switching as gpu
from triadic.devices.gpu.orientation import orient
from triadic.devices.gpu.rows import OrientedOnDevice
from triadic.devices.runtimes import registry as gpus
from triadic.errors import OutOfMemoryError, UnsupportedError
from triadic.null_models import randomization
from triadic.null_models.constrained import ConstrainedSwitching
from triadic.null_models.model import Null
from triadic.null_models.switching import Switching

CYCLE = [(0, 1), (1, 2), (2, 0)]
GOLDEN, WORD = 0x9E3779B97F4A7C15, 1 << 64


def both(edges):
    return [arc for u, v in edges for arc in ((u, v), (v, u))]


def graph_of(arcs, *, directed):
    return Graph.from_edges(*np.array(arcs).T, directed=directed)


def walks_of(device, model, keys):
    return gpu.DeviceWalks(gpus.runtime(device), model, keys)


def ends_of(device, walks, number):
    return [gpus.runtime(device).download(ends).astype(np.int64).tolist() for ends in walks.arcs(number)]


def check_walks(device, graph, *, mutual, keys, parts):
    """Compare walks with those of the CPU: the ends of each slot, and the number of accepted proposals."""
    model = Switching.of(graph, mutual=mutual)
    walks = walks_of(device, model, keys)
    for steps in parts:
        walks.go(steps)
    accepted = walks.accepted().tolist()
    for number, key in enumerate(keys):
        expected = model.walk(key)
        assert accepted[number] == expected.go(sum(parts))
        assert ends_of(device, walks, number) == [ends.tolist() for ends in expected.edges()]
    return accepted


@examples(20)
@given(network=networks(), mutual=st.booleans(), seed=st.integers(0, 2**64 - 1))
def test_a_walk_is_that_of_the_cpu(gpu_device, network, mutual, seed):
    graph = network.graph()
    if graph.num_arcs:
        keys = derive_keys(seed, 2).tolist()
        check_walks(gpu_device, graph, mutual=mutual and graph.directed, keys=keys, parts=(300,))


SHAPES = {
    "hubs": lambda: triadic.generate.rmat(10, seed=1, directed=True),
    "hubs without direction": lambda: triadic.generate.rmat(9, seed=2),
    "nearly every arc": lambda: Graph.from_edges(
        *np.nonzero(np.random.default_rng(4).random((40, 40)) < 0.8), directed=True
    ),
    "a tournament, full of 3-cycles": lambda: Graph.from_edges(
        *zip(*[(u, v) if (u * v + u + v) % 3 else (v, u) for u in range(60) for v in range(u)], strict=True),
        directed=True,
    ),
    "pairs joined both ways": lambda: graph_of(both([(u, (7 * u + 1) % 90 + 90) for u in range(90)]), directed=True),
    "a triangle": lambda: graph_of(CYCLE, directed=True),
    "one edge": lambda: graph_of([(0, 1)], directed=False),
}


def test_walks_with_full_buckets_are_those_of_the_cpu(gpu_device, monkeypatch):
    monkeypatch.setattr(gpu, "buckets_for", lambda dyads: int(0.4 * dyads) + 2)
    for shape in ("hubs", "nearly every arc", "a tournament, full of 3-cycles", "hubs without direction"):
        graph = SHAPES[shape]()
        for mutual in (False, True)[: 1 + graph.directed]:
            check_walks(gpu_device, graph, mutual=mutual, keys=[3, 4], parts=(5000,))


@pytest.mark.parametrize("mutual", [False, True], ids=["degrees", "mutual"])
@pytest.mark.parametrize("shape", SHAPES)
def test_long_walks_of_any_parts_are_those_of_the_cpu(gpu_device, shape, mutual):
    graph = SHAPES[shape]()
    if graph.directed or not mutual:
        check_walks(gpu_device, graph, mutual=mutual, keys=[1, 2**64 - 1, 12345], parts=(1, 31, 32, 0, 33, 6000))


def test_the_shapes_try_every_kind_of_proposal():
    """A tournament changes by 3-cycles alone if mutual degrees are kept, and pairs joined both ways by edges alone."""
    for shape in ("a tournament, full of 3-cycles", "pairs joined both ways", "hubs"):
        model = Switching.of(SHAPES[shape](), mutual=True)
        assert model.walk(1).go(6000) > 100
    assert len(Switching.of(SHAPES["pairs joined both ways"](), mutual=True).tail) == 0


def passes(entry, at, buckets):
    """Return the buckets that an entry passed on the way to the bucket that holds it."""
    bucket = ((entry >> 2) * GOLDEN % WORD >> 32) * buckets >> 32
    passed = []
    while bucket != at:
        passed.append(bucket)
        bucket = (bucket + 1) % buckets
    return passed


@pytest.mark.parametrize("places", [1.2, 3.0])
@pytest.mark.parametrize(("shape", "mutual"), [("hubs", True), ("hubs", False), ("nearly every arc", False)])
def test_the_table_stays_right(gpu_device, monkeypatch, shape, mutual, places):
    """It holds the dyads of the current graph, and each bucket the number of entries that passed it."""
    monkeypatch.setattr(gpu, "buckets_for", lambda dyads: int(places * dyads / 3) + 2)
    model = Switching.of(SHAPES[shape](), mutual=mutual)
    walks = walks_of(gpu_device, model, [7, 8])
    walks.go(20_000)
    buckets = model.buckets
    tables = gpus.runtime(gpu_device).download(walks._tables).reshape(2, buckets, 4)
    for key, table in zip((7, 8), tables.tolist(), strict=True):
        walk = model.walk(key)
        walk.go(20_000)
        source, target = (end.tolist() for end in walk.graph().edges())
        arcs = set(zip(source, target, strict=True))
        if mutual:
            expected = {
                (u << 32) | (v << 2) | (((u, v) in arcs) + 2 * ((v, u) in arcs))
                for u, v in {(min(arc), max(arc)) for arc in arcs}
            }
        else:
            expected = {(u << 32) | (v << 2) | 1 for u, v in arcs}
        found, passed = [], Counter()
        for at, (control, *entries) in enumerate(table):
            held = [entry for place, entry in enumerate(entries) if control >> place & 1]
            found += held
            passed.update(bucket for entry in held for bucket in passes(entry, at, buckets))
        assert sorted(found) == sorted(expected)
        assert [control >> 3 for control, *_ in table] == [passed[at] for at in range(buckets)]
        assert places == 3 or sum(passed.values()) > len(found) / 4


SPACES = {
    "one hexagon or two triangles": (False, "degrees", [(u, (u + 1) % 6) for u in range(6)], 70),
    "a tangle": (True, "degrees", [(0, 1), (1, 0), (1, 2), (2, 3), (3, 1), (0, 3), (2, 0)], 7),
    "a triangle and edges": (True, "mutual", [*CYCLE, (2, 3), *both([(0, 3), (1, 4), (2, 5)])], 8),
}


@pytest.mark.parametrize(
    ("directed", "null", "arcs", "size"),
    [
        pytest.param(*space, id=name, marks=[pytest.mark.nightly] if space[-1] > 50 else [])
        for name, space in SPACES.items()
    ],
)
def test_all_realisations_are_equally_likely(gpu_device, directed, null, arcs, size):
    """Chi-squared test over the whole space, which brute force enumerates; thousands of walks side by side."""
    graph = graph_of(arcs, directed=directed)
    space = realisations(graph.num_vertices, arcs if directed else both(arcs), mutual=not directed or null == "mutual")
    assert len(space) == size
    count = 60 * size
    walks = walks_of(gpu_device, Switching.of(graph, mutual=null == "mutual"), derive_keys(1, count).tolist())
    walks.go(200)
    drawn = (zip(*ends_of(gpu_device, walks, number), strict=True) for number in range(count))
    seen = Counter(frozenset(ends if directed else both(ends)) for ends in drawn)
    assert set(seen) == set(space)
    statistic = sum((seen[arcs] - 60) ** 2 / 60 for arcs in space)
    assert chi2.sf(statistic, size - 1) > 0.001


@pytest.mark.parametrize("shape", ["hubs", "hubs without direction", "a triangle", "pairs joined both ways"])
def test_arcs_are_oriented_as_on_the_host(gpu_device, shape):
    graph = SHAPES[shape]()
    model, runtime = Switching.of(graph, mutual=graph.directed), gpus.runtime(gpu_device)
    walks = walks_of(gpu_device, model, [5])
    walks.go(500)
    walk = model.walk(5)
    walk.go(500)
    expected = walk.graph()
    arrays, met = orient(runtime, gpu.ArcsOfWalk(walks, 0), graph.num_vertices, directed=graph.directed)
    found = OrientedOnDevice(runtime, arrays)
    for name in ("rank", "indptr", "indices", "state", "degree"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected.oriented(), name), err_msg=name)
    assert (met.loops, met.duplicates) == (0, 0)
    assert met.arcs == graph.num_arcs if graph.directed else met.reciprocal == 0


def test_repeats_of_arcs_leave_the_states_as_they_are(gpu_device):
    class Repeats:
        pieces, arcs = 2, 8
        ends = np.array([[0, 1, 1, 2], [1, 0, 2, 2]], dtype=np.uint32)

        def piece(self, _):
            return tuple(gpus.runtime(gpu_device).upload(end) for end in self.ends)

    arrays, met = orient(gpus.runtime(gpu_device), Repeats(), 3, directed=True)
    expected = Graph.from_edges(*np.tile(Repeats.ends, 2).astype(int), directed=True, num_vertices=3)
    found = OrientedOnDevice(gpus.runtime(gpu_device), arrays)
    assert (met.arcs, met.loops, met.duplicates) == (3, 2, 3)
    np.testing.assert_array_equal(found.state, expected.oriented().state)
    np.testing.assert_array_equal(found.indices, expected.oriented().indices)


@pytest.mark.parametrize("null", ["degrees", "mutual"])
def test_samples_are_those_of_the_cpu_and_lie_on_the_device(gpu_device, null):
    graph = SHAPES["hubs"]()
    model = Switching.of(graph, mutual=null == "mutual", steps=2_000)
    keys = derive_keys(4, 3).tolist()
    before = gpus.runtime(gpu_device).launches
    for key, (sample, moved) in zip(keys, randomization.draw_on(gpu_device, model, keys), strict=True):
        expected, _ = model.draw(key)
        assert moved
        assert (sample.num_arcs, sample.directed, sample.oriented().device) == (graph.num_arcs, True, gpu_device)
        assert [ends.tolist() for ends in sample.edges()] == [ends.tolist() for ends in expected.edges()]
        assert triadic.triad_census(sample) == triadic.triad_census(expected, device="cpu")
    assert gpus.runtime(gpu_device).launches > before


def test_fewer_walks_at_a_time_fit_a_smaller_device(gpu_device, monkeypatch):
    runtime = gpus.runtime(gpu_device)
    one = Switching.of(SHAPES["hubs"](), mutual=False)
    most = gpu.walks_at_a_time(runtime, one, 10**6)
    assert most == gpu._WALKS_OF_A_MULTIPROCESSOR * runtime.multiprocessors
    assert gpu.walks_at_a_time(runtime, one, 2) == 2
    room = int((gpu.bytes_shared(one) + 3.5 * gpu.bytes_of_walk(one)) / 0.9)
    monkeypatch.setattr(type(runtime), "memory", lambda _: (room, 2 * room))
    assert gpu.walks_at_a_time(runtime, one, 100) == 3
    monkeypatch.setattr(type(runtime), "memory", lambda _: (gpu.bytes_of_walk(one), 2 * room))
    with pytest.raises(OutOfMemoryError, match="a walk over graphs of 12,180 arcs takes about"):
        gpu.walks_at_a_time(runtime, one, 100)


def test_a_graph_of_too_many_arcs_is_refused(gpu_device, monkeypatch):
    monkeypatch.setattr(gpu, "_MOST_ARCS", 1000)
    with pytest.raises(UnsupportedError, match="switched on the CPU"):
        triadic.significance(SHAPES["hubs"](), samples=2, steps=9, device=gpu_device)


def constraints(graph):
    """Groups, positions on a grid, so that lengths lie on edges between bins, and both."""
    draws = np.random.default_rng(1)
    n = graph.num_vertices
    yield {"groups": draws.integers(3, size=n)}
    yield {"positions": draws.random((n, 3)).round(1)}
    yield {"positions": draws.random((n, 2)), "groups": draws.integers(2, size=n), "bins": 4}


def check_constrained_walks(device, graph, keywords, *, null, keys, parts):
    """Compare walks with those of the CPU: all stubs, the arcs, and the number of accepted proposals."""
    model = Null(null, steps=9, **keywords).of(graph)
    walks = walks_of(device, model, keys)
    for steps in parts:
        walks.go(steps)
    stubs = gpus.runtime(device).download(walks._states).view(np.int32).reshape(len(keys), *model.stubs.shape)
    for number, key in enumerate(keys):
        expected = model.walk(key)
        assert walks.accepted()[number] == expected.go(sum(parts))
        np.testing.assert_array_equal(stubs[number], expected._rows)
        assert ends_of(device, walks, number) == [ends.tolist() for ends in expected.edges()]


@examples(10)
@given(network=networks(), mutual=st.booleans(), seed=st.integers(0, 2**64 - 1))
def test_a_walk_within_groups_and_bins_is_that_of_the_cpu(gpu_device, network, mutual, seed):
    graph = network.graph()
    null = "mutual" if mutual and graph.directed else "degrees"
    for keywords in constraints(graph) if graph.num_arcs else ():
        check_constrained_walks(gpu_device, graph, keywords, null=null, keys=[seed], parts=(300,))


@pytest.mark.parametrize("null", ["degrees", "mutual"])
@pytest.mark.parametrize("shape", SHAPES)
def test_long_walks_within_groups_and_bins_are_those_of_the_cpu(gpu_device, shape, null):
    graph = SHAPES[shape]()
    for keywords in constraints(graph) if graph.directed or null == "degrees" else ():
        check_constrained_walks(gpu_device, graph, keywords, null=null, keys=[1, 12345], parts=(31, 33, 0, 4000))


def test_samples_within_groups_keep_their_arcs(gpu_device):
    graph = SHAPES["hubs"]()
    group = np.arange(graph.num_vertices) % 4

    def between(sample):
        source, target = sample.edges()
        return np.bincount(4 * group[source] + group[target], minlength=16).tolist()

    model = Null("degrees", groups=group, steps=20_000).of(graph)
    for sample, moved in randomization.draw_on(gpu_device, model, [3, 4]):
        assert moved
        assert between(sample) == between(graph)
        for ends in zip(graph.edges(), sample.edges(), strict=True):
            assert len({tuple(np.bincount(end, minlength=graph.num_vertices)) for end in ends}) == 1
        assert sample.edges()[1].tolist() != graph.edges()[1].tolist()


@pytest.mark.parametrize("keywords", [{"null": "degrees"}, {"null": "mutual"}, {"groups": np.arange(512) % 4}], ids=str)
def test_randomize_draws_the_graphs_of_the_cpu_on_a_device(gpu_device, monkeypatch, keywords):
    graph = triadic.generate.rmat(9, seed=1, directed=True)
    expected = triadic.randomize(graph, samples=3, seed=4, device="cpu", **keywords)
    seen = []
    for model in (Switching, ConstrainedSwitching):
        monkeypatch.setattr(model, "draw", lambda *_: pytest.fail("the CPU has drawn a sample"))
    found = triadic.randomize(
        graph, samples=3, seed=4, device=gpu_device, progress=lambda *done: seen.append(done), **keywords
    )
    assert [[end.tolist() for end in one.edges()] for one in found] == [
        [end.tolist() for end in one.edges()] for one in expected
    ]
    assert all(one.oriented().device is None for one in found)
    assert [one.dropped for one in found] == [one.dropped for one in expected]
    assert seen[-1] == (3, 3)


def test_randomize_draws_an_undirected_graph_on_a_device(gpu_device):
    graph = triadic.generate.rmat(8, seed=1)
    (found,) = triadic.randomize(graph, samples=1, seed=4, device=gpu_device)
    one = triadic.randomize(graph, seed=4, device=gpu_device)
    for other in (one, triadic.randomize(graph, seed=4)):
        assert [end.tolist() for end in found.edges()] == [end.tolist() for end in other.edges()]
        assert found.dropped == other.dropped


def test_the_cpu_randomizes_with_a_warning_if_the_device_of_auto_fails(gpu_device, monkeypatch):
    def fail(*_):
        raise OutOfMemoryError("the card is full")

    graph = triadic.generate.rmat(8, seed=1)
    monkeypatch.setattr("triadic.null_models.randomization.resolve_device", lambda *_, **__: gpu_device)
    monkeypatch.setattr(randomization, "walks_at_a_time", fail)
    with pytest.warns(RuntimeWarning, match="drawing random graphs on the CPU: the card is full"):
        assert len(triadic.randomize(graph, samples=2)) == 2
    with pytest.raises(OutOfMemoryError, match="the card is full"):
        triadic.randomize(graph, samples=2, device=gpu_device)
