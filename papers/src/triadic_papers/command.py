"""``triadic study``: a paper's experiment run again, and its page."""

# typer reads annotations while the program runs, so they are not postponed here nor in the commands.

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triadic.cli.options import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic_papers.studies.cells import Cell
    from triadic_papers.studies.folder import ResultFolder
    from triadic_papers.studies.results import Result
    from triadic_papers.studies.runner import Settings
    from triadic_papers.studies.study import Asked, Study

DIFFERS = 1


def study(
    name: Annotated[str, typer.Argument(metavar="NAME", help="cstn117, opencl, poster, triad-census or fglt.")],
    merge: Annotated[
        list[str] | None,
        typer.Argument(metavar="[merge DIR...]", help="Join results of several machines, without running anything."),
    ] = None,
    *,
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help="Sizes of the networks: smoke, small or paper; small by default.", show_default=False
        ),
    ] = None,
    devices: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="cpu, opencl:0, cuda:0 ... with commas between; cuda:0,1 for two cards together. "
            "By default the CPU, and all CUDA cards or else an OpenCL device.",
            show_default=False,
        ),
    ] = None,
    graph: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FILE", help="A network by path, under the name that the table has.", show_default=False
        ),
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option(metavar="N", help="Runs of a cell, at least 3. By default the paper's.", show_default=False),
    ] = None,
    cell_budget: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="No further run of a cell after so long.", show_default=False),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="CELLS", help="Only the cells of these names; * is allowed.", show_default=False),
    ] = None,
    list_cells: Annotated[bool, typer.Option("--list", help="Name the cells and stop.")] = False,
    profile: Annotated[bool, typer.Option("--profile", help="poster: read the card's counters too.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="Where results go, study-NAME by default.", show_default=False
        ),
    ] = None,
    progress: Progress = None,
) -> None:
    """Run a paper's experiment again and write its tables, figures and page.

    A study that was stopped goes on where it was: what is finished is not run again.
    """
    from triadic_papers.studies import find_study

    found = find_study(name)
    target = Path(f"study-{name}") if output is None else output
    if merge:
        _merge(found, merge, target, scale)
        return
    asked = _asked(found, scale or "small", devices, graph or [], profile=profile)
    from triadic_papers.studies.runner import LEAST_RUNS, Settings, chosen

    cells = chosen(found.cells(asked), only or [])
    if list_cells:
        typer.echo("\n".join(cell.name for cell in cells))
        return
    runs = found.repeats[asked.scale] if repeats is None else repeats
    budget = found.budget[asked.scale] if cell_budget is None else cell_budget
    _at_least("--repeats", runs, LEAST_RUNS)
    _at_least("--cell-budget", budget, 0)
    _run(found, asked, cells, Settings(runs, budget), target, progress)


def _asked(found: "Study", scale: str, devices: str | None, graphs: list[str], *, profile: bool) -> "Asked":
    from triadic.errors import ArgumentError
    from triadic_papers.studies.devices import find_devices
    from triadic_papers.studies.study import Asked, check_scale

    if profile and found.name != "poster":
        raise ArgumentError(f"--profile belongs to the study poster; study {found.name} has no counters to read")
    checked = check_scale(scale)
    return Asked(checked, find_devices(devices), _graphs(found, graphs), profile)


def _graphs(found: "Study", words: list[str]) -> dict[str, Path]:
    from triadic.errors import ArgumentError, MissingFileError

    graphs: dict[str, Path] = {}
    for word in words:
        name, equals, path = word.partition("=")
        if not equals or not name or not path:
            raise ArgumentError(f"--graph {word}: expected NAME=FILE")
        if not found.graphs:
            raise ArgumentError(f"--graph {word}: study {found.name} makes its networks itself")
        if name not in found.graphs and not found.any_graph:
            raise ArgumentError(f"--graph {word}: study {found.name} has networks named {', '.join(found.graphs)}")
        if name in graphs or "/" in name or "," in name:
            raise ArgumentError(f"--graph {word}: expected a name of its own, without / and ,")
        if not Path(path).exists():
            raise MissingFileError(path, "there is no such file")
        graphs[name] = Path(path)
    return graphs


def _at_least(option: str, value: float, least: float) -> None:
    from triadic.errors import ArgumentError

    if not value >= least:
        raise ArgumentError(f"{option} {value:g}: expected at least {least:g}")


