"""Random temporal graphs: the events of a given one, with shuffled times or links."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from triadic.core import blocks
from triadic.core.arguments import MOST_SAMPLES, check_seed, check_whole
from triadic.core.draws import derive_keys
from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.errors import ArgumentError
from triadic.graph.temporal import TemporalGraph
from triadic.null_models.shuffled_events import ShuffledEvents

if TYPE_CHECKING:
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.event_times import Duration

_BYTES_AN_EVENT, _BYTES_WHILE_DRAWN = 16, 80


@overload
def shuffle_events(
    graph: TemporalGraph,
    null: str = "shuffled_times",
    *,
    within: Duration | None = None,
    samples: None = None,
    steps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> TemporalGraph: ...


@overload
def shuffle_events(
    graph: TemporalGraph,
    null: str = "shuffled_times",
    *,
    within: Duration | None = None,
    samples: int,
    steps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> list[TemporalGraph]: ...


def shuffle_events(
    graph: TemporalGraph,
    null: str = "shuffled_times",
    *,
    within: Duration | None = None,
    samples: int | None = None,
    steps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> TemporalGraph | list[TemporalGraph]:
    """Draw random temporal graphs from a null model of a temporal graph.

    Parameters
    ----------
    graph : TemporalGraph
        Events to shuffle. Samples keep its labels, its unit and how ties count.
    null : {"shuffled_times", "random_times", "shuffled_links", "time_reversal"}, default "shuffled_times"
        Properties that a sample shares with the graph:

        - "shuffled_times": number of events of each ordered pair of vertices, and times: P[w, t] of Gauvin et al.
        - "random_times": number of events of each ordered pair, with times drawn between the first and the last: P[w].
        - "shuffled_links": in- and out-degrees of the graph without times, whose links are random, and times of the
          events of a link: P[k, p_L(Θ)].
        - "time_reversal": events, from the last to the first; nothing is drawn.
    within : number, timedelta, timedelta64 or str, optional
        For "shuffled_times", shuffle the times within periods of this length only, such as ``"1 day"``. Periods are
        counted from time 0, so that days of Unix times and of dates begin at midnight UTC.
    samples : int, optional
        Number of graphs to draw. By default one graph is drawn and returned by itself.
    steps : int, optional
        For "shuffled_links", number of proposals of the walk from the links of the graph to those of a sample; by
        default 10 per link, and at least 10,000.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1. The same seed gives the same graphs on any number of threads,
        those that `significance` counts with it; by default a fresh seed is drawn.
    threads : int, optional
        Number of threads, each of which draws whole samples; by default as many as the process may use.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``, in samples.

    Returns
    -------
    TemporalGraph, or list of TemporalGraph if `samples` is given

    Raises
    ------
    ArgumentError
        `graph` has no times; `null` is another name; `within` or `steps` is given for another null model; or another
        argument does not have an accepted value.
    OutOfMemoryError
        The samples do not fit in memory.

    See Also
    --------
    significance : Compare the temporal motifs of a graph with those of such samples.
    randomize : Draw random graphs without times.

    Notes
    -----
    A sample costs some tens of nanoseconds per event; "shuffled_links" also costs the walk of `randomize`. All
    assignments of times to events, or of links to their times, are equally likely.

    References
    ----------
    Gauvin, Génois, Karsai, Kivelä, Takaguchi, Valdano and Vestergaard (2022), "Randomized reference models for temporal
    networks", SIAM Review 64, 763.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0, 2], [1, 0, 1, 3], [10, 20, 30, 40])
    >>> drawn = triadic.shuffle_events(graph, seed=1)
    >>> drawn.time.tolist(), sorted(zip(drawn.source.tolist(), drawn.target.tolist()))
    ([10, 20, 30, 40], [(0, 1), (0, 1), (1, 0), (2, 3)])
    """
    if not isinstance(graph, TemporalGraph):
        raise ArgumentError(f"graph: shuffle_events got a {type(graph).__name__}; expected a TemporalGraph")
    count = 1 if samples is None else check_whole("samples", samples, 1, MOST_SAMPLES)
    workers = blocks.resolve_threads(threads)
    model = ShuffledEvents.of(graph, null, within=within, steps=steps)
    needed = (count * _BYTES_AN_EVENT + min(workers, count) * _BYTES_WHILE_DRAWN) * graph.num_events
    check_memory(needed, f"samples={count}: holding all graphs", "draw fewer at a time, each with a seed of its own")
    keys = derive_keys(check_seed(seed), count).tolist()
    graphs: list[TemporalGraph | None] = [None] * count

    def draw(_: int, i: int) -> None:
        graphs[i] = model.draw(keys[i])

    with reporting(progress, "shuffling events") as report:
        blocks.run(draw, count, threads=workers, progress=report)
    complete = [graph for graph in graphs if graph is not None]
    return complete[0] if samples is None else complete
