"""Compare windows that move over events with windows that are counted one by one.

``python benchmarks/windows_over_time.py [FILE]`` reads timed events, such as CollegeMsg.txt.gz, or makes a million of
them, and prints for several windows and steps the seconds of `over_time`, those
of counting each window anew (estimated from 30 of the windows), and the ratio. Both run on one thread. The two sides
take turns, and each is the median of three runs. The machine should be idle.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from statistics import median

import numpy as np

import triadic

DAY = 86400
RUNS, WINDOWS = 3, 30
SHAPES = [(7 * DAY, 7 * DAY), (7 * DAY, DAY), (7 * DAY, DAY // 24), (30 * DAY, DAY), (30 * DAY, DAY // 24)]


def made_up_events(events=1_000_000, vertices=100_000, span=365 * DAY):
    """Return events between vertices of very different activity."""
    random = np.random.default_rng(1)
    source, target = (vertices * random.power(0.4, (2, events))).astype(np.int64)
    return triadic.TemporalGraph.from_edges(source, target, random.integers(0, span, events), num_vertices=vertices)


def count_clustering(graph):
    """Count what a row of clustering needs."""
    triangles = triadic.triangles(graph, threads=1)
    return triangles.sum() / max(1, (graph.degree * (graph.degree - 1)).sum())


def count_triads(graph):
    """Count what a row of triads needs."""
    return triadic.triad_census(graph, threads=1)


def seconds_of(function):
    """Return the seconds of a call."""
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def main():
    """Print a row for each measure, window and step."""
    graph = triadic.read_temporal(sys.argv[1]) if len(sys.argv) > 1 else made_up_events()
    scale = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[graph.unit]
    print(graph)
    print(f"{'measure':<24}{'window':>8}{'step':>8}{'windows':>9}{'moving s':>11}{'anew s':>11}{'ratio':>8}")
    for moving, anew in (
        ("clustering", count_clustering),
        ("triads", count_triads),
    ):
        anew(graph.window())
        for window, step in ((window * scale, step * scale) for window, step in SHAPES):
            move = partial(triadic.over_time, graph, moving, window=window, step=step, threads=1)
            table = move()
            ends = table.time.view(np.int64)
            chosen = ends[:: max(1, len(ends) // WINDOWS)]

            def count_each(chosen=chosen, window=window, table=table, anew=anew):
                for end in chosen.astype(table.time.dtype):
                    anew(graph.window(end - np.int64(window - 1), end + np.int64(1)))

            times = [
                (
                    seconds_of(move),
                    seconds_of(count_each),
                )
                for _ in range(RUNS)
            ]
            ours, theirs = (median(side) for side in zip(*times, strict=True))
            theirs *= len(ends) / len(chosen)
            words = (f"{duration / scale / DAY:g} d" for duration in (window, step))
            length, distance = (word if len(word) < 8 else f"{word[:5]} d" for word in words)
            print(
                f"{moving.__name__:<24}{length:>8}{distance:>8}{len(ends):>9,}"
                f"{ours:>11.3f}{theirs:>11.3f}{theirs / ours:>8.1f}"
            )


if __name__ == "__main__":
    main()
