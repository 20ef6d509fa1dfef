"""Plot of the significance profile, and of any plot for several networks on the same axes."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.triad_types import TRIAD_NAMES
from triadic.devices.select import warn
from triadic.errors import ArgumentError
from triadic.graph.batch import GraphBatch
from triadic.measures.census import TriadCensus
from triadic.measures.significance.result import Significance
from triadic.plot.canvas import axes_for, draw_guides, ink_of, name_under, network_style, set_message
from triadic.plot.distributions import clustering_spectrum, degree_distribution, local_clustering
from triadic.plot.dots import graphlet_totals, intensity, triad_census
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES, TRIAD_SHAPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.core.progress import ProgressKeyword
    from triadic.measures.significance.result import Count
    from triadic.plot.canvas import Drawn

SIZE = (4.6, 3.6)
_DRAWING = (18.0, 15.0)
_NOTABLE = 2.0  # standard deviations, within which a score is close to its expectation
_LINEAR = 20.0  # largest score on a linear axis
# The counts in the order of the axis.
_SHAPES = {"triads": TRIAD_SHAPES, "graphlets": GRAPHLET_SHAPES, "graphlets of five vertices": GRAPHLET_SHAPES}


def significance_profile(
    graph: GraphLike | Significance | TriadCensus,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    scaled: bool = True,
    shift: float = 0.0,
    samples: int = 100,
    seed: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Plot the z-scores of connected triads or graphlets, scaled to length 1, with these drawn below the axis.

    A directed graph is compared by its thirteen connected triads, an undirected one by its graphlets of three and four
    vertices.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts, or Significance, or TriadCensus
        Network whose triads or graphlets are compared with those of random networks; or the result of
        `triadic.significance` for triads or graphlets, of which the first group is drawn; or the result of
        `triadic.triad_census`, whose z-scores under the null model U|MAN are exact and have no error bars.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there. The legend also states the null model and
        the number of samples, after each name if the profiles on the axes differ in them.
    scaled : bool, default True
        Scale the scores to length 1, to compare networks of different sizes. False plots the z-scores themselves, on an
        axis that is logarithmic from 2 on if any exceeds 20, with a band of two standard deviations to each side.
    shift : float, default 0.0
        Distance of the scores to the right of their ticks, as a share of the distance between ticks, so that the bars
        of several networks or null models do not overlap.
    samples : int, default 100
        Number of random networks that are drawn for a graph, at least 2.
    seed : int, optional
        Seed of the random networks, from 0 to 2**64 - 1; by default a fresh seed is drawn.
    threads : int, optional
        Number of threads that draw and count random networks; by default as many as the process may use.
    device : str, default "auto"
        Device that counts the triads, such as "cpu", "cuda" or "opencl:0"; "auto" chooses one.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentError
        `graph` is a Significance of anything but triads or graphlets; or the axes show anything but a profile of the
        same counts.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.
    UnsupportedError
        The graph is a `TiledGraph` or a `GraphBatch`.

    Warns
    -----
    UserWarning
        The axes have a profile of another network under another null model; or under the same null model with another
        number of samples or, of the same network, of steps. Such profiles cannot be compared. Several null models of
        the same network do not warn: the legend says which is which.

    Notes
    -----
    An error bar extends one standard error to each side, sqrt(1 / s + z² / (2 (s - 1))) for a score z from s samples,
    scaled like the scores. Triads and graphlets are in the order of the tables, that of `triadic.TRIAD_NAMES` and of
    the graphlets G1 to G29. Counts that cannot vary have no score, and the line has a gap there.

    References
    ----------
    R. Milo and others, *Superfamilies of evolved and designed networks*, Science 303, 1538-1542, 2004.

    Examples
    --------
    >>> import triadic
    >>> census = triadic.triad_census(triadic.generate.rmat(6, seed=1, directed=True))
    >>> triadic.plot.significance_profile(census).get_ylabel()
    'normalised z-score'
    """
    if isinstance(graph, TriadCensus | Significance):
        found = graph
    else:
        from triadic.measures.significance.significance import significance  # noqa: PLC0415 - a result needs no sampling

        network = as_graph(graph, directions="unused")  # `significance` warns
        of = "triads" if network.directed else "graphlets"
        found = significance(
            network, of=of, samples=samples, seed=seed, threads=threads, device=device, progress=progress
        )
    group, names = _drawn_names(found)
    what = "a significance profile" if scaled else "z-scores"
    ax, drawn = axes_for(ax, f"{what} of {group}", SIZE)
    if not drawn.number:
        from triadic.plot.artists import name_ticks  # noqa: PLC0415 - imports matplotlib

        ax.set_ylabel("normalised z-score" if scaled else "z-score")
        if not scaled:
            ax.axhspan(-_NOTABLE, _NOTABLE, color=ink_of(ax), alpha=0.07, linewidth=0)
        ax.set_xlim(-0.6, len(names) - 0.4)
        ax.axhline(0, color=ink_of(ax), linewidth=0.8)
        draw_guides(ax, "x")
        name_ticks(ax, names, [_SHAPES[group][name] for name in names], axis="x", size=_DRAWING)
    null, scores = _null_and_scores(found, names)
    difference = next(filter(None, (_difference(other, null) for other, _, _ in drawn.profiles)), None)
    if difference:
        warn(
            f"significance profiles on the same axes have different null models: {difference}; "
            "compute both with the same null=, samples= and steps=, or draw them on separate axes"
        )
    z = np.where(np.isfinite(scores), scores, nan)  # the line has a gap at nan
    length = (sqrt(np.nansum(z * z)) if scaled else 0.0) or 1.0
    bars = ax.errorbar(
        np.arange(len(z)) + shift,
        z / length,
        yerr=null.samples and np.sqrt(1 / null.samples + z * z / (2 * (null.samples - 1))) / length,
        linewidth=1.2 if scaled else 0,
        capsize=2.0,
        capthick=0.9,
        elinewidth=0.9,
        zorder=3,
        **network_style(ax, drawn.number, 4.5),
    )
    drawn.profiles.append((null, bars, label))
    drawn.values += z[np.isfinite(z)].tolist()
    if not drawn.values:
        ax.set_ylim(-1, 1, auto=True)
    if not scaled and max(map(abs, drawn.values), default=0.0) > _LINEAR:
        from matplotlib.ticker import SymmetricalLogLocator  # noqa: PLC0415 - an extra

        ax.set_yscale("symlog", linthresh=_NOTABLE, linscale=0.5)
        ax.yaxis.set_major_locator(SymmetricalLogLocator(ax.yaxis.get_transform(), subs=(1, 3)))
        ax.yaxis.set_major_formatter("{x:,g}")
    set_message(ax, drawn, "no count differs\nfrom its expectation", height=0.75)
    _add_legend(ax, drawn)
    return ax


