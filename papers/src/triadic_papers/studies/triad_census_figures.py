"""The thesis's figures of what was measured: the ladder, threads, where time goes, GPU against threads."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from triadic_papers.studies.cells import ENGINE
from triadic_papers.studies.figures import Figure, Panel, Series
from triadic_papers.studies.triad_census_cells import plain, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic_papers.studies.results import Result, Results

_PHASES = ("reading", "sets", "queues", "copy", "census")


def figures(results: Results) -> list[Figure]:
    """Give figures 4.3, 4.8 and 5.3, and the break-ups of tables 4.9 and 4.13."""
    return [_ladder(results), _sweep(results), _break_up(results), _devices(results)]


def _is_plain(result: Result) -> bool:
    """Whether it is v0.7: queues by estimate, a census for each thread."""
    return result.parameters.get("balance") == "estimate" and not result.parameters.get("shared")


def _by_network(results: Results, wanted: Callable[[Result], bool]) -> dict[str, list[Result]]:
    """Sort cells by network, and by machine if there are several."""
    found: dict[str, list[Result]] = {}
    for each in results.ran:
        if wanted(each):
            found.setdefault(f"{each.row}{results.machine_of(each)}", []).append(each)
    return found


def _ladder(results: Results) -> Figure:
    series = []
    for name, cells in _by_network(results, lambda each: each.algorithm in ("lists", "rows")).items():
        medians = {str(each.parameters.get("version", "sorted rows")): each.median for each in cells}
        base = medians.get("0.1")
        if base:
            ups = {version: base / median for version, median in medians.items() if median}
            series.append(Series(name, list(ups), list(ups.values())))
    return Figure(
        "figure-4-3-ladder",
        "Speed-up of the sequential programs over v0.1, without reading. Beside figure 4.3 of the thesis.",
        "version",
        "speed-up over v0.1",
        [Panel("", series)],
        kind="bars",
    )


def _sweep(results: Results) -> Figure:
    series = []
    for name, found in _by_network(results, _is_plain).items():
        cells = sorted(found, key=lambda each: int(each.parameters["threads"]))
        threads = [int(each.parameters["threads"]) for each in cells]
        series.append(
            Series(name, threads, [each.median or 0.0 for each in cells], [each.std or 0.0 for each in cells])
        )
    return Figure(
        "figure-4-8-threads",
        "Time of v0.7 over the number of threads, without reading; bars are standard deviations. Beside figure 4.8.",
        "threads, and task queues",
        "time (s)",
        [Panel("", series)],
        log_x=True,
        log_y=True,
    )


def _break_up(results: Results) -> Figure:
    panels = []
    for title, balance in (("v0.6, queues by set sizes", "set-sizes"), ("v0.7, queues by estimate", "estimate")):
        found = {row: plain(results, row, balance) for row in rows_of(results)}
        cells = {row: each for row, each in found.items() if each is not None}
        names = list(cells)
        panels.append(
            Panel(title, [Series(phase, names, [_share(cells[name], phase) for name in names]) for phase in _PHASES])
        )
    return Figure(
        "tables-4-9-and-4-13-phases",
        "Where the time goes on as many threads as processors, reading included; a stand-in is made, not read. "
        "Beside tables 4.9 and 4.13.",
        "network",
        "share of the time (%)",
        panels,
        kind="stacked",
    )


def _share(result: Result, phase: str) -> float:
    whole = result.loaded + (result.median or 0.0)
    part = result.loaded if phase == "reading" else result.phase(phase) or 0.0
    return 100 * part / whole if whole else 0.0


def _devices(results: Results) -> Figure:
    series: dict[str, dict[str, float]] = {}
    rows = results.ran.different("row")
    for each in results.ran:
        label = _label(each)
        if label and each.median:
            best = series.setdefault(label, {})
            best[each.row] = min(best.get(each.row, each.median), each.median)
    return Figure(
        "figure-5-3-devices",
        "Time of each program, the fastest of its kind, without reading. Beside figure 5.3.",
        "network",
        "time (s)",
        [
            Panel(
                "", [Series(label, rows, [found.get(row, math.nan) for row in rows]) for label, found in series.items()]
            )
        ],
        kind="bars",
        log_y=True,
    )


def _label(result: Result) -> str:
    if result.algorithm == "lists":
        return (
            "v0.1" if result.parameters["version"] == "0.1" else "v0.5" if result.parameters["version"] == "0.5" else ""
        )
    if result.algorithm == "queues":
        return "task queues, fastest"
    if result.algorithm == "gpu":
        return f"census on {result.device}"
    return f"engine on {result.device}" if result.algorithm == ENGINE else ""
