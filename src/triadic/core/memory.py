"""Memory that is available to this process, its limits and control groups; sizes in bytes, parsed and formatted.

Reports that state on which machine they were computed have the name of its processor, too.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import re
import sys
import time
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from triadic.errors import ArgumentError, OutOfMemoryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.array_types import AnyArray

# Reading the limits takes most of a millisecond, so work that needs a small part of the memory that was available uses
# a reading of the last second again.
_SECONDS, _PLENTY = 1.0, 64
# Freed memory is returned above this share of a limit, and again when the memory held has grown by this share.
_FREED_SHARE, _FREED_STEP = 0.6, 1 / 16
# The resident bytes at which the memory that the user allows is taken, within `memory_limit`.
_allowed_until: ContextVar[int | None] = ContextVar("_allowed_until", default=None)
_reading: tuple[float, int, Callable[[], int] | None] = (0.0, 0, None)
_UNITS = {
    "": 1,
    "B": 1,
    **{f"{letter}{unit}": 1000 ** (i + 1) for i, letter in enumerate("KMGT") for unit in ("", "B")},
    **{f"{letter}{unit}": 1024 ** (i + 1) for i, letter in enumerate("KMGT") for unit in ("I", "IB")},
}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*")


def available_bytes() -> int:
    """Return the number of bytes that this process can still allocate.

    The number is the smallest of the memory that the system has free, the memory left in the control groups of the
    process, and the address space left below its resource limits (``ulimit -v``). If none of these is known, the number
    is very large, so that no work is refused on a guess.
    """
    return min(_system(), _cgroup(), _resource_limits())


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
    available = _available_unless_plenty(needed)
    if available is not None and needed > available:
        advice = f": {instead}" if instead else ""
        raise OutOfMemoryError(f"{what} takes about {size_of(needed)} and {size_of(available)} are available{advice}")


def _available_unless_plenty(needed: int) -> int | None:
    """Return the available bytes, or None if the last second's reading leaves no doubt that the work fits."""
    global _reading  # noqa: PLW0603 - the last reading of the process
    allowed = _allowed_until.get()
    if allowed is not None:
        return min(available_bytes(), max(0, allowed - _used_bytes(_RESIDENT)))
    read_at, bytes_then, reader = _reading
    if needed < bytes_then // _PLENTY and time.monotonic() - read_at < _SECONDS and reader is available_bytes:
        return None
    available = available_bytes()
    _reading = (time.monotonic(), available, available_bytes)
    return available


def size_of(count: int) -> str:
    """Return a number of bytes with a binary unit, such as "1.5 GiB", as messages about memory name it."""
    for size, unit in ((1 << 30, "GiB"), (1 << 20, "MiB")):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count / 2**10:,.1f} KiB"


def resident_bytes() -> int:
    """Return the bytes that this process holds in memory, with mapped files; 0 if the system does not tell."""
    return _used_bytes(_RESIDENT)


@contextmanager
def memory_limit(count: int) -> Iterator[None]:
    """Let `check_memory` allow `count` bytes more than the process has in memory now, where the system tells that."""
    used = _used_bytes(_RESIDENT)
    token = _allowed_until.set(used + count if used else None)
    try:
        yield
    finally:
        _allowed_until.reset(token)


@contextmanager
def named_memory_errors(what: str, instead: str = "") -> Iterator[None]:
    """Turn a MemoryError of Python, NumPy or Arrow into an `OutOfMemoryError` that names the work and the memory.

    Parameters
    ----------
    what : str
        Description of the work, the subject of the error message.
    instead : str, optional
        Advice to the user.
    """
    before = available_bytes()
    try:
        yield
    except OutOfMemoryError:
        raise
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "new thread" not in str(error):  # no memory for its stack
            raise
        advice = f": {instead}" if instead else ""
        raise OutOfMemoryError(
            f"{what} takes more memory than the {size_of(before)} that are available{advice}"
        ) from None


class FreedMemory:
    """Return freed memory to the system when the process holds much of what it is allowed.

    The C library keeps freed memory for later, which saves the system from clearing its pages again. Arrays of
    different lengths leave gaps that later ones do not fill, so that a process that is allowed little memory may come
    to hold more.

    Parameters
    ----------
    memory : int
        Bytes that the process may hold beside those that it holds now.

    Attributes
    ----------
    step : int
        Bytes that may be freed and held again before memory is returned.
    """

    def __init__(self, memory: int) -> None:
        return_freed()  # or memory freed earlier would count as held now
        before = resident_bytes()
        self._least, self.step = before + int(_FREED_SHARE * memory), int(_FREED_STEP * memory)
        self._next = self._least

    def limit(self) -> None:
        """Return freed memory if the process holds more than a part of its limit."""
        if resident_bytes() > self._next:
            return_freed()
            self._next = max(self._least, resident_bytes() + self.step)

    def end(self) -> None:
        """Return freed memory at the end of the work, so that what follows has it."""
        if resident_bytes() > self._least:
            return_freed()


