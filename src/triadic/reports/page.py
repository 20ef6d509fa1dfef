"""The HTML page of a report, rendered from its template."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from triadic.core.extras import check_extra
from triadic.io.whole_file import whole_file
from triadic.plot.canvas import check_matplotlib
from triadic.reports import tables
from triadic.reports.figures import pictures
from triadic.reports.provenance import provenance
from triadic.reports.triad_svg import triad_svg

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from triadic.reports.findings import Findings


def check_packages() -> None:
    """Raise MissingExtraError if jinja2 or matplotlib is not installed."""
    check_extra("jinja2", "report", "a report needs")
    check_matplotlib()


def write_page(
    path: Path, found: Findings, *, title: str, repeat: str, earlier: Mapping[str, float] | None = None
) -> None:
    """Write the page of a network; the file appears when it is complete.

    Parameters
    ----------
    path : Path
    found : Findings
    title : str
        Name of the network.
    repeat : str
        Command or call that makes the page again.
    earlier : mapping of str to float, optional
        Seconds that reading the network took, by step.

    Raises
    ------
    MissingExtraError
        jinja2 or matplotlib is not installed.
    WriteError
        The page cannot be written.
    """
    check_packages()
    import jinja2  # noqa: PLC0415 - an extra

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.globals["triad_svg"] = triad_svg
    template = environment.from_string((files(__package__) / "page.html").read_text(encoding="utf-8"))
    text = template.render(
        title=title,
        graph=found.graph,
        headline=tables.headline(found),
        dropped=tables.dropped(found.graph),
        pictures=pictures(found),
        census=tables.census_rows(found),
        sampled=found.significance is not None,
        samples=found.samples,
        resolution=0.0 if found.significance is None else found.significance.resolution,
        lists=[
            ("Most triangles", "", tables.most_triangles(found)),
            (
                "Highest clustering",
                "Vertices with equal coefficients are sorted by degree.",
                tables.highest_clustering(found),
            ),
        ],
        left_out=found.left_out,
        provenance=provenance(found, earlier or {}),
        repeat=repeat,
    )
    with whole_file(path) as temporary:
        # The name of a file may contain bytes that are not valid text.
        temporary.write_text(text, encoding="utf-8", errors="replace")
