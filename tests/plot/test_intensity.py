"""The plot of intensities and coherences of weighted triads: means of a network, or sums beside random networks."""

from __future__ import annotations

import gallery
import numpy as np
import pytest
from drawn_texts import faults
from matplotlib.figure import Figure

import triadic
from triadic import plot
from triadic.core.triad_types import CLOSED_NAMES
from triadic.errors import ArgumentError
from triadic.plot.canvas import SIZE


@pytest.fixture(scope="module")
def weighted():
    graph = triadic.generate.rmat(6, seed=1, directed=True)
    source, target = graph.edges()
    weights = np.random.default_rng(1).lognormal(size=len(source))
    return triadic.Graph.from_edges(source, target, weights=weights, directed=True)


@pytest.fixture(scope="module")
def compared(weighted):
    return {
        null: triadic.significance(weighted, of="intensity", keep_weights=null, samples=5, seed=1)
        for null in ("keep", "shuffle")
    }


@pytest.fixture
def ax():
    return Figure(figsize=SIZE, layout="constrained").add_subplot()


@pytest.mark.parametrize("of", ["intensity", "coherence"])
def test_dots_are_means_over_the_triads_of_a_type(weighted, ax, of):
    found = triadic.motif_intensity(weighted)
    plot.intensity(found, of=of, ax=ax)
    assert ax.lines[0].get_xdata() == pytest.approx(found[of] / found["count"])
    assert [text.get_text() for text in ax.get_yticklabels()] == list(CLOSED_NAMES)
    assert ax.get_xlabel() == f"mean {of} of a triad"
    assert (of == "coherence") == (ax.get_xscale() == "linear" and ax.get_xlim() == (0, 1))
    again = plot.intensity(weighted, of=of)
    assert again.lines[0].get_xdata().tolist() == ax.lines[0].get_xdata().tolist()


def test_types_without_triads_have_no_dot(ax):
    loop = triadic.Graph.from_edges([0, 1, 0], [1, 2, 2], weights=[1.0, 2.0, 4.0], directed=True)
    plot.intensity(loop, ax=ax)
    assert np.isfinite(ax.lines[0].get_xdata()).tolist() == [True] + [False] * 6


@pytest.mark.parametrize("of", ["intensity", "coherence"])
def test_bars_cover_the_middle_of_the_random_networks(compared, ax, of):
    found = compared["shuffle"]
    plot.intensity(found, of=of, ax=ax)
    names = [f"{name} {of}" for name in CLOSED_NAMES]
    assert ax.lines[0].get_xdata().tolist() == [found[name].count for name in names]
    drawn = np.array([[sample[found.names.index(name)] for name in names] for sample in found.samples])
    ends = np.array([segment[:, 0] for segment in ax.collections[0].get_segments()]).T
    assert ends == pytest.approx(np.quantile(drawn, [0.025, 0.975], axis=0))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["mutual, weights by 'shuffle', 5 samples"]
    assert ax.get_legend().get_title().get_text() == "bars: 95% of the random networks"


def test_null_models_stand_side_by_side(compared, ax):
    plot.compare(compared, of="intensity", ax=ax)
    dots = [line.get_ydata()[0] for line in ax.lines if not line.get_label().startswith("_")]
    assert dots == pytest.approx([-0.15, 0.15])
    assert faults(ax.figure) == []


@pytest.mark.parametrize("scheme", gallery.STYLES)
def test_no_text_overlaps(weighted, compared, scheme):
    with gallery.style(scheme):
        for shown in (weighted, compared["keep"]):
            for size in (gallery.COLUMN, SIZE):
                figure = Figure(figsize=size, layout="constrained")
                plot.intensity(shown, ax=figure.add_subplot())
                assert faults(figure) == []


def test_what_has_no_intensities_is_refused(weighted, ax):
    with pytest.raises(ArgumentError, match="of='weight': expected one of 'intensity', 'coherence'"):
        plot.intensity(weighted, of="weight")
    with pytest.raises(ArgumentError, match="expected a Significance with of='intensity', got that of triads"):
        plot.intensity(triadic.significance(weighted, samples=2, seed=1))
    with pytest.raises(ArgumentError, match="has no weights"):
        plot.intensity(triadic.generate.rmat(4, seed=1, directed=True))
    plot.intensity(weighted, ax=ax)
    with pytest.raises(ArgumentError, match="axes show mean intensity of a triad; draw mean coherence of a triad on"):
        plot.intensity(weighted, of="coherence", ax=ax)
