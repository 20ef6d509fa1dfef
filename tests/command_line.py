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
    """What a call of the command line gave."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line that a mistake gives."""
        assert self.code == 2
        assert self.out == ""
        assert self.err.startswith("triadic: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1
        return self.err.removeprefix("triadic: ").rstrip("\n")


@pytest.fixture
def triadic(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Call ``triadic`` with these words."""

    def call(*words: str | Path) -> Outcome:
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return call
