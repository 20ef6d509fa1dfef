"""Temporal motifs: every device counts the combinations of events, and the same as the CPU to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_temporal
import triadic
from strategies import examples
from temporal_networks import crowd, graph_of, timed_events
from triadic.devices.cpu.events.event_order import window_of
from triadic.devices.gpu.tasks import downloaded
from triadic.devices.gpu.temporal_motifs import MotifCounter
from triadic.devices.runtimes import registry
from triadic.errors import UnsupportedError

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("ties", ["order", "simultaneous"])
@given(network=timed_events(), delta=st.integers(0, 45))
@examples(25)
def test_motifs_are_the_combinations_of_events(gpu_device, ties, network, delta):
    n, source, target, time = network
    totals, by_vertex = naive_temporal.temporal_motifs(
        source, target, time, delta, n, simultaneous=ties == "simultaneous"
    )
    graph = graph_of(network, ties)
    assert list(triadic.temporal_motifs(graph, delta, device=gpu_device).values()) == totals
    assert np.array_equal(triadic.temporal_motifs(graph, delta, "vertex", device=gpu_device), by_vertex)


@pytest.mark.parametrize("ties", ["order", "simultaneous"])
@pytest.mark.parametrize("delta", [0, 30, 100, 1000, 5000])
@pytest.mark.parametrize("kind", ["int", "float"])
def test_a_gpu_counts_the_same_as_the_cpu(gpu_device, ties, delta, kind):
    graph = crowd(events=3000, ties=ties, kind=kind)
    before = registry.runtime(gpu_device).launches
    assert triadic.temporal_motifs(graph, delta, device=gpu_device) == (
        triadic.temporal_motifs(graph, delta, device="cpu")
    )
    assert registry.runtime(gpu_device).launches > before
    found, expected = (triadic.temporal_motifs(graph, delta, "vertex", device=which) for which in (gpu_device, "cpu"))
    np.testing.assert_array_equal(found, expected)


def test_bursts_have_the_same_motifs_on_every_device(gpu_device):
    graph = triadic.generate.bursts(2000, 20_000, seed=3)
    for delta in (600, 20_000):
        found, expected = (triadic.temporal_motifs(graph, delta, device=which) for which in (gpu_device, "cpu"))
        assert found == expected


@pytest.mark.parametrize("by_vertex", [False, True])
def test_shares_add_up(gpu_device, by_vertex, monkeypatch):
    monkeypatch.setattr("triadic.devices.gpu.temporal_motifs._SLICE", 64)
    monkeypatch.setattr("triadic.devices.gpu.temporal_motifs._DEFINES", (("SLICE", 64), ("MOTIFS", 36)))
    graph = crowd(events=2000)
    oriented = graph.oriented()
    counter = MotifCounter(registry.runtime(gpu_device), oriented, window_of(oriented, 100, False), by_vertex)
    for first in (2, 0, 1):
        counter.take(first, 3)
    if by_vertex:
        counter.add_lone()
        expected = triadic.temporal_motifs(graph, 100, "vertex", device="cpu")
        np.testing.assert_array_equal(downloaded([counter]).reshape(-1, 36)[oriented.rank], expected)
    else:
        expected = list(triadic.temporal_motifs(graph, 100, device="cpu").values())
        assert downloaded([counter]).tolist() == expected


def test_a_network_without_events_has_no_motifs(gpu_device):
    for vertices in (0, 3):
        graph = triadic.TemporalGraph.from_edges([], [], [], num_vertices=vertices)
        assert sum(triadic.temporal_motifs(graph, 5, device=gpu_device).values()) == 0
        assert triadic.temporal_motifs(graph, 5, "vertex", device=gpu_device).shape == (vertices, 36)


def test_pairs_of_events_are_counted_on_the_cpu_only(gpu_device):
    with pytest.raises(UnsupportedError, match="temporal motifs of two events are counted on 'cpu'"):
        triadic.temporal_motifs(crowd(events=10), 5, events=2, device=gpu_device)


def test_windows_with_too_many_events_are_refused_by_name(gpu_device, monkeypatch):
    monkeypatch.setattr("triadic.devices.gpu.temporal_motifs._MOST_LOOK_UPS", 10)
    with pytest.raises(UnsupportedError, match="too many events for triangles on a GPU; use device='cpu'"):
        triadic.temporal_motifs(crowd(events=1000), 1000, device=gpu_device)


def test_a_graph_of_2_to_30_events_is_refused_by_name(gpu_device, monkeypatch):
    monkeypatch.setattr("triadic.graph.events._MOST_EVENTS_32", 0)
    with pytest.raises(UnsupportedError, match=r"expected fewer than 2\*\*30 events; use device='cpu'"):
        triadic.temporal_motifs(crowd(events=10), 5, device=gpu_device)
