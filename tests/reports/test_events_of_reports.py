"""The events in time of a report: the heat map, events over time, and what is left out."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.figure import Figure

import triadic
from triadic import TemporalGraph
from triadic.errors import ArgumentError
from triadic.reports import budget, tables
from triadic.reports.events import draw_over_time, find_events, window_in_words

from .conftest import NETWORKS

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

KEYWORDS = {"samples": 3, "seed": 1, "threads": 1, "progress": False}


@pytest.fixture(scope="module")
def messages():
    random = np.random.default_rng(1)
    source, target = random.integers(0, 15, (2, 400))
    return TemporalGraph.from_edges(source, target, random.integers(0, 10**6, 400))


def test_the_page_has_a_section_with_the_heat_map_and_events_over_time(page_of):
    text = page_of("messages").read_text(encoding="utf-8")
    assert '<h2 id="events">Events in time</h2>' in text
    titles = re.findall(r"<h3>(.*?)</h3>", text)
    expected = ["Temporal motifs", "Temporal motifs and shuffled times", "Events over time", "Transitivity over time"]
    assert [title for title in titles if title in expected] == expected
    motifs = triadic.temporal_motifs(NETWORKS["messages"](), "2h")
    words = re.sub(r"<[^>]*>", " ", text)
    assert f"{sum(motifs.values()):,}" in words
    assert "the last at most 2 h after the first" in words
    assert "delta=&#39;2h&#39;" in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


def test_what_is_found_equals_the_measures(messages):
    found = find_events(messages, 5000, **KEYWORDS)
    assert found.motifs == triadic.temporal_motifs(messages, 5000)
    assert found.compared.samples == triadic.significance(messages, delta=5000, samples=3, seed=1).samples
    assert found.period == 6 * 3600
    ax = Figure().add_subplot()
    draw_over_time(found, ax, column="events")
    (steps,) = ax.patches
    heights = steps.get_xy()[1:-1:2, 1]
    assert heights.sum() == messages.num_events
    assert window_in_words(found) == "42 h"
    table = triadic.over_time(messages, "clustering", window=42 * 3600, step=6 * 3600)
    assert found.periods["transitivity"].tolist() == table["transitivity"].tolist()
    facts = {fact.name: fact.value for fact in tables.event_facts(found.graph, found.motifs)}
    assert facts["events"] == f"{messages.num_events:,}"


@pytest.mark.parametrize(
    ("times", "delta", "period"),
    [
        (np.array([0, 100]), "1 s", 1),
        (np.array([0, 10**5]), "1 h", 600),
        (np.array([0, 10**12]), "1 h", 10**10),
        (np.array([0.0, 0.5]), "0.005 s", 0.005),
        (np.array([7, 7]), "0 s", 0),
        (np.array(["2024-05-01", "2024-05-31"], "datetime64[D]"), "1 h", 6 * 3600 * 10**9),
    ],
)
def test_durations_by_default(times, delta, period):
    found = find_events(TemporalGraph.from_edges([0, 1], [1, 2], times), None, **KEYWORDS)
    assert (found.delta, found.period) == (delta, period)
    assert (found.periods is None) == (period == 0)


def test_a_comparison_that_takes_too_long_is_left_out_and_said(messages, monkeypatch):
    monkeypatch.setattr(budget, "SECONDS", 1e-9)
    found = find_events(messages, 5000, **KEYWORDS)
    assert found.compared is None
    assert found.left_out == "The times were shuffled 0 instead of 3 times, to save time."


@pytest.mark.usefixtures("_plots_not_rendered")
def test_the_page_says_how_many_events_are_tied_and_how_to_choose(tmp_path):
    random = np.random.default_rng(1)
    times = np.datetime64("2024-05-01") + random.integers(0, 9, 60)
    for ties, words in ((None, "the order of rows decides which comes first: --ties (ties=) chooses"),
                        ("simultaneous", "no motif holds two of one time")):  # fmt: skip
        graph = TemporalGraph.from_edges(*random.integers(0, 8, (2, 60)), times, ties=ties)
        triadic.report(graph, tmp_path / "days.html", delta="1 day", samples=2, seed=1)
        assert words in (tmp_path / "days.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("events", [0, 1, 2])
def test_networks_with_few_events_have_a_page(events, tmp_path, request):
    if events != 1:  # the plots of one event are rendered
        request.getfixturevalue("_plots_not_rendered")
    graph = TemporalGraph.from_edges(range(events), range(1, 1 + events), range(events), num_vertices=3)
    triadic.report(graph, tmp_path / "few.html", samples=2, seed=1)
    text = (tmp_path / "few.html").read_text(encoding="utf-8")
    assert ("Events in time" in text) == (events > 0)


def test_a_graph_without_times_has_no_delta(tmp_path):
    with pytest.raises(ArgumentError, match=r"^delta='1h': expected a TemporalGraph, got a Graph$"):
        triadic.report(triadic.Graph.from_edges([0], [1]), tmp_path / "page.html", delta="1h")
