"""Whether estimates are right on average: the mean over many seeds, beside the exact value, for every quantity.

Each cell is a network and a quantity, with a fixed number of draws for each seed. The distance of the mean from the
exact value is measured in its own standard error, z. Quantities that are hardly ever drawn have no normal mean; their
number of hits in all seeds is compared with a Poisson distribution, and z is the normal number of the same probability.

Usage: ``python stress/means.py [--seeds 10000] [--only NETWORK] [--of QUANTITY] [--json FILE]``. The exit status is 1
if the largest z of all is one that chance alone would pass in fewer than one of a thousand runs. Networks are those of
`intervals.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from scipy import stats

import triadic
from intervals import networks
from triadic.measures.estimates import samplers
from triadic.measures.estimates.samplers import LocalWedges
from triadic.measures.estimates.schedule import Goal, reach

SAMPLES, OF_A_DEGREE = 1000, 20
FEW_HITS = 100  # in all seeds, below which a mean is not normal
ONCE_IN_RUNS = 1000


def quantities(graph, only=None):
    """Yield the name, the sampler and the exact values of each quantity."""
    options = {"threads": 1, "device": "cpu"}
    skeleton = graph.to_undirected()
    totals = triadic.graphlet_transform(skeleton).totals
    makers = {
        "transitivity": (samplers.transitivity, lambda: [triadic.transitivity(skeleton)]),
        "triangles": (samplers.triangles, lambda: [triadic.triangle_count(skeleton)]),
        "average_clustering": (samplers.AverageClustering, lambda: [triadic.average_clustering(skeleton)]),
        "triads": (samplers.triads, lambda: list(triadic.triad_census(graph).counts)),
        "graphlets": (samplers.graphlets, lambda: [totals[name] for name in samplers.NAMES]),
        "orbits": (samplers.orbits, lambda: triadic.graphlets(skeleton, size=4, by="vertex").sum(axis=0)),
        "clustering_spectrum": (
            lambda of, *, threads, device: LocalWedges(of, threads=threads),  # noqa: ARG005
            lambda: triadic.clustering_spectrum(skeleton).clustering,
        ),
    }
    for name, (make, exact) in makers.items():
        if only in (None, name):
            sampler = make(graph if name == "triads" else skeleton, **options)
            yield name, sampler, np.asarray(exact(), dtype=np.float64)


def distances(sampler, exact, seeds):
    """Return the distance z of the mean of each quantity that is drawn, with its name and its hits in all seeds."""
    of = sampler.quantities
    live = int((np.bincount(of.stratum, weights=of.largest, minlength=sampler.strata) > 0).sum())
    samples = live * OF_A_DEGREE if live > 3 else max(1, live) * SAMPLES
    goal = Goal(within=None, samples=samples, confidence=0.95, max_samples=samples, seconds=None)
    total, squares, draws = np.zeros(len(exact)), np.zeros(len(exact)), np.zeros(len(exact))
    clipped = 0
    for seed in range(seeds):
        found = reach(sampler, goal, seed)
        away = found.value - exact
        total += away
        squares += away * away
        draws += found.draws[of.stratum]
        clipped += int(((found.value == 0) | (found.value == of.most))[of.offset > 0].sum())
    mean = total / seeds
    error = np.sqrt(np.maximum(squares / seeds - mean * mean, 0) / seeds)
    drawn = np.flatnonzero(of.largest > 0)
    result = []
    for i in drawn.tolist():
        unit = abs(of.scale[i]) * of.largest[i]
        expected = draws[i] * abs(exact[i] - of.offset[i]) / unit
        met = max(0.0, draws[i] * np.sign(of.scale[i]) * (exact[i] + mean[i] - of.offset[i]) / unit)
        common = min(expected, draws[i] - expected) >= FEW_HITS
        if abs(mean[i]) <= 1e-9 * abs(exact[i]):  # exact for this network: all wedges of a vertex are closed
            z = 0.0
        elif common and error[i] > 0:
            z = mean[i] / error[i]
        elif expected < FEW_HITS:
            z = poisson_distance(round(met), expected)
        else:
            z = poisson_distance(round(draws[i] - met), draws[i] - expected)
        result.append((str(of.names[i]), float(z), float(expected)))
    return result, clipped


def poisson_distance(met, expected):
    """Return the normal number that is as far out as a number of hits is for a Poisson distribution."""
    if met >= expected:
        return max(0.0, float(stats.norm.isf(max(1e-300, stats.poisson.sf(met - 1, expected)))))
    return -max(0.0, float(stats.norm.isf(max(1e-300, stats.poisson.cdf(met, expected)))))


def main() -> int:
    """Run all cells and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10_000)
    parser.add_argument("--only")
    parser.add_argument("--of")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    cells = []
    for network, graph in networks(given.only):
        for of, sampler, exact in quantities(graph, given.of):
            found, clipped = distances(sampler, exact, given.seeds)
            cells += [{"network": network, "of": of, "name": name, "z": z, "hits": hits} for name, z, hits in found]
            z = np.array([each[1] for each in found] or [0.0])
            worst = found[int(np.abs(z).argmax())][0] if found else "-"
            print(
                f"{network:28} {of:20} {len(found):4} drawn, |z| <= {np.abs(z).max():.2f} ({worst}), "
                f"mean z {z.mean():+.2f}, mean z² {np.mean(z * z):.2f}, {clipped} at an end of the possible values",
                flush=True,
            )
    z = np.array([each["z"] for each in cells])
    most = float(stats.norm.isf((1 - (1 - 1 / ONCE_IN_RUNS) ** (1 / max(1, len(z)))) / 2))
    for each in cells:
        if abs(each["z"]) > most:
            print(f"FAILED {each['network']} {each['of']} {each['name']}: z {each['z']:+.2f}, {each['hits']:.0f} hits")
    print(
        f"{len(z)} means over {given.seeds} seeds: |z| <= {np.abs(z).max():.2f}, allowed {most:.2f}; "
        f"{(np.abs(z) > 1.96).mean():.1%} beyond 1.96"
    )
    if given.json:
        given.json.write_text(json.dumps(cells))
    return int((np.abs(z) > most).any())


if __name__ == "__main__":
    sys.exit(main())
