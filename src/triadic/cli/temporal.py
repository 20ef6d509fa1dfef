"""``triadic temporal``: the temporal motifs of the events in a file."""

import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triadic.cli import completion
from triadic.cli import temporal_tables as tables
from triadic.cli.help import with_examples
from triadic.cli.options import (
    BadRows,
    CsvOptions,
    DayFirst,
    Device,
    Header,
    Json,
    Progress,
    Source,
    Target,
    Threads,
    Vertices,
    number_or_words,
    with_options,
)
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.graph.temporal import TemporalGraph
    from triadic.measures.temporal import TemporalMotifs

Events = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="File of timed events: a text such as CSV, which may be packed, a Parquet file, or - for standard input.",
    ),
]
Delta = Annotated[
    str,
    typer.Option(
        metavar="DURATION",
        help="Longest time from the first event of a motif to its last, such as 1h, 30min or '1 day', or a number in "
        "the unit of times that are numbers.",
        show_default=False,
    ),
]
Time = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Column of the times: its name, or its number, counted from 0. Default: found by its name, such as "
        "timestamp; the third column if three columns have no names.",
        show_default=False,
        rich_help_panel="Input",
    ),
]
Ties = Annotated[
    str | None,
    typer.Option(
        metavar="order|simultaneous",
        help="Let events at the same time follow one another in the order of the file, or never. Default: order, which "
        "is said first if most events are tied.",
        show_default=False,
        rich_help_panel="Input",
    ),
]
Unit = Annotated[
    str | None,
    typer.Option(
        metavar="s|ms|us|ns",
        help="Unit of times that are numbers. Default: s; ms, us or ns if they are these since 1970 by their size.",
        show_default=False,
        rich_help_panel="Input",
    ),
]


@with_examples(
    "triadic temporal messages.csv --delta 1h",
    "triadic temporal messages.csv --delta 1h -o vertices.parquet",
    "triadic temporal messages.csv --delta 1h --window 7d --step 1d -o days.csv",
    "triadic temporal messages.csv --delta 1h --null shuffled_times --within 1d --seed 1",
)
@with_options
def temporal(
    file: Events,
    *,
    delta: Delta,
    events: Annotated[int, typer.Option(metavar="3|2", help="Count the motifs of three or of two events.")] = 3,
    undirected: Annotated[bool, typer.Option("--undirected", help="Ignore the directions of the events.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the label and the motifs of every vertex to FILE: .csv, .parquet or .npy. With --window, write "
            "a row for each window, and with --null a row for each motif: .csv or .parquet.",
            show_default=False,
        ),
    ] = None,
    window: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Length of windows of time, such as 7d: show the network and the motifs of each window.",
            show_default=False,
            rich_help_panel="Over time",
        ),
    ] = None,
    step: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Time from the end of a window to the end of the next. Default: the length of the windows.",
            show_default=False,
            rich_help_panel="Over time",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="End of the first window, such as 2024-05-02. Default: the first event.",
            show_default=False,
            rich_help_panel="Over time",
        ),
    ] = None,
    null: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=completion.temporal_nulls,
            help="Compare the motifs with those of shuffled events: shuffled_times, random_times, shuffled_links or "
            "time_reversal.",
            show_default=False,
            rich_help_panel="Against chance",
        ),
    ] = None,
    within: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Shuffle times within periods of this length only, such as 1d.",
            show_default=False,
            rich_help_panel="Against chance",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of times the events are shuffled. Default: 100.",
            show_default=False,
            rich_help_panel="Against chance",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Seed of the shuffling; the same seed gives the same figures.",
            show_default=False,
            rich_help_panel="Against chance",
        ),
    ] = None,
    csv: CsvOptions,
    as_json: Json = False,
    time: Time = None,
    source: Source = None,
    target: Target = None,
    header: Header = None,
    num_vertices: Vertices = None,
    ties: Ties = None,
    unit: Unit = None,
    bad_rows: BadRows = None,
    dayfirst: DayFirst = None,
    threads: Threads = None,
    device: Device = "auto",
    progress: Progress = None,
) -> None:
    """Count the temporal motifs exactly: the patterns of three events on two or three vertices within a duration.

    Repeated events count, and events from a vertex to itself are dropped.
    """
    from triadic.cli.network_files import printed_warnings, shows_progress
    from triadic.cli.printing import print_json
    from triadic.cli.significance import write_table
    from triadic.cli.table_output import check_output
    from triadic.core.blocks import resolve_threads
    from triadic.counts.count import noting
    from triadic.graph.temporal import TemporalGraph
    from triadic.io.tables import write_rows, write_vertices
    from triadic.io.temporal import read_temporal
    from triadic.measures.temporal import temporal_motifs

    check_output(output, csv=csv)
    # Mistakes in the arguments are found before the file is read, which may take long.
    if events not in (2, 3):
        raise ArgumentError(f"events={events}: expected 2 or 3")
    used_threads, longest = resolve_threads(threads), number_or_words(delta)
    no_events = TemporalGraph.from_edges([], [], [], ties=ties, unit=unit)
    over_time = tables.over_time_of(window, step, start)
    chance = tables.null_of(null, within, samples, seed, of_36=events == 3 and not undirected)
    tables.check_asked(no_events, longest, over_time, chance, output)
    started = clock.perf_counter()
    with printed_warnings():
        reading: dict[str, Any] = {
            "source": source, "target": target, "header": header, "num_vertices": num_vertices,
            "bad_rows": bad_rows or "error", "dayfirst": dayfirst,
        }  # fmt: skip
        graph = read_temporal(file, time=time, ties=ties, unit=unit, **reading)
    seconds = {"read": clock.perf_counter() - started}
    options = {
        "events": events, "undirected": undirected, "ties": graph.ties, "threads": threads, "device": device,
    }  # fmt: skip
    keywords: dict[str, Any] = {**options, "progress": shows_progress(progress)}
    started = clock.perf_counter()
    with noting() as devices:
        motifs = temporal_motifs(graph, longest, **keywords)
    columns = {} if over_time is None else tables.columns_over_time(graph, longest, over_time, keywords)
    figures = None if chance is None else tables.compared(graph, longest, chance, keywords)
    by_vertex = output is not None and not columns and figures is None
    of_vertices = temporal_motifs(graph, longest, by="vertex", **keywords) if by_vertex else None
    seconds["count"] = clock.perf_counter() - started
    if output is not None and of_vertices is not None:
        named = dict(zip(motifs.names, of_vertices.T, strict=True))
        write_vertices(output, graph, named, csv=csv)
    elif output is not None:
        write_rows(output, columns, csv) if figures is None else write_table(output, figures, csv)
    tables.print_ties(graph, as_json=as_json)
    if as_json:
        record = _record(graph, motifs, seconds, used_threads) | {"device": ", ".join(devices) or "cpu"}
        record |= {"windows": tables.record_of_windows(columns)} if columns else {}
        record |= {} if figures is None or chance is None else {"null": tables.record_of_null(figures, chance)}
        print_json(record)
        return
    print_motifs(file.name, graph, motifs, seconds)
    if columns:
        tables.print_windows(columns, list(motifs.names))
    if figures is not None:
        tables.print_comparison(figures)


