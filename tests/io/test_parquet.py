"""Parquet files that others wrote."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from triadic.errors import ReadError
from triadic.io import read_arcs


@pytest.fixture
def table_of(tmp_path):
    def read(columns, metadata=None, **asked):
        path = tmp_path / "n.parquet"
        pq.write_table(pa.table(columns).replace_schema_metadata(metadata), path)
        return read_arcs(path, **asked)

    return read


@pytest.mark.parametrize("kind", [pa.int8(), pa.int32(), pa.int64(), pa.uint32(), pa.uint64()])
def test_ids_may_be_any_integers(table_of, kind):
    arcs = table_of({"source": pa.array([5, 7], kind), "target": pa.array([7, 9], kind)})
    assert (arcs.labels.tolist(), arcs.source.tolist(), arcs.target.tolist()) == ([5, 7, 9], [0, 1], [1, 2])
    assert arcs.directed is True


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())])
def test_ids_may_be_strings(table_of, kind):
    arcs = table_of(
        {
            "source": pa.array(["b", "a"], pa.string()).cast(kind),
            "target": pa.array(
                [
                    "a",
                    "",
                ]
            ).cast(kind),
        }
    )
    assert (arcs.labels.tolist(), arcs.source.tolist(), arcs.target.tolist()) == (["b", "a", ""], [0, 1], [1, 2])


def test_numbers_and_strings_together_are_strings(table_of):
    assert table_of({"source": [1, 2], "target": ["a", "1"]}).labels.tolist() == ["1", "a", "2"]


def test_weights_and_names_of_columns(table_of):
    columns = {"weight": [1, 2], "a": [0, 1], "b": [1, 0], "w": [0.5, 0.25]}
    assert table_of(columns, source="a", target="b").weights is None
    assert table_of(columns, source="a", target="b", weights=True).weights.tolist() == [1, 2]
    assert table_of(columns, source="a", target="b", weights="w").weights.tolist() == [0.5, 0.25]
    assert table_of(columns, source="a", target="b", weights=3).weights.tolist() == [0.5, 0.25]


def test_columns_are_found_by_their_names(table_of):
    arcs = table_of({"neuropil": ["ME", "LO"], "pre_root_id": [3, 7], "post_root_id": [7, 9], "syn_count": [5, 6]})
    assert arcs.labels.tolist() == [3, 7, 9]
    assert arcs.origin.columns == "columns pre_root_id → post_root_id"
    assert arcs.origin.direction == "assumed"


def test_no_rows(table_of):
    none = pa.array([], pa.int64())
    assert table_of({"source": none, "target": none}).vertices == 0
    assert table_of({"source": pa.array([], pa.string()), "target": pa.array([], pa.string())}).vertices == 0


@pytest.mark.parametrize(
    ("columns", "asked", "words"),
    [
        (
            {"a": [1], "b": [2], "c": [3]},
            {},
            "the columns are a, b, c: their names do not tell which two hold the ends of an edge; pass source=",
        ),
        (
            {"src": [1], "dst": [2]},
            {"source": "source", "target": "target"},
            "no column 'source'; the columns are src, dst; did you mean source='src'",
        ),
        ({"src": [1], "dst": [2]}, {"header": True}, "the columns of Parquet always have names, expected no header="),
        ({"source": [1], "target": [2]}, {"weights": True}, "no column 'weight'"),
        ({"source": [1], "target": [2]}, {"weights": 5}, "there is no such column, expected 0 to 1"),
        ({"source": [1.5], "target": [2]}, {}, "the column 'source' holds double, expected integers or strings"),
        ({"source": [1, None], "target": [2, 3]}, {}, "the column 'source' has no value in row 2"),
        ({"source": [1], "target": [-2]}, {}, "found the id -2, expected 0 or more"),
        ({"source": pa.array([2**63], pa.uint64()), "target": [1]}, {}, "holds an id of 2\\*\\*63 or more"),
        ({"source": [1], "target": [2]}, {"num_vertices": 2}, "found the id 2, expected less than num_vertices=2"),
        (
            {"source": [1, 2], "target": [2, 1], "weight": [1, np.inf]},
            {"weights": True},
            "found the weight inf in row 2",
        ),
        ({"source": [1], "target": [2], "weight": ["x"]}, {"weights": True}, "holds string, expected numbers"),
        ({"source": [1], "target": [2], "weight": pa.array([None], pa.int8())}, {"weights": True}, "no value in row 1"),
    ],
)
def test_columns_that_do_not_fit_are_refused(table_of, columns, asked, words):
    with pytest.raises(ReadError, match=words):
        table_of(columns, **asked)


@pytest.mark.parametrize(
    "metadata", [b"", b"[]", b'{"vertices": -1, "directed": true}', b'{"vertices": 5, "directed": 1}']
)
def test_damaged_metadata_is_refused(table_of, metadata):
    with pytest.raises(ReadError, match="its metadata 'triadic' is damaged"):
        table_of({"source": [1], "target": [2]}, {b"triadic": metadata})


@pytest.mark.parametrize("ids", ["numbers", "names"])
def test_row_groups_are_decoded_alike_in_any_number_of_threads(tmp_path, ids):
    random = np.random.default_rng(0)
    ends = random.integers(0, 50, (2, 1000))
    columns = [[f"v{end}" for end in side] for side in ends.tolist()] if ids == "names" else list(ends)
    table = pa.table({"source": columns[0], "target": columns[1], "weight": random.random(1000)})
    pq.write_table(table, tmp_path / "groups.parquet", row_group_size=90)
    first, *others = (
        read_arcs(tmp_path / "groups.parquet", weights="weight", threads=threads) for threads in (1, 2, 5)
    )
    for arcs in others:
        np.testing.assert_array_equal(arcs.source, first.source)
        np.testing.assert_array_equal(arcs.target, first.target)
        np.testing.assert_array_equal(arcs.weights, first.weights)
        assert arcs.labels.tolist() == first.labels.tolist() if ids == "names" else arcs.labels is None


def test_a_missing_id_in_a_later_row_group_is_named_by_its_row(tmp_path):
    table = pa.table({"source": [*range(20)], "target": [*range(1, 17), None, *range(18, 21)]})
    pq.write_table(table, tmp_path / "groups.parquet", row_group_size=5)
    for threads in (1, 3):
        with pytest.raises(ReadError, match="'target' has no value in row 17"):
            read_arcs(tmp_path / "groups.parquet", threads=threads)
