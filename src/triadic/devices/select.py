"""The keyword `device`: which device runs a count."""

from __future__ import annotations

import logging
import sys
import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from triadic.devices import registry as gpus
from triadic.devices.gpu.oriented import OrientedOnDevice
from triadic.errors import ArgumentError, DeviceError, OutOfMemoryError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.oriented import Oriented

Count = TypeVar("Count")

_PACKAGE = "triadic"
_LOG = logging.getLogger(_PACKAGE)
_NOTED: ContextVar[list[str] | None] = ContextVar("_NOTED", default=None)
_FORMS = "'auto', 'cpu', 'cuda', 'cuda:1', 'cuda:0,2', 'cuda:all', 'opencl' or 'opencl:1'"
# Edges from which a card pays, the copy to it and what is made ready there included (docs/performance.md); more before
# CuPy is loaded, which takes a second.
_PAYS_FROM, _PAYS_AT_FIRST_FROM = 1 << 18, 1 << 24


# What is counted on more than the CPU.
_ON_GPUS = (
    "triangles",
    "weighted triangles",
    "graphlets",
    "squares",
    "neighbour sums",
    "closed triads",
    "closed triads by vertex",
)


def resolve_device(device: str, *, count: str, oriented: Oriented | None = None) -> str:
    """Give the device to run a count on: "cpu", or GPUs by number, as "cuda:0" or "cuda:0,2".

    Parameters
    ----------
    device : str
        "auto", or the name of one device or several.
    count : str
        What is counted.
    oriented : Oriented, optional
        The graph, by which "auto" chooses: the card where it lies, or a CUDA card where there is one and it pays, else
        the CPU.

    Raises
    ------
    ArgumentError
        A name of no known form.
    UnsupportedError
        A device that does not have the count; it is never run elsewhere silently.
    DeviceError, MissingExtraError
        There is no such device, or what reaches it is not installed.
    """
    available = ("cpu", *gpus.KINDS) if count in _ON_GPUS else ("cpu",)
    if device == "auto":
        return _choose(count, oriented) if len(available) > 1 else "cpu"
    kind = device.partition(":")[0] if isinstance(device, str) else ""
    if kind not in ("cpu", *gpus.KINDS) or (kind == "cpu" and device != "cpu"):
        raise ArgumentError(f"device={device!r}: expected {_FORMS}")
    if kind not in available:
        raise UnsupportedError(f"device={device!r}: {count} are counted on {', '.join(map(repr, available))}")
    if kind == "cpu":
        return device
    names = gpus.named(device)
    return f"{kind}:{','.join(name.partition(':')[2] for name in names)}"


def run(device: str, used: str, on_gpu: Callable[[str], Count], on_cpu: Callable[[], Count]) -> Count:
    """Count on what `resolve_device` gave for `device`; where "auto" chose a GPU that fails, on the CPU with a warning.

    Raises
    ------
    DeviceError, OutOfMemoryError, UnsupportedError
        A device asked for by name fails, is too small, or cannot hold such a graph.
    """
    if used == "cpu":
        return _noted(on_cpu(), used)
    try:
        return _noted(on_gpu(used), used)
    except (DeviceError, OutOfMemoryError, UnsupportedError) as error:
        if device != "auto":
            raise
        warnings.warn(f"counting on the CPU: {error}", RuntimeWarning, stacklevel=_to_the_caller())
        return _noted(on_cpu(), "cpu")


@contextmanager
def noting() -> Iterator[list[str]]:
    """Give a list to which `run` adds each device that a count was made on, once, while the context lasts."""
    noted: list[str] = []
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def _noted(count: Count, device: str) -> Count:
    noted = _NOTED.get()
    if noted is not None and device not in noted:
        noted.append(device)
    return count


def _choose(count: str, oriented: Oriented | None) -> str:
    if isinstance(oriented, OrientedOnDevice):
        return oriented.runtime.name
    edges = 0 if oriented is None else oriented.num_edges
    pays_from = _PAYS_FROM if gpus.is_loaded("cuda") else _PAYS_AT_FIRST_FROM
    if edges < pays_from:
        _LOG.debug("%s on the CPU: %d edges are fewer than the %d from which a GPU pays", count, edges, pays_from)
        return "cpu"
    if not gpus.is_installed("cuda"):
        _LOG.debug("%s on the CPU: CuPy is not installed", count)
        return "cpu"
    try:
        there = gpus.count("cuda")
    except (DeviceError, ImportError) as error:
        warnings.warn(f"counting on the CPU: {error}", RuntimeWarning, stacklevel=_to_the_caller())
        return "cpu"
    _LOG.info("%s on %s: %d edges", count, "cuda:0" if there else "the CPU, there is no card", edges)
    return "cuda:0" if there else "cpu"


def _to_the_caller() -> int:
    """Give the level in the stack of the first line outside this package, as a warning made here counts it."""
    frame, level = sys._getframe(1), 1  # noqa: SLF001 - what inspect has of it is slower
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame, level = frame.f_back, level + 1
    return level
