"""Randomized reference models of temporal networks: events whose times or links are shuffled.

References
----------
L. Gauvin, M. Génois, M. Karsai, M. Kivelä, T. Takaguchi, E. Valdano and C. L. Vestergaard, *Randomized reference models
for temporal networks*, SIAM Review 64, 763-830, 2022, for the models and their canonical names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, overload

import numpy as np

from triadic.core import blocks
from triadic.core.checked import MOST_SAMPLES, check_seed, check_whole
from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, below, derive_keys, mix
from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.core.records import record
from triadic.errors import ArgumentError
from triadic.graph.temporal import TemporalGraph
from triadic.null_models.model import Null, sample_each
from triadic.null_models.switching import shuffle

if TYPE_CHECKING:
    from typing import Unpack

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.events import Duration
    from triadic.null_models.switching import NullModel


TEMPORAL_NULLS = {
    "shuffled_times": "P[w, t]",
    "random_times": "P[w]",
    "shuffled_links": "P[k, p_L(Θ)]",
    "time_reversal": "time reversal",
}
"""The null models of temporal graphs, and their canonical names in Gauvin et al. (2022)."""

_LINKS = 0x9E3779B9  # the key of the links of a sample differs from the key of its graph by these bits
_BYTES_AN_EVENT, _BYTES_WHILE_DRAWN = 16, 80


class ShuffleOptions(TypedDict, total=False):
    """The keywords of `shuffle_events` besides `samples`."""

    block: Duration | None
    steps: int | None
    seed: int | None
    threads: int | None
    progress: ProgressKeyword


@overload
def shuffle_events(
    graph: TemporalGraph, null: str = "shuffled_times", *, samples: None = None, **options: Unpack[ShuffleOptions]
) -> TemporalGraph: ...


@overload
def shuffle_events(
    graph: TemporalGraph, null: str = "shuffled_times", *, samples: int, **options: Unpack[ShuffleOptions]
) -> list[TemporalGraph]: ...


def shuffle_events(
    graph: TemporalGraph,
    null: str = "shuffled_times",
    *,
    block: Duration | None = None,
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
    block : number, timedelta, timedelta64 or str, optional
        For "shuffled_times", shuffle the times within blocks of this length only, such as ``"1 day"``. Blocks are
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
        `graph` has no times; `null` is another name; `block` or `steps` is given for another null model; or another
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
    model = ShuffledEvents.of(graph, null, block=block, steps=steps)
    needed = (count * _BYTES_AN_EVENT + min(workers, count) * _BYTES_WHILE_DRAWN) * graph.num_events
    check_memory(needed, f"samples={count}: holding all graphs", "draw fewer at a time, each with a seed of its own")
    keys = derive_keys(check_seed(seed), count).tolist()
    with reporting(progress, "shuffling events") as report:
        graphs = sample_each(lambda i: model.draw(keys[i]), count, threads=workers, progress=report)
    return graphs[0] if samples is None else graphs


@record
class ShuffledEvents:
    """A randomized reference model of a temporal graph.

    Attributes
    ----------
    graph : TemporalGraph
    null : str
        A name of `TEMPORAL_NULLS`.
    starts : int64 array, shape (periods + 1,)
        First event of each period within which times are shuffled, and the number of events.
    links : NullModel or None
        Model of the static graph, for "shuffled_links".
    """

    graph: TemporalGraph
    null: str
    starts: Int64Array
    links: NullModel | None = None

    @classmethod
    def of(
        cls, graph: TemporalGraph, null: str, *, block: Duration | None = None, steps: int | None = None
    ) -> ShuffledEvents:
        """Return the model of a graph that has a given name.

        Raises
        ------
        ArgumentError
            If `null` is another name, if `block` is given for another model than "shuffled_times" or is not above 0,
            or if `steps` is given for another model than "shuffled_links".
        """
        if null not in TEMPORAL_NULLS:
            expected = ", ".join(map(repr, TEMPORAL_NULLS))
            raise ArgumentError(f"null={null!r}: expected one of {expected} for a TemporalGraph")
        if block is not None and null != "shuffled_times":
            raise ArgumentError(f"block={block!r}: expected null='shuffled_times', got null={null!r}")
        if steps is not None and null != "shuffled_links":
            raise ArgumentError(f"steps={steps!r}: expected null='shuffled_links', got null={null!r}")
        starts = np.array([0, graph.num_events], np.int64)
        if block is not None:
            period = graph.duration("block", block)
            if period == 0:
                raise ArgumentError(f"block={block!r}: expected a duration above 0")
            # Periods are counted from time 0: days begin at midnight UTC for Unix times and for dates.
            number = numbers_of(graph.time) // min(period, 2**63 - 1)
            changes = np.flatnonzero(number[1:] != number[:-1]) + 1
            starts = np.concatenate([[0], changes, [graph.num_events]]).astype(np.int64)
        links = Null("degrees", steps=steps).of(graph.window()) if null == "shuffled_links" else None
        return cls(graph, null, starts, links)

    @property
    def steps(self) -> int | None:
        """Number of steps of the walk to a sample; None if samples are drawn directly."""
        return None if self.links is None else self.links.steps

    def draw(self, key: int) -> TemporalGraph:
        """Return the sample of a key."""
        graph = self.graph
        source, target, time = graph.source, graph.target, numbers_of(graph.time)
        if self.null == "time_reversal":
            source, target = source[::-1], target[::-1]
            if len(time):
                time = ((time[-1] - time) + time[0])[::-1]
        elif self.links is not None:  # each link becomes another one, with all its events
            _, link = np.unique(source.astype(np.int64) * graph.num_vertices + target, return_inverse=True)
            drawn, _ = self.links.draw(key)
            source, target = drawn.edges()
            order = np.arange(len(source))
            shuffle(np.uint64(key ^ _LINKS), order)
            new = order[link.ravel()]
            source, target = source[new], target[new]
        else:
            if self.null == "random_times" and len(time):
                time = np.sort(_random_times(time, key))
            order = np.arange(len(time))
            # Links are shuffled over the sorted times: the same as times over links, and ties come in random order.
            shuffle_within(np.uint64(key), self.starts, order)
            source, target = source[order], target[order]
        return TemporalGraph.from_edges(
            source,
            target,
            time.view("datetime64[ns]") if graph.time.dtype.kind == "M" else time,
            num_vertices=graph.num_vertices,
            labels=graph.labels,
            ties=graph.ties,
            unit=graph.unit,
        )


def numbers_of(time: AnyArray) -> AnyArray:
    """Return times as numbers; dates are nanoseconds."""
    return time.view(np.int64) if time.dtype.kind == "M" else time


def _random_times(time: AnyArray, key: int) -> AnyArray:
    """Return times that are drawn at random between the first time and the last."""
    whole, first, last = time.dtype == np.int64, time[0], time[-1]
    offsets = np.empty(len(time), np.int64)
    draw_below(np.uint64(key ^ _LINKS), np.uint64(int(last) - int(first) + 1 if whole else 1 << 53), offsets)
    if whole:
        return first + offsets
    share = offsets * 2.0**-53
    return np.asarray(first * (1 - share) + last * share)


@kernel
def shuffle_within(key: np.uint64, starts: Int64Array, values: Int64Array) -> None:
    """Shuffle values in place within each stretch."""
    counter = key
    for s in range(len(starts) - 1):
        stretch = values[starts[s] : starts[s + 1]]
        shuffle(counter, stretch)
        counter += np.uint64(stretch.size - 1) * GOLDEN  # the draws that `shuffle` has used


@kernel
def draw_below(key: np.uint64, bound: np.uint64, values: Int64Array) -> None:
    """Write numbers from 0 to bound - 1, drawn at random."""
    counter = key
    for i in range(len(values)):
        values[i] = np.int64(below(mix(counter), bound))
        counter += GOLDEN
