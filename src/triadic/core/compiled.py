"""How kernels are compiled: the one decorator for compiled code, `kernel`.

A kernel releases the GIL, so that threads run it side by side, and numba keeps its machine code on disk. Where no cache
folder can be written, numba raises on import; the kernel is then compiled anew in each process. Ctrl-C waits until a
compilation ends: an exception raised in a callback of the compiler would be lost. It also waits until a call ends: if a
kernel returns arrays, numba's C code runs a Python function, and Ctrl-C in that function would be a SystemError.

numba considers a cached kernel current as long as the kernel's own file is unchanged. A kernel may call kernels of
other files and read constants of theirs, so the stamp here covers the content of every file that the kernel's code
reaches and the values of the constants it reads. A kernel of any package is stamped in this way, and a file that is
copied or checked out again is not compiled again.

numba numbers the cached variants of a kernel, so two processes that compile a kernel for different argument types at
the same time may both write one file; here a hash of the argument types names the file. A file ends with a checksum:
machine code with a wrong bit would end the process. A damaged file is compiled again and replaced.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from pickle import STOP, UnpicklingError, dumps
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba
import numpy as np
from numba.core import serialize
from numba.core.caching import IndexDataCacheFile
from numba.core.registry import CPUDispatcher
from xxhash import xxh3_64_digest

from triadic.core.progress import compiling, held_back
from triadic.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Function = TypeVar("Function", bound="Callable[..., Any]")

_PACKAGE = Path(__file__).parents[1]
# What pickle raises for a file that is empty, broken off, or holds other bytes.
_DAMAGE = (EOFError, UnpicklingError, ValueError, AttributeError, ImportError, IndexError, KeyError, TypeError)
_END = b"\x01"  # of a checksum of 8 bytes; a pickle ends with another byte
_SEAL = 8 + len(_END)
_UNREADABLE = "numba's folder of compiled code cannot be read; set NUMBA_CACHE_DIR to another folder"
_CONSTANTS = (bool, int, float, complex, str, bytes, tuple, type(None), np.generic, np.ndarray)


def kernel(function: Function) -> Function:
    """Compile `function` on its first call for each set of argument types: without the GIL, cached where possible."""
    return _compiled(function, inline=False)


def inline_kernel(function: Function) -> Function:
    """Compile a kernel that becomes a part of each kernel that calls it, however long it is.

    For short kernels of innermost loops: LLVM leaves some of them out of line, and the call of one that takes arrays
    costs tens of instructions.
    """
    return _compiled(function, inline=True)


def _compiled(function: Function, *, inline: bool) -> Function:
    try:
        dispatcher = numba.njit(nogil=True, no_cfunc_wrapper=True, cache=True, forceinline=inline)(function)
    except RuntimeError:  # numba: "no locator available", that is, no folder to keep the cache in
        dispatcher = numba.njit(nogil=True, no_cfunc_wrapper=True, forceinline=inline)(function)
    with suppress(AttributeError):  # numba's private interface; without it, numba's own stamp applies
        cache_file = dispatcher._cache._cache_file  # noqa: SLF001 - there is no public way
        cache_file.__class__ = _StampedFile
        cache_file.kernel = function
        name_by_key(cache_file)
    if not _BOXES_IN_C:
        dispatcher.__class__ = _HeldDispatcher
    with suppress(AttributeError):  # Ctrl-C waits until a compilation, or the first call of a kernel, is done
        compile_for = dispatcher._compile_for_args  # noqa: SLF001 - called for new types of arguments; returns a function
        dispatcher._compile_for_args = lambda *a, **named: held_back()(compile_for(*a, **named))  # noqa: SLF001 - as above
        dispatcher.compile = held_back()(dispatcher.compile)
        # Called only for a kernel that is not in the cache.
        dispatcher._compiler.compile = compiling(function.__name__)(dispatcher._compiler.compile)  # noqa: SLF001 - as above
    return cast("Function", dispatcher)


class _StampedFile(IndexDataCacheFile):  # type: ignore[misc] # numba has no types
    """numba's cache of one kernel, stamped by content instead of by the time of the last change."""

    kernel: Callable[..., Any]

    @property
    def _source_stamp(self) -> str:
        return stamp_of(self.kernel)

    @_source_stamp.setter
    def _source_stamp(self, value: object) -> None:
        """Ignore numba's stamp."""

    def _load_index(self) -> dict[object, str]:
        """Return the variants on disk; none if the file is damaged, such as an empty one after a power cut."""
        try:
            content = Path(self._index_path).read_bytes()
            whole = _is_whole(content.removeprefix(dumps(self._version, -1)))
            return cast("dict[object, str]", super()._load_index()) if whole else {}
        except (*_DAMAGE, FileNotFoundError):
            return {}
        except PermissionError:
            raise ReadError(self._cache_path, _UNREADABLE) from None

    def _load_data(self, name: str) -> object:
        """Return a variant; a damaged one is an OSError, after which numba compiles it anew and replaces it."""
        try:
            if _is_whole(Path(self._data_path(name)).read_bytes()):
                return super()._load_data(name)
        except _DAMAGE:
            pass
        raise OSError(f"{name} is damaged")

    def _dump(self, obj: object) -> bytes:
        """Return a pickle and its checksum, which `pickle.loads` ignores."""
        content: bytes = super()._dump(obj)
        return content + xxh3_64_digest(content) + _END


