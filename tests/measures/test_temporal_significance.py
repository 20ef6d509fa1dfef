"""Significance of temporal motifs: counts beside those of shuffled events."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import isnan, nan
from statistics import mean, stdev

import numpy as np
import pytest

import triadic
from triadic import TemporalGraph
from triadic.core.draws import derive_keys
from triadic.errors import ArgumentError, OutOfMemoryError
from triadic.null_models.shuffled_events import TEMPORAL_NULLS, ShuffledEvents


def conversations(pairs=200, seed=1):
    """Return events that are answered within a minute, and answered again."""
    random = np.random.default_rng(seed)
    a = random.integers(0, 20, pairs)
    b = (a + random.integers(1, 20, pairs)) % 20
    begin = random.integers(0, 20_000, pairs)
    return TemporalGraph.from_edges(
        np.concatenate([a, b, a]), np.concatenate([b, a, b]), np.concatenate([begin, begin + 20, begin + 40])
    )


@pytest.mark.parametrize("null", TEMPORAL_NULLS)
def test_motifs_are_compared_with_those_of_the_samples(null):
    graph = conversations()
    found = triadic.significance(graph, of="motifs", delta=60, null=null, samples=5, seed=3)
    motifs = triadic.temporal_motifs(graph, 60)
    assert (found.of, found.null, found.seed, found.delta) == ("motifs", null, 3, 60)
    assert (found.names, found.counts) == (motifs.names, motifs.counts)
    keys = derive_keys(3, 5).tolist()[: 1 if null == "time_reversal" else 5]
    model = ShuffledEvents.of(graph, null)
    assert found.samples == tuple(triadic.temporal_motifs(model.draw(key), 60).counts for key in keys)
    of_samples = [sample[found.names.index("M51")] for sample in found.samples]
    assert found["M51"].mean == pytest.approx(mean(of_samples))
    if null != "time_reversal":
        assert found["M51"].std == pytest.approx(stdev(of_samples))


def test_tied_events_of_samples_have_no_order_either():
    random = np.random.default_rng(2)
    graph = TemporalGraph.from_edges(*random.integers(0, 6, (2, 90)), random.integers(0, 5, 90))
    found = triadic.significance(graph, delta=2, ties="simultaneous", samples=3, seed=3)
    model = ShuffledEvents.of(graph, "shuffled_times")
    samples = [model.draw(key) for key in derive_keys(3, 3).tolist()]
    assert found.counts == triadic.temporal_motifs(graph, 2, ties="simultaneous").counts
    assert found.samples == tuple(triadic.temporal_motifs(each, 2, ties="simultaneous").counts for each in samples)
    with pytest.raises(ArgumentError, match="ties='order': expected a TemporalGraph, got a Graph"):
        triadic.significance(graph.window(), ties="order", samples=2)


def test_conversations_are_significant():
    found = triadic.significance(conversations(), delta="5min", samples=50, seed=1)
    assert found.null == "shuffled_times"
    assert found["M51"].z > 10
    assert found["M51"].p == found.resolution


def test_reversed_time_has_one_sample_and_no_scores():
    found = triadic.significance(conversations(), delta=60, null="time_reversal")
    assert len(found.samples) == 1
    assert found["M51"].mean >= 200  # backwards, a conversation is one as well
    assert isnan(found["M51"].z)
    assert isnan(found["M51"].p)
    assert isnan(found.resolution)
    assert found["M51"].to_dict()["p"] is None
    title, head, *rows = repr(found).splitlines()
    assert title == "Significance of temporal motifs, 1 sample of 'time_reversal'"
    assert head.split() == ["name", "count", "reversed"]
    names = [row.split()[0] for row in rows[:-1]]
    differences = {name: abs(row.count - row.mean) for name, row in found.items()}
    assert min(map(differences.get, names)) >= max(map(differences.get, differences.keys() - names))
    assert rows[0].split()[1:] == [f"{found[names[0]].count:,}", f"{found[names[0]].mean:,.0f}"]
    assert "<th>reversed</th>" in found._repr_html_()
    assert "p is at least" not in found._repr_html_()


@pytest.mark.parametrize("threads", [2, 3])
def test_the_number_of_threads_does_not_change_the_samples(threads):
    one, several = (triadic.significance(conversations(), delta=60, samples=9, seed=2, threads=t) for t in (1, threads))
    assert one.samples == several.samples


def test_a_gpu_has_the_same_samples(gpu_device):
    keywords = {"delta": 60, "samples": 3, "seed": 2, "threads": 2}
    on_cpu = triadic.significance(conversations(), **keywords)
    on_gpu = triadic.significance(conversations(), device=gpu_device, **keywords)
    assert (on_gpu.counts, on_gpu.samples) == (on_cpu.counts, on_cpu.samples)


def test_the_result_is_a_table():
    found = triadic.significance(conversations(), delta=60, samples=5, seed=1)
    table = found.to_polars()
    assert table["name"].to_list() == list(found.names)
    assert table["count"].to_list() == list(found.counts)
    assert sum(score * score for score in found.profile.values() if not isnan(score)) == pytest.approx(1)


def test_ctrl_c_keeps_the_finished_samples():
    def interrupt(done, total):
        if done == 4:
            raise KeyboardInterrupt

    keywords = {"delta": 60, "seed": 1, "threads": 1}
    whole = triadic.significance(conversations(), samples=9, **keywords)
    with pytest.warns(UserWarning, match=r"^interrupted: the result has 4 of 9 samples$"):
        found = triadic.significance(conversations(), samples=9, progress=interrupt, **keywords)
    assert found.samples == whole.samples[:4]
    with pytest.raises(KeyboardInterrupt):
        triadic.significance(conversations(), samples=9, progress=lambda done, _: interrupt(done + 3, 0), **keywords)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"delta": None}, r"^delta=None: expected the longest time from the first event of a motif to the last$"),
        ({"delta": -1}, r"^delta=-1"),
        ({"of": "triads"}, r"^of='triads': expected 'motifs' for a TemporalGraph"),
        ({"null": "degrees"}, r"^null='degrees': expected one of 'shuffled_times'"),
        ({"samples": 1}, r"^samples=1"),
        ({"seed": -1}, r"^seed=-1"),
        ({"client": 5}, r"^client=5: expected a dask.distributed.Client or None"),
        ({"client": ThreadPoolExecutor(1)}, r"^client=.*: samples of a TemporalGraph are not drawn on a cluster"),
        ({"block": nan, "null": "random_times"}, r"^block=nan"),
    ],
)
def test_wrong_arguments_are_refused_by_name(wrong, message):
    with pytest.raises(ArgumentError, match=message):
        triadic.significance(conversations(), **{"delta": 60, "samples": 5} | wrong)


def test_graphs_without_times_are_refused_by_name():
    graph = triadic.generate.watts_strogatz(20, 4, 0.1, seed=1)
    for wrong in ({"delta": 5}, {"block": 5}, {"of": "motifs"}):
        with pytest.raises(ArgumentError, match=r"expected a TemporalGraph, got a Graph$"):
            triadic.significance(graph, **wrong)


def test_a_graph_without_events_has_nothing_to_shuffle():
    with pytest.raises(ArgumentError, match=r"^graph: expected events to shuffle, found 1$"):
        triadic.significance(TemporalGraph.from_edges([0], [1], [2]), delta=5)


def test_samples_that_do_not_fit_in_memory_are_refused(monkeypatch):
    graph = conversations()
    monkeypatch.setattr("triadic.measures.significance.significance._BYTES_AN_EVENT", 1 << 50)
    with pytest.raises(OutOfMemoryError, match=r"^shuffling 600 events on"):
        triadic.significance(graph, delta=60)
