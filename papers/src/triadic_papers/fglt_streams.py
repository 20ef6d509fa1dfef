"""Two streams of a GPU, one that copies and one that counts: section 2.2 of "FGLT with CUDA"."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache, partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from triadic.devices.runtimes.runtime import Runtime

COPYING, COUNTING = 0, 1


class Streams:
    """A copying and a counting stream of one device; to be used inside ``with runtime.active():``.

    Streams come from `runtime.xp` if that module has streams, as under CUDA. Otherwise all work goes to the runtime's
    one queue, and there is nothing to wait for.

    Parameters
    ----------
    runtime : Runtime
    overlap : bool
        False uses one queue for all work.
    """

    def __init__(self, runtime: Runtime, *, overlap: bool) -> None:
        self._streams = _pair(runtime.name, runtime.xp) if overlap else ()
        self._event = partial(runtime.xp.cuda.Event, disable_timing=True) if self._streams else None

    def on(self, stream: int) -> AbstractContextManager[Any]:
        """Return a context in which copies and launches go to a stream: COPYING or COUNTING."""
        on_stream: AbstractContextManager[Any] = self._streams[stream] if self._streams else nullcontext()
        return on_stream

    def mark(self, stream: int) -> Any:  # noqa: ANN401 - an event of `xp`
        """Return an event that completes when the work given to a stream up to now is finished."""
        return self._streams[stream].record(self._event()) if self._event else None

    def wait(self, stream: int, event: Any) -> None:  # noqa: ANN401 - an event of `xp`
        """Make a stream wait for an event."""
        if self._streams:
            self._streams[stream].wait_event(event)


@cache
def _pair(device: str, xp: Any) -> tuple[Any, ...]:  # noqa: ANN401, ARG001 - a module; the cache has an entry for each device
    """Create the two streams of a device once: CuPy keeps a separate memory pool for every stream ever created."""
    cuda = getattr(xp, "cuda", None)
    return (cuda.Stream(non_blocking=True), cuda.Stream(non_blocking=True)) if cuda else ()
