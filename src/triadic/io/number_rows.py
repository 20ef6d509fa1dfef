"""Lines with any number of numbers: the body of METIS, Pajek and dense Matrix Market files.

NumPy finds the beginning of each row in the bytes, and Arrow parses the numbers as one long column.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.records import value_class
from triadic.io.file_source import lines_of, short
from triadic.io.identifiers import to_array

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.errors import ReadError
    from triadic.io.file_source import Source

_COMMENT_LINES = re.compile(rb"^[ \t]*%[^\n]*(?:\n|\Z)", re.MULTILINE)
_ONE_A_LINE = bytes.maketrans(b" \t\r\v\f", b"\n\n\n\n\n")
_NOT_A_SEPARATOR = "\x1f"
_BLANK = 32
_NEWLINE = 10
_WORD = re.compile(rb"\S+")
# Bytes of memory that arcs take besides the text and the parsed numbers: columns, and vertices in both widths.
_BYTES_A_NUMBER, _BYTES_A_ROW = 40, 16


class NotNumbersError(Exception):
    """A word is not a number, or not an integer where integers are expected."""


@value_class
class NumberRows:
    """Rows of numbers, one after the other.

    Attributes
    ----------
    values : int64 or float64 array, shape (numbers,)
    starts : int64 array, shape (rows + 1,)
        Row ``r`` is ``values[starts[r]:starts[r + 1]]``; a blank line is a row of none.
    """

    values: AnyArray
    starts: Int64Array

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Int64Array:
        """Number of numbers in each row, int64 array of shape (rows,)."""
        return np.diff(self.starts)


def without_comments(lines: bytes) -> bytes:
    r"""Return the lines that do not begin with ``%``.

    Examples
    --------
    >>> without_comments(b"% one\n1 2\n  % three\n4")
    b'1 2\n4'
    """
    return _COMMENT_LINES.sub(b"", lines) if b"%" in lines else lines


def pieces_without_comments(pieces: Iterable[bytes]) -> Iterator[bytes]:
    r"""Yield pieces of text without the lines that begin with ``%``; a line may be in several pieces.

    Examples
    --------
    >>> list(pieces_without_comments([b"1 ", b"2\n% no", b"te % ", b"here\n3", b" %\n"]))
    [b'1 ', b'2\n', b'', b'3', b' %\n']
    """
    in_comment, in_line = False, False
    for piece in pieces:
        rest = piece
        if in_comment:
            end = piece.find(b"\n") + 1
            rest, in_comment = (piece[end:], False) if end else (b"", True)
        start = 0
        if in_line:  # a sign in the middle of a line begins no comment
            start = rest.find(b"\n") + 1 or len(rest)
        last = rest[max(start, rest.rfind(b"\n") + 1) :]
        if rest:
            in_comment = in_comment or last.lstrip(b" \t").startswith(b"%")
            whole = rest.endswith(b"\n") or in_comment
            in_line = not whole and (last.strip() != b"" or (in_line and start == len(rest)))
        yield rest[:start] + without_comments(rest[start:])


def as_number(word: str) -> float | None:
    """Return a word as a number, or None if it is none.

    Examples
    --------
    >>> as_number("1e3"), as_number("1_000"), as_number("x")
    (1000.0, None, None)
    """
    try:
        return None if "_" in word else float(word)
    except ValueError:
        return None


def text_lines(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    r"""Yield the lines that do not begin with ``%``, numbered from 1 over all chunks of whole lines.

    Examples
    --------
    >>> list(text_lines([b"1 2\n % no\n", b"3\n"]))
    [(1, b'1 2'), (3, b'3')]
    """
    lines = enumerate((line for chunk in chunks for line in lines_of(chunk)), 1)
    return ((number, line) for number, line in lines if not line.lstrip(b" \t").startswith(b"%"))


def not_a_number(source: Source) -> ReadError:
    """Return the error for the first word of a file of numbers that is not a number."""
    for number, line in text_lines(source.chunks()):
        # `split` would make an object for each word of the line at once.
        for found in _WORD.finditer(line):
            word = found[0].decode("latin-1")
            if as_number(word) is None:
                return source.error(f"found {short(word)}, expected a number", line=number)
    return source.error("its lines cannot be parsed as numbers")


def number_rows(chunks: Iterable[bytes], *, integers: bool, source: Source | None = None) -> NumberRows:
    r"""Parse lines of numbers.

    Parameters
    ----------
    chunks : iterable of bytes
        Whole lines, each ended by ``\n`` except perhaps the last, without comments.
    integers : bool
        Parse to int64, otherwise to float64.
    source : Source, optional
        File of which all rows are held: an OutOfMemoryError is raised before they take more memory than there is. By
        default that is not checked.

    Returns
    -------
    NumberRows

    Raises
    ------
    NotNumbersError
        A word is not such a number.

    Examples
    --------
    >>> rows = number_rows([b"2 3\n\n", b"1\n"], integers=True)
    >>> rows.values.tolist(), rows.starts.tolist()
    ([2, 3, 1], [0, 2, 2, 3])
    """
    values, ends = [], []
    numbers = rows = text = 0
    for chunk in filter(None, chunks):
        text += len(chunk)
        if source is not None:
            check_numbers(source, numbers + len(chunk) // 2, rows + len(chunk) // 4, text)
        lines = chunk if chunk.endswith(b"\n") else chunk + b"\n"
        codes = np.frombuffer(lines, np.uint8)
        blank = codes <= _BLANK
        begins = ~blank
        begins[1:] &= blank[:-1]
        words = np.flatnonzero(begins)
        ends.append(np.searchsorted(words, np.flatnonzero(codes == _NEWLINE)) + numbers)
        if len(words):
            values.append(_numbers(lines, len(words), integers=integers))
        numbers += len(words)
        rows += len(ends[-1])
    if source is not None:
        check_numbers(source, numbers, rows, text)
    none: AnyArray = np.empty(0, np.int64 if integers else np.float64)
    starts = np.concatenate([np.zeros(1, np.int64), *ends])
    return NumberRows(np.concatenate(values) if values else none, starts)


def check_numbers(source: Source, numbers: int, rows: int, text: int) -> None:
    """Raise an OutOfMemoryError if what is made of some numbers and rows in a text does not fit in memory."""
    source.check_memory(_BYTES_A_NUMBER * numbers + _BYTES_A_ROW * rows, text)


def _numbers(lines: bytes, words: int, *, integers: bool) -> AnyArray:
    import pyarrow as pa  # noqa: PLC0415 - slow to import
    import pyarrow.csv as pacsv  # noqa: PLC0415 - slow to import

    kind = pa.int64() if integers else pa.float64()
    # A thread of Arrow may let go of its text after the call. If the text were Python's, the thread would wait for the
    # interpreter, which aborts the process if it is ending.
    text = pa.allocate_buffer(len(lines))
    np.frombuffer(text, np.uint8)[:] = np.frombuffer(lines.translate(_ONE_A_LINE), np.uint8)
    try:
        table = pacsv.read_csv(
            pa.BufferReader(text),
            read_options=pacsv.ReadOptions(column_names=["number"]),
            parse_options=pacsv.ParseOptions(delimiter=_NOT_A_SEPARATOR, quote_char=False),
            convert_options=pacsv.ConvertOptions(column_types={"number": kind}, null_values=[]),
        )
    except pa.ArrowInvalid as error:
        raise NotNumbersError(str(error)) from None
    if len(table) != words:
        # A control character separates words for NumPy, but not for Arrow.
        raise NotNumbersError(f"{words} words, {len(table)} numbers")
    return to_array(table["number"], np.int64 if integers else np.float64)
