"""Dot plot of the numbers of graphlets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.convert.recognise import GraphLike, as_graph
from triadic.errors import ArgumentError
from triadic.measures.graphlet_result import GraphletTransform
from triadic.measures.graphlets import graphlet_transform
from triadic.plot.canvas import axes_for
from triadic.plot.dots import draw_dots
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.core.progress import ProgressKeyword

SIZE = (4.4, 3.3)
_DRAWING = (20.0, 17.0)


def graphlet_totals(
    graph: GraphLike | GraphletTransform,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    share: bool = False,
    shift: float = 0.0,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Plot the number of induced subgraphs of each connected graph of three or four vertices, drawn beside the axis.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts, or GraphletTransform
        Network to count the graphlets of, or the counts that `triadic.graphlet_transform` returned. Directions of arcs
        are ignored. A transform with ``graphlets=5`` has only the two graphs of three vertices.
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
        The axes that were drawn on. The axis of counts is logarithmic; counts of 0 are in a strip beside it, which is
        labelled 0.

    Raises
    ------
    ArgumentError
        A plot of other values was drawn on the axes before, or the transform is that of a `GraphBatch`.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.
    UnsupportedError
        The graph is a `TiledGraph` or a `GraphBatch`.

    Notes
    -----
    The counts cost what `triadic.graphlet_transform` costs; a GraphletTransform is plotted without counting.

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
    if isinstance(graph, GraphletTransform):
        transform = graph
        if transform.batch is not None:
            raise ArgumentError(
                "graph: the transform is that of a GraphBatch; expected that of one of its graphs, such as batch[0]"
            )
    else:
        network = as_graph(graph, tiled=True, directions="unused")  # the transform warns, and says why it needs memory
        transform = graphlet_transform(network, threads=threads, device=device, progress=progress)
    totals = {name: count for name, count in transform.totals.items() if name not in ("vertex", "edge")}
    kind = "graphlets" if len(totals) > 2 else "graphlets of three vertices"
    ax, drawn = axes_for(ax, f"{'shares' if share else 'numbers'} of {kind}", SIZE)
    draw_dots(
        ax,
        drawn,
        list(_shares(totals).values() if share else totals.values()),
        list(totals),
        [GRAPHLET_SHAPES[name] for name in totals],
        size=_DRAWING,
        unit="share of graphlets of the same size" if share else "induced subgraphs",
        share=share,
        label=label,
        shift=shift,
    )
    return ax


def _shares(totals: dict[str, int]) -> dict[str, float]:
    def size(name: str) -> int:
        return len(GRAPHLET_SHAPES[name].places)

    of_size = {vertices: sum(count for name, count in totals.items() if size(name) == vertices) for vertices in (3, 4)}
    return {name: count / max(1, of_size[size(name)]) for name, count in totals.items()}
