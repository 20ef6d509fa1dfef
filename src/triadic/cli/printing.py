"""Results on standard output: tables for people, JSON for programs.

A table fits the terminal without a split number or word: notes continue on further lines, or stand below their row,
and a table that is still too wide becomes a block of lines for each of its rows. In a file or a pipe every row of a
table is one line, however long.

Labels and names of files may hold control characters, which a terminal would obey: they are escaped here.

The package rich is imported where a table is made: a command with ``--json`` does without it.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from triadic.core.formatting import plural
from triadic.errors import escape_controls

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from triadic.core.arcs import Dropped

    Row = tuple[str, str, str]

_ANY_WIDTH = 1000  # columns of a file or a pipe: more than any table has
_LEAST_NOTE = 20  # columns; notes that have less room stand below their rows
_FACT = 14  # columns of the name of a fact
_GAP = "  "
# Where a line may end: neither between a name and its number, nor between a number and its unit.
_BEFORE_WORD = re.compile(r"(?<!\d) +(?!\d)|(?<=\d) +(?!\d|[A-Za-z]{1,3}\b)")


class Run(Protocol):
    """What tables print about a count that ran: the threads, the device, the seconds of each step, and the tiles."""

    @property
    def threads(self) -> int:
        """Threads that counted."""

    @property
    def device(self) -> str:
        """Device that counted, such as ``"cpu"``."""

    @property
    def seconds(self) -> dict[str, float]:
        """Time by step."""

    @property
    def tiles(self) -> dict[str, int] | None:
        """Numbers of ranges, tasks and workers of a count by tiles; an estimate has no tasks."""


def print_json(record: Mapping[str, Any], *, indent: int | None = None) -> None:
    """Print one JSON object; floats have to be finite, because JSON has neither NaN nor infinity."""
    text = json.dumps(record, indent=indent, allow_nan=False).replace("\x7f", "\\u007f")
    print(text)  # noqa: T201 - standard output is the result


def print_remark(text: str) -> None:
    """Print an error or a remark as one line on standard error."""
    sys.stderr.write(f"triadic: {escape_controls(' '.join(text.splitlines()))}\n")


def _shown(text: str) -> str:
    """Return a text with escaped control characters; line ends stay."""
    return "\n".join(map(escape_controls, text.split("\n")))


def terminal_width() -> int | None:
    """Return the number of columns of the terminal; None if standard output is a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None


def output_console() -> Console:
    """Return standard output as a console of the width of the terminal, or of any width for a file or a pipe."""
    from rich.console import Console

    return Console(highlight=False, markup=False, width=terminal_width() or _ANY_WIDTH)


def print_text(text: str) -> None:
    """Print sentences, wrapped between words on a terminal."""
    width, text = terminal_width(), _shown(text)
    for line in [text] if width is None else wrap(text, width):
        print(line)  # noqa: T201 - standard output is the result


def print_note(console: Console, text: str, *, style: str = "dim") -> None:
    """Print sentences below a table; on a terminal their lines are as long as it is wide."""
    text = _shown(text)
    if terminal_width() is not None:
        text = text.replace("\n", " ")
    for line in wrap(text, console.width):
        console.print(line, style=style, soft_wrap=True)


def print_facts(facts: Mapping[str, object]) -> None:
    """Print a name and a value per line; a list takes one line per item."""
    width = terminal_width() or _ANY_WIDTH
    for name, value in facts.items():
        for i, item in enumerate(value if isinstance(value, list) else [value]):
            label, text = "" if i else name, _shown(str(item))
            if len(max(text.split(), key=len, default="")) <= width - _FACT:
                first, *more = wrap(text, width - _FACT)
                lines = [f"{label:<{_FACT}}{first}", *(f"{'':<{_FACT}}{line}" for line in more)]
            else:  # a word is too long to stand beside the name
                lines = [label] * bool(label) + [f"{_GAP}{line}" for line in wrap(text, width - len(_GAP))]
            print("\n".join(lines))  # noqa: T201 - standard output is the result


