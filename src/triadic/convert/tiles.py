"""The refusal of a graph in tiles by a function that cannot count it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from types import FrameType


def refusal_of_tiles(reason: str = "") -> UnsupportedError:
    """Return the error of a function that does not take a `TiledGraph`, with the name of the function.

    Parameters
    ----------
    reason : str, optional
        Why the function does not take one.

    Returns
    -------
    UnsupportedError
        The error names the public function that the user called, also if that one called the function that refuses.
    """
    # 0 is this function, 1 the function that recognises tiles, and 2 the one that asked for a graph.
    name = _public_function(sys._getframe(2))  # noqa: SLF001 - the documented way to the caller
    advice = "read the graph into memory, as triadic.read does"
    return UnsupportedError(f"{name} does not take a TiledGraph: {f'{reason}; {advice}' if reason else advice}")


def _public_function(frame: FrameType) -> str:
    """Return the name of the outermost public function of triadic, from a frame on; else that of the frame."""
    outermost, inner = frame.f_code.co_name, frame
    while _is_own(inner):
        outermost = _public_name(inner) or outermost
        if inner.f_back is None:
            break
        inner = inner.f_back
    return outermost


def _is_own(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "triadic"


def _public_name(frame: FrameType) -> str | None:
    """Return the name under which users know the function of a frame; None if it is not public."""
    owner, _, method = frame.f_code.co_qualname.rpartition(".")
    if method == "__new__":
        return owner
    for module, prefix in (("triadic", ""), ("triadic.plot", "plot.")):
        # A name alone does not suffice: modules of one package have functions of the same names as public ones.
        public = getattr(sys.modules.get(module), method, None)
        if getattr(public, "__code__", None) is frame.f_code:
            return f"{prefix}{method}"
    return None
