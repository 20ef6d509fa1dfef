"""Plots: they show the counts, of any network, as vectors."""

from __future__ import annotations

import pickle
import subprocess
import sys
from functools import partial
from io import StringIO
from math import isnan, sqrt

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox

import triadic
from shared_fixtures import NIGHTLY
from triadic import plot
from triadic.core import checked
from triadic.core.graphlets import EDGE_ORBITS_OF_GRAPHLETS, EDGE_ORBITS_OF_SIZE, GRAPH_NAMES, ORBITS_OF_GRAPHLETS
from triadic.errors import ArgumentError, MissingExtraError
from triadic.measures.significance.significance import significance
from triadic.plot.artists import _patches
from triadic.plot.canvas import COLOURS, network_style, svg_of
from triadic.plot.distributions import MOST_POINTS
from triadic.plot.subgraph_shapes import TRIAD_SHAPES

_OTHERS = ("compare", "graphlets", "intensity", "significance_profile", "temporal_motifs", "types")
PLOTS = [getattr(plot, name) for name in plot.__all__ if name not in _OTHERS]


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
    assert k == sorted(set(hubs.degree.tolist()))
    assert share == pytest.approx([np.mean(hubs.degree >= degree) for degree in k])
    assert (ax.get_xscale(), ax.get_yscale()) == ("symlog", "log")  # some vertices have degree 0


