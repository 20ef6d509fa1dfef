"""The keyword `device`: which device runs a count."""

from __future__ import annotations

import logging
import sys
import warnings
from functools import cache
from typing import TYPE_CHECKING, Protocol

from triadic.devices.runtimes import registry
from triadic.errors import ArgumentError, DeviceError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Located(Protocol):
    """What is counted, in memory, on a device or in tiles."""

    @property
    def device(self) -> str | None:
        """Name of the device on which it lies; None for the host."""

    @property
    def num_edges(self) -> int:
        """Number of edges, or of events."""


_LOG = logging.getLogger("triadic")
# Number of edges below which "auto" chooses the CPU for a graph on the host without a look at any device.
FEWEST_EDGES = min(device.auto_edges for device in registry.DEVICES.values() if device.auto_edges is not None)
_FORMS = "'auto', 'cpu', " + " or ".join(f"'{kind}', '{kind}:1', '{kind}:0,2', '{kind}:all'" for kind in registry.KINDS)


def resolve_device(device: str, *, kinds: Sequence[str], name: str, oriented: Located | None = None) -> str:
    """Return the device to run a count on: "cpu", or GPUs by number, such as "cuda:0" or "cuda:0,2".

    Parameters
    ----------
    device : str
        "auto", or the name of one device or several.
    kinds : sequence of str
        Kinds of devices that have the count.
    name : str
        Name of the count.
    oriented : Oriented, OrientedEvents or OrientedTiles, optional
        The graph. "auto" chooses the device on which it lies, or a CUDA card if there is one and the graph is large
        enough, else the CPU.

    Raises
    ------
    ArgumentError
        If the name of the device has an unknown form.
    UnsupportedError
        If the device does not have the count; a count never runs elsewhere silently.
    DeviceError, MissingExtraError
        If there is no such device, or the package that reaches it is not installed.
    """
    if device == "auto":
        return _choose(name, oriented) if len(kinds) > 1 else "cpu"
    if check_kind(device, kinds=kinds, name=name) == "cpu":
        return device
    first, *others = registry.named(device)
    return ",".join([first, *(name.partition(":")[2] for name in others)])


def check_kind(device: str, *, kinds: Sequence[str], name: str) -> str:
    """Return the kind in the name of a device, which this machine need not have; see `resolve_device` for the errors.

    Parameters
    ----------
    device : str
        "auto", which is returned as it is, or the name of one device or several.
    kinds : sequence of str
        Kinds of devices that have the count.
    name : str
        Name of the count.
    """
    if device == "auto":
        return device
    kind = registry.kind_of(device)
    if kind not in registry.DEVICES or (kind == "cpu" and device != "cpu"):
        raise ArgumentError(f"device={device!r}: expected {_FORMS}")
    if kind not in kinds:
        raise UnsupportedError(f"device={device!r}: {name} are counted on {', '.join(map(repr, kinds))}")
    return kind


@cache
def has_card() -> bool:
    """Return whether this machine has a device that "auto" chooses for large graphs."""
    return any(
        registry.is_installed(kind) and _is_present(kind)
        for kind, device in registry.DEVICES.items()
        if device.auto_edges is not None
    )


def warn(message: str | Warning, category: type[Warning] = UserWarning) -> None:
    """Issue a warning that names the line of the first frame outside this package."""
    frame, level = sys._getframe(), 1  # noqa: SLF001 - inspect's function is slower
    # functools computes cached properties.
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in ("triadic", "functools"):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def _choose(name: str, oriented: Located | None) -> str:
    """Return the device on which the graph lies, or the first of a kind that is worth its copy there, or the CPU."""
    if oriented is not None and oriented.device is not None:
        return oriented.device
    edges = 0 if oriented is None else oriented.num_edges
    for kind, device in registry.DEVICES.items():
        least = device.auto_edges if device.package in sys.modules else device.auto_edges_at_first
        if least is None:
            continue
        if edges < least:
            _LOG.debug("%s not on %s: %d edges are fewer than the %d from which it is faster", name, kind, edges, least)
        elif not registry.is_installed(kind):
            _LOG.debug("%s not on %s: %s is not installed", name, kind, device.package)
        elif _is_present(kind):
            _LOG.info("%s on %s:0: %d edges", name, kind, edges)
            return f"{kind}:0"
    return "cpu"


def _is_present(kind: str) -> bool:
    try:
        return registry.count(kind) > 0
    except (DeviceError, ImportError) as error:
        warn(f"counting on the CPU: {error}", RuntimeWarning)
        return False
