"""Measure how the time of four counts grows with the network, and draw it: ``python benchmarks/scaling.py``.

``measure`` times the total of triangles, clustering, the triad census and graphlets in networks that double in size, on
one core, two cores and a card, beside other libraries. It writes each point to a file in ``benchmarks/results/scaling``
at once, and continues a file that exists. ``draw`` draws the pictures of ``docs/scaling.md`` from all files of that
folder, and writes the tables of that page. Without a command the program does both.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import machine
from growth import contenders, families, measuring, record
from triadic.core.blocks import allowed_threads

RESULTS = Path(__file__).resolve().parent / "results" / "scaling"
_CORES = 2


def main(arguments: list[str] | None = None) -> int:
    """Run the commands that the arguments name."""
    chosen = _arguments(arguments)
    if chosen.command in {"measure", "all"}:
        _measure(chosen)
    if chosen.command in {"draw", "all"}:
        from growth import page  # matplotlib is not needed to measure

        page.draw(chosen.results, figures=chosen.figures, page=chosen.page)
    return 0


def _measure(chosen: argparse.Namespace) -> None:
    deadline = time.monotonic() + chosen.limit
    machine.use_threads(min(_CORES, allowed_threads()), allowed_threads())
    described = machine.describe() | ({"commit": chosen.commit} if chosen.commit else {})
    try:
        described["card"] = families.check_card(chosen.device)
    except families.LeftOutError as reason:
        print(f"left out: {contenders.ONE_CARD}: {reason}")
    path = chosen.output or chosen.results / "measured.json"
    plan = measuring.Plan(
        chosen.families,
        chosen.measures,
        chosen.contenders,
        tuple(chosen.scales),
        chosen.card_scale,
        chosen.budget,
        chosen.own_budget,
        chosen.settle,
        chosen.device,
    )
    begin = time.monotonic()

    def print_status(text: str) -> None:
        print(f"{time.monotonic() - begin:6.1f} s  {text}", file=sys.stderr, flush=True)

    with _silent_output():  # pyfglt prints a line in each call
        measuring.Measurement(plan, record.Record(path, described), deadline, print_status).run()
    print(f"written: {path}")


@contextmanager
def _silent_output():
    """Discard what compiled code prints."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks/scaling.py", description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("command", nargs="?", choices=["measure", "draw", "all"], default="all", help="default: all")
    add("--families", nargs="+", choices=families.FAMILIES, default=["rmat"], help="default: rmat")
    add("--measures", nargs="+", choices=contenders.MEASURES, default=list(contenders.MEASURES), help="default: all")
    add(
        "--contenders",
        nargs="+",
        default=[],
        metavar="WORD",
        help='words of their names, such as "card" (default: all)',
    )
    add(
        "--scales",
        nargs=2,
        type=int,
        default=[4, 24],
        metavar="SCALE",
        help="logarithm to base 2 of the numbers of vertices of the smallest and the largest network (default 4 24)",
    )
    add("--card-scale", type=int, default=26, metavar="SCALE", help="the largest network on the card (default 26)")
    add(
        "--budget",
        type=float,
        default=6,
        metavar="SECONDS",
        help="another library stops where a call would take longer (default 6)",
    )
    add("--own-budget", type=float, default=20, metavar="SECONDS", help="the same for triadic (default 20)")
    add(
        "--settle",
        type=float,
        default=0.1,
        metavar="SECONDS",
        help="a contender has up to 15 turns in a point until it has run so long (default 0.1)",
    )
    add(
        "--limit", type=float, default=480, metavar="SECONDS", help="the measurement ends after this time (default 480)"
    )
    add("--device", default="cuda:0", help="the card (default cuda:0)")
    add("--commit", help="the commit, where git cannot say it")
    add("--output", type=Path, help="file to write or to continue (default: measured.json in the folder of results)")
    add("--results", type=Path, default=RESULTS, help="folder of the files to draw")
    add("--figures", type=Path, help="folder of the pictures (default: docs/figures)")
    add("--page", type=Path, help="page that has the tables (default: docs/scaling.md)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
