"""The plots of a report."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from triadic.core.triad_types import TRIAD_NAMES
from triadic.measures.clustering import spectrum_of
from triadic.plot import census, clustering_histogram, degrees, graphlet_counts, profile, spectrum
from triadic.plot.canvas import SIZE, check_matplotlib
from triadic.plot.inline_svg import svg_of
from triadic.reports.numbers import score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.axes import Axes

    from triadic.reports.findings import Findings

_FONT: dict[Any, Any] = {"font.size": 9.5}


class Picture(NamedTuple):
    """A plot on the page."""

    title: str
    caption: str
    svg: str


def pictures(found: Findings) -> list[Picture]:
    """Draw the plots that a network has.

    Raises
    ------
    MissingExtraError
    """
    check_matplotlib()
    many = found.clustering[found.degree > 1]
    by_degree = spectrum_of(found.triangles, found.degree)
    drawn = [
        _drawn(
            "degree",
            "Degree distribution",
            "The share of vertices that have at least k neighbours.",
            lambda ax: degrees.degree_distribution(found.degree, ax=ax),
        ),
        _drawn(
            "spectrum",
            "Clustering by degree",
            "The mean local clustering of the vertices of each degree: whether hubs, too, lie in dense neighbourhoods.",
            lambda ax: spectrum.clustering_spectrum(by_degree, ax=ax),
        ),
        _drawn(
            "local",
            "Local clustering",
            "Of a vertex, the share of the pairs of its neighbours that are joined.",
            lambda ax: clustering_histogram.local_clustering(many, ax=ax),
        ),
    ]
    transform = found.graphlets
    if transform is not None:
        drawn.append(
            _drawn(
                "graphlets",
                "Graphlets",
                "How many sets of three or four vertices are joined in each way, directions left out.",
                lambda ax: graphlet_counts.graphlet_totals(transform, ax=ax),
                graphlet_counts.SIZE,
            )
        )
    drawn.append(
        _drawn(
            "census",
            "Triad census",
            "How many triples of vertices are joined in each of the sixteen ways. The axis is logarithmic, but for its "
            "beginning, so that 0 has a place.",
            lambda ax: census.triad_census(found.census, ax=ax),
            census.SIZE,
        )
    )
    if found.graph.directed:
        sampled = found.significance
        drawn.append(
            _drawn(
                "profile",
                "Significance profile",
                "How far the connected triads are from chance: z-scores, scaled to a length of 1"
                + ("." if sampled is None else ", each with its standard error.")
                + _range(found.census.z_scores() if sampled is None else {n: one.z for n, one in sampled.items()}),
                lambda ax: profile.significance_profile(found.census if sampled is None else sampled, ax=ax),
                profile.SIZE,
            )
        )
    return drawn


def _range(scores: Mapping[str, float]) -> str:
    """Say what scaling hides: whether the scores of the connected triads are large at all."""
    known = [scores[name] for name in TRIAD_NAMES[3:] if isfinite(scores[name])]
    return f" Unscaled they run from {score(min(known))} to {score(max(known))}." if known else ""


def _drawn(
    name: str, title: str, caption: str, draw: Callable[[Axes], object], size: tuple[float, float] = SIZE
) -> Picture:
    import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    with mpl.rc_context(_FONT):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        return Picture(title, caption, svg_of(figure, f"{name}-"))
