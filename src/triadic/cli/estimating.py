"""``--estimate``: estimates with intervals in place of exact counts, for the commands that offer them."""

import math
import re
import time as clock
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from triadic.cli.counting import CountResult, MeasureKeywords
    from triadic.cli.network_files import Url
    from triadic.cli.options import BatchOptions, TiledCountOptions
    from triadic.graph.graph import Graph
    from triadic.measures.estimates.estimate import Estimate

    Estimates = dict[str, Estimate]

_PANEL = "Estimate"
_WITHIN = 0.01
# Names of exact counts, by which tiles are planned; other estimates need the graph in memory.
_PLANS = {"average_clustering": "clustering", "triads": "census"}
_COEFFICIENTS = ("transitivity", "average_clustering")
_DURATION = re.compile(r"(\d+(?:\.\d*)?)\s*(s|min|m|h)?")
_SECONDS = {None: 1, "s": 1, "min": 60, "m": 60, "h": 3600}
# Columns of the bar of an interval.
_BAR = 21


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateOptions:
    """Options of a command that can estimate."""

    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate",
            help="Estimate from random draws in place of counting, each value with an interval that holds the exact "
            "one. Default: within 1%.",
            rich_help_panel=_PANEL,
        ),
    ] = False
    within: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Draw until each interval is as narrow as this, such as 1% or 0.01 of the value on either side.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    draws: Annotated[
        int | None,
        typer.Option(metavar="N", help="Make N draws, whatever the width.", show_default=False, rich_help_panel=_PANEL),
    ] = None
    max_draws: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Stop after N draws, however wide the intervals are. Default: 10,000,000 for each quantity.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    time: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Stop drawing after this time, such as 30s or 2min.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    confidence: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="How often the intervals hold the exact values. Default: 95%.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Seed of the draws; random by default.", show_default=False, rich_help_panel=_PANEL
        ),
    ] = None

    def asked(self) -> bool:
        """Return whether to estimate; raise if another option of estimates comes without ``--estimate``."""
        from triadic.errors import ArgumentError

        for name in ("within", "draws", "max_draws", "time", "confidence", "seed"):
            value = getattr(self, name)
            if value is not None and not self.estimate:
                raise ArgumentError(f"--{name.replace('_', '-')} {value}: expected --estimate as well")
        return self.estimate

    def keywords(self) -> dict[str, Any]:
        """Return the options as keywords of `triadic.estimate`."""
        from triadic.errors import ArgumentError
        from triadic.measures.estimates.schedule import MOST_SAMPLES

        for option, number in {"--draws": self.draws, "--max-draws": self.max_draws}.items():
            if number is not None and number < 1:
                raise ArgumentError(f"{option} {number}: expected at least 1")
        for option, given in {"--within": self.within, "--max-draws": self.max_draws}.items():
            if self.draws is not None and given is not None:
                raise ArgumentError(f"{option} and --draws: expected one of the two")
        within = None if self.within is None else share_of("--within", self.within)
        confidence = "95%" if self.confidence is None else self.confidence
        return {
            "within": _WITHIN if within is None and self.draws is None else within,
            "samples": self.draws,
            "max_samples": MOST_SAMPLES if self.max_draws is None else self.max_draws,
            "time": None if self.time is None else seconds_of("--time", self.time),
            "confidence": share_of("--confidence", confidence, below_one=True),
            "seed": self.seed,
        }


def share_of(option: str, text: str, *, below_one: bool = False) -> float:
    """Return a share that is written as a percentage or as a number below 1.

    Examples
    --------
    >>> share_of("--within", "1%"), share_of("--within", "0.05")
    (0.01, 0.05)
    """
    from triadic.errors import ArgumentError

    number = text.strip()
    try:
        share = float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
    except ValueError:
        share = math.nan
    examples = "95% or 0.95" if below_one else "1% or 0.01"
    if share >= 1 and not number.endswith("%") and math.isfinite(share):
        raise ArgumentError(f"{option} {text}: expected a share, such as {examples}; for percent write {number}%")
    if not 0 < share < (1 if below_one else math.inf):
        limits = "between 0% and 100%" if below_one else "above 0"
        raise ArgumentError(f"{option} {text}: expected a share {limits}, such as {examples}")
    return share


