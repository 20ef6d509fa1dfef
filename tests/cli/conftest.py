"""Files for the command line to read."""

from __future__ import annotations

import sys
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING

import pytest

from tiles_of_clusters import local_cluster
from triadic.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def printed_in_ascii(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that calls ``triadic``, and returns what it prints on a terminal without Unicode."""

    def call(*words: str | Path) -> str:
        printed = BytesIO()
        with monkeypatch.context() as patched, TextIOWrapper(printed, "ascii", errors="strict") as output:
            patched.setattr(sys, "stdout", output)
            assert main([str(word) for word in words]) == 0
            output.flush()
            return printed.getvalue().decode("ascii")

    return call


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a cluster of two workers in this process."""
    pytest.importorskip("distributed")
    with local_cluster(2, protocol="tcp") as workers:
        yield workers.scheduler_address


@pytest.fixture
def kite(tmp_path: Path) -> Path:
    """A triangle 1-2-3 with a tail 3-4, and beside it a loop and a repeat."""
    path = tmp_path / "kite.txt"
    path.write_text("1 2\n2 3\n1 3\n3 4\n4 4\n1 2\n")
    return path