def test_clustering_spectrum_shows_the_degrees_that_have_triangles(hubs, ax):
    spectrum = triadic.clustering_spectrum(hubs)
    shown = spectrum["clustering"] > 0
    assert points(plot.clustering_spectrum(hubs, ax=ax)) == (
        spectrum["degree"][shown].tolist(),
        spectrum["clustering"][shown].tolist(),
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
    assert y == list(range(16))
    assert texts(ax.get_yticklabels()) == list(triadic.TRIAD_NAMES)
    drawings = [artist for artist in ax.artists if isinstance(artist, AnnotationBbox)]
    for place, (drawing, shape) in enumerate(zip(drawings, TRIAD_SHAPES.values(), strict=True)):
        assert drawing.xy == (0, place)
        size = drawing.offsetbox.width, drawing.offsetbox.height
        for drawn, patch in zip(drawing.offsetbox.get_children(), _patches(shape, size, "#000000"), strict=True):
            assert drawn.get_path().vertices.tolist() == patch.get_path().vertices.tolist()


def test_counts_of_more_than_64_bits_are_drawn(ax):
    census = triadic.Census(triadic.TRIAD_NAMES, (2**70, *range(15)))
    assert points(plot.triad_census(census, ax=ax))[0] == [2.0**70, *range(15)]


def test_graphlet_totals_as_counts_and_as_shares(hubs, ax):
    transform = triadic.graphlet_transform(hubs)
    counts, _ = points(plot.graphlet_totals(transform, ax=ax))
    assert texts(ax.get_yticklabels()) == list(GRAPH_NAMES[1:9])
    assert counts == [transform.totals[name] for name in GRAPH_NAMES[1:9]]
    shares, _ = points(plot.graphlet_totals(transform, share=True))
    assert (sum(shares[:2]), sum(shares[2:])) == (pytest.approx(1), pytest.approx(1))


def test_graphlets_of_three_vertices_alone(hubs, ax):
    plot.graphlet_totals(triadic.graphlet_transform(hubs, size=3), ax=ax)
    assert texts(ax.get_yticklabels()) == ["2-path", "triangle"]


def test_graphlet_totals_of_up_to_five_vertices(hubs, ax):
    counts = triadic.graphlets(hubs, size=5)
    plot.graphlet_totals(hubs, size=5, ax=ax)
    plot.graphlet_totals(counts, ax=ax)
    assert texts(ax.get_yticklabels()) == list(counts)[1:]
    assert points(ax)[0] == list(counts.values())[1:]
    assert len({tuple(line.get_xdata()) for line in ax.lines if len(line.get_xdata()) == 29}) == 1
    shares, _ = points(plot.graphlet_totals(counts, share=True))
    assert [sum(part) for part in (shares[:2], shares[2:8], shares[8:])] == [pytest.approx(1)] * 3


def test_totals_of_four_vertices_have_one_order_whichever_function_counted_them(hubs, ax):
    plot.compare({"transform": triadic.graphlet_transform(hubs), "counts": triadic.graphlets(hubs, size=4)}, ax=ax)
    first, second = (line.get_xdata() for line in ax.lines if not line.get_label().startswith("_"))
    assert first.tolist() == second.tolist()


@pytest.mark.parametrize(
    ("counts", "size", "words"),
    [
        (partial(triadic.graphlets, size=5), 4, "size=4: the counts are of graphlets of up to 5 vertices"),
        (triadic.graphlet_transform, 5, "size=5: the counts are of graphlets of up to 4 vertices"),
        (triadic.dyad_census, None, "graph: got a Census of other counts"),
        (lambda graph: graph, 6, "size=6: expected 3, 4 or 5"),
    ],
)
def test_totals_of_another_size_raise(hubs, counts, size, words):
    with pytest.raises(ArgumentError, match=words):
        plot.graphlet_totals(counts(hubs), size=size)


@pytest.mark.parametrize("size", [4, 5])
def test_all_graphlets_are_drawn_with_their_orbits(ax, size):
    assert plot.graphlets(size=size, ax=ax) is ax
    places = [orbits for orbits in ORBITS_OF_GRAPHLETS if len(orbits) <= size]
    drawn = texts(ax.texts)
    for number, (name, orbits) in enumerate(zip(GRAPH_NAMES, places, strict=False)):
        title = drawn.index(f"G{number}")
        assert drawn[title + 1] == name
        assert drawn[title - len(orbits) : title] == [str(orbit) for orbit in orbits]
    discs = [to_hex(patch.get_facecolor()) for patch in ax.patches]
    assert len(discs) == sum(map(len, places))
    for orbits in places:
        own, discs = discs[: len(orbits)], discs[len(orbits) :]
        assert len(set(own)) == len(set(zip(own, orbits, strict=True))) == len(set(orbits))
    number_of_texts = len(ax.texts)
    assert len(plot.graphlets(size=size, ax=ax).texts) == number_of_texts
    with pytest.raises(ArgumentError, match="the axes show the graphlets of up to"):
        plot.degree_distribution(np.array([1, 2]), ax=ax)


@pytest.mark.parametrize("size", [4, 5])
def test_edges_of_an_orbit_have_one_colour_and_one_number(ax, size):
    assert plot.graphlets(size=size, edges=True, ax=ax) is ax
    numbers = [int(text) for text in texts(ax.texts) if text.isdigit()]
    assert sorted(numbers) == list(range(EDGE_ORBITS_OF_SIZE[size]))
    for number, lines in enumerate(ax.collections):
        orbits = EDGE_ORBITS_OF_GRAPHLETS[number] or (0,)  # a single edge has no orbit, and a colour
        colours = [to_hex(colour) for colour in lines.get_colors()]
        assert len(colours) == len(lines.get_segments()) == len(orbits)
        assert len(set(colours)) == len(set(zip(colours, orbits, strict=True))) == len(set(orbits))
    with pytest.raises(ArgumentError, match="vertices and the orbits of their edges; draw"):
        plot.graphlets(size=size, ax=ax)


def test_the_number_of_an_edge_orbit_is_on_an_edge_of_the_orbit(ax):
    plot.graphlets(edges=True, ax=ax)
    of_lines = {}
    for number, lines in enumerate(ax.collections):
        for orbit, (a, b) in zip(EDGE_ORBITS_OF_GRAPHLETS[number], lines.get_segments(), strict=False):
            of_lines.setdefault(orbit, []).append((a, b))
    for text in ax.texts:
        if text.get_text().isdigit():
            place = np.array(text.get_position())
            detours = [
                np.hypot(*(place - a)) + np.hypot(*(place - b)) - np.hypot(*(a - b))
                for a, b in of_lines[int(text.get_text())]
            ]
            assert min(detours) == pytest.approx(0, abs=1e-9)


def test_numbers_of_orbits_grow_with_the_axes():
    sizes = []
    for width in (4, 8):
        figure = Figure(figsize=(width, width))
        plot.graphlets(ax=figure.add_subplot())
        figure.draw_without_rendering()
        sizes.append(figure.axes[0].texts[0].get_fontsize())
    assert sizes[1] == pytest.approx(2 * sizes[0])


@pytest.mark.parametrize("size", [3, True, None])
def test_graphlets_of_another_size_raise(size):
    with pytest.raises(ArgumentError, match=f"size={size!r}: expected 4 or 5"):
        plot.graphlets(size=size)


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
    assert texts(ax.get_xticklabels()) == list(GRAPH_NAMES[1:9])
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
    ring = triadic.generate.watts_strogatz(50, 4, 0.1, seed=1)
    of_five = plot.significance_profile(significance(ring, of="graphlets of five vertices", samples=3, seed=1))
    assert texts(of_five.get_xticklabels()) == list(GRAPH_NAMES[9:])
    with pytest.raises(ArgumentError, match="clustering"):
        plot.significance_profile(significance(hubs, of="clustering", samples=3, seed=1), ax=ax)


@pytest.mark.parametrize("of", ["graphlets", "triads", "degree", "clustering"])
def test_several_networks_have_colours_of_okabe_and_ito_and_a_legend(hubs, ax, of):
    other = triadic.generate.watts_strogatz(100, 6, 0.2, seed=1)
    plot.compare({"hubs": hubs, "small world": other, "again": hubs}, of=of, ax=ax)
    lines = [line for line in ax.lines if not line.get_label().startswith("_")]
    assert [to_hex(line.get_color()) for line in lines] == [colour.lower() for colour in COLOURS[:3]]
    assert texts(ax.get_legend().get_texts()) == ["hubs", "small world", "again"]


def test_comparing_no_network_or_an_unknown_plot_raises(hubs):
    with pytest.raises(ArgumentError, match="at least one"):
        plot.compare({})
    with pytest.raises(ArgumentError, match="'graphlets'"):
        plot.compare({"hubs": hubs}, of="degrees")


EMPTY = triadic.Graph.from_edges([], [], num_vertices=0, directed=True)
ALONE = triadic.Graph.from_edges([], [], num_vertices=3)
PAIR = triadic.Graph.from_edges([0], [1])
STAR = triadic.Graph.from_edges([0, 0, 0], [1, 2, 3])
COMPLETE = triadic.Graph.from_edges(*np.triu_indices(5, k=1))


@pytest.mark.parametrize(
    "draw", [*PLOTS, lambda graph, ax: plot.significance_profile(triadic.triad_census(graph), ax=ax)]
)
def test_networks_with_nothing_to_show_are_drawn(draw):
    for graph in (EMPTY, ALONE, PAIR, STAR, COMPLETE) if NIGHTLY else (EMPTY, PAIR, COMPLETE):
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
    spectrum = triadic.Table({"clustering": 1 / degree, "vertices": np.full(len(degree), 3)}, {"degree": degree})
    for line, axes in enumerate((plot.degree_distribution(degree, ax=ax), plot.clustering_spectrum(spectrum))):
        k, y = points(axes)
        assert 100 < len(k) <= MOST_POINTS
        assert (k[0], k[-1]) == (pytest.approx(1 + line), pytest.approx(19_999, rel=0.02))
        assert y == sorted(y, reverse=True)


def test_without_matplotlib_the_extra_is_named(hubs, monkeypatch):
    monkeypatch.setattr(checked, "find_spec", lambda name: None)
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


@pytest.mark.parametrize("of", ["graphlets", "triads", "degree", "clustering"])
def test_ten_networks_differ_in_their_colours_markers_or_lines(hubs, ax, of):
    plot.compare({f"network {number}": hubs for number in range(10)}, of=of, ax=ax)
    looks = {
        (to_hex(line.get_color()), line.get_marker(), line.get_linestyle(), str(line.get_markerfacecolor()))
        for line in ax.lines
        if not line.get_label().startswith("_")
    }
    assert len(looks) == 10


def test_the_ninth_network_has_the_first_colour_and_an_open_marker(ax):
    first, ninth = (network_style(ax, number, 4.0) for number in (0, 8))
    assert first["color"] == ninth["color"]
    assert first["marker"] != ninth["marker"]
    assert (first["markerfacecolor"], ninth["markerfacecolor"]) == (COLOURS[0], "none")
    assert (first["linestyle"], ninth["linestyle"]) == ("-", "--")


def test_colours_that_the_user_sets_replace_those_of_the_package(hubs):
    with mpl.rc_context({"axes.prop_cycle": mpl.cycler(color=["red", "lime"])}):
        ax = Figure().add_subplot()
        for _ in range(3):
            plot.degree_distribution(hubs, ax=ax)
    assert [line.get_color() for line in ax.lines if len(line.get_xdata()) > 1] == ["red", "lime", "red"]


def test_counts_are_dots_on_a_logarithmic_axis_without_stems(hubs, ax):
    plot.triad_census(hubs, ax=ax)
    assert ax.get_xscale() == "log"
    assert not ax.collections
    ticks = dict(zip(texts(ax.get_xticklabels()), ax.get_xticks(), strict=True))
    assert ticks["$\\mathdefault{10^{4}}$"] == 1e4
    assert len(ax.get_xticks(minor=True)) > len(ticks)


def test_zeros_have_a_place_labelled_0_at_the_beginning_of_the_axis(ax):
    ring = triadic.Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 0], directed=True)
    census = triadic.triad_census(ring)
    plot.triad_census(census, ax=ax)
    ticks = dict(zip(texts(ax.get_xticklabels()), ax.get_xticks(), strict=True))
    assert ticks["0"] == 0
    counts, types = points(ax)
    assert [place for place, count in zip(types, counts, strict=True) if not count] == [
        place for place, count in enumerate(census.values()) if not count
    ]
    low, zero, one, high = ax.transData.transform([(x, 0) for x in (ax.get_xlim()[0], 0, 1, ax.get_xlim()[1])])[:, 0]
    assert 0.02 < (zero - low) / (high - low) < (one - low) / (high - low) < 0.3


