"""Significance of temporal motifs: the motifs of events, compared with those of shuffled events."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from typing import TYPE_CHECKING
from warnings import warn

from triadic.core import blocks
from triadic.core.checked import MOST_SAMPLES, check_seed, check_whole
from triadic.core.draws import derive_keys
from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.devices.select import stack_level_of_caller
from triadic.errors import ArgumentError
from triadic.measures.significance_result import Significance
from triadic.measures.temporal import temporal_motifs
from triadic.null_models.shuffled_events import ShuffledEvents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.event_times import Duration
    from triadic.graph.temporal import TemporalGraph

_DEVICE_LOCK = threading.Lock()  # samples are drawn in parallel, and counted on a GPU one after another
_BYTES_AN_EVENT = 200  # of a sample and of its counts


def temporal_significance(
    graph: TemporalGraph,
    *,
    of: str | Sequence[str] | None,
    delta: Duration | None,
    ties: str | None,
    null: str | None,
    within: Duration | None,
    samples: int,
    steps: int | None,
    seed: int | None,
    client: object,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> Significance:
    """Compare the 36 temporal motifs of a graph with those of samples of a null model; see `significance`."""
    if of not in (None, "temporal", ("temporal",), ["temporal"]):
        raise ArgumentError(f"of={of!r}: expected 'temporal' for a TemporalGraph; its window() is a graph")
    if client is not None:
        raise ArgumentError(f"client={client!r}: samples of a TemporalGraph are not drawn on a cluster; expected None")
    if delta is None:
        raise ArgumentError("delta=None: expected the longest time from the first event of a motif to the last")
    samples = check_whole("samples", samples, 2, MOST_SAMPLES)
    seed, workers = check_seed(seed), blocks.resolve_threads(threads)
    if graph.num_events < 2:
        raise ArgumentError(f"graph: expected events to shuffle, found {graph.num_events}")
    null = "shuffled_times" if null is None else null
    model = ShuffledEvents.of(graph, null, within=within, steps=steps)
    motifs = temporal_motifs(graph, delta, ties=ties, threads=threads, device=device)
    keys = derive_keys(seed, samples).tolist()
    if null == "time_reversal":
        keys = keys[:1]  # there is one reversed network
    needed = _BYTES_AN_EVENT * graph.num_events * min(workers, len(keys))
    check_memory(needed, f"shuffling {graph.num_events:,} events on {workers} threads", "use fewer threads")
    drawn: list[tuple[int, ...]] = [()] * len(keys)

    def draw(_: int, i: int) -> None:
        sample = model.draw(keys[i])
        with nullcontext() if device in ("auto", "cpu") else _DEVICE_LOCK:
            # Samples are counted side by side, which "auto" does on the CPU.
            counted = temporal_motifs(
                sample, delta, ties=motifs.ties, threads=1, device="cpu" if device == "auto" else device
            )
            drawn[i] = counted.counts

    try:
        with reporting(progress, "significance of temporal motifs") as report:
            blocks.run(draw, len(keys), threads=workers, progress=report)
    except KeyboardInterrupt:
        # Finished samples equal the first samples of the same seed, except for samples that other threads had begun.
        finished = [sample for sample in drawn if sample]
        if len(finished) < 2:
            raise
        warn(
            f"interrupted: the result has {len(finished):,} of {len(keys):,} samples",
            UserWarning,
            stacklevel=stack_level_of_caller(),
        )
        drawn = finished
    return Significance(
        of="temporal",
        null=null,
        names=motifs.names,
        counts=motifs.counts,
        samples=tuple(drawn),
        profiled=motifs.names,
        steps=model.steps,
        seed=seed,
        delta=motifs.delta,
    )


def refuse_options_of_walks(**given: object) -> None:
    """Raise if an argument that only graphs without times take is given for a temporal graph."""
    for name, value in given.items():
        if value is not None:
            raise ArgumentError(f"{name}: expected None for a TemporalGraph, whose random networks have times")


def refuse_times(graph: object, *, of: object, **of_times: object) -> None:
    """Raise if an argument that only a temporal graph takes is given for a graph without times."""
    given = {"of": of if of == "temporal" else None, **of_times}
    for name, value in given.items():
        if value is not None:
            raise ArgumentError(f"{name}={value!r}: expected a TemporalGraph, got a {type(graph).__name__}")