def _run(
    found: "Study", asked: "Asked", cells: "Sequence[Cell]", settings: "Settings", target: Path, progress: bool | None
) -> None:
    """Run the cells; whatever stops it, the results of what is done are written."""
    from triadic.cli.networks import wants_progress
    from triadic_papers.studies import report
    from triadic_papers.studies.folder import ResultFolder
    from triadic_papers.studies.machine import describe
    from triadic_papers.studies.runner import check_files, run_cells

    machine = describe(asked.devices.names)
    folder = ResultFolder(target, found.name, asked.scale)
    folder.add_machine(machine)
    for complaint in report.missing_packages():
        typer.echo(f"triadic: {complaint}; the other results are written", err=True)
    teller = _Teller(cells, shown=wants_progress(progress))
    every = found.cells(asked)
    folder.forget_left_out(machine["key"], every)
    check_files(cells, folder, machine["key"])
    order = [cell.name for cell in every]
    try:
        run_cells(found, cells, folder, settings, machine["key"], teller.tell)
    except KeyboardInterrupt:
        teller.say("")
        typer.echo(
            f"triadic: interrupted, {teller.done} of {len(cells)} cells done; the same command goes on", err=True
        )
        raise
    finally:
        differing = report.write_report(folder, found, order, say=teller.say) if teller.done else []
        teller.say("")
    ran, left_out = teller.ran, teller.left_out
    typer.echo(f"{len(cells)} cells: {ran} run, {teller.done - ran - left_out} kept from before, {left_out} left out")
    _conclude(folder, differing)


def _merge(found: "Study", words: list[str], target: Path, scale: str | None) -> None:
    """Join folders of results into one."""
    from triadic.errors import ArgumentError
    from triadic_papers.studies import report
    from triadic_papers.studies.folder import ResultFolder, scale_of

    if words[0] != "merge" or len(words) < 2:
        raise ArgumentError(f"{' '.join(words)}: expected merge DIR..., or nothing after {found.name}")
    sources = [Path(word) for word in words[1:]]
    folder = ResultFolder(target, found.name, scale or scale_of(sources[0]))
    taken = sum(folder.take_from(source) for source in sources)
    for complaint in report.missing_packages():
        typer.echo(f"triadic: {complaint}; the other results are written", err=True)
    differing = report.write_report(folder, found, _order(found, folder))
    typer.echo(f"{taken} results of {len(folder.machines())} machines")
    _conclude(folder, differing)


def _order(found: "Study", folder: "ResultFolder") -> list[str]:
    """Give the study's order of cells, as far as this machine has them."""
    from triadic_papers.studies.devices import Devices
    from triadic_papers.studies.study import Asked, check_scale

    devices = sorted(folder.results().different("device"), key=lambda name: (name.count(","), name))
    single = tuple(name for name in devices if name != "cpu" and "," not in name)
    together = tuple(name for name in devices if "," in name)
    asked = Asked(check_scale(folder.scale), Devices("cpu" in devices, single, together))
    return [cell.name for cell in found.cells(asked)]


def _conclude(folder: "ResultFolder", differing: list[str]) -> None:
    page = folder.path / "index.html"
    typer.echo(f"written: {page if page.exists() else folder.path / 'summary.json'}")
    if differing:
        for cell in differing:
            typer.echo(f"triadic: {cell}: its result is not the engine's", err=True)
        raise typer.Exit(DIFFERS)


class _Teller:
    """Says on standard error what goes on: a line for every cell, and one that is overwritten for what it does now."""

    def __init__(self, cells: "Sequence[Cell]", *, shown: bool) -> None:
        self.cells, self.shown = cells, shown
        self.terminal = sys.stderr.isatty()
        self.done = self.ran = self.left_out = 0

    def tell(self, number: int, what: str, result: "Result | None", *, kept: bool = False) -> None:
        name = f"[{number + 1}/{len(self.cells)}] {self.cells[number].name}"
        if result is None:
            self.say(f"{name}: {what}")
            return
        self.done += 1
        if not kept:
            self.ran += bool(result.runs)
            self.left_out += not result.runs
        self.say("")
        if self.shown:
            typer.echo(f"{name}: {_in_words(result)}{', from before' if kept else ''}", err=True)

    def say(self, what: str) -> None:
        if self.shown and self.terminal:
            sys.stderr.write(f"\r\x1b[K{what}")
            sys.stderr.flush()


def _in_words(result: "Result") -> str:
    from triadic_papers.studies.tables import shown

    if not result.runs:
        return f"left out: {result.left_out}"
    spread = "" if result.std is None else f" ± {shown(result.std)}"
    equal = "equal" if result.equal else "NOT the engine's result"
    return f"{shown(result.median)}{spread} s, {len(result.runs)} runs, {equal}"
