"""The machine of a measurement: processor, devices, versions, number of threads."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from triadic._version import __version__
from triadic.core.blocks import allowed_threads
from triadic.core.memory import available_bytes, processor_name
from triadic.devices.runtimes import registry as gpus
from triadic.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Sequence

_PACKAGES = ("numpy", "scipy", "numba", "tbb", "cupy-cuda12x", "cupy-cuda13x", "pyopencl")


def describe_machine(devices: Sequence[str] = ()) -> dict[str, Any]:
    """Describe this machine, and the GPUs among `devices`.

    Returns
    -------
    dict
        For JSON. ``key`` identifies the machine; it does not depend on `devices`.

    Examples
    --------
    >>> sorted(describe_machine())[:4]
    ['available_bytes', 'cores', 'devices', 'key']
    """
    labels = {name: gpus.runtime(name).label for name in devices if name != "cpu"}
    model, threads = processor_name(), allowed_threads()
    identity = (platform.machine(), model, threads, _first_gpus())
    return {
        "key": blake2b(repr(identity).encode(), digest_size=4).hexdigest(),
        "processor": model,
        "cores": os.cpu_count(),
        "threads": threads,
        "available_bytes": available_bytes(),
        "devices": labels,
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {"triadic": __version__} | {name: found for name in _PACKAGES if (found := _version(name))},
    }


def machine_line(machine: dict[str, Any]) -> str:
    """Return a description of a machine on one line."""
    devices = [f"{name}: {label}" for name, label in machine["devices"].items()]
    parts = [machine["processor"], f"{machine['threads']} threads", *devices]
    return ", ".join([*parts, f"Python {machine['python']}"])


def _first_gpus() -> list[str]:
    """Return the vendor's label of the first GPU of each kind."""
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
