"""Control characters of files and of their names are shown on a terminal, and not obeyed."""

from __future__ import annotations

import io
import os
import re
import sys

import pytest

import triadic
from triadic.cli import main
from triadic.core.progress import reporting
from triadic.errors import ArgumentError, DirectionWarning, ReadError, ReadWarning, TriadicError, WriteError

# An escape sequence that sets the title of a terminal, a C1 control character, DEL, and a mark of direction.
EVIL = "x\x1b]0;pwned\x07\x9b31m\x7f\u202ey"
HARMFUL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
NETWORK = "source,target\na,b\nb,c\nc,d\nd,e\ne,f\n"


def run_command(words, capsys):
    """Return the exit status, the output and the errors of a command."""
    code = main(words)
    return code, *capsys.readouterr()


@pytest.fixture
def network(tmp_path):
    path = tmp_path / f"{EVIL}.csv"
    path.write_text(NETWORK)
    return path


@pytest.mark.parametrize("kind", [TriadicError, ArgumentError, WriteError, ReadWarning, DirectionWarning])
def test_every_error_and_warning_escapes_its_message(kind):
    assert str(kind(f"the label {EVIL}")) == r"the label x\x1b]0;pwned\x07\x9b31m\x7f\u202ey"


def test_an_error_of_a_file_escapes_its_name_and_keeps_the_path():
    error = ReadError(EVIL, f"found the cell {EVIL}\nexpected a number", line=3)
    assert HARMFUL.search(str(error)) is None
    assert "\n" not in str(error)
    assert error.path == EVIL


def test_letters_of_any_script_stay_as_they_are():
    assert str(ArgumentError("Übersee, 東京, שלום, 🙂")) == "Übersee, 東京, שלום, 🙂"


COMMANDS = [
    ["clustering"],
    ["census"],
    ["graphlets"],
    ["orbits"],
    ["significance", "--samples", "2"],
    ["info"],
    ["plan"],
    ["compare", "SAME"],
    ["convert", "TARGET.parquet"],
    ["tile", "TARGET"],
    ["report", "--undirected", "-o", "TARGET.html"],
]


@pytest.mark.usefixtures("_plots_not_rendered")
@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "narrow"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_no_command_prints_a_control_character_of_a_name(command, network, tmp_path, monkeypatch, capsys, terminal):
    if terminal:
        monkeypatch.setattr("triadic.cli.printing.terminal_width", lambda: 30)
    words = {"SAME": str(network), "TARGET": str(tmp_path / f"{EVIL}.tiles")}
    rest = [
        words.get(word, str(tmp_path / word.replace("TARGET", EVIL))) if word[:4] in ("SAME", "TARG") else word
        for word in command[1:]
    ]
    code, out, err = run_command([command[0], str(network), *rest], capsys)
    assert code == 0, err
    assert HARMFUL.search(out) is None
    assert HARMFUL.search(err) is None
    assert "pwned" in out + err or command[0] == "info"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        (f"{EVIL}.csv", f"source,target\na,{EVIL}\nb\n"),
        (f"{EVIL}.net", f'*Vertices 2\n1 "a"\n{EVIL} "b"\n*Arcs\n1 2\n'),
        (f"{EVIL}.gml", f"graph [ node [ id {EVIL} ] ]"),
        (f"{EVIL}.graphml", "<graphml><graph edgedefault='\u202e\x9b'></graph></graphml>"),
        (f"{EVIL}.mtx", f"%%MatrixMarket matrix {EVIL} real general\n1 1 1\n"),
        (f"{EVIL}.graph", f"2 1\n{EVIL}\n1\n"),
    ],
    ids=["csv", "net", "gml", "graphml", "mtx", "metis"],
)
def test_no_error_of_a_command_prints_a_control_character_of_a_file(command, name, content, tmp_path, capsys):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    rest = [str(path) if word == "SAME" else word.replace("TARGET", str(tmp_path / "new")) for word in command[1:]]
    code, out, err = run_command([command[0], str(path), *rest], capsys)
    assert code == 2 or command == ["info"]  # which reads the start of a file only
    assert HARMFUL.search(out + err) is None
    assert len(err.splitlines()) <= 1


def test_an_unknown_option_or_value_is_escaped(capsys):
    for words in (["clustering", f"--{EVIL}"], [EVIL], ["clustering", EVIL], ["clustering", "f", "--device", EVIL]):
        code, out, err = run_command(words, capsys)
        assert code == 2
        assert HARMFUL.search(out + err) is None


def test_the_label_of_a_progress_bar_is_escaped(capsys):
    with reporting(True, f"reading {EVIL} [red]"):
        pass
    shown = capsys.readouterr().err
    assert "\x1b]0;" not in shown
    assert "[red]" in shown


def test_json_holds_the_name_and_no_control_character(network, capsys):
    code, out, _ = run_command(["clustering", str(network), "--json"], capsys)
    assert code == 0
    assert HARMFUL.search(out) is None


FORMULAS = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "＝1"]


def test_labels_that_are_formulas_are_written_as_they_are_unless_a_safe_file_is_asked_for(tmp_path):
    rows = zip(FORMULAS, ["'=1", "a", "b", "c", "d"], strict=True)
    (tmp_path / "edges.csv").write_text("source,target\n" + "".join(f"{u},{v}\n" for u, v in rows), encoding="utf-8")
    graph = triadic.read(tmp_path / "edges.csv")
    plain, safe = tmp_path / "plain.csv", tmp_path / "safe.csv"
    triadic.write(graph, plain)
    triadic.write(graph, safe, spreadsheet_safe=True)
    assert set(triadic.read(plain).labels) == {*FORMULAS, "'=1", *"abcd"}
    cells = [line.split(",")[0].strip('"') for line in safe.read_text().splitlines()[1:]]
    assert cells == [f"'{label}" for label in FORMULAS]
    assert set(triadic.read(safe).labels) == {*(f"'{label}" for label in FORMULAS), "''=1", *"abcd"}


