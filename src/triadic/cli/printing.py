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
import time
from dataclasses import field
from math import inf, isfinite
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from triadic.core.formatting import plural
from triadic.core.progress import watch_by_default
from triadic.core.records import record
from triadic.errors import escape_controls

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from rich.align import VerticalAlignMethod
    from rich.console import Console, JustifyMethod
    from rich.text import Text

    from triadic.core.arcs import Dropped

    Row = tuple[str, str, str]

_PATIENCE = 2.0  # seconds of compilation after which a file or a pipe gets a line
_CLEAR = "\r\x1b[K"
_ANY_WIDTH = 1000  # columns of a file or a pipe: more than any table has
_LEAST_NOTE = 20  # columns; notes that have less room stand below their rows
_GAP = "  "
_IN_ASCII = str.maketrans("●─│╱╲╳↗↙↘↖→←·├┼┤", "o-|/\\X^vv^><.[+]") | {ord("≤"): "<="}
# Where a line may end: neither between a name and its number, nor between a number and its unit.
_BEFORE_WORD = re.compile(r"(?<!\d) +(?!\d)|(?<=\d) +(?!\d|[A-Za-z]{1,3}\b)")


@record
class Figures:
    """What a command found in a network, or in each of many graphs.

    Attributes
    ----------
    totals : mapping of str to object
        Figures of the network, as in the JSON object; of many graphs, an array for each column.
    columns : mapping of str to array
        A column of the table of vertices for each name; empty if it is not wanted, or was written to a folder.
    detail : object
        What only the printed table needs.
    settings : mapping of str to object
        What figures of many graphs depend on besides the graphs, by name, such as a seed.
    """

    totals: Mapping[str, Any]
    columns: Mapping[str, Any] = field(default_factory=dict)
    detail: Any = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@record
class Result:
    """A network, its figures, the time of each step, and the machine that counted.

    Attributes
    ----------
    graph : Graph
        The graph, or a graph in tiles with the same attributes.
    figures : Figures
    seconds : dict of str to float
        Time by step.
    device : str
        Device that counted, such as ``"cpu"`` or ``"cuda:0"``.
    threads : int
    tiles : dict of str to int, optional
        Numbers of ranges, tasks and workers of a count by tiles; an estimate has no tasks.
    temporary_tiles : pathlib.Path, optional
        Folder of tiles that were written for this count only.
    """

    graph: Any
    figures: Figures
    seconds: dict[str, float]
    device: str
    threads: int
    tiles: dict[str, int] | None = None
    temporary_tiles: Path | None = None

    def remove_temporary_tiles(self) -> None:
        """Remove the tiles that were written for this count only; called when all results are printed and written."""
        if self.temporary_tiles is not None:
            shutil.rmtree(self.temporary_tiles, ignore_errors=True)

    def as_record(self, *, arcs: bool = False) -> dict[str, Any]:
        """Return the graph, the figures, the times and the machine as plain numbers and strings, for JSON."""
        graph, combined = self.graph, self.graph.origin.weights
        return {
            "graph": {
                "vertices": graph.num_vertices,
                "edges": graph.num_edges,
                **({"arcs": graph.num_arcs} if arcs else {}),
                "directed": graph.directed,
                **dropped_record(graph.dropped),
                **({} if combined is None else {"weights": combined}),
            },
            **self.figures.totals,
            "seconds": rounded(self.seconds),
            "device": self.device,
            "threads": self.threads,
            **({} if self.tiles is None else {"tiles": self.tiles}),
        }


def print_json(record: Mapping[str, Any], *, indent: int | None = None) -> None:
    """Print one JSON object, with null for NaN and infinity, which JSON lacks."""
    text = json.dumps(_finite(record), indent=indent, allow_nan=False).replace("\x7f", "\\u007f")
    print(text)  # noqa: T201 - standard output is the result


def _finite(value: Any) -> Any:  # noqa: ANN401 - what JSON has
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def rounded(seconds: Mapping[str, float]) -> dict[str, float]:
    """Return the seconds of each step, to a microsecond."""
    return {step: round(taken, 6) for step, taken in seconds.items()}


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


def print_note(text: str, *, style: str = "dim") -> None:
    """Print sentences below a table; on a terminal their lines are as long as it is wide."""
    console, text = output_console(), _shown(text)
    if terminal_width() is not None:
        text = text.replace("\n", " ")
    for line in wrap(text, console.width):
        console.print(line, style=style, soft_wrap=True)


def print_rows(rows: Iterable[tuple[str, ...]], *, title: str = "", style: str = "dim") -> None:
    """Print a name, a value and a note per line, and on a narrow terminal the rest of the note on further lines."""
    from rich.cells import cell_len, set_cell_size
    from rich.text import Text

    console, rows = output_console(), [tuple(map(_shown, (*row, "", "")[:3])) for row in rows]
    if title:
        print_note(title, style="bold")
    name_width, value_width = (max((cell_len(row[i]) for row in rows), default=0) for i in (0, 1))
    beside = name_width + value_width + 2 * len(_GAP)
    room = console.width - beside
    longest_word = max((cell_len(word) for row in rows for word in _BEFORE_WORD.split(row[2])), default=0)
    lines: list[Text] = []
    for name, value, note in rows:
        pad = " " * (value_width - cell_len(value))
        line = Text.assemble(
            (set_cell_size(name, name_width), "cyan"), _GAP, f"{pad}{value}" if title else f"{value}{pad}"
        )
        if beside - len(_GAP) > console.width:  # the value does not fit beside its name
            lines.append(Text(name, "cyan"))
            line = Text(f"{_GAP}{value}")
        if room >= max(longest_word, _LEAST_NOTE) or room >= cell_len(note):
            indent, (first, *more) = beside, wrap(note, room)
            line = Text.assemble(line, _GAP, (first, style))
        else:
            indent = 2 * len(_GAP)
            more = wrap(note, console.width - indent)
        lines += [line, *(Text(" " * indent + rest, style) for rest in more)]
    for line in lines:
        line.rstrip()
        if line:  # a row that continues the one above may have a note alone
            console.print(line, soft_wrap=True)


