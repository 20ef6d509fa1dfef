"""Estimates: their intervals hold exact values, and do so for any number of threads."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import naive
import naive_graphlets
import triadic
from triadic import Graph
from triadic.devices.cpu.draws import wedge_sampling
from triadic.errors import ArgumentError, CountOverflowError, UnsupportedError
from triadic.measures.estimates import estimate as estimating
from triadic.measures.estimates import samplers, schedule
from triadic.measures.estimates.samplers import LocalWedges
from triadic.measures.estimates.schedule import Goal, reach
from triadic.tiles import wedge_draws
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.oriented_tiles import OrientedTiles

TRIANGLE = Graph.from_edges([0, 1, 2], [1, 2, 0])
QUANTITIES = (
    "transitivity", "average_clustering", "clustering_spectrum", "triangles", "triads", "graphlets", "orbits",
)  # fmt: skip


def exact(graph, of):
    """The exact values of the quantities of an estimate."""
    skeleton = graph.to_undirected()
    if of == "triads":
        return np.array(triadic.triad_census(graph).counts, dtype=float)
    if of == "clustering_spectrum":
        return triadic.clustering_spectrum(skeleton)["clustering"]
    if of == "graphlets":
        totals = triadic.graphlet_transform(skeleton).totals
        return np.array([totals[name] for name in samplers.NAMES], dtype=float)
    if of == "orbits":
        return np.asarray(triadic.graphlets(skeleton, size=4, by="vertex")).sum(axis=0).astype(float)
    count = {"triangles": "triangle_count"}.get(of, of)
    return np.array([getattr(triadic, count)(skeleton)], dtype=float)


def of_skeleton(graph, of):
    return graph if of == "triads" else graph.to_undirected()


@pytest.fixture(scope="module")
def directed():
    return triadic.generate.rmat(9, seed=2, directed=True)


@pytest.mark.parametrize("of", QUANTITIES)
def test_wide_intervals_hold_the_exact_values(directed, of):
    found = triadic.estimate(of_skeleton(directed, of), of=of, samples=20_000, confidence=1 - 1e-7, seed=1)
    low, high, values = np.atleast_1d(found.low), np.atleast_1d(found.high), exact(directed, of)
    slack = 1e-9 * values
    assert (low - slack <= values).all()
    assert (values <= high + slack).all()
    assert ((low <= found.value) & (found.value <= high)).all()


@pytest.mark.parametrize("of", QUANTITIES)
def test_any_number_of_threads_draws_the_same(directed, of):
    found = [
        triadic.estimate(of_skeleton(directed, of), of=of, samples=30_000, seed=4, threads=threads)
        for threads in (1, 2, 5)
    ]
    for other in found[1:]:
        for name in ("value", "low", "high"):
            np.testing.assert_array_equal(getattr(found[0], name), getattr(other, name))


def test_the_same_seed_draws_the_same_and_another_does_not(directed):
    graph = directed.to_undirected()
    one, same, other = (triadic.estimate(graph, of="triangles", samples=5000, seed=seed).value for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize("of", ["transitivity", "average_clustering", "triangles", "graphlets"])
def test_intervals_become_as_narrow_as_asked(directed, of):
    found = triadic.estimate(directed.to_undirected(), of=of, error=0.05, seed=3)
    assert found.stopped == ""
    assert (np.atleast_1d(found.half_width) <= 0.05 * np.atleast_1d(found.value)).all()
    assert found.pilot <= found.samples / 2


def test_small_graphs_are_estimated_around_the_oracles():
    source, target = np.nonzero(np.triu(np.random.default_rng(5).random((25, 25)) < 0.3, 1))
    arcs = list(zip(source.tolist(), target.tolist(), strict=True))
    graph = Graph.from_edges(source, target, num_vertices=25)
    found = triadic.estimate(graph, of="triangles", samples=200_000, seed=1)
    assert found.low < naive.triangle_count(25, arcs) < found.high
    totals = triadic.estimate(graph, of="orbits", samples=300_000, seed=2, confidence=0.9999)
    orbits = np.array(naive_graphlets.net(25, arcs)).sum(axis=0)
    for orbit, graphlet in enumerate((1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 13, 14, 15)):
        assert totals.low[orbit] <= orbits[graphlet] <= totals.high[orbit]


@pytest.mark.parametrize("of", QUANTITIES)
@pytest.mark.parametrize(
    "graph",
    [
        Graph.from_edges([], [], num_vertices=0),
        Graph.from_edges([], [], num_vertices=3),
        Graph.from_edges([0], [1]),
        Graph.from_edges([0, 0, 0, 0], [1, 2, 3, 4]),
        Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0]),
    ],
    ids=["no vertex", "no edge", "an edge", "a star", "a cycle"],
)
def test_without_triangles_the_estimates_are_zero_or_exact(of, graph):
    found = triadic.estimate(graph, of=of, error=0.1, max_samples=2000, seed=1)
    low, high, values = np.atleast_1d(found.low), np.atleast_1d(found.high), exact(graph, of)
    undefined = np.isnan(values)  # the mean over no vertices
    assert ((low <= values + 1e-9) | undefined).all()
    assert ((values <= high + 1e-9) | undefined).all()
    np.testing.assert_array_equal(np.isnan(np.atleast_1d(found.value)), undefined)


def test_a_quantity_that_is_never_drawn_stops_at_the_most_samples_and_says_so():
    found = triadic.estimate(_grid(30), of="transitivity", error=0.1, max_samples=5000, seed=1)
    assert (found.value, found.low, found.stopped) == (0, 0, "max_samples")
    assert 0 < found.high < 0.01
    assert found.samples + found.pilot <= 5000
    assert "never drawn" in found.note


def _grid(side):
    place = np.arange(side * side).reshape(side, side)
    source = np.concatenate([place[:, :-1].ravel(), place[:-1].ravel()])
    target = np.concatenate([place[:, 1:].ravel(), place[1:].ravel()])
    return Graph.from_edges(source, target)


def test_time_ends_the_draws(directed):
    found = triadic.estimate(
        directed.to_undirected(), of="transitivity", error=1e-5, max_samples=1 << 40, max_seconds=0.2, seed=1
    )
    assert found.stopped == "max_seconds"
    assert "Stopped by max_seconds before all intervals were" in repr(found)


def test_ctrl_c_returns_the_estimate_so_far(directed, monkeypatch):
    sampler = samplers.triangles(directed.to_undirected(), threads=1, device="cpu")
    draw, calls = sampler.moments, []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 9:
            raise KeyboardInterrupt
        return draw(*arguments)

    monkeypatch.setattr(sampler, "moments", interrupted)
    monkeypatch.setitem(estimating._SAMPLERS, "triangles", lambda *_, **__: sampler)
    found = triadic.estimate(directed.to_undirected(), of="triangles", error=1e-4, max_samples=1 << 40, seed=1)
    assert found.stopped == "interrupted"
    assert found.low < triadic.triangle_count(directed.to_undirected()) < found.high
    assert "Ctrl-C" in found.note


def test_ctrl_c_before_the_first_draws_is_raised(directed, monkeypatch):
    sampler = samplers.triangles(directed.to_undirected(), threads=1, device="cpu")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(sampler, "moments", interrupted)
    goal = Goal(within=None, samples=100, confidence=0.95, max_samples=100, deadline=None)
    with pytest.raises(KeyboardInterrupt):
        reach(sampler, goal, 1)


def test_exact_counting_is_named_where_it_is_cheaper():
    graph = triadic.generate.watts_strogatz(300, 6, 0.1, seed=1)
    assert "triadic.transitivity(graph)" in triadic.estimate(graph, of="transitivity", samples=10**5, seed=1).note
    large = triadic.generate.rmat(14, seed=1)
    assert triadic.estimate(large, of="transitivity", samples=100, seed=1).note == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "error=None, samples=None: expected one of the two, got neither"),
        ({"error": 0.1, "samples": 9}, "expected one of the two, got both"),
        ({"error": 0}, "error=0: expected a number above 0"),
        ({"error": "1%"}, "error='1%': expected a number above 0"),
        ({"samples": 0}, "samples=0: expected a whole number from 1"),
        ({"samples": 5, "confidence": 1}, "confidence=1: expected a number between 0 and 1"),
        ({"samples": 5, "confidence": float("nan")}, "confidence=nan: expected a number between 0 and 1"),
        ({"samples": 5, "max_samples": 0}, "max_samples=0: expected a whole number"),
        ({"error": 0.1, "max_seconds": -1}, "max_seconds=-1: expected a number of seconds above 0"),
        ({"samples": 5, "seed": -1}, "seed=-1: expected a whole number"),
        ({"error": 0.1, "max_samples": 1, "graph": TRIANGLE}, "max_samples=1: expected at least 2"),
        (
            {"samples": 1, "of": "graphlets", "graph": TRIANGLE},
            "samples=1: expected at least 3, because each of 3 kinds",
        ),
        ({"samples": 5, "of": "motifs"}, "of='motifs': expected one of 'transitivity'"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    given = {"of": "transitivity", "graph": Graph.from_edges([0], [1]), **arguments}
    with pytest.raises(ArgumentError, match=message.replace("(", r"\(")):
        triadic.estimate(**given)


def test_paths_of_a_tiled_graph_are_refused(tmp_path):
    triadic.write(triadic.generate.rmat(5, seed=1), tmp_path / "network.txt")
    tiled = triadic.tile(tmp_path / "network.txt", tmp_path / "tiles")
    with pytest.raises(
        UnsupportedError, match="random paths, cliques, and wedges around vertices lie in tiles all over"
    ):
        triadic.estimate(tiled, of="graphlets", samples=10)
    with pytest.raises(UnsupportedError, match="a tiled graph is estimated on 'cpu'"):
        triadic.estimate(tiled, of="triangles", samples=10, device="opencl")


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("ranges", [1, 4])
def test_tiles_have_the_draws_of_the_same_ranks_in_memory(directed, local, ranges, monkeypatch):
    monkeypatch.setattr(wedge_draws, "_BATCH", 1 << 10)
    for graph in (directed, directed.to_undirected()):
        oriented = graph.oriented()
        tiles = OrientedTiles(MemoryTiles(oriented, ranges), None, 1 << 30)
        draws = tiles.wedge_draws
        table = wedge_sampling.row_table(oriented.indptr, oriented.degree, local=local, threads=1)
        assert draws.total(local=local) == table.total
        for first, stop in ((0, 9), (1000, 5000)):
            np.testing.assert_array_equal(
                draws.tally(7, first, stop, local, None),
                wedge_sampling.tally(oriented, table, 7, first, stop, local, threads=1),
            )


@pytest.mark.parametrize("of", ["transitivity", "average_clustering", "triangles", "triads"])
def test_the_intervals_of_a_tiled_graph_hold_the_exact_values(directed, of, tmp_path):
    graph = of_skeleton(directed, of)
    triadic.write(graph, tmp_path / "network.triadic")
    tiled = triadic.tile(tmp_path / "network.triadic", tmp_path / "tiles", ranges=3)
    found = triadic.estimate(tiled, of=of, samples=20_000, confidence=1 - 1e-7, seed=1)
    values = exact(directed, of)
    assert (np.atleast_1d(found.low) <= values * (1 + 1e-9)).all()
    assert (values * (1 - 1e-9) <= np.atleast_1d(found.high)).all()
    assert found.exact == ""


def test_a_result_is_the_same_after_pickling(directed):
    found = triadic.estimate(directed, of="triads", samples=500, seed=1)
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found)


def test_a_result_is_a_table(directed):
    found = triadic.estimate(directed, of="triads", samples=5000, seed=1)
    assert found.names == triadic.TRIAD_NAMES
    assert list(found.to_pandas().index) == list(triadic.TRIAD_NAMES)
    assert repr(found).startswith("Estimate of triads, 95% intervals from 5,000 draws\nname ")
    assert "<th>300</th>" in found._repr_html_()
    spectrum = triadic.estimate(directed.to_undirected(), of="clustering_spectrum", samples=50_000, seed=1)
    assert "more degrees" in repr(spectrum)
    assert float(triadic.estimate(directed.to_undirected(), of="triangles", samples=50, seed=1)) > 0


def test_a_spectrum_shares_its_draws_among_the_degrees(directed):
    sampler = LocalWedges(directed.to_undirected(), threads=1)
    goal = Goal(within=None, samples=10_007, confidence=0.95, max_samples=1, deadline=None)
    found = reach(sampler, goal, 1)
    drawn = found.draws[sampler.quantities.largest > 0]
    assert found.draws.sum() == 10_007
    assert drawn.max() - drawn.min() <= 1
    assert (found.draws[sampler.quantities.largest == 0] == 0).all()


def test_the_looks_of_a_schedule_miss_with_no_more_than_the_allowed_probability():
    shares = [schedule._FIRST_LOOK, *((1 - schedule._FIRST_LOOK) / 2**look for look in range(1, 64))]
    assert sum(shares) <= 1


def test_intervals_hold_the_number_of_cliques_on_any_number_of_threads():
    graph = triadic.generate.rmat(10, seed=3)
    counts = triadic.count(graph, "cliques")
    for size in (3, 4, 5, 7):
        wide = triadic.estimate(graph, "cliques", size=size, samples=70_000, confidence=1 - 1e-7, seed=1)
        assert wide.low <= counts[size] <= wide.high
        assert wide.low < wide.value < wide.high
        again = triadic.estimate(graph, "cliques", size=size, samples=70_000, confidence=1 - 1e-7, seed=1, threads=2)
        assert again.value == wide.value


def test_the_estimate_of_cliques_is_exact_for_a_complete_graph_and_zero_for_large_sizes():
    complete = Graph.from_edges(*np.triu_indices(30, 1))
    found = triadic.estimate(complete, "cliques", size=8, samples=1000, seed=1)
    np.testing.assert_allclose([found.value, found.high], 5852925, rtol=0.01)
    assert triadic.estimate(complete, "cliques", size=31, samples=1000, seed=1).high == 0
    assert triadic.estimate(Graph.from_edges([], []), "cliques", size=3, samples=10, seed=1).value == 0


@pytest.mark.parametrize(("of", "size"), [("cliques", None), ("triangles", 3), ("cliques", 2)])
def test_only_cliques_have_a_size(of, size):
    with pytest.raises(ArgumentError, match="size="):
        triadic.estimate(TRIANGLE, of, size=size, samples=10)


def test_sets_that_exceed_floats_are_refused():
    complete = Graph.from_edges(*np.triu_indices(1100, 1))
    with pytest.raises(CountOverflowError, match="size=500"):
        triadic.estimate(complete, "cliques", size=500, samples=10)
