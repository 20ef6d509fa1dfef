"""The keyword `device`: which device runs a count."""

from __future__ import annotations

import logging
import sys
import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from triadic.devices.gpu import open as gpus
from triadic.errors import ArgumentError, DeviceError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triadic.core.oriented import Oriented

GPU_KINDS = gpus.KINDS
# Number of edges from which counting on a card is faster, the copy to it and its preparation there included
# (docs/performance.md); the second holds until CuPy is imported, which takes a second.
PAYS_FROM, PAYS_AT_FIRST_FROM = 1 << 18, 1 << 24

_PACKAGE = "triadic"
_LOG = logging.getLogger(_PACKAGE)
_NOTED: ContextVar[list[str] | None] = ContextVar("_NOTED", default=None)
_FORMS = "'auto', 'cpu', 'cuda', 'cuda:1', 'cuda:0,2', 'cuda:all', 'opencl' or 'opencl:1'"


def resolve_device(device: str, *, kinds: Sequence[str], name: str, oriented: Oriented | None = None) -> str:
    """Return the device to run a count on: "cpu", or GPUs by number, such as "cuda:0" or "cuda:0,2".

    Parameters
    ----------
    device : str
        "auto", or the name of one device or several.
    kinds : sequence of str
        Kinds of devices that have the count.
    name : str
        Name of the count.
    oriented : Oriented, optional
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
    kind = device.partition(":")[0] if isinstance(device, str) else ""
    if kind not in ("cpu", *GPU_KINDS) or (kind == "cpu" and device != "cpu"):
        raise ArgumentError(f"device={device!r}: expected {_FORMS}")
    if kind not in kinds:
        raise UnsupportedError(f"device={device!r}: {name} are counted on {', '.join(map(repr, kinds))}")
    if kind == "cpu":
        return device
    names = gpus.named(device)
    return f"{kind}:{','.join(name.partition(':')[2] for name in names)}"


@contextmanager
def noting() -> Iterator[list[str]]:
    """Yield a list to which each device that runs a count is added, once, while the context lasts."""
    noted: list[str] = []
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def note_device(device: str) -> None:
    """Add a device that runs a count to the list of `noting`."""
    noted = _NOTED.get()
    if noted is not None and device not in noted:
        noted.append(device)


def stack_level_of_caller() -> int:
    """Return the stack level of the first frame outside this package, for `warnings.warn` in the calling function."""
    frame, level = sys._getframe(1), 1  # noqa: SLF001 - inspect's function is slower
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame, level = frame.f_back, level + 1
    return level


def _choose(name: str, oriented: Oriented | None) -> str:
    if oriented is not None and oriented.device is not None:
        return oriented.device
    edges = 0 if oriented is None else oriented.num_edges
    pays_from = PAYS_FROM if gpus.is_loaded("cuda") else PAYS_AT_FIRST_FROM
    if edges < pays_from:
        _LOG.debug("%s on the CPU: %d edges are fewer than the %d from which a GPU pays", name, edges, pays_from)
        return "cpu"
    if not gpus.is_installed("cuda"):
        _LOG.debug("%s on the CPU: CuPy is not installed", name)
        return "cpu"
    try:
        cards = gpus.count("cuda")
    except (DeviceError, ImportError) as error:
        warnings.warn(f"counting on the CPU: {error}", RuntimeWarning, stacklevel=stack_level_of_caller())
        return "cpu"
    _LOG.info("%s on %s: %d edges", name, "cuda:0" if cards else "the CPU, since there is no card", edges)
    return "cuda:0" if cards else "cpu"
