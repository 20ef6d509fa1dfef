"""Estimates in place of exact counts: ``--estimate`` of the commands that offer it, and ``triadic stream``."""

import math
import re
import time as clock
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.cli.commands import argument, option
from triadic.cli.network_files import printed_warnings, titled
from triadic.cli.options import NETWORK, Computation, Estimating, Json, Reading
from triadic.cli.printing import (
    Figures,
    Result,
    drawable,
    print_json,
    print_note,
    print_remark,
    print_rows,
    print_table,
    print_text,
)
from triadic.errors import ArgumentError, WriteError

if TYPE_CHECKING:
    from triadic.cli.network_files import Url
    from triadic.measures.estimates.estimate import Estimate
    from triadic.measures.estimates.stream_result import StreamEstimate

    Estimates = dict[str, Estimate]

_WITHIN = 0.01
_COEFFICIENTS = ("transitivity", "average_clustering")
_DURATION = re.compile(r"(\d+(?:\.\d*)?)\s*(s|min|m|h)?")
_SECONDS = {None: 1, "s": 1, "min": 60, "m": 60, "h": 3600}
_COLUMNS = ("format", "source", "target", "header", "bad_rows", "where")  # options of reading that a stream has
_NOT_OF_STREAMS = {"device", *Reading.declared()} - {*_COLUMNS}
_BAR = 21  # columns of the bar of an interval


def share_of(option: str, text: str, *, below_one: bool = False) -> float:
    """Return a share that is written as a percentage or as a number below 1.

    Examples
    --------
    >>> share_of("--error", "1%"), share_of("--error", "0.05")
    (0.01, 0.05)
    """
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


def seconds_of(text: str) -> float:
    """Return the seconds of a duration, the text of --max-seconds.

    Examples
    --------
    >>> seconds_of("30s"), seconds_of("1.5min"), seconds_of("10")
    (30.0, 90.0, 10.0)
    """
    found = _DURATION.fullmatch(text.strip())
    if found is None or float(found[1]) == 0:
        raise ArgumentError(f"--max-seconds {text}: expected a duration, such as 30s, 2min or 1h")
    return float(found[1]) * _SECONDS[found[2]]


def goal_of(options: Estimating) -> dict[str, Any]:
    """Return the options as keywords of `triadic.estimate`."""
    from triadic.measures.estimates.schedule import MOST_SAMPLES

    for name, number in {"--samples": options.samples, "--max-samples": options.max_samples}.items():
        if number is not None and number < 1:
            raise ArgumentError(f"{name} {number}: expected at least 1")
    if options.samples and (given := options.given("error", "max_samples")):
        raise ArgumentError(f"{given[0]} and --samples: expected one of the two")
    error = None if options.error is None else share_of("--error", options.error)
    confidence = "95%" if options.confidence is None else options.confidence
    return {
        "error": error or (None if options.samples else _WITHIN),
        "samples": options.samples,
        "max_samples": options.max_samples or MOST_SAMPLES,
        "max_seconds": None if options.max_seconds is None else seconds_of(options.max_seconds),
        "confidence": share_of("--confidence", confidence, below_one=True),
        "seed": options.seed,
    }


def estimate_network(command: Any, place: "Path | Url", *, many: bool) -> Result:  # noqa: ANN401 - a `Counting`
    """Read a network and estimate the quantities of a command, which share the time."""
    from triadic.cli.tiles import refuse_tiles
    from triadic.counts.triangles import WEDGE_DRAWS
    from triadic.graph.graph import Graph
    from triadic.measures.estimates.estimate import estimate, transitivity_of

    of, goal = command.estimated, goal_of(command)
    given = command.given("output", "by_vertex", *command.inexact)
    if given:
        raise ArgumentError(f"{given[0]}: an estimate is one of the whole network; leave out {given[0]} or --estimate")
    if many:
        raise ArgumentError(f"{place}: holds many graphs, which are counted exactly; leave out --estimate")
    plan = command.planned()
    if plan is None:
        refuse_tiles(place, "an estimate of graphlets", command)

    def measure(graph: Any) -> Figures:  # noqa: ANN401 - a graph, in memory or in tiles
        found: Estimates = {}
        started, limit = clock.monotonic(), goal["max_seconds"]
        drawn = [name for name in of if name != "transitivity"]
        for i, name in enumerate(drawn):
            left = None if limit is None else max(1e-3, limit - (clock.monotonic() - started)) / (len(drawn) - i)
            machine = command.keywords | ({"device": "auto"} if name == "graphlets" else {})
            found[name] = estimate(
                graph.to_undirected(combine="first") if isinstance(graph, Graph) and name != "triads" else graph,
                of=name,
                **{**goal, "max_seconds": left},
                **machine,
            )
            goal["seed"] = found[name].seed  # of all quantities
        estimates = {name: found[name] if name in found else transitivity_of(found["triangles"], graph) for name in of}
        return Figures({"estimates": [each.as_record() for each in estimates.values()]}, detail=estimates)

    result = command.measured(measure, WEDGE_DRAWS, plan)
    if result.tiles is None:
        return result
    # Draws pass over the tiles; the tasks of a count are triples of them.
    return replace(result, tiles={name: number for name, number in result.tiles.items() if name != "tasks"})


