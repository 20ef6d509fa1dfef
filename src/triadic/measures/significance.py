"""Significance: the counts of a graph, compared with the counts of random graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.core.progress import reporting
from triadic.counts.count import check_device
from triadic.errors import ArgumentError, CountOverflowError
from triadic.generate.arguments import check_seed, check_whole
from triadic.generate.draws import derive_keys
from triadic.measures.graph_table import one_row_a_graph
from triadic.measures.null_statistics import (
    STATISTICS,
    check_client,
    compute_statistics,
    sample_statistics,
    sample_statistics_on_cluster,
)
from triadic.measures.significance_result import Significance
from triadic.null_models.model import check_room, default_null, null_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.progress import ProgressKeyword
    from triadic.measures.null_statistics import Client, Groups

_MOST_SAMPLES = 1 << 31


@one_row_a_graph("significance")
def significance(
    graph: GraphLike,
    *,
    of: str | Sequence[str] | None = None,
    null: str | None = None,
    groups: VertexGroups | None = None,
    positions: Positions | None = None,
    bins: int | ArrayLike | None = None,
    weights: str | None = None,
    tolerance: float | None = None,
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
    graph : Graph, or any input that `Graph` accepts
        For "clustering" and "graphlets" the directions of a directed graph are ignored.
    of : {"triads", "clustering", "graphlets"} or sequence of these, optional
        Counts to compare: the 16 types of triads; transitivity and average clustering; the connected induced subgraphs
        of three and four vertices; or several of these groups, counted in the same random graphs. The default is
        "triads" for a directed graph, and ("clustering", "graphlets") for an undirected one, whose triads say no more
        than its graphlets.
    null : {"degrees", "mutual", "gnm", "configuration"}, optional
        Properties that the random graphs share with the graph:

        - "degrees": the degree of each vertex; in a directed graph its in- and out-degree.
        - "mutual": in a directed graph also the number of mutual neighbours of each vertex.
        - "gnm": the numbers of vertices and edges.
        - "configuration": the degrees, but loops and repeats are erased.

        The default is "mutual" for triads of a directed graph, and "degrees" otherwise.
    groups : array_like, shape (n,), or mapping from labels, optional
        Group of each vertex, such as the type of a neuron: the random graphs also have as many arcs from each group to
        each group as the graph. For "degrees" and "mutual" only, as are `positions` and `bins`.
    positions : array_like, shape (n, 2) or (n, 3), or mapping from labels, optional
        Coordinates of the vertices: the random graphs have as many arcs in each bin of length as the graph, so that
        distance cannot explain what is found; with `groups`, as many from each group to each group in each bin.
    bins : int or array_like, optional
        Number of bins of length, cut at quantiles of the lengths of the arcs, or the inner edges between the bins, as
        `numpy.digitize` takes them. By default 10 bins.
    weights : {"keep", "shuffle", "strength"}, optional
        How the random graphs get the weights of the graph: they travel with arcs, are permuted, or are permuted so
        that each vertex nearly keeps its strengths. `randomize` describes them. By default the random graphs have no
        weights.
    tolerance : float, optional
        For ``weights="strength"``: largest sum of all deviations from the strengths, as a share of the sum of all
        strengths; by default 0.05.
    samples : int, default 100
        Number of random graphs, at least 2.
    steps : int, optional
        Number of proposals, accepted or rejected, of the walk from the graph to each sample; by default 10 per edge,
        and at least 10,000. For "degrees" and "mutual" only.
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
        card if there is one and the graph is large enough. Samples are drawn on the CPU.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``, in samples.

    Returns
    -------
    Significance
        For each name its count, the mean and the standard deviation over the samples, z and p; and the significance
        profile.

    Raises
    ------
    ArgumentError
        If `of` or `null` is another string, or `of` combines the triads of a directed graph with counts that ignore
        directions; if `samples` is less than 2, or `null` is "mutual" for an undirected graph; if
        the graph has no edges, or is the only graph with the kept properties, such as a star or a complete graph; or if
        another argument does not have an accepted value.
    CountOverflowError
        If graphlets are compared, and a frequency could exceed 64 bits.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed; or if `client` is given, and
        dask.distributed is not installed.
    OutOfMemoryError
        If the samples or a count need more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`.

    Warns
    -----
    UserWarning
        If `groups` and `bins` hold much of the graph fast; if the walks are too short, with `diagnose`; or if Ctrl-C
        ended the sampling early, after at least two samples, which are then the result.

    See Also
    --------
    randomize : Draw the random graphs.
    typed_triads : Compare the triads of groups of vertices.
    TriadCensus.z_scores : Compute exact z-scores of triads under the null model that keeps the numbers of dyads only.
    triadic.plot.significance_profile : Draw the significance profile.

    Notes
    -----
    A sample costs 1 to 2 microseconds per edge for its switching, and a count. Each thread holds a graph of its own, of
    40 to 60 bytes per edge, or 120 with `groups` or `positions`. ``diagnose=True`` costs as much as about 70 samples.

    References
    ----------
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
    """
    named = _named_groups(of)
    graph = as_graph(graph, directions="counted" if not named or "triads" in named else "ignored")
    groups = named or (("triads",) if graph.directed else ("clustering", "graphlets"))
    if graph.directed and len({STATISTICS[group].directed for group in groups}) > 1:
        raise ArgumentError(f"of={of!r}: triads need directions that the other counts ignore; compare them separately")
    samples = check_whole("samples", samples, 2, _MOST_SAMPLES)
    seed, workers = check_seed(seed), resolve_threads(threads)
    if not any(STATISTICS[group].directed for group in groups):
        graph = graph.to_undirected(combine="first")
    null = default_null(graph) if null is None else null
    model = null_model(graph, null, steps=steps)
    if client is not None:
        check_client(client)
    if graph.num_arcs == 0:
        raise ArgumentError("graph: it has no edges, so that there is nothing to compare with random graphs")
    if client is None:
        check_room(graph, min(workers, samples))
    for group in groups:
        check_device(STATISTICS[group].count, device)  # before the long walk of the null model
    try:
        counts = compute_statistics(graph, groups, threads=threads, device=device)
    except CountOverflowError as error:
        problem = str(error).partition(";")[0]
        raise CountOverflowError(f"{problem}; of='clustering' leaves the graphlets out") from error
    keys = derive_keys(seed, samples).tolist()
    with reporting(progress, f"significance of {' and '.join(groups)}") as report:
        if client is None:
            drawn = sample_statistics(model, groups, keys, threads=workers, device=device, progress=report)
        else:
            drawn = sample_statistics_on_cluster(model, groups, keys, client, device=device, progress=report)
    return Significance(
        of=groups if len(groups) > 1 else groups[0],
        null=null,
        names=tuple(name for group in groups for name in STATISTICS[group].names),
        counts=counts,
        samples=tuple(drawn),
        profiled=tuple(name for group in groups for name in STATISTICS[group].profiled),
        steps=model.steps,
        seed=seed,
    )


def _named_groups(of: str | Sequence[str] | None) -> Groups:
    """Return the groups of counts that the argument `of` names, none if it is None."""
    if of is None:
        return ()
    groups = (of,) if isinstance(of, str) else tuple(of)
    if not groups or not set(groups) <= set(STATISTICS) or len(set(groups)) < len(groups):
        expected = ", ".join(map(repr, STATISTICS))
        raise ArgumentError(f"of={of!r}: expected {expected}, or several of them once each")
    return groups