def test_the_axis_of_a_network_without_zeros_is_logarithmic_throughout(hubs, ax):
    plot.graphlet_totals(hubs, ax=ax)
    assert ax.get_xscale() == "log"
    assert min(ax.get_xlim()) > 0


def test_limits_fit_all_networks_and_values_that_are_close(ax):
    census = triadic.Census(triadic.TRIAD_NAMES, (5,) * 16)
    plot.triad_census(census, ax=ax)
    low, high = ax.get_xlim()
    assert low < 5 < 6 * low < high
    plot.triad_census(triadic.Census(triadic.TRIAD_NAMES, (10**6, *(0,) * 15)), ax=ax)
    low, high = ax.get_xlim()
    assert low < 0 < 10**6 < high


def test_the_tallest_of_several_histograms_fits(ax):
    plot.local_clustering(np.linspace(0, 1, 100), ax=ax)
    plot.local_clustering(np.zeros(100), ax=ax)
    assert ax.get_ylim()[1] > 1
    assert not ax.collections


def test_a_message_disappears_when_a_network_has_something_to_show(hubs, ax):
    plot.clustering_spectrum(PAIR, ax=ax)
    assert len(ax.texts) == 1
    plot.clustering_spectrum(hubs, ax=ax)
    assert "or more" not in "".join(texts(ax.texts))


