"""What ``triadic temporal`` prints and writes beside the motifs: windows of time, and shuffled events."""

import warnings
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from triadic.cli.options import number_or_words
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from triadic.core.array_types import AnyArray
    from triadic.graph.events import Duration, Moment
    from triadic.graph.temporal import TemporalGraph
    from triadic.measures.significance.result import Significance

    Columns = dict[str, AnyArray]

_SHOWN = 20  # windows on the terminal
_SUMMARY = ("events", "vertices", "edges", "triangles", "transitivity")


class OverTime(NamedTuple):
    """The windows of time that a user asked for."""

    window: "Duration"
    step: "Duration"
    start: "Moment | None"


class Null(NamedTuple):
    """The null model that a user asked for."""

    name: str
    within: "Duration | None"
    samples: int
    seed: int | None


def over_time_of(window: str | None, step: str | None, start: str | None) -> OverTime | None:
    """Return the windows that the options name, or None; a window follows the one before it by default."""
    if window is None:
        for name, value in (("step", step), ("start", start)):
            if value is not None:
                raise ArgumentError(f"--{name} {value}: expected --window as well")
        return None
    length, distance = (number_or_words(text) for text in (window, window if step is None else step))
    return OverTime(length, distance, None if start is None else number_or_words(start))


def null_of(null: str | None, within: str | None, samples: int | None, seed: int | None, *, of_36: bool) -> Null | None:
    """Return the null model that the options name, or None; `of_36` tells whether all motifs are counted."""
    if null is None:
        for name, value in (("within", within), ("samples", samples), ("seed", seed)):
            if value is not None:
                raise ArgumentError(f"--{name} {value}: expected --null as well")
        return None
    if not of_36:
        raise ArgumentError(f"--null {null}: expected the 36 directed motifs of three events")
    return Null(null, None if within is None else number_or_words(within), 100 if samples is None else samples, seed)


def check_asked(
    no_events: "TemporalGraph", delta: "Duration", windows: OverTime | None, null: Null | None, output: "Path | None"
) -> None:
    """Raise for what can be wrong before the events are read; `no_events` has no events, and their unit."""
    from triadic.io.tables import check_table
    from triadic.measures.over_time import windows_of
    from triadic.null_models.shuffled_events import ShuffledEvents

    no_events.duration("delta", delta)
    if windows is not None:
        windows_of(no_events, windows.window, windows.step)
    if null is not None:
        ShuffledEvents.of(no_events, null.name, within=null.within)
    if output is not None and windows is not None and null is not None:
        raise ArgumentError(f"-o {output}: expected --window or --null, not both, for one table")
    if output is not None and (windows is not None or null is not None):
        check_table(output, (".csv", ".parquet"))


def print_ties(graph: "TemporalGraph", *, as_json: bool) -> None:
    """Print before the counts that rows decide the order of most events, if nobody has stated that they do."""
    from triadic.cli.printing import print_remark, print_text
    from triadic.measures.temporal import rows_decide

    if rows_decide(graph):
        say = print_remark if as_json else print_text
        say(
            f"{graph.num_tied:,} of {graph.num_events:,} events share their time with another one, and the order of "
            "rows decides which comes first; --ties simultaneous leaves tied events without an order, and --ties order "
            "says that rows are in order"
        )


def columns_over_time(
    graph: "TemporalGraph", delta: "Duration", asked: OverTime, keywords: dict[str, Any]
) -> "Columns":
    """Return the columns of a table of windows: their ends, their static graphs, and the motifs that begin in them."""
    from triadic.measures.over_time import clustering_over_time
    from triadic.measures.temporal import temporal_motifs

    of_graphs = {name: keywords[name] for name in ("threads", "progress")}
    clustering = clustering_over_time(graph, asked.window, asked.step, start=asked.start, **of_graphs)
    motifs = temporal_motifs(
        graph, delta, by="window", window=asked.window, step=asked.step, start=asked.start, **keywords
    )
    return {"time": clustering.time, **clustering, **motifs}


