"""What was measured, as a table for people and as JSON for later comparisons."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from triadic.io.whole_file import whole_file

if TYPE_CHECKING:
    from rich.console import Console

    from contest import Cell, Entry, Settings

_HEADINGS = (
    *("library", "runs", "seconds", "least", "most", "of it counting"),
    *("peak memory", "ratio", "of counting", "goal", ""),
)
RESULTS = Path(__file__).resolve().parent / "results"


def print_topic(console: Console, topic: str, held: list[tuple[Cell, list[Entry] | str]]) -> None:
    """Print the cells of one topic, and below them what was left out and why."""
    rows, left_out = [], []
    for cell, entries in held:
        if isinstance(entries, str):
            left_out.append(f"{cell.what}: {entries}")
            continue
        left_out += [f"{cell.what}, {entry.library}: {entry.left_out}" for entry in entries if entry.left_out]
        rows += [[cell.what if entry is entries[0] else "", *_row(entry)] for entry in entries if not entry.left_out]
    if rows:
        console.print(_table([topic, *_HEADINGS], rows))
    for each in left_out:
        console.print(f"left out: {each}", style="dim", highlight=False, markup=False)
    console.print()


def write_record(machine: dict[str, Any], settings: Settings, held: list[tuple[Cell, list[Entry] | str]]) -> Path:
    """Write everything to ``results/<date>.json`` and give its path."""
    now = datetime.now().astimezone()
    record = {
        "date": now.isoformat(timespec="seconds"),
        "machine": machine,
        "threads": settings.threads,
        "repeats": settings.repeats,
        "budget_seconds": settings.budget,
        "cells": {
            cell.name: {"left_out": entries} if isinstance(entries, str) else [entry.as_record() for entry in entries]
            for cell, entries in held
        },
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{now:%Y-%m-%dT%H-%M-%S}.json"
    with whole_file(path) as temporary:
        temporary.write_text(json.dumps(record, indent=1) + "\n")
    return path


def _table(headings: list[str], rows: list[list[str]]) -> Table:
    """Make a table of the columns in which anything stands."""
    table = Table(box=None, pad_edge=False)
    kept = [i for i, column in enumerate(zip(*rows, strict=True)) if any(column)]
    for i in kept:
        table.add_column(headings[i], justify="left" if i < 2 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(row[i] for i in kept))
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
    """Give about three digits, without exponent."""
    if value is None:
        return ""
    return f"{value:.{max(0, 3 - len(str(int(value))))}f}" if value >= 1 else f"{value:.3g}"