def test_networks_under_different_null_models_warn_and_the_legend_names_them(hubs, ax):
    plot.significance_profile(significance(hubs, samples=5, seed=1), ax=ax, label="hubs")
    assert ax.get_legend().get_title().get_text() == "null: mutual, 5 samples"
    other = triadic.generate.rmat(6, seed=2, directed=True)
    with pytest.warns(UserWarning, match="null model is 'mutual' in one and 'degrees' in the other") as record:
        plot.significance_profile(significance(other, null="degrees", samples=5, seed=1), ax=ax, label="other")
    assert record[0].filename == __file__
    assert texts(ax.get_legend().get_texts()) == ["hubs (mutual)", "other (degrees)"]
    assert ax.get_legend().get_title().get_text() == "null models, 5 samples each"


NULLS = ("degrees", "mutual", "gnm")


@pytest.mark.parametrize(("of", "what"), [("significance_profile", "normalised z-score"), ("z_scores", "z-score")])
def test_several_null_models_of_a_network_stand_side_by_side_without_a_warning(hubs, ax, of, what):
    found = {null: significance(hubs, null=null, samples=5, seed=1) for null in NULLS}
    plot.compare(found | {"U|MAN": triadic.triad_census(hubs)}, of=of, ax=ax)
    assert texts(ax.get_legend().get_texts()) == [*(f"{null}, 5 samples" for null in NULLS), "U|MAN, exact"]
    assert ax.get_ylabel() == what
    places = [bars.lines[0].get_xdata()[0] for bars in ax.containers]
    assert places == pytest.approx([-0.225, -0.075, 0.075, 0.225])


