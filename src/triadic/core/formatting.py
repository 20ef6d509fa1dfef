"""Numbers and tables formatted for readers, in the same way in Python, in notebooks, in the terminal and in reports.

Counts are exact and are printed in full. Means are rounded, because they are estimated or because nobody reads all
their digits. Columns of data frames and of files, and JSON, have the numbers themselves. Notebooks show short HTML
tables for a value.
"""

from __future__ import annotations

from math import ceil, floor, isfinite, isnan, log10
from operator import index
from typing import TYPE_CHECKING, SupportsFloat, SupportsIndex

from triadic.core.records import value_class
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

UNDEFINED = "undefined"
_LENGTHS = {"day": 86400, "h": 3600, "min": 60, "s": 1}
_PREFIXES = "kMGTPE"  # of 1000, 1000**2, ...
_EXACT_DIGITS = 15  # decimal digits that a float64 holds


@value_class(kw_only=True)
class CsvStyle:
    """How tables are written as CSV, for spreadsheets.

    Attributes
    ----------
    spreadsheet_safe : bool
        Whether names that a spreadsheet would run as formulas have ``'`` before them.
    separator : str or None
        The character between two columns; None is that of the format.
    excel : bool
        Whether a byte-order mark begins the file, by which Excel knows that it is UTF-8.
    """

    spreadsheet_safe: bool = False
    separator: str | None = None
    excel: bool = False

    def __post_init__(self) -> None:
        if self.separator not in (None, ",", ";", "\t"):
            raise ArgumentError(f"separator={self.separator!r}: expected ',', ';' or a tab")

    @property
    def given(self) -> str:
        """The name of the first of these options that is set; empty without one."""
        return next((name for name in ("spreadsheet_safe", "separator", "excel") if getattr(self, name)), "")

    @property
    def option(self) -> str:
        """The name of this option on the command line."""
        return f"--{self.given.replace('_', '-')}"


PLAIN_CSV = CsvStyle()


def format_count(count: SupportsIndex) -> str:
    """Format a count with all its digits.

    Examples
    --------
    >>> format_count(5_287_830), format_count(2**80)
    ('5,287,830', '1,208,925,819,614,629,174,706,176')
    """
    return f"{index(count):,}"


