"""How much memory this process may still take."""

from __future__ import annotations

import os
from pathlib import Path

from triadic.errors import OutOfMemoryError

_CGROUP = Path("/sys/fs/cgroup")


def available_bytes() -> int:
    """Bytes that can still be taken: what the system has left, cut by the control group's limit.

    Where neither can be read, a very large number: better to try than to refuse on a guess.
    """
    return min(_system(), _cgroup("memory.max", "memory.current"), _cgroup_v1())


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


def _cgroup(limit: str, used: str) -> int:
    """Give what a control group has left; files that it has read and can forget are not in the way."""
    try:
        left = int((_CGROUP / limit).read_text()) - int((_CGROUP / used).read_text())
    except (OSError, ValueError):  # no such file, or "max"
        return _UNKNOWN
    return max(0, left + _forgettable((_CGROUP / used).with_name("memory.stat")))


def _forgettable(stat: Path) -> int:
    try:
        values = dict(line.split() for line in stat.read_text().splitlines())
        return int(values.get("total_inactive_file", values.get("inactive_file", 0)))
    except (OSError, ValueError):
        return 0


def _cgroup_v1() -> int:
    return _cgroup("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes")
