"""The HTML page of a study: the paper's tables next to the measured ones; figures and style are embedded."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from triadic.core.checked import check_extra
from triadic.plot.canvas import DARK_COLOURS, follow_text_colour, inline_svg
from triadic_papers.studies.machine import machine_line
from triadic_papers.studies.tables import PREDICTED, format_entry

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from triadic_papers.studies.figures import Figure
    from triadic_papers.studies.results import Results
    from triadic_papers.studies.study import Study
    from triadic_papers.studies.tables import Comparison, Entry, Table


def check_jinja() -> None:
    """Raise an error if the page cannot be written.

    Raises
    ------
    MissingExtraError
        jinja2 is not installed.
    """
    check_extra("jinja2", "report", "the page needs")


def render_page(
    study: Study,
    scale: str,
    results: Results,
    machines: dict[str, dict[str, Any]],
    comparisons: Sequence[Comparison],
    figures: Sequence[tuple[Figure, Path]],
) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    study : Study
    scale : str
    results : Results
    machines : dict
        Descriptions of the machines by key.
    comparisons : sequence of Comparison
    figures : sequence of (Figure, Path)
        Each figure with its SVG file.

    Raises
    ------
    MissingExtraError
        jinja2 is not installed.
    """
    check_jinja()
    import jinja2  # noqa: PLC0415 - an extra

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["shown"] = format_entry
    environment.filters["words"] = _columns_of_words
    environment.filters["is_words"] = _is_words
    template = environment.from_string((files(__package__) / "page.html").read_text(encoding="utf-8"))
    return template.render(
        study=study,
        scale=scale,
        machines={key: machine_line(machine) for key, machine in machines.items()},
        comparisons=comparisons,
        figures=[
            (figure, _follow_page(inline_svg(svg.read_text(encoding="utf-8"), f"f{number}-")))
            for number, (figure, svg) in enumerate(figures)
        ],
        dark_colours=DARK_COLOURS,
        predicted=any(
            _is_predicted(entry) for comparison in comparisons for row in comparison.measured.rows for entry in row
        ),
        cells=results,
        ran_on={key: results.where(machine=key).completed.unique("device") for key in machines},
        differing=[result.cell for result in results if result.equal is False],
    )


def _follow_page(svg: str) -> str:
    """Return a figure on a transparent background, whose colours a light or a dark page chooses."""
    return follow_text_colour(svg.replace("fill: #ffffff", "fill: none"))


def _columns_of_words(table: Table) -> set[int]:
    """Return the indices of the columns after the first that contain text."""
    return {i for row in table.rows for i, entry in enumerate(row) if i and _is_words(entry)}


def _is_words(entry: Entry) -> bool:
    return isinstance(entry, str) and not _is_predicted(entry)


def _is_predicted(entry: Entry) -> bool:
    return isinstance(entry, str) and entry.startswith(f"({PREDICTED}")
