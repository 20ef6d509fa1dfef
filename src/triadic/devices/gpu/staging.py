"""Copies from a card to the host through page-locked memory: the card's part and the host's at the same time.

A copy to memory that may be paged out waits for the host at every step, and most of that is the system giving pages to
a new array. Here the card copies piece by piece to a few page-locked buffers, while threads copy these; of 64 MiB that
takes some 4 ms instead of 29 (H200).
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import resolve_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PIECE, _PIECES = 1 << 22, 8
_MOST_THREADS = 8
PAYS_FROM = 1 << 24  # bytes


class Staging:
    """Page-locked buffers of one card, and threads that copy from them; both made at the first copy.

    Parameters
    ----------
    cupy : module
    """

    def __init__(self, cupy: Any) -> None:  # noqa: ANN401 - a module
        self._cupy = cupy
        self._lock = Lock()
        self._threads: ThreadPoolExecutor | None = None

    def download(self, buffer: Any, ready: Any) -> NDArray[Any]:  # noqa: ANN401 - CuPy's
        """Copy an array of the active card to the host, when the event `ready` is reached."""
        host = np.empty(buffer.shape, buffer.dtype)
        to, source = host.reshape(-1).view(np.uint8), buffer.reshape(-1).view(np.uint8)
        with self._lock:
            self._open()
            self._stream.wait_event(ready)
            running: list[Future[None] | None] = [None] * _PIECES
            for number, first in enumerate(range(0, len(to), _PIECE)):
                which = number % _PIECES
                if (before := running[which]) is not None:
                    before.result()
                last = min(first + _PIECE, len(to))
                piece = self._pieces[which][: last - first]
                source[first:last].get(stream=self._stream, out=piece, blocking=False)
                arrived = self._stream.record()
                running[which] = self._pool.submit(self._copy_arrived, arrived, piece, to[first:last])
            for copy in running:
                if copy is not None:
                    copy.result()
        return host

    @property
    def _pool(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(min(_MOST_THREADS, resolve_threads(None)), "triadic-copies")
        return self._threads

    def _open(self) -> None:
        if not hasattr(self, "_pieces"):
            self._stream = self._cupy.cuda.Stream(non_blocking=True)
            memory = self._cupy.cuda.alloc_pinned_memory(_PIECE * _PIECES)
            self._pieces = np.frombuffer(memory, np.uint8, _PIECE * _PIECES).reshape(_PIECES, _PIECE)

    @staticmethod
    def _copy_arrived(arrived: Any, piece: NDArray[np.uint8], to: NDArray[np.uint8]) -> None:  # noqa: ANN401 - CuPy's
        arrived.synchronize()
        np.copyto(to, piece)
