"""What a measurement is worth nothing without: the machine, its devices, the versions, the number of threads."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from triadic._version import __version__
from triadic.core.blocks import allowed_threads
from triadic.core.memory import available_bytes
from triadic.core.processor import processor_name
from triadic.devices.gpu import open as gpus
from triadic.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Sequence

_PACKAGES = ("numpy", "scipy", "numba", "tbb", "cupy-cuda12x", "cupy-cuda13x", "pyopencl")


def describe(devices: Sequence[str] = ()) -> dict[str, Any]:
    """Describe this machine, and the GPUs among `devices`.

    Returns
    -------
    dict
        For JSON; ``key`` tells machines apart, and stays the same from run to run, whatever the devices asked for.

    Examples
    --------
    >>> sorted(describe())[:4]
    ['available_bytes', 'cores', 'devices', 'key']
    """
    labels = {name: gpus.runtime(name).label for name in devices if name != "cpu"}
    model, threads = processor_name(), allowed_threads()
    known = (platform.machine(), model, threads, _first_gpus())
    return {
        "key": blake2b(repr(known).encode(), digest_size=4).hexdigest(),
        "processor": model,
        "cores": os.cpu_count(),
        "threads": threads,
        "available_bytes": available_bytes(),
        "devices": labels,
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {"triadic": __version__} | {name: found for name in _PACKAGES if (found := _version(name))},
    }


def as_line(machine: dict[str, Any]) -> str:
    """Say on one line what a machine is."""
    devices = [f"{name}: {label}" for name, label in machine["devices"].items()]
    parts = [machine["processor"], f"{machine['threads']} threads", *devices]
    return ", ".join([*parts, f"Python {machine['python']}"])


def _first_gpus() -> list[str]:
    """Give what the makers call the first GPU of each kind that is there."""
    labels = []
    for kind in gpus.KINDS:
        with suppress(DeviceError, ImportError):
            if gpus.is_installed(kind) and gpus.count(kind):
                labels.append(gpus.runtime(f"{kind}:0").label)
    return labels


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
