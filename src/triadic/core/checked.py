"""Check the arguments of public functions by their annotations: every flag, number, text and path in the same way.

A function that is called through its package, as ``triadic.triangles``, and the methods of a class that `checked`
decorates check what a user passes. Functions of triadic that call one another do not. What an annotation cannot say,
such as the names of a choice and the numbers between which a size lies, a function checks itself: `check_whole`,
`check_positive`, `check_probability` and `check_seed` return the value in its own type, or raise with the accepted
range. `check_extra` checks that the package of an optional extra is installed, and `type_name` names the type of an
argument in a message. `options` chooses keywords for the calls of public functions that do not give them.
"""

from __future__ import annotations

import os
import sys
from functools import wraps
from importlib.util import find_spec
from inspect import unwrap
from math import inf
from numbers import Integral, Real
from operator import index
from types import FunctionType, NoneType
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import lazy_loader  # type: ignore[import-untyped]  # it has no types

from triadic.errors import ArgumentError, MissingExtraError, OutOfMemoryError, shown

if TYPE_CHECKING:
    from triadic.core.progress import ProgressKeyword

Target = TypeVar("Target")

MOST_SAMPLES = 10_000_000  # random networks, of all of which some counts are kept
_MOST_SEED = (1 << 64) - 1

# What an error says was expected, by the last word of an annotation; flags come before numbers.
_EXPECTED = {
    "bool": "True or False",
    "int": "a whole number below 2**64",
    "float": "a number",
    "str": "a text",
    "texts": "several texts",
    "PathLike[str]": "a path",
    "Progress": "a function of (done, total)",
    "ProgressKeyword": "False, True or a function of (done, total)",
    "Client": "a dask.distributed.Client",
    "Model": "a model, such as generate.RMat",
    **{name: name for name in ("Arcs", "Axes", "None")},
}
# Kinds that an attribute tells, so that no class is imported to look for it.
_ATTRIBUTES = {
    "PathLike[str]": "__fspath__", "Progress": "__call__", "ProgressKeyword": "__call__", "Client": "submit",
    "Model": "arcs", "str": "casefold", "Arcs": "both_ends", "Axes": "set_xlim",
}  # fmt: skip
_ALIASES = {"Literal": "str", "Sequence[str]": "texts", "Iterable[str]": "texts"}
# Arguments that no function checks further.
_PLAIN = {"threads", "label", "name", "title", "text", "shift", "i"}
_SCALARS = {"bool", "int", "float", "str", "None"}

CHOSEN: dict[str, Any] = {}  # keywords of calls that do not have them


