"""The reference has every public name. The examples of the pages are tests, too; see conftest.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import triadic
from triadic import generate, plot

_REFERENCE = Path(__file__).parents[1] / "docs" / "reference"


@pytest.mark.parametrize("module", [triadic, generate, plot])
def test_every_public_name_is_in_the_reference(module):
    text = "\n".join(page.read_text(encoding="utf-8") for page in _REFERENCE.glob("*.md"))
    names = [f"{module.__name__}.{name}" for name in module.__all__ if name != "__version__"]
    assert not [name for name in names if not re.search(rf"\b{re.escape(name)}\b", text)]
