"""A plot is about one network: every plot refuses a batch in one line, and `compare` draws its graphs side by side."""

from __future__ import annotations

import pytest

import triadic
from triadic import Graph, GraphBatch, plot
from triadic.errors import ArgumentError, UnsupportedError

TRIANGLE = Graph.from_edges([0, 1, 2], [1, 2, 0])
PATH = Graph.from_edges([0, 1], [1, 2])


def texts(artists):
    """The texts of artists, such as the entries of a legend."""
    return [text.get_text() for text in artists]


RINGS = [triadic.generate.watts_strogatz(30, 4, 0.2, seed=seed) for seed in range(3)]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", sorted(set(plot.__all__) - {"compare", "graphlets", "temporal_motifs", "types"}))
def test_every_plot_refuses_a_batch_in_one_line(name, directed):
    batch = GraphBatch.from_arrays([0, 1, 2, 3], [1, 2, 0, 4], [0, 0, 0, 1, 1], directed=directed)
    with pytest.raises(UnsupportedError) as refusal:
        getattr(plot, name)(batch)
    assert str(refusal.value) == (
        f"plot.{name} does not take a GraphBatch: pass one of its graphs, such as batch[0], or loop over them"
    )


def test_the_report_refuses_a_batch_in_one_line(tmp_path):
    pytest.importorskip("jinja2")
    with pytest.raises(UnsupportedError, match=r"^report does not take a GraphBatch: pass one of its graphs"):
        triadic.report(GraphBatch.from_graphs([TRIANGLE, PATH]), tmp_path / "report.html", samples=0)
    assert not list(tmp_path.iterdir())


def test_graphlets_counted_in_a_batch_are_refused():
    transform = triadic.graphlet_transform(GraphBatch.from_graphs([TRIANGLE, PATH]))
    with pytest.raises(ArgumentError, match=r"the transform is that of a GraphBatch; expected .* such as batch\[0\]"):
        plot.graphlet_totals(transform)


@pytest.mark.parametrize(
    "of",
    ["graphlets", "triads", "degree", "clustering_spectrum", "clustering"],
)
def test_compare_draws_each_graph_of_a_batch_under_its_name(of):
    batch = GraphBatch.from_graphs(RINGS, names=["Mon", "Tue", "Tue"])
    ax = plot.compare(batch, of=of)
    assert texts(ax.get_legend().get_texts()) == ["Mon", "Tue", "Tue"]
    alone = plot.compare({"Mon": RINGS[0]}, of=of)
    assert ax.lines[0].get_xdata().tolist() == alone.lines[0].get_xdata().tolist()


def test_compare_names_the_graphs_of_a_batch_without_names_by_their_numbers():
    ax = plot.compare(GraphBatch.from_graphs(RINGS), of="degree")
    assert texts(ax.get_legend().get_texts()) == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("networks", "message"),
    [
        (GraphBatch.from_graphs([TRIANGLE] * 17), r"the batch has 17 graphs, expected at most 16; .* batch\[:8\]"),
        ({"all": GraphBatch.from_graphs([TRIANGLE, PATH])}, "does not take a GraphBatch: pass one of its graphs"),
        ([TRIANGLE, PATH], "networks: got list; expected a mapping from names to networks, or a GraphBatch"),
        ({}, "networks: expected at least one network"),
    ],
)
def test_networks_that_cannot_be_compared_are_named_in_one_line(networks, message):
    with pytest.raises((ArgumentError, UnsupportedError), match=message) as refusal:
        plot.compare(networks)
    assert "\n" not in str(refusal.value)
