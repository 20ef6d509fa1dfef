"""Helpers of the thesis's tables: cells by network, totals with reading, the engine's rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic_papers.studies.cells import ENGINE
from triadic_papers.studies.tables import short_reason

if TYPE_CHECKING:
    from triadic_papers.studies.results import Result, Results
    from triadic_papers.studies.tables import Entry


def rows_of(results: Results) -> list[str]:
    """Return the networks with results, in order."""
    return results.completed.unique("row")


def plain(results: Results, row: str, balance: str = "estimate", threads: int | None = None) -> Result | None:
    """Return the task-queue cell with a balance; by default with as many threads as processors."""
    found = results.where(
        lambda result: result.parameters.get("balance") == balance and not result.parameters.get("shared"),
        row=row,
        algorithm="queues",
    ).completed
    if threads is not None:
        return found.where(lambda result: result.parameters["threads"] == threads).first()
    if balance != "estimate":
        return found.first()
    others = results.where(lambda result: result.parameters.get("balance") == "set-sizes", row=row, algorithm="queues")
    same_queues = others.first()
    return found.where(
        lambda result: same_queues is None or result.parameters["threads"] == same_queues.parameters["threads"]
    ).first()


def total(result: Result | None) -> float | None:
    """Return the median time including reading."""
    return None if result is None or result.median is None else result.median + result.loaded


def with_reading(result: Result | None) -> float | None:
    """Return the median time including reading if the network comes from a file."""
    return total(result) if result is not None and result.loaded else None


def baseline(results: Results, row: str) -> Result | None:
    """Return the cell of v0.1 on a network."""
    return results.where(
        lambda result: result.parameters.get("version") == "0.1", row=row, algorithm="lists"
    ).completed.first()


def median_or_reason(cell: Result | None) -> Entry:
    """Return the median time without reading, or the reason why there is none."""
    if cell is None:
        return None
    return short_reason(cell.left_out) if cell.median is None else cell.median


def engine_rows(results: Results, networks: list[str]) -> list[tuple[Entry, ...]]:
    """Return the engine's row for each device: seconds without reading, by network."""
    found: list[tuple[Entry, ...]] = []
    for device in results.where(algorithm=ENGINE).completed.unique("device"):
        cells = [results.where(row=row, algorithm=ENGINE, device=device).first() for row in networks]
        found.append((f"engine ({device})", *map(median_or_reason, cells)))
    return found
