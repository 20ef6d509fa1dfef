"""Every example of README.md and of the pages in docs/ is run.

A page's examples run in order and share their names, in a folder where small networks stand in for the files that pages
read. ``<!-- skip: next "reason" -->`` above an example leaves it out.
"""

from __future__ import annotations

import gzip
import sysconfig
from typing import TYPE_CHECKING

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

from triadic.generate.import_network import import_network, write_imports

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = ["command_line", "shared_fixtures"]  # of tests/, for the tests of triadic_papers too

_STAND_INS = {
    "web-NotreDame.txt.gz": b"0 1\n1 2\n2 0\n2 3\n",
    "soc-sign-Slashdot090221.txt.gz": b"1 2 1\n2 3 -1\n3 1 -1\n",
}


@pytest.fixture(scope="session")
def folder_of_networks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with each file that pages read."""
    folder = tmp_path_factory.mktemp("networks")
    for name, content in _STAND_INS.items():
        (folder / name).write_bytes(gzip.compress(content))
    (folder / "demo").mkdir()
    write_imports(folder / "demo" / "imports.txt", import_network([sysconfig.get_path("stdlib")]))
    return folder


@pytest.fixture
def _there(folder_of_networks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder_of_networks)


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()],
    patterns=["README.md", "papers/README.md", "docs/*.md", "docs/*/*.md"],
    fixtures=["_there"],
).pytest()
