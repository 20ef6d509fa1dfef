"""Columns of vertices: taken from tables by label, kept by every method that keeps vertices, named by null models."""

from __future__ import annotations

import gzip
import pickle
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from triadic.errors import ArgumentError, MissingFileError, ReadError, ReadWarning

NAMES = ["Ann", "Bob", "Cid", "Dee"]
PEOPLE = {
    "who": ["Dee", "Ann", "Cid", "Bob"],
    "age": [31, 47, 23, 5],
    "town": ["Ulm", None, "Bern", "Ulm"],
    "since": np.array(["2001-02-03", "NaT", "1999-01-01", "2020-05-05"], dtype="datetime64[D]"),
    "boss": [True, False, False, True],
}


@pytest.fixture
def graph():
    return triadic.Graph.from_edges([0, 1, 2], [1, 2, 3], labels=NAMES)


def plain(columns):
    return {
        name: [None if value is None or value != value else value for value in values.tolist()]  # noqa: PLR0124 - NaN
        for name, values in columns.items()
    }


def by_label(table, names):
    rows = {label: i for i, label in enumerate(table["who"])}
    return {
        name: [values[rows[label]] for label in names]
        for name, values in plain({name: np.asarray(values) for name, values in table.items()}).items()
        if name != "who"
    }


def tables(tmp_path):
    table = pa.table({name: pa.array(values, from_pandas=True) for name, values in PEOPLE.items()})
    frame = table.to_pandas()
    text = frame.to_csv(index=False)
    for name, content in (
        ("a.csv", text),
        ("a.tsv", frame.to_csv(index=False, sep="\t")),
        ("b.csv", f"# people\n\n{frame.to_csv(index=False, sep=';')}"),
        ("c.csv", f"\ufeff{text}"),
    ):
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(text.encode()))
    pq.write_table(table, tmp_path / "a.parquet")
    yield PEOPLE, table, frame, frame.set_index("who"), frame.rename(columns={"who": "label"})
    yield [tmp_path / name for name in ("a.csv", "a.tsv", "b.csv", "c.csv", "a.csv.gz", "a.parquet")]


def test_rows_are_aligned_by_label(graph, tmp_path):
    found = [table for some in tables(tmp_path) for table in some]
    for table in (*found, str(found[-1])):
        for keywords in ({}, {"columns": ["age", "town"]}):
            columns = plain(graph.with_vertices(table, **keywords).vertex_columns)
            assert columns == {name: by_label(PEOPLE, NAMES)[name] for name in keywords.get("columns", columns)}
            assert len(columns) == len(keywords.get("columns", [*PEOPLE][1:]))


def test_libraries_give_the_same_columns(graph):
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    table = pa.table({name: pa.array(values, from_pandas=True) for name, values in PEOPLE.items()})
    expected = plain(graph.with_vertices(table).vertex_columns)
    for other in (polars.from_arrow(table), polars.from_arrow(table).lazy(), duckdb.from_arrow(table)):
        assert plain(graph.with_vertices(other).vertex_columns) == expected


