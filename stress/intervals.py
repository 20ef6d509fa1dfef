"""How often the intervals of estimates hold the exact values, and how wide they are, over many seeds.

Each cell is a network, a quantity and a goal. Its sampler is made once and drawn from for every seed. The share of
seeds whose 95% interval holds the exact value must be at least 93.5%, up to what the number of cells makes
likely by chance; the mean width is compared with that of a normal interval of the known variance for as many draws,
pilot included; and the mean of the estimates with the exact value.

Usage: ``python stress/intervals.py [--seeds 1000] [--only NETWORK] [--json FILE]``. The exit status is 1 if a cell
fails. Networks come from the folder TRIADIC_DATA, and generated ones stand in for those that are missing.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from pathlib import Path

import numpy as np

import triadic
from triadic.measures.estimates import samplers
from triadic.measures.estimates.samplers import LocalWedges
from triadic.measures.estimates.schedule import Goal, reach

CONFIDENCE, LEAST = 0.95, 0.935
WIDEST = 1.3  # times the ideal, where at least MANY draws are hits, and as many are not, on average
MANY = 20
SAMPLES = (100, 1000, 10_000)
WITHIN = (0.1, 0.03)
MOST = 30_000
FILES = (
    "celegans_metabolic.graph.gz", "USAir97.net.gz", "USpowerGrid.net.gz", "PGPgiantcompo.graph.gz",
    "facebook_combined.txt.gz", "wiki-Vote.txt.gz", "eatSR.net.gz", "soc-sign-Slashdot090221.txt.gz",
)  # fmt: skip


def networks(only: str | None = None):
    """Yield the name and the graph of each network."""
    folder = Path(os.environ.get("TRIADIC_DATA", "nowhere"))
    for i, file in enumerate(FILES):
        name = file.partition(".")[0]
        if only is not None and only != name:
            continue
        if (folder / file).exists():
            yield name, triadic.read(folder / file)
        else:
            yield f"R-MAT for {name}", triadic.generate.rmat(9 + i // 2, seed=i, directed=i >= 5)


def quantities(graph):
    """Yield the name, the sampler and the exact values of each quantity."""
    options = {"threads": 2, "device": "cpu"}
    skeleton = graph.to_undirected()
    transform = triadic.graphlet_transform(skeleton)
    totals = transform.totals
    spectrum = triadic.clustering_spectrum(skeleton)
    yield "transitivity", samplers.transitivity(skeleton, **options), [triadic.transitivity(skeleton)]
    yield "average_clustering", samplers.AverageClustering(skeleton, **options), [triadic.average_clustering(skeleton)]
    yield "triads", samplers.triads(graph, **options), [float(c) for c in triadic.triad_census(graph).counts]
    yield "graphlets", samplers.graphlets(skeleton, **options), [float(totals[name]) for name in samplers.NAMES]
    yield "clustering_spectrum", LocalWedges(skeleton, threads=2), spectrum.clustering.tolist()


def goals(strata: int):
    """Yield the name and the goal of each stopping rule."""
    for samples in SAMPLES:
        total = samples * strata if strata > 3 else samples
        if total <= 100_000:
            yield (
                f"samples={samples}",
                Goal(within=None, samples=total, confidence=CONFIDENCE, max_samples=1 << 40, seconds=None),
            )
    if strata <= 3:
        for within in WITHIN:
            yield (
                f"within={within}",
                Goal(within=within, samples=None, confidence=CONFIDENCE, max_samples=MOST, seconds=None),
            )


def cell(sampler, exact, goal, seeds: int, moments) -> dict:
    """Return coverage, widths and bias of each quantity that is drawn."""
    of = sampler.quantities
    drawn = of.largest > 0
    exact = np.array(exact)
    held, width, value, ideal, hits, total = (np.zeros(len(exact)) for _ in range(6))
    square = np.zeros(len(exact))
    deviation, weight = moments
    for seed in range(seeds):
        found = reach(sampler, goal, seed)
        draws = found.draws + found.pilot
        slack = 1e-9 * np.abs(exact)
        held += (found.low - slack <= exact) & (exact <= found.high + slack)
        width += found.high - found.low
        value += found.value
        square += (found.value - exact) ** 2
        n = draws[of.stratum]
        ideal += 2 * 1.959964 * deviation / np.sqrt(np.maximum(n, 1))
        hits += weight * n
        total += n
    with np.errstate(invalid="ignore", divide="ignore"):
        sd = np.sqrt(np.maximum(square / seeds - (value / seeds - exact) ** 2, 0) / seeds)
        bias = (value / seeds - exact) / sd
    return {
        "names": [str(n) for n, d in zip(of.names, drawn, strict=True) if d],
        "coverage": (held / seeds)[drawn].tolist(),
        "ratio": (width / np.maximum(ideal, 1e-300))[drawn].tolist(),
        "hits": (np.minimum(hits, total - hits) / seeds)[drawn].tolist(),
        "bias": np.nan_to_num(bias)[drawn].tolist(),
    }


def moments_of(sampler, draws: int = 300_000):
    """Return the deviation of a draw in units of the quantity, and the effective hits of a draw."""
    of = sampler.quantities
    each = max(1, draws // (1 if sampler.strata <= 3 else sampler.strata))
    stop = np.full(sampler.strata, each)
    sums, squares = sampler.moments(987654321, np.zeros(sampler.strata, dtype=np.int64), stop)
    mean, second = sums / each, squares / each
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = np.where(second > 0, mean * mean / second, 0.0)
    return np.abs(of.scale) * np.sqrt(np.maximum(second - mean * mean, 0)), weight


def main() -> int:
    """Run all cells and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--only")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found, failed = [], 0
    for name, graph in networks(given.only):
        for quantity, sampler, exact in quantities(graph):
            moments = moments_of(sampler)
            for goal_name, goal in goals(sampler.strata):
                result = cell(sampler, exact, goal, given.seeds, moments)
                found.append({"network": name, "of": quantity, "goal": goal_name, **result})
                coverage, ratio, hits = (np.array(result[k]) for k in ("coverage", "ratio", "hits"))
                worst = int(coverage.argmin())
                wide = ratio[hits >= MANY].max(initial=0.0)
                print(
                    f"{name:24} {quantity:20} {goal_name:14} least {coverage.min():.3f} ({result['names'][worst]}, "
                    f"{hits[worst]:.3g} hits), mean {coverage.mean():.4f}, width <= {wide:.2f}, "
                    f"bias <= {np.abs(result['bias']).max():.1f} sd",
                    flush=True,
                )
    tests = sum(len(each["coverage"]) for each in found)
    # By chance, the least of many shares lies below the true one: at most once in a hundred runs below this.
    below = math.sqrt(LEAST * (1 - LEAST) / given.seeds) * 3.5
    for each in found:
        for name, coverage, ratio, hits in zip(
            each["names"], each["coverage"], each["ratio"], each["hits"], strict=True
        ):
            if coverage < LEAST - below or (hits >= MANY and ratio > WIDEST):
                failed += 1
                print(f"FAILED {each['network']} {each['of']} {each['goal']} {name}: {coverage:.3f}, {ratio:.2f}")
    all_coverage = np.concatenate([each["coverage"] for each in found])
    print(
        f"{tests} intervals x {given.seeds} seeds: mean coverage {all_coverage.mean():.4f}, "
        f"{(all_coverage < LEAST).sum()} below {LEAST}, least {all_coverage.min():.3f}; {failed} failed"
    )
    if given.json:
        given.json.write_text(json.dumps(found))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
