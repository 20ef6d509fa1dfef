"""What the graphlet measures take and give: the result's names, totals, arrays and copies; keywords, progress."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from math import comb

import numpy as np
import pytest

import known_graphlets
import naive_graphlets
import triadic
from triadic import Graph, GraphletTransform
from triadic.errors import ArgumentError

MEASURES = [
    triadic.graphlet_transform,
    partial(triadic.graphlets, by="vertex"),
    triadic.square_clustering,
    triadic.generalized_degree,
]


def graph_of(known):
    source, target = np.array(known.edges, dtype=np.int64).reshape(-1, 2).T
    return Graph.from_edges(source, target, num_vertices=known.vertices)


@pytest.fixture(scope="module")
def of_paw():
    return triadic.graphlet_transform(graph_of(known_graphlets.paw()))


def test_the_names_are_those_of_the_oracle(of_paw):
    assert of_paw.names == triadic.GRAPHLET_NAMES == tuple(naive_graphlets.NAMES)


def test_totals_are_python_ints_by_name(of_paw):
    assert of_paw.totals == known_graphlets.paw().totals
    assert list(of_paw.totals) == list(known_graphlets.GRAPHS)
    assert {type(count) for count in (*of_paw.totals.values(), *of_paw.raw_sums, *of_paw.net_sums)} == {int}


def test_totals_past_64_bits_are_exact():
    """Eight vertices that are the root of 2**62 claws each, of which none holds another edge."""
    raw = np.zeros((8, 16), dtype=np.int64)
    raw[:, 8] = 2**62 + 1
    raw[:, 7] = 3 * 2**60
    found = GraphletTransform(raw)
    assert found.raw_sums[8] == found.net_sums[8] == found.totals["claw"] == 8 * (2**62 + 1) > 2**63
    assert found.raw_sums[7] == 24 * 2**60


def test_sums_that_wrap_around_between_raw_and_net_wrap_back():
    """Raw frequencies of a clique of so many vertices that six times them passes 2**63."""
    n = 1_700_000
    triples = comb(n - 1, 3)
    assert 6 * triples > 2**62 > triples
    of_four = [6 * triples, 6 * triples, 3 * triples, triples, 3 * triples, 6 * triples, 3 * triples]
    row = [1, n - 1, 2 * comb(n - 1, 2), *[comb(n - 1, 2)] * 2, *of_four, *[3 * triples] * 3, triples]
    assert 4 * row[13] > 2**63
    found = GraphletTransform(np.array([row], dtype=np.int64))
    assert found.net.tolist() == [[1, n - 1, 0, 0, comb(n - 1, 2), *[0] * 10, triples]]


def test_the_frequencies_cannot_be_written_to(of_paw):
    for array in (of_paw.raw, of_paw.net, np.asarray(of_paw)):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 7
    assert of_paw.net is of_paw.net


@pytest.mark.parametrize("name", ["raw", "net", "names", "totals", "other"])
def test_attributes_of_the_result_are_read_only(of_paw, name):
    with pytest.raises(AttributeError):
        setattr(of_paw, name, None)


def test_numpy_converts_a_transform_to_its_net_frequencies(of_paw):
    assert np.asarray(of_paw) is not of_paw.raw
    np.testing.assert_array_equal(np.asarray(of_paw), of_paw.net)
    assert np.shares_memory(np.asarray(of_paw), of_paw.net)
    as_float = np.array(of_paw, dtype=float)
    assert as_float.dtype == np.float64
    np.testing.assert_array_equal(as_float, of_paw.net)
    own = np.array(of_paw)
    own[:] = 7
    assert 7 not in of_paw.net
    copied = of_paw.__array__(copy=True)
    assert not np.shares_memory(copied, of_paw.net)
    np.testing.assert_array_equal(np.log1p(of_paw), np.log1p(of_paw.net))


def test_its_length_is_the_number_of_vertices(of_paw):
    assert len(of_paw) == 4


def test_the_printed_transform_lists_the_total_of_each_graph(of_paw):
    lines = repr(of_paw).splitlines()
    assert lines[0] == "GraphletTransform"
    assert [line.split() for line in lines[1:]] == [[name, str(count)] for name, count in of_paw.totals.items()]
    assert "166,661,666,700,000" in repr(triadic.graphlet_transform(graph_of(known_graphlets.star(100_000))))


@pytest.mark.parametrize("wanted", [5, 16])
def test_a_data_frame_has_a_row_for_each_vertex(wanted):
    pytest.importorskip("pandas")
    found = triadic.graphlet_transform(graph_of(known_graphlets.wheel(6)), size=3 if wanted == 5 else 4)
    for frame, array in ((found.to_pandas(), found.net), (found.to_pandas("raw"), found.raw)):
        assert list(frame.columns) == list(found.names)
        np.testing.assert_array_equal(frame.to_numpy(), array)
        assert set(frame.dtypes) == {np.dtype(np.int64)}
    with pytest.raises(ArgumentError, match="kind='gross': expected 'net' or 'raw'"):
        found.to_pandas("gross")


COPIES = {
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "pickle": lambda found: pickle.loads(pickle.dumps(found)),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("worked_out", [False, True])
def test_a_copy_holds_the_same(how, worked_out):
    found = triadic.graphlet_transform(graph_of(known_graphlets.wheel(6)))
    if worked_out:
        assert found.net is found.net
    again = COPIES[how](found)
    np.testing.assert_array_equal(again.raw, found.raw)
    np.testing.assert_array_equal(again.net, found.net)
    assert again.totals == found.totals == known_graphlets.wheel(6).totals


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_cannot_be_written_to_either(how, of_paw):
    again = COPIES[how](of_paw)
    assert not again.raw.flags.writeable
    assert not again.net.flags.writeable


# Arguments


@pytest.mark.parametrize("wanted", [7, 0, 15, "16", None, 16.5])
def test_another_number_of_graphlets_is_an_error(wanted):
    with pytest.raises(ArgumentError, match=r"size=.*: expected 4 or 3"):
        triadic.graphlet_transform(graph_of(known_graphlets.paw()), size=wanted)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("keywords", "error", "words"),
    [
        ({"threads": 0}, ArgumentError, "threads=0: expected None or a whole number of at least 1"),
        ({"threads": 2.0}, ArgumentError, r"threads=2\.0"),
        ({"threads": True}, ArgumentError, "threads=True"),
        ({"device": "tpu"}, ArgumentError, "device='tpu': expected"),
        ({"device": None}, ArgumentError, "device=None: expected"),
        ({"progress": "yes"}, ArgumentError, "progress='yes': expected False, True or a function"),
    ],
)
def test_an_invalid_argument_is_named(measure, keywords, error, words):
    with pytest.raises(error, match=words) as raised:
        measure(graph_of(known_graphlets.wheel(5)), **keywords)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("measure", [*MEASURES, lambda *a, **k: triadic.graphlet_transform(*a, size=3, **k)])
@pytest.mark.parametrize("threads", [1, 3])
def test_progress_rises_from_zero_to_the_total(measure, threads):
    seen = []
    graph = Graph.from_edges(*np.triu_indices(300, k=1))
    measure(graph, threads=threads, progress=lambda done, total: seen.append((done, total)))
    done, totals = zip(*seen, strict=True)
    assert len(set(totals)) == 1
    assert list(done) == sorted(done)
    assert (done[0], done[-1]) == (0, totals[0])
    assert totals[0] > 0


def test_a_bar_goes_to_standard_error_only(capfd):
    triadic.graphlet_transform(graph_of(known_graphlets.complete(100)), progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "graphlets" in err
