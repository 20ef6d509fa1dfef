"""The plots of a report, as SVG with titles and captions."""

from __future__ import annotations

from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from triadic.core.triad_types import TRIAD_NAMES
from triadic.measures.clustering import spectrum_of
from triadic.plot import clustering_histogram, dots, motif_heat_map, points, profile
from triadic.plot.canvas import SIZE, check_matplotlib
from triadic.plot.inline_svg import svg_of
from triadic.reports import event_plots
from triadic.reports.numbers import format_score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes

    from triadic.measures.census import Census, TriadCensus
    from triadic.measures.graphlets.transform import GraphletTransform
    from triadic.reports.events import EventFindings
    from triadic.reports.findings import Findings

_PROFILE_OF_FIVE = (4.6, 4.4)  # inches; names of five vertices are long
_FONT: dict[Any, Any] = {"font.size": 9.5}


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
    coefficients = found.clustering[found.degree > 1]
    by_degree = spectrum_of(found.triangles, found.degree)
    plots = {
        "degrees": [
            _picture(
                "degree",
                "Degree distribution",
                "Share of vertices with at least k neighbours.",
                lambda ax: points.degree_distribution(found.degree, ax=ax),
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
                lambda ax: points.clustering_spectrum(by_degree, ax=ax),
            ),
            _picture(
                "local",
                "Local clustering",
                "Distribution of the local clustering coefficient, the share of pairs of neighbours of a vertex that "
                "are joined.",
                lambda ax: clustering_histogram.local_clustering(coefficients, ax=ax),
            ),
        ]
    if found.census is not None:
        plots["triads"] = _triads(found, found.census)
    if found.graphlets is not None:
        plots["graphlets"] = _graphlets(found, found.graphlets)
    if found.graphlets_of_five is not None:
        plots["graphlets5"] = _graphlets_of_five(found, found.graphlets_of_five)
    if found.events is not None:
        plots["events"] = _events(found.events)
    return plots


def _events(found: EventFindings) -> list[Picture]:
    plots = [
        _picture(
            "motifs",
            "Temporal motifs",
            f"Number of triples of events within {found.delta} that form each motif. Rows are the second event, "
            "columns the third; stronger colours are larger counts.",
            lambda ax: motif_heat_map.temporal_motifs(found.motifs, ax=ax),
            motif_heat_map.SIZE,
        )
    ]
    if (compared := found.compared) is not None:
        picture = _picture(
            "motif-scores",
            "Temporal motifs and shuffled times",
            f"z-scores of the motifs, compared with {len(compared.samples):,} shuffles of the times among all events.",
            lambda ax: motif_heat_map.temporal_motifs(compared, ax=ax),
            motif_heat_map.SIZE,
        )
        plots.append(picture)
    if found.periods is not None:
        window = event_plots.window_in_words(found)
        plots += [
            _picture("events", "Events over time", "Number of events.", partial(event_plots.draw_events, found)),
            _picture(
                "transitivity",
                "Transitivity over time",
                f"Share of paths of length two that are closed, among the events of the last {window}.",
                partial(event_plots.draw_transitivity, found),
            ),
        ]
    return plots


def _triads(found: Findings, counts: TriadCensus) -> list[Picture]:
    sampled = found.compared.get("triads")
    scores = counts.z_scores() if sampled is None else {name: row.z for name, row in sampled.items()}
    errors = "" if sampled is None else ", with their standard errors"
    return [
        _picture(
            "profile",
            "Significance profile",
            f"z-scores of the connected triads, scaled to length 1{errors}." + _range(scores, TRIAD_NAMES[3:]),
            lambda ax: profile.significance_profile(counts if sampled is None else sampled, ax=ax),
            profile.SIZE,
        ),
        _picture(
            "census",
            "Triad census",
            "Number of triples of vertices of each of the sixteen types, on a logarithmic axis.",
            lambda ax: dots.triad_census(counts, ax=ax),
            dots.SIZE_OF_CENSUS,
        ),
    ]


def _graphlets(found: Findings, counts: GraphletTransform) -> list[Picture]:
    plots = [
        _picture(
            "graphlets",
            "Graphlets",
            "Number of sets of three or four vertices that form each connected graph, on a logarithmic axis.",
            lambda ax: dots.graphlet_totals(counts, ax=ax),
        )
    ]
    if (sampled := found.compared.get("graphlets")) is not None:
        scores = {name: row.z for name, row in sampled.items()}
        picture = _picture(
            "graphlet-profile",
            "Significance profile",
            f"z-scores of the graphlets, scaled to length 1, with their standard errors.{_range(scores, list(scores))}",
            lambda ax: profile.significance_profile(sampled, ax=ax),
            profile.SIZE,
        )
        plots.insert(0, picture)
    return plots


def _graphlets_of_five(found: Findings, counts: Census) -> list[Picture]:
    plots = [
        _picture(
            "graphlets5",
            "Graphlets of up to five vertices",
            "Number of sets of three to five vertices that form each connected graph, on a logarithmic axis.",
            lambda ax: dots.graphlet_totals(counts, ax=ax),
            dots.SIZE_OF_FIVE,
        )
    ]
    if (sampled := found.compared.get("graphlets5")) is not None:
        scores = {name: row.z for name, row in sampled.items()}
        picture = _picture(
            "graphlet5-profile",
            "Significance profile",
            "z-scores of the graphlets of five vertices, scaled to length 1, with their standard errors."
            f"{_range(scores, list(scores))}",
            lambda ax: profile.significance_profile(sampled, ax=ax),
            _PROFILE_OF_FIVE,
        )
        plots.insert(0, picture)
    return plots


def _range(scores: Mapping[str, float], names: Sequence[str]) -> str:
    """Return a sentence with the range of the scores before scaling, or nothing if there are none."""
    known = [scores[name] for name in names if isfinite(scores[name])]
    return f" Before scaling they range from {format_score(min(known))} to {format_score(max(known))}." if known else ""


def _picture(
    name: str, title: str, caption: str, draw: Callable[[Axes], object], size: tuple[float, float] = SIZE
) -> Picture:
    import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    with mpl.rc_context(_FONT):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        return Picture(title, caption, svg_of(figure, f"{name}-"))
