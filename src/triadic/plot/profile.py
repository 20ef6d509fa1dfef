"""Plot of the significance profile."""

from __future__ import annotations

from math import isfinite, nan, sqrt
from typing import TYPE_CHECKING, Any
from warnings import warn

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.triad_types import CLOSED_NAMES, OPEN_NAMES, TRIAD_NAMES
from triadic.devices.select import stack_level_of_caller
from triadic.errors import ArgumentError
from triadic.measures.census import TriadCensus
from triadic.measures.significance.result import Significance
from triadic.plot.canvas import Null, axes_for, draw_guides, ink_of, set_message
from triadic.plot.network_style import network_style
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES, TRIAD_SHAPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from triadic.core.progress import ProgressKeyword
    from triadic.plot.canvas import Drawn
    from triadic.plot.shape import Shape

SIZE = (4.6, 3.6)
_DRAWING = (18.0, 15.0)
_CONNECTED = tuple(name for name in TRIAD_NAMES if name in OPEN_NAMES + CLOSED_NAMES)
_SHAPES = {"triads": TRIAD_SHAPES, "graphlets": GRAPHLET_SHAPES, "graphlets of five vertices": GRAPHLET_SHAPES}


def significance_profile(
    graph: GraphLike | Significance | TriadCensus,
    *,
    ax: Axes | None = None,
    label: str | None = None,
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
        The axes have a profile under another null model, or with another number of samples; or of the same network
        with another number of steps. Such profiles cannot be compared.

    Notes
    -----
    An error bar extends one standard error to each side, sqrt(1 / s + z² / (2 (s - 1))) for a score z from s samples,
    scaled like the scores. Counts that cannot vary have no score, and the line has a gap there.

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
    keywords = {"samples": samples, "seed": seed, "threads": threads, "device": device, "progress": progress}
    found = graph if isinstance(graph, TriadCensus | Significance) else _significance(graph, keywords)
    group, names, shapes = _names_and_shapes(found)
    z, errors = _scores(found, names)
    ax, drawn = axes_for(ax, f"a significance profile of {group}", SIZE)
    if not drawn.networks:
        _prepare(ax, names, shapes)
    null = _null_of(found)
    _warn_of_difference([before for before, _, _ in drawn.profiles], null)
    length = sqrt(sum(score * score for score in z.values()))
    shown = names if length else ()
    bars = ax.errorbar(
        range(len(shown)),
        [z.get(name, nan) / length for name in shown],  # the line has a gap at nan
        yerr=[errors.get(name, nan) / length for name in shown] if errors else None,
        linewidth=1.2,
        capsize=2.0,
        capthick=0.9,
        elinewidth=0.9,
        zorder=3,
        **network_style(ax, drawn.networks, 4.5),
    )
    drawn.networks += 1
    drawn.profiles.append((null, bars, label))
    drawn.values += z.values()
    if not drawn.values:
        ax.set_ylim(-1, 1, auto=True)
    set_message(ax, drawn, None if drawn.values else "no count differs\nfrom its expectation", height=0.75)
    _add_legend(ax, drawn)
    return ax


def _prepare(ax: Axes, names: tuple[str, ...], shapes: list[Shape]) -> None:
    """Draw the line of zero, and name the ticks."""
    from triadic.plot.artists import name_ticks  # noqa: PLC0415 - imports matplotlib

    ax.set_ylabel("normalised z-score")
    ax.set_xlim(-0.6, len(names) - 0.4)
    ax.axhline(0, color=ink_of(ax), linewidth=0.8)
    draw_guides(ax, "x")
    name_ticks(ax, names, shapes, axis="x", size=_DRAWING)


def _add_legend(ax: Axes, drawn: Drawn) -> None:
    """Add a legend of the networks, and the null model: once if all profiles have the same, or else with each name."""
    from triadic.plot.artists import add_legend  # noqa: PLC0415 - imports matplotlib

    nulls = [str(null) for null, _, _ in drawn.profiles]
    alike = len(set(nulls)) == 1
    for null, bars, label in drawn.profiles:
        bars.set_label((label or "_") if alike else str(null) if label is None else f"{label} ({null})")
    add_legend(ax, f"null: {nulls[0]}" if alike else None)


def _names_and_shapes(found: TriadCensus | Significance) -> tuple[str, tuple[str, ...], list[Shape]]:
    """Return the group of counts, their names along the axis and the shapes drawn under them."""
    if isinstance(found, TriadCensus):
        return "triads", _CONNECTED, [TRIAD_SHAPES[name] for name in _CONNECTED]
    drawn = [group for group in found.groups if group in _SHAPES]
    if not drawn:
        raise ArgumentError(
            f"graph: significance of {found.title} has no profile; expected that of triads or graphlets"
        )
    names = tuple(name for name in found.groups[drawn[0]] if name in found.profiled)
    return drawn[0], names, [_SHAPES[drawn[0]][name] for name in names]


def _scores(found: TriadCensus | Significance, names: tuple[str, ...]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the defined z-scores and their standard errors; exact scores have no standard errors."""
    if isinstance(found, TriadCensus):
        exact = found.z_scores()
        return {name: exact[name] for name in names if isfinite(exact[name])}, {}
    z = {name: score for name in names if isfinite(score := found[name].z)}
    count = len(found.samples)
    return z, {name: sqrt(1 / count + score * score / (2 * (count - 1))) for name, score in z.items()}


def _significance(graph: GraphLike, keywords: dict[str, Any]) -> Significance:
    from triadic.measures.significance.significance import significance  # noqa: PLC0415 - a ready result needs no sampling

    graph = as_graph(graph, directions="unused")  # `significance` warns
    return significance(graph, of="triads" if graph.directed else "graphlets", **keywords)


def _null_of(found: TriadCensus | Significance) -> Null:
    """Return the null model of a result."""
    if isinstance(found, TriadCensus):
        return Null("U|MAN", None, None, tuple(found.values()))
    return Null(found.null_title, len(found.samples), found.steps, found.counts)


def _difference(one: Null, other: Null) -> str | None:
    """Describe how two null models differ; None if profiles under them can be compared.

    The default number of steps depends on the network, so that numbers of steps are compared for the same network only.

    Examples
    --------
    >>> _difference(Null("gnm", 50, None, (1,)), Null("configuration", 50, None, (1,)))
    "the null model is 'gnm' in one and 'configuration' in the other"
    >>> _difference(Null("degrees", 50, 10_000, (1,)), Null("degrees", 50, 20_000, (2,))) is None
    True
    """
    if one.name != other.name:
        return f"the null model is {one.name!r} in one and {other.name!r} in the other"
    if one.samples != other.samples:
        return f"one has {one.samples:,} samples and the other has {other.samples:,}"
    if one.counts == other.counts and one.steps != other.steps:
        return f"walks to samples have {one.steps:,} steps in one and {other.steps:,} in the other"
    return None


def _warn_of_difference(before: Sequence[Null], null: Null) -> None:
    """Warn if a profile is drawn over a profile under a different null model."""
    found = next((text for other in before if (text := _difference(other, null)) is not None), None)
    if found is not None:
        warn(
            f"significance profiles on the same axes have different null models: {found}; "
            "compute both with the same null=, samples= and steps=, or draw them on separate axes",
            UserWarning,
            stacklevel=stack_level_of_caller(),
        )
