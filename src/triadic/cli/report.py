"""``triadic report``: a network in a file as one HTML page."""

import shlex
import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from triadic.cli.help import with_examples
from triadic.cli.null_options import KeptOptions
from triadic.cli.options import CountOptions, Network, with_options

if TYPE_CHECKING:
    from triadic.graph.temporal import TemporalGraph


@with_examples(
    "triadic report friends.txt.gz",
    "triadic report friends.txt.gz -o friends.html --samples 20 --seed 1",
    "triadic report web.csv --samples 0 --estimate",
    "triadic report messages.csv --delta 1h",
)
@with_options
def report(
    file: Network,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="PAGE", help="File of the page to write.")] = Path(
        "report.html"
    ),
    samples: Annotated[
        int, typer.Option(metavar="N", help="Number of random networks to compare the network with; 0 for none.")
    ] = 100,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Seed of the random networks; the same seed gives the same figures.", show_default=False
        ),
    ] = None,
    size: Annotated[
        int,
        typer.Option(metavar="4|5", help="Number of vertices of the largest graphlets; 4 leaves those of five out."),
    ] = 5,
    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate",
            help="Estimate the graphlets, and show their intervals as bars, in place of counting them. Graphlets that "
            "take longer than a minute to count are always estimated.",
        ),
    ] = False,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Read FILE as timed events, with the times in COLUMN, and show the events in time as well.",
            show_default=False,
            rich_help_panel="Events in time",
        ),
    ] = None,
    delta: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Read FILE as timed events, and count temporal motifs within DURATION, such as 1h. Default: an hour, "
            "or a hundredth of the time from the first event to the last.",
            show_default=False,
            rich_help_panel="Events in time",
        ),
    ] = None,
    ties: Annotated[
        str | None,
        typer.Option(
            metavar="order|simultaneous",
            help="Let events at the same time follow one another in the order of the file, or never. Default: order.",
            show_default=False,
            rich_help_panel="Events in time",
        ),
    ] = None,
    options: CountOptions,
    kept: KeptOptions,
) -> None:
    """Write a report of a network: one HTML page with a summary, the main findings, a picture, tables and plots.

    The page is one file, and needs no other. Random networks take most of the time; for a large network, fewer
    are sampled.
    """
    from triadic.cli.printing import print_text

    events = EventOptions(time, delta, ties)
    write_report(
        file,
        output,
        options,
        samples=samples,
        seed=seed,
        size=size,
        estimate=estimate,
        kept=kept,
        events=events if any(events) else None,
    )
    print_text(f"The report is in {output}")


class EventOptions(NamedTuple):
    """Column of the times of events, longest time from the first event of a motif to the last, and order of ties."""

    time: str | None
    delta: str | None
    ties: str | None

    def words(self) -> list[str]:
        """Return these options as words of a command line."""
        values = {"--time": self.time, "--delta": self.delta, "--ties": self.ties}
        return [word for option, value in values.items() if value is not None for word in (option, value)]


def write_report(
    network: Path,
    page: Path,
    options: CountOptions,
    *,
    samples: int = 100,
    seed: int | None = None,
    size: int = 5,
    estimate: bool = False,
    kept: KeptOptions | None = None,
    events: EventOptions | None = None,
) -> None:
    """Read a network and write its report.

    Parameters
    ----------
    network : pathlib.Path
        File of the network.
    page : pathlib.Path
        File to write.
    options : CountOptions
    samples : int
        Number of random networks to compare the network with, 0 for none.
    seed : int, optional
        Seed of the random networks; drawn by default.
    size : {5, 4}
        Number of vertices of the largest graphlets.
    estimate : bool
        Estimate the graphlets in place of counting them.
    kept : KeptOptions, optional
        What random networks keep besides degrees.
    events : EventOptions, optional
        Read the file as timed events, and report on them as well.
    """
    from triadic.cli.counting import check_machine
    from triadic.cli.network_files import read_network, shows_progress
    from triadic.cli.options import number_or_words
    from triadic.core.checked import check_seed
    from triadic.core.graphlets import ORBITS_OF_SIZE
    from triadic.counts.triads import CLOSED_TRIADS
    from triadic.errors import ArgumentError, WriteError
    from triadic.reports.events import find_events
    from triadic.reports.findings import add_events, find
    from triadic.reports.page import check_page, write_page
    from triadic.reports.report import check_samples

    # Mistakes in the arguments are found before the file is read, which may take long.
    check_page(page)
    kept = KeptOptions() if kept is None else kept
    kept.bins_keyword()
    samples, seed = check_samples(samples), check_seed(seed)
    if size not in ORBITS_OF_SIZE:
        raise ArgumentError(f"--size {size}: expected 4 or 5")
    check_machine(options, count=CLOSED_TRIADS)
    if page.is_dir() or not page.parent.is_dir():
        raise WriteError(f"{page}: expected a file in an existing folder")
    threads, device, progress = options.threads, options.device, shows_progress(options.progress)
    in_time = None
    if events is None:
        graph, seconds = read_network(
            network, **options.read_keywords(), **options.weight_keywords(), threads=threads, progress=progress
        )
    else:
        timed, seconds = _read_events(network, options, events)
        longest = None if events.delta is None else number_or_words(events.delta)
        in_time = find_events(timed, longest, samples=samples, seed=seed, threads=threads, progress=progress)
        graph = timed.window()
    started = clock.perf_counter()
    graph.oriented(threads=threads)
    seconds["prepare"] += clock.perf_counter() - started
    of_null = kept.keywords(graph)
    found = find(
        graph,
        samples=samples,
        seed=seed,
        size=size,
        estimate=estimate,
        threads=threads,
        device=device,
        progress=progress,
        kept=of_null,
    )
    add_events(found, in_time)
    # The page names the command that writes it again.
    words = ["triadic", "report", str(network), "-o", str(page), "--samples", str(samples), "--seed", str(seed)]
    words += [*options.read_words(), *options.weight_words(), *kept.words()]
    words += [] if events is None else events.words()
    words += [] if size == 5 else ["--size", str(size)]
    words += ["--estimate"] if estimate else []
    words += [] if threads is None else ["--threads", str(threads)]
    words += [] if device == "auto" else ["--device", device]
    write_page(page, found, title=title_of(network), repeat=shlex.join(words), earlier=seconds)


def _read_events(
    network: Path, options: CountOptions, events: EventOptions
) -> tuple["TemporalGraph", dict[str, float]]:
    """Read timed events; options of networks without times are refused."""
    from triadic.cli.network_files import printed_warnings
    from triadic.errors import ArgumentError
    from triadic.io.temporal import read_temporal

    refused = "directed", "format", "where"
    keywords = {name: value for name, value in options.read_keywords().items() if name not in refused}
    given = options.words(*refused) + options.weight_words()
    if given:
        raise ArgumentError(f"{given[0]}: timed events have directions and no weights; expected no such option")
    started = clock.perf_counter()
    with printed_warnings():
        graph = read_temporal(network, time=events.time, ties=events.ties, **keywords)
    return graph, {"read": clock.perf_counter() - started, "prepare": 0.0}


def title_of(network: Path) -> str:
    """Return the name of a network: that of its file without the suffixes of its format and its compression.

    Examples
    --------
    >>> title_of(Path("data/wiki-Vote.txt.gz")), title_of(Path("karate"))
    ('wiki-Vote', 'karate')
    """
    from triadic.io.file_source import suffix_of

    packing = suffix_of(network.name)[1]
    return Path(network.stem).stem if packing else network.stem