def attach_checked(package: str, file: str) -> Any:  # noqa: ANN401 - as lazy_loader returns
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package with a stub; its functions check arguments."""
    find, names, public = lazy_loader.attach_stub(package, file)

    def find_checked(name: str) -> Any:  # noqa: ANN401 - any public object
        value = find(name)
        if isinstance(value, FunctionType):
            value = checked(value)
            value.__module__ = package  # where pickle looks for it
            setattr(sys.modules[package], name, value)
        return value

    return find_checked, names, public


def checked(target: Target) -> Target:
    """Decorate a function, or a class with public methods, so that arguments are checked by their annotations.

    Flags, whole numbers and floats of NumPy become those of Python.

    Examples
    --------
    >>> @checked
    ... def double(number: int, *, twice: bool = False) -> int:
    ...     return number * (4 if twice else 2)
    >>> double(3, twice=True)
    12
    >>> double(3, twice="no")
    Traceback (most recent call last):
    triadic.errors.ArgumentError: twice='no': expected True or False
    """
    if not isinstance(target, type):
        return _checked_function(target)  # with the parameters of the function
    for name, value in list(vars(target).items()):
        if name[0] == "_" and name not in ("__init__", "__new__"):
            continue
        if isinstance(value, FunctionType):
            setattr(target, name, checked(value))
        elif isinstance(value, (classmethod, staticmethod)):
            setattr(target, name, type(value)(checked(value.__func__)))
    return target


def _checked_function(target: Any) -> Any:  # noqa: ANN401 - a function
    function = unwrap(target)
    checks = {
        name: check
        for name, text in function.__annotations__.items()
        if (check := _Check(name, str(text), function)).known
    }
    code = function.__code__
    by_place = [(i, name) for i, name in enumerate(code.co_varnames[: code.co_argcount]) if name in checks]
    chosen = {"threads", "device", "progress"} & set(code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount])

    @wraps(target)
    def call(*args: Any, **keywords: Any) -> Any:  # noqa: ANN401 - the arguments of the function
        if CHOSEN and chosen:
            keywords = {name: value for name, value in CHOSEN.items() if name in chosen} | keywords
        for name, value in keywords.items():
            if name in checks and type(value) not in checks[name].at_once:
                keywords[name] = checks[name](value)
        for place, name in by_place:
            if place < len(args):
                args = (*args[:place], checks[name](args[place]), *args[place + 1 :])
        try:
            return target(*args, **keywords)
        except OutOfMemoryError:
            raise
        except MemoryError as error:
            raise OutOfMemoryError(f"{function.__name__}: {str(error) or 'the memory is full'}") from error

    return call


class _Check:
    """The check of one argument, called with its value; it returns the value, or a number of Python in its place."""

    def __init__(self, name: str, annotation: str, function: FunctionType) -> None:
        self.name = name
        found: set[str] = set()
        for part in annotation.split(" | "):
            word = "Literal" if "Literal[" in part else part.rpartition(".")[2]
            # Which value of a named `Literal` it is, the function checks.
            values = get_args(function.__globals__.get(word))
            found |= {type(value).__name__ for value in values} if values else {_ALIASES.get(word, word)}
        of_known_kinds = found <= _EXPECTED.keys()
        self.expected = " or ".join(text for kind, text in _EXPECTED.items() if kind in found)
        self.is_path = bool({"PathLike[str]", "NetworkInput"} & found) or name == "path"
        self.known = name != "return" and (of_known_kinds or self.is_path)
        if "ProgressKeyword" in found:
            found |= {"bool", "None"}
        self.at_once: Any = (bool,) * ("bool" in found) + (NoneType,) * ("None" in found)
        # Of a choice or a range the function says more: it is given any number and text, but no array and no table.
        if found <= {*_SCALARS, "texts"} and not found <= {"bool", "None"} and name not in _PLAIN:
            found, self.at_once = found | _SCALARS, (bool, float, str, NoneType)
        self.kinds = [kind for kind in _EXPECTED if kind in found] if of_known_kinds else []

    def __call__(self, value: Any) -> Any:  # noqa: ANN401 - any argument
        if self.name == "threads":
            return sys.modules["triadic.core.blocks"].resolve_threads(value)  # which has NumPy, and made the threads
        if self.is_path and (isinstance(value, (str, os.PathLike)) or not self.kinds):
            return check_path(self.name, value)
        for kind in self.kinds:
            found = _taken(kind, value)
            if found is not NotImplemented:
                return found
        raise ArgumentError(f"{self.name}={shown(value)}: expected {self.expected}")


def check_path(name: str, path: Any) -> Any:  # noqa: ANN401 - a path, or something else that holds a network
    """Return the argument, unless it is a path that no file can have, such as one with a NUL."""
    if isinstance(path, (str, bytes, os.PathLike)) and "://" not in str(path):
        try:
            path = str(path) if isinstance(path, str) else path  # NumPy's texts are bytes to the system
            os.stat(path)  # noqa: PTH116 - an empty Path is the folder of the process
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            if not os.fspath(path):
                raise ArgumentError(f"{name}={path!r}: expected the name of a file") from None
        except (OSError, ValueError, TypeError) as error:
            words = f"no file can have this name: {getattr(error, 'strerror', None) or error}"
            raise ArgumentError(f"{name}={shown(path)}: {words}") from None
    return path


def _taken(kind: str, value: Any) -> Any:  # noqa: ANN401 - any argument
    """Return a value of a kind, numbers and flags as those of Python; `NotImplemented` if it is of another."""
    fits = hasattr(value, _ATTRIBUTES[kind]) if kind in _ATTRIBUTES else value is None and kind == "None"
    try:
        if kind == "bool" and (isinstance(value, bool) or (value.shape == () and value.dtype == bool)):
            return bool(value)
        if kind in ("int", "float") and not isinstance(value, bool):
            is_real = kind == "float" and isinstance(value, Real) and not isinstance(value, Integral)
            number = float(value) if is_real else index(value)
            return number if is_real or abs(number) < 2**64 else NotImplemented
        if kind == "texts":
            value = tuple(value)
            fits = all(isinstance(text, str) for text in value)
    except (AttributeError, TypeError):
        return NotImplemented
    return value if fits else NotImplemented


def check_whole(name: str, value: object, least: int, most: float = inf) -> int:
    """Return `value` as an int if it is a whole number from `least` to `most`."""
    if type(value) is not int or not least <= value <= most:
        limits = f"from {least} to {most}" if most < inf else f"of at least {least}"
        raise ArgumentError(f"{name}={value!r}: expected a whole number {limits}")
    return value


def check_option(name: str, value: object, accepted: object) -> None:
    """Raise ArgumentError if `value` is not one of the values of `accepted`, a Literal that may be joined with None."""
    parts = get_args(accepted)
    accepted_values = (None, *get_args(parts[0])) if NoneType in parts else parts
    if not isinstance(value, tuple(map(type, accepted_values))) or value not in accepted_values:
        raise ArgumentError(f"{name}={shown(value)}: expected one of {', '.join(map(repr, accepted_values))}")


def check_number(option: str, value: object, *expected: int) -> None:
    """Raise an error if an argument is none of a few numbers.

    Examples
    --------
    >>> check_number("--size ", 5, 4, 5)
    """
    if value not in expected:
        first = ", ".join(map(str, expected[:-1]))
        raise ArgumentError(f"{option}{value!r}: expected {first} or {expected[-1]}")


def check_probability(name: str, value: object) -> float:
    """Return `value` as a float if it is a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise ArgumentError(f"{name}={value!r}: expected a probability, from 0 to 1")
    return float(value)


