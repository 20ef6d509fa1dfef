"""The import network: names, targets of import statements, and files that are not Python."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from triadic.errors import ArgumentError, WriteError
from triadic.generate import import_network as module
from triadic.generate.import_network import import_network, write_imports


def network(folder, **files):
    """Write files, with dots in names as folders, and return their import network as pairs of names."""
    for name, text in files.items():
        path = folder / (name.replace("__in__", "__init__").replace(".", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return pairs(import_network([folder]))


def pairs(arcs):
    return {(arcs.labels[u], arcs.labels[v]) for u, v in zip(arcs.source, arcs.target, strict=True)}


def imported(folder, text, **files):
    """Return the modules that the module `reader` imports."""
    known = dict.fromkeys(("a", "b", "c", "p.__init__", "p.inner", "p.deep.__init__", "p.deep.core"), "")
    found = network(folder, **{**known, **files, "reader": text})
    return {target for source, target in found if source == "reader"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import a", {"a"}),
        ("import a, b as x, c", {"a", "b", "c"}),
        ("import a; import b;from c import x", {"a", "b", "c"}),
        ("import p.deep.core as core", {"p.deep.core"}),
        ("import p.deep.missing", {"p.deep"}),
        ("from p import inner, nothing", {"p.inner", "p"}),
        ("from p.inner import *", {"p.inner"}),
        ("from p.deep import (\n  core,  # a comment with )\n  other,\n)", {"p.deep.core", "p.deep"}),
        ("from a import x, \\\n  y\nimport b", {"a", "b"}),
        ("def f():\n    import a\n    if b: from c import x", {"a", "c"}),
        ("try: import a\nexcept ImportError: import b", {"a", "b"}),
        ("import a # import b", {"a"}),
        ('"""\nimport a\n"""\nimport b', {"b"}),
        ("x = '''\nimport a\n''' ; import b", {"b"}),
        ('x = "\\"\\\nimport a"\nimport b', {"b"}),
        ("r'''\\''' '''\nimport a", {"a"}),
        ("raise ValueError(1) \\\n    from a", set()),
        ("def g():\n    yield (\n    from_a)\nimportant = 1\nimport_ = 2", set()),
        ("import missing, missing.too", set()),
        ("import reader", set()),
        ("from . import a", set()),
        ("", set()),
        (b"\xef\xbb\xbfimport a\r\nimport b\r\n", {"a", "b"}),
        (b"# \xff\xfe\nimport a", {"a"}),
        ("print 'python 2'\nimport a\ndef", {"a"}),
        ("import\nimport a\nfrom import b\nimport c", {"a", "c"}),
        (b"\x00\x01import\x00 a", set()),
    ],
)
def test_an_import_statement_leads_to_the_innermost_module_that_exists(tmp_path, text, expected):
    assert imported(tmp_path, text) == expected


def test_dots_lead_to_the_enclosing_packages(tmp_path):
    found = network(
        tmp_path,
        **{
            "p.__init__": "from . import inner",
            "p.inner": "from .deep import core\nfrom ... import beyond",
            "p.deep.__init__": "from .core import x\nfrom . import y",
            "p.deep.core": "from ..inner import z\nfrom .. import deep\nfrom . import w",
        },
    )
    assert found == {
        ("p", "p.inner"),
        ("p.inner", "p.deep.core"),
        ("p.deep", "p.deep.core"),
        ("p.deep.core", "p.inner"),
        ("p.deep.core", "p.deep"),
    }


def test_a_folder_without_init_is_a_namespace(tmp_path):
    assert network(tmp_path, **{"space.one": "from space import two", "space.two": ""}) == {("space.one", "space.two")}


def test_extension_modules_are_vertices_and_tests_are_not(tmp_path):
    suffix = module.EXTENSION_SUFFIXES[0]
    (tmp_path / f"fast{suffix}").write_bytes(b"import slow")
    (tmp_path / "not-a-module.py").write_text("import fast")
    found = network(tmp_path, slow="import fast", **{"tests.x": "import fast", "p.test.y": "import fast"})
    assert found == {("slow", "fast")}
    assert import_network([tmp_path]).labels.tolist() == ["fast", "slow"]


def test_a_module_is_taken_from_the_first_folder_that_has_it(tmp_path):
    for name, text in (("first", "import b"), ("second", "import c")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text(text)
        (tmp_path / name / "b.py").write_text("")
        (tmp_path / name / "c.py").write_text("")
    assert pairs(import_network([tmp_path / "first", tmp_path / "second"])) == {("a", "b")}


def test_an_empty_folder_has_no_vertices(tmp_path):
    arcs = import_network([tmp_path])
    assert (arcs.vertices, len(arcs), arcs.directed) == (0, 0, True)


def test_parsing_single_statements_finds_the_same_imports_as_parsing_whole_files():
    standard = Path(sysconfig.get_path("stdlib"))
    files = [
        file for name in ("asyncio", "email", "importlib", "json", "xml") for file in (standard / name).rglob("*.py")
    ]
    files += sorted(standard.glob("[a-e]*.py"))
    assert len(files) > 50
    for file in files:
        text = file.read_bytes()
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(text)
        expected = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        cut = module._statements(text)
        found = [alias for statement in cut for alias in module._parse(statement)]
        assert sorted(found) == sorted(
            (0, alias.name, "") if isinstance(node, ast.Import) else (node.level, node.module or "", alias.name)
            for node in expected
            for alias in node.names
        ), file


@pytest.mark.parametrize(
    "packages",
    [
        {"json", "os", "numpy", "networkx", "concurrent", "asyncio", "email"},
        pytest.param(None, marks=pytest.mark.nightly, id="all packages"),
    ],
)
def test_the_running_python_has_an_import_network(monkeypatch, packages):
    """Of all folders of the installation, and in the nightly run also of all packages in them."""
    if packages is not None:
        every = module._modules
        monkeypatch.setattr(
            module, "_modules", lambda root: ((n, file) for n, file in every(root) if n.partition(".")[0] in packages)
        )
    seen = []
    arcs = import_network(progress=lambda done, total: seen.append((done, total)))
    found = pairs(arcs)
    assert {("json.decoder", "json.scanner"), ("os", "sys"), ("numpy", "numpy.linalg")} <= found
    assert arcs.vertices > 500
    assert arcs.labels.tolist() == sorted(set(arcs.labels))
    assert not np.any(arcs.source == arcs.target)
    assert len(found) == len(arcs)
    assert seen[0] == (0, arcs.vertices)
    assert seen[-1] == (arcs.vertices, arcs.vertices)


def test_the_edge_list_names_importer_and_imported(tmp_path):
    network(tmp_path, a="import b, c", b="import c", c="", d="")
    path = tmp_path / "imports.tsv"
    write_imports(path, import_network([tmp_path]))
    lines = path.read_text().splitlines()
    assert "# Nodes: 4 Edges: 3" in lines
    read = nx.read_edgelist(path, create_using=nx.DiGraph, delimiter="\t")
    assert set(read.edges) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert [file.name for file in tmp_path.iterdir() if "partial" in file.name] == []


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path):
    with pytest.raises(ArgumentError, match="nowhere"):
        import_network([tmp_path / "nowhere"])
    with pytest.raises(WriteError, match="nowhere"):
        write_imports(tmp_path / "nowhere" / "imports.tsv", import_network([tmp_path]))