def format_compact(count: int) -> str:
    """Format a count with at most four letters, for the cells of a figure; from 10**21 on as a power of ten.

    Examples
    --------
    >>> [format_compact(count) for count in (0, 999, 1234, 99_999, 276_986, 999_999, 12_345_678, 3 * 10**18, 10**25)]
    ['0', '999', '1.2k', '100k', '277k', '1.0M', '12M', '3.0E', '10^25']
    """
    if count < 1000:
        return str(count)
    power = min(len(_PREFIXES), (len(str(count)) - 1) // 3)
    scaled = count / 1000**power
    if scaled >= 999.5 and power < len(_PREFIXES):
        power, scaled = power + 1, scaled / 1000
    if scaled >= 999.5:
        return f"10^{len(str(count)) - 1}"
    return f"{scaled:.1f}{_PREFIXES[power - 1]}" if scaled < 9.95 else f"{scaled:.0f}{_PREFIXES[power - 1]}"


def format_length(duration: float, unit: str) -> str:
    """Format a length of time in the largest unit of which it is a whole number.

    Parameters
    ----------
    duration : int or float
    unit : {"s", "ms", "us", "ns"}

    Examples
    --------
    >>> format_length(604800, "s"), format_length(5400 * 10**9, "ns"), format_length(1.5, "ms")
    ('7 days', '90 min', '1.5 ms')
    """
    for name, length in _LENGTHS.items():
        of_unit = length * 10 ** {"s": 0, "ms": 3, "us": 6, "ns": 9}[unit]
        if duration and duration % of_unit == 0:
            count = duration // of_unit
            return f"{count:,.0f} {name}{'s' if name == 'day' and count != 1 else ''}"
    return f"{duration:,} {unit}"


def plural(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun, in the plural unless the number is 1.

    Examples
    --------
    >>> plural(1, "range"), plural(2000, "vertex", "vertices")
    ('1 range', '2,000 vertices')
    """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def format_float(value: SupportsFloat, digits: int = 6) -> str:
    """Format a number with a number of significant digits, but without cutting off the digits before the point.

    Numbers that are huge or tiny have a power of ten.

    Examples
    --------
    >>> [format_float(value) for value in (3740466.93, 0.25, 2 / 3, 1.25e-7, 2.5e20, -0.0)]
    ['3,740,467', '0.25', '0.666667', '1.25e-07', '2.5e+20', '0']
    """
    number = float(value)
    if not isfinite(number):
        return UNDEFINED if isnan(number) else str(number)
    if abs(number) >= 10.0**_EXACT_DIGITS or 0 < abs(number) < 1e-4:
        return f"{number:.3g}"
    return f"{number:,.0f}" if abs(number) >= 10.0 ** (digits - 1) else f"{number + 0.0:,.{digits}g}"


def format_mean(value: SupportsFloat) -> str:
    """Format a mean or a standard deviation of random samples: four significant digits, and no decimals from 1,000.

    Examples
    --------
    >>> [format_mean(value) for value in (3740466.93, 1405.8, 142.87, 0.12345)]
    ['3,740,467', '1,406', '142.9', '0.1235']
    """
    return format_float(value, 4)


def format_value(value: SupportsFloat | SupportsIndex) -> str:
    """Format a count in full if it is an integer, and a number that is no count with six significant digits.

    Examples
    --------
    >>> format_value(5_287_830), format_value(0.3083214)
    ('5,287,830', '0.308321')
    """
    return format_count(value) if isinstance(value, SupportsIndex) else format_float(value)


def format_z(z: float) -> str:
    """Format a z-score with two decimals.

    Examples
    --------
    >>> format_z(10.6451), format_z(-0.001), format_z(12345.678), format_z(float("nan"))
    ('10.65', '0.00', '12,345.68', 'undefined')
    """
    return UNDEFINED if isnan(z) else f"{round(z, 2) + 0.0:,.2f}"


def format_p(p: float, resolution: float) -> str:
    """Format an empirical p-value; the smallest that the samples can resolve is an upper bound.

    Parameters
    ----------
    p : float
        The p-value.
    resolution : float
        Smallest possible p-value; 0 if there is none.

    Examples
    --------
    >>> format_p(2 / 101, 2 / 101), format_p(4 / 101, 2 / 101), format_p(1.0, 2 / 101)
    ('≤ 0.02', '0.0396', '1')
    """
    return f"≤ {_rounded_up(resolution):.2g}" if p <= resolution else f"{p:.3g}"


def format_q(q: float, p: float, resolution: float) -> str:
    """Format a false discovery rate, an upper bound if it belongs to the smallest p-value that samples can resolve.

    Parameters
    ----------
    q, p : float
        The false discovery rate, and the p-value of the same row.
    resolution : float
        Smallest possible p-value; 0 if there is none.

    Examples
    --------
    >>> format_q(0.0317, 2 / 101, 2 / 101), format_q(0.0317, 4 / 101, 2 / 101)
    ('≤ 0.032', '0.032')
    """
    return f"≤ {_rounded_up(q):.2g}" if p <= resolution else f"{q:.2g}"


def _rounded_up(value: float) -> float:
    """Round a positive number up to two significant digits, so that it remains an upper bound."""
    power = floor(log10(value)) - 1
    return ceil(round(value / 10.0**power, 9)) * 10.0**power


def html_table(caption: str, header: Sequence[object], rows: Iterable[Sequence[object]], *, below: str = "") -> str:
    """Return an HTML table whose first column holds the names of the rows; all text is escaped.

    Parameters
    ----------
    caption : str
        Title of the table.
    header : sequence
        Names of the columns; empty for a table without a header.
    rows : iterable of sequence
        Name and cells of each row. Integers are shown in full with thousands separators, and floats with six digits.
    below : str, default ""
        A line below the table.

    Examples
    --------
    >>> html_table("A <b>", (), [("edges", 1234)])
    '<table><caption>A &lt;b&gt;</caption><tbody><tr><th>edges</th><td>1,234</td></tr></tbody></table>'
    """
    from html import escape  # noqa: PLC0415 - the terminal does without it

    head = "".join(f"<th>{escape(_text(name))}</th>" for name in header)
    body = "".join(
        f"<tr><th>{escape(_text(first))}</th>{''.join(f'<td>{escape(_text(value))}</td>' for value in rest)}</tr>"
        for first, *rest in rows
    )
    with_head = f"<thead><tr>{head}</tr></thead>" if head else ""
    table = f"<table><caption>{escape(caption)}</caption>{with_head}<tbody>{body}</tbody></table>"
    return f"{table}<p>{escape(below)}</p>" if below else table


def text_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    r"""Return the lines of a table in plain text: the first column on the left, the others on the right.

    Parameters
    ----------
    header : sequence of str
        Names of the columns; empty for a table without a header.
    rows : iterable of sequence
        Cells of each row, formatted as by `html_table`.

    Examples
    --------
    >>> print(*text_table(("name", "count"), [("triangle", 1234), ("paw", 5)]), sep="\n")
    name      count
    triangle  1,234
    paw           5
    """
    cells = [list(header)] if header else []
    cells += [[str(first), *map(_text, rest)] for first, *rest in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in cells
    ]


def text_counts(counts: Mapping[str, float]) -> list[str]:
    r"""Return a line for each count, with its name on the left.

    Examples
    --------
    >>> print(*text_counts({"triangle": 1234, "paw": 5}), sep="\n")
      triangle 1,234
      paw          5
    """
    name_width = max((len(str(name)) for name in counts), default=0)
    width = max((len(format_value(count)) for count in counts.values()), default=0)
    return [f"  {name:<{name_width}} {format_value(count):>{width}}" for name, count in counts.items()]


def _text(value: object) -> str:
    if isinstance(value, float | SupportsIndex) and not isinstance(value, bool):
        return format_value(value)
    return str(value)
