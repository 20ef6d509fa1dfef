"""Made-up connectomes."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from triadic import generate
from triadic.core.arcs import Dropped
from triadic.errors import ArgumentError


def test_a_connectome_has_the_wanted_numbers_and_is_the_same_from_the_same_seed():
    made, again, other = (generate.connectome(2000, 20_000, types=100, seed=seed) for seed in (1, 1, 2))
    assert (made.graph.num_vertices, made.graph.num_arcs, made.graph.directed) == (2000, 20_000, True)
    assert made.graph.dropped == Dropped()
    assert np.array_equal(made.graph.indices, again.graph.indices)
    assert np.array_equal(made.positions, again.positions)
    assert not np.array_equal(made.graph.indices, other.graph.indices)


def test_a_connectome_has_hubs_rare_types_and_short_arcs():
    made = generate.connectome(5000, 60_000, types=300, seed=1)
    source, target = made.graph.edges()
    for ends in (source, target):
        degree = np.bincount(ends, minlength=5000)
        assert degree.max() > 10 * degree.mean()
    sizes = np.bincount(made.types, minlength=300)
    assert sizes.max() > 20 * np.median(sizes)
    assert (np.diff(made.types) >= 0).all()
    length = np.linalg.norm(made.positions[source] - made.positions[target], axis=1)
    rng = np.random.default_rng(1)
    other = np.linalg.norm(made.positions[source] - made.positions[rng.permutation(target)], axis=1)
    assert np.median(length) < 0.6 * np.median(other)
    mutual = triadic.dyad_census(made.graph)["mutual"]
    assert 0.05 < 2 * mutual / 60_000 < 0.5


@pytest.mark.parametrize(
    ("keywords", "found"),
    [
        ({"num_vertices": 1}, "vertices=1"),
        ({"arcs": 10**6}, "arcs=1000000: expected a whole number from 1 to 495"),
        ({"types": 0}, "types=0"),
        ({"types": 101}, "types=101"),
        ({"reciprocity": 0.7}, "reciprocity=0.7: expected at most 0.5"),
        ({"reciprocity": 2}, "reciprocity=2"),
    ],
    ids=str,
)
def test_a_bad_argument_is_named(keywords, found):
    with pytest.raises(ArgumentError, match=found):
        generate.connectome(**({"num_vertices": 100, "arcs": 400, "types": 9} | keywords))
