"""``triadic temporal``: the temporal motifs of the events in a file, over time and against chance."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.cli.commands import Options, argument, flag, option, output_file
from triadic.cli.network_files import read_events
from triadic.cli.options import TEMPORAL_NULLS, Computation, Csv, Dates, Json, Reading, number_or_words
from triadic.cli.printing import (
    Figures,
    print_json,
    print_note,
    print_remark,
    print_rows,
    print_table,
    print_text,
    rounded,
    seconds_row,
)
from triadic.cli.runner import timed
from triadic.cli.significance import print_comparison
from triadic.core.checked import check_number
from triadic.core.formatting import format_value, plural
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from triadic.core.array_types import AnyArray
    from triadic.graph.temporal import TemporalGraph
    from triadic.measures.significance.result import Significance
    from triadic.measures.temporal import TemporalMotifs

_SHOWN = 20  # windows on the terminal
_SUMMARY = ("events", "vertices", "edges", "triangles", "transitivity")
_NOT_OF_EVENTS = ("directed", "format", "where", "weights", "min_weight", "max_weight", "combine")


class Timed(Options, panel="Input"):
    """The times of events."""

    time: str | None = option(
        "COLUMN",
        "Column of the times: its name, or its number, counted from 0. Default: found by its name, such as timestamp; "
        "the third column if three columns have no names.",
    )
    ties: str | None = option(
        "order|simultaneous",
        "Let events at the same time follow one another in the order of the file, or never. Default: order, which is "
        "said first if most events are tied.",
    )
    unit: str | None = option(
        "s|ms|us|ns",
        "Unit of times that are numbers. Default: s; ms, us or ns if they are these since 1970 by their size.",
    )


class OverTime(Options, panel="Over time"):
    """Windows of time."""

    window: str | None = option(
        "DURATION",
        "Length of windows of time, such as 7d: show the network and the motifs of each window.",
    )
    step: str | None = option(
        "DURATION",
        "Time from the end of a window to the end of the next. Default: the length of the windows.",
    )
    start: str | None = option("TIME", "End of the first window, such as 2024-05-02. Default: the first event.")

    def windows(self) -> dict[str, Any] | None:
        """Return the windows as keywords of measures, or None; a window follows the one before it by default."""
        if self.window is None:
            self.refuse_without("window", "step", "start")
            return None
        length = number_or_words(self.window)
        step = length if self.step is None else number_or_words(self.step)
        return {"window": length, "step": step, "start": number_or_words(self.start)}


class AgainstChance(Options, panel="Against chance"):
    """Shuffled events."""

    null: str | None = option(
        "NAME",
        "Compare the motifs with those of shuffled events: shuffled_times, random_times, shuffled_links or "
        "time_reversal.",
        words=TEMPORAL_NULLS,
    )
    block: str | None = option("DURATION", "Shuffle times within periods of this length only, such as 1d.")
    samples: int | None = option("N", "Number of times the events are shuffled. Default: 100.")
    seed: int | None = option("N", "Seed of the shuffling; the same seed gives the same figures.")

    def chance(self) -> dict[str, Any] | None:
        """Return the null model as keywords of measures, or None."""
        if self.null is None:
            self.refuse_without("null", "block", "samples", "seed")
            return None
        return {
            "null": self.null,
            "block": number_or_words(self.block),
            "samples": 100 if self.samples is None else self.samples,
            "seed": self.seed,
        }


class Temporal(OverTime, AgainstChance, Csv, Json, Timed, Dates, Reading, Computation, without=_NOT_OF_EVENTS):
    """Count the temporal motifs exactly: the patterns of three events on two or three vertices within a duration.

    Repeated events count, and events from a vertex to itself are dropped.
    """

    examples = (
        "triadic temporal messages.csv --delta 1h",
        "triadic temporal messages.csv --delta 1h -o vertices.parquet",
        "triadic temporal messages.csv --delta 1h --window 7d --step 1d -o days.csv",
        "triadic temporal messages.csv --delta 1h --null shuffled_times --block 1d --seed 1",
    )

    file: Path = argument(
        "FILE",
        "File of timed events: a text such as CSV, which may be packed, a Parquet file, or - for standard input.",
    )
    delta: str = option(
        "DURATION",
        "Longest time from the first event of a motif to its last, such as 1h, 30min or '1 day', or a number in the "
        "unit of times that are numbers.",
        default=...,
    )
    events: int = option("3|2", "Count the motifs of three or of two events.", default=3)
    undirected: bool = flag("Ignore the directions of the events.")
    output: Path | None = output_file(
        "Write the label and the motifs of every vertex to FILE: .csv, .parquet or .npy. With --window, write a row "
        "for each window, and with --null a row for each motif: .csv or .parquet.",
    )

    def run(self) -> None:
        """Run the command."""
        from triadic.core.blocks import resolve_threads
        from triadic.io.tables import check_table
        from triadic.measures import temporal  # noqa: F401 - compiled code

        # Mistakes in the arguments are found before the file is read, which may take long.
        if self.output is not None:
            check_table(self.output, csv=self.csv)
        else:
            self.refuse_without_table()
        check_number("events=", self.events, 2, 3)
        threads = resolve_threads(self.threads)
        self._check()
        of_events = {name: value for name, value in self.read_keywords().items() if name not in _NOT_OF_EVENTS}
        graph, seconds = read_events(
            self.file, time=self.time, ties=self.ties, unit=self.unit, dayfirst=self.dayfirst, **of_events
        )
        figures, device, seconds["count"] = timed(graph, self._figures)
        motifs: Any = figures.totals
        compared: Significance | None = figures.detail
        if self.output is not None:
            self._write(self.output, graph, figures)
        self._print_ties(graph)
        if self.json:
            record = {
                "events": {
                    "vertices": graph.num_vertices,
                    "events": graph.num_events,
                    "loops_dropped": graph.dropped.loops,
                    "times": _listed(graph.time[[0, -1]] if graph.num_events else graph.time),
                    "unit": graph.unit,
                    "ties": graph.ties,
                    "tied": graph.num_tied,
                },
                "delta": motifs.delta,
                "motifs": motifs.to_dict(),
                "patterns": dict(zip(motifs.names, motifs.patterns, strict=True)),
                "seconds": rounded(seconds),
                "threads": threads,
                "device": device,
            }
            if self.window is not None:
                record["windows"] = {name: _listed(column) for name, column in figures.columns.items()}
            if compared is not None:
                record["null"] = {
                    "name": compared.null,
                    "block": None if self.block is None else str(number_or_words(self.block)),
                    "samples": len(compared.samples),
                    "steps": compared.steps,
                    "seed": compared.seed,
                    "motifs": compared.to_dict(),
                }
            print_json(record)
            return
        print_motifs(self.file.name, graph, motifs, seconds)
        if self.window is not None:
            print_windows(figures.columns, motifs.names)
        if compared is not None:
            _print_null(compared)

    def _figures(self, graph: "TemporalGraph") -> Figures:
        """Return the motifs, the columns of a table of windows or of vertices, and the comparison with shuffles."""
        from triadic.measures.over_time import over_time
        from triadic.measures.temporal import temporal_motifs

        delta, windows, chance = number_or_words(self.delta), self.windows(), self.chance()
        keywords = {"events": self.events, "undirected": self.undirected, "ties": graph.ties, **self.keywords}
        motifs, compared = temporal_motifs(graph, delta, **keywords), None
        columns: dict[str, Any] = {}
        if windows is not None:
            found = over_time(graph, "clustering", **windows, threads=self.threads, progress=self.watching)
            columns = {"time": found["time"], **found}
            columns |= temporal_motifs(graph, delta, by="time", **windows, **keywords)
        elif self.output is not None and chance is None:
            of_vertices = temporal_motifs(graph, delta, by="vertex", **keywords)
            columns = dict(zip(motifs.names, of_vertices.T, strict=True))
        if chance is not None:
            from triadic.measures.significance.significance import significance

            compared = significance(graph, delta=delta, **chance, ties=graph.ties, **self.keywords)
        return Figures(motifs, columns, compared)

    def _write(self, path: Path, graph: "TemporalGraph", figures: Figures) -> None:
        """Write a row for each motif, window or vertex."""
        from triadic.io.tables import write_rows, write_vertices

        if figures.detail is not None:
            write_rows(path, figures.detail.to_arrow().to_pydict(), self.csv)
        elif self.window is not None:
            write_rows(path, figures.columns, self.csv)
        else:
            write_vertices(path, graph, figures.columns, csv=self.csv)

    def _check(self) -> None:
        """Raise for what can be wrong before the events are read."""
        from triadic.graph.temporal import TemporalGraph
        from triadic.io.tables import check_table
        from triadic.measures.over_time import windows_of
        from triadic.null_models.shuffled_events import ShuffledEvents

        windows, chance = self.windows(), self.chance()
        if chance is not None and (self.events != 3 or self.undirected):
            raise ArgumentError(f"--null {self.null}: expected the 36 directed motifs of three events")
        no_events = TemporalGraph.from_edges([], [], [], ties=self.ties, unit=self.unit)
        no_events.duration("delta", number_or_words(self.delta))
        if windows is not None:
            windows_of(no_events, windows["window"], windows["step"])
        if chance is not None:
            ShuffledEvents.of(no_events, chance["null"], block=chance["block"])
        if self.output is None or windows is None is chance:
            return
        if windows is not None and chance is not None:
            raise ArgumentError(f"-o {self.output}: expected --window or --null, not both, for one table")
        check_table(self.output, (".csv", ".parquet"))

    def _print_ties(self, graph: "TemporalGraph") -> None:
        """Print before the counts that rows decide the order of most events, if nobody has stated that they do."""
        from triadic.measures.temporal import rows_decide

        if rows_decide(graph):
            say = print_remark if self.json else print_text
            say(
                f"{graph.num_tied:,} of {graph.num_events:,} events share their time with another one, and the order "
                "of rows decides which comes first; --ties simultaneous leaves tied events without an order, and "
                "--ties order says that rows are in order"
            )


def print_motifs(title: str, graph: "TemporalGraph", motifs: "TemporalMotifs", seconds: dict[str, float]) -> None:
    """Print the events, and the motifs as a matrix, or row by row if they are fewer than 36."""
    from triadic.reports.tables import event_facts

    vertices = "vertices", f"{graph.num_vertices:,}", ""
    print_rows([vertices, *event_facts(graph, motifs), seconds_row(seconds)], title=title)
    print_text("")
    if len(motifs) < 36:
        columns = {"name": motifs.names, "events": motifs.patterns}
        if motifs.names == motifs.patterns:  # directed pairs of events
            del columns["name"]
        counts = [f"{count:,}" for count in motifs.counts]
        print_table((*columns, "count"), zip(*columns.values(), counts, strict=True), words=columns)
    else:
        patterns = [pattern.split() for pattern in motifs.patterns]
        matrix = [
            [f"{patterns[6 * row][1]}  (M{row + 1}·)", *(f"{count:,}" for count in counts)]
            for row, counts in enumerate(motifs.matrix.tolist())
        ]
        print_table(("2nd \\ 3rd event →", *(third for _, _, third in patterns[:6])), matrix)
    print_text("")
    note = "Events run from one vertex to another: the first from a to b; c is the third vertex."
    if "pair" in motifs:
        note = "Directions are ignored: ab is an event from a to b or from b to a; c is the third vertex."
    if len(motifs) == 36:
        note += "\nRows: the second event. Columns: the third event. Row 5, column 1 is M51: ab, ba, ab."
    print_note(note)


def print_windows(columns: "Mapping[str, AnyArray]", motifs: "Sequence[str]") -> None:
    """Print the first windows: their static graphs, and the sum of the motifs that begin in them."""
    from triadic.convert.result_table import cells

    rows = []
    for row, time in enumerate(cells(columns["time"][:_SHOWN])):
        values = [columns[name][row].item() for name in _SUMMARY]
        values.append(sum(columns[name][row].item() for name in motifs))
        rows.append((str(time), *(format_value(value) for value in values)))
    print_text("")
    print_table(("time", *_SUMMARY, "motifs"), rows)
    left = len(columns["time"]) - _SHOWN
    if left > 0:
        print_note(f"{left:,} more windows; -o FILE writes all of them, with a column for each motif.")
    print_note("time: end of the window. motifs: those whose first event lies in the window.")


def _print_null(figures: "Significance") -> None:
    """Print each motif with the mean, standard deviation, z and p that shuffled events give it."""
    print_text("")
    print_comparison(figures)
    least = "" if isnan(figures.resolution) else f", p at least {figures.resolution:.3g}"
    if figures.null == "time_reversal":
        print_note("reversed: the motifs of the same events from the last to the first.")
        return
    print_note(f"null: {figures.null}, {plural(len(figures.samples), 'sample')}, seed {figures.seed}{least}.")


def _listed(column: "NDArray[np.generic]") -> list[Any]:
    """Return the values of a column as Python's, and dates as text."""
    return [str(value) for value in column] if column.dtype.kind == "M" else column.tolist()
