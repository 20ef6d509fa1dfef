"""The tables of the thesis's chapter 4, from the measurements; chapter 5 is in `triad_census_device_tables`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic_papers.batagelj_mrvar_queues import BALANCES
from triadic_papers.studies import triad_census_device_tables as device_tables
from triadic_papers.studies.cells import ENGINE
from triadic_papers.studies.paper_values import triad_census as printed
from triadic_papers.studies.tables import Comparison, Table, ratio
from triadic_papers.studies.triad_census_cells import (
    baseline,
    engine_rows,
    median_or_reason,
    plain,
    rows_of,
    total,
    with_reading,
)
from triadic_papers.studies.triad_census_figures import figures

if TYPE_CHECKING:
    from triadic_papers.studies.results import Result, Results
    from triadic_papers.studies.tables import Entry

__all__ = ["comparisons", "figures"]

_LADDER = {
    "0.1": "v0.1 baseline",
    "0.2": "v0.2 cache fitting",
    "0.4": "v0.4 pre-computed codes",
    "0.5 blocks": "v0.5 blocks",
    "0.5 columns": "v0.5 blocks, columns",
    "0.5": "v0.5 blocks, columns, bisection",
}
_MEGA = 1e6
_PRE = ("sets", "queues")


def comparisons(results: Results) -> list[Comparison]:
    """Return the networks, the sequential versions, queues and phases, load balancing, memory and the GPU."""
    return [
        _networks(results),
        _ladder(results),
        _speed_ups(results),
        _break_up(results, "set-sizes"),
        _threads(results),
        _balances(results),
        device_tables.estimates(results),
        device_tables.arrays(results),
        device_tables.memory(results),
        device_tables.gpu(results),
    ]


def _networks(results: Results) -> Comparison:
    rows: list[tuple[Entry, ...]] = []
    for row in rows_of(results):
        cell = results.where(row=row).completed.first()
        if cell is not None:
            rows.append((row, cell.vertices, cell.edges, cell.source))
    rows += [(result.row, None, None, result.left_out) for result in results.where(algorithm="census")]
    rows += [(name, None, None, "not run") for name in printed.GRAPHS if name not in results.unique("row")]
    return Comparison(
        "Networks",
        Table(("network", "vertices", "edges or arcs", "what it is"), rows),
        Table(("network", "vertices", "edges or arcs"), printed.NETWORKS),
        "table 4.1",
    )


def _ladder(results: Results) -> Comparison:
    networks = rows_of(results)
    rows: list[tuple[Entry, ...]] = []
    for version, name in _LADDER.items():
        cells = [_version(results, row, version) for row in networks]
        rows.append((name, *map(median_or_reason, cells)))
        rows.append((f"{name}: with reading", *map(with_reading, cells)))
        rows.append((f"{name}: MB", *(_megabytes(cell) for cell in cells)))
    cells = [results.where(row=row, algorithm="rows").first() for row in networks]
    rows.append(("sorted rows", *map(median_or_reason, cells)))
    rows.append(("sorted rows: with reading", *map(with_reading, cells)))
    rows.append(("sorted rows: MB", *(_megabytes(cell) for cell in cells)))
    rows = [row for row in rows if not str(row[0]).endswith(": with reading") or any(row[1:])]  # where files were read
    rows += engine_rows(results, networks)
    printed_rows: list[tuple[Entry, ...]] = []
    for name, (seconds, megabytes) in printed.VERSIONS.items():
        printed_rows += [(name, *seconds), (f"{name}: MB", *megabytes)]
    return Comparison(
        "Sequential programs: seconds and memory",
        Table(("version", *networks), rows),
        Table(("version", *printed.FIVE), printed_rows),
        "table 4.7, with reading",
        "Median times to build lists or rows and to count; memory of the lists or rows. v0.3, inlining, is left out: "
        "the compiler inlines these functions by itself.",
    )


def _version(results: Results, row: str, version: str) -> Result | None:
    return results.where(lambda result: result.parameters.get("version") == version, row=row, algorithm="lists").first()


def _megabytes(cell: Result | None) -> float | None:
    taken = None if cell is None else cell.facts.get("bytes")
    return taken / _MEGA if isinstance(taken, int) else None


def _speed_ups(results: Results) -> Comparison:
    networks = rows_of(results)
    bases = [baseline(results, row) for row in networks]

    def over(cells: list[Result | None]) -> list[Entry]:
        return [ratio(total(base), total(cell)) for base, cell in zip(bases, cells, strict=True)]

    rows: list[tuple[Entry, ...]] = [
        (name, *over([_version(results, row, version) for row in networks])) for version, name in _LADDER.items()
    ]
    rows.append(("sorted rows", *over([results.where(row=row, algorithm="rows").first() for row in networks])))
    rows.append(("v0.6 queues by set sizes", *over([plain(results, row, "set-sizes") for row in networks])))
    rows.append(("v0.7 queues by estimate", *over([plain(results, row) for row in networks])))
    for device in results.where(algorithm=ENGINE).completed.unique("device"):
        cells = [results.where(row=row, algorithm=ENGINE, device=device).first() for row in networks]
        rows.append((f"engine ({device})", *over(cells)))
    return Comparison(
        "Speed-up over v0.1, with reading",
        Table(("version", *networks), rows),
        Table(
            ("version", *printed.FIVE),
            [*((name, *ups) for name, ups in printed.SPEED_UPS.items()), ("v0.6, 16 threads", *printed.SPEED_UP_06)],
        ),
        "tables 4.6 and 4.10",
    )


def _break_up(results: Results, balance: str) -> Comparison:
    networks = rows_of(results)
    cells = [plain(results, row, balance) for row in networks]
    before = [None if cell is None else cell.loaded + sum(cell.phase(phase) or 0.0 for phase in _PRE) for cell in cells]
    rows: list[tuple[Entry, ...]] = [
        ("read graph, %", *(_percent(cell, (cell.loaded or None) if cell else None) for cell in cells)),
        *(
            (name, *(_percent(cell, cell.phase(phase) if cell else None) for cell in cells))
            for phase, name in (("sets", "neighbour sets, %"), ("queues", "task queues, %"))
        ),
        ("all pre-processing, %", *(_percent(cell, part) for cell, part in zip(cells, before, strict=True))),
        ("census, %", *(_percent(cell, cell.phase("census") if cell else None) for cell in cells)),
        ("all pre-processing, s", *before),
        ("census, s", *(cell.phase("census") if cell else None for cell in cells)),
        ("total, s", *map(total, cells)),
    ]
    rows += engine_rows(results, networks)
    return Comparison(
        "Phases of v0.6, queues by set sizes",
        Table(("phase", *networks), rows),
        Table(("phase", *printed.FIVE), [(name, *values) for name, values in printed.BREAK_UP_06.items()]),
        "table 4.9, 16 threads",
        "R-MAT networks are generated, so their reading time is 0. The engine's rows are seconds without reading.",
    )


def _percent(cell: Result | None, part: float | None) -> float | None:
    share = ratio(part, total(cell))
    return None if share is None else 100 * share


def _threads(results: Results) -> Comparison:
    rows: list[tuple[Entry, ...]] = []
    for row in rows_of(results):
        swept = results.where(
            lambda result: result.parameters.get("balance") == "estimate" and not result.parameters.get("shared"),
            row=row,
            algorithm="queues",
        ).completed
        if not len(swept):
            continue
        best = min(swept, key=lambda result: result.median or 0.0)
        base = baseline(results, row)
        for what, cell in (("as many as processors", plain(results, row)), ("fastest", best)):
            if cell is not None:
                rows.append(
                    (
                        f"{row}, {what}",
                        int(cell.parameters["threads"]),
                        total(cell),
                        cell.phase("census"),
                        sum(cell.phase(name) or 0.0 for name in _PRE) + cell.loaded,
                        cell.loaded or None,
                        cell.phase("sets"),
                        cell.phase("queues"),
                        ratio(total(base), total(cell)),
                    )
                )
    for result in results.where(algorithm=ENGINE).completed:
        up = ratio(total(baseline(results, result.row)), total(result))
        rows.append(
            (
                f"engine ({result.device}), {result.row}",
                None,
                total(result),
                result.phase("count"),
                None,
                result.loaded or None,
                None,
                None,
                up,
            )
        )
    return Comparison(
        "v0.7, queues by estimate: break-up and the best number of threads",
        Table(printed.HEADINGS_07, rows),
        Table(printed.HEADINGS_07, [*printed.AT_16, *printed.AT_BEST]),
        "tables 4.13 (16 threads) and 4.14 (the best)",
        "One queue per thread. Pre-processing is reading, sets and queues.",
    )


def _balances(results: Results) -> Comparison:
    networks = rows_of(results)
    completed = {result.parameters["balance"] for result in results.where(algorithm="queues").completed}
    balances = [name for name in (balance.replace(" ", "-") for balance in BALANCES) if name in completed]
    rows: list[tuple[Entry, ...]] = []
    for balance in balances:
        cells = [plain(results, row, balance) for row in networks]
        rows.append((f"{balance}: queues, s", *(cell.phase("queues") if cell else None for cell in cells)))
        rows.append((f"{balance}: census, s", *(cell.phase("census") if cell else None for cell in cells)))
        rows.append((f"{balance}: both, s", *(_both(cell) for cell in cells)))
    rows += engine_rows(results, networks)
    return Comparison(
        "Load by which queues are cut",
        Table(("load of a queue", *networks), rows),
        place="table 4.8, which has no times",
        note="With as many threads as processors. v0.6 cuts by set sizes, v0.7 by the estimate |N(u)| + |N(v)| - 2.",
    )


def _both(cell: Result | None) -> float | None:
    return None if cell is None else (cell.phase("queues") or 0.0) + (cell.phase("census") or 0.0)
