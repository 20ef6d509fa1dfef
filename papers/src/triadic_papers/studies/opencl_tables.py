"""The OpenCL paper's speed-ups and figure 2, from the measurements."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from triadic_papers.studies.cells import ENGINE
from triadic_papers.studies.figures import Figure, Panel, Series
from triadic_papers.studies.paper_values.opencl import PLACE, SPEED_UPS
from triadic_papers.studies.tables import Comparison, Table, ratio, short_reason

if TYPE_CHECKING:
    from triadic_papers.studies.results import Result, Results
    from triadic_papers.studies.tables import Entry

FIRST_CALL = "opencl-first-call"
KINDS = ("random", "small-world", "scale-free")
_PHASES = ("table", "initialisation", "compilation", "transfer", "compute")


def comparisons(results: Results) -> list[Comparison]:
    """Return the mean speed-ups, all sizes, and the phases of the OpenCL program."""
    return [_averages(results), _sizes(results), _phases(results)]


def figures(results: Results) -> list[Figure]:
    """Return figure 2, and the phases of the OpenCL program."""
    return [
        Figure(
            "figure-2-speed-up",
            "Speed-up over the sequential program, including transfers; initialisation and compilation are included "
            'only in "all phases". Compare with figure 2 of the paper.',
            "scaling factor (elements of the adjacency matrix / 250,000)",
            "speed-up",
            [Panel(kind, _speed_ups(results.where(kind=kind).completed)) for kind in KINDS],
            log_x=True,
            log_y=True,
        ),
        Figure(
            "opencl-phases",
            "Phases of the OpenCL program, median of each.",
            "scaling factor",
            "time (ms)",
            [
                Panel(f"{kind}, {device}", _bars(results, [result for result in cells if result.kind == kind]))
                for (algorithm, device), cells in _by_program(results).items()
                if algorithm == "opencl"
                for kind in KINDS
            ],
            kind="bars",
            log_y=True,
        ),
    ]


def _base(results: Results, result: Result) -> Result | None:
    """Return the sequential cell of the same network, preferably of the same machine."""
    found = results.where(workload=result.workload, algorithm="sequential").completed
    return found.where(machine=result.machine).first() or found.first()


def _at_first(results: Results, result: Result, phase: str) -> float | None:
    """Return the time of a phase in the first call on the device."""
    calls = results.where(algorithm=FIRST_CALL, device=result.device).completed
    of_machine = calls.where(machine=result.machine)
    found = of_machine.where(kind=result.kind).first() or of_machine.first() or calls.first()
    return found.phase(phase) if found else None


def _milliseconds(results: Results, result: Result) -> list[float | None]:
    """Return the phases; initialisation and compilation, which occur once per process, are those of a first call."""
    seconds = [
        _at_first(results, result, name) if name in ("initialisation", "compilation") else result.phase(name)
        for name in _PHASES
    ]
    return [None if value is None else 1e3 * value for value in seconds]


def _speed_up(results: Results, result: Result, *, whole: bool = False) -> float | None:
    base = _base(results, result)
    seconds = sum(value or 0.0 for value in _milliseconds(results, result)) / 1e3 if whole else result.mean
    return ratio(base.mean if base else None, seconds)


def _by_program(results: Results) -> dict[tuple[str, str], list[Result]]:
    """Group the cells by algorithm and device, and by machine if there are several; the engine comes last."""
    found: dict[tuple[str, str], list[Result]] = {}
    for result in sorted(results.completed, key=lambda result: result.algorithm == ENGINE):
        if result.algorithm == FIRST_CALL:
            continue
        found.setdefault((result.algorithm, f"{result.device}{results.machine_suffix(result)}"), []).append(result)
    return found


def _averages(results: Results) -> Comparison:
    rows: list[tuple[Entry, ...]] = []
    for (algorithm, device), cells in _by_program(results).items():
        ways = (False, True) if algorithm == "opencl" else (False,)
        for whole in ways:
            name = f"{algorithm} ({device}){', all phases' if whole else ''}"
            by_kind = [
                [
                    up
                    for result in cells
                    if result.kind == kind and (up := _speed_up(results, result, whole=whole)) is not None
                ]
                for kind in KINDS
            ]
            all_ups = [up for ups in by_kind for up in ups]
            rows.append((name, *(statistics.fmean(ups) if ups else None for ups in (*by_kind, all_ups))))
    rows += [
        (f"{result.algorithm} ({result.device}): {short_reason(result.left_out)}", None, None, None, None)
        for result in _missing(results)
    ]
    rows.sort(key=lambda row: str(row[0]).startswith(ENGINE))
    return Comparison(
        "Speed-up over the sequential program, on average",
        Table(("program", *KINDS, "all"), rows),
        Table(("program", "all"), SPEED_UPS),
        PLACE,
        "Means over the scaling factors. The paper's OpenCL speed-up is for its GPU; PoCL runs on the CPU.",
    )


def _missing(results: Results) -> list[Result]:
    """Return the cells that ran on no network, one for each reason."""
    seen: dict[str, Result] = {}
    for result in results:
        if not result.runs and not len(results.where(algorithm=result.algorithm, device=result.device).completed):
            seen.setdefault(f"{result.algorithm} {result.device} {result.left_out}", result)
    return list(seen.values())


def _sizes(results: Results) -> Comparison:
    programs = _by_program(results)
    rows: list[tuple[Entry, ...]] = []
    for workload in results.completed.unique("workload"):
        cells = results.where(workload=workload).completed
        any_cell = cells.first()
        if any_cell is None:
            continue
        times = [
            next((result for result in column if result.workload == workload), None) for column in programs.values()
        ]
        widest = any_cell.facts.get("d_max")
        rows.append(
            (
                any_cell.kind,
                int(any_cell.size),
                any_cell.vertices,
                any_cell.edges,
                int(widest) if isinstance(widest, int) else None,
                *(None if result is None else 1e3 * (result.mean or 0.0) for result in times),
            )
        )
    headings = [f"{algorithm} ({device}), ms" for algorithm, device in programs]
    return Comparison(
        "Every network", Table(("network", "factor", "V", "edges", "max_links", *headings), rows), place="figure 2"
    )


def _phases(results: Results) -> Comparison:
    rows = [
        (f"{result.workload} on {result.device}{results.machine_suffix(result)}", *_milliseconds(results, result))
        for result in results.where(algorithm="opencl").completed
    ]
    return Comparison(
        "Phases of the OpenCL program",
        Table(("network", *(f"{name}, ms" for name in _PHASES)), rows),
        place="section 5",
        note="Initialisation and compilation are measured in the first call of a new process at factor 1, without "
        "cached kernels. The paper found that at factor 1 initialising, building and allocating take as long "
        "as the sequential program or longer.",
    )


def _speed_ups(results: Results) -> list[Series]:
    found = []
    for (algorithm, device), cells in _by_program(results).items():
        if algorithm == "sequential":
            continue
        for whole in (False, True) if algorithm == "opencl" else (False,):
            points = [
                (result.size, up) for result in cells if (up := _speed_up(results, result, whole=whole)) is not None
            ]
            label = f"{algorithm} on {device}{', all phases' if whole else ''}"
            found.append(Series(label, [x for x, _ in points], [y for _, y in points]))
    return found


def _bars(results: Results, cells: list[Result]) -> list[Series]:
    ordered = sorted(cells, key=lambda result: result.size)
    names = [f"{result.size:g}" for result in ordered]
    parts = [_milliseconds(results, result) for result in ordered]
    return [Series(phase, names, [part[i] or 0.0 for part in parts]) for i, phase in enumerate(_PHASES)]