def print_rows(rows: Iterable[tuple[str, ...]], *, title: str = "") -> None:
    """Print a name, a value and a note per line, and on a narrow terminal the rest of the note on further lines."""
    from rich.cells import cell_len
    from rich.text import Text

    console, rows = output_console(), [tuple(map(_shown, (*row, "", "")[:3])) for row in rows]
    if title:
        print_note(console, title, style="bold")
    name_width, value_width = (max((cell_len(row[i]) for row in rows), default=0) for i in (0, 1))
    beside = name_width + value_width + 2 * len(_GAP)
    room = console.width - beside
    longest_word = max((cell_len(word) for row in rows for word in _BEFORE_WORD.split(row[2])), default=0)
    for name, value, note in rows:
        pad = " " * (value_width - cell_len(value))
        line = Text.assemble(
            (name, "cyan"), " " * (name_width - cell_len(name)), _GAP, f"{pad}{value}" if title else f"{value}{pad}"
        )
        if beside - len(_GAP) > console.width:  # the value does not fit beside its name
            _print_line(console, Text(name, "cyan"))
            line = Text(f"{_GAP}{value}" if value else "")
        indent = beside
        if room >= max(longest_word, _LEAST_NOTE) or room >= cell_len(note):
            first, *more = wrap(note, room)
            line = Text.assemble(line, _GAP, (first, "dim"))
        else:
            indent = 2 * len(_GAP)
            more = wrap(note, console.width - indent)
        if line.plain.strip():  # a row that continues the one above may have a note alone
            _print_line(console, line)
        for rest in more:
            _print_line(console, Text.assemble(" " * indent, (rest, "dim")))


def print_table(console: Console, table: Table, *, name: int = 0) -> None:
    """Print a table with a heading for each column, or for each row a block of lines where the table is too wide.

    Parameters
    ----------
    console : rich.console.Console
    table : rich.table.Table
        A column without a heading belongs to the column before it.
    name : int, default 0
        Number of the column that names the rows; the columns before it are drawings.
    """
    _escape_cells(table)
    width = console.measure(table, options=console.options.update(width=_ANY_WIDTH)).maximum
    if width > console.width:
        if table.columns[name].header:
            print_note(console, f"{table.columns[name].header}:")
        _print_blocks(console, list(_blocks(table, name)))
        return
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():  # without blanks at the ends of lines
        console.file.write(f"{line.rstrip()}\n")


def _escape_cells(table: Table) -> None:
    """Escape the control characters in the headings and cells of a table."""
    for column in table.columns:
        if isinstance(column.header, str):
            column.header = _shown(column.header)
        cells = column._cells  # noqa: SLF001 - rich has no public function that changes a cell
        cells[:] = [_shown(cell) if isinstance(cell, str) else cell for cell in cells]


class _Block(NamedTuple):
    """A row of a table: its drawing, its name, and a heading and a value for each other column."""

    drawing: list[str]
    name: str
    fields: list[tuple[str, str]]


def _blocks(table: Table, name: int) -> Iterable[_Block]:
    """Yield the rows of a table without the empty rows; see `print_table`."""
    headings = [str(column.header) for column in table.columns[name + 1 :]]
    for cells in zip(*(column.cells for column in table.columns), strict=True):
        texts = [str(cell) for cell in cells]
        fields: list[tuple[str, str]] = []
        for heading, text in zip(headings, texts[name + 1 :], strict=True):
            if heading:
                fields.append((heading, text))
            elif text:
                fields[-1] = (fields[-1][0], f"{fields[-1][1]}{_GAP}{text}")
        if any(texts):
            yield _Block([line for text in texts[:name] for line in text.splitlines()], texts[name], fields)


