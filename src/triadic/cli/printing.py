"""Results on standard output: tables for people, JSON for programs.

The package rich is imported where a table is made: a command with ``--json`` does without it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.console import Console
    from rich.table import Table

    from triadic.cli.counting import CountResult
    from triadic.core.arcs import Dropped

    Row = tuple[str, str, str]

# Columns of the terminal; more than any table has, so that no digit is cut off in a narrow terminal or a file.
_WIDTH = 1000


def print_json(record: Mapping[str, Any], *, indent: int | None = None) -> None:
    """Print one JSON object; floats have to be finite, because JSON has neither NaN nor infinity."""
    print(json.dumps(record, indent=indent, allow_nan=False))  # noqa: T201 - standard output is the result


def print_facts(facts: Mapping[str, object]) -> None:
    """Print a name and a value per line; a list takes one line per item."""
    for name, value in facts.items():
        for i, item in enumerate(value if isinstance(value, list) else [value]):
            print(f"{'' if i else name:<14}{item}")  # noqa: T201 - rich would wrap long paths and devices


def print_rows(rows: Iterable[tuple[str, ...]], *, title: str = "") -> None:
    """Print a name, a value and a note per line."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(justify="right" if title else "left", no_wrap=True)
    table.add_column(style="dim")
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False, markup=False)
    if title:
        console.print(title, style="bold", soft_wrap=True)
    print_table(console, table)


def wide_console() -> Console:
    """Return standard output as a console that wraps no line and cuts off no digit."""
    from rich.console import Console

    return Console(highlight=False, markup=False, width=_WIDTH)


def print_table(console: Console, table: Table) -> None:
    """Print a table; in a file or a pipe, without blanks at the ends of lines."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        console.file.write(f"{line.rstrip()}\n")


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


def run_rows(result: CountResult[Any]) -> list[Row]:
    """Return the rows of the tiles, the device, the threads and the time of a count."""
    rows = [("threads", str(result.threads), f"on {result.device}"), seconds_row(result.seconds)]
    if result.tiles is None:
        return rows
    note = f"by tiles of {plural(result.tiles['ranges'], 'range')}"
    if "workers" in result.tiles:
        note += f", {plural(result.tiles['workers'], 'worker')}"
    return [("tasks", f"{result.tiles['tasks']:,}", note), *rows]


def plural(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun, in the plural unless the number is 1.

    Examples
    --------
    >>> plural(1, "range"), plural(2000, "vertex", "vertices")
    ('1 range', '2,000 vertices')
    """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


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
