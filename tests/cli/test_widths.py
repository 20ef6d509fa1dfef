"""What commands print on terminals of 40, 80 and 160 columns, and into a file."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from triadic.cli import printing
from triadic.devices.runtimes.cuda import CudaRuntime
from triadic.generate import import_network, rmat
from triadic.io import write

WIDTHS = (40, 80, 160)
COMMANDS = {
    "clustering": ["clustering", "first.txt"],
    "census": ["census", "first.txt"],
    "census of labelled types": ["census", "first.txt", "--labelled"],
    "graphlets": ["graphlets", "first.txt"],
    "orbits": ["orbits", "first.txt", "--size", "5"],
    "compare": ["compare", "first.txt", "a-network-with-a-long-name-in-a-file.txt"],
    "significance": ["significance", "first.txt", "--samples", "3", "--seed", "123456789012345678"],
    "significance of clustering": ["significance", "first.txt", "--of", "clustering", "--samples", "3", "--seed", "1"],
    "plan": ["plan", "first.txt", "--memory", "1GB"],
    "plan of a size": [
        "plan",
        "--num-vertices",
        "123456789",
        "--edges",
        "9876543210",
        "--memory",
        "8GB",
        "--threads",
        "2",
    ],
    "info": ["info"],
    "info of tiles": ["info", "some.tiles"],
    "tile": ["tile", "first.txt", "new.tiles"],
    "convert": ["convert", "first.txt", "other.csv"],
    "generate": ["generate", "rmat", "5", "-o", "drawn.txt", "--seed", "1"],
    "report": ["report", "triangle.txt", "--samples", "2"],
    "demo": ["demo"],
}


@pytest.fixture
def networks(tmp_path, monkeypatch, triadic):
    """Files and tiles of networks in the current folder; the clock and the free memory of cards stand still."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.perf_counter", lambda: 0.0)
    monkeypatch.setattr(CudaRuntime, "memory", lambda _: (3 << 30, 4 << 30))  # other processes use the card, too
    write(rmat(8, seed=1, directed=True), "first.txt")
    write(rmat(9, seed=2, directed=True), "a-network-with-a-long-name-in-a-file.txt")
    (tmp_path / "triangle.txt").write_text("0 1\n1 0\n1 2\n2 0\n")
    assert triadic("tile", "first.txt", "some.tiles", "--ranges", "2").code == 0
    (tmp_path / "modules").mkdir()
    for name, text in {"a": "import b, c", "b": "import c", "c": "import d", "d": ""}.items():
        (tmp_path / "modules" / f"{name}.py").write_text(text)
    find = import_network.import_network
    monkeypatch.setattr(import_network, "import_network", lambda **keywords: find(["modules"], **keywords))


@dataclass
class Stream:
    """Standard output of a command."""

    text: str

    @property
    def lines(self):
        return self.text.splitlines()

    @property
    def words(self):
        return {word.rstrip(":") for word in self.text.split()}


@pytest.fixture
def printed(triadic, monkeypatch, tmp_path):
    """A function that runs a command with a terminal of some width, or None for a file."""

    def run(words, width):
        for made in tmp_path.glob("new.tiles/**/*"):
            if made.is_file():
                made.unlink()
        monkeypatch.setattr(printing, "terminal_width", lambda: width)
        outcome = triadic(*words, *([] if words[0] in {"info", "plan"} else ["--quiet"]))
        assert outcome.code == 0, outcome.err
        return Stream(outcome.out)

    return run


# These print tables by the same functions as others.
BY_NIGHT = ("graphlets", "significance of clustering", "plan of a size", "info of tiles", "convert", "demo")


@pytest.mark.usefixtures("networks", "_plots_not_rendered")
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, id=name, marks=pytest.mark.nightly if name in BY_NIGHT else ())
        for name, words in COMMANDS.items()
    ],
)
def test_no_number_and_no_word_is_split_on_a_terminal_of_any_width(words, printed):
    whole = printed(words, None)
    assert len(whole.words) > 2
    for width in WIDTHS:
        narrow = printed(words, width)
        assert not whole.words - narrow.words, width
        assert "…" not in narrow.text
        too_long = [line for line in narrow.lines if len(line) > width and len(line.split()) > 1]
        assert not too_long, width


@pytest.mark.usefixtures("networks")
def test_a_note_that_does_not_fit_stands_below_its_row(printed):
    lines = printed(["clustering", "first.txt"], 40).lines
    row = next(i for i, line in enumerate(lines) if line.startswith("transitivity"))
    assert lines[row + 1] == "    share of paths of two edges that"
    assert lines[row + 2] == "    close"
    wide = printed(["clustering", "first.txt"], 80).lines
    assert any(line.startswith("transitivity") and line.endswith("edges that close") for line in wide)


@pytest.mark.usefixtures("networks")
def test_a_table_that_does_not_fit_becomes_a_block_for_each_row(printed):
    lines = printed(COMMANDS["significance"], 40).lines
    row = lines.index("030T")
    headings = [line.split()[0] for line in lines[row + 1 : row + 8]]
    assert headings == ["count", "mean", "std", "z", "p", "q", "profile"]
    assert lines[row + 8] == ""
    headings = "name count mean std z p q profile"
    assert headings in [" ".join(line.split()) for line in printed(COMMANDS["significance"], 80).lines]


@pytest.mark.usefixtures("networks")
def test_a_file_has_a_line_for_each_row_however_long(printed, monkeypatch):
    wide = printed(COMMANDS["census"], None)
    monkeypatch.setenv("COLUMNS", "40")
    assert printed(COMMANDS["census"], None).text == wide.text
    assert max(map(len, wide.lines)) > 80


@pytest.mark.usefixtures("networks")
def test_times_on_two_rows_stand_together_on_a_narrow_terminal(printed):
    lines = printed(COMMANDS["compare"], 40).lines
    assert "" not in lines[lines.index("graphlets compared") :]