def seconds_of(option: str, text: str) -> float:
    """Return the seconds of a duration.

    Examples
    --------
    >>> seconds_of("--time", "30s"), seconds_of("--time", "1.5min"), seconds_of("--time", "10")
    (30.0, 90.0, 10.0)
    """
    from triadic.errors import ArgumentError

    found = _DURATION.fullmatch(text.strip())
    if found is None or float(found[1]) == 0:
        raise ArgumentError(f"{option} {text}: expected a duration, such as 30s, 2min or 1h")
    return float(found[1]) * _SECONDS[found[2]]


def estimate_file(
    path: "Path | Url",
    of: tuple[str, ...],
    options: "TiledCountOptions",
    many: "BatchOptions",
    wanted: EstimateOptions,
    refused: "Mapping[str, object]",
) -> "CountResult[Estimates]":
    """Read a network and estimate some quantities, which share the time.

    Parameters
    ----------
    path : pathlib.Path or Url
    of : tuple of str
        Quantities of `triadic.estimate`.
    options, many, wanted
        Options of the command.
    refused : mapping of str to object
        Other options of the command by name, which do not go with ``--estimate`` unless they are False or None.
    """
    from triadic.cli.batch_counting import is_batch
    from triadic.cli.counting import count_file
    from triadic.cli.tiled_counting import refuse_tiles
    from triadic.counts.wedge_draws import WEDGE_DRAWS
    from triadic.errors import ArgumentError
    from triadic.graph.graph import Graph
    from triadic.measures.estimates.estimate import check_goal, estimate, transitivity_of

    keywords = wanted.keywords()
    given = [name for name, value in refused.items() if value not in (None, False)]
    if given:
        raise ArgumentError(f"{given[0]}: an estimate is one of the whole network; leave out {given[0]} or --estimate")
    check_goal(**{name: keywords[name] for name in ("within", "samples", "confidence", "max_samples")}, seconds=None)
    if is_batch(path, many):
        raise ArgumentError(f"{path}: holds many graphs, which are counted exactly; leave out --estimate")
    plan = _PLANS.get(of[-1])
    if plan is None:
        refuse_tiles(path, "an estimate of graphlets", options)

    def measure(graph: "Graph", machine: "MeasureKeywords") -> "Estimates":
        found: Estimates = {}
        started, limit = clock.monotonic(), keywords["time"]
        drawn = [name for name in of if name != "transitivity" or "triangles" not in of]
        for i, name in enumerate(drawn):
            left = None if limit is None else max(1e-3, limit - (clock.monotonic() - started)) / (len(drawn) - i)
            device = machine["device"] if name not in ("graphlets4", "orbits4") else "auto"
            found[name] = estimate(
                graph.to_undirected(combine="first") if isinstance(graph, Graph) and name != "triads" else graph,
                of=name,  # type: ignore[arg-type]  # names of quantities
                **{**keywords, "time": left, "seed": keywords["seed"] if i == 0 else found[of[0]].seed},
                threads=machine["threads"],
                device=device,
                progress=machine["progress"],
            )
        return {name: found[name] if name in found else transitivity_of(found["triangles"], graph) for name in of}

    found = count_file(path, measure, options, count=WEDGE_DRAWS, plan=plan)
    if found.tiles is None:
        return found
    # Draws pass over the tiles; the tasks of a count are triples of them.
    return replace(found, tiles={name: number for name, number in found.tiles.items() if name != "tasks"})


