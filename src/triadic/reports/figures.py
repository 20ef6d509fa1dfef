"""The plots of a report, as SVG with titles and captions."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from triadic.core.triad_types import TRIAD_NAMES
from triadic.measures.clustering import spectrum_of
from triadic.measures.significance.result import Significance
from triadic.plot import clustering_histogram, dots, motif_heat_map, points, profile
from triadic.plot.canvas import SIZE, check_matplotlib
from triadic.plot.inline_svg import svg_of
from triadic.reports import event_plots
from triadic.reports.numbers import format_score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from triadic.measures.census import TriadCensus
    from triadic.reports.events import EventFindings
    from triadic.reports.findings import Findings

_PROFILE_OF_FIVE = (4.6, 4.4)  # inches; names of five vertices are long


class Picture(NamedTuple):
    """A plot on the page, with its title and caption."""

    title: str
    caption: str
    svg: str


def pictures(found: Findings) -> dict[str, list[Picture]]:
    """Return the plots of a network with edges, by the section of the page that they belong to.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    """
    check_matplotlib()
    plots = {
        "degrees": [
            _picture(
                "degree",
                "Degree distribution",
                "Share of vertices with at least k neighbours.",
                points.degree_distribution,
                found.degree,
            )
        ],
    }
    if found.triangles.any():
        plots["clustering"] = [
            _picture(
                "spectrum",
                "Clustering by degree",
                "Mean local clustering coefficient of the vertices of each degree; it shows whether hubs, too, have "
                "dense neighbourhoods.",
                points.clustering_spectrum,
                spectrum_of(found.triangles, found.degree),
            ),
            _picture(
                "local",
                "Local clustering",
                "Distribution of the local clustering coefficient, the share of pairs of neighbours of a vertex that "
                "are joined.",
                clustering_histogram.local_clustering,
                found.clustering[found.degree > 1],
            ),
        ]
    if (census := found.census) is not None:
        sampled = found.compared.get("triads")
        scores = census.z_scores() if sampled is None else {name: row.z for name, row in sampled.items()}
        connected = {name: scores[name] for name in TRIAD_NAMES[3:]}
        text = "Number of triples of vertices of each of the sixteen types, on a logarithmic axis."
        plots["triads"] = [
            _profile("profile", "connected triads", census if sampled is None else sampled, connected),
            _picture("census", "Triad census", text, dots.triad_census, census, dots.SIZE_OF_CENSUS),
        ]
    for of, what, words, counts, sizes in (
        ("graphlets", "", "three or four", found.graphlets, (SIZE, profile.SIZE)),
        (
            "graphlets5",
            " of five vertices",
            "three to five",
            found.graphlets_of_five,
            (dots.SIZE_OF_FIVE, _PROFILE_OF_FIVE),
        ),
    ):
        if counts is not None:
            if (compared := found.compared.get(of)) is not None:
                scores = {name: row.z for name, row in compared.items()}
                name = f"{of.replace('s', '')}-profile"
                plots[of] = [_profile(name, f"graphlets{what}", compared, scores, sizes[1])]
            title = f"Graphlets{what.replace('of', 'of up to')}"
            text = f"Number of sets of {words} vertices that form each connected graph, on a logarithmic axis."
            plots.setdefault(of, []).append(_picture(of, title, text, dots.graphlet_totals, counts, sizes[0]))
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
        window = event_plots.window_in_words(found)
        text = f"Share of paths of length two that are closed, among the events of the last {window}."
        plots += [
            _picture("events", "Events over time", "Number of events.", event_plots.draw_events, found),
            _picture("transitivity", "Transitivity over time", text, event_plots.draw_transitivity, found),
        ]
    return plots


def _profile(
    name: str,
    what: str,
    shown: Significance | TriadCensus,
    scores: Mapping[str, float],
    size: tuple[float, float] = profile.SIZE,
) -> Picture:
    """Return a significance profile, whose caption says the range of the scores before scaling, if there are any."""
    errors = ", with their standard errors" if isinstance(shown, Significance) else ""
    text = f"z-scores of the {what}, scaled to length 1{errors}."
    known = [score for score in scores.values() if isfinite(score)]
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
