"""One HTML page of a study: what the paper printed beside what was measured; figures and style are inside it."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from triadic.errors import MissingExtraError
from triadic.io.whole_file import whole_file
from triadic.studies.machine import as_line
from triadic.studies.tables import shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from triadic.studies.figures import Figure
    from triadic.studies.results import Results
    from triadic.studies.study import Study
    from triadic.studies.tables import Comparison


def check_jinja() -> None:
    """Raise if no page can be made.

    Raises
    ------
    MissingExtraError
    """
    if find_spec("jinja2") is None:
        raise MissingExtraError("the page needs jinja2, which is not installed: pip install 'triadic[report]'")


def write_page(
    path: Path,
    study: Study,
    scale: str,
    results: Results,
    machines: dict[str, dict[str, Any]],
    comparisons: Sequence[Comparison],
    figures: Sequence[tuple[Figure, Path]],
) -> None:
    """Write the page.

    Parameters
    ----------
    path : Path
    study : Study
    scale : str
    results : Results
    machines : dict
        By key.
    comparisons : sequence of Comparison
    figures : sequence of (Figure, Path)
        Each with its SVG.

    Raises
    ------
    MissingExtraError, WriteError
    """
    check_jinja()
    import jinja2  # noqa: PLC0415 - an extra

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["shown"] = shown
    template = environment.from_string((files(__package__) / "page.html").read_text(encoding="utf-8"))
    text = template.render(
        study=study,
        scale=scale,
        machines={key: as_line(machine) for key, machine in machines.items()},
        comparisons=comparisons,
        figures=[
            (figure, _inline(svg.read_text(encoding="utf-8"), number)) for number, (figure, svg) in enumerate(figures)
        ],
        cells=results,
        differing=[each.cell for each in results if each.equal is False],
    )
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _inline(svg: str, number: int) -> str:
    """Take the SVG element out of its file, with ids of its own: a page has several."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r'\bid="', f'id="f{number}-', body)
    return re.sub(r'((?:xlink:)?href="|url\()#', rf"\1#f{number}-", body)
