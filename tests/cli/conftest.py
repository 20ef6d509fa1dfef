"""The command line, called in this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from triadic.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Outcome:
    """Exit code and output of a call of the command line."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on standard error that an error prints."""
        assert self.code == 2
        assert self.out == ""
        assert self.err.startswith("triadic: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1
        return self.err.removeprefix("triadic: ").rstrip("\n")


@pytest.fixture
def triadic(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Call ``triadic`` with arguments."""

    def call(*words: str | Path) -> Outcome:
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return call


@pytest.fixture
def kite(tmp_path: Path) -> Path:
    """A triangle 1-2-3 with a tail 3-4, and beside it a loop and a repeat."""
    path = tmp_path / "kite.txt"
    path.write_text("1 2\n2 3\n1 3\n3 4\n4 4\n1 2\n")
    return path
