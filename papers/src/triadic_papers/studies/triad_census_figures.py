"""The thesis's figures, from the measurements: sequential versions, threads, phases, GPU against threads."""

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
    """Return figures 4.3, 4.8 and 5.3, and the phases of tables 4.9 and 4.13."""
    return [_ladder(results), _sweep(results), _break_up(results), _devices(results)]


def _is_plain(result: Result) -> bool:
    """Return True for v0.7: queues by estimate, one census per thread."""
    return result.parameters.get("balance") == "estimate" and not result.parameters.get("shared")


def _by_network(results: Results, wanted: Callable[[Result], bool]) -> dict[str, list[Result]]:
    """Group cells by network, and by machine if there are several."""
    found: dict[str, list[Result]] = {}
    for result in results.completed:
        if wanted(result):
            found.setdefault(f"{result.row}{results.machine_suffix(result)}", []).append(result)
    return found


def _ladder(results: Results) -> Figure:
    series = []
    for name, cells in _by_network(results, lambda result: result.algorithm in ("lists", "rows")).items():
        medians = {str(result.parameters.get("version", "sorted rows")): result.median for result in cells}
        base = medians.get("0.1")
        if base:
            ups = {version: base / median for version, median in medians.items() if median}
            series.append(Series(name, list(ups), list(ups.values())))
    return Figure(
        "figure-4-3-ladder",
        "Speed-up of the sequential programs over v0.1, without reading. Compare with figure 4.3 of the thesis.",
        "version",
        "speed-up over v0.1",
        [Panel("", series)],
        kind="bars",
    )


def _sweep(results: Results) -> Figure:
    series = []
    for name, found in _by_network(results, _is_plain).items():
        cells = sorted(found, key=lambda result: int(result.parameters["threads"]))
        threads = [int(result.parameters["threads"]) for result in cells]
        series.append(
            Series(name, threads, [result.median or 0.0 for result in cells], [result.std or 0.0 for result in cells])
        )
    return Figure(
        "figure-4-8-threads",
        "Time of v0.7 over the number of threads, without reading; bars: standard deviations. Compare with figure 4.8.",
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
        cells = {row: result for row, result in found.items() if result is not None}
        names = list(cells)
        panels.append(
            Panel(title, [Series(phase, names, [_share(cells[name], phase) for name in names]) for phase in _PHASES])
        )
    return Figure(
        "tables-4-9-and-4-13-phases",
        "Phases with as many threads as processors, reading included; R-MAT networks are generated, not read. "
        "Compare with tables 4.9 and 4.13.",
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
    rows = results.completed.unique("row")
    for result in results.completed:
        label = _label(result)
        if label and result.median:
            best = series.setdefault(label, {})
            best[result.row] = min(best.get(result.row, result.median), result.median)
    return Figure(
        "figure-5-3-devices",
        "Time of each program, the fastest of its kind, without reading. Compare with figure 5.3.",
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
