"""The heat map of temporal motifs: a cell a motif, on light and on dark backgrounds."""

from __future__ import annotations

from io import StringIO

import gallery
import numpy as np
import pytest
from drawn_texts import faults
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox
from matplotlib.patches import Rectangle

import triadic
from pairs import by_night
from triadic import TemporalGraph, plot
from triadic.errors import ArgumentError
from triadic.plot.motif_heat_map import SIZE


@pytest.fixture(scope="module")
def messages():
    random = np.random.default_rng(1)
    source, target = (random.integers(0, 30, 2000) ** 2 // 30 for _ in range(2))
    return TemporalGraph.from_edges(source, target, random.integers(0, 5000, 2000))


@pytest.fixture
def ax():
    return Figure(figsize=SIZE, layout="constrained").add_subplot()


def cells(ax):
    return [patch for patch in ax.patches if isinstance(patch, Rectangle) and patch.get_fill()]


def texts(ax):
    return [text.get_text() for text in ax.texts if text.get_position()[0] == round(text.get_position()[0])]


def test_each_motif_has_a_cell_a_text_and_drawings_of_its_events(messages, ax):
    motifs = triadic.temporal_motifs(messages, 100)
    assert plot.temporal_motifs(motifs, ax=ax) is ax
    assert len(cells(ax)) == len(texts(ax)) == 36
    assert [text.get_text() for text in ax.get_yticklabels()][4] == "M5· ba"
    assert ax.get_xticklabels()[0].get_text() == "ab\n·1"
    assert ax.get_legend().get_title().get_text() == "temporal motifs within 100 s"
    drawings = [artist.offsetbox.get_children() for artist in ax.artists if isinstance(artist, AnnotationBbox)]
    assert len(drawings) == 12
    # Row 5, ba, runs from b on the right to a on the left; column 6, cb, down from c to b.
    (_, row), (_, column) = drawings[4], drawings[11]
    assert [to_hex(patch.get_facecolor()) for patch in (row, column)] == ["#000000"] * 2
    (tip, *back), (below, *above) = (patch.get_path().vertices[:3] for patch in (row, column))
    assert all(tip[0] < corner[0] for corner in back)
    assert all(below[1] < corner[1] for corner in above)


def test_the_colour_is_the_logarithm_of_the_count(ax):
    motifs = triadic.TemporalMotifs(
        triadic.temporal_motifs(TemporalGraph.from_edges([0], [1], [2]), 1).names,
        tuple(10**place for place in range(36)),
        ("",) * 36,
        1,
    )
    plot.temporal_motifs(motifs, ax=ax)
    opacity = np.array([cell.get_facecolor()[3] for cell in cells(ax)])
    assert np.diff(opacity) == pytest.approx(np.full(35, (opacity[-1] - opacity[0]) / 35))
    assert texts(ax)[:5] == ["1", "10", "100", "1.0k", "10k"]
    assert faults(ax.figure) == []


def test_motifs_that_do_not_occur_have_the_background(ax):
    graph = TemporalGraph.from_edges([0, 1, 0], [1, 0, 1], [0, 1, 2])
    plot.temporal_motifs(graph, 5, ax=ax)
    assert len(cells(ax)) == 1
    assert sorted(texts(ax)) == ["0"] * 35 + ["1"]


def test_a_network_without_motifs_says_so(ax):
    plot.temporal_motifs(TemporalGraph.from_edges([0], [1], [2]), 5, ax=ax)
    assert "no motif lies within delta" in [text.get_text().replace("\n", " ") for text in ax.texts]


def test_scores_below_zero_have_another_colour(messages, ax):
    found = triadic.significance(messages, delta=100, samples=5, seed=1)
    plot.temporal_motifs(found, ax=ax)
    colours = {cell.get_facecolor()[:3]: [] for cell in cells(ax)}
    for cell, score in zip(cells(ax), found.z, strict=True):
        colours[cell.get_facecolor()[:3]].append(score > 0)
    assert sorted(map(set, colours.values()), key=str) == [{False}, {True}]
    assert ax.get_legend().get_title().get_text() == "z-scores of temporal motifs"


@pytest.fixture(scope="module")
def subjects(messages):
    return triadic.temporal_motifs(messages, 1000), triadic.significance(messages, delta=50, samples=3, seed=1)


OFTEN = [("light", "constrained", gallery.COLUMN), ("dark", "tight", SIZE)]


@pytest.mark.parametrize(
    ("scheme", "layout", "size"), by_night(OFTEN, gallery.STYLES, gallery.LAYOUTS, [gallery.COLUMN, SIZE])
)
def test_no_text_is_cut_or_overlaps(subjects, scheme, layout, size):
    with gallery.style(scheme):
        for subject in subjects:
            figure = Figure(figsize=size, layout=layout)
            plot.temporal_motifs(subject, ax=figure.add_subplot())
            assert faults(figure) == []


def test_the_picture_has_vectors_alone_and_a_new_figure_by_default(messages):
    svg = StringIO()
    plot.temporal_motifs(messages, "1min").figure.savefig(svg, format="svg")
    assert "<image" not in svg.getvalue()


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (plot.temporal_motifs, "^delta=None: expected the longest time"),
        (lambda g: plot.temporal_motifs(triadic.temporal_motifs(g, 5), 5), "^delta=5: the motifs are counted already"),
        (lambda g: plot.temporal_motifs(triadic.temporal_motifs(g, 5, events=2)), "expected the 36 directed motifs"),
        (lambda g: plot.temporal_motifs(g.window()), "^graph: temporal_motifs got a Graph, which has no times"),
        (
            lambda g: plot.temporal_motifs(triadic.significance(g.window(), of="triads", samples=2, seed=1)),
            "^graph: expected the significance of temporal motifs, got that of triads$",
        ),
    ],
)
def test_what_has_no_heat_map_is_refused(messages, draw, message):
    with pytest.raises(ArgumentError, match=message):
        draw(messages)


def test_one_heat_map_is_not_drawn_over_another(messages, ax):
    plot.temporal_motifs(messages, 50, ax=ax)
    with pytest.raises(ArgumentError, match=r"^ax: the axes show a heat map of temporal motifs"):
        plot.temporal_motifs(messages, 50, ax=ax)
