"""Plot of the clustering spectrum."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.measures import clustering as measures
from triadic.measures.clustering import ClusteringSpectrum
from triadic.plot.canvas import axes_for
from triadic.plot.fitting import set_label
from triadic.plot.points import MOST_POINTS, draw_points, log_groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.core.array_types import AnyArray
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
    """Plot the mean local clustering coefficient C(k) of the vertices of degree k against k, on logarithmic axes.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts, or ClusteringSpectrum
        Network to compute the spectrum of, or the spectrum that `triadic.clustering_spectrum` returned.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there.
    threads : int, optional
        Number of threads that count the triangles; by default as many as the process may use.
    device : str, default "auto"
        Device that counts the triangles of a graph, such as "cpu", "cuda" or "opencl:0"; "auto" chooses one.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentError
        A plot of other values was drawn on the axes before.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.
    UnsupportedError
        The graph is a `GraphBatch`.

    Notes
    -----
    Degrees whose vertices are in no triangle have their dots in a strip labelled 0 beside the logarithmic axis. More
    than 400 different degrees are joined to at most 400 groups of neighbouring degrees, each plotted at the means over
    its vertices.

    References
    ----------
    A. Vázquez, R. Pastor-Satorras and A. Vespignani, *Large-scale topological and dynamical properties of the
    Internet*, Physical Review E 65, 066130, 2002.

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
        network = as_graph(graph, tiled=True, directions="unused")  # the measure warns
        spectrum = measures.clustering_spectrum(network, threads=threads, device=device, progress=progress)
    k, mean = _points(spectrum)
    ax, drawn = axes_for(ax, "a clustering spectrum")
    draw_points(ax, drawn, k, mean, label=label, zeros="y", nothing="no vertex of degree 2 or more")
    set_label(ax.xaxis, "degree k")
    set_label(ax.yaxis, "mean clustering C(k)")
    return ax


def _points(spectrum: ClusteringSpectrum) -> tuple[AnyArray, AnyArray]:
    """Return degrees and mean coefficients, of groups of degrees if there are too many degrees to tell apart."""
    defined = spectrum.degree > 1
    k, mean, vertices = spectrum.degree[defined], spectrum.clustering[defined], spectrum.vertices[defined]
    if len(k) <= MOST_POINTS:
        return k, mean
    starts = log_groups(k)
    total = np.add.reduceat(vertices, starts)
    return np.add.reduceat(k * vertices, starts) / total, np.add.reduceat(mean * vertices, starts) / total
