"""How much memory this process may still take, and the control groups that limit what it may use."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from triadic.errors import OutOfMemoryError

if TYPE_CHECKING:
    from collections.abc import Iterator


def available_bytes() -> int:
    """Bytes that can still be taken: what the system has left, cut by the control groups' limits.

    Where neither can be read, a very large number: better to try than to refuse on a guess.
    """
    return min(_system(), _cgroup())


def check_memory(needed: int, what: str, instead: str = "") -> None:
    """Refuse work that cannot fit.

    Parameters
    ----------
    needed : int
        Bytes, estimated.
    what : str
        What takes them.
    instead : str, optional
        What can be done instead.

    Raises
    ------
    OutOfMemoryError
        With both figures.
    """
    available = available_bytes()
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
    """Give what the tightest control group has left; files that it has read and can forget are not in the way."""
    left = _UNKNOWN
    for folder in group_folders("memory"):
        for limit, used in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
            allowed, taken = read_limit(folder / limit), read_limit(folder / used)
            if allowed is not None and taken is not None:
                left = min(left, max(0, allowed - taken + _forgettable(folder / "memory.stat")))
    return left


def _forgettable(stat: Path) -> int:
    try:
        values = dict(line.split() for line in stat.read_text().splitlines())
        return int(values.get("total_inactive_file", values.get("inactive_file", 0)))
    except (OSError, ValueError):
        return 0


def group_folders(controller: str) -> Iterator[Path]:
    """Yield the folders of the control groups of a controller, such as "memory", that this process is in.

    The innermost comes first, since the limits of the groups around it hold as well. Groups of the unified hierarchy
    come before those of the controller's own, older one. In a container that sees its own group as the root, the root
    is the last of each.
    """
    own = {"": PurePosixPath("/"), controller: PurePosixPath("/")}
    try:
        for line in MEMBERSHIP.read_text().splitlines():
            _, controllers, place = line.split(":", maxsplit=2)
            if controllers == "" or controller in controllers.split(","):
                own["" if controllers == "" else controller] = PurePosixPath(place)
    except (OSError, ValueError):
        pass  # no such file, or of another form: the roots alone
    for hierarchy, path in own.items():
        for group in (path, *path.parents):
            yield ROOT / hierarchy / group.relative_to("/")


def read_limit(file: Path) -> int | None:
    """Return the number in a file of a control group, or None if there is no file or no limit."""
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return None
