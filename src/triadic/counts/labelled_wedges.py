"""Pairs of dyads that share a vertex, by states and by the order of the original ids, beside labelled closed triads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.blocks import resolve_threads
from triadic.counts.closed_triads import LABELLED_CLOSED_TRIADS
from triadic.counts.same_device import on_device_of
from triadic.devices.cpu import labelled_wedges as cpu
from triadic.devices.gpu import wedges as gpu

if TYPE_CHECKING:
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.labelled_wedges import LabelledWedges


def labelled_wedges(oriented: Oriented, *, threads: int | None, device: str) -> LabelledWedges:
    """Count the wedges of a graph on the device that counts its labelled closed triads; on the CPU for lack of room."""
    found = on_device_of(LABELLED_CLOSED_TRIADS, device, oriented, lambda used: gpu.labelled_wedges(used, oriented))
    return cpu.labelled_wedges(oriented, threads=resolve_threads(threads)) if found is None else found