def test_z_scores_are_those_of_the_significance(hubs, ax):
    found = significance(hubs, samples=5, seed=1)
    plot.significance_profile(found, scaled=False, ax=ax)
    shown = ax.containers[0].lines[0].get_ydata().tolist()
    assert shown == pytest.approx(found.z[3:].tolist(), nan_ok=True)
    assert ax.get_yscale() == ("symlog" if np.nanmax(np.abs(shown)) > 20 else "linear")


def test_z_scores_over_a_profile_raise(hubs, ax):
    plot.significance_profile(triadic.triad_census(hubs), ax=ax)
    with pytest.raises(ArgumentError, match="axes show a significance profile of triads; draw z-scores of triads on"):
        plot.significance_profile(triadic.triad_census(hubs), scaled=False, ax=ax)


@pytest.mark.parametrize(
    ("change", "difference"),
    [({"samples": 6}, "one has 5 samples and the other has 6"), ({"steps": 20_000}, "steps in one and 20,000 in")],
)
def test_profiles_with_other_samples_or_steps_warn(hubs, ax, change, difference):
    plot.significance_profile(significance(hubs, samples=5, seed=1), ax=ax)
    with pytest.warns(UserWarning, match=difference):
        plot.significance_profile(significance(hubs, **({"samples": 5, "seed": 1} | change)), ax=ax)


def test_an_exact_profile_of_another_network_warns(hubs, ax):
    plot.significance_profile(triadic.triad_census(triadic.generate.rmat(6, seed=2, directed=True)), ax=ax)
    with pytest.warns(UserWarning, match=r"'U\|MAN' in one and 'mutual' in the other"):
        plot.significance_profile(significance(hubs, samples=5, seed=1), ax=ax)


def test_profiles_under_the_same_null_model_do_not_warn(hubs, ax):
    other = triadic.generate.rmat(6, seed=2, directed=True)
    plot.compare(
        {name: significance(graph, samples=5, seed=1) for name, graph in (("a", hubs), ("b", other))},
        of="significance_profile",
        ax=ax,
    )
    assert texts(ax.get_legend().get_texts()) == ["a", "b"]


