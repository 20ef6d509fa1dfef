"""The same plot of several networks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from triadic.errors import ArgumentError
from triadic.graph.batch import GraphBatch
from triadic.plot.distributions import clustering_spectrum, degree_distribution, local_clustering
from triadic.plot.dots import graphlet_totals, intensity, triad_census
from triadic.plot.profile import significance_profile

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.core.progress import ProgressKeyword

# Plots by name, each with its keywords.
_PLOTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "graphlets": (graphlet_totals, {"share": True, "shift": 0.0}),
    "triads": (triad_census, {"share": True, "shift": 0.0}),
    "intensity": (intensity, {"shift": 0.0}),
    "coherence": (intensity, {"of": "coherence", "shift": 0.0}),
    "significance_profile": (significance_profile, {"shift": 0.0}),
    "z_scores": (significance_profile, {"scaled": False, "shift": 0.0}),
    "degree": (degree_distribution, {}),
    "clustering_spectrum": (clustering_spectrum, {}),
    "clustering": (local_clustering, {}),
}
_MOST_GRAPHS = 16  # of a batch: two styles of each of the eight colours
_ROOM = 0.6  # share of the room between two ticks that the dots of all networks take


def compare(
    networks: Mapping[str, object] | GraphBatch,
    *,
    of: str = "graphlets",
    ax: Axes | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Draw the same plot of several networks on the same axes.

    Parameters
    ----------
    networks : mapping of str to Graph, or GraphBatch
        Networks by the names that the legend shows. A value may be anything that the plot accepts, such as a result
        that was counted before, and several results of `triadic.significance` of one network show it beside several
        null models. Of a batch of at most 16 graphs, each graph is a network, under its name or number.
    of : str, default "graphlets"
        What to draw: "graphlets" or "triads", as shares; "intensity" or "coherence" of triads; "degree" or
        "clustering", as distributions over the vertices; "clustering_spectrum"; "significance_profile" or "z_scores",
        of triads or graphlets.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    threads : int, optional
        Number of threads that count in the graphs; by default as many as the process may use.
    device : str, default "auto"
        Device that counts in the graphs, such as "cpu", "cuda" or "opencl:0"; "auto" chooses one.
    progress : bool or callable, default False
        True shows a progress bar on standard error for each network; a callable is called as
        ``progress(done, total)``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentError
        `networks` is empty, of another type, or a batch of more than 16 graphs; or `of` is not the name of such a plot.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.
    UnsupportedError
        A network is a `TiledGraph`, and `of` is "graphlets", "significance_profile", "z_scores", "intensity" or
        "coherence".

    Warns
    -----
    UserWarning
        `of` is "significance_profile" or "z_scores", and different networks are compared under different null models.

    Notes
    -----
    Costs what the counts of the plot cost in each network.

    Examples
    --------
    >>> import triadic
    >>> networks = {f"p = {p}": triadic.generate.watts_strogatz(200, 6, p, seed=1) for p in (0.1, 0.5)}
    >>> ax = triadic.plot.compare(networks)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['p = 0.1', 'p = 0.5']

    One network beside two null models:

    >>> graph = triadic.generate.rmat(6, seed=1, directed=True)
    >>> nulls = {null: triadic.significance(graph, null=null, samples=10, seed=1) for null in ("degrees", "mutual")}
    >>> ax = triadic.plot.compare(nulls, of="z_scores")
    >>> ax.get_legend().get_title().get_text(), [text.get_text() for text in ax.get_legend().get_texts()]
    ('null models, 10 samples each', ['degrees', 'mutual'])
    """
    pairs = _by_name(networks)
    if of not in _PLOTS:
        raise ArgumentError(f"of={of!r}: expected one of {', '.join(map(repr, _PLOTS))}")
    plot, keywords = _PLOTS[of]
    if of != "degree":  # a graph has its degrees; nothing is counted
        keywords = keywords | {"threads": threads, "device": device, "progress": progress}
    for number, (name, network) in enumerate(pairs):
        if "shift" in keywords:
            keywords["shift"] = _ROOM * ((number + 0.5) / len(pairs) - 0.5)
        ax = plot(network, ax=ax, label=name, **keywords)
    assert ax is not None  # noqa: S101 - the loop ran at least once
    return ax


def _by_name(networks: Mapping[str, object] | GraphBatch) -> list[tuple[str, object]]:
    """Return names and networks; the networks of a batch are its graphs."""
    if isinstance(networks, GraphBatch):
        if len(networks) > _MOST_GRAPHS:
            raise ArgumentError(
                f"networks: the batch has {len(networks):,} graphs, expected at most {_MOST_GRAPHS}; select some, such "
                "as batch[:8]"
            )
        return list(zip(map(str, networks.names), networks, strict=True))
    if not isinstance(networks, Mapping):
        raise ArgumentError(
            f"networks: got {type(networks).__name__}; expected a mapping from names to networks, or a GraphBatch"
        )
    if not networks:
        raise ArgumentError("networks: expected at least one network, by its name; the mapping is empty")
    return list(networks.items())