def return_freed() -> None:
    """Return to the system the memory that the C library, and Arrow if it is loaded, keep after it was freed."""
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        arrow.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # the C library is not glibc
        ctypes.CDLL(None).malloc_trim(0)


def drop_pages(*arrays: AnyArray) -> None:
    """Drop the pages of arrays that are mapped from files, which count as memory of the process once they are used.

    What was written stays in the file, and the system reads a page again when it is used. Arrays in memory are left as
    they are.
    """
    if not hasattr(mmap, "MADV_DONTNEED"):  # Windows
        return
    for array in arrays:
        base: Any = array
        while base is not None and not isinstance(base, mmap.mmap):
            base = getattr(base, "base", None)
        if base is not None:
            with suppress(OSError, ValueError):
                base.madvise(mmap.MADV_DONTNEED)


_UNKNOWN = 1 << 62
ROOT = Path("/sys/fs/cgroup")
MEMBERSHIP = Path("/proc/self/cgroup")
STATM = Path("/proc/self/statm")
# Places of numbers of pages in this file; see proc(5).
_MAPPED, _RESIDENT, _DATA = 0, 1, 5


def _system() -> int:
    with suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with suppress(AttributeError, ValueError, OSError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return _UNKNOWN


def _resource_limits() -> int:
    """Return the bytes left below the limits on the address space and on the data of this process."""
    try:
        import resource  # noqa: PLC0415 - Windows does not have it
    except ImportError:
        return _UNKNOWN
    left = _UNKNOWN
    for name, place in (("RLIMIT_AS", _MAPPED), ("RLIMIT_DATA", _DATA)):
        limit = getattr(resource, name, None)
        allowed = resource.RLIM_INFINITY if limit is None else resource.getrlimit(limit)[0]
        if allowed != resource.RLIM_INFINITY:
            left = min(left, max(0, allowed - _used_bytes(place)))
    return left


def _used_bytes(place: int) -> int:
    """Return the bytes of this process that a place in /proc/self/statm counts."""
    try:
        return int(STATM.read_text().split()[place]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0  # another system than Linux: the whole limit counts as free


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


def parse_bytes(size: str | int, name: str = "memory") -> int:
    """Return the number of bytes of a size such as ``2GB``.

    Parameters
    ----------
    size : str or int
        A number of bytes, or a number and a unit: kB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB (powers of
        1024), in upper or lower case, with or without the B.
    name : str, default "memory"
        Name of the argument, for the error message.

    Returns
    -------
    int
        Bytes, at least 1.

    Raises
    ------
    ArgumentError
        If the size cannot be parsed, or is less than 1 or at least 2**63.

    Examples
    --------
    >>> parse_bytes("2GB"), parse_bytes("1.5 MiB"), parse_bytes(4096)
    (2000000000, 1572864, 4096)
    """
    if isinstance(size, str):
        found = _SIZE.fullmatch(size)
        unit = None if found is None else _UNITS.get(found[2].upper())
        count = 0 if found is None or unit is None else int(float(found[1]) * unit)
    else:
        count = size if isinstance(size, int) and not isinstance(size, bool) else 0
    if not 0 < count < 2**63:
        raise ArgumentError(f"{name}={size!r}: expected a size such as 2GB, 500MB or 1GiB")
    return count


def show_bytes(count: int) -> str:
    """Format a number of bytes with about three digits; `parse_bytes` parses the text.

    Examples
    --------
    >>> show_bytes(999), show_bytes(2_000_000_000), show_bytes(123_456_789)
    ('999 B', '2.00 GB', '123 MB')
    """
    if count < 1000:
        return f"{count} B"
    size, unit = float(count), "B"
    for unit in ("kB", "MB", "GB", "TB"):  # noqa: B007 - used after the loop
        size /= 1000
        if size < 999.5:
            break
    digits = max(0, 3 - len(str(int(size))))
    return f"{size:,.{digits}f} {unit}"


def processor_name() -> str:
    """Return the processor's model name; on Linux that of the first processor in ``/proc/cpuinfo``."""
    import platform  # noqa: PLC0415 - slow to import, and only reports need it

    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
