"""Significance: the counts of a graph, compared with the counts of random graphs.

The temporal motifs of events are compared with those of shuffled events.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import repeat
from math import nan
from typing import TYPE_CHECKING, Any, Literal, cast

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core import blocks
from triadic.core.arcs import Origin
from triadic.core.checked import MOST_SAMPLES, check_option, check_positive, check_seed, check_whole
from triadic.core.draws import derive_keys
from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.core.triad_types import ROLES
from triadic.counts.count import check_device
from triadic.devices.select import warn
from triadic.errors import ArgumentError, CountOverflowError, NothingToCompareError, shown
from triadic.graph.temporal import TemporalGraph
from triadic.measures.batches import one_by_one, one_row_a_graph
from triadic.measures.cliques import NAMES as CLIQUES
from triadic.measures.cliques import clique_counts
from triadic.measures.patterns import matches
from triadic.measures.registry import (
    FIVE,
    Countable,
    check_named,
    countable,
    countables_of,
    of_cliques,
    of_pattern,
    of_types,
)
from triadic.measures.significance.result import Comparison, Significance
from triadic.measures.significance.statistics import (
    DEVICE_LOCK,
    check_orbits_fit,
    compute_statistics,
    drawing_devices,
    names_of,
    profiled_of,
    sample_statistics_on_cluster,
    statistics_of_sample,
    steps_for,
)
from triadic.measures.significance.statistics import diagnose as diagnose_walk
from triadic.measures.temporal import temporal_motifs
from triadic.null_models.model import Null, check_room, default_null, sample_each
from triadic.null_models.randomization import draw_samples
from triadic.null_models.shuffled_events import ShuffledEvents
from triadic.tiles.cluster.client import check_client

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from distributed import Client
    from numpy.typing import ArrayLike

    from triadic.convert.recognise import Directions
    from triadic.core.array_types import AnyArray
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.batch import GraphBatch
    from triadic.graph.events import Duration
    from triadic.graph.graph import Graph
    from triadic.measures.batches import Columns
    from triadic.measures.patterns.pattern import Pattern
    from triadic.measures.significance.statistics import Groups, Values
    from triadic.null_models.constraints import Groups as VertexGroups
    from triadic.null_models.constraints import Missing, Positions

    Counted = str | Pattern | Sequence[str | Pattern] | None

By = Literal["type"] | None

_MOST_EFFECTIVE = 1000
_PARTS = ("count", "mean", "std", "z", "p", "q")  # of a comparison
_BYTES_AN_EVENT = 200  # of a sample and of its counts


def _of_batch(batch: GraphBatch, **keywords: Any) -> Columns:  # noqa: ANN401 - keywords of `significance`
    """Return the columns of the table of a batch: the columns of each count, such as "030T z".

    A graph with nothing to compare has its counts alone.
    """
    if keywords.get("by") is not None:
        raise ArgumentError(f"by={keywords['by']!r}: the graphs of a batch have other types; expected one graph")
    alone = []

    def row(graph: Graph, **keywords: Any) -> dict[str, float]:  # noqa: ANN401 - as above
        comparisons: Mapping[str, Comparison]
        try:
            comparisons = found = significance(graph, **keywords)
            profile = found.profile
        except NothingToCompareError:
            alone.append(graph)
            network, groups = _network_and_groups(graph, keywords.get("of"), keywords.get("size"), warn=False)
            machine: dict[str, Any] = {"threads": keywords.get("threads"), "device": keywords.get("device", "auto")}
            counts = compute_statistics(network, groups, **machine)
            comparisons = {
                name: Comparison(count, nan, nan, nan, nan)
                for name, count in zip(names_of(groups), counts, strict=True)
            }
            profile = dict.fromkeys(profiled_of(groups), nan)
        columns: dict[str, float] = {}
        for name, comparison in comparisons.items():
            columns |= {f"{name} {part}": getattr(comparison, part) for part in _PARTS}
            if name in profile:
                columns[f"{name} profile"] = profile[name]
        return columns

    columns = one_by_one(row, batch, "significance", **keywords)
    if alone:
        warn(
            f"{len(alone):,} of {batch.num_graphs:,} graphs have no edges, or nothing that can be moved; the table "
            "has their counts, and nan for their mean, std, z, p, q and profile"
        )
    return columns


@one_row_a_graph("significance", _of_batch)
def significance(
    graph: GraphLike | TemporalGraph,
    *,
    of: str | Pattern | Sequence[str | Pattern] | None = None,
    by: By = None,
    types: VertexGroups | None = None,
    missing: Missing = "error",
    size: int | None = None,
    delta: Duration | None = None,
    ties: str | None = None,
    null: str | None = None,
    groups: VertexGroups | None = None,
    positions: Positions | None = None,
    bins: int | ArrayLike | None = None,
    keep_weights: str | None = None,
    tolerance: float | None = None,
    block: Duration | None = None,
    samples: int = 100,
    steps: int | None = None,
    effective: float | None = None,
    diagnose: bool = False,
    seed: int | None = None,
    client: Client | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Significance:
    """Compare the counts of a graph with the counts of random graphs.

    Parameters
    ----------
    graph : Graph, GraphBatch, or any input that `Graph` accepts, or TemporalGraph
        For "clustering" and graphlets the directions of a directed graph are ignored. Each graph of a batch is compared
        with random graphs of its own. A `TemporalGraph` is compared by its 36 temporal motifs of three events.
    of : str, Pattern or sequence of them, optional
        Counts to compare: "triads", the 16 types; "clustering", transitivity and average clustering; "graphlets", the
        connected induced subgraphs of three and four vertices; "intensity", the intensities and coherences of closed
        triads in a weighted graph; any other name of `triadic.count` that has a total, such as "triangles" or
        "closure"; a pattern, such as "A -> B; B -> C; A -> C"; or several of these, counted in the same random graphs.
        The default is "triads" for a directed graph, and ("clustering", "graphlets") for an undirected one, whose
        triads say no more than its graphlets. A `TemporalGraph` has "motifs" alone. For ``by="type"``, patterns and
        connected types of triads such as "030T", of which "triads", the default, means all.
    by : {None, "type"}, default None
        "type" compares the number of subgraphs for each combination of types of their vertices, such as feed-forward
        loops from a sensory neuron by an interneuron to a motor neuron. `groups` keeps the arcs between the types.
    types : str, mapping, Series or table by label, or array_like, shape (n,), optional
        Type of each vertex, for ``by="type"`` and ``null="types"``: whole numbers or strings, or the name of a column
        of the vertices. ``null="types"`` without `by` takes a name, and patterns with conditions on that column.
    missing : {"error", "type", "drop"}, default "error"
        Of `types` and `groups`, whether vertices without one are refused, or have the type "(missing)", and a group of
        their own; with "drop" subgraphs that have such vertices are left out.
    size : {3, 4, 5}, optional
        Number of vertices of the largest "graphlets"; by default 4; or of "cliques" and "simplices". With 5, the 21
        graphlets of five vertices are a group of their own, with a profile of its own.
    delta : number, timedelta, timedelta64 or str, optional
        Longest time from the first event of a temporal motif to the last, which a `TemporalGraph` needs; see
        `temporal_motifs`.
    ties : {"order", "simultaneous"}, optional
        Whether tied events of a `TemporalGraph` and of its samples follow one another; see `temporal_motifs`.
    null : {"degrees", "mutual", "gnm", "configuration", "types"}, optional
        Properties that the random graphs share with the graph:

        - "degrees": the degree of each vertex; in a directed graph its in- and out-degree.
        - "mutual": in a directed graph also the number of mutual neighbours of each vertex.
        - "gnm": the numbers of vertices and edges.
        - "configuration": the degrees, but loops and repeats are erased.
        - "types": the whole network and the number of vertices of each of `types`, which are permuted, within `groups`
          where these are given. It asks which patterns of types are more than chance in a network that is what it is,
          such as the neighbours of cells in a tissue.

        The default is "mutual" for triads of a directed graph, and "degrees" otherwise. Of a `TemporalGraph`, whose
        default is "shuffled_times", samples have the same

        - "shuffled_times": number of events of each ordered pair of vertices, and times: P[w, t] of Gauvin et al.
        - "random_times": number of events of each ordered pair, with times drawn between the first and the last:
          P[w].
        - "shuffled_links": in- and out-degrees of the graph without times, whose links are random, and times of the
          events of a link: P[k, p_L(Θ)].
        - "time_reversal": events, from the last to the first. There is one such network, and no z or p.
    block : number, timedelta, timedelta64 or str, optional
        For "shuffled_times", shuffle the times within blocks of this length only, such as ``"1 day"``. Blocks are
        counted from time 0, so that days of Unix times and of dates begin at midnight UTC.
    groups : str, mapping, Series or table by label, or array_like, shape (n,), optional
        Group of each vertex, such as the type of a neuron: the random graphs also have as many arcs from each group to
        each group as the graph. For "degrees" and "mutual" only, as are `positions` and `bins`; of "types" the groups
        within which types are permuted, such as the slices of a tissue. A Series or DataFrame
        has the labels of the vertices as its index, or in the column "label"; so does a table of another library. An
        array is in the order of the vertices. A string names one of `Graph.vertex_columns`.
    positions : sequence of str, mapping or table by label, or array_like, shape (n, 2) or (n, 3), optional
        Coordinates of the vertices, or the names of their columns: the random graphs have as many arcs in each bin of
        length as the graph, so that distance cannot explain what is found; with `groups`, as many from each group to
        each group in each bin.
    bins : int or array_like, optional
        Number of bins of length, cut at quantiles of the lengths of the arcs, or the inner edges between the bins, as
        `numpy.digitize` takes them. By default 10 bins.
    keep_weights : {"keep", "shuffle", "strength"}, optional
        How the random graphs get the weights of the graph: they travel with arcs, are permuted, or are permuted so
        that each vertex nearly keeps its strengths. `randomize` describes them. By default the random graphs have no
        weights; for "intensity", the default is "keep".
    tolerance : float, optional
        For ``keep_weights="strength"``: largest sum of all deviations from the strengths, as a share of the sum of all
        strengths; by default 0.05.
    samples : int, default 100
        Number of random graphs, at least 2.
    steps : int, optional
        Number of proposals, accepted or rejected, of the walk from the graph to each sample; by default 10 per edge,
        and at least 10,000; with `groups` or `positions` up to 20 times as many, so that about 5 per edge are accepted.
        For "degrees", "mutual" and "shuffled_links" only.
    effective : float, optional
        Choose the steps by a trial walk: as many, at least the default, that the walk to each sample is this number of
        times as long as the autocorrelation time of the slowest count. 5 is a good choice.
    diagnose : bool, default False
        Follow one walk of nine times the length of the walk to a sample, and tell from the counts at 72 checkpoints
        whether the walks are long enough: the result is in ``diagnosis``, and a warning says why they are not.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1. The same seed returns the same result with any number of threads,
        on any device and on a cluster. By default a fresh seed is drawn; the result contains it.
    client : distributed.Client, optional
        Client of a Dask cluster whose workers draw and count the samples.
    threads : int, optional
        Number of threads, each of which draws whole samples; by default as many as the process may use.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough. A GPU also draws the samples of "degrees" and "mutual"
        without `keep_weights`, many side by side; the CPU draws all others.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``, in samples.

    Returns
    -------
    Significance
        For each name its count, the mean and the standard deviation over the samples, z, p and q; and the significance
        profile. For a batch, a `Table` with the columns "030T count", "030T mean", "030T std", "030T z", "030T p",
        "030T q" and, for counts of the profile, "030T profile", and so on for each name. For ``by="type"``, names such
        as ``("030T", "sensory", "inter", "motor")``: of each pattern the combinations of types that occur in the graph
        or in a random graph, by falling count. Vertices that can be exchanged have types in rising order, and those of
        a cycle begin where the combination is smallest.

    Raises
    ------
    ArgumentError
        If `of` or `null` is another string, or `of` combines the triads of a directed graph with counts that ignore
        directions; if `samples` is less than 2, or `null` is "mutual" for an undirected graph; or if another argument
        does not have an accepted value.
    CountOverflowError
        If graphlets are compared, and a frequency could exceed 64 bits.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed; or if `client` is given, and
        dask.distributed is not installed.
    NothingToCompareError
        If the graph has no edges, or is the only graph with the kept properties, such as a star or a complete graph.
    OutOfMemoryError
        If the samples or a count need more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`.

    Warns
    -----
    UserWarning
        `groups` and `bins` hold much of the graph fast; the walks are too short, with `diagnose`; or Ctrl-C ended the
        sampling early, after at least two samples, which are then the result.
        Some graphs of a batch have no edges, or are the only graphs with the kept properties. Their rows have their
        counts, and nan in the other columns.

    See Also
    --------
    randomize, shuffle_events : Draw the random graphs.
    TriadCensus.z_scores : Compute exact z-scores of triads under the null model that keeps the numbers of dyads only.
    triadic.plot.significance_profile : Draw the significance profile.

    Notes
    -----
    A sample costs 0.1 to 2 microseconds per edge for its switching, and a count. Each thread holds a graph of its own,
    of 40 to 60 bytes per edge, or 120 with `groups` or `positions`. Graphlets of five vertices cost `graphlets` with
    ``size=5`` for each sample, and its memory for each thread. Samples of a `TemporalGraph` cost some tens of
    nanoseconds per event, and a count. ``diagnose=True`` costs as much as about 70 samples.

    References
    ----------
    Gauvin, Génois, Karsai, Kivelä, Takaguchi, Valdano and Vestergaard (2022), "Randomized reference models for temporal
    networks", SIAM Review 64, 763, for the null models of temporal graphs.
    Milo, Shen-Orr, Itzkovitz, Kashtan, Chklovskii and Alon (2002), "Network motifs: simple building blocks of complex
    networks", Science 298, 824.
    Milo, Itzkovitz, Kashtan, Levitt, Shen-Orr, Ayzenshtat, Sheffer and Alon (2004), "Superfamilies of evolved and
    designed networks", Science 303, 1538, for the profile.
    Davison and Hinkley (1997), *Bootstrap Methods and their Application*, section 4.2, for p.
    Benjamini and Hochberg (1995), "Controlling the false discovery rate", Journal of the Royal Statistical Society B
    57, 289, for q.
    Geyer (1992), "Practical Markov chain Monte Carlo", Statistical Science 7, 473, for autocorrelation times.

    Examples
    --------
    >>> import triadic
    >>> ring = triadic.generate.watts_strogatz(200, 6, 0.1, seed=1)
    >>> result = triadic.significance(ring, samples=50, seed=1)
    >>> list(result)[:4]
    ['transitivity', 'average_clustering', '2-path', 'triangle']
    >>> result["triangle"].count, result["triangle"].z > 10, round(result["triangle"].p, 3)
    (437, True, 0.039)
    >>> result.profile["triangle"] > 0 > result.profile["2-path"]
    True

    A conversation, whose events answer one another at once:

    >>> source, target = [0, 1, 0, 2, 3, 2], [1, 0, 1, 3, 2, 3]
    >>> events = triadic.TemporalGraph.from_edges(source, target, [0, 10, 20, 500, 510, 520])
    >>> found = triadic.significance(events, delta=60, samples=50, seed=1)
    >>> found["M51"].count, found["M51"].z > 1, found.null
    (2, True, 'shuffled_times')
    """
    name = "shuffled_times" if null is None else null
    asked = Null(name, steps, groups, positions, bins, keep_weights, tolerance, missing, types)
    machine: dict[str, Any] = {"threads": threads, "device": device, "progress": progress}
    check_option("by", by, By)
    of_walks = {"size": size, "effective": effective, "diagnose": diagnose or None}
    of_arcs = {**asked.of_arcs(), **of_walks, "by": by, "types": types}
    of_arcs["missing"] = None if str(missing) == "error" else missing
    of_times = {"of": of if str(of) == "motifs" else None, "delta": delta, "ties": ties, "block": block}
    _refuse_others(graph, of_arcs, of_times)
    samples, seed = check_whole("samples", samples, 2, MOST_SAMPLES), check_seed(seed)
    if isinstance(graph, TemporalGraph):
        return _of_events(graph, asked, of, (delta, ties, block), samples, seed, client, machine)
    graph, counted, labels = _network_and_types(graph, of, by, asked, of_walks, threads)
    workers = blocks.resolve_threads(threads)
    if keep_weights is None and null != "types" and any(each.weighted for each in counted):
        keep_weights = "keep"
    asked = replace(asked, name=default_null(graph) if null is None else null, keep_weights=keep_weights)
    model = asked.of(graph)
    if client is not None:
        check_client(client)
    if graph.num_arcs == 0:
        raise NothingToCompareError("graph: it has no edges, so that there is nothing to compare with random graphs")
    devices = () if client is not None else drawing_devices(model, counted, device, graph.oriented(threads=threads))
    if client is None and not devices:
        check_room(graph, model, min(workers, samples))
        check_orbits_fit(graph, counted, min(workers, samples))
    counts = _counts(graph, counted, threads=threads, device=device)
    keys, names = derive_keys(seed, samples).tolist(), names_of(counted)
    trial = int(derive_keys(keys[0], 1)[0])
    if effective is not None:
        model = steps_for(model, counted, names, trial, _check_effective(effective, steps), **machine)
    with reporting(progress, f"significance of {' and '.join(each.name for each in counted)}") as report:
        if client is None:
            drawn = draw_samples(
                model,
                keys,
                partial(statistics_of_sample, model=model, of=counted),
                threads=workers,
                device=device,
                devices=devices,
                work="drawing and counting",
                partial=True,
                progress=report,
            )
        else:
            drawn = sample_statistics_on_cluster(model, counted, keys, client, device=device, progress=report)
    diagnosis = diagnose_walk(model, counted, names, trial, samples=drawn, **machine) if diagnose else None
    if diagnosis is not None and not diagnosis.mixed:
        message = f"the walks of {diagnosis.steps:,} steps are too short: {'; '.join(diagnosis.reasons)}; raise steps="
        warn(message)
    found = Significance(
        of=counted[0].name if len(counted) == 1 else tuple(each.name for each in counted),
        null=asked.name,
        names=names,
        counts=counts,
        samples=tuple(drawn),
        profiled=profiled_of(counted),
        groups={each.name: each.names for each in counted},
        steps=model.steps,
        seed=seed,
        kept="" if model.kept is None else model.kept.describe(),
        keep_weights=asked.keep_weights,
        diagnosis=diagnosis,
    )
    return found if labels is None else _by_types(found, counted, labels)


def _refuse_others(graph: object, of_arcs: Mapping[str, object], of_times: Mapping[str, object]) -> None:
    """Raise if an argument is given that only graphs without times take, or only graphs with times."""
    timed = isinstance(graph, TemporalGraph)
    for name, value in (of_arcs if timed else of_times).items():
        if value is not None:
            problem = f"={value!r}: expected a TemporalGraph, got a {type(graph).__name__}"
            if timed:
                problem = ": expected None for a TemporalGraph, whose random networks have times"
            raise ArgumentError(f"{name}{problem}")


def _counts(graph: Graph, groups: Groups, *, threads: int | None, device: str) -> Values:
    """Return the counts of the graph; raise if its devices or sizes do not admit them, before a long walk begins."""
    for group in groups:
        check_device(group.count, device)
    try:
        return compute_statistics(graph, groups, threads=threads, device=device)
    except CountOverflowError as error:
        problem = str(error).partition(";")[0]
        advice = "of='clustering' leaves the graphlets out"
        if problem.startswith("orbit"):
            advice = "size=4 compares those of up to four vertices"
        raise CountOverflowError(f"{problem}; {advice}") from error


def _check_effective(effective: object, steps: int | None) -> float:
    if steps is not None:
        raise ArgumentError(f"effective={effective!r}: it chooses the steps; expected steps=None, got {steps!r}")
    expected = f"a number above 0 and up to {_MOST_EFFECTIVE}"
    return check_positive("effective", effective, expected, most=_MOST_EFFECTIVE)


def _network_and_groups(graph: GraphLike, of: Counted, size: int | None, *, warn: bool = True) -> tuple[Graph, Groups]:
    """Return the network, without directions if no count needs them, and the groups of counts to compare."""
    named = () if of is None else countables_of(of, size)
    counted = of is None or any(each.directed for each in named)
    directions: Directions = "counted" if counted else "ignored"
    network = as_graph(graph, directions=directions if warn else "unused")
    groups = named or countables_of("triads" if network.directed else ("clustering", "graphlets"), size)
    if network.directed and len({each.directed for each in groups}) > 1:
        both = (next(each.name for each in groups if each.directed is directed) for directed in (True, False))
        raise ArgumentError(
            f"of={of!r}: {' and '.join(map(repr, both))} differ in whether directions count; compare them separately"
        )
    if not any(each.directed for each in groups):
        network = network.to_undirected(combine="first")
    elif network.origin.direction == "assumed":
        network = network._with(origin=Origin())  # noqa: SLF001 - counts of this network warn of its directions no more
    return network, tuple(part for each in groups for part in _parts(each, network))


def _network_and_types(
    graph: GraphLike, of: Counted, by: By, null: Null, others: dict[str, Any], threads: int | None
) -> tuple[Graph, Groups, AnyArray | None]:
    """Return the network, the groups of counts to compare, and the names of the types by which patterns are counted."""
    types = null.types
    if by is None:
        if null.name != "types" and types is not None:
            raise ArgumentError(
                "types: only by='type' and null='types' take them; groups= keeps the arcs between types"
            )
        network, groups = _network_and_groups(graph, of, others["size"])
        fixed = [each.name for each in groups if each.pattern is None or not matches.depends_on(each.pattern, types)]
        if null.name == "types" and fixed:
            raise ArgumentError(
                f"of={fixed[0]!r}: null='types' permutes types={shown(types)} alone, on which this count does not "
                "depend; use by='type', or a pattern with conditions on that column of the vertices"
            )
        return network, groups, None
    for name, value in others.items():
        if value is not None:
            raise ArgumentError(f"{name}={value!r}: not for by='type', whose rows are known when all are drawn")
    check_named("triads" if of is None else of)
    network = as_graph(graph, directions="counted")
    codes, labels = matches.types_of(network, types, null.missing)
    rows = network.labels, dict(network.vertex_columns)
    patterns = matches.patterns_of("triads" if of is None else of, directed=network.directed)
    listed = {
        name: matches.listed_once(pattern, network, types if isinstance(types, str) else None, threads)
        for name, pattern in patterns.items()
        if null.name == "types"
    }
    counted = (of_types(name, pattern, codes, rows, listed.get(name)) for name, pattern in patterns.items())
    return network, tuple(counted), labels


def _by_types(found: Significance, counted: Groups, labels: AnyArray) -> Significance:
    """Return a comparison by types: a row for each combination that occurs in the graph or in a random graph."""

    def counts_of(values: Iterable[Any]) -> dict[Any, int]:
        return {
            (group.name, *types): count
            for group, (tuples, counts) in zip(counted, values, strict=True)
            for types, count in zip(labels[tuples].tolist(), counts.tolist(), strict=True)
        }

    graphs = (found.counts, *found.samples)
    first, place = counts_of(found.counts), [group.name for group in counted].index
    every = set(first).union(*map(counts_of, found.samples))
    check_memory(8 * len(every) * (len(graphs) + 8), f"holding {len(every):,} counts of {len(graphs):,} graphs")
    names = tuple(sorted(every, key=lambda name: (place(name[0]), -first.get(name, 0), name[1:])))
    counts, *samples = (tuple(map(counts_of(values).get, names, repeat(0))) for values in graphs)
    groups = {each.name: tuple(name for name in names if name[0] == each.name) for each in counted}
    roles = {each.name: ROLES.get(each.name) or cast("Pattern", each.pattern).names for each in counted}
    return replace(found, names=names, counts=counts, samples=tuple(samples), groups=groups, roles=roles)


def _parts(group: Countable, network: Graph) -> tuple[Countable, ...]:
    """Return the groups that are compared for what was asked: graphlets of five vertices are a group of their own."""
    if group.name in CLIQUES:  # of the sizes that the network has
        sizes = [k for k in clique_counts(network, group.name, group.size) if group.size or k > 2] or [3]
        return (of_cliques(group.name, (sizes[0], sizes[-1]), kept=sizes),)
    if (group.name, group.size) != ("graphlets", 5):
        rows = (network.labels, dict(network.vertex_columns))
        return (group if group.pattern is None else of_pattern(group.pattern, rows),)
    return countable("graphlets"), countable(FIVE)


def _of_events(
    graph: TemporalGraph,
    asked: Null,
    of: Counted,
    times: tuple[Duration | None, str | None, Duration | None],
    samples: int,
    seed: int,
    client: object,
    machine: dict[str, Any],
) -> Significance:
    """Compare the 36 temporal motifs of a graph with those of samples of a null model.

    `times` has the arguments `delta`, `ties` and `block` of `significance`, and `machine` those that tell where to
    count.
    """
    delta, ties, block = times
    if str(of) not in ("None", "motifs", "('motifs',)", "['motifs']"):
        raise ArgumentError(f"of={of!r}: expected 'motifs' for a TemporalGraph; its window() is a graph")
    if client is not None:
        raise ArgumentError(f"client={client!r}: samples of a TemporalGraph are not drawn on a cluster; expected None")
    if delta is None:
        raise ArgumentError("delta=None: expected the longest time from the first event of a motif to the last")
    workers = blocks.resolve_threads(machine["threads"])
    if graph.num_events < 2:
        raise ArgumentError(f"graph: expected events to shuffle, found {graph.num_events}")
    model = ShuffledEvents.of(graph, asked.name, block=block, steps=asked.steps)
    motifs = temporal_motifs(graph, delta, ties=ties, threads=machine["threads"], device=machine["device"])
    # There is one reversed network.
    keys = derive_keys(seed, samples if model.null != "time_reversal" else 1).tolist()
    needed = _BYTES_AN_EVENT * graph.num_events * min(workers, len(keys))
    check_memory(needed, f"shuffling {graph.num_events:,} events on {workers} threads", "use fewer threads")
    device = "cpu" if machine["device"] == "auto" else machine["device"]  # samples are counted side by side

    def counts(i: int) -> Values:
        sample = model.draw(keys[i])
        with nullcontext() if device == "cpu" else DEVICE_LOCK:
            return temporal_motifs(sample, delta, ties=motifs.ties, threads=1, device=device).counts

    with reporting(machine["progress"], "significance of temporal motifs") as report:
        drawn = sample_each(counts, len(keys), threads=workers, partial=True, progress=report)
    return Significance(
        of="motifs",
        null=model.null,
        names=motifs.names,
        counts=motifs.counts,
        samples=tuple(drawn),
        profiled=motifs.names,
        groups={"motifs": motifs.names},
        steps=model.steps,
        seed=seed,
        delta=motifs.delta,
    )
