"""``triadic study``: a paper's experiment run again, and its page."""

# typer reads annotations while the program runs, so they are not postponed here.

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triadic.cli.commands import with_examples
from triadic.cli.options import Watching, shows_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic_papers.studies.cells import Cell
    from triadic_papers.studies.folder import ResultFolder
    from triadic_papers.studies.results import Result
    from triadic_papers.studies.runner import Settings
    from triadic_papers.studies.study import Study, StudyOptions

DIFFERS = 1  # exit code


@with_examples(
    "triadic study fglt --scale smoke",
    "triadic study opencl --devices cpu,cuda:0 -o results",
    "triadic study opencl merge machine-a machine-b -o results",
)
def study(
    name: Annotated[str, typer.Argument(metavar="NAME", help="cstn117, opencl, poster, triad-census or fglt.")],
    merge: Annotated[
        list[str] | None,
        typer.Argument(metavar="merge DIR...", help="Join the results of several machines; nothing is run."),
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
            help="cpu, opencl:0, cuda:0 ..., separated by commas; cuda:0,1 for two cards together. "
            "By default the CPU, and all CUDA cards or else an OpenCL device.",
            show_default=False,
        ),
    ] = None,
    graph: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FILE", help="Read a network from a file; NAME is its name in the table.", show_default=False
        ),
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option(metavar="N", help="Runs per cell, at least 3. By default the paper's number.", show_default=False),
    ] = None,
    cell_budget: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Start no further run of a cell after this time.", show_default=False),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="CELLS", help="Run only the cells with this name; * is allowed.", show_default=False),
    ] = None,
    list_cells: Annotated[bool, typer.Option("--list", help="Print the names of the cells and exit.")] = False,
    profile: Annotated[bool, typer.Option("--profile", help="poster: also read the card's counters.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="Folder of the results, study-NAME by default.", show_default=False
        ),
    ] = None,
    progress: bool | None = Watching.progress,
) -> None:
    """Run a paper's experiment again and write its tables, figures and page.

    A study that was interrupted resumes: finished cells are not run again.
    """
    from triadic_papers.studies import find_study

    found = find_study(name)
    target = Path(f"study-{name}") if output is None else output
    if merge:
        _merge(found, merge, target, scale)
        return
    options = _options(found, scale or "small", devices, graph or [], profile=profile)
    from triadic_papers.studies.runner import MIN_RUNS, Settings, select_cells

    cells = select_cells(found.cells(options), only or [])
    if list_cells:
        typer.echo("\n".join(cell.name for cell in cells))
        return
    runs = found.repeats[options.scale] if repeats is None else repeats
    budget = found.budget[options.scale] if cell_budget is None else cell_budget
    _at_least("--repeats", runs, MIN_RUNS)
    _at_least("--cell-budget", budget, 0)
    _run(found, options, cells, Settings(runs, budget), target, progress)


def _options(found: "Study", scale: str, devices: str | None, graphs: list[str], *, profile: bool) -> "StudyOptions":
    from triadic.errors import ArgumentError
    from triadic_papers.studies.devices import find_devices
    from triadic_papers.studies.study import StudyOptions, check_scale

    if profile and found.name != "poster":
        raise ArgumentError(f"--profile belongs to the study poster; study {found.name} has no counters to read")
    checked = check_scale(scale)
    return StudyOptions(checked, find_devices(devices), _graphs(found, graphs), profile)


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
    found: "Study",
    options: "StudyOptions",
    cells: "Sequence[Cell]",
    settings: "Settings",
    target: Path,
    progress: bool | None,
) -> None:
    """Run the cells; write the report of all finished cells even after an error or an interruption."""
    from triadic.cli.printing import print_text
    from triadic_papers.studies import report
    from triadic_papers.studies.folder import ResultFolder
    from triadic_papers.studies.machine import describe_machine
    from triadic_papers.studies.runner import check_files, run_cells

    machine = describe_machine(options.devices.names)
    folder = ResultFolder(target, found.name, options.scale)
    folder.add_machine(machine)
    _print_missing_packages()
    printer = _ProgressPrinter(cells, enabled=shows_progress(progress))
    all_cells = found.cells(options)
    folder.drop_obsolete(machine["key"], all_cells)
    check_files(cells, folder, machine["key"])
    order = [cell.name for cell in all_cells]
    try:
        run_cells(found, cells, folder, settings, machine["key"], printer.progress)
    except KeyboardInterrupt:
        printer.show("")
        typer.echo(
            f"triadic: interrupted, {printer.done} of {len(cells)} cells done; the same command goes on", err=True
        )
        raise
    finally:
        differing = report.write_report(folder, found, order, show=printer.show) if printer.done else []
        printer.show("")
    run, left_out = printer.run, printer.left_out
    print_text(f"{len(cells)} cells: {run} run, {printer.done - run - left_out} kept from before, {left_out} left out")
    _conclude(folder, differing)


