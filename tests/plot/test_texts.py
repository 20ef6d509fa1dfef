"""Texts of plots do not overlap, and none is cut, in the sizes of papers, on light and on dark backgrounds.

If the environment variable TRIADIC_SCREENSHOTS names a folder, the figures are written there as
``plot-<name>-<width in pixels>-<light|dark>.png``.
"""

from __future__ import annotations

import os
from itertools import chain, islice
from pathlib import Path

import gallery
import pytest
from drawn_texts import faults, text_boxes
from matplotlib.figure import Figure

from pairs import pairs
from triadic.plot import graphlet_atlas

DOTS_PER_INCH = 150
SCHEMES = tuple(gallery.STYLES)


@pytest.fixture(scope="module")
def networks():
    return gallery.networks()


def overlaid(networks, number):
    """Return some networks by name, each network twice if they are many."""
    again = {f"{name} again": graph for name, graph in networks.items()}
    return dict(islice(chain(networks.items(), again.items()), number))


def check(figure, name, scheme):
    """Check the texts of a figure, and write the figure into the folder of screenshots."""
    folder = os.environ.get("TRIADIC_SCREENSHOTS")
    found = faults(figure)
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        width = round(figure.get_figwidth() * DOTS_PER_INCH)
        figure.savefig(Path(folder) / f"plot-{name}-{width}-{scheme}.png", dpi=DOTS_PER_INCH)
    assert found == []


# One network is drawn by the tests below, too.
@pytest.mark.parametrize(
    ("number", "layout", "names"),
    [
        (10, "constrained", gallery.LAST),
        (2, "tight", gallery.FIRST),
        *(
            pytest.param(number, layout, names, marks=pytest.mark.nightly)
            for number in (1, 2, 10)
            for layout in gallery.LAYOUTS
            for names in (gallery.FIRST, gallery.LAST)
        ),
    ],
)
def test_four_panels_of_eight_by_seven_inches(networks, number, layout, names):
    with gallery.style("light"):
        figure = gallery.panels(overlaid(networks, number), layout, names)
        check(figure, f"panels-of-{number}-{layout}-{names[0]}", "light")


def test_titles_stand_below_legends_and_a_dark_background_moves_no_text(networks):
    places = []
    for scheme in SCHEMES:
        with gallery.style(scheme):
            figure = gallery.panels(overlaid(networks, 2))
            for letter, ax in zip("abcd", figure.axes, strict=True):
                ax.set_title(f"({letter}) two networks", fontsize=9)
            check(figure, "panels-with-titles", scheme)
            places.append([(text, box.bounds) for text, box in text_boxes(figure, figure.canvas.get_renderer())])
    assert len(places[0]) > 30
    assert places[0] == places[1]


# The other tests draw one network at other sizes.
@pytest.mark.parametrize("number", [pytest.param(1, marks=pytest.mark.nightly), 10])
@pytest.mark.parametrize("name", gallery.PANELS)
def test_a_single_column(networks, name, number):
    size = gallery.TALL_COLUMN if name in ("triad_census", "graphlet_totals") else gallery.COLUMN
    with gallery.style("light"):
        check(gallery.single(name, overlaid(networks, number), size), f"{name}-of-{number}", "light")


# A dark background moves no text, as the test above says.
@pytest.mark.parametrize(
    "scheme", [SCHEMES[0], *(pytest.param(name, marks=pytest.mark.nightly) for name in SCHEMES[1:])]
)
@pytest.mark.parametrize("name", gallery.PANELS)
def test_the_default_size(networks, name, scheme):
    with gallery.style(scheme):
        check(gallery.single(name, overlaid(networks, 5), gallery.DEFAULT[name]), f"{name}-of-5", scheme)


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(gallery.TALL_COLUMN, id="column"),
        pytest.param(None, marks=pytest.mark.nightly, id="default"),  # which has more room
    ],
)
@pytest.mark.parametrize("name", gallery.OF_FIVE)
def test_graphlets_of_five_vertices(networks, name, size):
    chosen = {name: networks[name] for name in ("grown", "grid")}
    with gallery.style("light"):
        check(gallery.single(name, chosen, size or gallery.DEFAULT[name]), f"{name}-of-2", "light")


@pytest.mark.parametrize(
    ("size", "edges", "share", "scheme"),
    [
        (size, edges, *looks)
        for size, edges, looks in pairs([4, 5], [False, True], [(1.0, "light"), (1.0, "dark"), (0.5, "light")])
    ],
)
def test_the_drawing_of_all_graphlets(size, edges, share, scheme):
    from triadic import plot

    with gallery.style(scheme):
        width, height = graphlet_atlas.SIZES[size]
        figure = Figure(figsize=(share * width, share * height), layout="constrained")
        plot.graphlets(size=size, edges=edges, ax=figure.add_subplot())
        check(figure, f"graphlets-{size}{'-edges' if edges else ''}", scheme)


OFTEN = ("no vertex", "three vertices", "ten vertices all joined")


@pytest.mark.parametrize(
    "name", [*OFTEN, *(pytest.param(name, marks=pytest.mark.nightly) for name in gallery.TINY if name not in OFTEN)]
)
def test_tiny_networks_in_panels(name):
    with gallery.style("light"):
        check(gallery.panels({name: gallery.TINY[name]}), f"panels-of-{name.replace(' ', '-')}", "light")


def test_huge_counts_have_labels_that_do_not_overlap():
    from triadic import TRIAD_NAMES, Census, plot

    with gallery.style("light"):
        figure = Figure(figsize=gallery.COLUMN, layout="constrained")
        plot.triad_census(Census(TRIAD_NAMES, tuple(10 ** (2 * power) for power in range(16))), ax=figure.add_subplot())
        check(figure, "huge-counts", "light")


def test_the_check_finds_texts_that_overlap_are_cut_or_hide_data():
    figure = Figure(figsize=gallery.COLUMN)
    ax = figure.add_subplot()
    ax.plot([0, 1], [0, 1], label="line")
    ax.legend()
    ax.text(0.5, 0.5, "one")
    ax.text(0.5, 0.5, "another")
    ax.text(1.1, 0.5, "far to the right")
    assert {"'one' overlaps 'another'", "'far to the right' is cut", "a legend hides data"} <= set(faults(figure))


@pytest.mark.parametrize("name", ["triad_census", "significance_profile", "graphlet_totals"])
def test_names_are_inside_a_figure_that_is_laid_out_later(networks, name):
    with gallery.style("light"):
        figure = Figure()
        gallery.overlay(gallery.PANELS[name], {"hubs": networks["hubs"]}, figure.add_subplot())
        figure.tight_layout()
        check(figure, f"{name}-without-layout", "light")
