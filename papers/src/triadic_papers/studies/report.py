"""The files that a study writes from its results: runs, summary, figures, page."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from triadic.errors import MissingExtraError
from triadic.io.temporary_files import whole_file
from triadic.plot.canvas import check_matplotlib
from triadic_papers.studies.figures import draw
from triadic_papers.studies.page import check_jinja, render_page
from triadic_papers.studies.summary import write_runs, write_summary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic_papers.studies.archive import Archive
    from triadic_papers.studies.folder import ResultFolder
    from triadic_papers.studies.study import Study


def missing_packages() -> list[str]:
    """Return a message for each missing package that figures or page need."""
    complaints = []
    for check in (check_matplotlib, check_jinja):
        try:
            check()
        except MissingExtraError as error:
            complaints.append(str(error))
    return complaints


def write_report(
    folder: ResultFolder, study: Study, order: Sequence[str], *, show: Callable[[str], object] = lambda _: None
) -> list[str]:
    """Write runs, summary, figures and page for all results in the folder.

    Parameters
    ----------
    folder : ResultFolder
    study : Study
    order : sequence of str
        Names of the cells, in order.
    show : callable, optional
        Called with a description of each step.

    Returns
    -------
    list of str
        Names of the cells whose algorithm did not return the engine's result.
    """
    results = folder.results(order)
    machines = folder.machines()
    write_runs(folder.path / "results.csv", study, folder.scale, results)
    write_summary(folder.path / "summary.json", study, folder.scale, results, machines)
    drawn = []
    if not _is_missing(check_matplotlib):
        for figure in study.figures(results):
            if not figure.is_empty:
                show(f"draws {figure.name}")
                draw(figure, folder.path / "figures")
                drawn.append((figure, folder.path / "figures" / f"{figure.name}.svg"))
    if not _is_missing(check_jinja):
        page = render_page(study, folder.scale, results, machines, study.comparisons(results), drawn)
        with whole_file(folder.path / "index.html") as temporary:
            temporary.write_text(page, encoding="utf-8")
    return [result.cell for result in results if result.equal is False]


def archived_page(archive: Archive) -> str:
    """Return the page of a finished study, with its figures, as HTML.

    Raises
    ------
    MissingExtraError
        matplotlib or jinja2 is not installed.
    """
    study, results = archive.study, archive.results
    with TemporaryDirectory(prefix="triadic-figures-") as name:
        folder = Path(name)
        figures = [figure for figure in study.figures(results) if not figure.is_empty]
        for figure in figures:
            draw(figure, folder, ("svg",))
        drawn = [(figure, folder / f"{figure.name}.svg") for figure in figures]
        return render_page(study, archive.scale, results, archive.machines, study.comparisons(results), drawn)


def _is_missing(check: Callable[[], None]) -> bool:
    try:
        check()
    except MissingExtraError:
        return True
    return False
