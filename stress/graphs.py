"""Random graphs on any threads, device and tiles: equal to networkx, to brute force, and to one another."""

from __future__ import annotations

import shutil
import sys
import warnings
from pathlib import Path

import networkx as nx
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))


def draw(rng):
    """Return vertices, arcs (with loops and repeats) and whether they are directed."""
    n = int(rng.integers(0, 40))
    if n == 0:
        return 0, np.empty((0, 2), dtype=np.int64), bool(rng.integers(2))
    kind = int(rng.integers(5))
    if kind == 0:  # a clique with leaves
        core = int(rng.integers(1, min(n, 16) + 1))
        arcs = [(u, v) for u in range(core) for v in range(u)] + [(v, int(rng.integers(core))) for v in range(core, n)]
    elif kind == 1:  # hubs
        arcs = np.minimum(rng.zipf(1.5, (int(rng.integers(0, 150)), 2)) - 1, n - 1)
    elif kind == 2:  # two sides
        half = max(1, n // 2)
        arcs = np.stack([rng.integers(0, half, 80), half - 1 + rng.integers(0, n - half + 1, 80)], axis=1)
    else:
        arcs = rng.integers(0, n, (int(rng.integers(0, 200)), 2))
    return n, np.array(arcs, dtype=np.int64).reshape(-1, 2), bool(rng.integers(2))


def networkx_of(n, arcs, directed):
    """Return the simple graph."""
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((u, v) for u, v in arcs.tolist() if u != v)
    return graph


def results(triadic, graph, **keywords):
    """Return the counts that run on every device and by tiles."""
    found = {
        "triangles": triadic.triangles(graph, **keywords).tolist(),
        "clustering": triadic.clustering(graph, **keywords).tolist(),
        "transitivity": triadic.transitivity(graph, **keywords),
        "triads": dict(triadic.triad_census(graph, **keywords)),
    }
    if graph.num_vertices:
        found["triads by vertex"] = triadic.triad_census(graph, by="vertex", **keywords).tolist()
    return found


def run(count, seed, folder, tally):
    """Check `count` random graphs."""
    import naive_graphlets
    import triadic
    from triadic.devices.runtimes import registry

    warnings.simplefilter("ignore")
    opencl = registry.is_installed("opencl") and registry.count("opencl") > 0
    rng = np.random.default_rng(seed)
    for number in range(count):
        n, arcs, directed = draw(rng)
        case = f"graph {number} of seed {seed}: {n} vertices, directed={directed}, {arcs.tolist()}"
        try:
            problem = differs(triadic, naive_graphlets, n, arcs, directed, number, folder, opencl)
        except Exception as error:
            problem = repr(error)
        if problem:
            tally.fail(problem, case=case)
        else:
            tally.add("equal")


def differs(triadic, naive_graphlets, n, arcs, directed, number, folder, opencl):
    """Return what differs, or an empty text."""
    graph = triadic.Graph.from_edges(arcs[:, 0], arcs[:, 1], num_vertices=n, directed=directed)
    other = networkx_of(n, arcs, directed)
    skeleton = nx.Graph(other)
    found = results(triadic, graph, threads=1 + number % 4)
    if found["triangles"] != [nx.triangles(skeleton)[v] for v in range(n)]:
        return "triangles differ from networkx"
    if n and not np.allclose(found["clustering"], [nx.clustering(skeleton)[v] for v in range(n)], atol=1e-12):
        return "clustering differs from networkx"
    if directed and n > 2 and found["triads"] != nx.triadic_census(other):
        return "triads differ from networkx"
    if number % 5 == 0 and n:
        squares = nx.square_clustering(skeleton)
        if not np.allclose(triadic.square_clustering(graph), [squares[v] for v in range(n)], atol=1e-12):
            return "square clustering differs from networkx"
        generalized = triadic.generalized_degree(graph).toarray()
        for v, counts in nx.generalized_degree(skeleton).items():
            if {k: int(c) for k, c in enumerate(generalized[v]) if c} != dict(counts):
                return "generalized degree differs from networkx"
    if number % 10 == 0 and 0 < n < 15:
        expected = naive_graphlets.net(n, arcs.tolist())
        if not np.array_equal(triadic.graphlet_transform(graph).net, expected):
            return "graphlets differ from brute force"
    if number % 50 == 0 and opencl and results(triadic, graph, device="opencl") != found:
        return "OpenCL differs"
    if number % 50 == 25 and n > 1 and len(arcs):
        tiles = folder / "tiles"
        shutil.rmtree(tiles, ignore_errors=True)
        (folder / "network.txt").write_text("".join(f"{u} {v}\n" for u, v in arcs.tolist()))
        triadic.tile(
            folder / "network.txt", tiles, num_vertices=n, directed=directed, ranges=min(n, 1 + number // 50 % 4)
        )
        if results(triadic, triadic.TiledGraph(tiles)) != found:
            return "tiles differ"
    return ""
