"""Pages agree with the code. The examples of the pages are tests, too; see conftest.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import triadic
from triadic import generate, plot
from triadic.counts.count import declared

_DOCS = Path(__file__).parents[1] / "docs"
_REFERENCE = _DOCS / "reference"


@pytest.mark.parametrize("module", [triadic, generate, plot])
def test_every_public_name_is_in_the_reference(module):
    text = "\n".join(page.read_text(encoding="utf-8") for page in _REFERENCE.glob("*.md"))
    names = [f"{module.__name__}.{name}" for name in module.__all__ if name != "__version__"]
    assert not [name for name in names if not re.search(rf"\b{re.escape(name)}\b", text)]


def test_the_table_of_what_runs_where_is_what_counts_declare():
    page = (_DOCS / "explanation" / "blocks-and-devices.md").read_text(encoding="utf-8")
    table = [line for line in page.splitlines() if line.startswith("|")][2:]
    counts = [count for count in declared().values() if count.module.startswith("triadic.")]
    assert table == [
        f"| {count.name} | yes | {'no' if count.gpu is None else 'yes'} | "
        f"{'yes' if count.runs_over_tiles else f'no: {count.not_tiled}'} |"
        for count in counts
    ]


def test_no_example_of_a_docstring_asks_for_a_fixture_of_the_tests():
    sources = [*(_DOCS.parent / "src").rglob("*.py"), *(_DOCS.parent / "papers" / "src").rglob("*.py")]
    assert not [file.name for file in sources if "getfixture(" in file.read_text(encoding="utf-8")]
