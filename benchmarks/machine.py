"""The machine that a measurement was made on: processor, versions of libraries, number of threads."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import triadic
from triadic.core.memory import available_bytes

_LIBRARIES = ("numpy", "scipy", "numba", "pyarrow", "networkit", "igraph", "networkx", "pyfglt")


def describe() -> dict[str, Any]:
    """Describe this machine and the libraries that are installed on it."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "available_bytes": available_bytes(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "commit": _commit(),
        "versions": {"triadic": triadic.__version__} | {name: _version(name) for name in _LIBRARIES},
    }


def use_threads(threads: int, allowed: int) -> None:
    """Restrict this process and its children to `threads` of the `allowed` cores."""
    if threads > allowed:
        raise SystemExit(f"--threads {threads}: this process may use {allowed} cores")
    if threads == allowed:
        return
    if not hasattr(os, "sched_setaffinity"):
        raise SystemExit(f"--threads {threads}: this system cannot restrict a process to some of its {allowed} cores")
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0), key=_turn_of_core)[:threads])


def _turn_of_core(core: int) -> tuple[int, int]:
    """Return a key that sorts the second threads of cores behind the first ones."""
    siblings = Path(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list")
    first = int(re.split("[-,]", siblings.read_text().strip())[0]) if siblings.exists() else core
    return core != first, core


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    git = shutil.which("git")
    if git is None:
        return None
    arguments = [git, "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    result = subprocess.run(arguments, capture_output=True, text=True, check=False)
    return result.stdout.strip() or None
