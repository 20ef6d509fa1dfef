"""Table 1 of the FGLT report, from the measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic_papers.studies.cells import ENGINE
from triadic_papers.studies.figures import Figure, Panel, Series
from triadic_papers.studies.paper_values import fglt as printed
from triadic_papers.studies.tables import Comparison, Table, ratio, short_reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from triadic_papers.studies.results import Results
    from triadic_papers.studies.tables import Entry

_THREADS, _GRID, _BEST_GRID = 32, 256, 1024


def comparisons(results: Results) -> list[Comparison]:
    """Return the matrices, tables 1a and 1b, and the effect of streams."""
    return [
        _matrices(results),
        _table_1(results, "grid", printed.BY_BLOCKS, printed.CPU_A, printed.PLACE_A),
        _table_1(results, "block", printed.BY_THREADS, printed.CPU_B, printed.PLACE_B),
        _streams(results),
    ]


def figures(results: Results) -> list[Figure]:
    """Return table 1 as curves."""
    found = []
    for parameter, values, label in (("grid", printed.BY_BLOCKS, "blocks"), ("block", printed.BY_THREADS, "threads")):
        panels = []
        for device in _devices(results):
            series = []
            for row in results.completed.unique("row"):
                cells = [(value, _cells(results, row, device, parameter, value).completed.first()) for value in values]
                points = [(value, 1e3 * (cell.median or 0.0)) for value, cell in cells if cell is not None]
                series.append(Series(row, [x for x, _ in points], [y for _, y in points]))
            panels.append(Panel(device, series))
        found.append(
            Figure(
                f"table-1-{label}",
                f"Median time end to end over the number of {label}. The report prints only a table.",
                "blocks of 32 threads" if parameter == "grid" else "threads in each of 256 blocks",
                "time (ms)",
                panels,
                log_x=True,
                log_y=True,
            )
        )
    return found


def _devices(results: Results) -> list[str]:
    return results.where(algorithm="fglt").completed.unique("device")


def _cells(results: Results, row: str, device: str, parameter: str, value: int) -> Results:
    wanted = {"grid": _GRID, "block": _THREADS, parameter: value}
    return results.where(
        lambda result: _has(result.parameters, wanted) and bool(result.parameters.get("overlap")),
        row=row,
        device=device,
        algorithm="fglt",
    )


def _has(parameters: Mapping[str, object], wanted: Mapping[str, object]) -> bool:
    return all(parameters.get(name) == value for name, value in wanted.items())


def _matrices(results: Results) -> Comparison:
    rows: list[tuple[Entry, ...]] = []
    for row in results.completed.unique("row"):
        cell = results.where(row=row).completed.first()
        if cell is not None:
            rows.append((row, cell.vertices, 2 * cell.edges))
    return Comparison(
        "The matrices",
        Table(("matrix", "columns", "non-zero elements"), rows),
        Table(
            ("matrix", "columns", "non-zero elements"),
            list(zip(printed.GRAPHS, printed.COLUMNS, printed.NON_ZEROS, strict=True)),
        ),
        "section 3",
    )


def _table_1(
    results: Results, parameter: str, values: Mapping[int, Sequence[int]], cpu: Sequence[int], place: str
) -> Comparison:
    networks = results.completed.unique("row")
    what = "blocks" if parameter == "grid" else "threads"
    rows: list[tuple[Entry, ...]] = [
        ("CPU, serial", *(_median(results.where(row=row, algorithm="serial")) for row in networks)),
        ("CPU, all threads", *(_median(results.where(row=row, algorithm="threads")) for row in networks)),
    ]
    for device in _devices(results):
        for value in values:
            medians = [_median(_cells(results, row, device, parameter, value)) for row in networks]
            rows.append((f"{value} {what}, {device}", *medians))
    rows += [
        (f"left out on {result.device}: {result.left_out}", *[None] * len(networks))
        for result in results.where(lambda result: not result.runs, workload="all")
    ]
    for device in results.where(algorithm=ENGINE).completed.unique("device"):
        medians = [_median(results.where(row=row, algorithm=ENGINE, device=device)) for row in networks]
        rows.append((f"engine ({device})", *medians))
    return Comparison(
        f"Milliseconds by the number of {what}",
        Table((what, *networks), rows),
        Table(
            (what, *printed.GRAPHS),
            [("CPU", *cpu), *_named(values, what)],
        ),
        place,
        "Medians. GPU times are end to end, from rows in the host's memory to results in the host's memory.",
    )


def _named(values: Mapping[int, Sequence[int]], what: str) -> list[tuple[Entry, ...]]:
    return [(f"{value} {what}", *milliseconds) for value, milliseconds in values.items()]


def _median(results: Results) -> Entry:
    found = results.first()
    if found is None:
        return None
    return short_reason(found.left_out) if found.median is None else 1e3 * found.median


def _streams(results: Results) -> Comparison:
    rows: list[tuple[Entry, ...]] = []
    wanted = {"grid": _BEST_GRID, "block": _THREADS}
    for off in results.where(lambda result: result.parameters.get("overlap") is False, algorithm="fglt").completed:
        on = results.where(
            lambda result: _has(result.parameters, wanted) and result.parameters.get("overlap") is True,
            row=off.row,
            device=off.device,
            machine=off.machine,
        ).completed.first()
        if on is not None and on.median is not None and off.median is not None:
            rows.append((off.row, off.device, 1e3 * off.median, 1e3 * on.median, ratio(off.median, on.median)))
    return Comparison(
        "Streams and events",
        Table(("matrix", "device", "off, ms", "on, ms", "off / on"), rows),
        place="section 2.2",
        note=f"{_BEST_GRID} blocks of {_THREADS} threads. The report uses streams but prints no times without them. "
        "An OpenCL device has one queue, so nothing runs at the same time.",
    )
