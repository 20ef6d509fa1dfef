"""Which line of a text file is wrong, and what is wrong with it.

Arrow says that a block cannot be parsed, not where. Once that is known, the file is read a second time, in small chunks
that Arrow parses again, and the first chunk that is not sound line by line, as slowly as Python does it.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from triadic.io.arrow_arrays import arrays_of
from triadic.io.text_layout import INTEGER, Layout, short
from triadic.io.text_rows import NOT_TEXT, IrregularError, regular_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.errors import ReadError
    from triadic.io.file_source import Source

_SUSPECT_BYTES = 1 << 18
_CONTROL = re.compile(b"[" + re.escape(NOT_TEXT) + b"]")


def first_fault(source: Source, layout: Layout, *, numeric: bool, vertices: int | None = None) -> ReadError | None:
    """Return the error for the first line that is wrong.

    Parameters
    ----------
    source : Source
    layout : Layout
    numeric : bool
        Whether every id has to be an integer from 0 to 2**63 - 1.
    vertices : int or None
        Whether every id has to be below it as well.

    Returns
    -------
    ReadError or None
        None if no line is wrong by these rules.
    """
    number = 0
    for chunk in source.chunks(_SUSPECT_BYTES):
        if number > layout.skip and _is_sound(chunk, layout, numeric=numeric, vertices=vertices):
            number += chunk.count(b"\n")
            continue
        for line in chunk.splitlines():
            number += 1
            problem = _binary(line)
            if problem is None and number > layout.skip:
                problem = _row_problem(line, layout, numeric=numeric, vertices=vertices)
            if problem is not None:
                return source.error(problem, line=number)
    return None


def _is_sound(chunk: bytes, layout: Layout, *, numeric: bool, vertices: int | None) -> bool:
    try:
        table = regular_rows(chunk, layout, numeric=numeric)
    except IrregularError:
        return False
    if layout.weight is not None and not all(np.isfinite(weights).all() for weights in arrays_of(table["weight"])):
        return False
    ends = (table["source"], table["target"])
    if not numeric:
        return not any("" in chunk.dictionary.to_pylist() for end in ends for chunk in end.chunks)
    limit = 2**63 if vertices is None else vertices
    return all(ids.min(initial=0) >= 0 and int(ids.max(initial=-1)) < limit for ids in arrays_of(*ends))


def open_quote(source: Source, layout: Layout) -> ReadError | None:
    """Return the error for the first row with a quote that is not closed."""
    for number, line in _lines(source):
        if number > layout.skip and line.count(b'"') % 2:
            return source.error(f"found a quote that is not closed ({_shown(line)}), expected it to end", line=number)
    return None


def binary_data(source: Source) -> ReadError | None:
    """Return the error for the first bytes of the head that are not text."""
    if _CONTROL.search(source.head) is None:
        return None
    for number, line in enumerate(source.head.splitlines(), 1):
        problem = _binary(line)
        if problem is not None:
            return source.error(problem, line=number)
    return None


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    number = 0
    for chunk in source.chunks():
        for line in chunk.splitlines():
            number += 1
            yield number, line


def _binary(line: bytes) -> str | None:
    found = _CONTROL.search(line)
    return None if found is None else f"found binary data (the byte 0x{found[0][0]:02x}), expected lines of text"


def _row_problem(line: bytes, layout: Layout, *, numeric: bool, vertices: int | None) -> str | None:
    stripped = line.removeprefix(b"\xef\xbb\xbf").strip(b" \t")
    if not stripped or stripped[:1] in (b"#", b"%"):
        return None
    try:
        text = stripped.decode()
    except UnicodeDecodeError:
        return f"found bytes that are not UTF-8 ({_shown(line)}), expected text in UTF-8"
    cells = layout.cells(text)
    if len(cells) == 1:
        return f"found one id ({short(text)}), expected a source and a target"
    if len(cells) != layout.columns:
        return f"found {len(cells)} columns ({short(text)}), expected {layout.columns} as in the first row"
    for end in (layout.source, layout.target):
        problem = _id_problem(cells[end], numeric=numeric, vertices=vertices)
        if problem is not None:
            return problem
    return None if layout.weight is None else _weight_problem(cells[layout.weight])


def _id_problem(cell: str, *, numeric: bool, vertices: int | None) -> str | None:
    if not cell:
        return "found an empty id, expected a number or a name"
    if not numeric:
        return None
    if not INTEGER.match(cell):
        return f"found the id {short(cell)}, expected an integer"
    # Python refuses to convert very long integers, and 20 digits are past 2**63 anyway.
    value = int(cell.lstrip("-").lstrip("0")[:20] or "0")
    if value and cell.startswith("-"):
        return f"found the negative id {short(cell)}, expected 0 or more"
    limit = 2**63 if vertices is None else vertices
    expected = "2**63" if vertices is None else f"vertices={vertices}"
    return None if value < limit else f"found the id {short(cell)}, expected less than {expected}"


def _weight_problem(cell: str) -> str | None:
    try:
        value = float(cell)
    except ValueError:
        return f"found the weight {short(cell)}, expected a number"
    return None if math.isfinite(value) else f"found the weight {short(cell)}, expected a finite number"


def _shown(line: bytes) -> str:
    return short(line[:60].decode("utf-8", "backslashreplace"))
