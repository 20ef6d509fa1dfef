"""Files for the command line to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def kite(tmp_path: Path) -> Path:
    """A triangle 1-2-3 with a tail 3-4, and beside it a loop and a repeat."""
    path = tmp_path / "kite.txt"
    path.write_text("1 2\n2 3\n1 3\n3 4\n4 4\n1 2\n")
    return path
