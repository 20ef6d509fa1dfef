"""Run every Python example of README.md, of the pages in docs/ and of docstrings as a test.

The examples of a page run in order and share their variables, in a folder with small networks under the names of the
files that the pages read. ``<!-- skip: next "reason" -->`` above an example skips it, and
``<!-- skip: start if(not installed("package"), reason="...") -->`` skips those until ``<!-- skip: end -->`` where a
package is missing. The example of a docstring runs in an empty folder of its own, so that it can write and read files
by their names.
"""

from __future__ import annotations

import gc
import gzip
import signal
import sys
import sysconfig
from importlib.util import find_spec
from itertools import zip_longest
from typing import TYPE_CHECKING

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

from triadic.generate.import_network import import_network, write_imports
from triadic.io import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from triadic.io import Format

pytest_plugins = [
    "browser_pages",
    "command_line",
    "kernel_types",
    "s3_server",
    "shared_fixtures",
]  # in tests/; the tests of triadic_papers use them, too

# Modules that cannot be imported without their package, and pages with examples of them.
_NEED = {
    "torch_geometric": ["src/triadic/pyg/transforms.py"],
    "dotmotif": ["src/triadic/dotmotif.py", "docs/how-to/dotmotif.md"],
    "sklearn": ["src/triadic/features.py", "docs/how-to/encodings.md"],
}
collect_ignore = [path for package, paths in _NEED.items() if not find_spec(package) for path in paths]
collect_ignore_glob = ["tests/roles/*"]  # scripts that tests/test_roles.py runs

_SMALL_NETWORKS = {
    "CollegeMsg.txt.gz": b"1 2 1082040961\n2 1 1082041561\n1 3 1082041961\n3 1 1082414391\n1 2 1082414591\n",
    "web-NotreDame.txt.gz": b"0 1\n1 2\n2 0\n2 3\n",
    "soc-sign-Slashdot090221.txt.gz": b"1 2 1\n2 3 -1\n3 1 -1\n",
}


def pytest_sessionstart() -> None:
    """Let tests interrupt themselves, also if a shell has started them in the background, where Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let the files of the first and of the second half of all tests take turns, if two processes run the tests.

    Neighbouring files call the same kernels, which two processes would otherwise compile at the same time.
    """
    if not hasattr(config, "workerinput"):  # no process of pytest-xdist
        return
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    halves: tuple[list[list[pytest.Item]], list[list[pytest.Item]]] = ([], [])
    before = 0
    for tests in files.values():
        halves[2 * before >= len(items)].append(tests)
        before += len(tests)
    items[:] = [item for pair in zip_longest(*halves, fillvalue=[]) for tests in pair for item in tests]


def _forget_garbage() -> None:
    """Collect the garbage, and let later collections pass over all that is left.

    Twelve thousand tests and the compiler's objects are many: each collection of a test that asks for one, or of a
    library that does, would walk through them for a second.
    """
    gc.collect()
    gc.freeze()


def pytest_collection_finish() -> None:
    """Forget the garbage of collection."""
    _forget_garbage()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Forget the garbage of a file after its last test."""
    yield
    if nextitem is not None and nextitem.path != item.path:
        _forget_garbage()


@pytest.fixture(scope="session")
def folder_of_networks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with the files that the pages read."""
    folder = tmp_path_factory.mktemp("networks")
    for name, content in _SMALL_NETWORKS.items():
        (folder / name).write_bytes(gzip.compress(content))
    (folder / "demo").mkdir()
    write_imports(folder / "demo" / "imports.txt", import_network([sysconfig.get_path("stdlib")]))
    return folder


@pytest.fixture
def _in_folder_of_networks(folder_of_networks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder_of_networks)


@pytest.fixture(autouse=True)
def _empty_folder_for_docstrings(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(request.getfixturevalue("tmp_path"))


@pytest.fixture(autouse=True)
def _closed_figures(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the figures of a docstring: matplotlib warns of more than twenty in a process."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None and isinstance(request.node, pytest.DoctestItem):
        pyplot.close("all")


def _enter_page(namespace: dict[str, object]) -> None:
    namespace["_formats"] = dict(FORMATS)
    namespace["installed"] = find_spec  # for conditions of skip


def _leave_page(namespace: dict[str, dict[str, Format]]) -> None:
    """Remove the formats that a page has registered, which other tests would read and write, and close its figures."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
    FORMATS.clear()
    FORMATS.update(namespace["_formats"])


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()],
    patterns=["README.md", "papers/README.md", "docs/*.md", "docs/*/*.md"],
    fixtures=["_in_folder_of_networks"],
    setup=_enter_page,
    teardown=_leave_page,
).pytest()
