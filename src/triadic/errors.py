"""The exceptions that triadic raises, and the warnings that it issues.

All exceptions derive from `TriadicError`. Each also derives from the built-in exception of its kind, so that
``except ValueError`` catches an `ArgumentError`. A message is one line, with the problem, the value found and the
values accepted.
"""

from __future__ import annotations

import errno
import re
from os import PathLike, fspath

# Control characters (C0, DEL and C1), also as bytes of a file name that is not UTF-8, the separators of lines and
# paragraphs, and the marks that change the direction of text: a terminal obeys them instead of showing them.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\udc80-\udc9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

# NumPy's scalars as their repr shows them, such as np.int64(5): a message shows 5.
_SCALAR = re.compile(
    r"""\bnp\.(?:(?:u?int|float|complex|str|bytes|bool|datetime|timedelta|longdouble|longlong|ulonglong|void)\w*
    \(('[^']*'|"[^"]*"|[^()]*)\)|(True|False)_)""",
    re.VERBOSE,
)

_LONGEST_VALUE = 200  # characters of an argument in a message, and of what follows it
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))  # of a full disk; EDQUOT is not on every system


def is_full_disk(error: BaseException) -> bool:
    """Return whether an error is that of a disk without room, or of a user's full share of it."""
    return isinstance(error, OSError) and error.errno in _FULL


def escape_controls(text: str) -> str:
    r"""Return a text with its control characters as escape sequences, so that a terminal shows and does not obey them.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        The text with C0 and C1 control characters, DEL, separators of lines, and marks of the direction of text as
        ``\x1b`` or ``\u202e``. Other characters are unchanged.

    Examples
    --------
    >>> from triadic.errors import escape_controls
    >>> print(escape_controls("a\x1b[31mb"))
    a\x1b[31mb
    """
    return _CONTROL.sub(lambda found: _escape(ord(found[0])), text)


def _escape(code: int) -> str:
    """Return an escape sequence; 0xdc80 stands for the byte 0x80 in a file name."""
    code -= 0xDC00 if code >= 0xDC80 else 0
    return chr(code).encode("unicode_escape").decode("ascii")


def in_one_line(text: object) -> str:
    """Return a text, or the message of an error, in one line."""
    return " ".join(str(text).split())


def shown(value: object) -> str:
    """Return the text of an argument for an error: one line, cut after 200 characters.

    Examples
    --------
    >>> from triadic.errors import shown
    >>> shown("no"), len(shown("x" * 100_000))
    ("'no'", 201)
    """
    text = in_one_line(repr(value))
    return text[:_LONGEST_VALUE] + "…" * (len(text) > _LONGEST_VALUE)


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

    def __str__(self) -> str:
        """Return the message; control characters are escaped, and the middle of a long argument is left out."""
        text = escape_controls(_SCALAR.sub(lambda found: found[1] or found[2] or "", super().__str__()))
        if len(text) > 3 * _LONGEST_VALUE:
            text = f"{text[:_LONGEST_VALUE]} … {text[-_LONGEST_VALUE:]}"
        return text


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


class NothingToCompareError(ArgumentError):
    """A graph has no edges, or is the only graph with the properties that a null model keeps, such as a star.

    Every random graph then equals the graph, so no count deviates.

    Examples
    --------
    >>> import triadic
    >>> try:
    ...     triadic.significance(triadic.Graph.from_edges([0, 0, 0], [1, 2, 3]))
    ... except triadic.errors.NothingToCompareError as error:
    ...     print(str(error)[:32])
    graph: nothing can be moved in i
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

    @classmethod
    def of(cls, place: object, error: Exception) -> WriteError:
        """Return the error for a file or folder that cannot be written, with what to do if the disk is full.

        Examples
        --------
        >>> import errno
        >>> from triadic.errors import WriteError
        >>> print(WriteError.of("a.csv", OSError(errno.ENOSPC, "No space left on device")))
        a.csv: cannot be written: No space left on device; make room, then run the same command again
        """
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        remedy = "; make room, then run the same command again" if is_full_disk(error) else ""
        return cls(f"{place}: cannot be written: {' '.join(words.split())}{remedy}")


class MissingExtraError(TriadicError, ImportError):
    """A function needs a package that is not installed. The message holds the command that installs it."""


class UnsupportedError(TriadicError, NotImplementedError):
    """A combination of arguments is not implemented, such as a measure on a device that cannot count it."""


class DeviceError(TriadicError, RuntimeError):
    """A device does not exist, cannot run a kernel, or failed while a kernel ran."""

    def __str__(self) -> str:
        """Return the message in one line: the message of a driver has several."""
        return escape_controls(" ".join(Exception.__str__(self).split()))


class CountOverflowError(TriadicError, OverflowError):
    """A count at a vertex exceeds 64 bits. The message names the vertex and its degree."""


class OutOfTimeError(TriadicError, TimeoutError):
    """A count took longer than `max_seconds`. The message says how far it came."""


class OutOfMemoryError(TriadicError, MemoryError):
    """A computation would not fit in memory.

    The message holds the memory needed and the memory available in KiB, MiB or GiB, of 2**10, 2**20 or 2**30 bytes.
    """


class ReadWarning(UserWarning):
    """A part of a file is not read, such as the second network of a Pajek project or a column that names graphs."""

    def __str__(self) -> str:
        """Return the message; control characters of file names and file contents are escaped."""
        return escape_controls(super().__str__())


class DirectionWarning(UserWarning):
    """The directions of the edges may not mean what the caller expects.

    Issued if a measure of directed networks is asked for, nothing says that the edges have a direction, and the arcs
    look like undirected edges; and if a measure that ignores directions is given a directed graph of another library.
    """

    def __str__(self) -> str:
        """Return the message; control characters of labels are escaped."""
        return escape_controls(super().__str__())


def _read_error(kind: type[ReadError], path: str, problem: str, line: int | None) -> ReadError:
    return kind(path, problem, line=line)
