"""``triadic report``: a network in a file as one HTML page."""

import shlex
import time
from pathlib import Path
from typing import Annotated

import typer

from triadic.cli.help import with_examples
from triadic.cli.null_options import KeptOptions
from triadic.cli.options import CountOptions, Network, with_options


@with_examples("triadic report friends.txt.gz", "triadic report friends.txt.gz -o friends.html --samples 20 --seed 1")
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
    options: CountOptions,
    kept: KeptOptions,
) -> None:
    """Write a report of a network: one HTML page with a summary, the main findings, a picture, tables and plots.

    The page is one file, and needs no other. Random networks take most of the time; for a large network, fewer
    are sampled.
    """
    from triadic.cli.printing import print_text

    write_report(file, output, options, samples=samples, seed=seed, kept=kept)
    print_text(f"The report is in {output}")


def write_report(
    network: Path,
    page: Path,
    options: CountOptions,
    *,
    samples: int = 100,
    seed: int | None = None,
    kept: KeptOptions | None = None,
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
    kept : KeptOptions, optional
        What random networks keep besides degrees.
    """
    from triadic.cli.counting import check_machine
    from triadic.cli.network_files import read_network, shows_progress
    from triadic.counts.closed_triads import CLOSED_TRIADS
    from triadic.errors import WriteError
    from triadic.generate.arguments import check_seed
    from triadic.reports.findings import find
    from triadic.reports.page import check_packages, write_page
    from triadic.reports.report import check_samples

    # Mistakes in the arguments are found before the file is read, which may take long.
    check_packages()
    kept = KeptOptions() if kept is None else kept
    kept.bins_keyword()
    samples, seed = check_samples(samples), check_seed(seed)
    check_machine(options, count=CLOSED_TRIADS)
    if page.is_dir() or not page.parent.is_dir():
        raise WriteError(f"{page}: expected a file in an existing folder")
    threads, device, progress = options.threads, options.device, shows_progress(options.progress)
    graph, seconds = read_network(
        network, **options.read_keywords(), **options.weight_keywords(), threads=threads, progress=progress
    )
    started = time.perf_counter()
    graph.oriented(threads=threads)
    seconds["prepare"] += time.perf_counter() - started
    of_null = kept.keywords(graph)
    found = find(graph, samples=samples, seed=seed, threads=threads, device=device, progress=progress, kept=of_null)
    # The page names the command that writes it again.
    words = ["triadic", "report", str(network), "-o", str(page), "--samples", str(samples), "--seed", str(seed)]
    words += [*options.read_words(), *options.weight_words(), *kept.words()]
    words += [] if threads is None else ["--threads", str(threads)]
    words += [] if device == "auto" else ["--device", device]
    write_page(page, found, title=title_of(network), repeat=shlex.join(words), earlier=seconds)


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
