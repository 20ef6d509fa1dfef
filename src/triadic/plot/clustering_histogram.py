"""The distribution of local clustering."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.measures import clustering as measures
from triadic.plot.canvas import add_legend, axes_for, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword


def local_clustering(
    graph: GraphLike | NDArray[np.float64],
    *,
    ax: Axes | None = None,
    label: str | None = None,
    bins: int = 25,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Draw how the local clustering coefficients of the vertices of degree 2 and more are distributed.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes, or float array of shape (n,)
        An array holds the coefficients, of those vertices alone that are to count.
    ax, label
        As for `degree_distribution`.
    bins : int, default 25
        Of the same width from 0 to 1; the last holds 1.
    threads, device, progress
        As for `triadic.clustering`, which counts where a graph is given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(500, 6, 0.1, seed=1)
    >>> triadic.plot.local_clustering(graph).get_xlabel()
    'local clustering coefficient'
    """
    coefficient = _coefficients(graph, {"threads": threads, "device": device, "progress": progress})
    ax, _ = axes_for(ax)
    ax.set(xlabel="local clustering coefficient", ylabel="share of vertices of degree ≥ 2", xlim=(0, 1))
    if not len(coefficient):
        say(ax, "no vertex of degree 2 or more")
        return ax
    # A coefficient that is a bin's edge, such as 1/5, must not fall below it by a rounding of the division.
    count = np.bincount(np.minimum((coefficient * bins + 1e-9).astype(np.int64), bins - 1), minlength=bins)
    share, edges = count / len(coefficient), np.linspace(0, 1, bins + 1)
    (line,) = ax.plot(edges, [*share, share[-1]], drawstyle="steps-post", marker="none", linewidth=1.4, label=label)
    ax.fill_between(edges, [*share, share[-1]], step="post", color=line.get_color(), alpha=0.15, linewidth=0)
    ax.set_ylim(bottom=0)
    add_legend(ax)
    return ax


def _coefficients(graph: Any, keywords: dict[str, Any]) -> NDArray[np.float64]:  # noqa: ANN401 - what `Graph` takes
    if isinstance(graph, np.ndarray) and graph.ndim == 1:
        return graph
    network = as_graph(graph)
    return measures.clustering(network, **keywords)[network.degree > 1]
