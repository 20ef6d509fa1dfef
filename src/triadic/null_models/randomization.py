"""Random graphs from a null model of a given graph, drawn by threads or on devices.

A device makes many walks at a time, and orients their last graphs, which are counted where they lie.
"""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import TYPE_CHECKING, TypedDict, TypeVar, cast, overload

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core import blocks
from triadic.core.checked import MOST_SAMPLES, check_seed, check_whole
from triadic.core.draws import derive_keys
from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.devices.gpu.orientation import orient
from triadic.devices.gpu.rows import OrientedOnDevice
from triadic.devices.gpu.switching import ArcsOfWalk, DeviceWalks, walks_at_a_time
from triadic.devices.runtimes import registry
from triadic.devices.select import resolve_device, warn
from triadic.errors import ArgumentError, DeviceError, OutOfMemoryError, UnsupportedError, shown
from triadic.graph.graph import Graph
from triadic.null_models.constrained import ConstrainedSwitching, StubWalk
from triadic.null_models.mixing import warn_of_fixed_arcs
from triadic.null_models.model import Null, check_room, default_null, sample_each, samples_done
from triadic.null_models.switching import Switching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeGuard, Unpack

    from numpy.typing import ArrayLike

    from triadic.core.blocks import Progress
    from triadic.core.progress import ProgressKeyword
    from triadic.null_models.constraints import Groups, Positions
    from triadic.null_models.switching import NullModel, Walk

    Walks = Switching | ConstrainedSwitching

Value = TypeVar("Value")

_BYTES_AN_EDGE, _BYTES_A_VERTEX = 6, 20  # memory of an oriented graph
_WALKED = 0.6  # share of the walks in the time of samples and their triad censuses, on an H200
_ROUNDING = 1e-6  # of sums of shares


class RandomizeOptions(TypedDict, total=False):
    """The keywords of `randomize` besides `samples`."""

    null: str | None
    groups: Groups | None
    positions: Positions | None
    bins: int | ArrayLike | None
    types: str | None
    keep_weights: str | None
    tolerance: float | None
    steps: int | None
    seed: int | None
    threads: int | None
    device: str
    progress: ProgressKeyword


@overload
def randomize(graph: GraphLike, *, samples: None = None, **options: Unpack[RandomizeOptions]) -> Graph: ...


@overload
def randomize(graph: GraphLike, *, samples: int, **options: Unpack[RandomizeOptions]) -> list[Graph]: ...


