"""Columns of edges are read with their types, written, and read back; what a format cannot hold is refused."""

from __future__ import annotations

import csv
import gzip

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import examples

import triadic
from triadic.cli import main
from triadic.errors import ArgumentError, ReadError, WriteError
from triadic.io import read_arcs

TEXT = """pre_id,post_id,neuropil,syn_count,since,seen,frac,known,zip,note
10,20,AL_L,5,2024-01-02,2024-01-02 13:08:00,0.5,true,0123,"a, b"
10,30,AL_R,6,2024-01-03,2024-01-03 00:00:00,,false,1000,
30,20,,7,,,1.25,,1001,"say ""x"" y"
40,10,AL_L,8,2024-02-02,2024-02-02 23:59:59.5,-2e3,true,1002,z
"""
NAMES = ["neuropil", "since", "seen", "frac", "known", "zip", "note"]
EXPECTED = {
    "neuropil": ["AL_L", "AL_R", None, "AL_L"],
    "since": np.array(["2024-01-02", "2024-01-03", "NaT", "2024-02-02"], "M8[D]"),
    "seen": np.array(["2024-01-02T13:08", "2024-01-03", "NaT", "2024-02-02T23:59:59.5"], "M8[us]"),
    "frac": np.array([0.5, np.nan, 1.25, -2000]),
    "known": [True, False, None, True],
    "zip": ["0123", "1000", "1001", "1002"],
    "note": ["a, b", None, 'say "x" y', "z"],
}


def values(column):
    """Values that can be compared: None for what is missing."""
    array = np.asarray(column)
    return [None if value is None or value != value else value for value in array.tolist()]  # noqa: PLR0124 - NaN


def assert_columns(found, expected=EXPECTED):
    assert [name for name in found if name != "weight"] == list(expected)
    for name, column in expected.items():
        assert values(found[name]) == values(column), name
        if isinstance(column, np.ndarray):
            assert found[name].dtype.kind == column.dtype.kind, name


def in_order(graph):
    """The columns of a graph of TEXT in the order of its rows."""
    order = np.unique(graph.columns["weight"], return_index=True)[1]
    return {name: column[order] for name, column in graph.columns.items()}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "synapses.csv"
    path.write_text(TEXT)
    return path


def test_text_has_the_types_that_all_its_cells_have(path):
    arcs = read_arcs(path, weights="syn_count", columns=NAMES)
    assert_columns(arcs.columns)
    assert arcs.labels.tolist() == [10, 20, 30, 40]
    assert read_arcs(path).columns == {}


@pytest.mark.parametrize("write", ["tab", "gzip", "semicolon", "names", "blanks"])
def test_any_text_keeps_them(tmp_path, write):
    text = TEXT
    if write == "tab":
        text = "\n".join("\t".join(row) for row in csv.reader(TEXT.splitlines())).replace('"', "'")
        expected = EXPECTED | {"note": ["a, b", None, "say 'x' y", "z"]}
    elif write == "semicolon":
        text = text.replace('"a, b"', "a|b").replace(",", ";")
        expected = EXPECTED | {"note": ["a|b", None, 'say "x" y', "z"]}
    elif write == "names":
        text, expected = text.replace("\n10,", "\nten,"), EXPECTED
    elif write == "blanks":
        text = "from to since kind\n1 2  2024-01-02 a\n2 3 2024-01-03   b\n"
        expected = {"since": EXPECTED["since"][:2], "kind": ["a", "b"]}
    else:
        expected = EXPECTED
    path = tmp_path / {"tab": "n.tsv", "gzip": "n.csv.gz", "blanks": "n.txt"}.get(write, "n.csv")
    path.write_bytes(gzip.compress(text.encode()) if write == "gzip" else text.encode())
    assert_columns(read_arcs(path, columns=list(expected)).columns, expected)


