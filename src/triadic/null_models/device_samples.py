"""What is computed of samples that are drawn on devices, many walks at a time."""

from __future__ import annotations

import threading
import warnings
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from triadic.core import blocks
from triadic.devices.runtimes import registry
from triadic.devices.select import stack_level_of_caller
from triadic.errors import DeviceError, OutOfMemoryError, UnsupportedError
from triadic.null_models.device_walks import draw_on, samples_at_a_time, walks_on_devices

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.blocks import Progress
    from triadic.graph.graph import Graph
    from triadic.null_models.constrained import StubWalk
    from triadic.null_models.device_walks import Walks
    from triadic.null_models.interface import NullModel

    Compute = Callable[[Graph, bool, int, str], "Values"]

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
