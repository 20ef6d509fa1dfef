"""Memory that is available to this process, and the control groups that limit its memory and processors."""

from __future__ import annotations

import os
import time
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from triadic.errors import OutOfMemoryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


# Reading the limits takes most of a millisecond, so work that needs a small part of the memory that was available uses
# a reading of the last second again.
_SECONDS, _PLENTY = 1.0, 64
_reading: tuple[float, int, Callable[[], int] | None] = (0.0, 0, None)


def available_bytes() -> int:
    """Return the number of bytes that this process can still allocate within the limits of its control groups.

    If neither the system nor the control groups tell, the number is very large, so that no work is refused on a guess.
    """
    return min(_system(), _cgroup())


def check_memory(needed: int, what: str, instead: str = "") -> None:
    """Raise if work needs more memory than is available.

    Parameters
    ----------
    needed : int
        Estimated number of bytes.
    what : str
        Description of the work, the subject of the error message.
    instead : str, optional
        Advice to the user.

    Raises
    ------
    OutOfMemoryError
        If `needed` exceeds the available bytes; the message contains both.
    """
    global _reading  # noqa: PLW0603 - the last reading of the process
    read_at, bytes_then, reader = _reading
    if needed < bytes_then // _PLENTY and time.monotonic() - read_at < _SECONDS and reader is available_bytes:
        return
    available = available_bytes()
    _reading = (time.monotonic(), available, available_bytes)
    if needed > available:
        advice = f": {instead}" if instead else ""
        raise OutOfMemoryError(
            f"{what} takes about {needed / 2**30:,.1f} GiB and {available / 2**30:,.1f} GiB are available{advice}"
        )


_UNKNOWN = 1 << 62
ROOT = Path("/sys/fs/cgroup")
MEMBERSHIP = Path("/proc/self/cgroup")


def _system() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return _UNKNOWN


def _cgroup() -> int:
    """Return the bytes left in the tightest control group, including its cached files, which it can drop."""
    left = _UNKNOWN
    for folder in group_folders("memory"):
        for limit, used in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
            allowed, taken = read_limit(folder / limit), read_limit(folder / used)
            if allowed is not None and taken is not None:
                left = min(left, max(0, allowed - taken + _cached_files(folder / "memory.stat")))
    return left


def _cached_files(stat: Path) -> int:
    try:
        values = dict(line.split() for line in stat.read_text().splitlines())
        return int(values.get("total_inactive_file", values.get("inactive_file", 0)))
    except (OSError, ValueError):
        return 0


def group_folders(controller: str) -> Iterator[Path]:
    """Yield the folders of the control groups of a controller, such as "memory", that this process is in.

    The innermost group comes first; the limits of the groups around it apply as well. Groups of the unified hierarchy
    come before groups of the older hierarchy of the controller. In a container that sees its own group as the root, the
    root is the last group of each hierarchy.
    """
    own = {"": PurePosixPath("/"), controller: PurePosixPath("/")}
    try:
        for line in MEMBERSHIP.read_text().splitlines():
            _, controllers, place = line.split(":", maxsplit=2)
            if controllers == "" or controller in controllers.split(","):
                own["" if controllers == "" else controller] = PurePosixPath(place)
    except (OSError, ValueError):
        pass  # no such file, or another format: only the roots are searched
    for hierarchy, path in own.items():
        for group in (path, *path.parents):
            yield ROOT / hierarchy / group.relative_to("/")


def read_limit(file: Path) -> int | None:
    """Return the number in a file of a control group, or None if there is no file or no limit."""
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return None
