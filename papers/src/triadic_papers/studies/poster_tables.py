"""The poster's tables, from the measurements, and times over the degree spread."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from triadic_papers.studies.cells import ENGINE
from triadic_papers.studies.figures import Figure, Panel, Series
from triadic_papers.studies.paper_values import poster as printed
from triadic_papers.studies.tables import Comparison, Table, ratio, short_reason

if TYPE_CHECKING:
    from triadic_papers.studies.results import Result, Results
    from triadic_papers.studies.tables import Entry

REAL, RMAT = "real-world", "RMAT"
_CENTRIC = ("vertex-centric", "edge-centric")


def comparisons(results: Results) -> list[Comparison]:
    """Return the data sets, times, degree spread and time, vertices against edges, and the counters."""
    return [_data_sets(results), _times(results), _spread(results), _centric(results), _profiles(results)]


def figures(results: Results) -> list[Figure]:
    """Return the times over the degree spread, and all programs on all networks."""
    programs: dict[str, list[Result]] = {}
    rows = results.completed.unique("row")
    for result in results.completed:
        if not _is_profile(result):
            programs.setdefault(f"{_label(result)}{results.machine_suffix(result)}", []).append(result)
    return [
        Figure(
            "degree-spread",
            "Time per edge over the standard deviation of degrees, one point per network. The poster leaves open why "
            "its GPU loses on R-MAT and wins on real networks.",
            "standard deviation of degrees",
            "time per edge (ns)",
            [Panel("", [_over_spread(label, cells) for label, cells in programs.items() if "node" not in label])],
            kind="points",
            log_x=True,
            log_y=True,
        ),
        Figure(
            "cpu-and-gpu",
            "Every program on every network; bars are standard deviations.",
            "network",
            "time (s)",
            [Panel("", [_over_networks(label, cells, rows) for label, cells in programs.items()])],
            kind="bars",
            log_y=True,
        ),
    ]


def _over_spread(label: str, cells: list[Result]) -> Series:
    ordered = sorted((result for result in cells if result.edges), key=lambda result: float(result.facts["d_std"]))
    nanoseconds = [1e9 * (result.median or 0.0) / result.edges for result in ordered]
    return Series(label, [float(result.facts["d_std"]) for result in ordered], nanoseconds)


def _over_networks(label: str, cells: list[Result], rows: list[str]) -> Series:
    """Return one bar per network; a network without a value keeps its position."""
    by_row = {result.row: result for result in cells}
    medians = [by_row[row].median if row in by_row else None for row in rows]
    stds = [by_row[row].std if row in by_row else None for row in rows]
    return Series(label, rows, [median or math.nan for median in medians], [std or 0.0 for std in stds])


def _is_profile(result: Result) -> bool:
    return result.algorithm.startswith("profile")


def _label(result: Result) -> str:
    return f"{result.algorithm} on {result.device}"


def _columns(results: Results) -> dict[tuple[str, str], str]:
    """Return the label of every algorithm on every device, the engine last."""
    found = dict.fromkeys((result.algorithm, result.device) for result in results.completed if not _is_profile(result))
    ordered = sorted(found, key=lambda pair: pair[0] == ENGINE)
    return {pair: f"{pair[0]} ({pair[1]})" for pair in ordered}


def _data_sets(results: Results) -> Comparison:
    rows: list[tuple[Entry, ...]] = []
    for row in results.completed.unique("row"):
        cell = results.where(row=row).completed.first()
        if cell is not None:
            rows.append((row, cell.vertices, cell.edges, cell.source))
    rows += [(result.row, None, None, result.left_out) for result in results.where(device="any")]
    rows += [(name, None, None, "not run") for name in printed.GRAPHS if name not in results.unique("row")]
    return Comparison(
        "Data sets",
        Table(("graph", "vertices", "edges", "what it is"), rows),
        Table(("graph", "vertices", "edges"), printed.DATA_SETS),
        "table of the data sets",
        "The edges of R-MAT networks are counted after loops and repeats are dropped.",
    )


def _times(results: Results) -> Comparison:
    networks = results.completed.unique("row")
    rows: list[tuple[Entry, ...]] = []
    for (algorithm, device), name in _columns(results).items():
        cells = [results.where(row=row, algorithm=algorithm, device=device).first() for row in networks]
        rows.append((name, *map(_median_or_reason, cells)))
    return Comparison(
        "Running times, s",
        Table(("program", *networks), rows),
        Table(("program", *printed.GRAPHS), printed.TIMES),
        "table of running times",
    )


def _median_or_reason(cell: Result | None) -> Entry:
    if cell is None:
        return None
    return short_reason(cell.left_out) if cell.median is None else cell.median


def _spread(results: Results) -> Comparison:
    columns = _columns(results)
    rows: list[tuple[Entry, ...]] = []
    for row in results.completed.unique("row"):
        cells = results.where(row=row).completed
        known = cells.where(lambda result: "d_max" in result.facts).first()
        if known is None:
            continue
        medians = [_median(cells, algorithm, device) for algorithm, device in columns]
        cpu = [_median(cells, algorithm, "cpu") for algorithm in _CENTRIC]
        gpu = [result.median for result in cells if result.algorithm in _CENTRIC and result.device != "cpu"]
        best = ratio(_least(cpu), _least(gpu))
        rows.append((row, known.kind, int(known.facts["d_max"]), float(known.facts["d_std"]), *medians, best))
    headings = [f"{name}, s" for name in columns.values()]
    return Comparison(
        "Degree spread and time",
        Table(("graph", "type", "d_max", "std of degrees", *headings, "CPU / GPU"), rows),
        Table(("graph", "type", "d_max", "std of degrees", "CPU, s", "GPU (Kepler), s"), printed.SPREAD),
        "table of degree distributions",
        "CPU / GPU compares the faster of the vertex- and edge-centric programs on each: above 1 the GPU wins.",
    )


def _median(cells: Results, algorithm: str, device: str) -> float | None:
    found = cells.where(algorithm=algorithm, device=device).first()
    return found.median if found else None


def _least(values: list[float | None]) -> float | None:
    return min((value for value in values if value is not None), default=None)


def _centric(results: Results) -> Comparison:
    rows: list[tuple[Entry, ...]] = []
    for edge in results.where(algorithm="edge-centric").completed:
        vertex = results.where(
            row=edge.row, device=edge.device, machine=edge.machine, algorithm="vertex-centric"
        ).completed.first()
        engine = results.where(
            row=edge.row, device=edge.device, machine=edge.machine, algorithm=ENGINE
        ).completed.first()
        vertex_median = vertex.median if vertex else None
        rows.append(
            (
                f"{edge.row} on {edge.device}",
                vertex_median,
                edge.median,
                ratio(vertex_median, edge.median),
                engine.median if engine else None,
            )
        )
    return Comparison(
        "By vertices and by edges",
        Table(("graph", "vertex-centric, s", "edge-centric, s", "vertex / edge", "engine, s"), rows),
        place="the poster's figures",
        note='The poster: "edge-centric is constantly better than vertex-centric".',
    )


def _profiles(results: Results) -> Comparison:
    cells = results.where(_is_profile)
    rows: list[tuple[Entry, ...]] = []
    for result in cells:
        name = f"{result.row}, {result.algorithm.removeprefix('profile-')} on {result.device}"
        if result.runs:
            rows.append((name, *(_number(result.facts.get(metric)) for metric in printed.METRICS)))
        else:
            rows.append((name, short_reason(result.left_out), *[None] * (len(printed.METRICS) - 1)))
    if not len(cells):
        rows.append(("not read: --profile reads them", *[None] * len(printed.METRICS)))
    return Comparison(
        "The card's counters",
        Table(("graph", *printed.METRICS), rows),
        Table(("graph", *printed.METRICS), printed.PROFILES),
        "table of metrics",
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None
