"""Draw the pictures, and replace the generated part of the page."""

from __future__ import annotations

from pathlib import Path

from growth import lines, pictures, tables
from triadic.io.temporary_files import whole_file

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"
_BEGIN, _END = "<!-- measured: begin -->", "<!-- measured: end -->"


def draw(results: Path, *, figures: Path | None = None, page: Path | None = None) -> None:
    """Draw all files of a folder of results.

    Parameters
    ----------
    results : Path
        Folder of the files.
    figures : Path, optional
        Folder of the pictures; by default that of the docs.
    page : Path, optional
        Page whose part between two comments is replaced; by default that of the docs.

    Raises
    ------
    SystemExit
        There are no measured points, or the page lacks the two comments.
    """
    found = lines.read(results)
    path = page or PAGE
    before, begin, rest = path.read_text(encoding="utf-8").partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise SystemExit(f"{path}: expected the comments {_BEGIN} and {_END}, between which the tables go")
    pictures.draw(found, figures)
    with whole_file(path) as temporary:
        temporary.write_text(f"{before}{_BEGIN}\n\n{tables.text(found)}\n\n{_END}{after}", encoding="utf-8")