def _merge(found: "Study", words: list[str], target: Path, scale: str | None) -> None:
    """Join folders of results into one."""
    from triadic.cli.printing import print_text
    from triadic.errors import ArgumentError
    from triadic_papers.studies import report
    from triadic_papers.studies.folder import ResultFolder, scale_of

    if words[0] != "merge" or len(words) < 2:
        raise ArgumentError(f"{' '.join(words)}: expected merge DIR..., or nothing after {found.name}")
    sources = [Path(word) for word in words[1:]]
    folder = ResultFolder(target, found.name, scale or scale_of(sources[0]))
    copied = sum(folder.merge(source) for source in sources)
    _print_missing_packages()
    differing = report.write_report(folder, found, _order(found, folder))
    print_text(f"{copied} results of {len(folder.machines())} machines")
    _conclude(folder, differing)


def _print_missing_packages() -> None:
    from triadic_papers.studies import report

    for message in report.missing_packages():
        typer.echo(f"triadic: {message}; the other results are written", err=True)


def _order(found: "Study", folder: "ResultFolder") -> list[str]:
    """Return the names of the study's cells in order, for the devices of the folder's results."""
    from triadic_papers.studies.devices import Devices
    from triadic_papers.studies.study import StudyOptions, check_scale

    devices = sorted(folder.results().unique("device"), key=lambda name: (name.count(","), name))
    single = tuple(name for name in devices if name != "cpu" and "," not in name)
    together = tuple(name for name in devices if "," in name)
    options = StudyOptions(check_scale(folder.scale), Devices("cpu" in devices, single, together))
    return [cell.name for cell in found.cells(options)]


def _conclude(folder: "ResultFolder", differing: list[str]) -> None:
    from triadic.cli.printing import print_text

    page = folder.path / "index.html"
    print_text(f"written: {page if page.exists() else folder.path / 'summary.json'}")
    if differing:
        for cell in differing:
            typer.echo(f"triadic: {cell}: its result is not the engine's", err=True)
        raise typer.Exit(DIFFERS)


class _ProgressPrinter:
    """Print a line for every cell on standard error, and the current step on a line that is overwritten."""

    def __init__(self, cells: "Sequence[Cell]", *, enabled: bool) -> None:
        self.cells, self.enabled = cells, enabled
        self.terminal = sys.stderr.isatty()
        self.done = self.run = self.left_out = 0

    def progress(self, number: int, step: str, result: "Result | None", *, is_old: bool = False) -> None:
        name = f"[{number + 1}/{len(self.cells)}] {self.cells[number].name}"
        if result is None:
            self.show(f"{name}: {step}")
            return
        self.done += 1
        if not is_old:
            self.run += bool(result.runs)
            self.left_out += not result.runs
        self.show("")
        if self.enabled:
            typer.echo(f"{name}: {_in_words(result)}{', from before' if is_old else ''}", err=True)

    def show(self, step: str) -> None:
        if self.enabled and self.terminal:
            sys.stderr.write(f"\r\x1b[K{step}")
            sys.stderr.flush()


def _in_words(result: "Result") -> str:
    from triadic_papers.studies.tables import format_entry

    if not result.runs:
        return f"left out: {result.left_out}"
    spread = "" if result.std is None else f" ± {format_entry(result.std)}"
    equal = "equal" if result.equal else "NOT the engine's result"
    return f"{format_entry(result.median)}{spread} s, {len(result.runs)} runs, {equal}"
