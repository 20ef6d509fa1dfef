"""The plots of a report, as SVG with titles and captions."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from triadic.core.triad_types import TRIAD_NAMES
from triadic.measures.clustering import spectrum_of
from triadic.plot import census, clustering_histogram, degrees, graphlet_counts, profile, spectrum
from triadic.plot.canvas import SIZE, check_matplotlib
from triadic.plot.inline_svg import svg_of
from triadic.reports.numbers import format_score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.axes import Axes

    from triadic.reports.findings import Findings

_FONT: dict[Any, Any] = {"font.size": 9.5}


class Picture(NamedTuple):
    """A plot on the page, with its title and caption."""

    title: str
    caption: str
    svg: str


def pictures(found: Findings) -> list[Picture]:
    """Return the plots of a network: five or six, fewer if graphlets were not counted.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    """
    check_matplotlib()
    coefficients = found.clustering[found.degree > 1]
    by_degree = spectrum_of(found.triangles, found.degree)
    plots = [
        _picture(
            "degree",
            "Degree distribution",
            "Share of vertices with at least k neighbours.",
            lambda ax: degrees.degree_distribution(found.degree, ax=ax),
        ),
        _picture(
            "spectrum",
            "Clustering by degree",
            "Mean local clustering coefficient of the vertices of each degree; it shows whether hubs, too, have dense "
            "neighbourhoods.",
            lambda ax: spectrum.clustering_spectrum(by_degree, ax=ax),
        ),
        _picture(
            "local",
            "Local clustering",
            "Distribution of the local clustering coefficient, the share of pairs of neighbours of a vertex that are "
            "joined.",
            lambda ax: clustering_histogram.local_clustering(coefficients, ax=ax),
        ),
    ]
    transform = found.graphlets
    if transform is not None:
        plots.append(
            _picture(
                "graphlets",
                "Graphlets",
                "Number of sets of three or four vertices that form each connected graph, without directions.",
                lambda ax: graphlet_counts.graphlet_totals(transform, ax=ax),
                graphlet_counts.SIZE,
            )
        )
    plots.append(
        _picture(
            "census",
            "Triad census",
            "Number of triples of vertices of each of the sixteen types. The axis is logarithmic, but linear near 0 to "
            "include 0.",
            lambda ax: census.triad_census(found.census, ax=ax),
            census.SIZE,
        )
    )
    if found.graph.directed:
        sampled = found.significance
        scores = found.census.z_scores() if sampled is None else {name: row.z for name, row in sampled.items()}
        errors = "" if sampled is None else ", with their standard errors"
        plots.append(
            _picture(
                "profile",
                "Significance profile",
                f"z-scores of the connected triads, scaled to length 1{errors}." + _range(scores),
                lambda ax: profile.significance_profile(found.census if sampled is None else sampled, ax=ax),
                profile.SIZE,
            )
        )
    return plots


def _range(scores: Mapping[str, float]) -> str:
    """Return a sentence with the range of the scores before scaling, or nothing if there are none."""
    known = [scores[name] for name in TRIAD_NAMES[3:] if isfinite(scores[name])]
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
