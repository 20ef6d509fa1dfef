"""What a kind of device declares about itself: its name, its package, its limits, and how to open one device."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.devices.runtimes.runtime import Runtime


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Device:
    """A kind of device that counts run on.

    Attributes
    ----------
    name : str
        What the keyword `device` calls it, such as "cuda".
    package : str, optional
        Import name of the Python package that reaches the devices. None, the default: no package is needed.
    count : callable, optional
        Return the number of devices of this kind; they are numbered from 0. By default there is one.
    open_runtime : callable, optional
        Open the runtime of the device with a given number. None, the default, for the CPU alone: its counts are
        functions of NumPy arrays and need no runtime, and its name has no number.
    none_found : str, optional
        What an error says when the package finds no device.
    auto_edges : int, optional
        Number of edges from which ``device="auto"`` picks the first device of this kind, the copy to it included. None,
        the default: "auto" never picks this kind.
    auto_edges_at_first : int, optional
        The same while the package is not imported yet, which takes about a second.
    keeps_generated : bool, default False
        Whether a generated network is oriented on the device and stays there. Otherwise the device makes its arcs and
        the host orients them.
    profiler : str, optional
        Name of the program that reads the hardware counters of these devices.
    """

    name: str
    package: str | None = None
    count: Callable[[], int] = lambda: 1
    open_runtime: Callable[[int], Runtime] | None = None
    none_found: str = ""
    auto_edges: int | None = None
    auto_edges_at_first: int | None = None
    keeps_generated: bool = False
    profiler: str | None = None

    def is_installed(self) -> bool:
        """Return whether the package can be imported, without importing it."""
        return self.package is None or find_spec(self.package) is not None

    def is_loaded(self) -> bool:
        """Return whether the package has been imported already."""
        return self.package is None or self.package in sys.modules


CPU = Device(name="cpu")
