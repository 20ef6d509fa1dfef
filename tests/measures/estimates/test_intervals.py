"""Intervals hold the exact values as often as they say, and estimates are right on average.

stress/intervals.py and stress/means.py run many more seeds and networks.
"""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from scipy import stats

import triadic
from pairs import pairs
from strategies import NIGHTLY
from triadic.measures.estimates import samplers
from triadic.measures.estimates.samplers import LocalWedges
from triadic.measures.estimates.schedule import Goal, mean_interval, reach

SEEDS = 400 if NIGHTLY else 100
# A share of 95% is below this by chance at most 1.5 times in ten thousand.
LEAST = stats.binom.ppf(1.5e-4, SEEDS, 0.95) / SEEDS


def clopper_pearson(hits, draws, alpha):
    """The ends at which the tails of a binomial have half of alpha."""
    low = stats.beta.ppf(alpha / 2, hits, draws - hits + 1) if hits else 0.0
    high = stats.beta.ppf(1 - alpha / 2, hits + 1, draws - hits) if hits < draws else 1.0
    return low, high


@pytest.mark.parametrize(("hits", "draws"), [(0, 1), (1, 1), (0, 50), (3, 50), (50, 50), (123, 10**6)])
def test_zeros_and_ones_have_the_interval_of_clopper_and_pearson(hits, draws):
    low, high = mean_interval(draws, hits, hits, 1.0, 0.05)
    np.testing.assert_allclose((low, high), clopper_pearson(hits, draws, 0.05), rtol=1e-9)
    low, high = mean_interval(draws, 3 * hits, 9 * hits, 3.0, 0.05)
    np.testing.assert_allclose((low / 3, high / 3), clopper_pearson(hits, draws, 0.05), rtol=1e-9)


@pytest.mark.parametrize("draws", [1, 5, 30])
def test_the_interval_of_a_share_holds_it_with_the_confidence_for_every_share(draws):
    hits = np.arange(draws + 1)
    low, high = mean_interval(draws, hits, hits, 1.0, 0.05)
    for share in np.linspace(0.001, 0.999, 97):
        chance = [comb(draws, k) * share**k * (1 - share) ** (draws - k) for k in hits]
        assert np.dot(chance, (low <= share) & (share <= high)) >= 0.95 - 1e-12


@pytest.mark.parametrize("values", [(0.5, 1.0), (1.0, 3.0), (0.1, 3.0), (2.0, 3.0)])
@pytest.mark.parametrize("shares", [(0.02, 0.002), (0.3, 0.05), (0.5, 0.4), (0.001, 0.05)])
@pytest.mark.parametrize("draws", [50, 2000])
def test_intervals_of_several_values_hold_the_mean(values, shares, draws):
    rng = np.random.default_rng([draws, *(int(1000 * each) for each in (*values, *shares))])
    counts = rng.multinomial(draws, [*shares, 1 - sum(shares)], size=4000)[:, :2]
    value = np.array(values)
    low, high = mean_interval(draws, counts @ value, counts @ value**2, max(values), 0.05)
    mean = np.dot(shares, value)
    assert ((low <= mean) & (mean <= high)).mean() >= 0.94


NETWORKS = {
    "hubs": lambda: triadic.generate.rmat(8, seed=5, directed=True),
    "a small world": lambda: triadic.generate.watts_strogatz(300, 8, 0.1, seed=5),
}


def samplers_of(graph):
    skeleton = graph.to_undirected()
    options = {"threads": 1, "device": "cpu"}
    totals = triadic.graphlet_transform(skeleton).totals
    return {
        "transitivity": (samplers.transitivity(skeleton, **options), [triadic.transitivity(skeleton)]),
        "triangles": (samplers.triangles(skeleton, **options), [triadic.triangle_count(skeleton)]),
        "average_clustering": (samplers.AverageClustering(skeleton, **options), [triadic.average_clustering(skeleton)]),
        "triads": (samplers.triads(graph, **options), list(triadic.triad_census(graph).counts)),
        "graphlets": (samplers.graphlets(skeleton, **options), [totals[name] for name in samplers.NAMES]),
        "orbits": (samplers.orbits(skeleton, **options), triadic.graphlets(skeleton, size=4, by="vertex").sum(axis=0)),
        "spectrum": (LocalWedges(skeleton, threads=1), triadic.clustering_spectrum(skeleton)["clustering"]),
    }


SAMPLED = ["transitivity", "triangles", "average_clustering", "triads", "graphlets", "orbits", "spectrum"]
GOALS = [{"samples": 60}, {"samples": 3000}, {"within": 0.15}]
# Draws and intervals of a quantity do not depend on the network: one network for each goal in the ordinary run.
CASES = list(product(SAMPLED, GOALS, NETWORKS)) if NIGHTLY else pairs(SAMPLED, GOALS, NETWORKS)


@pytest.mark.parametrize(("of", "goal", "network"), CASES, ids=str)
def test_intervals_hold_the_exact_values_over_many_seeds(of, goal, network):
    if of == "spectrum" and "within" in goal:
        pytest.skip("each degree would draw thousands of wedges for each seed")
    sampler, values = samplers_of(NETWORKS[network]())[of]
    values = np.array(values, dtype=float)
    whole = Goal(
        within=goal.get("within"), samples=goal.get("samples"), confidence=0.95, max_samples=4000, deadline=None
    )
    held, mean = np.zeros(len(values)), np.zeros(len(values))
    square = np.zeros(len(values))
    for seed in range(SEEDS):
        found = reach(sampler, whole, seed)
        slack = 1e-9 * values
        held += (found.low - slack <= values) & (values <= found.high + slack)
        mean += found.value / SEEDS
        square += (found.value - values) ** 2
    assert held.min() / SEEDS >= LEAST
    if "samples" in goal:  # one look at fixed numbers of draws: the estimates are unbiased
        deviation = np.sqrt(square) / SEEDS
        assert (np.abs(mean - values) <= 4.5 * deviation + 1e-9 * values).all()


def test_the_interval_is_no_wider_than_it_must_be():
    sampler, (value,) = samplers_of(NETWORKS["hubs"]())["transitivity"]
    for goal in ({"samples": 2000, "within": None}, {"samples": None, "within": 0.05}):
        widths, draws = [], []
        for seed in range(100):
            found = reach(sampler, Goal(**goal, confidence=0.95, max_samples=10**6, deadline=None), seed)
            widths.append(found.high - found.low)
            draws.append(found.draws + found.pilot)
        share = value / sampler.quantities.scale[0]
        ideal = 2 * 1.96 * np.sqrt(share * (1 - share) / np.mean(draws)) * sampler.quantities.scale[0]
        assert np.mean(widths) <= 1.3 * ideal