def _add_legend(ax: Axes, drawn: Drawn) -> None:
    """Add a legend of the networks, and the null model: once if all profiles have the same, or else with each name."""
    from triadic.plot.artists import add_legend  # noqa: PLC0415 - imports matplotlib

    nulls = [null for null, _, _ in drawn.profiles]
    alike, samples = len({str(null) for null in nulls}) == 1, {null.samples for null in nulls}
    together = len(samples) == 1 and None not in samples
    for null, bars, label in drawn.profiles:
        bars.set_label((label or "_") if alike else name_under(label, null.name if together else str(null)))
    title = f"null models, {nulls[0].samples:,} samples each" if together else None
    add_legend(ax, f"null: {nulls[0]}" if alike else title)


def _drawn_names(found: TriadCensus | Significance) -> tuple[str, tuple[str, ...]]:
    """Return the group of counts, and their names along the axis."""
    if isinstance(found, TriadCensus):
        return "triads", TRIAD_NAMES[3:]
    group = next((group for group in found.groups if group in _SHAPES), None)
    if group is None:
        raise ArgumentError(
            f"graph: significance of {found.title} has no profile; expected that of triads or graphlets"
        )
    names = set(found.groups[group]) & set(found.profiled)
    return group, tuple(name for name in _SHAPES[group] if name in names)


class Null(NamedTuple):
    """The null model of a profile.

    Attributes
    ----------
    name : str
        The null model and what arcs keep, such as "degrees, 12 groups", or "U|MAN" for exact scores.
    samples : int or None
        Number of random networks; None for exact scores.
    steps : int or None
        Number of steps of the walk to each sample; None for null models without walks.
    counts : tuple
        Counts of the network, which tell whether two results are of the same network.
    """

    name: str
    samples: int | None
    steps: int | None
    counts: tuple[Count, ...]

    def __str__(self) -> str:
        return f"{self.name}, exact" if self.samples is None else f"{self.name}, {self.samples:,} samples"


def _null_and_scores(found: TriadCensus | Significance, names: tuple[str, ...]) -> tuple[Null, list[float]]:
    """Return the null model of a result, and the z-scores of some counts."""
    if isinstance(found, TriadCensus):
        z = found.z_scores()
        return Null("U|MAN", None, None, tuple(found[name] for name in names)), [z[name] for name in names]
    rows = [found[name] for name in names]
    null = Null(found.null_title, len(found.samples), found.steps, tuple(row.count for row in rows))
    return null, [row.z for row in rows]


def _difference(one: Null, other: Null) -> str | None:
    """Describe how two null models differ; None if what is drawn under them can be compared.

    Null models of the same network are drawn to be compared, whatever their numbers of samples. The default number of
    steps depends on the network, so that numbers of steps are compared for the same network only.

    Examples
    --------
    >>> _difference(Null("gnm", 50, None, (1,)), Null("configuration", 50, None, (2,)))
    "the null model is 'gnm' in one and 'configuration' in the other"
    >>> _difference(Null("gnm", 50, None, (1,)), Null("configuration", 50, None, (1,))) is None
    True
    >>> _difference(Null("degrees", 50, 10_000, (1,)), Null("degrees", 50, 20_000, (2,))) is None
    True
    """
    same = one.counts == other.counts
    if one.name != other.name:
        return None if same else f"the null model is {one.name!r} in one and {other.name!r} in the other"
    if one.samples != other.samples:
        return f"one has {one.samples:,} samples and the other has {other.samples:,}"
    if same and one.steps != other.steps:
        return f"walks to samples have {one.steps:,} steps in one and {other.steps:,} in the other"
    return None


# The same plot of several networks

# Plots by name, each with its keywords.
_PLOTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "graphlets": (graphlet_totals, {"share": True}),
    "triads": (triad_census, {"share": True}),
    "intensity": (intensity, {}),
    "coherence": (intensity, {"of": "coherence"}),
    "significance_profile": (significance_profile, {}),
    "z_scores": (significance_profile, {"scaled": False}),
    "degree": (degree_distribution, {}),
    "clustering_spectrum": (clustering_spectrum, {}),
    "clustering": (local_clustering, {}),
}
_SHIFTED = graphlet_totals, triad_census, intensity, significance_profile  # whose dots are beside one another
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
        if plot in _SHIFTED:
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
