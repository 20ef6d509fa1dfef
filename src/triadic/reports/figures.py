"""The plots of a report, as SVG with titles and captions."""

from __future__ import annotations

from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from triadic.core.triad_types import TRIAD_NAMES
from triadic.measures.clustering import spectrum_of
from triadic.measures.patterns.pattern import Pattern
from triadic.measures.significance.result import Significance
from triadic.plot import distributions, dots, motif_heat_map, profile
from triadic.plot.canvas import SIZE, check_matplotlib, svg_of
from triadic.plot.patterns import PATTERN_SIZE
from triadic.reports import events, network_picture
from triadic.reports.deviations import rows_of
from triadic.reports.tables import format_score

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.measures.census import TriadCensus
    from triadic.reports.events import EventFindings
    from triadic.reports.findings import Findings
    from triadic.reports.network_picture import Part

_PROFILE_OF_FIVE = (4.6, 4.4)  # inches; names of five vertices are long


class Picture(NamedTuple):
    """A plot on the page, with its title and caption."""

    title: str
    caption: str
    svg: str


def pictures(found: Findings, part: Part | None) -> dict[str, list[Picture]]:
    """Return the plots of a network with edges, by the section of the page that they belong to.

    Parameters
    ----------
    found : Findings
    part : Part or None
        Vertices to draw.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    """
    check_matplotlib()
    text = "Share of vertices with at least k neighbours."
    draw = distributions.degree_distribution
    plots = {"degrees": [_picture("degree", "Degree distribution", text, draw, found.degree)]}
    if part is not None:
        draw_part = partial(network_picture.draw_network, found)
        drawn = _picture("network", "Network", part.caption, draw_part, part.vertices)
        plots["network"] = [drawn._replace(svg=network_picture.for_page(drawn.svg, found, part.vertices))]
    if found.triangles.any():
        plots["clustering"] = [
            _picture(
                "spectrum",
                "Clustering by degree",
                "Mean local clustering coefficient of the vertices of each degree; it shows whether hubs, too, have "
                "dense neighbourhoods.",
                distributions.clustering_spectrum,
                spectrum_of(found.triangles, found.degree),
            ),
            _picture(
                "local",
                "Local clustering",
                "Distribution of the local clustering coefficient, the share of pairs of neighbours of a vertex that "
                "are joined.",
                distributions.local_clustering,
                found.clustering[found.degree > 1],
            ),
        ]
    if found.intensity is not None and found.triangles.any():
        shown = found.compared.get("intensity", found.intensity)
        text = "of the closed triads of each type, in the mean."
        if "intensity" in found.compared:
            text = "of the closed triads of each type, on bars that cover the middle 95% of the random networks."
        plots["weights"] = [
            _picture(of, of.title(), f"{of.title()} {text}", partial(dots.intensity, of=of), shown)
            for of in ("intensity", "coherence")
        ]
    plots["patterns"] = [
        _picture(f"pattern{place}", pattern.text, f"{count:,} subgraphs.", Pattern.draw, pattern, PATTERN_SIZE)
        for place, (pattern, count) in enumerate(found.patterns.items())
    ]
    if (census := found.census) is not None:
        text = "Number of triples of vertices of each of the sixteen types, on a logarithmic axis."
        plots["triads"] = [
            _profile("profile", "connected triads", found.compared.get("triads", census)),
            _picture("census", "Triad census", text, dots.triad_census, census, dots.SIZE_OF_CENSUS),
        ]
    for of, counts in (("graphlets", found.graphlets), ("graphlets5", found.graphlets_of_five)):
        if counts is None:
            continue
        five, compared = of == "graphlets5", found.compared.get(of)
        plots[of] = []
        if compared is not None:
            what = "graphlets of five vertices" if five else "graphlets"
            plots[of].append(_profile(f"{of}-profile", what, compared, _PROFILE_OF_FIVE if five else profile.SIZE))
        title = "Graphlets of up to five vertices" if five else "Graphlets"
        text = f"Numbers of the graphs of three {'to five' if five else 'or four'} vertices, as induced subgraphs."
        size = dots.SIZE_OF_FIVE if five else SIZE
        plots[of].append(_picture(of, title, text, dots.graphlet_totals, counts, size))
    if found.events is not None:
        plots["events"] = _events(found.events)
    return plots


def _events(found: EventFindings) -> list[Picture]:
    text = (
        f"Number of triples of events within {found.delta} that form each motif. Rows are the second event, "
        "columns the third; stronger colours are larger counts."
    )
    draw, size = motif_heat_map.temporal_motifs, motif_heat_map.SIZE
    plots = [_picture("motifs", "Temporal motifs", text, draw, found.motifs, size)]
    if (compared := found.compared) is not None:
        text = (
            f"z-scores of the motifs, compared with {len(compared.samples):,} shuffles of the times among all events."
        )
        plots.append(_picture("motif-scores", "Temporal motifs and shuffled times", text, draw, compared, size))
    if found.periods is not None:
        window = events.window_in_words(found)
        text = f"Share of paths of length two that are closed, among the events of the last {window}."
        plots += [
            _picture(
                column, f"{column.title()} over time", caption, partial(events.draw_over_time, column=column), found
            )
            for column, caption in (("events", "Number of events."), ("transitivity", text))
        ]
    return plots


def _profile(
    name: str, what: str, shown: Significance | TriadCensus, size: tuple[float, float] = profile.SIZE
) -> Picture:
    """Return a significance profile, whose caption says the range of the scores before scaling, if there are any."""
    errors = ", with their standard errors" if isinstance(shown, Significance) else ""
    text = f"z-scores of the {what}, scaled to length 1{errors}."
    known = [row.z for row in rows_of(shown) if isfinite(row.z) and row.name not in TRIAD_NAMES[:3]]
    if known:
        text += f" Before scaling they range from {format_score(min(known))} to {format_score(max(known))}."
    return _picture(name, "Significance profile", text, profile.significance_profile, shown, size)


def _picture(
    name: str, title: str, caption: str, draw: Callable[..., object], shown: object, size: tuple[float, float] = SIZE
) -> Picture:
    import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    with mpl.rc_context({"font.size": 9.5}):
        figure = Figure(figsize=size, layout="constrained")
        draw(shown, ax=figure.add_subplot())
        return Picture(title, caption, svg_of(figure, f"{name}-"))