def _print_blocks(console: Console, blocks: Sequence[_Block]) -> None:
    """Print each row of a table as its name, and below it a heading and a value per line; drawings on the left."""
    from rich.cells import cell_len
    from rich.text import Text

    left = max((cell_len(line) + len(_GAP) for block in blocks for line in block.drawing), default=0)
    heading_width, value_width = (
        max((cell_len(field[i]) for block in blocks for field in block.fields), default=0) for i in (0, 1)
    )
    below = left + heading_width + value_width + 2 * len(_GAP) > console.width
    for block in blocks:
        lines = [Text(block.name, "cyan")]
        for heading, value in block.fields:
            if below:
                lines += [Text(f"{_GAP}{heading}", "dim"), Text(f"{2 * _GAP}{value}")]
            elif value:
                pad = " " * (heading_width - cell_len(heading) + value_width - cell_len(value))
                lines.append(Text.assemble(_GAP, (heading, "dim"), _GAP, pad, value))
        for drawing, line in zip_longest(block.drawing, lines, fillvalue=""):
            _print_line(console, Text.assemble(str(drawing), " " * (left - cell_len(str(drawing))), line))
        _print_line(console, Text(""))


def _print_line(console: Console, line: Text) -> None:
    """Print a line as it is, without blanks at its end."""
    line.rstrip()
    console.print(line, soft_wrap=True)


def wrap(text: str, width: int) -> list[str]:
    """Cut a text between words into lines of at most `width` columns; a longer word is a line of its own.

    A number stays with the word before it, which is often its name, and with its unit.

    Examples
    --------
    >>> wrap("read 0.246, prepare 3.284", 20)
    ['read 0.246,', 'prepare 3.284']
    >>> wrap("a/long/path/to/a/file", 10)
    ['a/long/path/to/a/file']
    """
    from rich.cells import cell_len

    lines = []
    for part in text.split("\n"):
        if cell_len(part) <= width:
            lines.append(part)
            continue
        line = ""
        for word in _BEFORE_WORD.split(part.strip()):
            if line and cell_len(line) + 1 + cell_len(word) > width:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    return lines


def dropped_rows(dropped: Dropped) -> list[Row]:
    """Return the row of the loops and duplicates that were lost, and a row of reciprocal arcs that became one edge."""
    numbers = {"loops": dropped.loops, "duplicates": dropped.duplicates}
    notes = ", ".join(f"{kind} {n:,}" for kind, n in numbers.items() if n)
    rows = [("dropped", f"{sum(numbers.values()):,}", notes)]
    if dropped.reciprocal_merged:
        rows.append(("merged", f"{dropped.reciprocal_merged:,}", "reciprocal: u v and v u are one edge"))
    return rows


def seconds_row(seconds: Mapping[str, float]) -> Row:
    """Return the row of the time of all steps together, with the time of each step as a note."""
    return "seconds", f"{sum(seconds.values()):.3f}", ", ".join(f"{step} {time:.3f}" for step, time in seconds.items())


def run_rows(result: Run) -> list[Row]:
    """Return the rows of the tiles, the device, the threads and the time of a count."""
    rows = [("threads", str(result.threads), f"on {result.device}"), seconds_row(result.seconds)]
    if result.tiles is None:
        return rows
    ranges, tasks = result.tiles["ranges"], result.tiles.get("tasks")
    note = f"of {plural(ranges, 'range')}"
    if "workers" in result.tiles:
        note += f", {plural(result.tiles['workers'], 'worker')}"
    if tasks is None:
        return [("tiles", f"{ranges * (ranges + 1) // 2:,}", note), *rows]
    return [("tasks", f"{tasks:,}", f"by tiles {note}"), *rows]


def share(count: int, total: int) -> str:
    """Return a share with three digits, or with more if three digits would round it to 1; 0 if the total is 0.

    Examples
    --------
    >>> share(1, 3), share(9_999, 10_000), share(10**12 - 1, 10**12), share(0, 0)
    ('0.333', '0.9999', '> 0.999999', '0')
    """
    text = f"{count / total:.3g}" if count else "0"
    if text != "1" or count == total:
        return text
    text = f"{count / total:.6g}"
    return text if text != "1" else "> 0.999999"
