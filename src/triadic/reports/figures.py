"""The plots of a report, as SVG with titles and captions."""

from __future__ import annotations

from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.triad_types import TRIAD_NAMES
from triadic.measures.clustering import spectrum_of
from triadic.measures.significance.result import Significance
from triadic.plot import distributions, dots, motif_heat_map, profile
from triadic.plot.canvas import SIZE, check_matplotlib
from triadic.plot.inline_svg import svg_of
from triadic.plot.network_style import network_style
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES
from triadic.reports import events, network_picture
from triadic.reports.deviations import rows_of
from triadic.reports.numbers import format_score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from triadic.measures.census import TriadCensus
    from triadic.reports.events import EventFindings
    from triadic.reports.findings import Findings
    from triadic.reports.network_picture import Part
    from triadic.reports.summary import EstimatedRow

_PROFILE_OF_FIVE = (4.6, 4.4)  # inches; names of five vertices are long


class Picture(NamedTuple):
    """A plot on the page, with its title and caption."""

    title: str
    caption: str
    svg: str


def pictures(found: Findings, part: Part | None, estimates: Sequence[EstimatedRow]) -> dict[str, list[Picture]]:
    """Return the plots of a network with edges, by the section of the page that they belong to.

    Parameters
    ----------
    found : Findings
    part : Part or None
        Vertices to draw.
    estimates : sequence of EstimatedRow
        Graphlets that were estimated.

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
        drawing = network_picture.Drawing.of(found, part.vertices)
        drawn = _picture("network", "Network", part.caption, network_picture.draw_network, drawing, drawing.size)
        plots["network"] = [drawn._replace(svg=network_picture.for_page(drawn.svg, drawing))]
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
        text = "the closed triads of each type, and the middle 95% of random networks, whose weights are permuted."
        plots["weights"] = [
            _picture(of, of.title(), f"{of.title()} of {text}", partial(dots.intensity, of=of), shown)
            for of in ("intensity", "coherence")
        ]
    if (census := found.census) is not None:
        text = "Number of triples of vertices of each of the sixteen types, on a logarithmic axis."
        plots["triads"] = [
            _profile("profile", "connected triads", found.compared.get("triads", census)),
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
                plots[of] = [_profile(f"{of.replace('s', '')}-profile", f"graphlets{what}", compared, sizes[1])]
            title = f"Graphlets{what.replace('of', 'of up to')}"
            text = f"Number of sets of {words} vertices that form each connected graph, on a logarithmic axis."
            plots.setdefault(of, []).append(_picture(of, title, text, dots.graphlet_totals, counts, sizes[0]))
    if estimates:
        text = "Intervals of the estimates, in percent of each."
        plots["graphlets"] = [_picture("estimates", "Estimated graphlets", text, _draw_intervals, estimates)]
    if found.events is not None:
        plots["events"] = _events(found.events)
    return plots


def _draw_intervals(rows: Sequence[EstimatedRow], ax: Axes) -> None:
    """Draw the intervals of estimates as bars around zero, to one scale."""
    from triadic.plot.artists import name_ticks  # noqa: PLC0415 - imports matplotlib

    low, high = 100 * np.array([row.ends for row in rows]).T
    style = network_style(ax, 0, 4.0) | {"linestyle": "none"}
    ax.errorbar(np.zeros(len(rows)), range(len(rows)), xerr=[-low, high], elinewidth=4, **style)
    ax.set(ylim=(len(rows) - 0.4, -0.6), xlabel="percent of the estimate")
    name_ticks(ax, [row.name for row in rows], [GRAPHLET_SHAPES[row.name] for row in rows], axis="y", size=(20, 17))


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
            _picture("events", "Events over time", "Number of events.", events.draw_events, found),
            _picture("transitivity", "Transitivity over time", text, events.draw_transitivity, found),
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
