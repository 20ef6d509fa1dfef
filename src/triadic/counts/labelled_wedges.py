"""Pairs of dyads that share a vertex, by states and by the order of the original ids, beside labelled closed triads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.blocks import resolve_threads
from triadic.counts.closed_triads import LABELLED_CLOSED_TRIADS
from triadic.counts.count import device_for
from triadic.devices.cpu import labelled_wedges as cpu
from triadic.devices.gpu import labelled_wedges as gpu
from triadic.errors import DeviceError, MissingExtraError, OutOfMemoryError, UnsupportedError

if TYPE_CHECKING:
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.labelled_wedges import LabelledWedges


def labelled_wedges(oriented: Oriented, *, threads: int | None, device: str) -> LabelledWedges:
    """Count the wedges of a graph on the device that counts its labelled closed triads; on the CPU for lack of room."""
    used = device_for(LABELLED_CLOSED_TRIADS, device, oriented)
    if used != "cpu":
        try:
            return gpu.labelled_wedges(used, oriented)
        except OutOfMemoryError:
            pass
        except (DeviceError, MissingExtraError, UnsupportedError):  # "auto" warned of it while it counted closed triads
            if device != "auto":
                raise
    return cpu.labelled_wedges(oriented, threads=resolve_threads(threads))
