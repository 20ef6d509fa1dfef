"""Tables for people: the paper's, and this machine's beside it."""

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
        Text, numbers, or None for what there is not; the first column names the row.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[Entry]]


@dataclass(frozen=True)
class Comparison:
    """What the paper printed, and what was measured here.

    Attributes
    ----------
    title : str
    measured : Table
        The engine's row last.
    printed : Table, optional
        None where the paper has no such table.
    place : str
        Where the paper has it: "Table 2, page 8".
    note : str
        What must be known to read it.
    """

    title: str
    measured: Table
    printed: Table | None = None
    place: str = ""
    note: str = ""


def shown(entry: Entry) -> str:
    """Give an entry as text: three digits, thousands parted, nothing for None.

    Examples
    --------
    >>> shown(0.012345), shown(1234567), shown(12345.6), shown(None), shown("1.5 GB")
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


ABOUT = "≈"  # before the time that a run would have taken
_FORETOLD = re.compile(r"one run would take about ([0-9.e+,]+) s\b")


def why(left_out: str) -> str:
    """Say in few words, for an entry of a table, why a cell was left out; the list of all cells has the whole reason.

    Of one that would have passed its budget, that is the time foretold.

    Examples
    --------
    >>> why("one run would take about 1.17e+03 s, by the time on the network before; --cell-budget is 3 s")
    '(≈ 1,170 s)'
    >>> why("--devices names no GPU")
    '--devices names no GPU'
    """
    found = _FORETOLD.match(left_out)
    return f"({ABOUT} {shown(float(found[1].replace(',', '')))} s)" if found else left_out


def ratio(of: float | None, to: float | None) -> float | None:
    """Give of / to, or None where one is not there.

    Examples
    --------
    >>> ratio(3.0, 1.5), ratio(None, 1.0), ratio(1.0, 0.0)
    (2.0, None, None)
    """
    return None if of is None or to is None or to == 0 else of / to


def _zeros(value: float) -> int:
    """Count the zeros after the point of a value below 1."""
    zeros, value = 0, abs(value)
    while 0 < value < 0.1:
        zeros, value = zeros + 1, value * 10
    return zeros
