"""Significance: counts beside those of random graphs."""

from __future__ import annotations

from fractions import Fraction
from math import isnan, nan, sqrt
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest

import triadic
from strategies import NIGHTLY, examples
from triadic import Graph, significance
from triadic.core import memory
from triadic.core.graphlets import GRAPH_NAMES, GRAPHS_OF_FIVE
from triadic.errors import (
    ArgumentError,
    CountOverflowError,
    MissingExtraError,
    OutOfMemoryError,
    TriadicError,
)
from triadic.measures.significance.result import Significance, compare
from triadic.null_models.randomization import randomize

RING = triadic.generate.watts_strogatz(60, 6, 0.1, seed=1)
TANGLE = triadic.generate.rmat(6, seed=1, directed=True)


def triads(graph):
    return triadic.triad_census(graph).counts


def clustering(graph):
    return triadic.transitivity(graph), triadic.average_clustering(graph)


def graphlets(graph):
    totals = triadic.graphlet_transform(graph).totals
    return tuple(totals[name] for name in GRAPH_NAMES[1:9])


def graphlets5(graph):
    return tuple(count for name, count in triadic.graphlets(graph, size=5).items() if name in GRAPHS_OF_FIVE)


def naive_p(count, samples):
    above, below = sum(one >= count for one in samples), sum(one <= count for one in samples)
    return min(1, 2 * Fraction(1 + min(above, below), len(samples) + 1))


