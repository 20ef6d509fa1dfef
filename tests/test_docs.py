"""Pages agree with the code. The examples of the pages are tests, too; see conftest.py."""

from __future__ import annotations

import inspect
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import triadic
from triadic import errors, generate, plot
from triadic.counts.count import declared
from triadic.plot.canvas import DARK_COLOURS

_DOCS = Path(__file__).parents[1] / "docs"
_REFERENCE = _DOCS / "reference"


def _script(path):
    """Import a file that is not part of a package."""
    spec = spec_from_file_location(path.stem, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


identifier_of = _script(_DOCS / "hooks.py").identifier_of
with_absolute_links = _script(_DOCS.parent / "tools" / "package_metadata.py").with_absolute_links


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


def test_the_citation_has_the_version_and_the_date_of_the_last_release():
    root = _DOCS.parent
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    version = re.search(r"^version: (\d+\.\d+\.\d+)$", citation, re.MULTILINE)
    released = re.search(r"^date-released: (\d{4}-\d\d-\d\d)$", citation, re.MULTILINE)
    assert version
    assert released
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.findall(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", changelog, re.MULTILINE)
    if releases:
        assert (version[1], released[1]) == releases[0]
    elif triadic.__version__[0].isdigit() and not triadic.__version__.startswith("0+"):
        assert version[1] == re.match(r"[\d.]*\d", triadic.__version__)[0].removesuffix(".dev")


def test_links_of_the_readme_lead_to_the_repository_on_the_package_index():
    readme = (_DOCS.parent / "README.md").read_text(encoding="utf-8")
    shown = with_absolute_links(readme, "https://example.org/triadic", "v1.0.0")
    targets = re.findall(r"\]\(([^)]+)\)|src(?:set)?=\"([^\"]+)\"", shown)
    assert len(targets) > 20
    assert all(link.startswith("https://") for pair in targets for link in pair if link)
    assert "https://example.org/triadic/raw/v1.0.0/docs/figures/compare.svg" in shown


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_links_outside_the_site_lead_to_files_of_the_repository(page):
    text = (_DOCS.parent / page).read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text) + re.findall(r"src(?:set)?=\"([^\"]+)\"", text)
    assert [link for link in links if not (_DOCS.parent / link).exists()] == []


@pytest.mark.parametrize("module", [triadic, generate, plot, errors])
def test_names_under_see_also_are_in_the_reference(module):
    named = [
        (f"{module.__name__}.{owner}", name)
        for owner in dir(module)
        if not owner.startswith("_")
        for line in _see_also(getattr(module, owner))
        for name in line.partition(" : ")[0].split(", ")
    ]
    assert [(owner, name) for owner, name in named if identifier_of(name, owner) is None] == []


def _see_also(documented):
    """Return the lines of a docstring that name functions under See Also."""
    lines = (inspect.getdoc(documented) or "").splitlines()
    if "See Also" not in lines:
        return []
    section = lines[lines.index("See Also") + 2 :]
    end = next((i for i, line in enumerate(section) if set(line) == {"-"}), len(section) + 1)
    return [line for line in section[: end - 1] if line and not line.startswith(" ")]


@pytest.mark.parametrize("module", [triadic, generate, plot])
def test_the_reference_describes_every_parameter(module):
    functions = [getattr(module, name) for name in module.__all__ if name != "__version__"]
    missing = [
        f"{function.__name__}: {parameter}"
        for function in functions
        if callable(function)
        for parameter in _parameters(function)
        if not re.search(
            rf"^(.*, )?\*{{0,2}}{re.escape(parameter)}(, .*)? :.*\n +\S", inspect.getdoc(function) or "", re.MULTILINE
        )
    ]
    assert missing == []


def _parameters(function):
    try:
        return [name for name in inspect.signature(function).parameters if name not in ("self", "args", "kwargs")]
    except ValueError:
        return []


def test_figures_on_dark_pages_have_the_colours_of_plots_on_dark_backgrounds():
    style = (_DOCS / "extra.css").read_text(encoding="utf-8")
    assert re.findall(r"--plot-(\d): (#\w+);", style) == [(str(i), c) for i, c in enumerate(DARK_COLOURS, 1)]
