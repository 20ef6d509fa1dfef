"""The plot of typed patterns: the strongest deviations, each drawn with its vertices in the colours of their types."""

from __future__ import annotations

import gallery
import numpy as np
import pytest
from drawn_texts import faults
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox
from matplotlib.patches import PathPatch

import triadic
from triadic import plot
from triadic.errors import ArgumentError
from triadic.plot.canvas import COLOURS
from triadic.plot.subgraph_shapes import TRIAD_SHAPES

TYPES = np.array([f"type {letter}" for letter in "ABCDEFGHIJ"])


def typed(number, types=("030T", "021C"), **keywords):
    graph = triadic.generate.connectome(160, 1200, types=4, seed=1).graph
    groups = TYPES[np.random.default_rng(1).integers(0, number, graph.num_vertices)]
    if "samples" not in keywords:
        return triadic.count(graph, list(types), by="type", types=groups)
    return triadic.significance(graph, of=types, by="type", types=groups, groups=groups, seed=1, **keywords)


@pytest.fixture(scope="module")
def found():
    return typed(3, samples=20)


@pytest.fixture
def ax():
    return Figure(figsize=(5.6, 5), layout="constrained").add_subplot()


def dots(ax):
    lines = [line for line in ax.lines if line.get_marker() == "o" and len(line.get_xdata())]
    return [(line.get_xdata()[0], line.get_ydata()[0], line.get_markerfacecolor()) for line in lines]


def test_the_strongest_deviations_are_drawn_from_the_highest_score_to_the_lowest(found, ax):
    assert plot.types(found, most=7, ax=ax) is ax
    scores, places, _ = zip(*dots(ax), strict=True)
    strongest = sorted(found.z[np.isfinite(found.z)].tolist(), key=abs, reverse=True)[:7]
    assert list(scores) == sorted(strongest, reverse=True)
    assert list(places) == list(range(7))
    assert len([artist for artist in ax.artists if isinstance(artist, AnnotationBbox)]) == 7


def test_names_are_those_of_the_row_and_dots_are_filled_up_to_the_false_discovery_rate(found, ax):
    limit = float(np.median(found.q))
    plot.types(found, q=limit, ax=ax)
    for (score, _, face), text in zip(dots(ax), ax.get_yticklabels(), strict=True):
        name, words = text.get_text().split("  ")
        row = found[(name, *words.split(", "))]
        assert row.z == score
        assert (face != "none") == (row.q <= limit)
    assert "null: mutual, 3 groups, 20 samples" in ax.get_legend().get_title().get_text()


@pytest.mark.parametrize("name", triadic.TRIAD_NAMES[3:])
def test_each_vertex_has_the_colour_of_the_type_in_its_role(name):
    arcs = TRIAD_SHAPES[name].arcs
    graph = triadic.Graph.from_edges(*zip(*arcs, strict=True), directed=True)
    groups = np.array(["left", "top", "right"])
    ax = plot.types(triadic.count(graph, [name], by="type", types=groups))
    (drawing,) = [artist for artist in ax.artists if isinstance(artist, AnnotationBbox)]
    discs = [patch for patch in drawing.offsetbox.get_children() if isinstance(patch, PathPatch)][-3:]
    # Exchangeable vertices may have one another's colours: the drawn triad is equal all the same.
    of_colour = {colour.lower(): group for group, colour in zip(sorted(groups), COLOURS, strict=False)}
    drawn = [of_colour[to_hex(disc.get_facecolor())] for disc in discs]
    again, given = (triadic.count(graph, name, by="type", types=each).to_dict() for each in (drawn, groups))
    assert again == given


def test_without_samples_the_most_frequent_rows_are_drawn(ax):
    found = typed(3)
    plot.types(found, most=5, ax=ax)
    assert [score for score, _, _ in dots(ax)] == sorted(found["count"].tolist(), reverse=True)[:5]
    assert ax.get_xlabel() == "count"


def test_a_pattern_is_drawn_with_its_own_vertices(ax):
    found = typed(2, types=["A -> B; B -> C; C -> D", "300"], samples=3)
    plot.types(found, most=8, ax=ax)
    drawings = [artist.offsetbox.get_children() for artist in ax.artists if isinstance(artist, AnnotationBbox)]
    names = [text.get_text().split("  ")[0] for text in ax.get_yticklabels()]
    # The lines, the arrowheads, and a disc for each vertex.
    sizes = [len([part for part in drawing if isinstance(part, PathPatch)]) for drawing in drawings]
    assert sizes == [2 + (3 if name == "300" else 4) for name in names]


def test_the_ninth_type_and_the_tenth_are_rings(ax):
    plot.types(typed(10, types="030T", samples=5), most=100, ax=ax)
    entries = ax.get_legend().legend_handles
    assert [len(entry.get_facecolor()) == 0 for entry in entries] == [False] * 8 + [True] * 2
    assert "030T: source, middle, target" in ax.get_legend().get_title().get_text()


@pytest.mark.parametrize("scheme", gallery.STYLES)
@pytest.mark.parametrize(("number", "most", "names"), [(3, 8, False), (10, 12, True)])
def test_no_text_overlaps_or_is_cut(scheme, number, most, names):
    found = typed(number, samples=5)
    for size in ((3.5, 4.0), (8, 6)) if not names else ((5.6, 5.2), (8, 6)):
        with gallery.style(scheme):
            figure = Figure(figsize=size, layout="constrained")
            plot.types(found, most=most, names=names, ax=figure.add_subplot())
            assert faults(figure) == []


def test_a_network_without_such_triads_says_so(ax):
    path = triadic.Graph.from_edges([0, 1], [1, 2], directed=True)
    plot.types(triadic.count(path, ["030T"], by="type", types=["a", "b", "c"]), ax=ax)
    assert "no pattern of these types" in [text.get_text() for text in ax.texts]


def test_what_is_not_accepted_is_refused(found, ax):
    with pytest.raises(ArgumentError, match="typed: got Graph; expected the result of"):
        plot.types(triadic.Graph.from_edges([0], [1]))
    with pytest.raises(ArgumentError, match="most=0"):
        plot.types(found, most=0)
    with pytest.raises(ArgumentError, match="q=2: expected a probability"):
        plot.types(found, q=2)
    plot.types(found, ax=ax)
    with pytest.raises(ArgumentError, match="ax: the axes show z-scores of typed patterns; draw others on other axes"):
        plot.types(found, ax=ax)
