"""Dot plots of the triad census, of graphlets and of the intensity of triads, with these drawn beside the axis."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import Table
from triadic.core.checked import check_option
from triadic.core.graphlets import GRAPH_NAMES
from triadic.core.triad_types import CLOSED_NAMES, TRIAD_NAMES
from triadic.errors import ArgumentError
from triadic.measures import triads, weighted_triads
from triadic.measures.census import Census
from triadic.measures.graphlets.orbits import check_size, graphlets
from triadic.measures.graphlets.transform import GraphletTransform
from triadic.measures.significance.result import Significance
from triadic.plot.canvas import SIZE, axes_for, draw_guides, name_under, network_style
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES, TRIAD_SHAPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from triadic.core.array_types import Float64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.plot.canvas import Drawn
    from triadic.plot.subgraph_shapes import Shape

SIZE_OF_CENSUS, SIZE_OF_FIVE = (4.4, 5.7), (4.6, 6.0)  # inches
_DRAWING = (20.0, 17.0)  # points
_DOT = 4.6  # points
_COVERED = (0.025, 0.5, 0.975)  # quantiles of random networks: the ends of a bar, and its middle


def triad_census(
    graph: GraphLike | Census,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    share: bool = False,
    shift: float = 0.0,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Plot the number of triads of each of the sixteen types, with the triads drawn beside the axis.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts, or Census
        Network to count the triads of, or the counts that `triadic.triad_census` returned.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there.
    share : bool, default False
        Plot shares of all triads instead of counts, to compare networks of different sizes.
    shift : float, default 0.0
        Distance of the dots below their ticks, as a share of the distance between ticks, so that the dots of several
        networks do not overlap.
    threads : int, optional
        Number of threads that count the triads; by default as many as the process may use.
    device : str, default "auto"
        Device that counts the triads of a graph, such as "cpu", "cuda" or "opencl:0"; "auto" chooses one.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on. The axis of counts is logarithmic; counts of 0 are at its beginning, which is
        labelled 0.

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
    The counts cost what `triadic.triad_census` costs; a Census is plotted without counting.

    References
    ----------
    P. W. Holland and S. Leinhardt, *A method for detecting structure in sociometric data*, American Journal of
    Sociology 76, 492-513, 1970, for the types of triads.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.rmat(6, seed=1, directed=True)
    >>> [tick.get_text() for tick in triadic.plot.triad_census(graph).get_yticklabels()][-1]
    '300'
    """
    if not isinstance(graph, Census):
        graph = as_graph(graph, tiled=True, directions="unused")  # the measure warns
        graph = triads.triad_census(graph, threads=threads, device=device, progress=progress)
    kind, total = ("share", max(1, sum(graph.values()))) if share else ("number", 1)
    ax, drawn = axes_for(ax, f"{kind}s of triads", SIZE_OF_CENSUS)
    values = {name: graph[name] / total for name in TRIAD_NAMES}
    _draw(ax, drawn, values, TRIAD_SHAPES, unit=f"{kind} of triads", share=share, label=label, shift=shift)
    return ax


