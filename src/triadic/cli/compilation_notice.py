"""The line on standard error while numba compiles kernels, which happens once on each machine."""

import sys
import time

from triadic.core.progress import watch_by_default

_PATIENCE = 2.0  # seconds of compilation after which a file or a pipe gets a line
_CLEAR = "\r\x1b[K"


def announce_compilation(progress: bool | None) -> bool | None:
    """Announce compilation if a command shows progress, and return the option ``--progress`` unchanged.

    A terminal shows the number and the name of each kernel on a line that is overwritten. A file or a pipe gets one
    line, if progress was asked for and compilation takes long.
    """
    if sys.stderr.isatty() and progress is not False:
        watch_by_default(_show)
    else:
        watch_by_default(_Log() if progress else None)
    return progress


def _show(text: str | None) -> None:
    sys.stderr.write(f"{_CLEAR}{text or ''}")
    sys.stderr.flush()


class _Log:
    """A single line about compilation for a file or a pipe."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._idle = True
        self._taken = 0.0
        self._written = False

    def __call__(self, text: str | None) -> None:
        """Add up the time of compilation; write the line when it is long."""
        now = time.monotonic()
        self._taken += 0.0 if self._idle else now - self._started
        self._started, self._idle = now, text is None
        if self._taken > _PATIENCE and not self._written:
            self._written = True
            sys.stderr.write("triadic: compiling kernels, once; the next call starts at once\n")
