"""Counting in samples of a null model: over threads, on a device, or by the workers of a Dask cluster."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from triadic.core import blocks
from triadic.core.extras import check_extra
from triadic.counts.count import chosen_device
from triadic.errors import ArgumentError
from triadic.measures.profiled_counts import PROFILED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.blocks import Progress
    from triadic.null_models.model import NullModel

    Counts: TypeAlias = tuple[int | float, ...]

_ON_DEVICE = threading.Lock()  # samples are drawn side by side, and take turns on the device
_TASKS_A_THREAD = 4  # of the cluster, so that none is long idle at the end


class Client(Protocol):
    """What is used of a `distributed.Client`, which has no types of its own."""

    asynchronous: bool

    def nthreads(self) -> dict[str, int]:
        """Threads of each worker."""

    def scatter(self, data: object, *, hash: bool) -> Any:  # noqa: A002, ANN401 - dask's name; a future
        """Send something to the workers."""

    def submit(self, function: object, *arguments: object, pure: bool) -> Any:  # noqa: ANN401 - a future
        """Have a worker call a function."""

    def cancel(self, futures: list[Any]) -> None:
        """Give up what has not been done."""


def count_samples(
    model: NullModel, of: str, keys: Sequence[int], *, threads: int, device: str, progress: Progress | None
) -> list[Counts]:
    """Draw the samples of these keys, each on one of `threads`, and count in each."""
    found: list[Counts] = [()] * len(keys)

    def draw(_: int, i: int) -> None:
        found[i] = _count_one(model, of, keys[i], device)

    blocks.run(draw, len(keys), threads=threads, progress=progress)
    return found


def count_on_cluster(
    model: NullModel, of: str, keys: Sequence[int], client: Client, *, device: str, progress: Progress | None
) -> list[Counts]:
    """Have the workers of a cluster draw and count the samples; what is left is given up on an error or Ctrl-C."""
    workers = max(1, sum(client.nthreads().values()))
    cuts = blocks.cut_evenly(len(keys), _TASKS_A_THREAD * workers).tolist()
    there = client.scatter(model, hash=False)
    tasks = [client.submit(count_batch, there, of, list(keys[a:b]), device, pure=False) for a, b in pairwise(cuts)]
    done = 0
    try:
        if progress is not None:
            progress(0, len(keys))
        for task in import_module("distributed").as_completed(tasks):
            done += len(task.result())
            if progress is not None:
                progress(done, len(keys))
        return [counts for task in tasks for counts in task.result()]
    finally:
        client.cancel(tasks)


def count_batch(model: NullModel, of: str, keys: Sequence[int], device: str) -> list[Counts]:
    """Draw the samples of these keys one after the other, and count in each: a task of a cluster."""
    return [_count_one(model, of, key, device) for key in keys]


def check_client(client: Client) -> None:
    """Refuse what is no client that waits for its results, as `distributed.Client` does where nothing else is said."""
    check_extra("distributed", "dask", "client= needs")
    kind = import_module("distributed").Client
    if not isinstance(client, kind) or client.asynchronous:
        raise ArgumentError(f"client={client!r}: expected a distributed.Client, one that is not asynchronous")


def _count_one(model: NullModel, of: str, key: int, device: str) -> Counts:
    counted = PROFILED[of]
    graph, moved = model.draw(key)
    if not moved and not model.admits_change(key):
        raise ArgumentError(
            "graph: nothing can be moved in it, as in a star or a complete graph; what this null keeps leaves it as it "
            "is, so that there is nothing to hold its counts against"
        )
    used = chosen_device(counted.needed, device, graph.oriented(threads=1))
    with nullcontext() if used == "cpu" else _ON_DEVICE:
        return counted.count(graph, threads=1, device=device)
