"""Plots of the degree distribution, the clustering spectrum, local clustering coefficients, and cliques by size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import Table
from triadic.core.checked import check_option, check_whole
from triadic.counts.cliques import CLIQUES
from triadic.errors import ArgumentError
from triadic.measures import clustering as measures
from triadic.measures.cliques import CliqueCensus, clique_counts
from triadic.measures.significance.result import Significance
from triadic.plot.canvas import axes_for, network_style, set_message

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.plot.canvas import Drawn

MOST_POINTS = 400
_DOT = 3.5  # points
_MOST_BINS = 1_000_000
_HEADROOM = 1.05  # height of the axes of a histogram as a share of the highest bin


def degree_distribution(graph: GraphLike | Int64Array, *, ax: Axes | None = None, label: str | None = None) -> Axes:
    """Plot the share of vertices of degree k or more against k, on logarithmic axes.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts, or int array of shape (n,)
        Network, or an array of its degrees. The degree in a directed graph is the number of different neighbours.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there.

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
    If the network has vertices of degree 0, their dot is at a place labelled 0 at the beginning of the logarithmic
    axis. If more than 400 different degrees occur, at most 400 of them are plotted, evenly spaced on the axis, with the
    smallest and the largest among them.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.barabasi_albert(500, 3, seed=1)
    >>> triadic.plot.degree_distribution(graph).get_xlabel()
    'degree k'
    """
    values: Any = graph
    if not _is_array(graph, "iu", np.inf, "degrees, whole numbers of at least 0"):
        values = as_graph(graph, tiled=True, directions="unused").degree
    k, vertices = np.unique(values, return_counts=True)
    at_least = np.cumsum(vertices[::-1])[::-1] / max(1, vertices.sum())
    if len(k) > MOST_POINTS:
        chosen = np.append(log_groups(k), len(k) - 1)
        k, at_least = k[chosen], at_least[chosen]
    ax, drawn = axes_for(ax, "a degree distribution")
    _draw(ax, drawn, k, at_least, label=label, unit="share of vertices\nof degree ≥ k", nothing="no vertices")
    return ax


def _is_array(graph: object, kinds: str, most: float, expected: str) -> bool:
    """Return whether the values to plot are given as an array; refuse other values than from 0 to the largest."""
    if not isinstance(graph, np.ndarray) or graph.ndim != 1:
        return False
    if graph.dtype.kind not in kinds or not ((graph >= 0) & (graph <= most)).all():
        raise ArgumentError(f"graph: expected {expected}, got an array of {graph.dtype}")
    return True


def clustering_spectrum(
    graph: GraphLike | Table,
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
    graph : Graph, TiledGraph, or any input that `Graph` accepts, or Table
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
    Degrees whose vertices are in no triangle have their dots at a place labelled 0 at the beginning of the logarithmic
    axis. More than 400 different degrees are joined to at most 400 groups of neighbouring degrees, each plotted at the
    means over its vertices.

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
    spectrum: Any = graph
    if not isinstance(graph, Table):
        network = as_graph(graph, tiled=True, directions="unused")  # the measure warns
        spectrum = measures.clustering_spectrum(network, threads=threads, device=device, progress=progress)
    k, mean = _points(spectrum)
    ax, drawn = axes_for(ax, "a clustering spectrum")
    nothing = "no vertex of\ndegree 2 or more"
    _draw(ax, drawn, k, mean, label=label, unit="mean clustering C(k)", nothing=nothing)
    return ax


def _points(spectrum: Table) -> tuple[AnyArray, AnyArray]:
    """Return degrees and mean coefficients, of groups of degrees if there are too many degrees to tell apart."""
    defined = spectrum["degree"] > 1
    k, mean, vertices = spectrum["degree"][defined], spectrum["clustering"][defined], spectrum["vertices"][defined]
    if len(k) <= MOST_POINTS:
        return k, mean
    starts = log_groups(k)
    total = np.add.reduceat(vertices, starts)
    return np.add.reduceat(k * vertices, starts) / total, np.add.reduceat(mean * vertices, starts) / total


def _draw(ax: Axes, drawn: Drawn, x: AnyArray, y: AnyArray, *, label: str | None, unit: str, nothing: str) -> None:
    """Draw dots at degrees and shares, or the sentence `nothing` on axes without any dot."""
    from triadic.plot.artists import add_legend, set_log_axis  # noqa: PLC0415 - imports matplotlib

    if not drawn.number:
        ax.set(xlabel="degree k", ylabel=unit)
    ax.plot(x, y, **network_style(ax, drawn.number, _DOT) | {"linestyle": "none"}, label=label)
    drawn.values += x.tolist()
    drawn.places += y.tolist()
    set_log_axis(ax, "x", drawn.values, share=False)
    set_log_axis(ax, "y", drawn.places, share=True)
    set_message(ax, drawn, nothing)
    add_legend(ax)


def log_groups(rising: Int64Array, most: int = MOST_POINTS) -> Int64Array:
    """Split rising values of at least 0 into fewer than `most` groups with about the same ratio of last to first value.

    Returns
    -------
    int64 array
        Index of the first value of each group; 0 is a group of its own.

    Examples
    --------
    >>> log_groups(np.array([1, 2, 3, 50, 60, 1000]), 5), log_groups(np.array([0, 1, 2, 1000]), 4)
    (array([0, 3, 5]), array([0, 1, 3]))
    """
    edges = np.geomspace(rising[rising > 0][0], rising[-1], most - 1)[:-1]
    return np.unique(np.append(0, np.searchsorted(rising, edges * (1 - 1e-9))))


def local_clustering(
    graph: GraphLike | Float64Array,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    bins: int = 25,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Plot a histogram of the local clustering coefficients of the vertices of degree 2 or more.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts, or float array of shape (n,)
        Network to compute the coefficients of, or an array of the coefficients to plot.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there.
    bins : int, default 25
        Number of bins of equal width from 0 to 1; the last bin includes 1.
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
    The coefficients cost what `triadic.clustering` costs; an array is plotted without counting.

    References
    ----------
    D. J. Watts and S. H. Strogatz, *Collective dynamics of 'small-world' networks*, Nature 393, 440-442, 1998.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(500, 6, 0.1, seed=1)
    >>> triadic.plot.local_clustering(graph).get_xlabel()
    'local clustering coefficient'
    """
    from triadic.plot.artists import add_legend  # noqa: PLC0415 - imports matplotlib

    check_whole("bins", bins, 1, _MOST_BINS)
    coefficient: Any = graph
    if not _is_array(graph, "iuf", 1, "coefficients from 0 to 1"):
        network = as_graph(graph, tiled=True)
        found = measures.clustering(network, threads=threads, device=device, progress=progress)
        coefficient = found[network.degree > 1]
    ax, drawn = axes_for(ax, "local clustering coefficients")
    # A coefficient at the edge of a bin, such as 1/5, must not fall into the bin below by rounding.
    count, edges = np.histogram(np.minimum(coefficient + 1e-9, 1.0), bins, (0.0, 1.0))
    share = count / max(1, len(coefficient))
    x, y = (edges, np.array([*share, share[-1]])) if len(coefficient) else (np.empty(0), np.empty(0))
    if not drawn.number:
        ax.set(xlabel="local clustering coefficient", ylabel="share of vertices\nof degree ≥ 2")
    style = network_style(ax, drawn.number, 4.0) | {"marker": "none", "linewidth": 1.3}
    (line,) = ax.plot(x, y, drawstyle="steps-post", **style, label=label)
    # The area under one histogram is filled; the areas of several would hide one another.
    if drawn.number:
        for area in list(ax.collections):
            area.remove()
    else:
        ax.fill_between(x, y, step="post", color=line.get_color(), alpha=0.15, linewidth=0)
    drawn.values += y.tolist()
    set_message(ax, drawn, "no vertex of\ndegree 2 or more")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, _HEADROOM * max(drawn.values, default=1.0))
    add_legend(ax)
    return ax