@pytest.mark.parametrize("kind", ["parquet", "arrow", "pandas", "polars", "duckdb"])
def test_tables_keep_their_types(tmp_path, kind):
    columns = {
        "n": pa.array([1, 2, 3], pa.int16()),
        "holes": pa.array([1, None, 3]),
        "x": pa.array([0.5, None, 2.5], pa.float32()),
        "name": pa.array(["a", None, "c"]),
        "code": pa.array(["p", "q", "p"]).dictionary_encode(),
        "yes": pa.array([True, False, True]),
        "maybe": pa.array([True, None, False]),
        "day": pa.array(np.array(["2024-01-01", "2024-01-02", "2024-01-03"], "M8[ms]")),
        "price": pa.array([1, 2, 3]).cast(pa.decimal128(38, 2)),
    }
    table = pa.table({"source": [1, 2, 3], "target": [2, 3, 4], **columns})
    network = table
    if kind == "parquet":
        network = tmp_path / "n.parquet"
        pq.write_table(table, network)
    elif kind == "pandas":
        network = table.to_pandas()
    elif kind == "polars":
        network = pytest.importorskip("polars").from_arrow(table)
    elif kind == "duckdb":
        network = pytest.importorskip("duckdb").arrow(table)
    found = read_arcs(network, columns=list(columns)).columns
    assert values(found["n"]) == [1, 2, 3]
    assert found["n"].dtype.kind == "i"
    assert values(found["holes"]) == [1, None, 3]
    assert values(found["x"]) == [0.5, None, 2.5]
    assert values(found["name"]) == ["a", None, "c"]
    assert values(found["code"]) == ["p", "q", "p"]
    assert found["yes"].dtype == bool
    assert values(found["maybe"]) == [True, None, False]
    assert found["day"].dtype.kind == "M"
    assert values(found["price"]) == [1, 2, 3]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "parquet", "triadic"])
@pytest.mark.parametrize("directed", [True, False])
def test_written_columns_are_read_back(path, tmp_path, suffix, directed):
    graph = triadic.read(path, directed=directed, weights="syn_count", columns=NAMES)
    assert_columns(in_order(graph))
    written = tmp_path / f"n.{suffix}"
    triadic.write(graph, written)
    again = triadic.read(written, weights=True, columns=None if suffix in ("parquet", "triadic") else NAMES)
    assert again.directed == directed
    assert_columns(in_order(again))
    assert triadic.read(written, columns=["zip"]).columns.keys() - {"weight"} == {"zip"}