def print_table(
    headings: Iterable[str],
    rows: Iterable[Iterable[str]],
    *,
    name: int = 0,
    words: Collection[str] = (),
    justify: Mapping[str, JustifyMethod] | None = None,
    vertical: VerticalAlignMethod = "top",
    header_style: str = "dim",
) -> None:
    """Print a table with a heading for each column, or for each row a block of lines where the table is too wide.

    Parameters
    ----------
    headings : iterable of str
        A column without a heading, after that of the names, belongs to the column before it.
    rows : iterable of iterable of str
        The cells of each row; of an empty row, none.
    name : int, default 0
        Number of the column that names the rows; the columns before it are drawings.
    words : collection of str
        Headings of further columns of words.
    justify : mapping of str to str, optional
        Where the cells stand in the column of a heading; by default numbers at the right, and all else at the left.
    vertical : {"top", "middle", "bottom"}
        Where cells stand beside a drawing.
    header_style : str, default "dim"
    """
    from rich.table import Table

    console, columns = output_console(), list(map(_shown, headings))
    texts = [[*map(drawable, row[:name]), *map(_shown, row[name:])] for row in map(list, rows)]
    table = Table(box=None, pad_edge=False, header_style=header_style)
    for number, heading in enumerate(columns):
        is_word = number == name or heading in words
        beside = not heading and number != name
        place = (justify or {}).get(heading, "left" if is_word or beside else "right")
        style = "cyan" if is_word else "dim" if beside and number > name else None
        table.add_column(heading, justify=place, vertical="top" if number < name else vertical, style=style)
    for row in texts:
        table.add_row(*row)
    if console.measure(table, options=console.options.update(width=_ANY_WIDTH)).maximum > console.width:
        if columns[name]:
            print_note(f"{columns[name]}:")
        for row in filter(None, texts):
            fields: list[Row] = []
            for heading, text in zip(columns[name + 1 :], row[name + 1 :], strict=True):
                fields = [*fields, (heading, text, "")] if heading else [*fields[:-1], (*fields[-1][:2], text)]
            if name:
                print_text("\n".join(row[:name]))
            print_rows(filter(itemgetter(1), fields), title=row[name])
            print_text("")
        return
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():  # without blanks at the ends of lines
        console.file.write(f"{line.rstrip()}\n")


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
        line, *words = [part] if cell_len(part) <= width else _BEFORE_WORD.split(part.strip())
        for word in words:
            if cell_len(longer := f"{line} {word}") <= width:
                line = longer
            else:
                lines.append(line)
                line = word
        lines.append(line)
    return lines


def network_rows(graph: Any, note: str) -> list[Row]:  # noqa: ANN401 - a graph, in memory or in tiles
    """Return the rows of the size of a network, with a note on its edges, and of what was dropped."""
    return [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("edges", f"{graph.num_edges:,}", note),
        *dropped_rows(graph.dropped),
    ]


def dropped_record(dropped: Dropped) -> dict[str, int]:
    """Return what was dropped when a graph was made, for JSON."""
    return {
        "loops_dropped": dropped.loops,
        "duplicates_dropped": dropped.duplicates,
        "reciprocal_merged": dropped.reciprocal_merged,
    }


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


def run_rows(result: Result) -> list[Row]:
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


def drawable(text: str, encoding: str | None = None) -> str:
    """Return a drawing in characters that an encoding has, by default that of standard output, or else in ASCII.

    Examples
    --------
    >>> drawable("●──→●", "utf-8"), drawable("●──→●", "latin-1")
    ('●──→●', 'o-->o')
    """
    try:
        "".join(map(chr, _IN_ASCII)).encode(encoding or getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return text.translate(_IN_ASCII)
    return text


def announce_compilation(progress: bool | None) -> bool | None:
    """Announce compilation if a command shows progress, and return the option ``--progress`` unchanged.

    A terminal shows the number and the name of each kernel on a line that is overwritten. A file or a pipe gets one
    line, if progress was asked for and compilation takes long.
    """
    if sys.stderr.isatty() and progress is not False:
        watch_by_default(_show)
    else:
        watch_by_default(_Log() if progress else None)
    return progress


def _show(text: str | None) -> None:
    sys.stderr.write(f"{_CLEAR}{text or ''}")
    sys.stderr.flush()


class _Log:
    """A single line about compilation for a file or a pipe."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._patience = _PATIENCE

    def __call__(self, text: str | None) -> None:
        """Add up the time of compilation; write the line when it is long."""
        now = time.monotonic()
        self._patience -= 0.0 if self._since is None else now - self._since
        self._since = None if text is None else now
        if self._patience < 0:
            self._patience = inf
            sys.stderr.write("triadic: compiling kernels, once; the next call starts at once\n")
