"""Significance under null models that keep groups, lengths and weights; diagnosis of walks; false discovery rates."""

from __future__ import annotations

import _thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

import triadic
from triadic import Graph
from triadic.core.draws import derive_keys
from triadic.errors import ArgumentError, NothingToCompareError
from triadic.measures.registry import countable
from triadic.measures.significance.result import Significance, false_discovery_rates
from triadic.measures.significance.significance import significance
from triadic.measures.significance.statistics import autocorrelations, correlation_time, diagnose
from triadic.null_models.mixing import mixing
from triadic.null_models.model import Null
from triadic.null_models.randomization import randomize

TANGLE = triadic.generate.rmat(6, seed=1, directed=True)
RING = triadic.generate.watts_strogatz(64, 8, 0.2, seed=1, directed=True)


def spatial_network(*, directed, seed=2, n=200):
    """Vertices in a square, joined more often the nearer they are."""
    rng = np.random.default_rng(seed)
    positions = rng.random((n, 2))
    distance = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    joined = rng.random((n, n)) < 0.5 * np.exp(-distance / 0.12)
    source, target = np.nonzero(joined if directed else np.triu(joined, 1))
    return Graph.from_edges(source, target, directed=directed, num_vertices=n), positions


@pytest.mark.parametrize("directed", [False, True])
def test_links_that_depend_on_distance_alone_show_clustering_under_degrees_and_none_under_positions(directed):
    graph, positions = spatial_network(directed=directed)
    name, of = ("030T", "triads") if directed else ("triangle", "graphlets")
    plain = significance(graph, of=of, null="degrees", samples=40, seed=1)
    within = significance(graph, of=of, null="degrees", positions=positions, bins=12, samples=40, seed=1)
    assert plain[name].z > 8
    assert plain[name].q < 0.06
    assert abs(within[name].z) < 3
    assert within.kept == "12 bins of length"
    assert within.null_title == "degrees, 12 bins of length"
    assert "samples of 'degrees, 12 bins of length'" in repr(within)


def test_triads_that_groups_explain_are_not_significant_within_groups():
    """Three groups with many arcs inside and few between them."""
    rng = np.random.default_rng(1)
    groups = np.arange(150) // 50
    joined = rng.random((150, 150)) < np.where(groups[:, None] == groups, 0.12, 0.01)
    np.fill_diagonal(joined, val=False)
    graph = Graph.from_edges(*np.nonzero(joined), directed=True, num_vertices=150)
    plain = significance(graph, null="degrees", samples=40, seed=1)
    within = significance(graph, null="degrees", groups=groups, samples=40, seed=1)
    assert plain["030T"].z > 10
    assert np.nanmax(np.abs(within.z)) < 3.5
    assert within.kept == "3 groups"


def test_planted_loops_are_found_within_groups_and_positions():
    graph, positions = spatial_network(directed=True)
    source, target = graph.edges()
    rng = np.random.default_rng(2)
    loops = rng.integers(0, 100, (150, 3))
    more = np.concatenate([loops[:, [0, 1]], loops[:, [1, 2]], loops[:, [0, 2]]])
    planted = Graph.from_edges(
        np.concatenate([source, more[:, 0]]), np.concatenate([target, more[:, 1]]), directed=True, num_vertices=200
    )
    keywords = {"groups": np.arange(200) % 2, "positions": positions, "samples": 40, "seed": 1}
    found = significance(planted, null="degrees", **keywords)
    assert found["030T"].z > 4
    assert found.kept == "2 groups, 10 bins of length"


def test_counts_are_those_of_randomize():
    groups = np.arange(64) % 3
    positions = np.random.default_rng(1).random((64, 3))
    found = significance(RING, groups=groups, positions=positions, bins=3, samples=5, seed=3, threads=2)
    drawn = randomize(RING, null="mutual", groups=groups, positions=positions, bins=3, samples=5, seed=3)
    assert found.samples == tuple(triadic.triad_census(one).counts for one in drawn)


def test_a_cluster_returns_the_same_with_groups():
    distributed = pytest.importorskip("distributed")
    groups = np.arange(64) % 2
    here = significance(RING, groups=groups, samples=4, seed=5)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        assert significance(RING, groups=groups, samples=4, seed=5, client=client).samples == here.samples


def test_groups_that_hold_everything_fast_are_an_error():
    path = Graph.from_edges([0, 1, 2], [1, 2, 3], directed=True)
    with pytest.raises(NothingToCompareError, match="nothing can be moved in it, within 4 groups"):
        significance(path, groups=[0, 1, 2, 3], samples=3)


# diagnosis


def test_a_long_walk_is_mixed_and_a_short_one_is_not():
    graph = triadic.generate.watts_strogatz(200, 8, 0.1, seed=1, directed=True)
    found = significance(graph, samples=20, seed=1, diagnose=True).diagnosis
    assert found.mixed
    assert found.reasons == ()
    assert found.counts.shape == (72, 16)
    assert found.at[7] == found.steps // 8 * 8
    assert 0 < found.accepted < 1
    assert np.nanmin(found.effective) > 3
    assert "Diagnosis: mixed" in repr(found)
    assert found.to_pandas().columns.tolist() == ["time", "effective", "drift"]
    with pytest.warns(UserWarning, match="the walks of 100 steps are too short: the walk to a sample has") as warned:
        short = significance(graph, samples=20, steps=100, seed=1, diagnose=True)
    assert warned[0].filename == __file__
    assert not short.diagnosis.mixed
    assert np.nanmin(short.diagnosis.effective) < 1
    assert np.nanmax(np.abs(short.diagnosis.drift)) > 4
    assert short.diagnosis.in_place[7] > 0.8