def compared(graph: "TemporalGraph", delta: "Duration", asked: Null, keywords: dict[str, Any]) -> "Significance":
    """Compare the motifs with those of the null model that a user asked for."""
    from triadic.cli.printing import print_remark
    from triadic.measures.significance.significance import significance

    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        found = significance(
            graph,
            delta=delta,
            ties=keywords["ties"],
            null=asked.name,
            within=asked.within,
            samples=asked.samples,
            seed=asked.seed,
            threads=keywords["threads"],
            device=keywords["device"],
            progress=keywords["progress"],
        )
    for remark in remarks:  # after Ctrl-C, the number of samples that are finished
        print_remark(str(remark.message))
    return found


def record_of_windows(columns: "Columns") -> dict[str, list[Any]]:
    """Return the columns as lists for JSON: dates as text, and None for an undefined mean."""
    return {name: [_plain(value) for value in _listed(column)] for name, column in columns.items()}


def record_of_null(figures: "Significance", asked: Null) -> dict[str, Any]:
    """Return a comparison as plain numbers and strings, for JSON."""
    return {
        "name": figures.null,
        "within": None if asked.within is None else str(asked.within),
        "samples": len(figures.samples),
        "steps": figures.steps,
        "seed": figures.seed,
        "motifs": figures.to_dict(),
    }


def print_windows(columns: "Columns", motifs: list[str]) -> None:
    """Print the first windows: their static graphs, and the sum of the motifs that begin in them."""
    from rich.table import Table

    from triadic.cli.printing import output_console, print_note, print_table
    from triadic.core.formatting import format_value

    console = output_console()
    console.print()
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("time", style="cyan")
    for name in (*_SUMMARY, "motifs"):
        table.add_column(name, justify="right")
    for row, time in enumerate(_listed(columns["time"][:_SHOWN])):
        values = [columns[name][row].item() for name in _SUMMARY]
        values.append(sum(columns[name][row].item() for name in motifs))
        table.add_row(short_time(str(time)), *(format_value(value) for value in values))
    print_table(console, table)
    left = len(columns["time"]) - _SHOWN
    if left > 0:
        print_note(console, f"{left:,} more windows; -o FILE writes all of them, with a column for each motif.")
    print_note(console, "time: end of the window. motifs: those whose first event lies in the window.")


def print_comparison(figures: "Significance") -> None:
    """Print each motif with the mean, standard deviation, z and p that shuffled events give it."""
    from rich.table import Table

    from triadic.cli.drawings import can_show
    from triadic.cli.printing import output_console, print_note, print_table
    from triadic.core.formatting import plural

    console = output_console()
    console.print()
    table = Table(box=None, pad_edge=False, header_style="dim")
    name, *headings = figures.headings
    table.add_column(name, style="cyan")
    for heading in headings:
        table.add_column(heading, justify="right")
    at_most = "≤" if can_show("≤", console.encoding) else "<="
    for cells in figures.cells():
        table.add_row(*(cell.replace("≤", at_most) for cell in cells))
    print_table(console, table)
    least = "" if isnan(figures.resolution) else f", p at least {figures.resolution:.3g}"
    if figures.null == "time_reversal":
        print_note(console, "reversed: the motifs of the same events from the last to the first.")
        return
    print_note(console, f"null: {figures.null}, {plural(len(figures.samples), 'sample')}, seed {figures.seed}{least}.")


def short_time(time: str) -> str:
    """Return a date without the zeros of its nanoseconds.

    Examples
    --------
    >>> short_time("2024-05-01T09:00:00.000000000"), short_time("1714554000")
    ('2024-05-01T09:00:00', '1714554000')
    """
    return time.removesuffix(".000000000")


def _listed(column: "NDArray[np.generic]") -> list[Any]:
    """Return the values of a column as Python's, and dates as text."""
    return [str(value) for value in column] if column.dtype.kind == "M" else column.tolist()


def _plain(value: object) -> object:
    return None if isinstance(value, float) and isnan(value) else value
