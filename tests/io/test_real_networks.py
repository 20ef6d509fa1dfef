"""Every real network is read as other programs read it."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from triadic.errors import ReadError
from triadic.io import read_arcs

# Neither has a header that says so: by the rule a list without one is directed.
STATED_ONLY_ELSEWHERE = {"facebook_combined.txt.gz"}

EXPECTED = [
    "web-NotreDame.txt.gz",
    "soc-sign-Slashdot090221.txt.gz",
    "soc-Slashdot0902.txt.gz",
    "facebook_combined.txt.gz",
    "ego-twitter.txt.gz",
    "wiki-Vote.txt.gz",
    "cnr-2000.tsv.gz",
    "eatSR.net.gz",
    "NDwww.net.gz",
    "USpowerGrid.net.gz",
    "USAir97.net.gz",
    "delaunay_n16.graph.gz",
    "PGPgiantcompo.graph.gz",
    "celegans_metabolic.graph.gz",
]


@pytest.mark.parametrize("name", EXPECTED)
def test_vertices_entries_and_loops_are_those_of_other_programs(real_networks, name):
    expected = json.loads((real_networks / "expected.json").read_text())[name]
    arcs = read_arcs(real_networks / name)
    assert arcs.vertices == expected["vertices"]
    assert len(arcs) == expected["entries"]
    assert np.count_nonzero(arcs.source == arcs.target) == expected["self_loops"]
    assert arcs.directed is (expected["directed"] or name in STATED_ONLY_ELSEWHERE)
    assert arcs.source.dtype == arcs.target.dtype == np.int32
    assert arcs.weights is None


def test_nothing_that_has_figures_is_left_out(real_networks):
    assert set(json.loads((real_networks / "expected.json").read_text())) == set(EXPECTED)


def test_the_same_web_graph_comes_from_snap_and_from_pajek(real_networks):
    snap = read_arcs(real_networks / "web-NotreDame.txt.gz")
    pajek = read_arcs(real_networks / "NDwww.net.gz")
    assert snap.vertices == pajek.vertices

    def distinct(arcs):
        return np.count_nonzero(np.diff(np.sort(arcs.source.astype(np.int64) * arcs.vertices + arcs.target)))

    assert distinct(snap) == distinct(pajek)


def test_signs_are_weights(real_networks):
    arcs = read_arcs(real_networks / "soc-sign-Slashdot090221.txt.gz", weights="Sign")
    assert set(arcs.weights.tolist()) == {-1.0, 1.0}


def test_the_thesaurus_has_its_empty_label_and_its_weights(real_networks):
    arcs = read_arcs(real_networks / "eatSR.net.gz", weights=True)
    assert arcs.labels[:3].tolist() == ["", "!", "$"]
    assert len(arcs.labels) == arcs.vertices
    assert arcs.weights.min() == 1


def test_the_power_grid_gives_every_edge_from_both_ends(real_networks):
    arcs = read_arcs(real_networks / "USpowerGrid.net.gz")
    assert arcs.both_ends
    forward = set(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True))
    assert {(b, a) for a, b in forward} == forward


def test_one_network_in_three_notations_is_one_network(real_networks):
    def matrix(name):
        arcs = read_arcs(real_networks / name, weights=True)
        assert arcs.directed
        assert arcs.labels.tolist() == list("abcdefghijkl")
        table = np.zeros((12, 12))
        np.add.at(table, (arcs.source, arcs.target), arcs.weights)
        return table

    lists = matrix("pajek_GraphList.net")
    assert np.array_equal(lists, matrix("pajek_GraphSet.net"))
    assert np.array_equal(lists, matrix("pajek_GraphMat.net"))


def test_the_worms_nervous_system_is_read_from_gml(real_networks):
    import gzip

    text = gzip.decompress((real_networks / "celegansneural.gml.gz").read_bytes()).decode()
    arcs = read_arcs(real_networks / "celegansneural.gml.gz", weights=True)
    assert arcs.directed
    assert arcs.vertices == len(re.findall(r"^\s*id ", text, re.MULTILINE)) == len(arcs.labels)
    assert arcs.source.tolist() == [int(x) for x in re.findall(r"source (\d+)", text)]
    assert arcs.target.tolist() == [int(x) for x in re.findall(r"target (\d+)", text)]
    assert arcs.weights.tolist() == [float(x) for x in re.findall(r"value (\d+)", text)]


def test_a_csv_without_header_has_names_and_weights(real_networks):
    path = real_networks / "connectome_herm_chem_edgelist.csv"
    rows = [line.split(",") for line in path.read_text().splitlines()]
    arcs = read_arcs(path, weights=2)
    names = arcs.labels.tolist()
    assert [(names[a], names[b]) for a, b in zip(arcs.source, arcs.target, strict=True)] == [(a, b) for a, b, _ in rows]
    assert arcs.weights.tolist() == [float(weight) for _, _, weight in rows]


@pytest.mark.parametrize(("name", "vertices", "edges"), [("chesapeake.mtx", 39, 170), ("lagraph_karate.mtx", 34, 78)])
def test_symmetric_matrices_hold_each_edge_once(real_networks, name, vertices, edges):
    arcs = read_arcs(real_networks / name)
    assert (arcs.vertices, len(arcs), arcs.directed, arcs.both_ends) == (vertices, edges, False, True)


def test_a_matrix_market_body_without_banner_is_refused(real_networks):
    with pytest.raises(ReadError, match=r"3elt\.mtx, line 1: found '2 1', expected the banner"):
        read_arcs(real_networks / "3elt.mtx")
    with pytest.raises(ReadError, match="expected the banner"):
        read_arcs(real_networks / "3elt.mtx", format="matrix-market")
