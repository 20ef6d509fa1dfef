"""Measure triadic beside the libraries that one would otherwise install: ``python benchmarks/run.py``.

Prints a table for each topic and writes every run to ``benchmarks/results/``.
"""

from __future__ import annotations

import argparse
import os
import sys
from fnmatch import fnmatch
from itertools import groupby
from pathlib import Path

from rich.console import Console

import contest
import machine
import report
from cells import (
    clustering,
    edge_support,
    generating,
    gpu,
    graphlets,
    memory,
    networkx_backend,
    reading,
    significance,
    start_up,
    tiles,
    triad_census,
    triangle_listing,
    triangles,
    trusses,
)
from triadic.core.blocks import allowed_threads

_TOPICS = (
    clustering,
    triangles,
    edge_support,
    trusses,
    triangle_listing,
    triad_census,
    significance,
    graphlets,
    gpu,
    networkx_backend,
    reading,
    generating,
    tiles,
    start_up,
    memory,
)
# Half a core: NetworKit's threads wait for one another, and take far longer where one of them has to share its core.
_QUIET_LOAD = 0.5
_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> int:
    allowed = allowed_threads()
    asked = _arguments(allowed)
    chosen = [cell for topic in _TOPICS for cell in topic.cells() if _is_chosen(cell.name, asked.only)]
    if not chosen:
        raise SystemExit(f"--only {' '.join(asked.only)}: no such cell; --list names them")
    if asked.list:
        print("\n".join(cell.name for cell in chosen))
        return 0
    machine.use_threads(asked.threads, allowed)
    settings = contest.Settings(
        asked.threads, asked.repeats, asked.cell_budget, Path(os.environ.get("TRIADIC_DATA", _DATA))
    )
    described = machine.describe()
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    console.print(
        f"{described['processor']}, threads: {settings.threads}, Python {described['python']}, "
        + ", ".join(f"{name} {version}" for name, version in described["versions"].items() if version),
        "\n[dim]Seconds are medians of whole runs, building each library's graph included; "
        "a ratio is a library's time over triadic's.[/dim]\n",
        highlight=False,
    )
    if described["load"] and described["load"][0] > _QUIET_LOAD:
        console.print(f"Other processes are at work here (load {described['load'][0]:.1f}): do not rely on this run.\n")
    held = []
    try:
        for topic, cells in groupby(chosen, key=lambda cell: cell.topic):
            before = len(held)
            for cell in cells:
                held.append((cell, _hold(cell, settings)))  # noqa: PERF401 - so that an interruption keeps what there is
            report.print_topic(console, topic, held[before:])
    finally:  # what is measured is kept, whatever stops the rest
        if held:
            console.print(f"written: {report.write_record(described, settings, held)}", highlight=False)
    wrong = any(isinstance(entries, list) and any(_differs(entry) for entry in entries) for _, entries in held)
    return 1 if wrong else 0


def _hold(cell: contest.Cell, settings: contest.Settings) -> list[contest.Entry] | str:
    def say(what: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{what}", end="", file=sys.stderr, flush=True)

    try:
        return contest.hold(cell, settings, say)
    except contest.LeftOutError as reason:
        return str(reason)
    finally:
        say("")


def _differs(entry: contest.Entry) -> bool:
    return entry.left_out == contest.DIFFERS


def _is_chosen(name: str, only: list[str]) -> bool:
    return not only or any(fnmatch(name, pattern) or name.startswith(f"{pattern}/") for pattern in only)


def _arguments(allowed: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks/run.py", description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--only", nargs="+", default=[], metavar="CELL", help="topics or cells, as --list names them; * is allowed")
    add("--repeats", type=int, default=5, help="runs of each library in a cell (default 5)")
    add("--threads", type=int, default=allowed, help=f"threads of each library that has them (default {allowed})")
    add("--cell-budget", type=float, default=120, metavar="SECONDS", help="for a peer in a cell (default 120)")
    add("--list", action="store_true", help="name the cells and stop")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
