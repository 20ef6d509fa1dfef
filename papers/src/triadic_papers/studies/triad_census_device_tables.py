"""The thesis's tables of estimates, memory and the GPU (chapter 5 and table 4.12), from the measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic_papers.studies.cells import ENGINE
from triadic_papers.studies.paper_values import triad_census as printed
from triadic_papers.studies.tables import Comparison, Table, ratio, short_reason
from triadic_papers.studies.triad_census_cells import baseline, engine_rows, plain, rows_of, total

if TYPE_CHECKING:
    from triadic_papers.studies.results import Results
    from triadic_papers.studies.tables import Entry

_MEGA = 1e6


def estimates(results: Results) -> Comparison:
    """Return table 4.12: three estimates of the work."""
    networks = rows_of(results)
    cells = [results.where(row=row, algorithm="estimates").completed.first() for row in networks]

    def values(name: str) -> list[Entry]:
        return [int(cell.facts[name]) if cell else None for cell in cells]

    return Comparison(
        "Estimates of the work",
        Table(
            ("over all canonical dyads", *networks),
            [
                ("authors': |N(u)| + |N(v)|", *values("authors")),
                ("the thesis's: |N(u)| + |N(v)| - 2", *values("estimate")),
                ("exact: |S|", *values("set_sizes")),
            ],
        ),
        Table(
            ("over all canonical dyads", *printed.FIVE),
            [("authors'", *printed.AUTHORS), ("the thesis's", *printed.ESTIMATE)],
        ),
        "table 4.12",
    )


def arrays(results: Results) -> Comparison:
    """Compare one census array shared by all threads with one per thread."""
    networks = rows_of(results)
    shared = [
        results.where(
            lambda result: bool(result.parameters.get("shared")), row=row, algorithm="queues"
        ).completed.first()
        for row in networks
    ]
    private = [plain(results, row) for row in networks]
    rows: list[tuple[Entry, ...]] = [
        (
            "one census for all threads, with atomic additions",
            *(cell.phase("census") if cell else None for cell in shared),
        ),
        ("one census per thread", *(cell.phase("census") if cell else None for cell in private)),
    ]
    rows += engine_rows(results, networks)
    return Comparison(
        "The census array shared or private: seconds of counting",
        Table(("census", *networks), rows),
        place="section 4.3.2, which has no times",
        note="The thesis found one census per thread faster.",
    )


def memory(results: Results) -> Comparison:
    """Return tables 5.1 and 5.2."""
    rows: list[tuple[Entry, ...]] = []
    for row in rows_of(results):
        cell = results.where(row=row, algorithm="estimates").completed.first()
        if cell is not None:
            every, reused, others = (int(cell.facts[name]) / _MEGA for name in ("all_sets", "reused", "others"))
            rows.append((row, every, others, every + others, reused + others))
    headings = ("network", "all sets, MB", "the rest, MB", "together, MB", "with one buffer per thread, MB")
    return Comparison(
        "Memory on the GPU",
        Table(headings, rows),
        Table(headings, printed.MEMORY),
        "tables 5.1 and 5.2, words of 64 bits",
        "Here vertices are 32-bit words; 30,720 threads.",
    )


def gpu(results: Results) -> Comparison:
    """Return tables 5.4 and 5.11."""
    rows: list[tuple[Entry, ...]] = []
    for result in results.where(algorithm="gpu"):
        place = "shared memory" if result.parameters.get("shared") else "global memory"
        if not result.runs:
            rows.append((f"{result.row} on {result.device}", place, short_reason(result.left_out), *[None] * 4))
            continue
        threads = [
            whole
            for cell in results.where(row=result.row, algorithm="queues").completed
            if (whole := total(cell)) is not None
        ]
        rows.append(
            (
                f"{result.row} on {result.device}",
                place,
                total(result),
                result.phase("census"),
                sum(result.phase(name) or 0.0 for name in ("sets", "queues", "copy")) + result.loaded,
                ratio(min(threads, default=None), total(result)),
                ratio(total(baseline(results, result.row)), total(result)),
            )
        )
    for result in results.where(algorithm=ENGINE).completed:
        up = ratio(total(baseline(results, result.row)), total(result))
        rows.append(
            (f"engine ({result.device}), {result.row}", None, total(result), result.phase("count"), None, None, up)
        )
    return Comparison(
        "The census on a GPU, in global and in shared memory",
        Table(printed.HEADINGS_GPU, rows),
        Table(printed.HEADINGS_GPU, printed.GPU),
        "tables 5.4 and 5.11",
        "Totals with reading; pre-processing is reading, rows, queues and the copy to the device.",
    )
