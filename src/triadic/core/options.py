"""`options`: what the keywords `threads`, `device` and `progress` are in calls that do not give them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.errors import ArgumentError, shown

if TYPE_CHECKING:
    from triadic.core.progress import ProgressKeyword

CHOSEN: dict[str, Any] = {}  # keywords of calls that do not have them


class options:  # noqa: N801 - called as a function, and entered as a context
    """Choose what the keywords `threads`, `device` and `progress` are in calls that do not give them.

    The choice holds in the whole process until the next one, or, of a ``with`` statement, until its end.

    Parameters
    ----------
    threads : int, optional
        Number of threads.
    device : str, optional
        Where to count, such as "cuda". Functions refuse a device that they cannot use, as if they had been given it.
    progress : bool or callable, optional
        Whether to show progress bars, or a function that is called with ``(done, total)``.

    Raises
    ------
    ArgumentError
        If `threads` is no whole number of at least 1, `device` no text, or `progress` neither a flag nor a function.

    Notes
    -----
    An argument that is None leaves the choice as it was. ``options(device="auto")`` returns to the choice of a device
    for each graph, and ``options(progress=False)`` to no progress bars.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(100, 4, 0.0, seed=1)
    >>> with triadic.options(threads=1, progress=False):
    ...     triadic.triangle_count(graph)
    100
    """

    def __init__(
        self, *, threads: int | None = None, device: str | None = None, progress: ProgressKeyword | None = None
    ) -> None:
        if threads is not None and (type(threads) is not int or threads < 1):
            raise ArgumentError(f"threads={shown(threads)}: expected None or a whole number of at least 1")
        if device is not None and not isinstance(device, str):
            raise ArgumentError(f"device={shown(device)}: expected None or the name of a device")
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise ArgumentError(f"progress={shown(progress)}: expected a flag or a function of (done, total)")
        self._before = dict(CHOSEN)
        given = {"threads": threads, "device": device, "progress": progress}
        CHOSEN.update({name: value for name, value in given.items() if value is not None})

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        CHOSEN.clear()
        CHOSEN.update(self._before)

    def __repr__(self) -> str:
        return f"options({', '.join(f'{name}={value!r}' for name, value in CHOSEN.items())})"
