"""Rows as people have them: some are skipped, some chosen, dates are of spreadsheets, and CSV is written for them."""

from __future__ import annotations

import gzip
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from triadic.errors import ArgumentError, ReadError, ReadWarning
from triadic.io import read, read_arcs
from triadic.io.reading import stream_arcs
from triadic.planning.plan import plan


def named(arcs):
    ends = zip(arcs.source.tolist(), arcs.target.tolist(), strict=True)
    return list(ends) if arcs.labels is None else [(arcs.labels[u], arcs.labels[v]) for u, v in ends]


def streamed(path, **keywords):
    stream = stream_arcs(path, piece_arcs=1, **keywords)
    labels = stream.survey().labels
    pieces = [(int(piece[0][0]), int(piece[1][0])) for piece in stream.pieces() if len(piece[0])]
    return pieces if labels is None else [(labels[u], labels[v]) for u, v in pieces]


# What is wrong with a row of numbers, of a name and of a weight, and the words that tell it.
BAD = [
    ("1;2;3", "Total;;7", "found the id 'Total', expected an integer"),
    ("1;2;3", "5;NaN;1", "found the id 'NaN', expected an integer"),
    ("1;2;3", "5;-6;1", "found the negative id '-6', expected 0 or more"),
    ("1;2;3", "(2 rows affected)", "found one id ('(2 rows affected)'), expected a source and a target"),
    ("1;2;3", "5;6;1;9", "found 4 columns ('5;6;1;9'), expected 3 as in the first row"),
    ("ann;bob;3", "bob;;4", "found an empty id, expected a number or a name"),
    ("ann;bob;3", "bob;cem;", "found the weight '', expected a number"),
    ("ann;bob;3", "bob;cem;x", "found the weight 'x', expected a number"),
    ("ann;bob;3", "bob;cem;inf", "found the weight 'inf', expected a finite number"),
    ("ann;bob;3", '"bob;cem;1', "found a quote that is not closed ('\"bob;cem;1'), expected it to end"),
]


