"""Many threads that count at once in one graph and in several, and processes forked while others count."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def results(triadic, graph, threads):
    """Return some counts of a graph."""
    return (
        triadic.triangles(graph, threads=threads).tolist(),
        dict(triadic.triad_census(graph, threads=threads)),
        triadic.graphlet_transform(graph, threads=threads).net.tolist(),
    )


def in_fork(triadic, graph, expected):
    """Count in a forked process; return whether it gives the same."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = int(results(triadic, graph, 2) != expected)
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def run(count, seed, _, tally):
    """Check `count` rounds, of which each counts in eight threads and one fork."""
    import triadic

    rng = np.random.default_rng(seed)
    for number in range(count):
        arcs = rng.zipf(1.5, (int(rng.integers(50, 4000)), 2)) % 300
        expected = results(triadic, triadic.Graph.from_edges(*arcs.T, directed=True), 1)
        fresh = triadic.Graph.from_edges(*arcs.T, directed=True)  # without an oriented form that threads could share
        with ThreadPoolExecutor(8) as pool:
            tasks = [pool.submit(results, triadic, fresh, 1 + i % 3) for i in range(8)]
            forked = in_fork(triadic, triadic.Graph.from_edges(*arcs.T, directed=True), expected)
            same = all(task.result() == expected for task in tasks)
        if same and forked:
            tally.add("equal")
        else:
            tally.fail(f"threads equal: {same}, fork equal: {forked}", case=f"round {number} of seed {seed}")
