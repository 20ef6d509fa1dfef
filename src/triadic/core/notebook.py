"""Short HTML tables, which notebooks show for a value."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, SupportsIndex

from triadic.core.numbers import format_count, format_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


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
    head = "".join(f"<th>{_cell(name)}</th>" for name in header)
    body = "".join(
        f"<tr><th>{_cell(first)}</th>{''.join(f'<td>{_cell(value)}</td>' for value in rest)}</tr>"
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


def text_counts(counts: Mapping[str, int]) -> list[str]:
    r"""Return a line for each count, with its name on the left.

    Examples
    --------
    >>> print(*text_counts({"triangle": 1234, "paw": 5}), sep="\n")
      triangle 1,234
      paw          5
    """
    name_width = max(map(len, counts), default=0)
    width = max((len(format_count(count)) for count in counts.values()), default=0)
    return [f"  {name:<{name_width}} {format_count(count):>{width}}" for name, count in counts.items()]


def _cell(value: object) -> str:
    return escape(_text(value))


def _text(value: object) -> str:
    if isinstance(value, float | SupportsIndex) and not isinstance(value, bool):
        return format_value(value)
    return str(value)