def test_a_folder_keeps_them_in_the_order_of_its_files(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    header, *rows = TEXT.splitlines()
    (folder / "1.csv").write_text("\n".join([header, *rows[:2]]))
    (folder / "2.csv").write_text("\n".join([header, *rows[2:]]))
    assert_columns(read_arcs(folder, columns=NAMES).columns)
    (folder / "3.csv").write_text(header.replace("zip", "zap") + "\n" + rows[0])
    with pytest.raises(ReadError, match="there is no column 'zip'"):
        read_arcs(folder, columns=NAMES)


def test_rows_of_one_edge_agree_or_are_combined(tmp_path):
    path = tmp_path / "n.csv"
    path.write_text("source,target,region,n\n1,2,L,1\n1,2,R,2\n2,3,L,4\n")
    with pytest.raises(ArgumentError, match="vertex 1 and vertex 2 are joined with the values L and R"):
        triadic.read(path, columns=["region"], directed=True)
    for weight in ("weight", "n"):
        combine = {"region": "first", weight: "sum"}
        for graph in (
            triadic.read(path, weights="n", columns=["region"], combine=combine, directed=True),
            triadic.Graph(pd.read_csv(path), weights="n", columns=["region"], combine=combine),
        ):
            assert (graph.columns["region"].tolist(), graph.weights.tolist()) == (["L", "L"], [3, 4])


@pytest.mark.parametrize(
    ("columns", "error", "words"),
    [
        (["nope"], ReadError, "there is no column 'nope'; the columns are pre_id, post_id, "),
        (["pre_id"], ReadError, "this column holds an end of the edges"),
        ("zip", ArgumentError, "expected a list of names of columns"),
        ([3], ArgumentError, "expected several texts or None"),
    ],
)
def test_other_columns_are_refused(path, columns, error, words):
    with pytest.raises(error, match=words):
        triadic.read(path, columns=columns)


def test_formats_and_texts_without_names_have_none(tmp_path):
    (tmp_path / "n.txt").write_text("1 2 3\n2 3 4\n")
    with pytest.raises(ReadError, match="its columns have no names"):
        triadic.read(tmp_path / "n.txt", columns=["weight"])
    (tmp_path / "n.graph").write_text("2 1\n2\n1\n")
    with pytest.raises(ArgumentError, match="files of the format metis have no columns to choose"):
        triadic.read(tmp_path / "n.graph", columns=["weight"])
    pq.write_table(pa.table({"source": [1], "target": [2], "list": [[1, 2]]}), tmp_path / "n.parquet")
    with pytest.raises(
        ReadError, match=r"the column 'list' holds list<.*>, expected numbers, texts, booleans or dates"
    ):
        triadic.read(tmp_path / "n.parquet", columns=["list"])


def test_a_damaged_folder_is_refused(path, tmp_path):
    folder = tmp_path / "n.triadic"
    triadic.write(triadic.read(path, columns=NAMES), folder)
    assert triadic.read(folder, columns=[]).columns == {}
    with pytest.raises(ReadError, match="there is no column 'nope'; expected one of frac, known, neuropil"):
        triadic.read(folder, columns=["nope"])
    columns = folder / "columns.arrow"
    content = columns.read_bytes()
    columns.write_bytes(content[:200] + bytes([content[200] ^ 1]) + content[201:])
    for wrong in ("does not have the checksum", "cannot be read", "has .* bytes"):
        with pytest.raises(ReadError, match=f"columns.arrow.*{wrong}"):
            triadic.read(folder)
        if wrong == "does not have the checksum":
            columns.unlink()
        else:
            columns.write_bytes(content[:100])


def test_columns_that_are_not_asked_for_do_not_hide_the_direction(tmp_path):
    graph = triadic.Graph.from_edges([0, 1], [1, 2], columns={"a": ["x", "y"], "b": ["z", "z"]})
    triadic.write(graph, tmp_path / "n.csv")
    for columns in ([], ["a"], ["b", "a"]):
        again = triadic.read(tmp_path / "n.csv", columns=columns)
        assert (again.directed, again.num_edges, sorted(again.columns)) == (False, 2, sorted(columns))


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ({"a": ["1", "2"]}, "texts of the column 'a' would be taken for numbers"),
        ({"a": ["", "x"]}, "a text of the column 'a' is empty"),
        ({"a": ["x\ny", "z"]}, "cannot be printed"),
        ({"a": [None, None]}, "the column 'a' has no values"),
        ({"a": ["31.01.2024", "1.2.2024"]}, "texts of the column 'a' would be taken for numbers, booleans or dates"),
        ({"a": ["01.02.2024", "02.02.2024"]}, "texts of the column 'a' would be taken for numbers, booleans or dates"),
        ({"a": ["1,5", "NA"]}, "texts of the column 'a' would be taken for numbers"),
        ({"from": ["x", "y"], "to": ["x", "y"]}, "would be taken for an end"),
        ({"type": ["x", "y"]}, "would be taken for an end or the direction"),
    ],
)
def test_text_that_would_come_back_as_something_else_is_refused(tmp_path, column, words):
    columns = {name: np.array(cells, dtype=object) for name, cells in column.items()}
    graph = triadic.Graph.from_edges([0, 1], [1, 2], columns=columns)
    with pytest.raises(WriteError, match=words):
        triadic.write(graph, tmp_path / "n.csv")
    triadic.write(graph, tmp_path / "n.csv", lossy=True)
    assert triadic.read(tmp_path / "n.csv").num_edges == 2
    triadic.write(graph, tmp_path / "n.parquet")
    again = triadic.read(tmp_path / "n.parquet", source="source", target="target").columns
    assert {name: values(cells) for name, cells in again.items()} == {
        name: values(cells) for name, cells in graph.columns.items()
    }


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1,5", "2,25", "-3"], [1.5, 2.25, -3]),
        (["1,500", "2,250"], ["1,500", "2,250"]),  # thousands, perhaps
        (["1", "NA", "2.5"], [1, None, 2.5]),
        (["TRUE", "NA", "FALSE"], [True, None, False]),
        (["NA", "DE", "FR"], ["NA", "DE", "FR"]),
        (["007,5", "1,5"], ["007,5", "1,5"]),
        (["2024-01-02T10:00:00Z", "2024-01-02T10:00:00+02:00"], np.array(["2024-01-02T10", "2024-01-02T08"], "M8[us]")),
        (["2024-01-02 10:00:00.000000001", ""], np.array(["2024-01-02T10:00:00.000000001", "NaT"], "M8[ns]")),
    ],
)
def test_cells_as_spreadsheets_and_r_write_them(tmp_path, cells, expected):
    path = tmp_path / "n.csv"
    path.write_text("source;target;x\n" + "".join(f"{i};{i + 1};{cell}\n" for i, cell in enumerate(cells)))
    assert values(triadic.read(path, columns=["x"]).columns["x"]) == values(expected)
    if cells[0] == "1,5":
        assert triadic.read(path, where={"x": (1, 2)}).num_edges == 1


