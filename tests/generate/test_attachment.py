"""Barabási-Albert graphs: how they grow, and which vertices new links prefer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triadic import generate
from triadic.errors import ArgumentError


def degrees(model):
    arcs = generate.make_arcs(model)
    return np.bincount(np.concatenate([arcs.source, arcs.target]), minlength=model.vertices)


@settings(deadline=None)  # the first run compiles
@given(links=st.integers(1, 12), later=st.integers(1, 60), seed=st.integers(0, 2**64 - 1))
def test_each_new_vertex_links_to_different_earlier_ones(links, later, seed):
    model = generate.BarabasiAlbert(links + later, links, seed=seed)
    arcs = generate.make_arcs(model)
    assert np.array_equal(arcs.source, np.repeat(np.arange(links, links + later), links))
    assert np.all(arcs.target < arcs.source)
    assert all(len(set(row)) == links for row in arcs.target.reshape(later, links).tolist())


def test_it_begins_as_a_star():
    arcs = generate.make_arcs(generate.BarabasiAlbert(6, 5, seed=1))
    assert arcs.source.tolist() == [5] * 5
    assert sorted(arcs.target.tolist()) == [0, 1, 2, 3, 4]


def test_no_later_vertex_has_fewer_links_than_it_made():
    assert degrees(generate.BarabasiAlbert(5_000, 4, seed=1))[4:].min() >= 4


def test_an_end_is_chosen_in_proportion_to_its_degree():
    """With one link each, vertex 3 chooses among degrees 2, 1, 1 or 1, 2, 1, by the choice of vertex 2."""
    counts = np.zeros((2, 3))
    for seed in range(8_000):
        _, second, third = generate.make_arcs(generate.BarabasiAlbert(4, 1, seed=seed), threads=1).target.tolist()
        counts[second, third] += 1
    expected = 8_000 / 2 * np.array([[2, 1, 1], [1, 2, 1]]) / 4
    assert ((counts - expected) ** 2 / expected).sum() < 5 + 5 * np.sqrt(10)


@pytest.mark.parametrize("links", [1, 4])
def test_shares_of_degrees_follow_the_known_law(links):
    """The limit is 2 m (m + 1) / (d (d + 1) (d + 2)): Bollobás, Riordan, Spencer and Tusnády, 2001."""
    n = 100_000
    degree = degrees(generate.BarabasiAlbert(n, links, seed=2))
    for d in range(links, links + 6):
        expected = 2 * links * (links + 1) / (d * (d + 1) * (d + 2))
        assert np.mean(degree == d) == pytest.approx(expected, abs=6 * np.sqrt(expected / n) + 1e-4)


def test_early_vertices_become_hubs():
    degree = degrees(generate.BarabasiAlbert(50_000, 3, seed=3))
    assert degree[:50].mean() > 30 * degree[-25_000:].mean()


def test_many_links_of_few_vertices_are_found():
    degree = degrees(generate.BarabasiAlbert(700, 500, seed=1))
    assert degree.sum() == 2 * 200 * 500


def test_no_link_is_dropped_and_arcs_lead_from_new_to_earlier_vertices():
    assert generate.barabasi_albert(300, 5, seed=1).num_edges == 295 * 5
    graph = generate.barabasi_albert(300, 5, seed=1, directed=True)
    assert graph.directed
    assert np.diff(graph.indptr).tolist() == [0] * 5 + [5] * 295


@pytest.mark.parametrize(("arguments", "words"), [((5, 5), "links=5"), ((5, 0), "links=0"), ((1, 1), "vertices=1")])
def test_a_bad_argument_is_named(arguments, words):
    with pytest.raises(ArgumentError, match=words):
        generate.BarabasiAlbert(*arguments)
