"""``triadic orbits``: its output and its files."""

from __future__ import annotations

import json

import numpy as np
import pyarrow.csv
import pytest

import naive_orbits
from triadic.core.orbit_tables import GRAPH_NAMES

# The kite of the fixture, from 0, is a paw.
PAW = [(0, 1), (1, 2), (0, 2), (2, 3)]


@pytest.mark.parametrize(("size", "graphlets", "orbits"), [("4", 9, 15), ("5", 30, 73)])
def test_the_record_has_the_graphlets_and_the_sums_of_orbits(triadic, kite, size, graphlets, orbits):
    outcome = triadic("orbits", kite, "--undirected", "--size", size, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    record = json.loads(outcome.out)
    assert list(record["graphlets"]) == list(GRAPH_NAMES[:graphlets])
    assert {name for name, count in record["graphlets"].items() if count} == {"edge", "2-path", "triangle", "paw"}
    assert record["orbits"] == naive_orbits.orbits(4, PAW).sum(axis=0)[:orbits].tolist()
    assert record["device"] == "cpu"


def test_the_table_has_each_graphlet_with_its_orbits_and_count(triadic, kite):
    outcome = triadic("orbits", kite, "--undirected", "--size", "5")
    assert outcome.code == 0
    rows = [line.split() for line in outcome.out.splitlines()]
    assert ["G6", "paw", "9-11", "1"] in rows
    assert ["G29", "5-clique", "72", "0"] in rows


@pytest.mark.parametrize("size", ["4", "5"])
def test_the_orbits_of_every_vertex_are_written(triadic, kite, tmp_path, size):
    path = tmp_path / "vertices.csv"
    assert triadic("orbits", kite, "--undirected", "--size", size, "-o", path).code == 0
    table = pyarrow.csv.read_csv(path)
    columns = {"4": 15, "5": 73}[size]
    assert table.column_names[1:] == [f"orbit {number}" for number in range(columns)]
    found = np.stack([table[name].to_numpy() for name in table.column_names[1:]], axis=1)
    np.testing.assert_array_equal(found, naive_orbits.orbits(4, PAW)[:, :columns])


def test_another_size_is_refused_before_the_file_is_read(triadic):
    outcome = triadic("orbits", "no-such-file.txt", "--size", "6")
    assert outcome.code != 0
    assert "--size 6: expected 4 or 5" in outcome.err


def test_an_unknown_device_is_refused_before_the_file_is_read(triadic):
    outcome = triadic("orbits", "no-such-file.txt", "--size", "5", "--device", "tpu")
    assert outcome.code != 0
    assert "device='tpu': expected" in outcome.err
