"""CSTN-117's table 2 and figures 4 and 5, from the measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic_papers.studies.cells import ENGINE
from triadic_papers.studies.figures import Figure, Panel, Series
from triadic_papers.studies.paper_values.cstn117 import COEFFICIENT, PLACE, SIZES, TABLE_2
from triadic_papers.studies.slopes import log_slope
from triadic_papers.studies.tables import Comparison, Table, ratio

if TYPE_CHECKING:
    from triadic_papers.studies.paper_values.cstn117 import Row
    from triadic_papers.studies.results import Result, Results
    from triadic_papers.studies.tables import Entry

_LEFT_OUT_POINTS = 3  # small networks do not occupy several GPUs
_KINDS = ("small-world", "scale-free")


def comparisons(results: Results) -> list[Comparison]:
    """Return table 2 for each kind of network, the networks, and whether "auto" chose the faster kernel."""
    return [*(_table_2(results, kind) for kind in _KINDS), _networks(results), _choices(results)]


def figures(results: Results) -> list[Figure]:
    """Return figures 4 and 5: mean milliseconds over V, with standard deviations."""
    return [_figure(results, number, kind) for number, kind in ((4, "small-world"), (5, "scale-free"))]


def _figure(results: Results, number: int, kind: str) -> Figure:
    completed = results.where(kind=kind).completed
    kernels = ("kernel-1", "kernel-2", "kernel-auto")
    compared_kernel = "kernel-1" if kind == "small-world" else "kernel-2"
    panels = [
        Panel(
            "as in the paper",
            _series(
                completed.where(lambda result: result.algorithm == compared_kernel or result.algorithm not in kernels)
            ),
        ),
        Panel(
            "one GPU", _series(completed.where(lambda result: result.algorithm in kernels and "," not in result.device))
        ),
    ]
    return Figure(
        f"figure-{number}-{kind}",
        f"Mean time over the number of vertices, {kind} networks; bars are standard deviations. Compare with figure "
        f"{number} of the paper.",
        "vertices",
        "time (ms)",
        [panel for panel in panels if panel.series],
        log_x=True,
        log_y=True,
    )


def _series(results: Results) -> list[Series]:
    found = []
    groups: dict[str, list[Result]] = {}
    for result in sorted(
        results, key=lambda result: (result.algorithm == ENGINE, result.device.count(","), result.size)
    ):
        groups.setdefault(f"{_label(result)}{results.machine_suffix(result)}", []).append(result)
    for label, points in groups.items():
        found.append(
            Series(
                label,
                [result.size for result in points],
                [1e3 * (result.mean or 0.0) for result in points],
                [1e3 * (result.std or 0.0) for result in points],
            )
        )
    return found


def _label(result: Result) -> str:
    device = "" if result.device == "cpu" else f" on {result.device}"
    fetched = ", prefetch" if result.parameters.get("prefetch") else ""
    return f"{result.algorithm}{device}{fetched}"


def _table_2(results: Results, kind: str) -> Comparison:
    printed, of_kind = TABLE_2[kind], results.where(kind=kind)
    rows = [row for printed_row in printed for row in _rows_of(results, kind, printed_row)]
    engines = of_kind.where(algorithm=ENGINE).completed
    for machine, device in sorted(dict.fromkeys((result.machine, result.device) for result in engines), key=_by_cards):
        cells = engines.where(machine=machine, device=device)
        rows.append(
            (f"engine on {device}{results.machine_suffix(next(iter(cells)))}", "", *_measured(cells, of_kind, None), "")
        )
    return Comparison(
        f"Speed-up and scaling: {kind}",
        Table(("device", "compared with", "S1", "S2", "slope", "V", "ms", "runs", ""), rows),
        Table(("device", "S1", "S2", "slope"), [(row.device, row.s1, row.s2, row.slope) for row in printed]),
        PLACE,
        "S1 is the speed-up over the sequential program, S2 over a single device of the same kind, both on the largest "
        "network that both ran on; without such a run on this machine, one of another machine is used. V and ms are "
        "the largest network and its mean time. The slope is the least-squares slope of log time over log V, without "
        f"the first {_LEFT_OUT_POINTS} sizes for several GPUs. Kernels that prefetch neighbours into shared memory are "
        "compared with the GTX295, kernels without with the GTX480.",
    )


def _rows_of(results: Results, kind: str, row: Row) -> list[tuple[Entry, ...]]:
    """Return the rows measured for a device of the paper, or one row with the reason why there are none."""
    cells = results.where(lambda result: _stands_for(result, row), kind=kind, algorithm=row.algorithm)
    found: list[tuple[Entry, ...]] = []
    for machine, device in dict.fromkeys((result.machine, result.device) for result in cells.completed):
        mine = cells.completed.where(machine=machine, device=device)
        one = next(iter(mine))
        found.append(
            (
                f"{_label(one)}{results.machine_suffix(one)}",
                row.device,
                *_measured(mine, results.where(kind=kind), row),
                "",
            )
        )
    if found:
        return found
    missing = results.where(
        lambda result: result.parameters.get("cards") == row.cards, row=kind, algorithm=row.algorithm
    )
    reasons = [*cells.unique("left_out"), *missing.unique("left_out"), "--only left it out"]
    return [("", row.device, *[None] * 6, reasons[0])]


def _stands_for(result: Result, row: Row) -> bool:
    if row.cards == 0 or result.device == "cpu":
        return row.cards == 0 and result.device == "cpu"
    return result.device.count(",") + 1 == row.cards and result.parameters.get("prefetch") == row.prefetch


def _measured(cells: Results, results: Results, row: Row | None) -> tuple[Entry, ...]:
    """Return S1, S2, the slope, the largest V with its milliseconds, and the number of runs."""
    machine = cells.unique("machine")[0]
    alone = results.where(algorithm="sequential", device="cpu").completed
    alone = alone.where(machine=machine) if len(alone.where(machine=machine)) else alone
    single = alone
    if row is not None and row.cards:
        one = row._replace(cards=1)
        single = results.where(lambda result: _stands_for(result, one), algorithm=row.algorithm).completed
        single = single.where(machine=machine) if len(single.where(machine=machine)) else single
    points = sorted(cells, key=lambda result: result.size)
    largest = points[-1]
    if row is not None and row.cards > 1:
        points = points[_LEFT_OUT_POINTS:]
    return (
        _speed_up(alone, cells),
        None if row is None or row.algorithm == "cell" else _speed_up(single, cells),
        log_slope([result.size for result in points], [result.mean or 1.0 for result in points]),
        int(largest.size),
        1e3 * (largest.mean or 0.0),
        len(largest.runs),
    )


def _by_cards(machine_and_device: tuple[str, str]) -> tuple[bool, int]:
    return machine_and_device[1] != "cpu", machine_and_device[1].count(",")


def _speed_up(base: Results, cells: Results) -> float | None:
    """Return the speed-up of the cells on the largest network that both ran on."""
    shared = sorted({result.size for result in base} & {result.size for result in cells})
    if not shared:
        return None
    of, to = base.where(size=shared[-1]).first(), cells.where(size=shared[-1]).first()
    return ratio(of.mean if of else None, to.mean if to else None)


def _networks(results: Results) -> Comparison:
    rows: list[tuple[Entry, ...]] = []
    for workload in results.completed.unique("workload"):
        cells = results.where(workload=workload).completed
        known = next((result for result in cells if "C" in result.facts), cells.first())
        if known is not None:
            coefficient = known.facts.get("C")
            rows.append(
                (workload, known.vertices, known.edges, coefficient if isinstance(coefficient, float) else None)
            )
    return Comparison(
        "The networks",
        Table(("network", "vertices", "edges", "C"), rows),
        Table(("network", "vertices", "C"), [(kind, SIZES[kind], COEFFICIENT[kind]) for kind in _KINDS]),
        "section 3",
    )


def _choices(results: Results) -> Comparison:
    rows: list[tuple[Entry, ...]] = []
    for auto in results.where(algorithm="kernel-auto").completed:
        same_network = results.where(workload=auto.workload, device=auto.device, machine=auto.machine).completed
        times = {kernel: _plain(same_network, kernel) for kernel in (1, 2)}
        chose = auto.facts.get("chose")
        if times[1] is None or times[2] is None:
            continue
        faster = 1 if times[1] <= times[2] else 2
        verdict = "yes" if chose == faster else "no"
        rows.append((auto.workload, auto.device, 1e3 * times[1], 1e3 * times[2], faster, int(chose or 0), verdict))
    return Comparison(
        'Did "auto" choose the faster kernel?',
        Table(("network", "device", "kernel 1, ms", "kernel 2, ms", "faster", "chose", "right"), rows),
        place="section 3",
        note="The paper suggests choosing by the structure of the network, but not how.",
    )


def _plain(results: Results, kernel: int) -> float | None:
    found = results.where(lambda result: not result.parameters.get("prefetch"), algorithm=f"kernel-{kernel}").first()
    return found.median if found else None
