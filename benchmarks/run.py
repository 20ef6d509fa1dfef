"""Compare the speed of triadic with other libraries: ``python benchmarks/run.py``.

It prints a table for each topic and writes the times of every run to ``benchmarks/results/``.
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
    cliques,
    clustering,
    edge_support,
    estimates,
    generating,
    gpu,
    graphlets,
    memory,
    networkx_backend,
    orbits,
    patterns,
    reading,
    significance,
    small_graphs,
    start_up,
    temporal,
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
    patterns,
    cliques,
    significance,
    graphlets,
    temporal,
    orbits,
    estimates,
    small_graphs,
    gpu,
    networkx_backend,
    reading,
    generating,
    tiles,
    start_up,
    memory,
)
# Half a core: the threads of NetworKit wait for each other, and take far longer if one of them shares its core.
_QUIET_LOAD = 0.5
_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> int:
    allowed = allowed_threads()
    arguments = _arguments(allowed)
    chosen = [cell for topic in _TOPICS for cell in topic.cells() if _is_chosen(cell.name, arguments.only)]
    if not chosen:
        raise SystemExit(f"--only {' '.join(arguments.only)}: no such cell; --list prints all names")
    if arguments.list:
        print("\n".join(cell.name for cell in chosen))
        return 0
    machine.use_threads(arguments.threads, allowed)
    settings = contest.Settings(
        arguments.threads,
        arguments.repeats,
        arguments.cell_budget,
        Path(os.environ.get("TRIADIC_DATA", _DATA)),
    )
    described = machine.describe()
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    console.print(
        f"{described['processor']}, threads: {settings.threads}, Python {described['python']}, "
        + ", ".join(f"{name} {version}" for name, version in described["versions"].items() if version),
        "\n[dim]Seconds are medians of whole runs, which include building each library's graph. "
        "A ratio is the library's time divided by triadic's time.[/dim]\n",
        highlight=False,
    )
    if described["load"] and described["load"][0] > _QUIET_LOAD:
        console.print(f"Other processes use this machine (load {described['load'][0]:.1f}): times are not reliable.\n")
    results = []
    try:
        for topic, cells in groupby(chosen, key=lambda cell: cell.topic):
            before = len(results)
            for cell in cells:
                results.append((cell, _run(cell, settings)))  # noqa: PERF401 - an interruption loses no finished cell
            report.print_topic(console, topic, results[before:])
    finally:  # after an error or Ctrl-C, write the cells that finished
        if results:
            console.print(f"written: {report.write_record(described, settings, results)}", highlight=False)
    wrong = any(isinstance(entries, list) and any(_differs(entry) for entry in entries) for _, entries in results)
    return 1 if wrong else 0


def _run(cell: contest.Cell, settings: contest.Settings) -> list[contest.Entry] | str:
    def print_status(text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    try:
        return contest.run_cell(cell, settings, print_status)
    except contest.LeftOutError as reason:
        return str(reason)
    finally:
        print_status("")


def _differs(entry: contest.Entry) -> bool:
    return entry.left_out == contest.DIFFERS


def _is_chosen(name: str, only: list[str]) -> bool:
    return not only or any(fnmatch(name, pattern) or name.startswith(f"{pattern}/") for pattern in only)


def _arguments(allowed: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks/run.py", description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add(
        "--only",
        nargs="+",
        default=[],
        metavar="CELL",
        help="topics or cells to run, see --list; * matches any text",
    )
    add("--repeats", type=int, default=5, help="number of runs of each library in a cell (default 5)")
    add("--threads", type=int, default=allowed, help=f"number of threads of each library (default {allowed})")
    add(
        "--cell-budget",
        type=float,
        default=120,
        metavar="SECONDS",
        help="limit for a library in a cell (default 120)",
    )
    add("--list", action="store_true", help="print the names of the cells and exit")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
