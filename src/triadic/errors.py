"""The exceptions that triadic raises, and the warnings that it issues.

All exceptions derive from `TriadicError`. Each also derives from the built-in exception of its kind, so that
``except ValueError`` catches an `ArgumentError`. A message is one line, with the problem, the value found and the
values accepted.
"""

from __future__ import annotations

from os import PathLike, fspath


class TriadicError(Exception):
    """Base class of all exceptions that triadic raises.

    Examples
    --------
    >>> import triadic
    >>> try:
    ...     triadic.Graph.from_edges([0, 1], [1])
    ... except triadic.errors.TriadicError as error:
    ...     print(error)
    source and target: expected the same length, got 2 and 1
    """


class ArgumentError(TriadicError, ValueError):
    """An argument has a value that the function does not accept.

    The message names the argument, its value and the values accepted.

    Examples
    --------
    >>> import triadic
    >>> triadic.Graph.from_edges([0], [1], threads=0)
    Traceback (most recent call last):
    triadic.errors.ArgumentError: threads=0: expected None or a whole number of at least 1
    """


class ReadError(TriadicError, ValueError):
    """A file does not hold a graph in a known format.

    Parameters
    ----------
    path : str or path-like
        The file.
    problem : str
        What the file holds and what was expected, in one line.
    line : int, optional
        Line of the file, counted from 1. By default the error concerns the whole file.

    Attributes
    ----------
    path : str
        The file.
    problem : str
        What the file holds and what was expected.
    line : int or None
        Line of the file, counted from 1.

    Examples
    --------
    >>> from triadic.errors import ReadError
    >>> str(ReadError("edges.txt", "expected two whole numbers, got 'a b'", line=3))
    "edges.txt, line 3: expected two whole numbers, got 'a b'"
    """

    def __init__(self, path: str | PathLike[str], problem: str, *, line: int | None = None) -> None:
        where = fspath(path) if line is None else f"{fspath(path)}, line {line}"
        super().__init__(f"{where}: {problem}")
        self.path = fspath(path)
        self.problem = problem
        self.line = line

    def __reduce__(self) -> tuple[object, ...]:
        return _read_error, (type(self), self.path, self.problem, self.line)


class MissingFileError(ReadError, FileNotFoundError):
    """A file does not exist.

    Parameters
    ----------
    path : str or path-like
        The file.
    problem : str
        What was expected, in one line.
    line : int, optional
        Line of the file, counted from 1. By default the error concerns the whole file.

    Examples
    --------
    >>> import triadic
    >>> try:
    ...     triadic.read("no-such-file.txt")
    ... except FileNotFoundError as error:
    ...     print(type(error).__name__, error.path)
    MissingFileError no-such-file.txt
    """


class WriteError(TriadicError, OSError):
    """A result cannot be written. An existing file of the same name stays unchanged."""


class MissingExtraError(TriadicError, ImportError):
    """A function needs a package that is not installed. The message holds the command that installs it."""


class UnsupportedError(TriadicError, NotImplementedError):
    """A combination of arguments is not implemented, such as a measure on a device that cannot count it."""


class DeviceError(TriadicError, RuntimeError):
    """A device does not exist, cannot run a kernel, or failed while a kernel ran."""


class CountOverflowError(TriadicError, OverflowError):
    """A count at a vertex exceeds 64 bits. The message names the vertex and its degree."""


class OutOfMemoryError(TriadicError, MemoryError):
    """A computation would not fit in memory. The message holds the memory needed and the memory available."""


class ReadWarning(UserWarning):
    """A part of a file is not read, such as the second network of a Pajek project."""


class DirectionWarning(UserWarning):
    """The directions of the edges may not mean what the caller expects.

    Issued if a measure of directed networks is asked for, nothing says that the edges have a direction, and the arcs
    look like undirected edges; and if a measure that ignores directions is given a directed graph of another library.
    """


def _read_error(kind: type[ReadError], path: str, problem: str, line: int | None) -> ReadError:
    return kind(path, problem, line=line)