def test_numbers_need_no_apostrophe(tmp_path):
    triadic.write(triadic.Graph.from_edges([0, 1], [1, 2]), tmp_path / "path.tsv", spreadsheet_safe=True)
    assert "'" not in (tmp_path / "path.tsv").read_text()


def test_a_safe_file_is_csv_or_tsv(tmp_path):
    with pytest.raises(ArgumentError, match="spreadsheet_safe=True: the format is 'parquet'; expected csv or tsv"):
        triadic.write(triadic.Graph.from_edges([0], [1]), tmp_path / "path.parquet", spreadsheet_safe=True)


@pytest.mark.parametrize("command", [["clustering"], ["graphlets"], ["census", "--by-vertex"]], ids=lambda c: c[0])
def test_tables_of_vertices_are_safe_for_spreadsheets_on_request(command, tmp_path, capsys):
    path, plain, safe = (tmp_path / name for name in ("edges.txt", "plain.csv", "safe.csv"))
    path.write_text("=1+1\ta\na\tb\n")
    assert run_command([*command, str(path), "-o", str(plain)], capsys)[0] == 0
    assert run_command([*command, str(path), "-o", str(safe), "--spreadsheet-safe"], capsys)[0] == 0
    assert plain.read_text().replace('"=1+1"', '"\'=1+1"') == safe.read_text() != plain.read_text()
    code, _, err = run_command([*command, str(path), "-o", str(tmp_path / "t.parquet"), "--spreadsheet-safe"], capsys)
    assert code == 2
    assert "--spreadsheet-safe: the table is" in err


@pytest.mark.parametrize(
    "command",
    [["clustering"], ["graphlets"], ["census"], ["orbits"], ["temporal", "--delta", "1"], ["clustering", "--batch"]],
    ids=" ".join,
)
def test_spreadsheet_safe_without_a_file_is_refused_in_one_line(command, tmp_path, capsys):
    path = tmp_path / "edges.csv"
    path.write_text("graph,source,target,time\n0,a,b,1\n0,b,c,2\n")
    code, out, err = run_command([*command, str(path), "--spreadsheet-safe"], capsys)
    assert (code, out) == (2, "")
    assert err == "triadic: --spreadsheet-safe: expected -o FILE as well, with a name that ends in .csv\n"


def test_convert_writes_a_safe_file_on_request(tmp_path, capsys):
    path, target = tmp_path / "edges.txt", tmp_path / "safe.csv"
    path.write_text("=1+1\ta\na\tb\n")
    assert run_command(["convert", str(path), str(target), "--spreadsheet-safe"], capsys)[0] == 0
    assert "'=1+1" in target.read_text()


BYTES = os.fsdecode(b"caf\xe9\x9b")  # a name in Latin-1, and a control character of Latin-1
OF_BYTES = [
    *COMMANDS,
    ["clustering", "-o", "TARGET.csv"],
    ["clustering", "-o", "TARGET.parquet"],
    ["convert", "TARGET.csv.gz"],
    ["generate", "rmat", "4", "-o", "TARGET.parquet"],
    ["clustering", "FOLDER", "--batch", "-o", "TARGET.csv"],
    ["clustering", "FOLDER", "--batch", "-o", "TARGET.parquet"],
    ["tile", "FOLDER", "TARGET"],
    ["clustering", "MISSING"],
]


@pytest.fixture
def bytes_of_output(monkeypatch):
    """Call the command line, and return its exit status and the bytes that it writes to a terminal of UTF-8."""

    def call(words):
        streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2)]
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", streams[0])
            patched.setattr(sys, "stderr", streams[1])
            code = main(words)
            for stream in streams:
                stream.flush()
        return code, *(stream.buffer.getvalue() for stream in streams)

    return call


@pytest.mark.usefixtures("_plots_not_rendered")
@pytest.mark.parametrize("command", OF_BYTES, ids="-".join)
def test_every_command_takes_names_that_are_not_utf_8(command, tmp_path, bytes_of_output):
    folder = tmp_path / BYTES
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("the file system takes names in UTF-8 only")
    network = folder / f"{BYTES}.csv"
    network.write_text(NETWORK)
    words = [
        {"SAME": str(network), "FOLDER": str(folder), "MISSING": str(folder / f"no-{BYTES}.csv")}.get(
            word, word.replace("TARGET", str(tmp_path / f"{BYTES}-written"))
        )
        for word in command
    ]
    takes_network = command[0] != "generate" and not {"FOLDER", "MISSING"} & set(command)
    code, out, err = bytes_of_output([words[0], *([str(network)] * takes_network), *words[1:]])
    assert code == (2 if "MISSING" in command else 0), err
    assert b"\x9b" not in out + err
    if "MISSING" in command:
        assert b"no-caf\xe9\\x9b.csv: there is no such file\n" in err
    written = [file for file in tmp_path.iterdir() if file != folder]
    assert bool(written) == any("TARGET" in word for word in command)
    for file in written:
        if file.name.endswith(("written.csv", "written.csv.gz")) and "--batch" not in command:
            assert triadic.read(file) if command[0] == "convert" else file.read_text()
        elif "--batch" in command and file.suffix == ".csv":
            assert "caf\\xe9\\x9b" in file.read_text(encoding="utf-8")