def print_estimates(estimates: "Estimates") -> None:
    """Print estimates with their intervals, and why the draws ended."""
    from triadic.core.formatting import format_float, format_mean
    from triadic.measures.estimates.estimate import reach_of_axis

    rows, reach = [], reach_of_axis(estimates.values())
    for found in estimates.values():
        for name, value, low, high in zip(*found.to_dict().values(), strict=True):
            if value == low == high == 0:
                continue  # a type that cannot occur
            percent = 50 * (high - low) / value if value > 0 else 0.0
            relative = "exact" if low == high else "-"
            if percent:  # a tiny one is shown as an upper bound, to be read at a glance
                relative = "<0.0001%" if percent < 1e-4 else f"{format_float(percent, 2)}%"
            shown = format_float if found.of in _COEFFICIENTS else format_mean
            numbers = [shown(each) for each in (value, low, high)]
            bar = drawable(draw_interval(value, low, high, reach=reach))
            rows.append((str(name).replace("_", " "), numbers[0], relative, numbers[1], numbers[2], bar))
    print_text("")
    print_table(("name", "estimate", "±", "from", "to", "interval"), rows, justify={"interval": "left"})
    print_text("")
    first = next(iter(estimates.values()))
    # The transitivity rests on the draws of the triangles.
    draws = sum(found.samples for name, found in estimates.items() if name != "transitivity")
    print_note(
        f"From {draws:,} random draws, seed {first.seed}.\n"
        "Each interval holds the exact value with a probability of at least "
        f"{format_float(100 * first.confidence)}%.\n"
        f"Intervals are drawn on a line of ± {100 * reach:g}% of the estimate."
    )
    for found in estimates.values():
        sentence = found.why_stopped().replace("max_s", "--max-s").removesuffix(".")
        if sentence:
            name = f"{found.of.replace('_', ' ')}: " if len(estimates) > 1 else ""
            print_remark(f"{name}{sentence[0].lower()}{sentence[1:]}")
    if all(found.exact for found in estimates.values()):
        print_remark("counting exactly would take about as long; leave out --estimate")


def draw_interval(value: float, low: float, high: float, *, reach: float = 0.5) -> str:
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
    half = _BAR // 2
    if value <= 0:
        return ""
    first, last = (min(max(0, round(half + half * (end / value - 1) / reach)), _BAR - 1) for end in (low, high))
    left = "├".ljust(half - first, "─") if first < half else ""
    right = "┤".rjust(last - half, "─") if last > half else ""
    return f"{left:>{half}}{'┼' if left or right else '│'}{right:<{half}}"


class Stream(Json, Reading, Computation, without=_NOT_OF_STREAMS):
    """Estimate the number of triangles of a file in one pass and in bounded memory.

    Directions, loops and repeated edges are ignored. Ctrl-C prints the estimate from the edges so far.
    """

    examples = (
        "triadic stream edges.parquet --memory 100MB",
        "triadic stream monday.csv --save week.stream",
        "triadic stream tuesday.csv --load week.stream --save week.stream",
    )

    file: Path = argument("FILE", NETWORK)
    memory: str | None = option(
        "SIZE",
        "Memory of the sample of edges, such as 100MB, beside what reading holds. Default: 100MB.",
    )
    confidence: str = option("SHARE", "How often the interval holds the exact number.", default="95%")
    seed: int | None = option("N", "Seed of the sample; random by default.")
    load: Path | None = option("STREAM", "Go on with the stream in this file, which --save wrote.")
    save: Path | None = option("STREAM", "Write the stream to this file, to go on with it.")

    def run(self) -> None:
        """Run the command."""
        import triadic

        for name in ("memory", "seed"):
            value = getattr(self, name)
            if self.load is not None and value is not None:
                raise ArgumentError(
                    f"--{name} {value}: a stream that is loaded has its own; leave out --{name} or --load"
                )
        if self.save is not None and (self.save.is_dir() or not self.save.parent.is_dir()):
            raise WriteError(f"{self.save}: expected a file in an existing folder")
        into = None if self.load is None else triadic.EdgeStream.load(self.load, threads=self.threads)
        started, reading = clock.perf_counter(), self.read_keywords()
        with printed_warnings():
            found = triadic.estimate_stream(
                self.file,
                memory=self.memory,
                confidence=share_of("--confidence", self.confidence, below_one=True),
                seed=self.seed,
                into=into,
                threads=self.threads,
                progress=self.watching,
                **{name: reading[name] for name in _COLUMNS},
            )
        seconds = clock.perf_counter() - started
        if self.save is not None:
            found.stream.save(self.save)
        if not self.json:
            self._print(found, seconds)
            return
        names = "confidence", "edges_kept", "probability", "arcs", "loops", "repeats"
        record = {"triangles": found.value, "low": found.low, "high": found.high, "standard_error": found.error}
        record |= {name: getattr(found, name) for name in names}
        print_json({**record, "seed": found.stream.seed, "stopped": found.stopped, "seconds": round(seconds, 6)})

    def _print(self, found: "StreamEstimate", seconds: float) -> None:
        from triadic.core.formatting import format_float

        exact = found.probability == 1
        ends = f"{format_float(found.low)} to {format_float(found.high)}"
        note = f"{ends}, with a probability of {100 * found.confidence:g}%"
        if exact:
            note = "exact: all edges are kept"
        elif found.high == math.inf:
            note = "too few in the sample for an interval"
        about = "" if exact else "about "
        kept = "all edges" if exact else f"edges, 1 of {round(1 / found.probability):,}; seed {found.stream.seed}"
        rows = [
            ("triangles", format_float(found.value), note),
            *([("error", format_float(found.error), "standard error")] if not exact else []),
            ("arcs", f"{found.arcs:,}", f"{found.loops:,} loops, {about}{found.repeats:,} repeats"),
            ("kept", f"{found.edges_kept:,}", kept),
            ("seconds", f"{seconds:.3f}", ""),
        ]
        print_rows(rows, title=titled(self.file.name, found.columns))
        if found.stopped:
            print_remark("stopped by Ctrl-C: the estimate is that of the edges so far")