def print_estimates(title: str, result: "CountResult[Estimates]", *, as_json: bool, directions: bool = False) -> None:
    """Print the estimates of a network with their intervals, as a table or as JSON."""
    from triadic.cli.printing import dropped_rows, print_json, print_remark, print_rows, run_rows

    graph, estimates = result.graph, result.figures
    if as_json:
        records = [found.as_record() for found in estimates.values()]
        print_json(result.as_record({"estimates": records}, arcs=directions))
        return
    rows = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("edges", f"{graph.num_edges:,}", "directions left out" if graph.directed and not directions else ""),
        *dropped_rows(graph.dropped),
        *run_rows(result),
    ]
    print_rows(rows, title=result.title(title, counts_directions=directions))
    _print_table(estimates)
    for found in estimates.values():
        sentence = found.why_stopped().replace("max_samples", "--max-draws").removesuffix(".")
        if sentence:
            name = f"{found.of.replace('_', ' ')}: " if len(estimates) > 1 else ""
            print_remark(f"{name}{sentence[0].lower()}{sentence[1:]}")
    if all(found.exact for found in estimates.values()):
        print_remark("counting exactly would take about as long; leave out --estimate")


def _print_table(estimates: "Estimates") -> None:
    import numpy as np
    from rich.table import Table

    from triadic.cli.printing import output_console, print_note, print_table
    from triadic.core.formatting import format_float, format_mean
    from triadic.measures.estimates.estimate import reach_of_axis

    console, reach = output_console(), reach_of_axis(estimates.values())
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("name", style="cyan")
    for heading in ("estimate", "±", "from", "to"):
        table.add_column(heading, justify="right")
    table.add_column("interval")
    for found in estimates.values():
        ends = (np.atleast_1d(each).tolist() for each in (found.value, found.low, found.high))
        for name, value, low, high in zip(found.names, *ends, strict=True):
            if value == low == high == 0:
                continue  # a type that cannot occur
            half = (high - low) / 2
            relative = "exact" if half == 0 else _percent(half / value) if value > 0 else "-"
            shown = format_float if found.of in _COEFFICIENTS else format_mean
            numbers = [shown(each) for each in (value, low, high)]
            bar = draw_interval(value, low, high, console.encoding, reach=reach)
            table.add_row(str(name).replace("_", " "), numbers[0], relative, numbers[1], numbers[2], bar)
    console.print()
    print_table(console, table, name=0)
    console.print()
    first = next(iter(estimates.values()))
    # The transitivity rests on the draws of the triangles.
    draws = sum(found.samples for name, found in estimates.items() if name != "transitivity" or len(estimates) == 1)
    print_note(
        console,
        f"From {draws:,} random draws, seed {first.seed}.\n"
        "Each interval holds the exact value with a probability of at least "
        f"{format_float(100 * first.confidence)}%.\n"
        f"Intervals are drawn on a line of ± {100 * reach:g}% of the estimate.",
    )


def _percent(share: float) -> str:
    """Return a share in percent with two digits; a tiny one as an upper bound, to be read at a glance."""
    from triadic.core.formatting import format_float

    return "<0.0001%" if share < 1e-6 else f"{format_float(100 * share, 2)}%"


def draw_interval(value: float, low: float, high: float, encoding: str = "utf-8", *, reach: float = 0.5) -> str:
    """Draw an interval around its value, on a line that reaches a share of the value to either side.

    Examples
    --------
    >>> draw_interval(100.0, 80.0, 120.0)
    '      ├───┼───┤      '
    >>> draw_interval(100.0, 99.0, 101.0)
    '          │          '
    >>> draw_interval(100.0, 99.0, 101.0, reach=0.01)
    '├─────────┼─────────┤'
    """
    line, left, middle, right, only = "─├┼┤│" if "utf" in encoding.lower() else "-[+]|"
    half = _BAR // 2
    if value <= 0:
        return ""
    first, last = (round(half + half * (end / value - 1) / reach) for end in (low, high))
    first, last = max(0, first), min(_BAR - 1, last)
    cells = [" "] * _BAR
    for place in range(first, last + 1):
        cells[place] = line
    if first < half:
        cells[first] = left
    if last > half:
        cells[last] = right
    cells[half] = only if first == last == half else middle
    return "".join(cells)
