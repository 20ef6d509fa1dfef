"""Strategies of hypothesis for networks with hubs, loops, repeated arcs and isolated vertices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import naive
from shared_fixtures import NIGHTLY
from triadic import Graph


def examples(number, nightly=None):
    """Draw a number of examples, and more (twenty times as many if not stated) in the nightly run."""
    return settings(
        max_examples=(nightly or 20 * number) if NIGHTLY else number,
        suppress_health_check=[
            *settings().suppress_health_check,
            HealthCheck.function_scoped_fixture,  # an example overwrites what the one before it left in a fixture
            HealthCheck.differing_executors,
        ],
    )


class Network(NamedTuple):
    """A network as read from a file, with loops and repeated arcs."""

    vertices: int
    arcs: list[tuple[int, int]]
    directed: bool

    @property
    def source(self):
        return np.array([u for u, _ in self.arcs], dtype=np.int64)

    @property
    def target(self):
        return np.array([v for _, v in self.arcs], dtype=np.int64)

    def graph(self, **keywords):
        return Graph.from_edges(
            self.source, self.target, num_vertices=self.vertices, directed=self.directed, **keywords
        )


def arc_lists(most_vertices=30, most_arcs=150):
    """Random arcs, with loops and repeated arcs among them."""

    def arcs(n):
        end = st.integers(0, n - 1)
        return st.tuples(st.just(n), st.lists(st.tuples(end, end), max_size=most_arcs))

    return st.one_of(st.just((0, [])), st.integers(1, most_vertices).flatmap(arcs))


def cliques(most_vertices=40):
    return st.integers(1, most_vertices).map(lambda n: (n, [(u, v) for u in range(n) for v in range(u)]))


def stars(most_leaves=60):
    return st.integers(0, most_leaves).map(lambda n: (n + 1, [(0, leaf) for leaf in range(1, n + 1)]))


def bipartite(most_side=12):
    sides = st.tuples(st.integers(1, most_side), st.integers(1, most_side))
    return sides.map(lambda ab: (sum(ab), [(u, ab[0] + v) for u in range(ab[0]) for v in range(ab[1])]))


def cores_with_leaves(most_core=30, most_leaves=30):
    """A clique of hubs, and leaves joined to some of the hubs."""

    @st.composite
    def draw_one(draw):
        core = draw(st.integers(1, most_core))
        arcs = [(u, v) for u in range(core) for v in range(u)]
        reach = draw(st.lists(st.sets(st.integers(0, core - 1), max_size=6), max_size=most_leaves))
        return core + len(reach), arcs + [(core + leaf, hub) for leaf, hubs in enumerate(reach) for hub in hubs]

    return draw_one()


@st.composite
def networks(draw, directed=None):
    """A shape with vertices renumbered and added, arcs reversed, repeated and shuffled, and loops added."""
    n, arcs = draw(st.one_of(arc_lists(), cliques(), stars(), bipartite(), cores_with_leaves()))
    directed = draw(st.booleans()) if directed is None else directed
    random = draw(st.randoms(use_true_random=False))
    n += draw(st.integers(0, 5))
    if draw(st.booleans()):
        name = list(range(n))
        random.shuffle(name)
        arcs = [(name[u], name[v]) for u, v in arcs]
        again = random.choices(arcs, k=random.randrange(10)) if arcs else []
        back = [(v, u) for u, v in (random.choices(arcs, k=random.randrange(10)) if arcs else [])]
        loops = [(v, v) for v in random.choices(range(n), k=random.randrange(4))] if n else []
        arcs = arcs + again + back + loops
        random.shuffle(arcs)
    return Network(n, arcs, directed)


def weighted_graph(vertices, weight, *, directed=False):
    source, target = np.array(list(weight), dtype=np.int64).reshape(-1, 2).T
    weights = np.array(list(weight.values()), dtype=np.float64)
    return Graph.from_edges(source, target, num_vertices=vertices, weights=weights, directed=directed)


@st.composite
def weighted_networks(draw, directed=False, lowest=0):
    """A simple network and the weight of each edge u < v, or of each arc; zeros are among them."""
    network = draw(networks(directed=directed))
    edges = naive.simple(network.arcs, directed=True).arcs if directed else naive.edges(network.arcs)
    eighths = draw(st.lists(st.integers(lowest, 24), min_size=len(edges), max_size=len(edges)))
    return network.vertices, {edge: x / 8 for edge, x in zip(edges, eighths, strict=True)}