def _is_whole(content: bytes) -> bool:
    """Return whether a pickle has its checksum, or is one of numba without a checksum."""
    pickled, checksum = content[:-_SEAL], content[-_SEAL:]
    return checksum == xxh3_64_digest(pickled) + _END or content.endswith(STOP)


def stamp_of(function: Callable[..., Any]) -> str:
    """Return a hash over the files and constants that a kernel's code reaches.

    Computed on the kernel's first call, when everything that its code names is defined.
    """
    digest = blake2b(digest_size=16)
    files: set[str] = set()
    constants: set[str] = set()
    seen: set[int] = set()
    pending = [function]
    while pending:
        current = pending.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        files.add(current.__code__.co_filename)
        for name, value in _named_values(current):
            inner = getattr(value, "py_func", None) or getattr(value, "_defn", None)  # a kernel, or an intrinsic
            if inner is not None:
                pending.append(inner)
            elif isinstance(value, _CONSTANTS):
                constants.add(f"{name}={value.tobytes()!r}" if isinstance(value, np.ndarray) else f"{name}={value!r}")
    for file in sorted(files):
        digest.update(_content(file))
    for constant in sorted(constants):
        digest.update(constant.encode())
    return digest.hexdigest()


def _named_values(function: Callable[..., Any]) -> Iterator[tuple[str, object]]:
    """Yield the globals and closure variables that a function's code names, also through a module's attributes."""
    names = set(_names(function.__code__))
    closure = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    variables = {name: cell.cell_contents for name, cell in closure}
    for name in names | set(variables):
        value = variables.get(name, function.__globals__.get(name))
        yield name, value
        if isinstance(value, ModuleType):
            yield from ((inner, getattr(value, inner, None)) for inner in names)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


@cache
def _content(file: str) -> bytes:
    with suppress(OSError):
        return Path(file).read_bytes()
    return file.encode()


def name_by_key(cache_file: Any) -> None:  # noqa: ANN401 - numba's
    """Save each variant of a kernel in a file named by a hash of its argument types."""
    save, numbered = cache_file.save, cache_file._data_name  # noqa: SLF001 - there is no public way

    def save_apart(key: object, data: object) -> None:
        name = blake2b(repr(key).encode(), digest_size=8).hexdigest()
        cache_file._data_name = lambda number: f"{numbered(number).removesuffix('.nbc')}.{name}.nbc"  # noqa: SLF001 - there is no public way
        with suppress(OSError):  # a full disk, or a folder that is no longer writable: the kernel is compiled already
            save(key, data)

    cache_file.save = save_apart


def _box_in_c() -> bool:
    """Replace numba's Python function by a cache in C, which runs Python code on the first call of a kernel only.

    Returns
    -------
    bool
        Whether numba uses it: its C code remembers the function that it called first.
    """
    try:
        if not serialize._unpickled_memo:  # noqa: SLF001 - there is no public way
            serialize._numba_unpickle = lru_cache(maxsize=None)(serialize._numba_unpickle)  # noqa: SLF001 - as above
            return True
    except AttributeError:  # numba's private interface
        pass
    return False


class _HeldDispatcher(CPUDispatcher):  # type: ignore[misc] # numba has no types
    """A kernel of a process in which other kernels ran before triadic was imported: Ctrl-C waits in each call."""

    __call__ = held_back()(CPUDispatcher.__call__)


_BOXES_IN_C = _box_in_c()


@cache
def source_stamp() -> str:
    """Return a hash over all files of triadic that hold compiled code."""
    digest = blake2b(digest_size=16)
    for file in sorted(_PACKAGE.rglob("*.py")):
        content = file.read_bytes()
        if any(mark in content for mark in (b"@kernel", b"@inline_kernel", b"@intrinsic")):
            digest.update(content)
    return digest.hexdigest()
