"""Results of the benchmark: tables on the screen, and JSON for later comparisons."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from triadic.io.temporary_files import whole_file

if TYPE_CHECKING:
    from rich.console import Console

    from contest import Cell, Entry, Settings

_HEADINGS = (
    *("library", "runs", "seconds", "least", "most", "counting alone"),
    *("peak memory", "ratio", "ratio of counting", "goal", ""),
)
RESULTS = Path(__file__).resolve().parent / "results"


def print_topic(console: Console, topic: str, results: list[tuple[Cell, list[Entry] | str]]) -> None:
    """Print the cells of one topic, then the cells and libraries that were left out, with the reasons."""
    rows, left_out = [], []
    for cell, entries in results:
        if isinstance(entries, str):
            left_out.append(f"{cell.what}: {entries}")
            continue
        left_out += [f"{cell.what}, {entry.library}: {entry.left_out}" for entry in entries if entry.left_out]
        rows += [[cell.what if entry is entries[0] else "", *_row(entry)] for entry in entries if not entry.left_out]
    if rows:
        console.print(_table([topic, *_HEADINGS], rows))
    for reason in left_out:
        console.print(f"left out: {reason}", style="dim", highlight=False, markup=False)
    console.print()


def write_record(machine: dict[str, Any], settings: Settings, results: list[tuple[Cell, list[Entry] | str]]) -> Path:
    """Write all results to ``results/<date>.json`` and return its path."""
    now = datetime.now().astimezone()
    record = {
        "date": now.isoformat(timespec="seconds"),
        "machine": machine,
        "threads": settings.threads,
        "repeats": settings.repeats,
        "budget_seconds": settings.budget,
        "cells": {
            cell.name: {"left_out": entries} if isinstance(entries, str) else [entry.as_record() for entry in entries]
            for cell, entries in results
        },
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{now:%Y-%m-%dT%H-%M-%S}.json"
    with whole_file(path) as temporary:
        temporary.write_text(json.dumps(record, indent=1) + "\n")
    return path


def _table(headings: list[str], rows: list[list[str]]) -> Table:
    """Make a table, without the columns in which all cells are empty."""
    table = Table(box=None, pad_edge=False)
    filled = [i for i, column in enumerate(zip(*rows, strict=True)) if any(column)]
    for i in filled:
        table.add_column(headings[i], justify="left" if i < 2 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(row[i] for i in filled))
    return table


def _row(entry: Entry) -> list[str]:
    totals = [run.total for run in entry.counted]
    return [
        entry.library,
        str(len(totals)),
        _number(entry.seconds),
        _number(min(totals)),
        _number(max(totals)),
        _number(entry.count_seconds),
        "" if entry.peak_bytes is None else f"{entry.peak_bytes / 1e9:.2f} GB",
        _number(entry.ratio),
        _number(entry.count_ratio),
        entry.goal or "",
        {None: "", True: "[green]met[/green]", False: "[red]missed[/red]"}[entry.goal_met],
    ]


def _number(value: float | None) -> str:
    """Format a number with about three digits, without an exponent."""
    if value is None:
        return ""
    return f"{value:.{max(0, 3 - len(str(int(value))))}f}" if value >= 1 else f"{value:.3g}"