def cliques(
    graph: GraphLike | CliqueCensus | Significance,
    *,
    of: Literal["cliques", "simplices"] = "cliques",
    ax: Axes | None = None,
    label: str | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> Axes:
    """Plot the number of cliques, or simplices, of each size, on a logarithmic axis.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts, CliqueCensus, or Significance
        Network to count in, or counts: of ``triadic.count(graph, "cliques")``, or of
        ``triadic.significance(graph, of="cliques")``, whose random networks are drawn as a band.
    of : {"cliques", "simplices"}, default "cliques"
        What is counted, or which of the counts of a `Significance` are drawn.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there.
    threads : int, optional
        Number of threads that count; by default as many as the process may use.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentError
        A plot of other values was drawn on the axes before, or the significance is of other counts.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.
    UnsupportedError
        The graph is a `TiledGraph`.

    Notes
    -----
    The band holds the middle 95 of 100 random networks. Sizes that do not occur have their dots at a place labelled 0.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(500, 10, 0.1, seed=1)
    >>> triadic.plot.cliques(graph).get_ylabel()
    'cliques'
    """
    from triadic.plot.artists import add_legend, set_log_axis  # noqa: PLC0415 - imports matplotlib

    check_option("of", of, Literal["cliques", "simplices"])
    found: Any = graph
    if not isinstance(graph, (Significance, CliqueCensus)):
        network = as_graph(graph, not_tiled=CLIQUES.not_tiled, directions="unused")  # the count warns
        found = clique_counts(network, of, threads=threads, progress=progress)
    names = list(found.groups.get(of, ())) if isinstance(found, Significance) else list(found)
    if not names and isinstance(found, Significance):
        raise ArgumentError(f"graph: expected a significance of {of!r}, got one of {found.of!r}")
    counts: dict[Any, Any] = dict(zip(found.names, found.counts, strict=True))
    sizes, values = [int(str(name).split()[-1]) for name in names], [float(counts[name]) for name in names]
    ax, drawn = axes_for(ax, of)
    (line,) = ax.plot(sizes, values, **network_style(ax, drawn.number, _DOT) | {"linewidth": 0.8}, label=label)
    if isinstance(found, Significance):
        samples = np.array(found.samples, np.float64)[:, [found.names.index(name) for name in names]]
        low, high = np.quantile(samples, [0.025, 0.975], axis=0)
        title = f"{len(samples):,} random networks"
        ax.fill_between(sizes, low, high, color=line.get_color(), alpha=0.2, linewidth=0, label=title)
        values += [*low.tolist(), *high.tolist()]
    if not drawn.number:
        ax.set(xlabel="vertices", ylabel=of)
        ax.locator_params("x", integer=True)
    drawn.values += values
    set_log_axis(ax, "y", drawn.values, share=False)
    set_message(ax, drawn, f"no {of}")
    add_legend(ax)
    return ax
