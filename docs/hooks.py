"""Hooks of mkdocs: add the pages of the studies, and clean the HTML of the reference."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from triadic_papers.studies.archive import read_archive
from triadic_papers.studies.report import archived_page

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

_RESULTS = Path(__file__).parents[1] / "papers" / "results"
_TYPE = re.compile(r"<code>[^<]*`[^<]*</code>")
_DASH_BEFORE_NOTHING = re.compile(r"\s*–\s*(?=</li>|<div class=\"doc-md-description\">\s*</div>)")
_SEE_ALSO = re.compile(r"(?<=<summary>See Also</summary>)\s*<p>(.*?)</p>", re.DOTALL)
_NEXT_NAME = re.compile(r"\n(?=[\w., ]+ : )")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each study in ``papers/results``, and its two source files."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - tests import this file without mkdocs

    for folder in sorted(_RESULTS.iterdir()):
        target = f"studies/{folder.name}"
        files.append(File.generated(config, f"{target}/index.html", content=_page(folder)))
        for name in ("results.csv", "summary.json"):
            files.append(File.generated(config, f"{target}/{name}", abs_src_path=str(folder / name)))
    return files


def on_page_content(html: str, **_: object) -> str:
    """Remove backquotes inside code and dashes without a description; begin a new line for each name in See Also."""
    html = _DASH_BEFORE_NOTHING.sub("", _TYPE.sub(lambda found: found[0].replace("`", ""), html))
    return _SEE_ALSO.sub(lambda found: _NEXT_NAME.sub("<br>\n", found[0]), html)


@cache
def _page(folder: Path) -> str:
    return archived_page(read_archive(folder))
