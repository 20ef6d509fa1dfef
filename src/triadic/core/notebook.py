"""Short HTML tables, which notebooks show for a value."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def html_table(caption: str, header: Sequence[object], rows: Iterable[Sequence[object]], *, below: str = "") -> str:
    """Return an HTML table whose first column holds the names of the rows; all text is escaped.

    Parameters
    ----------
    caption : str
        Title of the table.
    header : sequence
        Names of the columns; empty for a table without a header.
    rows : iterable of sequence
        Name and cells of each row. Integers get thousands separators, and floats six digits.
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


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return escape(str(value))
