"""Two streams of a GPU, one that copies and one that counts: section 2.2 of "FGLT with CUDA"."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache, partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from triadic.devices.gpu.runtime import Runtime

COPYING, COUNTING = 0, 1


class Streams:
    """What a device can do at once.

    A stream is had through `xp`, where that is a module with streams, as under CUDA; elsewhere everything goes to the
    one queue of the runtime, and nothing has to be waited for. Within ``with runtime.active():``.

    Parameters
    ----------
    runtime : Runtime
    overlap : bool
        False: one queue for everything.
    """

    def __init__(self, runtime: Runtime, *, overlap: bool) -> None:
        self._streams = _pair(runtime.name, runtime.xp) if overlap else ()
        self._event = partial(runtime.xp.cuda.Event, disable_timing=True) if self._streams else None

    def on(self, stream: int) -> AbstractContextManager[Any]:
        """Give a context in which copies and launches go to a stream: COPYING or COUNTING."""
        on_stream: AbstractContextManager[Any] = self._streams[stream] if self._streams else nullcontext()
        return on_stream

    def mark(self, stream: int) -> Any:  # noqa: ANN401 - an event of `xp`
        """Give an event: what a stream has been given to do so far."""
        return self._streams[stream].record(self._event()) if self._event else None

    def wait(self, stream: int, event: Any) -> None:  # noqa: ANN401 - likewise
        """Have a stream wait for an event."""
        if self._streams:
            self._streams[stream].wait_event(event)


@cache
def _pair(device: str, xp: Any) -> tuple[Any, ...]:  # noqa: ANN401, ARG001 - a module; streams are a device's own
    """Make a device's streams, once: CuPy keeps memory apart for each stream there ever was."""
    cuda = getattr(xp, "cuda", None)
    return (cuda.Stream(non_blocking=True), cuda.Stream(non_blocking=True)) if cuda else ()
