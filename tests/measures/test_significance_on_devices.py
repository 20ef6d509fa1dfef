"""Significance with samples that are drawn on devices: the same samples as on the CPU, whatever draws them."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from triadic import Graph, significance
from triadic.devices.gpu.switching import DeviceWalks
from triadic.devices.runtimes import registry as gpus
from triadic.errors import DeviceError, NothingToCompareError, OutOfMemoryError
from triadic.measures.significance import statistics as null_statistics
from triadic.null_models import randomization
from triadic.null_models.constrained import ConstrainedSwitching
from triadic.null_models.switching import Switching

RING = triadic.generate.watts_strogatz(60, 6, 0.1, seed=1)
TANGLE = triadic.generate.rmat(6, seed=1, directed=True)


@pytest.fixture
def draws_on_cpu(monkeypatch):
    """The keys whose samples the CPU draws by switching."""
    keys = []
    for model in (Switching, ConstrainedSwitching):

        def noted(model, key, *show, draw=model.draw):
            keys.append(key)
            return draw(model, key, *show)

        monkeypatch.setattr(model, "draw", noted)
    return keys


@pytest.mark.parametrize(
    ("graph", "keywords"),
    [
        (TANGLE, {"null": "mutual"}),
        pytest.param(TANGLE, {"null": "degrees"}, marks=pytest.mark.nightly),
        pytest.param(TANGLE, {"of": "clustering"}, marks=pytest.mark.nightly),
        pytest.param(TANGLE, {"groups": np.arange(64) % 2}, marks=pytest.mark.nightly),
        (TANGLE, {"null": "degrees", "positions": np.random.default_rng(1).random((64, 3)), "bins": 3}),
        (RING, {"groups": ["a", "b"] * 30, "positions": np.random.default_rng(1).random((60, 2)), "bins": 2}),
        pytest.param(RING, {}, marks=pytest.mark.nightly),
        (RING, {"of": ["triads", "clustering", "graphlets"]}),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, dict) else "",
)
def test_samples_of_a_device_have_the_counts_of_those_of_the_cpu(gpu_device, draws_on_cpu, graph, keywords):
    expected = significance(graph, samples=7, seed=5, device="cpu", **keywords)
    draws_on_cpu.clear()
    seen = []
    found = significance(
        graph, samples=7, seed=5, device=gpu_device, progress=lambda *done: seen.append(done), **keywords
    )
    assert found.samples == expected.samples
    assert (found.counts, found.steps) == (expected.counts, expected.steps)
    assert (seen[0], seen[-1]) == ((0, 7), (7, 7))
    assert not draws_on_cpu


@pytest.mark.parametrize("size", [1, 2, 100])
@pytest.mark.parametrize("devices", [1, 3])
def test_batches_of_walks_and_devices_do_not_matter(gpu_device, monkeypatch, size, devices):
    expected = significance(TANGLE, samples=5, steps=100, seed=5, device="cpu").samples
    monkeypatch.setattr(randomization, "samples_at_a_time", lambda *_: size)
    monkeypatch.setattr(null_statistics, "drawing_devices", lambda *_: (gpu_device,) * devices)
    monkeypatch.setattr(
        "triadic.measures.significance.significance.drawing_devices", lambda *_: (gpu_device,) * devices
    )
    assert significance(TANGLE, samples=5, steps=100, seed=5, device=gpu_device).samples == expected


@pytest.mark.parametrize(
    "keywords",
    [{"null": "gnm"}, {"null": "configuration"}],
    ids=str,
)
def test_the_cpu_draws_the_samples_of_other_null_models(gpu_device, keywords):
    expected = significance(TANGLE, samples=3, seed=5, device="cpu", **keywords)
    before = gpus.runtime(gpu_device).launches
    assert significance(TANGLE, samples=3, seed=5, device=gpu_device, **keywords).samples == expected.samples
    assert gpus.runtime(gpu_device).launches > before


def test_a_group_that_is_held_fast_is_a_warning_from_the_walk_of_the_device(gpu_device, draws_on_cpu, monkeypatch):
    star = [(0, leaf) for leaf in range(1, 6)]
    ring = [(6 + u, 6 + (u + 1) % 100) for u in range(100)]
    graph = Graph.from_edges(*np.array(star + ring).T, directed=True)
    groups = ["a"] + ["b"] * 5 + ["c"] * 100
    found = []
    for device in ("cpu", gpu_device):
        with pytest.warns(UserWarning, match=r"no arc of group 'a' \(5 arcs\), 'b' \(5 arcs\) was moved") as caught:
            significance(graph, groups=groups, samples=2, seed=3, steps=20_000, device=device)
        found.append([str(one.message) for one in caught])
        monkeypatch.setattr(ConstrainedSwitching, "walk", lambda *_: pytest.fail("the CPU has made a walk"))
    assert found[0] == found[1]
    assert len(found[0]) == 1
    assert len(draws_on_cpu) == 2


def test_the_cpu_draws_samples_with_weights(gpu_device):
    source, target = TANGLE.edges()
    graph = Graph.from_edges(source, target, directed=True, weights=np.arange(len(source)) + 1.0)
    expected = significance(graph, samples=3, keep_weights="shuffle", seed=5, device="cpu")
    found = significance(graph, samples=3, keep_weights="shuffle", seed=5, device=gpu_device)
    assert found.samples == expected.samples


def test_nothing_that_can_be_moved_is_an_error_on_devices_too(gpu_device):
    star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    with pytest.raises(NothingToCompareError, match="nothing can be moved in it, with its degrees kept"):
        significance(star, samples=3, device=gpu_device)


def test_a_batch_is_compared_graph_by_graph(gpu_device):
    batch = triadic.GraphBatch.from_graphs({"a": TANGLE, "b": TANGLE.subgraph(range(30))})
    here, there = (significance(batch, samples=3, seed=2, device=device) for device in ("cpu", gpu_device))
    assert all(np.array_equal(here[name], there[name], equal_nan=True) for name in here)


@pytest.fixture
def chosen(gpu_device, monkeypatch):
    """Let "auto" choose a device for graphs of any size."""
    monkeypatch.setattr(
        null_statistics,
        "device_for",
        lambda _, device, oriented: (oriented.device or gpu_device) if device == "auto" else device,
    )
    return gpu_device


def test_auto_draws_on_the_device_that_counts(chosen, draws_on_cpu):
    before = gpus.runtime(chosen).launches
    found = significance(TANGLE, samples=3, steps=100, seed=5)
    assert gpus.runtime(chosen).launches > before
    assert not draws_on_cpu
    assert found.samples == significance(TANGLE, samples=3, steps=100, seed=5, device="cpu").samples


@pytest.mark.parametrize("error", [OutOfMemoryError("the card is full"), DeviceError("the card fell out")])
def test_auto_falls_back_to_the_cpu_with_a_warning(chosen, monkeypatch, draws_on_cpu, error):
    def fail(*_):
        raise error

    monkeypatch.setattr(randomization, "samples_at_a_time", fail)
    with pytest.warns(RuntimeWarning, match=f"drawing and counting random graphs on the CPU: {error}"):
        found = significance(TANGLE, samples=3, steps=100, seed=5)
    assert len(draws_on_cpu) == 3
    assert found.samples == significance(TANGLE, samples=3, steps=100, seed=5, device="cpu").samples


def test_a_named_device_that_fails_is_an_error(gpu_device, monkeypatch):
    def fail(*_):
        raise OutOfMemoryError("the card is full")

    monkeypatch.setattr(randomization, "samples_at_a_time", fail)
    with pytest.raises(OutOfMemoryError, match="the card is full"):
        significance(TANGLE, samples=3, device=gpu_device)


def test_ctrl_c_during_walks_keeps_the_samples_of_the_batches_before(gpu_device, monkeypatch):
    def stop(done, _):
        if done == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(randomization, "samples_at_a_time", lambda *_: 3)
    with pytest.warns(UserWarning, match="interrupted: the result has 3 of 6 samples"):
        found = significance(TANGLE, samples=6, steps=100, seed=5, device=gpu_device, progress=stop)
    assert found.samples == significance(TANGLE, samples=3, steps=100, seed=5, device="cpu").samples


def test_progress_moves_while_the_walks_of_a_batch_are_made(gpu_device, monkeypatch):
    monkeypatch.setattr("triadic.devices.gpu.switching.PART", 50)
    walks, seen = [], []
    go = DeviceWalks.go
    monkeypatch.setattr(DeviceWalks, "go", lambda *given: (go(*given), walks.append(len(seen))))
    significance(TANGLE, samples=10, steps=300, device=gpu_device, progress=lambda *done: seen.append(done))
    assert seen[: walks[0]] == [(0, 10), (1, 10), (2, 10), (3, 10), (4, 10), (5, 10), (6, 10)]
    assert seen == sorted(seen)
    assert seen[-1] == (10, 10)


def test_workers_of_a_cluster_draw_on_their_devices(gpu_device, draws_on_cpu):
    distributed = pytest.importorskip("distributed")
    expected = significance(TANGLE, samples=5, steps=100, seed=5, device="cpu").samples
    draws_on_cpu.clear()
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        assert significance(TANGLE, samples=5, steps=100, seed=5, device=gpu_device, client=client).samples == expected
    assert not draws_on_cpu
