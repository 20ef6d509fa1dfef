"""Plots: they show the counts, of any network, as vectors."""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from math import isnan, sqrt

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox

import triadic
from triadic import plot
from triadic.core import extras
from triadic.errors import ArgumentError, MissingExtraError
from triadic.measures.significance import significance
from triadic.plot.canvas import COLOURS
from triadic.plot.log_spacing import MOST_POINTS

PLOTS = [getattr(plot, name) for name in plot.__all__ if name not in ("compare", "significance_profile")]


@pytest.fixture(scope="module")
def hubs():
    return triadic.generate.rmat(7, seed=1, directed=True)


@pytest.fixture
def ax():
    return Figure(layout="constrained").add_subplot()


def points(ax, line=0):
    x, y = ax.lines[line].get_data()
    return list(x), list(y)


def texts(labels):
    return [label.get_text() for label in labels]


def test_degree_distribution_shows_the_share_of_vertices_of_at_least_each_degree(hubs, ax):
    k, share = points(plot.degree_distribution(hubs, ax=ax))
    assert k == sorted({degree for degree in hubs.degree.tolist() if degree})
    assert share == pytest.approx([np.mean(hubs.degree >= degree) for degree in k])
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


def test_clustering_spectrum_shows_the_degrees_that_have_triangles(hubs, ax):
    spectrum = triadic.clustering_spectrum(hubs)
    shown = spectrum.clustering > 0
    assert points(plot.clustering_spectrum(hubs, ax=ax)) == (
        spectrum.degree[shown].tolist(),
        spectrum.clustering[shown].tolist(),
    )


def test_local_clustering_shows_shares_of_vertices_of_degree_2_and_more(hubs, ax):
    _, share = points(plot.local_clustering(hubs, ax=ax, bins=10))
    coefficient = triadic.clustering(hubs)[hubs.degree > 1]
    assert sum(share[:-1]) == pytest.approx(1)
    assert share[9] == pytest.approx(np.mean(coefficient >= 0.9))


def test_a_coefficient_at_a_bins_edge_falls_in_the_bin_above(ax):
    plot.local_clustering(np.array([0.0, 0.3, 0.6, 1.0]), ax=ax, bins=10)
    assert np.flatnonzero(points(ax)[1][:-1]).tolist() == [0, 3, 6, 9]


def test_triad_census_has_a_dot_and_a_drawing_for_each_type_even_if_its_count_is_zero(ax):
    ring = triadic.Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 0], directed=True)
    census = triadic.triad_census(ring)
    x, y = points(plot.triad_census(ring, ax=ax))
    assert x == list(census.values())
    assert 0 in x
    assert ax.get_xlim()[0] == 0
    assert y == list(range(16))
    assert texts(ax.get_yticklabels()) == list(triadic.TRIAD_NAMES)
    assert sum(isinstance(artist, AnnotationBbox) for artist in ax.artists) == 16


def test_counts_of_more_than_64_bits_are_drawn(ax):
    census = triadic.Census(triadic.TRIAD_NAMES, (2**70, *range(15)))
    assert points(plot.triad_census(census, ax=ax))[0] == [2.0**70, *range(15)]


def test_graphlet_totals_as_counts_and_as_shares(hubs, ax):
    transform = triadic.graphlet_transform(hubs)
    counts, _ = points(plot.graphlet_totals(transform, ax=ax))
    assert counts == list(transform.totals.values())[2:]
    plot.graphlet_totals(transform, ax=ax, share=True)
    shares, _ = points(ax, 1)
    assert (sum(shares[:2]), sum(shares[2:])) == (pytest.approx(1), pytest.approx(1))


def test_graphlets_of_three_vertices_alone(hubs, ax):
    plot.graphlet_totals(triadic.graphlet_transform(hubs, graphlets=5), ax=ax)
    assert texts(ax.get_yticklabels()) == ["2-path", "triangle"]


def test_the_profile_shows_the_significance_with_its_standard_errors(hubs, ax):
    found = significance(hubs, samples=5, seed=1)
    plot.significance_profile(found, ax=ax)
    (bars,) = ax.containers
    line, _, (segments,) = bars.lines
    assert line.get_ydata().tolist() == pytest.approx(list(found.profile.values()), nan_ok=True)
    place, name = next((place, name) for place, name in enumerate(found.profile) if not isnan(found.profile[name]))
    low, high = segments.get_segments()[place][:, 1]
    z, length = found[name].z, found[name].z / found.profile[name]
    assert (high - low) / 2 == pytest.approx(sqrt(1 / 5 + z * z / 8) / abs(length))


def test_the_line_has_gaps_at_undefined_scores(ax):
    """An undirected network has two connected types, far apart on the axis."""
    ring = triadic.generate.watts_strogatz(50, 4, 0.1, seed=1)
    plot.significance_profile(significance(ring, of="triads", samples=5, seed=1), ax=ax)
    y = dict(zip(texts(ax.get_xticklabels()), ax.containers[0].lines[0].get_ydata(), strict=True))
    assert [name for name, score in y.items() if not isnan(score)] == ["201", "300"]


