"""``triadic demo``: from this Python's modules to a table."""

from __future__ import annotations

import pyarrow.csv
import pytest

import triadic as library
from triadic.core import checked
from triadic.generate import import_network


@pytest.fixture
def few_modules(tmp_path, monkeypatch):
    """Let the demo find three modules that import each other, instead of thousands."""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "a.py").write_text("import b, c")
    (modules / "b.py").write_text("import c")
    (modules / "c.py").write_text("def f():\n    import a\n")
    find = import_network.import_network
    monkeypatch.setattr(import_network, "import_network", lambda **keywords: find([modules], **keywords))


@pytest.mark.usefixtures("few_modules")
def test_the_demo_writes_a_network_and_says_where(triadic, tmp_path):
    folder = tmp_path / "made" / "here"
    outcome = triadic("demo", "-o", folder)
    assert (outcome.code, outcome.err) == (0, "")
    assert str(folder / "imports.txt") in outcome.out
    assert "triadic clustering" in outcome.out
    assert outcome.out.splitlines()[-1] == f"The report is in {folder / 'report.html'}: open it in a browser."
    assert "<h1>imports</h1>" in (folder / "report.html").read_text(encoding="utf-8")
    graph = library.read(folder / "imports.txt")
    assert (graph.num_vertices, graph.num_edges, library.triangle_count(graph)) == (3, 3, 1)
    table = pyarrow.csv.read_csv(folder / "vertices.csv").to_pydict()
    assert dict(zip(table["label"], table["triangles"], strict=True)) == {"a": 1, "b": 1, "c": 1}


@pytest.mark.usefixtures("few_modules")
def test_a_file_with_the_name_of_the_folder_is_an_error(triadic, tmp_path):
    (tmp_path / "demo").write_text("in the way")
    assert str(tmp_path / "demo") in triadic("demo", "-o", tmp_path / "demo").complaint


@pytest.mark.usefixtures("few_modules")
def test_without_matplotlib_the_demo_writes_no_report(triadic, tmp_path, monkeypatch):
    monkeypatch.setattr(checked, "find_spec", lambda name: None)
    outcome = triadic("demo", "-o", tmp_path / "demo")
    assert outcome.code == 0
    assert "pip install 'triadic[report]'" in outcome.out.splitlines()[-1]
    assert (tmp_path / "demo" / "vertices.csv").exists()
