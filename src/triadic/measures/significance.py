"""Whether a network has more of a pattern than chance would make: its counts beside those of random graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.core.progress import reporting
from triadic.counts.count import check_device
from triadic.errors import ArgumentError
from triadic.generate.arguments import check_seed, check_whole
from triadic.generate.draws import derive_keys
from triadic.measures.null_samples import check_client, count_on_cluster, count_samples
from triadic.measures.profiled_counts import PROFILED
from triadic.measures.significance_result import Significance
from triadic.null_models.model import check_room, default_null, null_model

if TYPE_CHECKING:
    from triadic.core.progress import ProgressKeyword
    from triadic.measures.null_samples import Client

_MOST_SAMPLES = 1 << 31


def significance(
    graph: GraphLike,
    *,
    of: str = "triads",
    null: str | None = None,
    samples: int = 100,
    steps: int | None = None,
    seed: int | None = None,
    client: Client | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Significance:
    """Hold the counts of a graph against those of random graphs.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes
        For clustering and graphlets a directed graph is taken as its skeleton, and so are the random ones.
    of : {"triads", "clustering", "graphlets"}, default "triads"
        What is counted: the 16 types of triads; transitivity and average clustering; the connected induced subgraphs
        of three and four vertices.
    null : {"degrees", "mutual", "gnm", "configuration"}, optional
        What the random graphs share with the graph, as for `triadic.randomize`. By default their degrees, and for
        triads of a directed graph how many neighbours each vertex is joined with both ways too.
    samples : int, default 100
        Number of random graphs, at least 2.
    steps : int, optional
        As for `triadic.randomize`.
    seed : int, optional
        From 0 to 2**64 - 1. The same seed gives the same result on any number of threads, on any device, on a cluster;
        None draws a fresh one, which the result has.
    client : distributed.Client, optional
        Have the workers of this Dask cluster draw and count the samples, batch by batch.
    threads : int, optional
        Number of threads, each of which draws samples of its own; as many as the process may use by default.
    device : str, default "auto"
        Where to count, as for `triadic.triangles`. Samples are drawn on the CPU.
    progress : bool or callable, default False
        True for a bar on standard error; a callable gets ``(done, total)``, in samples.

    Returns
    -------
    Significance
        For each name its count, the mean and the standard deviation over the samples, z, and p; and the normalised
        significance profile.

    Raises
    ------
    ArgumentError
        Fewer than 2 samples; another `of` or `null`; mutual degrees of an undirected graph; a graph in which nothing
        can be moved, such as a star or a complete graph, whose z would mean nothing.
    MissingExtraError
        A `client`, where dask.distributed is not installed.

    See Also
    --------
    randomize : the random graphs themselves.
    TriadCensus.z_scores : z under the null that keeps dyads alone, in closed form.

    Notes
    -----
    A sample costs its switching, 1 to 2 microseconds an edge, and a count. Each thread holds a graph of its own, 40 to
    60 bytes an edge.

    References
    ----------
    Milo, Shen-Orr, Itzkovitz, Kashtan, Chklovskii and Alon (2002), Science 298, 824; for the profile: Milo, Itzkovitz,
    Kashtan, Levitt, Shen-Orr, Ayzenshtat, Sheffer and Alon (2004), Science 303, 1538; for p: Davison and Hinkley,
    *Bootstrap Methods and their Application* (1997), section 4.2.

    Examples
    --------
    >>> import triadic
    >>> ring = triadic.generate.watts_strogatz(200, 6, 0.1, seed=1)
    >>> found = triadic.significance(ring, of="graphlets", samples=50, seed=1)
    >>> found["triangle"].count, found["triangle"].z > 10, round(found["triangle"].p, 3)
    (437, True, 0.039)
    >>> found.profile["triangle"] > 0 > found.profile["2-path"]
    True
    """
    graph = as_graph(graph)
    if of not in PROFILED:
        raise ArgumentError(f"of={of!r}: expected {', '.join(map(repr, PROFILED))}")
    counted = PROFILED[of]
    samples = check_whole("samples", samples, 2, _MOST_SAMPLES)
    seed, workers = check_seed(seed), resolve_threads(threads)
    if not counted.directed:
        graph = graph.to_undirected(combine="first")
    null = default_null(graph) if null is None else null
    model = null_model(graph, null, steps=steps)
    if client is not None:
        check_client(client)
    if graph.num_arcs == 0:
        raise ArgumentError("graph: it has no edges, so that there is nothing to hold against chance")
    if client is None:
        check_room(graph, min(workers, samples))
    check_device(counted.needed, device)  # before the long walk of the null model
    in_graph = counted.count(graph, threads=threads, device=device)
    keys = derive_keys(seed, samples).tolist()
    with reporting(progress, f"significance of {of}") as report:
        if client is None:
            drawn = count_samples(model, of, keys, threads=workers, device=device, progress=report)
        else:
            drawn = count_on_cluster(model, of, keys, client, device=device, progress=report)
    return Significance(
        of=of,
        null=null,
        names=counted.names,
        counts=in_graph,
        samples=tuple(drawn),
        profiled=counted.profiled,
        steps=model.steps,
        seed=seed,
    )
