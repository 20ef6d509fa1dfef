"""Tables for readers: the paper's table, and the measured one next to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Entry = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Rows under headings.

    Attributes
    ----------
    headings : sequence of str
        With units.
    rows : sequence of sequences
        Text, numbers, or None for a missing value; the first column names the row.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[Entry]]


@dataclass(frozen=True)
class Comparison:
    """A table of the paper and the measured table.

    Attributes
    ----------
    title : str
    measured : Table
        With the engine's row last.
    printed : Table, optional
        The paper's table; None if the paper has no such table.
    place : str
        Location in the paper: "Table 2, page 8".
    note : str
        Explanation for the reader.
    """

    title: str
    measured: Table
    printed: Table | None = None
    place: str = ""
    note: str = ""


def format_entry(entry: Entry) -> str:
    """Return an entry as text: three digits, thousands separated by commas, nothing for None.

    Examples
    --------
    >>> format_entry(0.012345), format_entry(1234567), format_entry(12345.6), format_entry(None), format_entry("1.5 GB")
    ('0.0123', '1,234,567', '12,346', '', '1.5 GB')
    """
    if entry is None:
        return ""
    if isinstance(entry, str):
        return entry
    if isinstance(entry, int):
        return f"{entry:,}"
    if entry != 0 and abs(entry) < 1e-3:
        return f"{entry:.2e}"
    whole = len(str(int(abs(entry))))
    return f"{entry:,.{max(0, 3 - whole) if abs(entry) >= 1 else 3 + _zeros(entry)}f}"


PREDICTED = "≈"  # marks a predicted time
_PREDICTED_TIME = re.compile(r"one run would take about ([0-9.e+,]+) s\b")


def short_reason(left_out: str) -> str:
    """Return a short reason for a cell that was left out; the list of all cells contains the full reason.

    For a cell that would exceed its budget, it is the predicted time.

    Examples
    --------
    >>> short_reason("one run would take about 1.17e+03 s, by the time on the network before; --cell-budget is 3 s")
    '(≈ 1,170 s)'
    >>> short_reason("--devices names no GPU")
    '--devices names no GPU'
    """
    found = _PREDICTED_TIME.match(left_out)
    return f"({PREDICTED} {format_entry(float(found[1].replace(',', '')))} s)" if found else left_out


def ratio(of: float | None, to: float | None) -> float | None:
    """Return of / to, or None if one of them is None or `to` is 0.

    Examples
    --------
    >>> ratio(3.0, 1.5), ratio(None, 1.0), ratio(1.0, 0.0)
    (2.0, None, None)
    """
    return None if of is None or to is None or to == 0 else of / to


def _zeros(value: float) -> int:
    """Return the number of zeros after the decimal point of a value below 1."""
    zeros, value = 0, abs(value)
    while 0 < value < 0.1:
        zeros, value = zeros + 1, value * 10
    return zeros