def randomize(
    graph: GraphLike,
    *,
    null: str | None = None,
    groups: Groups | None = None,
    positions: Positions | None = None,
    bins: int | ArrayLike | None = None,
    types: str | None = None,
    keep_weights: str | None = None,
    tolerance: float | None = None,
    samples: int | None = None,
    steps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Graph | list[Graph]:
    """Draw random simple graphs from a null model of a graph.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        Network to randomize. Samples keep its labels and the columns of its vertices.
    null : {"degrees", "mutual", "gnm", "configuration", "types"}, optional
        Properties that a sample shares with the graph:

        - "degrees": the degree of each vertex; in a directed graph its in- and out-degree. Drawn by switching.
        - "mutual": in a directed graph also the number of neighbours that each vertex is joined with both ways. Drawn
          by switching.
        - "gnm": the numbers of vertices and edges.
        - "configuration": the degrees, of which loops and repeats are erased, so that no degree is larger than in the
          graph and the mean is slightly smaller.
        - "types": the arcs, and the number of vertices of each type: the column `types` is permuted, within `groups`
          where these are given.

        The default is "mutual" for a directed graph and "degrees" for an undirected one, as in `significance`.
    groups : str, mapping, Series or table by label, or array_like, shape (n,), optional
        Group of each vertex, such as the type of a neuron: whole numbers or strings. Samples also keep the number of
        arcs from each group to each group. For "degrees" and "mutual" alone, as are `positions` and `bins`. A Series
        or DataFrame has the labels of the vertices as its index, or in the column "label"; so does a table of another
        library. An array is in the order of the vertices. A string names one of `Graph.vertex_columns`.
    positions : sequence of str, mapping or table by label, or array_like, shape (n, 2) or (n, 3), optional
        Coordinates of the vertices, or the names of their columns. Each arc keeps its bin of length: samples have as
        many arcs of each bin as the graph, and with `groups` as many from each group to each group in each bin.
    bins : int or array_like, optional
        Bins of the Euclidean lengths of arcs: a number of bins, from 2 to 1000, cut at quantiles so that they have
        about equally many arcs; or the rising inner edges between the bins, as `numpy.digitize` takes them, so that the
        first bin has no lower end and the last one no upper end. By default 10 bins.
    types : str, optional
        Name of the column of the vertices that "types" permutes.
    keep_weights : {"keep", "shuffle", "strength"}, optional
        How samples get the weights of the graph; by default they have none.

        - "keep": a weight travels with its arc. In a directed graph it stays at the arc's tail, unless the arc belongs
          to a pair joined both ways under "mutual". Not for "gnm" and "configuration".
        - "shuffle": the weights are permuted. Not for "configuration".
        - "strength": the weights are permuted so that each vertex nearly keeps its strengths, the sums of its positive
          and of its negative weights, of arcs out and in. If the weights have both signs, each vertex also keeps its
          numbers of positive and of negative arcs, unless `groups` or `positions` are given. Not for "gnm" and
          "configuration".
    tolerance : float, optional
        For ``keep_weights="strength"``: the absolute differences of all strengths from those of the graph add up to at
        most this share of all absolute strengths; by default 0.05.
    samples : int, optional
        Number of graphs to draw. By default one graph is drawn and returned by itself.
    steps : int, optional
        Number of proposals, accepted or rejected, of the walk from the graph to a sample; by default 10 per edge, and
        at least 10,000; with `groups` or `positions` up to 20 times as many, so that about 5 per edge are accepted. For
        "degrees" and "mutual" alone.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1. The same seed gives the same graphs on any number of threads,
        and the first of them do not depend on `samples`; by default a fresh seed is drawn.
    threads : int, optional
        Number of threads, each of which draws whole samples; by default as many as the process may use.
    device : str, default "auto"
        Where to draw samples of "degrees" and "mutual" without `keep_weights`: "cpu", "cuda", "cuda:1", "cuda:0,2",
        "cuda:all", or the same with "opencl". "auto" uses a CUDA card if there is one, the graph is large enough, and
        `samples` is given: a card draws many samples side by side, and one sample no faster than the CPU. The CPU draws
        all others, and all samples are the same on every device.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``, in samples.

    Returns
    -------
    Graph, or list of Graph if `samples` is given
        The random graphs. A graph that admits no switch, such as a star or a complete graph, is the only graph with
        its degrees, and its samples equal it.

    Raises
    ------
    ArgumentError
        `null` is another name, or "mutual" for an undirected graph; an argument is given for a null model that does
        not take it; `samples`, `steps` or `threads` is less than 1; `groups` or `positions` lacks a
        vertex, or has missing values; the graph has no weights although `keep_weights` is given, or no permutation of
        them within `tolerance` was found.
    DeviceError, MissingExtraError
        The device does not exist or fails, or the package that reaches it is not installed.
    OutOfMemoryError
        The samples do not fit in memory.
    UnsupportedError
        The graph is a `TiledGraph`.

    Warns
    -----
    UserWarning
        The walk moved no arc of some group or bin, or left half of all arcs in place: `groups` and `bins` hold much
        of the graph fast.
    RuntimeWarning
        A card that "auto" has chosen fails, and the CPU draws the samples.

    See Also
    --------
    significance : Compare the counts of a graph with those of such samples.
    triadic.null_models.mixing.mixing : Measure whether a number of steps suffices.

    Notes
    -----
    Switching takes 10 to 30 nanoseconds per step up to 4,096 vertices and 0.05 to 0.2 microseconds in larger graphs,
    and 30 bytes per edge and thread; with `groups` or `positions` up to twice as much. In the limit of many steps all
    graphs that the moves can reach are equally likely. With "degrees" these are all graphs with the degrees; with
    "mutual", `groups`, `positions` and signs there are exceptions, which the page on null models and significance
    describes. "strength" takes up to 400 proposals of 0.1 microseconds per weight.

    References
    ----------
    R. Milo, N. Kashtan, S. Itzkovitz, M. E. J. Newman and U. Alon, *On the uniform generation of random graphs with
    prescribed degree sequences*, arXiv cond-mat/0312028, 2003 ("degrees", "mutual").
    A. R. Rao, R. Jana and S. Bandyopadhyay, *A Markov chain Monte Carlo method for generating random (0,1)-matrices
    with given marginals*, Sankhya A 58, 225-242, 1996 (directed graphs).
    B. K. Fosdick, D. B. Larremore, J. Nishimura and J. Ugander, *Configuring random graph models with fixed degree
    sequences*, SIAM Review 60, 315-355, 2018.
    P. Erdős and A. Rényi, *On random graphs I*, Publicationes Mathematicae 6, 290-297, 1959 ("gnm").
    B. Bollobás, *A probabilistic proof of an asymptotic formula for the number of labelled regular graphs*, European
    Journal of Combinatorics 1, 311-316, 1980 ("configuration").
    T. Britton, M. Deijfen and A. Martin-Löf, *Generating simple random graphs with prescribed degree distribution*,
    Journal of Statistical Physics 124, 1377-1397, 2006 (the erased variant of "configuration").
    R. F. Betzel and D. S. Bassett, *Specificity and robustness of long-distance connections in weighted, interareal
    connectomes*, PNAS 115, E4880-E4889, 2018 (bins of length).
    M. Rubinov and O. Sporns, *Weight-conserving characterization of complex functional brain networks*, NeuroImage 56,
    2068-2079, 2011 ("strength").

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(100, 6, 0.0, seed=1)
    >>> drawn = triadic.randomize(graph, seed=1)
    >>> bool((drawn.degree == graph.degree).all()), round(triadic.transitivity(graph), 2)
    (True, 0.6)
    >>> triadic.transitivity(drawn) < 0.2
    True

    The ring in two halves, with as many edges within and between them as before:

    >>> halves = ["left"] * 50 + ["right"] * 50
    >>> within = triadic.randomize(graph, groups=halves, seed=1)
    >>> [len(one.subgraph(range(50)).edges()[0]) for one in (graph, drawn, within)]
    [144, 67, 144]
    """
    graph = as_graph(graph, directions="unused")
    count = 1 if samples is None else check_whole("samples", samples, 1, MOST_SAMPLES)
    name = default_null(graph) if null is None else null
    if types is not None and (name != "types" or not isinstance(types, str)):
        raise ArgumentError(f"types={shown(types)}: for null='types' alone, the name of a column of the vertices")
    options = Null(name, steps, groups, positions, bins, keep_weights, tolerance, types=types)
    model = options.of(graph)
    workers = blocks.resolve_threads(threads)
    needed = count * (_BYTES_AN_EDGE * graph.num_edges + _BYTES_A_VERTEX * graph.num_vertices)
    check_memory(needed, f"samples={count}: holding all graphs", "draw fewer at a time, each with a seed of its own")
    check_room(graph, model, min(workers, count))
    keys = derive_keys(check_seed(seed), count).tolist()
    devices: tuple[str, ...] = ()
    if device != "auto" or (samples is not None and walks_on_devices(model)):
        oriented = graph.oriented() if device == "auto" else None
        kinds = ("cpu", *registry.KINDS)
        devices = devices_of(model, {resolve_device(device, kinds=kinds, name="random graphs", oriented=oriented)})
    with reporting(progress, "drawing random graphs") as report:
        graphs = draw_samples(
            model,
            keys,
            lambda drawn, *_: drawn._on_host()._with(  # noqa: SLF001 - methods for this use
                labels=graph.labels,
                vertex_columns={
                    name: drawn.vertex_columns.get(name, kept) for name, kept in graph.vertex_columns.items()
                },
            ),
            threads=workers,
            device=device,
            devices=devices,
            progress=report,
        )
    return graphs[0] if samples is None else graphs


def devices_of(model: NullModel, chosen: set[str]) -> tuple[str, ...]:
    """Return those of the counting devices that also draw the samples of a null model; none if the CPU draws them."""
    if not walks_on_devices(model) or len(chosen) != 1 or "cpu" in chosen:
        return ()
    return registry.named(chosen.pop())


def walks_on_devices(model: NullModel) -> TypeGuard[Walks]:
    """Return whether devices have the walks of a null model: switching without weights, also within groups and bins."""
    return isinstance(model, (Switching, ConstrainedSwitching))


def draw_samples(
    model: NullModel,
    keys: Sequence[int],
    compute: Callable[[Graph, bool, int, str], Value],
    *,
    threads: int,
    device: str,
    devices: Sequence[str],
    work: str = "drawing",
    partial: bool = False,
    progress: Progress | None,
) -> list[Value]:
    """Draw a sample for each key, on some devices or each on one of `threads`, and return what is computed of it.

    Parameters
    ----------
    model : NullModel
    keys : sequence of int
    compute : callable
        ``compute(graph, moved, key, device)`` is called for each sample; `device` is the one on which it was drawn, or
        else the argument `device`.
    threads : int
    device : str
        The devices that the user asked for. If "auto" has chosen some that fail, the CPU draws and counts the samples.
    devices : sequence of str
        Single devices, such as "cuda:0"; none if the CPU draws the samples.
    work : str
        What is done, for the warning that the CPU does it.
    partial : bool
        Whether Ctrl-C ends the sampling early: the samples that are done are returned, if there are at least two.
    progress : callable, optional

    Warns
    -----
    UserWarning
        Groups and bins hold much of the graph fast; or Ctrl-C ended the sampling.
    RuntimeWarning
        The devices failed.
    """
    first: list[Walk] = []

    def sample(i: int) -> Value:
        show = (first.append,) if i == 0 and model.kept is not None else ()
        return compute(*model.draw(keys[i], *show), keys[i], device)

    drawn: list[Value] = []
    if devices and walks_on_devices(model):
        values: list[Value | None] = [None] * len(keys)
        try:
            compute_on_devices(model, keys, devices, compute, values, first=first.append, progress=progress)
            drawn = cast("list[Value]", values)
        except KeyboardInterrupt:
            drawn = samples_done(values, partial=partial)
        except (DeviceError, OutOfMemoryError, UnsupportedError) as error:
            if device != "auto":
                raise
            device = "cpu"
            warn(f"{work} random graphs on the CPU: {error}", RuntimeWarning)
    drawn = drawn or sample_each(sample, len(keys), threads=threads, partial=partial, progress=progress)
    for walk in first[-1:]:
        warn_of_fixed_arcs(walk)
    return drawn


def compute_on_devices(
    model: Walks,
    keys: Sequence[int],
    devices: Sequence[str],
    compute: Callable[[Graph, bool, int, str], Value],
    values: list[Value | None],
    *,
    first: Callable[[StubWalk], object] | None = None,
    progress: Progress | None = None,
) -> None:
    """Draw a sample for each key on some devices, and write what is computed of it into a list.

    Parameters
    ----------
    model : Switching or ConstrainedSwitching
    keys : sequence of int
    devices : sequence of str
        Single devices, such as "cuda:0". Each takes batches of walks from one queue.
    compute : callable
        ``compute(graph, moved, key, device)`` is called for each sample.
    values : list, of the length of `keys`
        Filled with the results, in the order of the keys.
    first : callable, optional
        Called with the walk of the first key, if the model keeps groups or lengths.
    progress : callable, optional
        Called with numbers of samples; a sample that is drawn and not yet counted is a part of one.

    Raises
    ------
    DeviceError, OutOfMemoryError, UnsupportedError
        If a device fails, or has too little memory for one walk.
    """
    size = min(walks_at_a_time(registry.runtime(device), model, len(keys)) for device in devices)
    batches = max(-(-len(keys) // size), min(len(devices), len(keys)))
    cuts = list(pairwise(blocks.cut_evenly(len(keys), batches).tolist()))
    lock, done = threading.Lock(), [0.0] * len(cuts)  # samples of each batch

    def report(worker: int, batch: int, samples: float) -> None:
        with lock:
            done[batch] = samples
            reported = int(sum(done) + _ROUNDING)
        if progress is not None and worker == 0:  # in the thread of the caller
            progress(reported, len(keys))

    def take(worker: int, batch: int) -> None:
        start, stop = cuts[batch]

        def walked(steps: int, all_steps: int) -> None:
            report(worker, batch, _WALKED * (stop - start) * steps / all_steps)

        kept = first if batch == 0 else None
        drawn = draw_on(devices[worker], model, keys[start:stop], first=kept, progress=walked)
        for i, (graph, moved) in enumerate(drawn, start):
            values[i] = compute(graph, moved, keys[i], devices[worker])
            report(worker, batch, _WALKED * (stop - i - 1) + (i + 1 - start))

    if progress is not None:
        progress(0, len(keys))
    blocks.run(take, len(cuts), threads=len(devices))
    if progress is not None:
        progress(len(keys), len(keys))


def draw_on(
    device: str,
    model: Walks,
    keys: Sequence[int],
    *,
    first: Callable[[StubWalk], object] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Iterator[tuple[Graph, bool]]:
    """Draw a sample for each key on a device such as "cuda:0", all side by side.

    Parameters
    ----------
    device : str
    model : Switching or ConstrainedSwitching
    keys : sequence of int
    first : callable, optional
        Called with the walk of the first key, if the model is a `ConstrainedSwitching`.
    progress : callable, optional
        ``progress(done, total)`` is called with numbers of steps while the walks are made.

    Yields
    ------
    Graph, bool
        The graph at which the walk of a key ends, which lies on the device, and whether any proposal was accepted: as
        ``model.draw(key)`` returns them.

    Raises
    ------
    DeviceError, OutOfMemoryError
        If the device fails, or has too little memory.
    """
    runtime, n = registry.runtime(device), model.num_vertices
    walks = DeviceWalks(runtime, model, list(keys))
    walks.go(model.steps, progress)
    if first is not None and isinstance(model, ConstrainedSwitching):
        first(StubWalk(model, 0, walks.first_state()))
    accepted, rank = walks.accepted(), None
    for i in range(len(keys)):
        arrays, met = orient(runtime, ArcsOfWalk(walks, i), n, directed=model.directed, rank=rank)
        rank = arrays.rank  # degrees never change
        oriented = OrientedOnDevice(runtime, arrays)
        graph = Graph._of_oriented(oriented, met, directed=model.directed, labels=None)  # noqa: SLF001 - the constructor for graphs on a device
        yield graph, bool(accepted[i] > 0)
