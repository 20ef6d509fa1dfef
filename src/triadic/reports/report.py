"""The function that writes a report of a network: an HTML page, rendered from its template."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.checked import check_extra, check_number, check_seed, check_whole
from triadic.core.graphlets import GRAPH_NAMES, GRAPHS_OF_FIVE
from triadic.errors import ArgumentError
from triadic.graph.temporal import TemporalGraph
from triadic.io.temporary_files import whole_file
from triadic.plot.canvas import check_matplotlib
from triadic.reports import tables
from triadic.reports.deviations import TRIAD_WORDS, findings_of, rows_of, subgraph_svg, triad_rows
from triadic.reports.figures import pictures
from triadic.reports.findings import find
from triadic.reports.network_picture import drawn_part
from triadic.reports.summary import estimated_rows, input_facts, provenance, random_network_facts, summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from numpy.typing import ArrayLike

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.events import Duration
    from triadic.measures.patterns.pattern import Pattern
    from triadic.null_models.constraints import Groups, Positions
    from triadic.reports.findings import Findings

MOST_SAMPLES = 1_000_000
_SUFFIXES = (".html", ".htm", "")
_PUNCTUATION = re.compile(r"([._/:@-]+)(?=\w)")


def report(
    graph: GraphLike | TemporalGraph,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    groups: Groups | None = None,
    positions: Positions | None = None,
    bins: int | ArrayLike | None = None,
    patterns: Sequence[str | Pattern] = (),
    delta: Duration | None = None,
    samples: int = 100,
    seed: int | None = None,
    size: int = 5,
    estimate: bool = False,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> None:
    """Write a report of a network as one HTML page, which needs no other file.

    The page begins with a summary and with the main findings: what the network has more or less often than random
    networks. It draws the network, or its densest part if it is large, and shows its degrees, components, clustering
    and graphlets, the reciprocity and the triads of a directed network, the most important vertices, and how everything
    was computed.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts, or TemporalGraph
        Network to report on. Of a `TemporalGraph`, the page shows the network of all events, events over time and a
        heat map of temporal motifs.
    path : path-like
        Where to write the page. A file that exists there is replaced when the new one is complete.
    title : str, optional
        Name of the network on the page; by default the name of the file without its suffix, and "The network" for a
        file called ``report``.
    groups : str, mapping, Series or table by label, or array_like, shape (n,), optional
        Group of each vertex: random networks have as many edges from each group to each group, as in
        `triadic.significance`.
    positions : sequence of str, mapping or table by label, or array_like, shape (n, 2) or (n, 3), optional
        Coordinates of the vertices: random networks have as many edges in each bin of length.
    bins : int or array_like, optional
        Number of bins of length, or the inner edges between them; by default 10 bins.
    patterns : sequence of str or Pattern, optional
        Patterns to count, to draw and to compare with random networks, such as ``["A -> B; B -> C; A -> C"]``.
    delta : number, timedelta, timedelta64 or str, optional
        Longest time from the first event of a temporal motif to the last, for a `TemporalGraph`; by default an hour, or
        a hundredth of the time from the first event to the last if that is less than an hour.
    samples : int, default 100
        Number of random networks of each comparison, at least 2: of triads, clustering and graphlets, as
        `triadic.significance` draws them, and of reciprocity; 0 draws none, and compares only triads, with their
        expectation under the null model U|MAN.
    seed : int, optional
        Seed of the random networks, from 0 to 2**64 - 1; by default a fresh seed is drawn. The page shows it.
    size : {5, 4}, default 5
        Number of vertices of the largest graphlets; 4 leaves the section on graphlets of five vertices out.
    estimate : bool, default False
        Estimate the graphlets from random draws, each within 1% or for ten seconds, and show their intervals as bars,
        in place of counting them and comparing them with random networks. Graphlets whose count would take longer than
        a minute are always estimated.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    device : str, default "auto"
        Device that counts, such as "cpu", "cuda" or "opencl:0"; "auto" chooses one for each count.
    progress : bool or callable, default False
        True shows a progress bar on standard error for each count; a callable is called as ``progress(done, total)``.

    Raises
    ------
    ArgumentError
        `samples` is 1, negative, not a whole number, or more than 1,000,000; `size` is not 4 or 5; `seed`, `threads` or
        `device` is not valid; `groups` or `positions` lacks a vertex, or has missing values; `delta` is no duration, or
        `graph` has no times; `path` has another suffix than .html or .htm.
    MissingExtraError
        jinja2 or matplotlib is not installed: ``pip install 'triadic[report]'``.
    UnsupportedError
        The graph is a `TiledGraph` or a `GraphBatch`.
    WriteError
        The page cannot be written.

    Warns
    -----
    DirectionWarning
        Nothing in the input states that the network is directed, and its arcs look undirected.

    Notes
    -----
    On a large network fewer random networks are drawn, so that all comparisons together take about a minute, and
    graphlets are estimated if they would take longer than that; the page then says so. Graphlets of five vertices are
    left out if they would take more than five seconds, and their random networks take at most a quarter of the
    minute. A page takes up to about a megabyte for a network of any size.

    References
    ----------
    R. Milo and others, *Network motifs: simple building blocks of complex networks*, Science 298, 824-827, 2002, for
    the comparison with random networks.
    P. W. Holland and S. Leinhardt, *Local structure in social networks*, Sociological Methodology 7, 1-45, 1976, for
    the null model U|MAN.

    Examples
    --------
    >>> from pathlib import Path
    >>> import triadic
    >>> triadic.report(triadic.generate.watts_strogatz(200, 6, 0.1, seed=1), "small-world.html", samples=0)
    >>> Path("small-world.html").read_text(encoding="utf-8").count("<figure")
    6
    """
    target = Path(path)
    check_page(target)
    samples, seed = check_samples(samples), check_seed(seed)
    check_number("size=", size, 4, 5)
    if not isinstance(graph, TemporalGraph):
        if delta is not None:
            raise ArgumentError(f"delta={delta!r}: expected a TemporalGraph, got a {type(graph).__name__}")
        graph = as_graph(graph, directions="unused")
    given = {"groups": groups, "positions": positions, "bins": bins}
    kept = {name: value for name, value in given.items() if value is not None}
    how: dict[str, Any] = {"delta": delta, "samples": samples, "seed": seed, "size": size, "estimate": estimate}
    how["device"] = device
    found = find(graph, **how, kept=kept, patterns=patterns, threads=threads, progress=progress)
    words = [f"{name}={name}" for name in kept]
    plain = {
        "title": title,
        "patterns": list(patterns) or None,
        **how,
        "size": size if size != 5 else None,
        "estimate": estimate or None,
    }
    words += [f"{name}={value!r}" for name, value in plain.items() if value is not None]
    default = "The network" if target.stem == "report" else target.stem
    repeat = f"triadic.report(graph, {', '.join([repr(str(target)), *words])})"
    write_page(target, found, title=default if title is None else title, repeat=repeat)


def check_samples(samples: int) -> int:
    """Return a number of samples that is 0 or at least 2, because one sample has no standard deviation.

    Raises
    ------
    ArgumentError
        The number is another one, or not a whole number.
    """
    return check_whole("samples", samples, 2 * (samples != 0), MOST_SAMPLES)


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
    WriteError
        The page cannot be written.
    """
    import jinja2  # noqa: PLC0415 - an extra

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["breakable"] = breakable
    folder = files(__package__)
    template = environment.from_string((folder / "page.html").read_text(encoding="utf-8"))
    graph, of_five, part = found.graph, found.graphlets_of_five, drawn_part(found)
    totals = {} if found.graphlets is None else found.graphlets.totals
    text = template.render(
        style=(folder / "style.css").read_text(encoding="utf-8"),
        title=title,
        repeat=repeat,
        found=found,
        tables=tables,
        summary=summary(title, found),
        findings=findings_of(found),
        part=part,
        pictures=pictures(found, part) if graph.num_edges else {},
        subgraph_svg=subgraph_svg,
        rows={of: rows_of(compared) for of, compared in found.compared.items()},
        triads=triad_rows(found),
        totals={name: totals[name] for name in GRAPH_NAMES[1:9] if totals},
        totals_of_five={name: of_five[name] for name in GRAPHS_OF_FIVE if of_five and of_five[name]},
        estimated_rows=estimated_rows(found.estimated),
        words=TRIAD_WORDS,
        input_facts=input_facts(graph),
        random_networks=random_network_facts(found),
        provenance=provenance(found, earlier or {}),
        sections=_sections(found),
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


def _sections(found: Findings) -> dict[str, str]:
    """Return the headings of the sections of the page by their ids."""
    graph, edges = found.graph, found.graph.num_edges > 0
    # Graphlets of five vertices were not asked for, or the section on graphlets says why they are missing.
    of_five = found.graphlets_of_five is not None or "counts of graphlets5" in found.left_out
    sections: dict[str, tuple[str, object]] = {
        "network": ("Picture of the network", edges),
        "degrees": ("Degrees", edges),
        "components": ("Components", True),
        "columns": ("Columns", tables.column_summaries(graph)),
        "events": ("Events in time", edges and found.events),
        "reciprocity": ("Reciprocity", edges and graph.directed),
        "clustering": ("Clustering", edges),
        "weights": ("Weights", edges and graph.is_weighted),
        "triads": ("Triads", edges and graph.directed),
        "patterns": ("Patterns", edges and found.patterns),
        "graphlets": ("Graphlets", edges),
        "graphlets5": ("Graphlets of five vertices", edges and of_five),
        "vertices": ("Most important vertices", edges),
        "method": ("How it was computed", True),
    }
    return {name: heading for name, (heading, there) in sections.items() if there}
