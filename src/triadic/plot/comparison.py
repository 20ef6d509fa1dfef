"""Several networks in one plot."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from triadic.errors import ArgumentError
from triadic.plot.census import triad_census
from triadic.plot.clustering_histogram import local_clustering
from triadic.plot.degrees import degree_distribution
from triadic.plot.graphlet_counts import graphlet_totals
from triadic.plot.profile import significance_profile
from triadic.plot.spectrum import clustering_spectrum

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from triadic.core.progress import ProgressKeyword

_CURVES = {
    "degree_distribution": degree_distribution,
    "clustering_spectrum": clustering_spectrum,
    "local_clustering": local_clustering,
    "significance_profile": significance_profile,
}
_SHARES = {"graphlet_totals": graphlet_totals, "triad_census": triad_census}
_BESIDE = 0.6  # of the room between two ticks that the dots of one take


def compare(
    networks: Mapping[str, object],
    *,
    of: str = "graphlet_totals",
    ax: Axes | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Draw the same plot of several networks into one pair of axes.

    Parameters
    ----------
    networks : mapping of str to Graph, or to what the plot takes instead
        By the names that the legend has.
    of : str, default "graphlet_totals"
        A function of `triadic.plot`: "graphlet_totals" and "triad_census", as shares; "significance_profile",
        "degree_distribution", "clustering_spectrum", "local_clustering".
    ax
        As for `degree_distribution`.
    threads, device, progress
        As for the measures, which count where graphs are given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        No network; another name of a plot.
    MissingExtraError
        matplotlib is not installed.

    Examples
    --------
    >>> import triadic
    >>> networks = {f"p = {p}": triadic.generate.watts_strogatz(200, 6, p, seed=1) for p in (0.1, 0.5)}
    >>> ax = triadic.plot.compare(networks)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['p = 0.1', 'p = 0.5']
    """
    if not networks:
        raise ArgumentError("networks: expected at least one, by name")
    plots: dict[str, Any] = _CURVES | {name: partial(plot, share=True) for name, plot in _SHARES.items()}
    if of not in plots:
        raise ArgumentError(f"of={of!r}: expected one of {', '.join(map(repr, plots))}")
    keywords: dict[str, Any] = {"threads": threads, "device": device, "progress": progress}
    if of == "degree_distribution":
        keywords = {}  # degrees are there, nothing is counted
    for number, (name, network) in enumerate(networks.items()):
        beside = {"shift": _BESIDE * ((number + 0.5) / len(networks) - 0.5)} if of in _SHARES else {}
        ax = plots[of](network, ax=ax, label=name, **keywords, **beside)
    assert ax is not None  # noqa: S101 - there is a network
    return ax
