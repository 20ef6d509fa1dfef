"""Samples of switching that are drawn on devices, many walks at a time, oriented there, and counted where they lie."""

from __future__ import annotations

import threading
import warnings
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from triadic.core import blocks
from triadic.devices.gpu.orientation import orient, rank_on
from triadic.devices.gpu.rows import OrientedOnDevice
from triadic.devices.gpu.switching import ArcsOfWalk, DeviceWalks, Switchable, SwitchableStubs, walks_at_a_time
from triadic.devices.runtimes import registry
from triadic.devices.select import stack_level_of_caller
from triadic.errors import DeviceError, OutOfMemoryError, UnsupportedError
from triadic.graph.graph import Graph
from triadic.null_models.constrained import ConstrainedSwitching, StubWalk
from triadic.null_models.switching import Switching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeGuard

    from triadic.core.blocks import Progress
    from triadic.null_models.switching import NullModel

    Walks = Switching | ConstrainedSwitching

Values = TypeVar("Values")

_WALKED = 0.6  # share of the walks in the time of samples and their triad censuses, on an H200
_ROUNDING = 1e-6  # of sums of shares


def devices_of(model: NullModel, chosen: set[str]) -> tuple[str, ...]:
    """Return those of the counting devices that also draw the samples of a null model; none if the CPU draws them."""
    if not walks_on_devices(model) or len(chosen) != 1 or "cpu" in chosen:
        return ()
    return registry.named(chosen.pop())


def or_on_cpu(there: Callable[[], Values], here: Callable[[], Values], device: str) -> Values:
    """Return ``there()``, or ``here()`` with a warning if the devices fail and `device` is "auto"."""
    try:
        return there()
    except (DeviceError, OutOfMemoryError, UnsupportedError) as error:
        if device != "auto":
            raise
        message = f"drawing random graphs on the CPU: {error}"
        warnings.warn(message, RuntimeWarning, stacklevel=stack_level_of_caller())
        return here()


def compute_on_devices(
    model: Walks,
    keys: Sequence[int],
    devices: Sequence[str],
    compute: Callable[[Graph, bool, int, str], Values],
    values: list[Values],
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
    size = min(samples_at_a_time(device, model, len(keys)) for device in devices)
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


def walks_on_devices(model: NullModel) -> TypeGuard[Walks]:
    """Return whether devices have the walks of a null model: switching without weights, also within groups and bins."""
    return isinstance(model, (Switching, ConstrainedSwitching))


def samples_at_a_time(device: str, model: Walks, wanted: int) -> int:
    """Return the number of samples that are drawn side by side on a device such as "cuda:0", at most `wanted`.

    Raises
    ------
    OutOfMemoryError
        If the device has too little memory for one.
    UnsupportedError
        If the graph has too many arcs.
    """
    return walks_at_a_time(registry.runtime(device), _switchable(model), wanted)


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
    walks = DeviceWalks(runtime, _switchable(model), list(keys))
    walks.go(model.steps, progress)
    if first is not None and isinstance(model, ConstrainedSwitching):
        first(StubWalk.at(model, walks.first_state()))
    accepted, rank = walks.accepted(), None
    for i in range(len(keys)):
        arcs = ArcsOfWalk(walks, i)
        if rank is None:  # degrees never change
            rank = rank_on(runtime, arcs, n)
        arrays, met = orient(runtime, arcs, n, directed=model.directed, rank=rank)
        oriented = OrientedOnDevice(runtime, arrays)
        graph = Graph._of_oriented(oriented, met, directed=model.directed, labels=model.labels)  # noqa: SLF001 - the constructor for graphs on a device
        yield graph, bool(accepted[i] > 0)


def _switchable(model: Walks) -> Switchable | SwitchableStubs:
    if isinstance(model, ConstrainedSwitching):
        return SwitchableStubs(
            stubs=model.stubs,
            arcs=model.arcs,
            strata=model.strata,
            rows=model.rows,
            group=model.group,
            place=model.place,
            limits=model.limits,
            lowest=model.lowest,
            order=model.order,
            ordered=model.ordered,
            directed=model.directed,
        )
    return Switchable(
        tail=model.tail,
        head=model.head,
        indptr=model.indptr,
        left=model.left,
        right=model.right,
        ordered=model.ordered,
        directed=model.directed,
    )