def test_axes_that_show_one_thing_do_not_show_another(hubs, ax):
    plot.triad_census(hubs, ax=ax)
    with pytest.raises(
        ArgumentError, match=r"ax: the axes show numbers of triads; draw shares of triads on other axes"
    ):
        plot.triad_census(hubs, ax=ax, share=True)
    with pytest.raises(ArgumentError, match="draw a degree distribution on other axes"):
        plot.degree_distribution(hubs, ax=ax)
    ax.clear()
    plot.degree_distribution(hubs, ax=ax)


def test_a_figure_can_be_copied_and_drawn_again(hubs, ax):
    plot.triad_census(hubs, ax=ax)
    copy = pickle.loads(pickle.dumps(ax.figure))
    copy.draw_without_rendering()
    assert texts(copy.axes[0].get_yticklabels()) == list(triadic.TRIAD_NAMES)


def test_a_profile_of_graphlets_over_one_of_triads_raises(hubs, ax):
    plot.significance_profile(triadic.triad_census(hubs), ax=ax)
    with pytest.raises(
        ArgumentError, match="axes show a significance profile of triads; draw a significance profile of graphlets on"
    ):
        plot.significance_profile(significance(hubs, of="graphlets", samples=3, seed=1), ax=ax)


@pytest.mark.parametrize("draw", PLOTS)
def test_drawing_changes_no_setting_and_makes_no_pyplot_figure(hubs, ax, draw):
    from matplotlib import pyplot as plt

    before = dict(mpl.rcParams)
    draw(hubs, ax=ax)
    ax.figure.savefig(StringIO(), format="svg")
    assert dict(mpl.rcParams) == before
    assert plt.get_fignums() == []


def test_where_there_is_little_room_drawings_shrink_and_all_names_stay(hubs):
    heights = []
    for height in (6, 1.2):
        ax = Figure(figsize=(4, height), layout="constrained").add_subplot()
        plot.triad_census(hubs, ax=ax)
        drawings = [artist.offsetbox for artist in ax.artists if isinstance(artist, AnnotationBbox)]
        assert len(drawings) == 16
        heights.append(drawings[0].height)
        assert texts(ax.get_yticklabels()) == list(triadic.TRIAD_NAMES)
    assert heights[0] > 8 > heights[1] > 0


def test_a_label_of_the_user_stays(hubs, ax):
    plot.degree_distribution(hubs, ax=ax)
    ax.set_ylabel("share of vertices with as many neighbours or more")
    plot.degree_distribution(hubs, ax=ax)
    assert ax.get_ylabel() == "share of vertices with as many neighbours or more"


def test_on_a_page_a_plot_has_the_colour_of_the_text_and_no_background(hubs, ax):
    plot.triad_census(hubs, ax=ax)
    svg = svg_of(ax.figure, "a-")
    assert svg.startswith('<svg fill="currentColor"')
    assert "#000000" not in svg
    assert "#ffffff" not in svg
    assert "stroke: currentColor; stroke-opacity: 0.15" in svg
    assert "fill: var(--plot-1, #0072B2)" in svg
    assert ">number of triads</text>" in svg


def test_the_legend_says_which_groups_random_networks_keep(ax):
    found = triadic.significance(
        triadic.generate.watts_strogatz(60, 8, 0.2, seed=1, directed=True), groups=[0, 1] * 30, samples=3, seed=1
    )
    plot.significance_profile(found, ax=ax)
    assert ax.get_legend().get_title().get_text() == "null: mutual, 2 groups, 3 samples"
    plain = triadic.significance(
        triadic.generate.watts_strogatz(60, 8, 0.2, seed=2, directed=True), samples=3, steps=500, seed=1
    )
    with pytest.warns(UserWarning, match="the null model is 'mutual, 2 groups' in one and 'mutual' in the other"):
        plot.significance_profile(plain, ax=ax)
