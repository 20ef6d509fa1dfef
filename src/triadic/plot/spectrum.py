"""The clustering spectrum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.measures import clustering as measures
from triadic.measures.clustering import ClusteringSpectrum
from triadic.plot.canvas import add_legend, axes_for, say
from triadic.plot.log_spacing import MOST_POINTS, groups
from triadic.plot.ticks import label_log_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from triadic.convert.recognise import GraphLike
    from triadic.core.progress import ProgressKeyword


def clustering_spectrum(
    graph: GraphLike | ClusteringSpectrum,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Draw the mean local clustering coefficient of the vertices of each degree, C(k), on logarithmic axes.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes, or ClusteringSpectrum
    ax, label
        As for `degree_distribution`.
    threads, device, progress
        As for `triadic.clustering_spectrum`, which counts where a graph is given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.

    Notes
    -----
    Degrees whose vertices are in no triangle have no place on the axis. Of more than 400 degrees neighbouring ones are
    joined, with the mean over their vertices, to 400 groups of the same ratio.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(500, 6, 0.1, seed=1)
    >>> triadic.plot.clustering_spectrum(graph, label="small world").get_ylabel()
    'mean clustering C(k)'
    """
    if isinstance(graph, ClusteringSpectrum):
        spectrum = graph
    else:
        spectrum = measures.clustering_spectrum(graph, threads=threads, device=device, progress=progress)
    ax, _ = axes_for(ax)
    ax.set(xlabel="degree k", ylabel="mean clustering C(k)")
    k, mean = _joined(spectrum)
    if not len(k):
        say(ax, "no triangles")
        return ax
    ax.plot(k, mean, linestyle="none", markersize=3.5, markeredgewidth=0, label=label)
    ax.set(xscale="log", yscale="log")
    label_log_axis(ax.xaxis)
    label_log_axis(ax.yaxis)
    add_legend(ax)
    return ax


def _joined(spectrum: ClusteringSpectrum) -> tuple[NDArray[Any], NDArray[Any]]:
    """Give degrees and means, of groups of degrees where there are too many to tell apart."""
    defined = spectrum.degree > 1
    k, mean, vertices = spectrum.degree[defined], spectrum.clustering[defined], spectrum.vertices[defined]
    if len(k) <= MOST_POINTS:
        return k[mean > 0], mean[mean > 0]
    starts = groups(k)
    total = np.add.reduceat(vertices, starts)
    joined = np.add.reduceat(mean * vertices, starts) / total
    return (np.add.reduceat(k * vertices, starts) / total)[joined > 0], joined[joined > 0]