def test_the_profile_of_an_undirected_network_is_that_of_its_graphlets(ax):
    ring = triadic.generate.watts_strogatz(50, 4, 0.1, seed=1)
    plot.significance_profile(ring, samples=5, seed=1, ax=ax)
    assert texts(ax.get_xticklabels()) == list(significance(ring, samples=5, seed=1).groups["graphlets"])
    plot.significance_profile(significance(ring, samples=5, seed=1), ax=ax)
    first, second = (container.lines[0].get_ydata() for container in ax.containers)
    assert first.tolist() == pytest.approx(second.tolist(), nan_ok=True)


def test_the_profile_of_a_census_is_exact_and_has_no_bars(hubs, ax):
    plot.significance_profile(triadic.triad_census(hubs), ax=ax)
    (bars,) = ax.containers
    assert not bars.has_yerr
    assert sum(y * y for y in bars.lines[0].get_ydata() if not isnan(y)) == pytest.approx(1)


def test_graphlets_have_a_profile_and_clustering_raises(hubs, ax):
    plot.significance_profile(significance(hubs, of="graphlets", samples=3, seed=1), ax=ax)
    assert "claw" in texts(ax.get_xticklabels())
    with pytest.raises(ArgumentError, match="clustering"):
        plot.significance_profile(significance(hubs, of="clustering", samples=3, seed=1), ax=ax)


@pytest.mark.parametrize("of", ["graphlet_totals", "triad_census", "degree_distribution", "local_clustering"])
def test_several_networks_have_colours_of_okabe_and_ito_and_a_legend(hubs, ax, of):
    other = triadic.generate.watts_strogatz(100, 6, 0.2, seed=1)
    plot.compare({"hubs": hubs, "small world": other, "again": hubs}, of=of, ax=ax)
    lines = [line for line in ax.lines if not line.get_label().startswith("_")]
    assert [to_hex(line.get_color()) for line in lines] == [colour.lower() for colour in COLOURS[:3]]
    assert texts(ax.get_legend().get_texts()) == ["hubs", "small world", "again"]


def test_comparing_no_network_or_an_unknown_plot_raises(hubs):
    with pytest.raises(ArgumentError, match="at least one"):
        plot.compare({})
    with pytest.raises(ArgumentError, match="'graphlet_totals'"):
        plot.compare({"hubs": hubs}, of="degrees")


EMPTY = triadic.Graph.from_edges([], [], vertices=0, directed=True)
ALONE = triadic.Graph.from_edges([], [], vertices=3)
PAIR = triadic.Graph.from_edges([0], [1])
STAR = triadic.Graph.from_edges([0, 0, 0], [1, 2, 3])
COMPLETE = triadic.Graph.from_edges(*np.triu_indices(5, k=1))


@pytest.mark.parametrize(
    "draw", [*PLOTS, lambda graph, ax: plot.significance_profile(triadic.triad_census(graph), ax=ax)]
)
def test_networks_with_nothing_to_show_are_drawn(draw):
    for graph in (EMPTY, ALONE, PAIR, STAR, COMPLETE):
        figure = Figure(layout="constrained")
        assert draw(graph, ax=figure.add_subplot()) is figure.axes[0]
        figure.draw_without_rendering()


@pytest.mark.parametrize("draw", PLOTS)
def test_a_new_figure_has_vectors_alone_and_labels_on_both_axes(hubs, draw):
    ax = draw(hubs)
    svg = StringIO()
    ax.figure.savefig(svg, format="svg")
    assert "<image" not in svg.getvalue()
    assert ax.get_xlabel()
    assert ax.get_ylabel() or draw in (plot.triad_census, plot.graphlet_totals)  # their ticks are names


def test_thousands_of_degrees_become_at_most_400_points(ax):
    degree = np.arange(1, 20_000)
    plot.degree_distribution(degree, ax=ax)
    plot.clustering_spectrum(triadic.ClusteringSpectrum(degree, 1 / degree, np.full(len(degree), 3)), ax=ax)
    for line in (0, 1):
        k, y = points(ax, line)
        assert 100 < len(k) <= MOST_POINTS
        assert (k[0], k[-1]) == (pytest.approx(1 + line), pytest.approx(19_999, rel=0.02))
        assert y == sorted(y, reverse=True)


def test_without_matplotlib_the_extra_is_named(hubs, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'triadic\[plot\]'"):
        plot.degree_distribution(hubs)


def test_matplotlib_is_loaded_only_by_drawing():
    text = "import sys, triadic; triadic.plot.degree_distribution; print('matplotlib' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_other_names_raise():
    assert dir(plot) == sorted(plot.__all__)
    with pytest.raises(AttributeError, match=r"triadic\.plot attribute pie"):
        _ = plot.pie