def _record(
    graph: "TemporalGraph", motifs: "TemporalMotifs", seconds: dict[str, float], threads: int
) -> dict[str, Any]:
    """Return the events and the motifs as plain numbers and strings, for JSON."""
    ends = [graph.time[place].item() if graph.time.dtype.kind != "M" else str(graph.time[place]) for place in (0, -1)
            if graph.num_events]  # fmt: skip
    return {
        "events": {
            "vertices": graph.num_vertices,
            "events": graph.num_events,
            "loops_dropped": graph.dropped.loops,
            "times": ends,
            "unit": graph.unit,
            "ties": graph.ties,
            "tied": graph.num_tied,
        },
        "delta": motifs.delta,
        "motifs": motifs.to_dict(),
        "patterns": dict(zip(motifs.names, motifs.patterns, strict=True)),
        "seconds": {step: round(taken, 6) for step, taken in seconds.items()},
        "threads": threads,
    }


def print_motifs(title: str, graph: "TemporalGraph", motifs: "TemporalMotifs", seconds: dict[str, float]) -> None:
    """Print the events, and the motifs as a matrix, or row by row if they are fewer than 36."""
    from rich.table import Table

    from triadic.cli.printing import output_console, print_note, print_rows, print_table
    from triadic.core.formatting import format_length

    times = [tables.short_time(str(graph.time[place])) for place in (0, -1)] if graph.num_events else ["none", ""]
    unit = "" if graph.time.dtype.kind == "M" else graph.unit
    loops, tied = graph.dropped.loops, graph.num_tied
    of_ties = "the order of rows decides which comes first" if graph.ties == "order" else "without an order"
    rows = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("events", f"{graph.num_events:,}", f"{loops:,} from a vertex to itself dropped" if loops else ""),
        *([("tied events", f"{tied:,}", f"share their time with another one; {of_ties}: --ties")] if tied else []),
        ("first time", times[0], unit if graph.num_events else ""),
        ("last time", times[1], unit) if graph.num_events else ("last time", "none", ""),
        ("delta", format_length(motifs.delta, graph.unit), ""),
        ("motifs", f"{sum(motifs.values()):,}", ""),
        *((step, f"{taken:.3f}", "s") for step, taken in seconds.items()),
    ]
    print_rows(rows, title=title)
    console = output_console()
    console.print()
    table = Table(box=None, pad_edge=False, header_style="dim")
    if len(motifs) < 36:
        columns = {"name": motifs.names, "events": motifs.patterns}
        if motifs.names == motifs.patterns:  # directed pairs of events
            del columns["name"]
        for heading in columns:
            table.add_column(heading, style="cyan")
        table.add_column("count", justify="right")
        for *names, count in zip(*columns.values(), motifs.counts, strict=True):
            table.add_row(*names, f"{count:,}")
        print_table(console, table)
    else:
        table.add_column("2nd \\ 3rd event →", style="cyan")
        for column in range(6):
            table.add_column(motifs.patterns[column].split()[2], justify="right")
        for row in range(6):
            counts = (f"{count:,}" for count in motifs.counts[6 * row : 6 * row + 6])
            table.add_row(f"{motifs.patterns[6 * row].split()[1]}  (M{row + 1}·)", *counts)
        print_table(console, table)
    console.print()
    note = "Events run from one vertex to another: the first from a to b; c is the third vertex."
    if "pair" in motifs:
        note = "Directions are ignored: ab is an event from a to b or from b to a; c is the third vertex."
    if len(motifs) == 36:
        note += "\nRows: the second event. Columns: the third event. Row 5, column 1 is M51: ab, ba, ab."
    print_note(console, note)