@pytest.mark.parametrize(
    ("graph", "of", "null", "count"),
    [
        (TANGLE, "triads", "mutual", triads),
        (TANGLE, "triads", "degrees", triads),
        (RING, "triads", "degrees", triads),
        (RING, "clustering", "degrees", clustering),
        (TANGLE.to_undirected(), "graphlets", "gnm", graphlets),
        (RING, "graphlets", "configuration", graphlets),
        (RING, "graphlets of five vertices", "degrees", graphlets5),
        (TANGLE.to_undirected(), "graphlets of five vertices", "gnm", graphlets5),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_counts_are_compared_with_the_counts_of_random_graphs(graph, of, null, count):
    found = significance(graph, of=of, null=null, samples=9, seed=3)
    assert (found.of, found.null, found.seed) == (of, null, 3)
    assert found.counts == pytest.approx(count(graph), rel=1e-12)
    samples = [count(one) for one in randomize(graph, null=null, samples=9, seed=3)]
    assert np.array(found.samples, dtype=float) == pytest.approx(np.array(samples, dtype=float), rel=1e-12)
    for i, one in enumerate(found.values()):
        drawn = [sample[i] for sample in found.samples]
        assert one.mean == pytest.approx(mean(drawn))
        assert one.std == pytest.approx(stdev(drawn), abs=1e-12)
        assert one.p == float(naive_p(one.count, drawn))
        assert (
            isnan(one.z) if len(set(drawn)) == 1 else one.z == pytest.approx((one.count - mean(drawn)) / stdev(drawn))
        )


def test_the_default_null_keeps_mutual_degrees_of_directed_triads_alone():
    nulls = [significance(graph, of="triads", samples=2, steps=9, seed=1).null for graph in (TANGLE, RING)]
    assert nulls == ["mutual", "degrees"]
    assert significance(TANGLE, of="clustering", samples=2, steps=9, seed=1).null == "degrees"


def test_an_undirected_graph_is_compared_by_clustering_and_graphlets():
    found = significance(RING, samples=5, seed=1)
    assert found.of == ("clustering", "graphlets")
    assert significance(TANGLE, samples=2, steps=9, seed=1).of == "triads"
    parts = [significance(RING, of=of, samples=5, seed=1) for of in found.of]
    expected = [item for part in parts for item in part.items()]
    assert repr(list(found.items())) == repr(expected)  # NaN is unequal to itself, and repr exact
    assert found.profile == pytest.approx(parts[0].profile | parts[1].profile, nan_ok=True)
    assert found.groups == {part.of: part.names for part in parts}
    triads = significance(RING, of=["triads", "clustering"], samples=2, steps=9, seed=1)
    assert len(triads) == 18


def test_too_many_claws_are_an_error_that_names_the_other_counts(monkeypatch):
    monkeypatch.setattr("triadic.counts.graphlet_formulas._LARGEST", 100)
    with pytest.raises(CountOverflowError, match=r"may exceed 2\*\*63; of='clustering' leaves the graphlets out$"):
        significance(RING, samples=2)
    assert significance(RING, of="clustering", samples=2, steps=9).of == "clustering"


def test_graphlets_of_five_vertices_stand_beside_those_of_four():
    both = significance(RING, of=("graphlets", "graphlets of five vertices"), samples=4, steps=50, seed=1)
    parts = [significance(RING, of=of, samples=4, steps=50, seed=1) for of in both.of]
    assert both.counts == parts[0].counts + parts[1].counts
    assert both.samples == tuple(one + other for one, other in zip(*(part.samples for part in parts), strict=True))
    assert (len(parts[0]), len(parts[1])) == (8, 21)
    assert both.profile == pytest.approx(parts[0].profile | parts[1].profile, nan_ok=True)


def test_graphlets_of_five_vertices_of_the_graphs_of_a_batch():
    graphs = [RING, triadic.generate.rmat(5, seed=2)]
    batch = triadic.GraphBatch.from_graphs(graphs)
    table = significance(batch, of="graphlets of five vertices", samples=3, steps=50, seed=1)
    for i, graph in enumerate(graphs):
        alone = significance(graph, of="graphlets of five vertices", samples=3, steps=50, seed=1)
        assert [table[f"{name} count"][i] for name in GRAPHS_OF_FIVE] == list(alone.counts)


def test_too_many_stars_are_an_error_that_names_the_smaller_graphlets(monkeypatch):
    monkeypatch.setattr("triadic.counts.graphlet_formulas._LARGEST", 1000)
    with pytest.raises(CountOverflowError, match=r"^orbit .*; size=4 compares those of up to four vertices$"):
        significance(RING, of="graphlets of five vertices", samples=2)


def test_orbits_of_more_samples_than_fit_in_memory_are_refused_before_counting(monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 150_000)
    with pytest.raises(OutOfMemoryError, match=r"graphlets of five vertices of 4 random graphs at a time.*fewer thr"):
        significance(RING, of="graphlets of five vertices", samples=8, threads=4)


def test_exact_counts_are_printed_in_full():
    counts, samples = (2**70, 5_287_830), ((2**70 - 1, 5_000_000), (2**70 + 9, 5_000_001))
    found = Significance("of", "gnm", ("a", "b"), counts, samples, ("a", "b"), None, 0)
    for text in (repr(found), found._repr_html_()):
        assert "1,180,591,620,717,411,303,424" in text
        assert "5,287,830" in text
        assert "5,000,000" in text
        assert "5.2878" not in text
    assert found.to_pandas()["count"].to_list() == list(counts)
    assert found.to_polars()["count"].to_list() == list(counts)


def test_counts_beside_coefficients_stay_exact_in_pandas():
    counts = (0.25, 2**70)
    found = Significance(("clustering",), "gnm", ("a", "b"), counts, ((0.5, 1), (0.5, 2)), (), None, 0)
    pytest.importorskip("pandas")
    assert found.to_pandas()["count"].tolist() == list(counts)


def test_p_at_its_floor_is_an_upper_bound():
    found = Significance("of", "gnm", ("a", "b"), (9, 1), ((1, 0),) * 50 + ((2, 2),) * 50, ("a", "b"), None, 0)
    assert (found["a"].p, found.resolution) == (2 / 101, 2 / 101)
    assert "≤ 0.02  " in repr(found).splitlines()[2]
    assert found["a"].q == 4 / 101  # two tests
    assert found.cells()[0][5:7] == ("≤ 0.02", "≤ 0.04")
    assert found.cells()[1][5:7] == (f"{found['b'].p:.3g}", f"{found['b'].q:.2g}")
    assert "≤ 0.02" in found._repr_html_()
    assert "≤" not in repr(found).splitlines()[3]
    assert found.to_pandas().loc["a", "p"] == found.to_dict()["a"]["p"] == 2 / 101


@pytest.mark.parametrize("of", ["triads", "graphlets", "graphlets of five vertices"])
def test_the_same_seed_returns_the_same_with_any_number_of_threads(of):
    one, three = (significance(TANGLE, of=of, samples=7, seed=5, threads=threads) for threads in (1, 3))
    assert one.samples == three.samples
    again = significance(TANGLE, of=of, samples=7)
    assert significance(TANGLE, of=of, samples=7, seed=again.seed).samples == again.samples


def test_every_device_returns_the_same(any_device):
    expected = significance(TANGLE, samples=4, steps=200, seed=5, device="cpu", threads=2)
    assert significance(TANGLE, samples=4, steps=200, seed=5, device=any_device, threads=2).samples == expected.samples


def test_a_cluster_returns_the_same():
    distributed = pytest.importorskip("distributed")
    seen = []
    here = significance(TANGLE, samples=5, seed=5)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        there = significance(TANGLE, samples=5, seed=5, client=client, progress=lambda *of: seen.append(of))
        with pytest.raises(ArgumentError, match="nothing can be moved"):
            significance(STAR, samples=5, client=client)
    assert there.samples == here.samples
    assert (seen[0], seen[-1]) == ((0, 5), (5, 5))


def test_a_client_must_be_a_dask_client():
    with pytest.raises((ArgumentError, MissingExtraError), match="client="):
        significance(TANGLE, samples=2, client="tcp://localhost:8786")


def test_a_random_graph_has_nothing_significant():
    graph = triadic.generate.erdos_renyi(300, 1500, seed=2, directed=True)
    found = significance(graph, samples=60, seed=1)
    assert np.nanmax(np.abs(found.z)) < 3
    assert found.p.min() > found.resolution


def test_feed_forward_loops_are_over_represented_in_the_worm(real_networks):
    """Milo and others (2002) found them so, and the 3-cycle rare."""
    worm = triadic.read(real_networks / "celegansneural.gml.gz", directed=True)
    found = significance(worm, samples=50, seed=1)
    assert found["030T"].z > 8
    assert found["030T"].p == found.resolution == pytest.approx(2 / 51)
    assert found["030C"].z < -3
    assert sum(score * score for score in found.profile.values()) == pytest.approx(1)
    assert list(found.profile) == list(triadic.TRIAD_NAMES[3:])


STAR = Graph.from_edges([0, 0, 0, 0], [1, 2, 3, 4])


@pytest.mark.parametrize(
    "graph", [STAR, Graph.from_edges(*np.triu_indices(6, k=1)), Graph.from_edges([0], [1], directed=True)], ids=repr
)
def test_a_graph_in_which_nothing_can_be_moved_has_no_z(graph):
    for of in ("triads", "clustering", "graphlets", "graphlets of five vertices"):
        with pytest.raises(ArgumentError, match="nothing can be moved"):
            significance(graph, of=of, samples=3)


def test_a_count_that_never_varies_has_no_z_and_is_left_out_of_the_profile():
    matching = Graph.from_edges([0, 2, 4], [1, 3, 5], directed=True)
    found = significance(matching, samples=5, seed=1)
    assert np.isnan(found.z).all()
    assert all(isnan(score) for score in found.profile.values())
    assert (found["012"].std, found["012"].p, found.to_dict()["012"]["z"]) == (0, 1, None)
    two = Significance("of", "gnm", ("a", "b", "c"), (3, 5, 1), ((0, 5, 2), (2, 5, 4)), ("a", "b", "c"), None, 0)
    assert two.z == pytest.approx([sqrt(2), nan, -sqrt(2)], nan_ok=True)
    assert two.profile == pytest.approx({"a": sqrt(0.5), "b": nan, "c": -sqrt(0.5)}, nan_ok=True)


@given(count=st.integers(-(2**80), 2**80), samples=st.lists(st.integers(0, 2**80), min_size=2, max_size=9))
@examples(30)
def test_counts_past_64_bits_are_compared_exactly(count, samples):
    found = compare(count, samples)
    exact = Fraction(sum(samples), len(samples))
    variance = sum((one - exact) ** 2 for one in samples) / (len(samples) - 1)
    assert found.mean == float(exact)
    assert found.std == sqrt(variance)
    assert isnan(found.z) if not variance else found.z == float(count - exact) / sqrt(variance)
    assert found.p == float(naive_p(count, samples))


def test_significance_is_a_mapping_and_prints_as_a_table():
    found = significance(TANGLE, samples=4, steps=50, seed=1)
    assert list(found) == list(found.names) == list(triadic.TRIAD_NAMES)
    assert len(found) == 16
    with pytest.raises(KeyError, match="'030X': expected one of the names '003', "):
        found["030X"]
    assert "Significance of triads, 4 samples of 'mutual'" in repr(found)
    assert len(repr(found).splitlines()) == 18
    assert "<th>030T</th>" in found._repr_html_()
    assert {len(column) for column in (found.mean, found.std, found.z, found.p)} == {16}


def test_significance_converts_to_pandas_and_polars():
    found = significance(TANGLE, samples=4, steps=50, seed=1)
    table = pytest.importorskip("pandas") and found.to_pandas()
    row = [*found["030T"].to_dict().values(), found.profile["030T"]]
    assert table.loc["030T"].tolist() == pytest.approx(row)
    assert table.index.name == "name"
    rows = pytest.importorskip("polars") and found.to_polars()
    assert rows.columns == ["name", "count", "mean", "std", "z", "p", "q", "profile"]
    assert rows["count"].to_list() == list(found.counts)
    assert significance(RING, of="clustering", samples=2, seed=1).to_polars()["count"].to_list()


def test_progress_is_reported_in_samples():
    seen = []
    significance(TANGLE, samples=3, steps=9, seed=1, threads=1, progress=lambda *of: seen.append(of))
    assert seen[0] == (0, 3)
    assert seen[-1] == (3, 3)


@pytest.mark.parametrize(
    ("graph", "keywords", "found"),
    [
        (TANGLE, {"of": "motifs"}, "of='motifs': expected a TemporalGraph"),
        (TANGLE, {"of": ()}, "of=\\(\\): expected"),
        (TANGLE, {"of": ("clustering", "clustering")}, "once each"),
        (TANGLE, {"of": ("triads", "graphlets")}, "'triads' and 'graphlets' differ in whether directions count"),
        (TANGLE, {"null": "chance"}, "null='chance': expected"),
        (TANGLE, {"samples": 1}, "samples=1: expected a whole number from 2"),
        (TANGLE, {"steps": -5}, "steps=-5"),
        (TANGLE, {"null": "gnm", "steps": 5}, "drawn directly"),
        (TANGLE, {"of": "graphlets", "null": "mutual"}, "the graph is undirected"),
        (RING, {"null": "mutual"}, "the graph is undirected"),
        (RING, {"device": "abacus"}, "device='abacus'"),
        (RING, {"threads": 0}, "threads=0"),
        (RING, {"progress": 3}, "progress=3"),
        (Graph.from_edges([], [], num_vertices=4), {}, "it has no edges"),
        ([[0, 1]], {}, "graph: got"),
    ],
    ids=str,
)
def test_an_invalid_argument_is_an_error(graph, keywords, found):
    with pytest.raises(TriadicError, match=found):
        significance(graph, **keywords)


# That walks within groups reach all graphs alike is what a faster test in null_models/test_constrained.py finds.
@pytest.mark.parametrize(
    "kept",
    [
        pytest.param({}, id="degrees"),
        pytest.param({"groups": np.arange(60) % 3}, id="groups", marks=pytest.mark.nightly),
    ],
)
def test_p_values_of_networks_drawn_from_the_null_model_are_uniform(kept):
    networks = 60 if NIGHTLY else 30
    drawn = randomize(RING, null="degrees", samples=networks, seed=1, **kept)
    p = [
        significance(one, of="clustering", null="degrees", samples=59, seed=seed, **kept)["average_clustering"].p
        for seed, one in enumerate(drawn)
    ]
    assert kstest(p, "uniform").pvalue > 0.01
    assert np.mean(np.array(p) <= 0.1) < 0.1 + 3.87 * np.sqrt(0.1 * 0.9 / networks)