def test_dates_of_a_text_begin_with_the_day_or_the_month(graph, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("who,since\n" + "".join(f"{name},0{i}.03.2024\n" for i, name in enumerate(NAMES, 1)))
    with pytest.raises(
        ReadError, match=r"may be read in two ways: '01.03.2024' is 2024-03-01 or 2024-01-03; pass dayf"
    ):
        graph.with_vertices(path)
    for dayfirst, first in ((True, "2024-03-01"), (False, "2024-01-03")):
        since = graph.with_vertices(path, dayfirst=dayfirst).vertex_columns["since"]
        assert (since.dtype, str(since[0])) == (np.dtype("M8[D]"), first)


def test_numbers_that_are_no_labels_are_no_key():
    bare = triadic.Graph.from_edges([0, 1, 2], [1, 2, 3])
    for table in (
        {"group": [0, 0, 1, 1]},
        {"group": [0, 0, 1, 1], "side": ["L", "L", "R", "R"]},
        {"rank": [3, 2, 1, 0]},
    ):
        with pytest.raises(ArgumentError, match="labels of vertices, such as 0; pass key=, the column of the labels"):
            bare.with_vertices(pd.DataFrame(table))
        assert plain(bare.with_vertices(table).vertex_columns) == table
    table = pd.DataFrame({"id": [3, 2, 1, 0], "group": [0, 0, 1, 1]})
    assert plain(bare.with_vertices(table).vertex_columns) == {"group": [1, 1, 0, 0]}


def test_a_text_tells_types_by_all_of_its_cells(graph, tmp_path):
    path = tmp_path / "cells.csv"
    path.write_text("who,zip,n,x,day,ok\nAnn,0123,1,1,2024-01-02,true\nBob,99,,2.5,,false\nCid,,3,,2024-01-03,\n")
    with pytest.warns(ReadWarning, match="1 of 4 vertices have no row, such as vertex Dee"):
        columns = graph.with_vertices(path).vertex_columns
    assert plain(columns)["zip"] == ["0123", "99", None, None]
    assert plain(columns)["n"] == [1.0, None, 3.0, None]
    assert plain(columns)["ok"] == [True, False, None, None]
    assert columns["day"].dtype.kind == "M"


def test_vertices_without_a_row_and_rows_of_others_are_counted_in_one_warning(graph):
    table = {"label": ["Ann", "Eve", "Fay"], "n": [1, 2, 3]}
    with pytest.warns(ReadWarning) as said:
        columns = graph.with_vertices(table).vertex_columns
    assert [str(each.message) for each in said] == [
        "table: 3 of 4 vertices have no row, such as vertex Bob; 2 rows of vertices that are not in the network"
    ]
    assert plain(columns) == {"n": [1.0, None, None, None]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph.with_vertices(pd.DataFrame({"n": range(4)}, index=NAMES))


def test_labels_that_are_numbers_and_vertices_without_labels():
    numbered = triadic.Graph.from_edges([0, 1], [1, 2], labels=[10, 2**62, -7])
    for ids in ([-7, 10, 2**62], ["-7", "10", str(2**62)]):
        assert plain(numbered.with_vertices({"id": ids, "n": [1, 2, 3]}).vertex_columns)["n"] == [2, 3, 1]
    bare = triadic.Graph.from_edges([0, 1], [1, 2])
    assert plain(bare.with_vertices({"n": [5, 6, 7]}).vertex_columns)["n"] == [5, 6, 7]
    assert plain(bare.with_vertices(pd.DataFrame({"id": [2, 0, 1], "n": [5, 6, 7]}), key="id").vertex_columns)["n"] == [
        6,
        7,
        5,
    ]


@given(st.permutations(range(8)), st.integers(0, 8))
def test_any_order_of_the_rows_gives_the_same_columns(order, rows):
    graph = triadic.Graph.from_edges(range(7), range(1, 8), labels=[f"v{i}" for i in range(8)])
    table = {"label": [f"v{i}" for i in order][:rows], "n": [10 * i for i in order][:rows]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not rows:
            with pytest.raises(ArgumentError, match="no row of the column 'label'"):
                graph.with_vertices(table)
            return
        found = graph.with_vertices(table).vertex_columns["n"].tolist()
    expected = [10 * i if i in order[:rows] else None for i in range(8)]
    assert [None if np.isnan(value) else value for value in found] == expected


@pytest.mark.parametrize(
    ("table", "keywords", "words"),
    [
        ({"n": [1, 2, 3, 4]}, {}, "none of n has labels of vertices, such as 'Ann'; pass key="),
        ({"a": NAMES, "b": NAMES, "n": [1, 2, 3, 4]}, {}, "a, b have labels of vertices, such as 'Ann'; pass key="),
        ({"a": NAMES, "n": [1, 2, 3, 4]}, {"key": "b"}, "there is no column 'b'; the columns are a, n"),
        ({"a": NAMES, "n": [1, 2, 3, 4]}, {"columns": ["m"]}, "there is no column 'm'; the columns are a, n"),
        ({"a": ["Ann", "Ann"], "n": [1, 2]}, {}, "vertex Ann has another row with other values"),
        ({"a": ["x"], "n": [1]}, {"key": "a"}, "no row of the column 'a' has the label of a vertex, such as 'Ann'"),
        ({"a": NAMES, "n": [[1], [2], [3], [4]]}, {}, "the column 'n' holds list<item: int64>, expected numbers"),
        ({"a": [*NAMES[:3], "x"], "n": [2**60 + 1] * 4}, {}, "lacks values, and has whole numbers past 2**53"),
        ({"a": NAMES, "n": [1, 2]}, {}, "expected length 4"),
        (5, {}, "got builtins.int; expected a table in memory"),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore::triadic.errors.ReadWarning")
def test_what_cannot_be_aligned_is_refused(graph, table, keywords, words):
    with pytest.raises(ArgumentError) as error:
        graph.with_vertices(table, **keywords)
    assert words.lower() in str(error.value).lower()
    assert "\n" not in str(error.value)


def test_files_that_are_no_tables_are_refused(graph, tmp_path):
    path = tmp_path / "bad.csv"
    with pytest.raises(MissingFileError):
        graph.with_vertices(path)
    for content, words in (
        (b"who,n\nAnn,1,2\n", "line 2: expected 2 columns as in the first row, got 3"),
        (b"Ann,1\nBob,2\n", "the first row has 'Ann', the label of a vertex; expected the names of the columns"),
        (b"who,\xff\xfe\n", "expected text in UTF-8"),
        (b"PAR1 is not", "Parquet"),
    ):
        path.write_bytes(content)
        with pytest.raises(ReadError, match=words) as error:
            graph.with_vertices(path)
        assert str(path) in str(error.value)


def test_equal_rows_of_a_vertex_count_once_and_repeated_labels_are_refused(graph):
    table = {"label": [*NAMES, "Ann"], "n": [1, 2, 3, 4, 1]}
    assert plain(graph.with_vertices(table).vertex_columns)["n"] == [1, 2, 3, 4]
    twins = triadic.Graph.from_edges([0], [1], labels=["a", "a"])
    with pytest.raises(ArgumentError, match="several vertices of the graph have the same label"):
        twins.with_vertices({"label": ["a"], "n": [1]})


def test_columns_are_kept_with_the_vertices():
    graph = triadic.Graph.from_edges(
        [0, 1, 2, 3], [1, 2, 0, 4], weights=[1, 2, 3, 4], labels=list("abcde"), directed=True
    )
    graph = graph.with_vertices({"label": list("edcba"), "n": [5, 4, 3, 2, 1]})
    graph = graph.with_vertices({"label": list("abcde"), "kind": ["x", "x", "y", "y", "y"]})
    assert repr(graph).endswith("with weights and labels and vertex columns n, kind)")
    for kept in (
        graph.filter(weights=(2, None)),
        graph.to_undirected(),
        pickle.loads(pickle.dumps(graph)),
        triadic.randomize(graph, seed=1),
        triadic.randomize(graph, null="gnm", seed=1),
        triadic.GraphBatch.from_graphs([graph, graph])[1],
        triadic.GraphBatch.from_graphs([graph, graph]).to_undirected()[0],
    ):
        assert plain(kept.vertex_columns) == {"n": [1, 2, 3, 4, 5], "kind": ["x", "x", "y", "y", "y"]}
        assert kept.labels.tolist() == list("abcde")
    part = graph.subgraph(["d", "b"])
    assert plain(part.vertex_columns) == {"n": [4, 2], "kind": ["y", "x"]}
    assert plain(graph.largest_component().vertex_columns)["n"] == [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        graph.vertex_columns["n"][0] = 7
    with pytest.raises(ArgumentError, match="graph 0 is one with the column 'n' and graph 1 is not"):
        triadic.GraphBatch.from_graphs([graph, triadic.Graph.from_edges([0], [1], weights=[1], directed=True)])


def test_null_models_take_groups_and_positions_by_name():
    made = triadic.generate.connectome(60, 150, types=3, seed=2)
    graph = made.graph.with_vertices({"kind": made.types, **dict(zip("xyz", made.positions.T, strict=True))})
    drawn = triadic.randomize(graph, groups="kind", positions=("x", "y", "z"), seed=3, steps=500)
    same = triadic.randomize(made.graph, groups=made.types, positions=made.positions, seed=3, steps=500)
    assert np.array_equal(drawn.indices, same.indices)
    with pytest.raises(
        ArgumentError, match="groups: no column of the vertices is named 'type'; its columns are kind, x"
    ):
        triadic.randomize(graph, groups="type")
