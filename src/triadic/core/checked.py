"""Check the arguments of public functions by their annotations: every flag, number, text and path in the same way.

A function that is called through its package, as ``triadic.triangles``, and the methods of a class that `checked`
decorates check what a user passes. Functions of triadic that call one another do not. What an annotation cannot say,
such as the names of a choice and the numbers between which a size lies, a function checks itself.
"""

from __future__ import annotations

import os
import sys
from functools import wraps
from inspect import unwrap
from numbers import Integral, Real
from operator import index
from types import FunctionType, NoneType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin

import lazy_loader  # type: ignore[import-untyped]  # it has no types

from triadic.errors import ArgumentError, OutOfMemoryError, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[str, Any], Any]

Checked = TypeVar("Checked", bound="Callable[..., Any]")

_REFUSED = object()


def attach_checked(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
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


def checked(target: Checked) -> Checked:
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
    if isinstance(target, type):
        _check_methods(target)
        return target
    function = unwrap(target)
    found = {name: _check_of(name, str(text), function.__globals__) for name, text in function.__annotations__.items()}
    checks = {name: check for name, check in found.items() if check is not None}
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    by_place = [(place, name) for place, name in enumerate(names) if name in checks]

    @wraps(target)
    def call(*args: Any, **keywords: Any) -> Any:  # noqa: ANN401 - the arguments of the function
        for name, value in keywords.items():
            if name in checks:
                at_once, check = checks[name]
                if type(value) not in at_once:
                    keywords[name] = check(name, value)
        for place, name in by_place:
            if place < len(args):
                args = (*args[:place], checks[name][1](name, args[place]), *args[place + 1 :])
        try:
            return target(*args, **keywords)
        except MemoryError as error:
            if isinstance(error, OutOfMemoryError):
                raise
            raise OutOfMemoryError(f"{function.__name__}: {str(error) or 'the memory is full'}") from error

    return call  # type: ignore[return-value]  # with the parameters of the function


def _check_methods(target: type) -> None:
    for name, value in list(vars(target).items()):
        if name[0] == "_" and name not in ("__init__", "__new__"):
            continue
        if isinstance(value, FunctionType):
            setattr(target, name, checked(value))
        elif isinstance(value, (classmethod, staticmethod)):
            setattr(target, name, type(value)(checked(value.__func__)))


def check_path(name: str, path: Any) -> Any:  # noqa: ANN401 - a path, or something else that holds a network
    """Return the argument, unless it is a path that no file can have, such as one with a NUL."""
    if isinstance(path, (str, bytes, os.PathLike)) and "://" not in str(path):
        try:
            os.stat(path)  # noqa: PTH116 - an empty Path is the folder of the process
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            if not os.fspath(path):
                raise ArgumentError(f"{name}={path!r}: expected the name of a file") from None
        except (OSError, ValueError, TypeError) as error:
            problem = getattr(error, "strerror", None) or error
            raise ArgumentError(f"{name}={shown(path)}: no file can have this name: {problem}") from None
    return path


def _check_of(name: str, annotation: str, names: dict[str, Any]) -> tuple[frozenset[type], Check] | None:
    """Return the types that need no check, and the check; None if an argument may be of a kind unknown here."""
    if name == "threads":
        return frozenset({NoneType}), _check_threads
    parts = ["Literal" if "Literal[" in part else part.rpartition(".")[2] for part in annotation.split(" | ")]
    kinds = [kind for part in parts for kind in _choice(names.get(part)) or _ALIASES.get(part, [part])]
    is_path = bool({"PathLike[str]", "NetworkInput"} & {*kinds}) or name == "path"
    kinds = ["name" if kind == "str" and is_path else kind for kind in kinds]  # any bytes of a file system
    if not all(kind in _KINDS for kind in kinds):
        return (frozenset(), check_path) if is_path else None
    texts = [text for kind in _KINDS if kind in kinds for text in _KINDS[kind][1].split("|")]
    # Of a choice or a range the function says more: it is given any number and text, but no array and no table.
    has_own_check = _SAID.issuperset(kinds) and not _FLAGS.issuperset(kinds)
    allowed = [test for kind, (test, _) in _KINDS.items() if kind in kinds or (has_own_check and kind in _SCALARS)]
    expected = " or ".join(text for text in (", ".join(texts[:-1]), texts[-1]) if text)

    def check(name: str, value: Any) -> Any:  # noqa: ANN401 - any argument
        for test in allowed:
            found = test(value)
            if found is not _REFUSED:
                return check_path(name, found) if is_path else found
        raise ArgumentError(f"{name}={shown(value)}: expected {expected}")

    at_once: set[type] = {bool, float, NoneType} if has_own_check else set()
    if {"bool", "ProgressKeyword"} & {*kinds}:
        at_once.add(bool)
    return frozenset(at_once), check


def _choice(alias: object) -> list[str]:
    """Return the kinds of the values of a `Literal`; which of them it is, the function checks."""
    return [type(value).__name__ for value in get_args(alias)] if get_origin(alias) is Literal else []


def _check_threads(_: str, threads: int) -> int:
    from triadic.core.blocks import resolve_threads  # noqa: PLC0415 - imports NumPy

    return resolve_threads(threads)


def _flag(value: Any) -> Any:  # noqa: ANN401 - any argument, as below
    is_flag = isinstance(value, bool) or (getattr(value, "shape", None) == () and value.dtype == bool)
    return bool(value) if is_flag else _REFUSED


def _whole(value: Any) -> Any:  # noqa: ANN401
    try:
        number = index(value)
    except TypeError:
        return _REFUSED
    return _REFUSED if isinstance(value, bool) or not -(2**63) <= number < 2**64 else number


def _real(value: Any) -> Any:  # noqa: ANN401
    if type(value) is float:
        return value
    return float(value) if isinstance(value, Real) and not isinstance(value, Integral) else _whole(value)


def _one_of(test: Callable[[Any], bool]) -> Callable[[Any], Any]:
    return lambda value: value if test(value) else _REFUSED


def _of_class(name: str) -> Callable[[Any], Any]:
    """Return the test of a class that need not be imported to look for its name among the classes of a value."""
    return _one_of(lambda value: any(kind.__name__ == name for kind in type(value).__mro__))


def _is_model(value: Any) -> bool:  # noqa: ANN401
    return hasattr(value, "arcs") and hasattr(value, "fill")


def _progress(value: Any) -> Any:  # noqa: ANN401
    return value if value is None or callable(value) else _flag(value)


def _texts(value: Any) -> Any:  # noqa: ANN401
    try:
        texts = tuple(value)
    except TypeError:
        return _REFUSED
    return texts if all(isinstance(text, str) for text in texts) else _REFUSED


def _text(value: Any) -> Any:  # noqa: ANN401
    """Refuse a text with half a character of UTF-16, which nothing can draw or write."""
    try:
        return value if isinstance(value, str) and (value.isascii() or value.encode()) else _REFUSED
    except UnicodeEncodeError:
        return _REFUSED


_ALIASES = {"Literal": ["str"], "Sequence[str]": ["texts"], "Iterable[str]": ["texts"]}
_FLAGS = {"bool", "None"}
_SCALARS = _FLAGS | {"int", "float", "str"}
_SAID = _SCALARS | {"texts", "EdgeStream"}
# By the last word of an annotation: the test, in the order of the tests, and what an error says was expected.
_KINDS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "bool": (_flag, "True|False"),
    "ProgressKeyword": (_progress, "False|True|a function of (done, total)"),
    "int": (_whole, "a whole number below 2**64"),
    "float": (_real, "a number"),
    "str": (_text, "a text"),
    "name": (_one_of(lambda value: isinstance(value, str)), "a text"),
    "texts": (_texts, "several texts"),
    "PathLike[str]": (_one_of(lambda value: isinstance(value, os.PathLike)), "a path"),
    "Progress": (_one_of(callable), "a function of (done, total)"),
    **{name: (_of_class(name), name) for name in ("Arcs", "Axes", "Dropped", "EdgeStream", "StreamState")},
    "Client": (_one_of(lambda value: hasattr(value, "submit")), "a client of Dask"),
    "Model": (_one_of(_is_model), "a model, such as generate.RMat"),
    "None": (_one_of(lambda value: value is None), "None"),
}