def test_arcs_in_place_are_those_of_mixing():
    model = Null("degrees", steps=8000).of(TANGLE)
    key = int(derive_keys(3, 1)[0])
    found = diagnose(model, (countable("triads"),), triadic.TRIAD_NAMES, key)
    seen = mixing(TANGLE, steps=8000, seed=3)
    at = np.flatnonzero(np.isin(found.at, seen.at))
    assert len(at) > 3
    assert found.in_place[at] == pytest.approx(1 - seen.changed[np.isin(seen.at, found.at)])
    assert np.isnan(found.drift).all()


def test_the_steps_reach_a_wanted_effective_size():
    keywords = {"null": "degrees", "samples": 4, "seed": 1}
    found = significance(RING, effective=30, diagnose=True, **keywords)
    assert found.steps > significance(RING, **keywords).steps
    assert np.nanmin(found.diagnosis.effective) > 5
    fast = significance(RING, effective=0.1, **keywords)
    assert fast.steps == significance(RING, **keywords).steps


def test_the_default_steps_grow_where_few_proposals_are_accepted():
    graph, positions = spatial_network(directed=True)
    few, many = (randomize_steps(graph, positions, bins) for bins in (2, 20))
    assert 10 * graph.num_arcs <= few < many <= 200 * graph.num_arcs


def randomize_steps(graph, positions, bins):
    return Null("degrees", positions=positions, bins=bins).of(graph).steps


def test_the_autocorrelation_time_of_known_series():
    """An autoregressive series of coefficient a has the time (1 + a) / (1 - a)."""
    rng = np.random.default_rng(1)
    for a in (0.0, 0.5, 0.9):
        noise, series = rng.normal(size=20_000), np.zeros(20_000)
        for i in range(1, len(series)):
            series[i] = a * series[i - 1] + noise[i]
        assert correlation_time(series) == pytest.approx((1 + a) / (1 - a), rel=0.15)
        assert autocorrelations(series, 2) == pytest.approx([1, a, a * a], abs=0.05)
    assert np.isnan(correlation_time(np.ones(10)))


# false discovery rates


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_false_discovery_rates_are_those_of_scipy(p):
    assert false_discovery_rates(p) == pytest.approx(false_discovery_control(p).tolist(), rel=1e-12)
    with_nan = false_discovery_rates([float("nan"), *p])
    assert np.isnan(with_nan[0])
    assert with_nan[1:] == false_discovery_rates(p)


def test_q_is_beside_p():
    found = significance(TANGLE, samples=9, steps=300, seed=1)
    assert found.q == pytest.approx(false_discovery_control(found.p))
    assert [found[name].q for name in found] == found.q.tolist()
    assert (found.q >= found.p).all()
    table = found.to_pandas()
    assert table["q"].tolist() == found.q.tolist()
    assert found.to_dict()["030T"]["q"] == found["030T"].q


def test_a_result_survives_pickling():
    import pickle

    found = significance(TANGLE, samples=3, steps=9, seed=1)
    again = pickle.loads(pickle.dumps(found))
    assert isinstance(again, Significance)
    assert repr(list(again.items())) == repr(list(found.items()))  # NaN is unequal to itself, and repr exact


# interruption


def test_ctrl_c_keeps_the_samples_that_are_done():
    seen = []

    def interrupt(done, total):
        seen.append(done)
        if done == 4:
            _thread.interrupt_main()

    with pytest.warns(UserWarning, match=r"interrupted: the result has \d of 50 samples"):
        found = significance(TANGLE, samples=50, seed=1, threads=1, progress=interrupt)
    assert 4 <= len(found.samples) < 50
    whole = significance(TANGLE, samples=50, seed=1)
    assert found.samples == whole.samples[: len(found.samples)]


def test_ctrl_c_before_two_samples_raises():
    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        significance(TANGLE, samples=50, seed=1, threads=1, progress=interrupt)


@pytest.mark.parametrize(
    ("keywords", "found"),
    [
        ({"groups": [0, 1]}, "groups: expected one label for each of the 64 vertices"),
        ({"bins": 4}, "bins=4: bins of length need positions="),
        ({"groups": np.zeros(64), "null": "gnm"}, "null='gnm'"),
        ({"keep_weights": "keep"}, "the graph has no weights"),
        ({"effective": 3, "steps": 10}, "effective=3: it chooses the steps"),
        ({"effective": 0}, "effective=0: expected a number above 0"),
        ({"effective": 3, "null": "gnm"}, "drawn directly"),
        ({"diagnose": True, "null": "configuration"}, "drawn directly"),
    ],
    ids=str,
)
def test_a_bad_argument_is_named(keywords, found):
    with pytest.raises(ArgumentError, match=found):
        significance(TANGLE, samples=2, **keywords)
