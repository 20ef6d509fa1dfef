"""The HTML page of a report, rendered from its template."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from triadic.core.checked import check_extra
from triadic.core.graphlets import GRAPH_NAMES, GRAPHS_OF_FIVE
from triadic.errors import ArgumentError
from triadic.io.temporary_files import whole_file
from triadic.plot.canvas import check_matplotlib
from triadic.reports import tables
from triadic.reports.deviations import findings_of, rows_of, triad_rows
from triadic.reports.events import event_facts
from triadic.reports.figures import pictures
from triadic.reports.network_picture import drawn_part
from triadic.reports.subgraphs import TRIAD_WORDS, subgraph_svg
from triadic.reports.summary import estimated_rows, input_facts, provenance, random_network_facts, summary

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from triadic.reports.findings import Findings

_SUFFIXES = (".html", ".htm", "")
_PUNCTUATION = re.compile(r"([._/:@-]+)(?=\w)")


def check_page(path: Path) -> None:
    """Raise an error if jinja2 or matplotlib is not installed, or the name of the page says that it is no HTML."""
    check_extra("jinja2", "report", "a report needs")
    check_matplotlib()
    if path.suffix.lower() not in _SUFFIXES:
        raise ArgumentError(f"{path}: a report is a page of HTML; expected a name that ends in .html or .htm")


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
    ArgumentError
        The name of the page has another suffix than .html or .htm.
    MissingExtraError
        jinja2 or matplotlib is not installed.
    WriteError
        The page cannot be written.
    """
    check_page(path)
    import jinja2  # noqa: PLC0415 - an extra

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.globals["subgraph_svg"] = subgraph_svg
    environment.filters["breakable"] = breakable
    folder = files(__package__)
    template = environment.from_string((folder / "page.html").read_text(encoding="utf-8"))
    text = template.render(
        style=(folder / "style.css").read_text(encoding="utf-8"),
        title=title,
        repeat=repeat,
        **_contents(found, title, earlier or {}),
    )
    with whole_file(path) as temporary:
        # The name of a file may contain bytes that are not valid text.
        temporary.write_text(text, encoding="utf-8", errors="replace")


def breakable(name: str) -> str:
    """Return a name as HTML whose lines end after punctuation rather than within a word.

    Examples
    --------
    >>> breakable("xml.etree & <co>")
    'xml.<wbr>etree &amp; &lt;co&gt;'
    """
    return _PUNCTUATION.sub(r"\1<wbr>", escape(name))


def _contents(found: Findings, title: str, earlier: Mapping[str, float]) -> dict[str, Any]:
    """Return the variables of the template that come from the network."""
    graph, counts, of_five = found.graph, found.graphlets, found.graphlets_of_five
    shown = ("graph", "events", "compared", "estimated", "left_out", "requested")
    contents = {name: getattr(found, name) for name in shown} | {
        "summary": summary(title, found),
        "headline": tables.headline(found),
        "findings": findings_of(found),
        "part": drawn_part(found),
        "degrees": tables.degree_facts(found) if graph.num_edges else [],
        "components": tables.component_rows(found),
        "columns": tables.column_summaries(graph),
        "weights": tables.weight_facts(found) if graph.num_edges else [],
        "event_facts": [] if found.events is None else event_facts(found.events),
        "rows": {of: rows_of(compared) for of, compared in found.compared.items()},
        "triads": triad_rows(found),
        "totals": {} if counts is None else {name: counts.totals[name] for name in GRAPH_NAMES[1:9]},
        "totals_of_five": {} if of_five is None else {name: of_five[name] for name in GRAPHS_OF_FIVE if of_five[name]},
        "estimated_rows": [] if found.estimated is None else estimated_rows(found.estimated),
        "words": TRIAD_WORDS,
        "lists": tables.vertex_lists(found),
        "input_facts": input_facts(graph),
        "random_networks": random_network_facts(found),
        "provenance": provenance(found, earlier),
    }
    contents["pictures"] = pictures(found, contents["part"], contents["estimated_rows"]) if graph.num_edges else {}
    return {**contents, "sections": _sections(found, contents)}


def _sections(found: Findings, contents: Mapping[str, Any]) -> dict[str, str]:
    """Return the headings of the sections of the page by their ids."""
    sections = {
        "network": "Picture of the network",
        "degrees": "Degrees",
        "components": "Components",
        "columns": "Columns",
        "events": "Events in time",
        "reciprocity": "Reciprocity",
        "clustering": "Clustering",
        "weights": "Weights",
        "triads": "Triads",
        "graphlets": "Graphlets",
        "graphlets5": "Graphlets of five vertices",
        "vertices": "Most important vertices",
        "method": "How it was computed",
    }
    without = set() if found.graph.directed else {"reciprocity", "triads"}
    if found.graphlets_of_five is None and "counts of graphlets5" not in found.left_out:
        without.add("graphlets5")  # they were not asked for, or the section on graphlets says why they are missing
    if not found.graph.num_edges:
        without = set(sections) - {"components", "columns", "method"}
    without |= {name for name in ("columns", "events", "weights") if not contents[name]}
    return {name: heading for name, heading in sections.items() if name not in without}