class TestBadRows:
    @pytest.mark.parametrize(("good", "bad", "problem"), BAD)
    def test_they_are_left_out_and_the_warning_tells_of_the_first(self, tmp_path, good, bad, problem):
        path = tmp_path / "links.csv"
        path.write_text(f"from;to;weight\n{good}\n{bad}\n{good}\n{bad}\n")
        said = f"links.csv: skipped 2 rows that cannot be read, the first in line 3: {problem}"
        with pytest.warns(ReadWarning) as caught:
            arcs = read_arcs(path, weights=True, bad_rows="skip")
        assert [str(each.message).endswith(said) for each in caught] == [True]
        assert caught[0].filename == __file__
        a, b, _ = good.split(";")
        expected = [(int(a), int(b)) if a.isdigit() else (a, b)] * 2
        assert named(arcs) == expected
        assert arcs.weights.tolist() == [3, 3]
        (tmp_path / "links.csv.gz").write_bytes(gzip.compress(path.read_bytes()))
        for use in (path, tmp_path / "links.csv.gz"):
            with pytest.warns(ReadWarning, match="skipped 2 rows"):
                assert streamed(use, weights=True, bad_rows="skip") == expected
        with pytest.raises(ReadError):
            read(path, weights=True)

    def test_each_file_of_a_folder_tells_its_own(self, tmp_path):
        for name in ("a", "b"):
            (tmp_path / f"{name}.csv").write_text("from,to\n1,2\nTotal,\n")
        with pytest.warns(ReadWarning) as caught:
            arcs = read_arcs(tmp_path, bad_rows="skip")
        assert len(caught) == 2
        assert named(arcs) == [(1, 2), (1, 2)]

    def test_names_among_numbers_are_names_as_without_the_keyword(self, tmp_path):
        path = tmp_path / "links.csv"
        path.write_text("from,to\n" + "1,2\n" * 300 + "anna,2\n")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert named(read_arcs(path, bad_rows="skip")) == named(read_arcs(path))

    @given(st.lists(st.sampled_from(["7,9", "9,12", ",3", "x", "1,2,3", "-1,4", ",", "Total,5"]), max_size=60))
    def test_what_is_left_are_the_good_rows(self, tmp_path_factory, rows):
        path = tmp_path_factory.getbasetemp() / "drawn.csv"
        path.write_text("\n".join(["from,to", "7,9", *rows]))
        expected = [(7, 9), *(tuple(map(int, row.split(","))) for row in rows if row in ("7,9", "9,12"))]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert named(read_arcs(path, bad_rows="skip")) == expected
        bad = len(rows) - rows.count(",") - len(expected) + 1
        words = f"skipped {bad} row{'s' * (bad > 1)} that cannot be read"
        assert [words in str(each.message) for each in caught] == [True] * (bad > 0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert streamed(path, bad_rows="skip") == expected

    def test_the_lines_of_a_large_file_are_counted(self, tmp_path):
        path = tmp_path / "large.txt"
        path.write_text("1000001 1000002\n" * 70_000 + "x\n" + "1000002 1000003\n" * 70_000 + "\ny\n")
        with pytest.warns(
            ReadWarning, match="skipped 2 rows that cannot be read, the first in line 70001: found one id"
        ):
            assert len(read_arcs(path, bad_rows="skip").source) == 140_000

    def test_events_are_skipped_too(self, tmp_path):
        path = tmp_path / "events.csv"
        path.write_text("from,to,time\n1,2,5\n2,,6\n2,3,7\n")
        with pytest.warns(ReadWarning, match="skipped 1 row that cannot be read, the first in line 3"):
            assert triadic.read_temporal(path, bad_rows="skip").time.tolist() == [5, 7]

    def test_other_words_and_formats_are_refused(self, tmp_path):
        (tmp_path / "a.csv").write_text("1,2\n")
        with pytest.raises(ArgumentError, match="bad_rows='drop': expected 'error' or 'skip'"):
            read(tmp_path / "a.csv", bad_rows="drop")
        (tmp_path / "a.net").write_text("*Vertices 2\n*Edges\n1 2\n")
        with pytest.raises(ArgumentError, match="bad_rows='skip': files of the format pajek have no columns"):
            read(tmp_path / "a.net", bad_rows="skip")


DATES = st.dates(min_value=pd.Timestamp("1700-01-01").date(), max_value=pd.Timestamp("2200-12-31").date())


class TestDates:
    @pytest.mark.parametrize(
        ("written", "read_as"),
        [
            (["01.03.2024 13:08", "13.03.2024 9:10"], ["2024-03-01T13:08", "2024-03-13T09:10"]),
            (["3/14/2024 13:08:09", "4/2/2024 0:00:01"], ["2024-03-14T13:08:09", "2024-04-02T00:00:01"]),
            (["3/14/2024 1:08 PM", "4/2/2024 12:30 am"], ["2024-03-14T13:08", "2024-04-02T00:30"]),
            (["14.3.2024 01:08:09PM", "2.4.2024 12:00:01 pm"], ["2024-03-14T13:08:09", "2024-04-02T12:00:01"]),
            (["31-12-1999", "1-1-2000"], ["1999-12-31", "2000-01-01"]),
            (["03.03.2024", "04.04.2024"], ["2024-03-03", "2024-04-04"]),
        ],
    )
    def test_the_only_reading_of_a_column_is_taken(self, tmp_path, written, read_as):
        path = tmp_path / "mails.csv"
        path.write_text("from;to;when\n" + "".join(f"{i};{i + 1};{date}\n" for i, date in enumerate(written)))
        expected = np.array(read_as, dtype="datetime64[us]" if ":" in written[0] else "datetime64[D]")
        found = read_arcs(path, columns=["when"]).columns["when"]
        assert (found.dtype, found.tolist()) == (expected.dtype, expected.tolist())
        assert triadic.read_temporal(path).time.tolist() == expected.astype("datetime64[ns]").tolist()
        table = pa.table({"from": [0, 1], "to": [1, 2], "when": written})
        assert triadic.read_temporal(table).time.tolist() == expected.astype("datetime64[ns]").tolist()

    @pytest.mark.parametrize("use", [lambda path, **k: read(path, columns=["when"], **k), triadic.read_temporal])
    def test_two_readings_are_an_error_that_shows_both(self, tmp_path, use):
        path = tmp_path / "mails.csv"
        path.write_text("from;to;when\na;b;05.05.2024\na;b;01.03.2024 13:08\nb;c;02.03.2024 9:05\n")
        words = (
            r"the dates of the column 'when' may be read in two ways: '01.03.2024 13:08' is 2024-03-01 13:08:00 or "
            r"2024-01-03 13:08:00; pass dayfirst=True or dayfirst=False \(--dayfirst or --no-dayfirst\)"
        )
        with pytest.raises(ReadError, match=words):
            use(path)

    def test_dayfirst_decides(self, tmp_path):
        path = tmp_path / "mails.csv"
        path.write_text("from;to;when\na;b;01.03.2024\nb;c;02.03.2024\n")
        for dayfirst, months in ((True, ["2024-03-01", "2024-03-02"]), (False, ["2024-01-03", "2024-02-03"])):
            times = triadic.read_temporal(path, dayfirst=dayfirst).time
            assert times.astype("datetime64[D]").astype(str).tolist() == months

    @given(st.lists(DATES, min_size=1, max_size=20), st.booleans(), st.sampled_from("./-"))
    def test_a_grid_of_dates(self, tmp_path_factory, dates, dayfirst, mark):
        path = tmp_path_factory.getbasetemp() / "dates.csv"
        form = mark.join(["{d}", "{m}", "{y}"] if dayfirst else ["{m}", "{d}", "{y}"])
        rows = [form.format(d=date.day, m=date.month, y=date.year) for date in dates]
        path.write_text("from,to,when\n" + "".join(f"1,2,{row}\n" for row in rows))
        expected = [pd.Timestamp(date).to_pydatetime() for date in dates]
        found = read_arcs(path, columns=["when"], dayfirst=dayfirst).columns["when"]
        assert found.astype("datetime64[us]").tolist() == expected
        two = all(date.day <= 12 for date in dates) and any(date.day != date.month for date in dates)
        if two:
            with pytest.raises(ReadError, match="may be read in two ways"):
                read_arcs(path, columns=["when"])
        else:
            assert read_arcs(path, columns=["when"]).columns["when"].tolist() == found.tolist()


ROWS = pd.DataFrame(
    {
        "pre": [1, 1, 2, 3, 4],
        "post": [2, 2, 3, 1, 5],
        "neuropil": ["AL_L", "AL_R", "AL_L", None, "X"],
        "syn_count": [7, 3, 2, 9, None],
        "since": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-02-01", "2024-03-01", "2024-01-01"]),
        "checked": [True, False, True, False, True],
    }
)


def tables(folder):
    """Yield the rows in files and tables of all kinds."""
    ROWS.to_csv(folder / "rows.csv", index=False)
    yield folder / "rows.csv"
    (folder / "rows.csv.gz").write_bytes(gzip.compress((folder / "rows.csv").read_bytes()))
    yield folder / "rows.csv.gz"
    parts = folder / "parts"
    parts.mkdir()
    ROWS.iloc[:2].to_csv(parts / "0.csv", index=False)
    ROWS.iloc[2:].to_csv(parts / "1.csv", index=False)
    yield parts
    ROWS.to_parquet(folder / "rows.parquet")
    yield folder / "rows.parquet"
    yield ROWS
    yield pa.Table.from_pandas(ROWS)


CHOSEN = [
    ({"neuropil": {"AL_L"}, "syn_count": (5, None)}, [0]),
    ({"neuropil": "AL_R"}, [1]),
    ({"neuropil": ["X", "AL_L"]}, [0, 2, 4]),
    ({"neuropil": None}, [3]),
    ({"neuropil": {None, "X"}}, [3, 4]),
    ({"syn_count": (2, 7)}, [0, 1, 2]),
    ({"syn_count": {9, 2}}, [2, 3]),
    ({"syn_count": None}, [4]),
    ({"since": (np.datetime64("2024-01-02"), None)}, [1, 2, 3]),
    ({"checked": True}, [0, 2, 4]),
    ({"pre": (2, 3)}, [2, 3]),
    ({"neuropil": "nowhere"}, []),
]


class TestWhere:
    @pytest.mark.parametrize(("where", "rows"), CHOSEN)
    def test_rows_are_chosen_in_files_and_tables(self, tmp_path, where, rows):
        expected = [(int(ROWS["pre"][i]), int(ROWS["post"][i])) for i in rows]
        for network in tables(tmp_path):
            assert named(read_arcs(network, where=where)) == expected
            assert streamed(network, where=where) == expected

    def test_they_are_chosen_before_repeats_become_one_edge(self, tmp_path):
        ROWS.iloc[:4].to_csv(tmp_path / "rows.csv", index=False)
        asked = {"weights": "syn_count", "combine": "sum"}
        graph = read(tmp_path / "rows.csv", where={"neuropil": {"AL_L"}}, **asked)
        assert graph.weights.tolist() == [7, 2]
        assert graph.columns.keys() == {"weight"}
        assert graph.num_vertices == 3
        kept = read_arcs(tmp_path / "rows.csv", where={"syn_count": (3, None)}, columns=["neuropil"])
        assert kept.columns["neuropil"].tolist() == ["AL_L", "AL_R", None]

    def test_names_of_other_rows_are_no_vertices(self, tmp_path):
        path = tmp_path / "names.csv"
        path.write_text("from,to,kind\nanna,bert,a\ncarl,dora,b\nbert,emil,a\n")
        assert read(path, where={"kind": "a"}).labels.tolist() == ["anna", "bert", "emil"]
        assert streamed(path, where={"kind": "a"}) == [("anna", "bert"), ("bert", "emil")]

    def test_tiles_and_plans_take_it(self, tmp_path):
        ROWS.to_csv(tmp_path / "rows.csv", index=False)
        asked = {"where": {"neuropil": {"AL_L", "X"}}}
        tiles = triadic.tile(tmp_path / "rows.csv", tmp_path / "tiles", **asked)
        assert tiles.num_arcs == 3
        assert triadic.tile(tmp_path / "rows.csv", tmp_path / "tiles", **asked).num_arcs == 3
        with pytest.raises(triadic.errors.WriteError, match="other options"):
            triadic.tile(tmp_path / "rows.csv", tmp_path / "tiles")
        assert plan(tmp_path / "rows.csv", **asked).edges == 3

    @pytest.mark.parametrize(
        ("where", "words"),
        [
            ({"nix": 1}, "there is no column 'nix'; the columns are pre, post"),
            ({"neuropil": 5}, "neuropil: the column holds texts, got 5"),
            ({"syn_count": (9, 1)}, "expected the smaller value first"),
            ("neuropil", "where='neuropil': expected a mapping from columns to values"),
        ],
    )
    def test_what_cannot_be_chosen_is_refused(self, tmp_path, where, words):
        ROWS.to_csv(tmp_path / "rows.csv", index=False)
        with pytest.raises((ReadError, ArgumentError), match=words):
            read(tmp_path / "rows.csv", where=where)

    def test_formats_without_columns_refuse_it(self, tmp_path):
        (tmp_path / "a.net").write_text("*Vertices 2\n*Edges\n1 2\n")
        with pytest.raises(ArgumentError, match=r"where=\{'a': 1\}: files of the format pajek have no columns"):
            read(tmp_path / "a.net", where={"a": 1})


class TestIdsAndWeightsOfArrays:
    def test_ids_of_many_digits_point_to_a_table(self):
        ids = [720575940621039145, 720575940630103445]
        with pytest.raises(ArgumentError, match=r"found the id 720575940630103445, .*triadic.Graph\(pandas.DataFrame"):
            triadic.Graph.from_edges(ids, ids[::-1])

    def test_a_column_of_attributes_is_one_of_weights(self):
        class Data:
            __module__ = "torch_geometric.data.data"
            edge_index, num_nodes = np.array([[0, 1], [1, 2]]), 3
            edge_attr, two = np.array([[2.0], [3.0]]), np.zeros((2, 2))

        assert triadic.Graph(Data(), weights="edge_attr").weights.tolist() == [2, 3]
        with pytest.raises(ArgumentError, match=r"expected an array of shape \(2,\), got \(2, 2\)"):
            triadic.Graph(Data(), weights="two")


class TestCsvForSpreadsheets:
    def test_the_separator_and_the_mark_are_read_back(self, tmp_path):
        labels = ["a;b", "c,d", 'e"f', "Köln"]
        graph = triadic.Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[0.5, 1, 2], directed=True, labels=labels)
        for name, separator in (("a.csv", ";"), ("b.csv", "\t"), ("c.tsv", ";"), ("d.csv", ",")):
            triadic.write(graph, tmp_path / name, separator=separator, excel=True)
            content = (tmp_path / name).read_bytes()
            assert content.startswith(f"\ufeffsource{separator}target{separator}weight\n".encode())
            again = read(tmp_path / name, weights=True, directed=True)
            assert again.labels.tolist() == labels
            assert again.weights.tolist() == [0.5, 1, 2]

    @pytest.mark.parametrize(
        ("keywords", "words"),
        [
            ({"separator": "|"}, r"separator='\|': expected ',', ';' or a tab"),
            ({"separator": ";", "format": "text"}, "separator=';': the format is 'text'; expected csv or tsv"),
            ({"excel": True, "format": "parquet"}, "excel=True: the format is 'parquet'; expected csv or tsv"),
        ],
    )
    def test_other_formats_refuse_them(self, tmp_path, keywords, words):
        with pytest.raises(ArgumentError, match=words):
            triadic.write(triadic.Graph.from_edges([0], [1]), tmp_path / "a.csv", **keywords)
        assert not list(tmp_path.iterdir())

    def test_standard_output_takes_text_only(self):
        with pytest.raises(ArgumentError, match="standard output takes text, csv or tsv, not the format 'graphml'"):
            triadic.write(triadic.Graph.from_edges([0], [1]), "-", format="graphml")

    def test_commands_write_to_standard_output(self, tmp_path):
        path = tmp_path / "rows.csv"
        path.write_text("from;to;kind;w\n1;2;a;5\n2;3;a;1\n3;1;b;9\nTotal;;;15\n")

        def run(*words):
            command = [sys.executable, "-m", "triadic", *words]
            done = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path)
            return done.stdout.decode(), done.stderr.decode()

        reading = ["--bad-rows", "skip", "--where", "w>=2", "--where", "w<=9"]
        out, err = run("clustering", "rows.csv", *reading, "-o", "-", "--separator", ";", "--excel")
        assert out.splitlines()[0] == '\ufeff"label";"degree";"triangles";"clustering"'
        assert [line.split(";")[0] for line in out.splitlines()[1:]] == ["1", "2", "3"]
        assert "skipped 1 row that cannot be read, the first in line 5" in err
        assert "transitivity" in err
        out, err = run("convert", "rows.csv", "-", "--bad-rows", "skip", "--where", "kind=a", "--separator", ";")
        assert out == "source;target\n1;2\n2;3\n"
        assert "Graph(directed, 3 vertices, 2 arcs" in err


def test_a_first_line_of_a_blank_that_breaks_no_line_is_refused_in_one_line(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text("\u00a0\n1 2\n2 3\n3 4\n")
    with pytest.raises(ReadError, match="line 1: found one id"):
        read(path)