def check_positive(name: str, value: object, expected: str, below: float = inf, *, most: float = inf) -> float:
    """Return `value` as a float if it is a number above 0, below `below` and up to `most`; `expected` says so."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < below or float(value) > most:
        raise ArgumentError(f"{name}={value!r}: expected {expected}")
    return float(value)


def check_seed(seed: object) -> int:
    """Return the checked seed, or a fresh random one for None."""
    if seed is not None:
        return check_whole("seed", seed, 0, _MOST_SEED)
    from secrets import randbits  # noqa: PLC0415 - `import triadic` does without it

    return randbits(63)


def check_extra(package: str, extra: str, what: str) -> None:
    """Raise an error if a package is not installed.

    Parameters
    ----------
    package : str
        Name of the module to look for.
    extra : str
        The extra of triadic that installs the package.
    what : str
        Subject and verb of the error message, such as "figures need".

    Raises
    ------
    MissingExtraError
        If the package is not installed; the message holds the command that installs it.
    """
    if find_spec(package) is None:
        raise MissingExtraError(f"{what} {package}, which is not installed: pip install 'triadic[{extra}]'")


def type_name(value: object) -> str:
    """Return the name of the type of an argument, for messages; the types of Python itself without their module.

    Examples
    --------
    >>> from decimal import Decimal
    >>> type_name(3), type_name(None), type_name(Decimal(1))
    ('int', 'None', 'decimal.Decimal')
    """
    kind = type(value)
    if value is None:
        return "None"
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


class options:  # noqa: N801 - called as a function, and entered as a context
    """Choose what the keywords `threads`, `device` and `progress` are in calls that do not give them.

    The choice holds in the whole process until the next one, or, of a ``with`` statement, until its end.

    Parameters
    ----------
    threads : int, optional
        Number of threads.
    device : str, optional
        Where to count, such as "cuda". Functions refuse a device that they cannot use, as if they had been given it.
    progress : bool or callable, optional
        Whether to show progress bars, or a function that is called with ``(done, total)``.

    Raises
    ------
    ArgumentError
        If `threads` is no whole number of at least 1, `device` no text, or `progress` neither a flag nor a function.

    Notes
    -----
    An argument that is None leaves the choice as it was. ``options(device="auto")`` returns to the choice of a device
    for each graph, and ``options(progress=False)`` to no progress bars.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(100, 4, 0.0, seed=1)
    >>> with triadic.options(threads=1, progress=False):
    ...     triadic.triangle_count(graph)
    100
    """

    def __init__(
        self, *, threads: int | None = None, device: str | None = None, progress: ProgressKeyword | None = None
    ) -> None:
        if threads is not None and (type(threads) is not int or threads < 1):
            raise ArgumentError(f"threads={shown(threads)}: expected None or a whole number of at least 1")
        if device is not None and not isinstance(device, str):
            raise ArgumentError(f"device={shown(device)}: expected None or the name of a device")
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise ArgumentError(f"progress={shown(progress)}: expected a flag or a function of (done, total)")
        self._before = dict(CHOSEN)
        given = {"threads": threads, "device": device, "progress": progress}
        CHOSEN.update({name: value for name, value in given.items() if value is not None})

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        CHOSEN.clear()
        CHOSEN.update(self._before)

    def __repr__(self) -> str:
        return f"options({', '.join(f'{name}={value!r}' for name, value in CHOSEN.items())})"
