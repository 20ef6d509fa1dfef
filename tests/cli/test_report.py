"""``triadic report``: from a file to a page."""

from __future__ import annotations

import re
import shlex
from html import unescape

import pytest

from triadic.core import checked

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")


@pytest.fixture
def ring(tmp_path):
    """A directed ring of 30 with chords, and a loop."""
    path = tmp_path / "ring & <more>.txt"
    path.write_text("".join(f"{i} {(i + 1) % 30}\n{i} {(i * 7 + 3) % 30}\n" for i in range(30)) + "5 5\n")
    return path


def without_run(text):
    """Return a page without the part that differs from run to run."""
    return re.sub(r"<summary>Machine, time and versions.*?</details>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param([], id="counted"),
        # A page of estimates is written by the tests of reports too.
        pytest.param(["--estimate"], id="estimated", marks=pytest.mark.nightly),
    ],
)
def test_a_page_is_written_and_the_line_on_it_writes_the_same_again(
    triadic, ring, tmp_path, options, request, monkeypatch
):
    if options:  # the plots of the counted network are rendered
        request.getfixturevalue("_plots_not_rendered")
        monkeypatch.setattr("triadic.reports.budget.WIDTH_OF_ESTIMATES", 0.1)
    page = tmp_path / "page.html"
    outcome = triadic("report", ring, "-o", page, "--samples", "10", "--directed", "--threads", "1", *options)
    assert (outcome.code, outcome.out, outcome.err) == (0, f"The report is in {page}\n", "")
    first = page.read_text(encoding="utf-8")
    assert "<h1>ring &amp; &lt;more&gt;</h1>" in first
    words = shlex.split(unescape(re.search(r"<code>(.*?)</code>", first, re.DOTALL)[1]))
    assert words[:5] == ["triadic", "report", str(ring), "-o", str(page)]
    assert ("<meter" in first) == bool(options)
    page.unlink()
    assert triadic(*words[1:]).code == 0
    assert without_run(page.read_text(encoding="utf-8")) == without_run(first)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--samples", "1"], "samples=1: expected a whole number from 2"),
        (["--seed", "-3"], "seed=-3"),
        (["--size", "3"], "--size 3: expected 4 or 5"),
        (["--device", "abacus"], "device='abacus'"),
        (["--threads", "0"], "threads=0"),
        (["-o", "nowhere/page.html"], "nowhere"),
        (["-o", "page.pdf"], "page.pdf: a report is a page of HTML; expected a name that ends in .html or .htm"),
    ],
)
def test_wrong_options_are_errors_before_the_file_is_read(triadic, tmp_path, monkeypatch, words, found):
    monkeypatch.chdir(tmp_path)
    assert found in triadic("report", "missing.txt", *words).complaint


def test_without_jinja_the_extra_is_named(triadic, ring, monkeypatch):
    monkeypatch.setattr(checked, "find_spec", lambda name: None)
    assert "pip install 'triadic[report]'" in triadic("report", ring).complaint


@pytest.fixture
def messages(tmp_path):
    """Messages with times, one of them answered twice."""
    path = tmp_path / "messages.csv"
    rows = ["ann,bob,09:00", "bob,ann,09:05", "ann,bob,09:10", "cem,bob,11:00", "bob,cem,15:00"]
    path.write_text("sender,receiver,sent\n" + "".join(f"{row[:-5]}2024-05-01 {row[-5:]}\n" for row in rows))
    return path


@pytest.mark.usefixtures("_plots_not_rendered")
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--time", "sent"], marks=pytest.mark.nightly),
        pytest.param(["--delta", "1h"], marks=pytest.mark.nightly),
        ["--time", "2", "--delta", "30min"],
    ],
)
def test_events_have_a_section_and_the_line_on_the_page_writes_it_again(triadic, messages, tmp_path, options):
    page = tmp_path / "page.html"
    outcome = triadic("report", messages, "-o", page, "--samples", "3", *options)
    assert (outcome.code, outcome.out, outcome.err) == (0, f"The report is in {page}\n", "")
    first = page.read_text(encoding="utf-8")
    assert "Events in time" in first
    words = shlex.split(unescape(re.search(r"<code>(.*?)</code>", first, re.DOTALL)[1]))
    assert words[-len(options) :] == options
    assert triadic(*words[1:]).code == 0
    assert without_run(page.read_text(encoding="utf-8")) == without_run(first)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--delta", "soon"], "delta='soon': expected a number, a timedelta or words"),
        (["--time", "sent", "--undirected"], "--undirected: timed events have directions"),
        (["--time", "sent", "--weights", "sent"], "--weights: timed events have directions and no weights"),
        (["--time", "when"], "when"),
    ],
)
def test_options_of_events_are_checked(triadic, messages, options, message):
    assert message in triadic("report", messages, *options).complaint
