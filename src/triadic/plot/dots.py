"""Dot plots of the triad census and of the numbers of graphlets, with these drawn beside the axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.graphlets import GRAPH_NAMES, ORBITS_OF_SIZE
from triadic.core.triad_types import TRIAD_NAMES
from triadic.errors import ArgumentError
from triadic.measures import triads
from triadic.measures.census import Census
from triadic.measures.graphlets.comparison import COMPARED
from triadic.measures.graphlets.orbits import graphlets
from triadic.measures.graphlets.transform import GraphletTransform
from triadic.plot.canvas import SIZE, axes_for, draw_guides
from triadic.plot.network_style import network_style
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES, TRIAD_SHAPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from triadic.core.progress import ProgressKeyword
    from triadic.plot.canvas import Drawn
    from triadic.plot.shape import Shape

SIZE_OF_CENSUS, SIZE_OF_FIVE = (4.4, 5.7), (4.6, 6.0)  # inches
_DRAWING = (20.0, 17.0)  # points
_DOT = 4.6  # points
_NAMES = {size: GRAPH_NAMES[: {3: 3, 4: 9, 5: 30}[size]] for size in ORBITS_OF_SIZE}


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
    if isinstance(graph, Census):
        census = graph
    else:
        network = as_graph(graph, tiled=True, directions="unused")  # the measure warns
        census = triads.triad_census(network, threads=threads, device=device, progress=progress)
    ax, drawn = axes_for(ax, "shares of triads" if share else "numbers of triads", SIZE_OF_CENSUS)
    total = max(1, sum(census.values()))
    _draw(
        ax,
        drawn,
        {name: census[name] / total if share else census[name] for name in TRIAD_NAMES},
        TRIAD_SHAPES,
        unit="share of triads" if share else "number of triads",
        share=share,
        label=label,
        shift=shift,
    )
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
    size : {4, 5}, optional
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
        `size` is not 4 or 5, or counts are of another size; the transform is that of a `GraphBatch`; or a plot of other
        values was drawn on the axes before.
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
    of_five = len(totals) == len(GRAPH_NAMES) - 1
    kind = {2: "graphlets of three vertices", 8: "graphlets"}.get(len(totals), "graphlets of up to five vertices")
    figure = SIZE_OF_FIVE if of_five else SIZE
    ax, drawn = axes_for(ax, f"{'shares' if share else 'numbers'} of {kind}", figure)
    _draw(
        ax,
        drawn,
        _shares(totals) if share else totals,
        GRAPHLET_SHAPES,
        unit="share of graphlets\nof the same size" if share else "induced subgraphs",
        share=share,
        label=label,
        shift=shift,
    )
    return ax


def _totals(
    graph: GraphLike | GraphletTransform | Census, size: int | None, keywords: dict[str, Any]
) -> dict[str, int]:
    """Return the number of each graph of at least three vertices, by name."""
    if size is not None and (size not in ORBITS_OF_SIZE):
        raise ArgumentError(f"size={size!r}: expected 3, 4 or 5")
    found: Mapping[str, int]
    if isinstance(graph, Census):
        counted = next((vertices for vertices, names in _NAMES.items() if graph.names == names), None)
        if counted is None:
            raise ArgumentError("graph: got a Census of other counts; expected one that graphlets returned")
        if size not in (None, counted):
            raise ArgumentError(f"size={size}: the counts are of graphlets of up to {counted} vertices")
        found = graph
    elif isinstance(graph, GraphletTransform):
        if size == 5:
            raise ArgumentError(
                "size=5: a transform has graphlets of up to four vertices; expected a graph or a Census"
            )
        if graph.batch is not None:
            raise ArgumentError(
                "graph: the transform is that of a GraphBatch; expected that of one of its graphs, such as batch[0]"
            )
        found = graph.totals
    else:
        network = as_graph(graph, tiled=True, directions="unused")  # the count warns, and says why it needs memory
        found = graphlets(network, size=size or 4, **keywords)
    # Transforms and censuses of up to four vertices have different orders.
    names = COMPARED if len(found) <= len(COMPARED) + 2 else GRAPH_NAMES[1:]
    return {name: found[name] for name in names if name in found}


def _shares(totals: dict[str, int]) -> dict[str, float]:
    def size(name: str) -> int:
        return len(GRAPHLET_SHAPES[name].places)

    of_size = dict.fromkeys((3, 4, 5), 0)
    for name, count in totals.items():
        of_size[size(name)] += count
    return {name: count / max(1, of_size[size(name)]) for name, count in totals.items()}


def _draw(
    ax: Axes,
    drawn: Drawn,
    values: Mapping[str, float],
    shapes: Mapping[str, Shape],
    *,
    unit: str,
    share: bool,
    label: str | None,
    shift: float,
) -> None:
    """Draw a dot for each value, from top to bottom, on a logarithmic axis, `shift` below the tick of its name."""
    from triadic.plot.artists import add_legend, name_ticks, set_log_axis  # noqa: PLC0415 - imports matplotlib

    if not drawn.networks:
        ax.set_ylim(len(values) - 0.4, -0.6)
        name_ticks(ax, list(values), [shapes[name] for name in values], axis="y", size=_DRAWING)
        draw_guides(ax, "y")
        ax.set_xlabel(unit)
    style = network_style(ax, drawn.networks, _DOT) | {"linestyle": "none"}
    shown = [float(value) for value in values.values()]  # matplotlib does not accept integers of 2**63 or more
    ax.plot(shown, [place + shift for place in range(len(shown))], **style, label=label, zorder=3)
    drawn.networks += 1
    drawn.values += shown
    set_log_axis(ax, "x", drawn.values, share=share)
    add_legend(ax)
