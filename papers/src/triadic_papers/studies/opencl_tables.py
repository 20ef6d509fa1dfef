"""The OpenCL paper's speed-ups and figure 2 of what was measured."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from triadic_papers.studies.cells import ENGINE
from triadic_papers.studies.figures import Figure, Panel, Series
from triadic_papers.studies.paper_values.opencl import PLACE, SPEED_UPS
from triadic_papers.studies.tables import Comparison, Table, ratio, why

if TYPE_CHECKING:
    from triadic_papers.studies.results import Result, Results
    from triadic_papers.studies.tables import Entry

FIRST_CALL = "opencl-first-call"
KINDS = ("random", "small-world", "scale-free")
_PHASES = ("table", "initialisation", "compilation", "transfer", "compute")


def comparisons(results: Results) -> list[Comparison]:
    """Give the average speed-ups, every size, and where OpenCL's time goes."""
    return [_averages(results), _sizes(results), _phases(results)]


def figures(results: Results) -> list[Figure]:
    """Give figure 2, and OpenCL's time by phase."""
    return [
        Figure(
            "figure-2-speed-up",
            "Speed-up over the sequential program; transfers are included, initialisation and compilation only where "
            "said. Beside figure 2 of the paper.",
            "scaling factor (elements of the adjacency matrix / 250,000)",
            "speed-up",
            [Panel(kind, _speed_ups(results.where(kind=kind).ran)) for kind in KINDS],
            log_x=True,
            log_y=True,
        ),
        Figure(
            "opencl-phases",
            "Where the time of the OpenCL program goes, median of each phase.",
            "scaling factor",
            "time (ms)",
            [
                Panel(f"{kind}, {device}", _bars(results, [each for each in cells if each.kind == kind]))
                for (algorithm, device), cells in _kept(results).items()
                if algorithm == "opencl"
                for kind in KINDS
            ],
            kind="bars",
            log_y=True,
        ),
    ]


def _base(results: Results, result: Result) -> Result | None:
    """Give the sequential cell of the same network, of the same machine if it has one."""
    found = results.where(workload=result.workload, algorithm="sequential").ran
    return found.where(machine=result.machine).first() or found.first()


def _at_first(results: Results, result: Result, phase: str) -> float | None:
    """Give a phase as the first call on the device had it."""
    calls = results.where(algorithm=FIRST_CALL, device=result.device).ran
    of_machine = calls.where(machine=result.machine)
    found = of_machine.where(kind=result.kind).first() or of_machine.first() or calls.first()
    return found.phase(phase) if found else None


def _milliseconds(results: Results, result: Result) -> list[float | None]:
    """Give the phases; initialisation and compilation, which a process has once, are those of a first call."""
    seconds = [
        _at_first(results, result, name) if name in ("initialisation", "compilation") else result.phase(name)
        for name in _PHASES
    ]
    return [None if each is None else 1e3 * each for each in seconds]


def _speed_up(results: Results, result: Result, *, whole: bool = False) -> float | None:
    base = _base(results, result)
    seconds = sum(each or 0.0 for each in _milliseconds(results, result)) / 1e3 if whole else result.mean
    return ratio(base.mean if base else None, seconds)


def _kept(results: Results) -> dict[tuple[str, str], list[Result]]:
    """Sort the cells by algorithm and device, and machine if there are several, the engine last."""
    found: dict[tuple[str, str], list[Result]] = {}
    for each in sorted(results.ran, key=lambda result: result.algorithm == ENGINE):
        if each.algorithm == FIRST_CALL:
            continue
        found.setdefault((each.algorithm, f"{each.device}{results.machine_of(each)}"), []).append(each)
    return found


def _averages(results: Results) -> Comparison:
    rows: list[tuple[Entry, ...]] = []
    for (algorithm, device), cells in _kept(results).items():
        ways = (False, True) if algorithm == "opencl" else (False,)
        for whole in ways:
            name = f"{algorithm} ({device}){', all phases' if whole else ''}"
            by_kind = [
                [
                    up
                    for each in cells
                    if each.kind == kind and (up := _speed_up(results, each, whole=whole)) is not None
                ]
                for kind in KINDS
            ]
            every = [up for ups in by_kind for up in ups]
            rows.append((name, *(statistics.fmean(ups) if ups else None for ups in (*by_kind, every))))
    rows += [
        (f"{each.algorithm} ({each.device}): {why(each.left_out)}", None, None, None, None)
        for each in _missing(results)
    ]
    rows.sort(key=lambda row: str(row[0]).startswith(ENGINE))
    return Comparison(
        "Speed-up over the sequential program, on average",
        Table(("program", *KINDS, "all"), rows),
        Table(("program", "all"), SPEED_UPS),
        PLACE,
        "Means over the scaling factors. The paper's OpenCL figure is of its GPU; PoCL runs on the CPU.",
    )


def _missing(results: Results) -> list[Result]:
    """Give what ran on no network, once for each reason."""
    seen: dict[str, Result] = {}
    for each in results:
        if not each.runs and not len(results.where(algorithm=each.algorithm, device=each.device).ran):
            seen.setdefault(f"{each.algorithm} {each.device} {each.left_out}", each)
    return list(seen.values())


def _sizes(results: Results) -> Comparison:
    kept = _kept(results)
    rows: list[tuple[Entry, ...]] = []
    for workload in results.ran.different("workload"):
        cells = results.where(workload=workload).ran
        any_cell = cells.first()
        if any_cell is None:
            continue
        times = [next((each for each in column if each.workload == workload), None) for column in kept.values()]
        widest = any_cell.facts.get("d_max")
        rows.append(
            (
                any_cell.kind,
                int(any_cell.size),
                any_cell.vertices,
                any_cell.edges,
                int(widest) if isinstance(widest, int) else None,
                *(None if each is None else 1e3 * (each.mean or 0.0) for each in times),
            )
        )
    headings = [f"{algorithm} ({device}), ms" for algorithm, device in kept]
    return Comparison(
        "Every network", Table(("network", "factor", "V", "edges", "max_links", *headings), rows), place="figure 2"
    )


def _phases(results: Results) -> Comparison:
    rows = [
        (f"{each.workload} on {each.device}{results.machine_of(each)}", *_milliseconds(results, each))
        for each in results.where(algorithm="opencl").ran
    ]
    return Comparison(
        "Where OpenCL's time goes",
        Table(("network", *(f"{name}, ms" for name in _PHASES)), rows),
        place="section 5",
        note="Initialisation and compilation are those of the first call in a fresh process, at factor 1, with no "
        "kernel kept from before. The paper found that at factor 1 initialising, building and allocating take as long "
        "as the sequential program or longer.",
    )


def _speed_ups(results: Results) -> list[Series]:
    found = []
    for (algorithm, device), cells in _kept(results).items():
        if algorithm == "sequential":
            continue
        for whole in (False, True) if algorithm == "opencl" else (False,):
            points = [(each.size, up) for each in cells if (up := _speed_up(results, each, whole=whole)) is not None]
            label = f"{algorithm} on {device}{', all phases' if whole else ''}"
            found.append(Series(label, [x for x, _ in points], [y for _, y in points]))
    return found


def _bars(results: Results, cells: list[Result]) -> list[Series]:
    ordered = sorted(cells, key=lambda each: each.size)
    names = [f"{each.size:g}" for each in ordered]
    parts = [_milliseconds(results, each) for each in ordered]
    return [Series(phase, names, [part[i] or 0.0 for part in parts]) for i, phase in enumerate(_PHASES)]