def test_values_that_no_file_can_hold_are_refused(tmp_path):
    for column, words in (
        (np.array(["2024-01"], "M8[M]"), r"datetime64\[M\].*expected numbers, texts, booleans or dates"),
        (np.array([1j]), "complex128"),
        (np.array([b"a"]), r"\|S1"),
    ):
        graph = triadic.Graph.from_edges([0], [1], columns={"a": column})
        for name in ("n.csv", "n.parquet", "n.triadic", "n.gexf"):
            with pytest.raises((ArgumentError, WriteError), match=words):
                triadic.write(graph, tmp_path / name)
            assert not (tmp_path / name).exists()
    for column, names in (
        (np.array([2**63], np.uint64), ("n.csv", "n.gexf", "n.graphml")),
        (np.array([1], "m8[s]"), ("n.csv", "n.graphml")),
    ):
        graph = triadic.Graph.from_edges([0], [1], columns={"a": column})
        for name in names:
            with pytest.raises(WriteError, match=r"column 'a'.* holds (uint64|timedelta64)"):
                triadic.write(graph, tmp_path / name)


def test_a_column_that_does_not_exist_is_compared_with_the_others(path):
    with pytest.raises(ReadError, match="did you mean 'neuropil'"):
        triadic.read(path, columns=["neuropill"])
    with pytest.raises(ReadError) as refused:
        triadic.read(path, where={"region": "L"})
    assert "did you mean" not in str(refused.value)


def test_the_command_combines_them(tmp_path, capsys):
    output, path = tmp_path / "out.csv", tmp_path / "n.csv"
    path.write_text("source,target,region,n\na,b,L,1\na,b,R,2\nb,c,L,4\n")
    for words, rows in (
        (["--columns", "region,n", "--combine", "first"], ['"a","b","L",1', '"b","c","L",4']),
        (["--columns", "region,n", "--combine", "region=first, n=sum"], ['"a","b","L",3', '"b","c","L",4']),
        (
            ["--columns", "region", "--weights", "n", "--combine", "region=first,n=max"],
            ['"a","b",2,"L"', '"b","c",4,"L"'],
        ),
    ):
        assert main(["convert", str(path), str(output), *words]) == 0
        assert output.read_text().splitlines()[1:] == rows
    assert main(["convert", str(path), str(output), "--columns", "region"]) == 2
    assert "--combine region=" in capsys.readouterr().err


def test_the_command_converts_them(path, tmp_path, capsys):
    written = tmp_path / "n.parquet"
    assert main(["convert", str(path), str(written), "--weights", "syn_count", "--columns", ", ".join(NAMES)]) == 0
    assert_columns(in_order(triadic.read(written, weights=True)))
    capsys.readouterr()


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=5)


@given(
    columns=st.lists(
        st.one_of(
            *(
                st.lists(element, min_size=6, max_size=6)
                for element in (
                    st.integers(-(2**63), 2**63 - 1),
                    st.floats(allow_nan=True, allow_infinity=False),
                    st.booleans(),
                    st.none() | TEXTS,
                    st.datetimes().map(np.datetime64),
                )
            )
        ),
        min_size=1,
        max_size=4,
    ),
    suffix=st.sampled_from(["csv", "tsv", "parquet", "triadic"]),
)
@examples(40)
def test_what_is_written_is_what_is_read(tmp_path_factory, columns, suffix):
    given_columns = {
        f"column {i}": np.array(cells, dtype=object if any(isinstance(c, str | None) for c in cells) else None)
        for i, cells in enumerate(columns)
    }
    graph = triadic.Graph.from_edges(range(6), range(1, 7), directed=True, columns=given_columns)
    path = tmp_path_factory.mktemp("columns") / f"n.{suffix}"
    try:
        triadic.write(graph, path)
    except WriteError:
        assert suffix in ("csv", "tsv") or all(cell is None for cells in columns for cell in cells)
        return
    found = triadic.read(path, columns=list(given_columns)).columns
    assert {name: values(cells) for name, cells in found.items()} == {
        name: values(cells) for name, cells in graph.columns.items()
    }
