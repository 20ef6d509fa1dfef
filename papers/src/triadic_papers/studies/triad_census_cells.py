"""What the thesis's tables are made of: cells by network, totals with reading, the engine's rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic_papers.studies.cells import ENGINE
from triadic_papers.studies.tables import why

if TYPE_CHECKING:
    from triadic_papers.studies.results import Result, Results
    from triadic_papers.studies.tables import Entry


def rows_of(results: Results) -> list[str]:
    """Give the networks that something ran on, in order."""
    return results.ran.different("row")


def plain(results: Results, row: str, balance: str = "estimate", threads: int | None = None) -> Result | None:
    """Give the cell of task queues of a balance; on as many threads as processors, unless said otherwise."""
    found = results.where(
        lambda each: each.parameters.get("balance") == balance and not each.parameters.get("shared"),
        row=row,
        algorithm="queues",
    ).ran
    if threads is not None:
        return found.where(lambda each: each.parameters["threads"] == threads).first()
    if balance != "estimate":
        return found.first()
    others = results.where(lambda each: each.parameters.get("balance") == "set-sizes", row=row, algorithm="queues")
    like = others.first()
    return found.where(lambda each: like is None or each.parameters["threads"] == like.parameters["threads"]).first()


def total(result: Result | None) -> float | None:
    """Give the median with reading."""
    return None if result is None or result.median is None else result.median + result.loaded


def with_reading(result: Result | None) -> float | None:
    """Give the median with reading, where there was a file to read."""
    return total(result) if result is not None and result.loaded else None


def baseline(results: Results, row: str) -> Result | None:
    """Give v0.1 on a network."""
    return results.where(lambda each: each.parameters.get("version") == "0.1", row=row, algorithm="lists").ran.first()


def median_or_reason(cell: Result | None) -> Entry:
    """Give the median without reading, or why there is none."""
    if cell is None:
        return None
    return why(cell.left_out) if cell.median is None else cell.median


def engine_rows(results: Results, networks: list[str]) -> list[tuple[Entry, ...]]:
    """Give the engine's row for each device: seconds without reading, by network."""
    found: list[tuple[Entry, ...]] = []
    for device in results.where(algorithm=ENGINE).ran.different("device"):
        cells = [results.where(row=row, algorithm=ENGINE, device=device).first() for row in networks]
        found.append((f"engine ({device})", *map(median_or_reason, cells)))
    return found
