"""The exceptions that triadic raises on purpose: one small family.

Each also derives from the built-in that a caller would expect, so ``except ValueError`` keeps working.
The message is one line that names what was wrong, the value found and what would be accepted.
"""

from __future__ import annotations

from os import PathLike, fspath


class TriadicError(Exception):
    """Base of every error that triadic raises on purpose."""


class ArgumentError(TriadicError, ValueError):
    """An argument has a value that cannot be used."""


class ReadError(TriadicError, ValueError):
    """A file cannot be read as a graph.

    Parameters
    ----------
    path : path-like
        The file.
    problem : str
        What was found and what was expected, in one line.
    line : int, optional
        Line of the file, from 1.
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
    """There is no such file."""


class WriteError(TriadicError, OSError):
    """A result cannot be written; what stood at its place before is untouched."""


class MissingExtraError(TriadicError, ImportError):
    """A feature needs a package that is not installed; the message names the extra that brings it."""


class UnsupportedError(TriadicError, NotImplementedError):
    """The combination asked for does not exist, such as a count that a device does not have."""


class DeviceError(TriadicError, RuntimeError):
    """A device is not there, cannot run a kernel, or failed while it ran."""


class CountOverflowError(TriadicError, OverflowError):
    """A count by vertex does not fit 64 bits; the message names the vertex and its degree."""


class OutOfMemoryError(TriadicError, MemoryError):
    """The work does not fit in the memory allowed; the message holds both figures."""


def _read_error(kind: type[ReadError], path: str, problem: str, line: int | None) -> ReadError:
    return kind(path, problem, line=line)