def graphlet_totals(
    graph: GraphLike | GraphletTransform | Census,
    *,
    size: int | None = None,
    ax: Axes | None = None,
    label: str | None = None,
    share: bool = False,
    shift: float = 0.0,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Plot the number of induced subgraphs of each connected graph of three to five vertices, drawn beside the axis.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts, or GraphletTransform, or Census
        Network to count the graphlets of, or the counts that `triadic.graphlet_transform` or `triadic.graphlets`
        returned. Directions of arcs are ignored. A transform with ``size=3`` has only the two graphs of three
        vertices.
    size : {3, 4, 5}, optional
        Number of vertices of the largest subgraphs: 8 graphs of three and four vertices, or 29 of three to five. The
        default is 4 for a graph, and that of the counts otherwise.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there.
    share : bool, default False
        Plot shares of all connected sets of the same number of vertices instead of counts, to compare networks of
        different sizes.
    shift : float, default 0.0
        Distance of the dots below their ticks, as a share of the distance between ticks, so that the dots of several
        networks do not overlap.
    threads : int, optional
        Number of threads that count the graphlets; by default as many as the process may use.
    device : str, default "auto"
        Device that counts the graphlets of a graph, such as "cpu", "cuda" or "opencl:0"; "auto" chooses one.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on. The axis of counts is logarithmic; counts of 0 are at its beginning, which is
        labelled 0.

    Raises
    ------
    ArgumentError
        `size` is not 3, 4 or 5, or counts are of another size; the transform is that of a `GraphBatch`; or a plot of
        other values was drawn on the axes before.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.
    UnsupportedError
        The graph is a `TiledGraph` or a `GraphBatch`.

    Notes
    -----
    The counts cost what `triadic.graphlets` costs; a GraphletTransform or a Census is plotted without counting.

    References
    ----------
    N. Pržulj, D. G. Corneil and I. Jurisica, *Modeling interactome: scale-free or geometric?*, Bioinformatics 20,
    3508-3515, 2004, for graphlets.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(200, 6, 0.1, seed=1)
    >>> [tick.get_text() for tick in triadic.plot.graphlet_totals(graph).get_yticklabels()][:2]
    ['2-path', 'triangle']
    """
    totals = _totals(graph, size, {"threads": threads, "device": device, "progress": progress})
    kind = {2: "graphlets of three vertices", 8: "graphlets"}.get(len(totals), "graphlets of up to five vertices")
    figure = SIZE if len(totals) <= 8 else SIZE_OF_FIVE
    ax, drawn = axes_for(ax, f"{'shares' if share else 'numbers'} of {kind}", figure)
    unit = "share of graphlets\nof the same size" if share else "induced subgraphs"
    values = _shares(totals) if share else totals
    _draw(ax, drawn, values, GRAPHLET_SHAPES, unit=unit, share=share, label=label, shift=shift)
    return ax


def intensity(
    graph: GraphLike | Table | Significance,
    *,
    of: Literal["intensity", "coherence"] = "intensity",
    ax: Axes | None = None,
    label: str | None = None,
    shift: float = 0.0,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Plot the intensity or the coherence of the closed triads of a weighted graph, with these drawn beside the axis.

    Of a graph, a dot is the mean over the triads of a type. Of a comparison with random graphs, it is the sum over the
    triads of the type, on a bar that covers the middle 95% of the random graphs.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts, or Table, or Significance
        Network with weights of at least 0; or what `triadic.motif_intensity` returned; or the result of
        `triadic.significance` with ``of="intensity"``.
    of : {"intensity", "coherence"}, default "intensity"
        The intensity of a triad is the geometric mean of the weights of its arcs, in their unit. The coherence is the
        intensity divided by the arithmetic mean: 1 if all weights are equal, near 0 if one is much smaller.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there, and a comparison that of its null model.
    shift : float, default 0.0
        Distance of the dots below their ticks, as a share of the distance between ticks, so that the dots of several
        networks do not overlap.
    threads : int, optional
        Number of threads that compute the intensities; by default as many as the process may use.
    device : str, default "auto"
        "auto" or "cpu".
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on. The seven closed types are in the order of `triadic.TRIAD_NAMES`. The axis is
        logarithmic, but that of mean coherences, which runs from 0 to 1. A type without triads has no mean and no dot;
        a sum of 0 is at the beginning of the logarithmic axis, which is labelled 0.

    Raises
    ------
    ArgumentError
        The network has no weights, or a negative one; `graph` is a Significance of other counts; `of` is another word;
        or a plot of other values was drawn on the axes before.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.
    UnsupportedError
        The graph is a `TiledGraph` or a `GraphBatch`, or `device` names a GPU.

    Notes
    -----
    The intensities cost what `triadic.motif_intensity` costs; a result is plotted without counting. Random graphs with
    ``keep_weights="keep"`` differ from the network in their numbers of triads, too; "shuffle" and "strength" also move
    the weights.

    References
    ----------
    J.-P. Onnela, J. Saramäki, J. Kertész and K. Kaski, *Intensity and coherence of motifs in weighted complex
    networks*, Physical Review E 71, 065103, 2005.

    Examples
    --------
    >>> import triadic
    >>> loop = triadic.Graph.from_edges([0, 1, 0], [1, 2, 2], weights=[1.0, 2.0, 4.0], directed=True)
    >>> ax = triadic.plot.intensity(loop)
    >>> ax.get_xlabel(), [tick.get_text() for tick in ax.get_yticklabels()][:2]
    ('mean intensity of a triad', ['030T', '030C'])
    """
    check_option("of", of, Literal["intensity", "coherence"])
    bars = None
    if isinstance(graph, Significance):
        if "intensity" not in graph.groups:
            raise ArgumentError(f"graph: expected a Significance with of='intensity', got that of {graph.title}")
        places = [graph.names.index(f"{name} {of}") for name in CLOSED_NAMES]
        found = np.array(graph.counts, np.float64)[places]
        bars = np.quantile(np.array(graph.samples, np.float64)[:, places], _COVERED, axis=0)
        label = name_under(label, f"{graph.null_title}, {len(graph.samples):,} samples")
    else:
        if not isinstance(graph, Table):
            graph = weighted_triads.motif_intensity(graph, threads=threads, device=device, progress=progress)
        sums, counts = graph[of], graph["count"]
        found = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    unit = f"mean {of} of a triad" if bars is None else f"total {of} of triads"
    ax, drawn = axes_for(ax, unit)
    values = dict(zip(CLOSED_NAMES, found.tolist(), strict=True))
    _draw(ax, drawn, values, TRIAD_SHAPES, unit=unit, label=label, shift=shift, bars=bars)
    if of == "coherence" and bars is None:
        ax.set(xscale="linear", xlim=(0, 1))
    return ax


def _totals(
    graph: GraphLike | GraphletTransform | Census, size: int | None, keywords: dict[str, Any]
) -> dict[str, int]:
    """Return the number of each graph of at least three vertices, by name, in the order of graphlets G1 to G29."""
    if size is not None:
        check_size(size)
    found: Mapping[str, int]
    counted = size
    if isinstance(graph, Census):
        counted, found = {GRAPH_NAMES[:3]: 3, GRAPH_NAMES[:9]: 4, GRAPH_NAMES: 5}.get(graph.names), graph
        if counted is None:
            raise ArgumentError("graph: got a Census of other counts; expected one that graphlets returned")
    elif isinstance(graph, GraphletTransform):
        if graph.batch is not None:
            raise ArgumentError(
                "graph: the transform is that of a GraphBatch; expected that of one of its graphs, such as batch[0]"
            )
        counted, found = 4, graph.totals
    else:
        network = as_graph(graph, tiled=True, directions="unused")  # the count warns, and says why it needs memory
        found = graphlets(network, size=size or 4, **keywords)
    if size not in (None, counted):
        raise ArgumentError(f"size={size}: the counts are of graphlets of up to {counted} vertices")
    return {name: found[name] for name in GRAPH_NAMES[1:] if name in found}


def _shares(totals: dict[str, int]) -> dict[str, float]:
    """Return the share of each graph among the graphs of its number of vertices."""
    sizes, of_size = {name: len(GRAPHLET_SHAPES[name].places) for name in totals}, Counter[int]()
    for name, count in totals.items():
        of_size[sizes[name]] += count
    return {name: count / max(1, of_size[sizes[name]]) for name, count in totals.items()}


def _draw(
    ax: Axes,
    drawn: Drawn,
    values: Mapping[str, float],
    shapes: Mapping[str, Shape],
    *,
    unit: str,
    share: bool = False,
    label: str | None,
    shift: float,
    bars: Float64Array | None = None,
) -> None:
    """Draw a dot for each value, from top to bottom, on a logarithmic axis, `shift` below the tick of its name.

    Bars have the rows low, middle and high, and a column for each value.
    """
    from triadic.plot.artists import add_legend, name_ticks, set_log_axis  # noqa: PLC0415 - imports matplotlib

    if not drawn.number:
        ax.set_ylim(len(values) - 0.4, -0.6)
        name_ticks(ax, list(values), [shapes[name] for name in values], axis="y", size=_DRAWING)
        draw_guides(ax, "y")
        ax.set_xlabel(unit)
    style = network_style(ax, drawn.number, _DOT) | {"linestyle": "none"}
    shown = [float(value) for value in values.values()]  # matplotlib does not accept integers of 2**63 or more
    places = [place + shift for place in range(len(shown))]
    ax.plot(shown, places, **style, label=label, zorder=3)
    drawn.values += [value for value in shown if value == value]  # noqa: PLR0124 - no nan
    if bars is not None:
        low, middle, high = bars.tolist()
        ax.hlines(places, low, high, color=style["color"], alpha=0.3, linewidth=_DOT)
        ax.plot(middle, places, linestyle="none", marker="|", color=style["color"], markersize=_DOT)
        drawn.values += low + high
    set_log_axis(ax, "x", drawn.values, share=share)
    add_legend(ax, None if bars is None else "bars: 95% of the random networks")
