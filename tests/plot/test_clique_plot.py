"""The plot of cliques and simplices by size."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import triadic
from triadic import plot
from triadic.errors import ArgumentError


@pytest.fixture
def ax():
    return Figure(layout="constrained").add_subplot()


@pytest.fixture
def network():
    return triadic.generate.connectome(100, 450, types=3, seed=1).graph


def points(ax, number=0):
    return tuple(np.asarray(values) for values in ax.get_lines()[number].get_data())


@pytest.mark.parametrize("of", ["cliques", "simplices"])
def test_dots_are_the_counts(network, of, ax):
    counts = triadic.count(network, of)
    for given in (network, counts):
        sizes, values = points(plot.cliques(given, of=of, ax=ax), -1)
        assert dict(zip(sizes, values, strict=True)) == dict(counts)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_yscale()) == ("vertices", of, "log")


def test_the_band_holds_the_middle_of_the_random_networks(network, ax):
    found = triadic.significance(network, of=["triads", "simplices"], samples=20, seed=1)
    plot.cliques(found, of="simplices", ax=ax, label="connectome")
    names = found.groups["simplices"]
    sizes, values = points(ax)
    assert values.tolist() == [found[name].count for name in names]
    samples = np.array(found.samples)[:, [found.names.index(name) for name in names]]
    corners = ax.collections[0].get_paths()[0].vertices
    for size, low, high in zip(sizes, *np.quantile(samples, [0.025, 0.975], axis=0), strict=True):
        assert {low, high} <= set(corners[corners[:, 0] == size][:, 1])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["connectome", "20 random networks"]


def test_without_cliques(ax):
    ax = plot.cliques(triadic.Graph.from_edges([], []), ax=ax)
    assert [text.get_text() for text in ax.texts] == ["no cliques"]


def test_other_counts_are_refused(network, ax):
    found = triadic.significance(network, of="triads", samples=5, seed=1)
    with pytest.raises(ArgumentError, match="expected a significance of 'cliques', got one of 'triads'"):
        plot.cliques(found, ax=ax)
    plot.degree_distribution(network, ax=ax)
    with pytest.raises(ArgumentError):
        plot.cliques(network, ax=ax)
