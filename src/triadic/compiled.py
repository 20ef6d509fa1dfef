"""How kernels are compiled: once, here.

A kernel releases the GIL, so that threads run it side by side, and is kept in numba's cache on disk. Where no cache
folder can be written numba refuses at import; the kernel is then compiled anew in each process. Ctrl-C waits until one
is compiled: it would be lost in a callback of the compiler.

numba takes a cached kernel for current as long as its own file has not changed. A kernel may call others of other
files, so the stamp here is over all files that hold compiled code. numba numbers what it keeps of a kernel, so that two
processes that compile it at once for different arguments may both write one file; here the arguments name them.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba

from triadic.interrupt import held_back

if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., Any]")

_PACKAGE = Path(__file__).parent
_COMPILED = ("devices/cpu", "generate", "measures", "null_models", "published")


def kernel(function: Function) -> Function:
    """Compile `function` on its first call for each set of argument types: nogil, cached where possible."""
    try:
        dispatcher = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # numba: "no locator available", that is, no folder to keep the cache in
        dispatcher = numba.njit(nogil=True)(function)
    with suppress(AttributeError):  # not of numba's public interface: without it, as numba does it
        cache_file = dispatcher._cache._cache_file  # noqa: SLF001 - there is no public way
        cache_file._source_stamp = (cache_file._source_stamp, source_stamp())  # noqa: SLF001 - likewise
        name_by_key(cache_file)
    with suppress(AttributeError):
        dispatcher.compile = _whole(dispatcher.compile)
    return cast("Function", dispatcher)


def name_by_key(cache_file: Any) -> None:  # noqa: ANN401 - numba's
    """Have what is kept for each set of argument types be in a file of its own name."""
    save, numbered = cache_file.save, cache_file._data_name  # noqa: SLF001 - there is no public way

    def save_apart(key: object, data: object) -> None:
        name = blake2b(repr(key).encode(), digest_size=8).hexdigest()
        cache_file._data_name = lambda number: f"{numbered(number).removesuffix('.nbc')}.{name}.nbc"  # noqa: SLF001 - likewise
        save(key, data)

    cache_file.save = save_apart


def _whole(compile_one: Callable[[object], object]) -> Callable[[object], object]:
    """Have what compiles a kernel not be broken into."""

    def compile_whole(signature: object) -> object:
        with held_back():
            return compile_one(signature)

    return compile_whole


@cache
def source_stamp() -> str:
    """Give a hash over the files that hold compiled code."""
    digest = blake2b(digest_size=16)
    for folder in _COMPILED:
        for file in sorted((_PACKAGE / folder).glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()
