"""Hooks of mkdocs: pages of the studies, pictures for both colour schemes, and links in the reference."""

from __future__ import annotations

import os
import pkgutil
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from triadic_papers.studies.archive import read_archive
from triadic_papers.studies.report import archived_page

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_DOCS = Path(__file__).parent
_RESULTS = _DOCS.parent / "papers" / "results"
_SCALES = {"paper": "the papers' sizes", "small": "small networks"}
_TYPE = re.compile(r"<code>[^<]*`[^<]*</code>")
_DASH_BEFORE_NOTHING = re.compile(r"\s*–\s*(?=</li>|<div class=\"doc-md-description\">\s*</div>)")
_SEE_ALSO = re.compile(r"(?<=<summary>See Also</summary>)\s*<p>(.*?)</p>", re.DOTALL)
_NEXT_NAMES = re.compile(r"(?:^|\n)([\w., ]+?) : ")
_EXCEPTION = re.compile(r"<code>(\w+(?:Error|Warning))</code>")
_ENTRY = re.compile(r"^::: ([\w.]+)", re.MULTILINE)
_OBJECT = re.compile(r"<h\d id=\"([\w.]+)\"")
_PICTURE = re.compile(r"<img ([^>]*)src=\"([^\"]*?/?figures/)([\w-]+)\.(svg|png)\"([^>]*)>")
_BODY = re.compile(r"<body>\s*<h1>.*?</h1>(.*)</body>", re.DOTALL)
_FINDING = re.compile(r"^\*\*Finding\.\*\*.*?(?=\n\n)", re.DOTALL | re.MULTILINE)
_TABLES = '<div class="study"></div>'


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Link to the repository that the site is built from, where the environment of the build names it."""
    repository = os.environ.get("GITHUB_REPOSITORY")
    if repository and not config.repo_url:
        config.repo_url = f"{os.environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{repository}"
        config.repo_name = repository
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each study in ``papers/results``, and its two source files."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - tests import this file without mkdocs

    for folder in sorted(_RESULTS.iterdir()):
        files.append(File.generated(config, f"studies/{folder.name}.md", content=_study_page(folder)))
        for name in ("results.csv", "summary.json"):
            target = f"studies/{folder.name}/{name}"
            files.append(File.generated(config, target, abs_src_path=str(folder / name)))
    return files


def on_page_content(html: str, *, page: Page, **_: object) -> str:
    """Insert the tables of a study; choose pictures by colour scheme; mend and link what the reference shows."""
    source = page.file.src_uri
    if _TABLES in html:
        html = html.replace(_TABLES, f'<div class="study">{_tables(_RESULTS / Path(source).stem)}</div>')
    html = _PICTURE.sub(_for_both_schemes, html)
    if source.startswith("reference/"):
        html = _DASH_BEFORE_NOTHING.sub("", _TYPE.sub(lambda found: found[0].replace("`", ""), html))
        html = _EXCEPTION.sub(lambda found: _link(f"triadic.errors.{found[1]}", found[1]), html)
        html = linked_see_also(html)
    return html


def linked_see_also(html: str) -> str:
    """Return a page of the reference in which each name under See Also is a link, on a line of its own."""
    pieces, end = [], 0
    for section in _SEE_ALSO.finditer(html):
        before = _OBJECT.findall(html, 0, section.start())
        owner = before[-1] if before else ""
        pieces += [html[end : section.start()], f"<p>{_linked_names(section[1], owner)}</p>"]
        end = section.end()
    return "".join([*pieces, html[end:]])


def _linked_names(text: str, owner: str) -> str:
    lines = _NEXT_NAMES.sub(
        lambda found: "<br>\n" + ", ".join(_reference(name, owner) for name in found[1].split(", ")) + ": ", text
    )
    return lines.removeprefix("<br>\n")


def _reference(name: str, owner: str) -> str:
    identifier = identifier_of(name, owner)
    return f"<code>{name}</code>" if identifier is None else _link(identifier, name)


def _link(identifier: str, name: str) -> str:
    """Return a link that mkdocs-autorefs resolves."""
    return f'<autoref identifier="{identifier}" optional><code>{name}</code></autoref>'


def identifier_of(name: str, owner: str) -> str | None:
    """Return the full name of an object that the docstring of `owner` calls `name`, or None if it is not listed.

    Examples
    --------
    >>> identifier_of("rmat", "triadic.generate.grid"), identifier_of("Graph.subgraph", "triadic.k_truss")
    ('triadic.generate.rmat', 'triadic.Graph.subgraph')
    """
    listed = _listed()
    parents = owner.split(".")
    for depth in range(len(parents), -1, -1):
        full = ".".join([*parents[:depth], name])
        if full in listed or _is_member(full):
            return full
    return next((full for full in listed if full.endswith(f".{name}")), None)


def _is_member(full: str) -> bool:
    """Return whether a name is a method or an attribute of a class that the reference lists."""
    parent, _, name = full.rpartition(".")
    if parent not in _listed():
        return False
    try:
        found = pkgutil.resolve_name(parent)
    except ImportError:  # a class of an extra that is not installed, such as those of triadic.pyg
        return False
    return isinstance(found, type) and hasattr(found, name)


@cache
def _listed() -> tuple[str, ...]:
    """Return the full names of all objects that pages of the reference list."""
    pages = sorted((_DOCS / "reference").glob("*.md"))
    return tuple(name for page in pages for name in _ENTRY.findall(page.read_text(encoding="utf-8")))


def _for_both_schemes(found: re.Match[str]) -> str:
    """Return a picture twice, for light and dark pages, if docs/figures has it for both."""
    before, folder, name, suffix, after = found.groups()
    if not (_DOCS / "figures" / f"{name}-dark.{suffix}").exists():
        return found[0]
    return "".join(
        f'<img {before}src="{folder}{name}{ending}.{suffix}#only-{scheme}"{after}>'
        for ending, scheme in (("", "light"), ("-dark", "dark"))
    )


def _study_page(folder: Path) -> str:
    """Return the page of one measurement of a study: its finding, its data, and a place for the tables."""
    name, _, scale = folder.name.rpartition("-")
    study = (_DOCS / "studies" / f"{name}.md").read_text(encoding="utf-8")
    title = study.splitlines()[0].removeprefix("# ").removesuffix(", run again")
    finding = _FINDING.search(study)
    return f"""---
hide: [toc]
---
# {title}: measured tables, {_SCALES[scale]}

{finding[0] if finding else ""} [What holds, what does not, and why]({name}.md)

All runs: [results.csv]({folder.name}/results.csv); all cells: [summary.json]({folder.name}/summary.json).

{_TABLES}

[{title}]({name}.md) · [All studies](README.md)
"""


@cache
def _tables(folder: Path) -> str:
    body = _BODY.search(archived_page(read_archive(folder)))
    assert body is not None, folder  # noqa: S101 - papers/studies/page.html has a body
    return body[1]
