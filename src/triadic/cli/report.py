"""``triadic report`` and ``triadic demo``: a network as one HTML page, and a network that every machine has."""

import shlex
import time as clock
from pathlib import Path
from typing import Any

from triadic.cli.clustering import Clustering
from triadic.cli.commands import Options, argument, flag, option
from triadic.cli.network_files import printed_warnings
from triadic.cli.options import NETWORK, Computation, Kept, Reading, Watching, choice, number_or_words
from triadic.cli.printing import print_text
from triadic.cli.runner import check_machine, read_prepared
from triadic.errors import ArgumentError, MissingExtraError, WriteError

_DEMO_SAMPLES = 10  # random networks: the fewest that a report compares with, so that the demo ends soon


class InTime(Options, panel="Events in time"):
    """Events in time."""

    time: str | None = option(
        None,
        "COLUMN",
        "Read FILE as timed events, with the times in COLUMN, and show the events in time as well.",
    )
    delta: str | None = option(
        None,
        "DURATION",
        "Read FILE as timed events, and count temporal motifs within DURATION, such as 1h. Default: an hour, or a "
        "hundredth of the time from the first event to the last.",
    )
    ties: str | None = option(
        None,
        "order|simultaneous",
        "Let events at the same time follow one another in the order of the file, or never. Default: order.",
    )


class Report(InTime, Reading, Computation, Kept):
    """Write a report of a network: one HTML page with a summary, the main findings, a picture, tables and plots.

    The page is one file, and needs no other. Random networks take most of the time; for a large network, fewer
    are sampled.
    """

    examples = (
        "triadic report friends.txt.gz",
        "triadic report friends.txt.gz -o friends.html --samples 20 --seed 1",
        "triadic report web.csv --samples 0 --estimate",
        "triadic report messages.csv --delta 1h",
    )

    file: Path = argument("FILE", NETWORK)
    output: Path = option(Path("report.html"), "PAGE", "File of the page to write.", "-o", "--output")
    samples: int = option(100, "N", "Number of random networks to compare the network with; 0 for none.")
    seed: int | None = option(None, "N", "Seed of the random networks; the same seed gives the same figures.")
    size: int = option(5, "4|5", "Number of vertices of the largest graphlets; 4 leaves those of five out.")
    estimate: bool = flag(
        "Estimate the graphlets, and show their intervals as bars, in place of counting them. Graphlets that take "
        "longer than a minute to count are always estimated.",
    )

    def run(self) -> None:
        """Run the command."""
        self.write()
        print_text(f"The report is in {self.output}")

    def write(self) -> None:
        """Read the network and write its report."""
        from triadic.core.checked import check_seed
        from triadic.counts.triads import CLOSED_TRIADS
        from triadic.reports.findings import find
        from triadic.reports.report import check_page, check_samples, write_page

        # Mistakes in the arguments are found before the file is read, which may take long.
        check_page(self.output)
        self.bins_keyword()
        self.samples, self.seed = check_samples(self.samples), check_seed(self.seed)
        choice("size", self.size, 4, 5)
        check_machine(self, CLOSED_TRIADS)
        if self.output.is_dir() or not self.output.parent.is_dir():
            raise WriteError(f"{self.output}: expected a file in an existing folder")
        timed = self.words("time", "delta", "ties")
        graph, seconds = self._read_events() if timed else read_prepared(self.file, self)
        found = find(
            graph,
            samples=self.samples,
            seed=self.seed,
            size=self.size,
            estimate=self.estimate,
            delta=None if self.delta is None else number_or_words(self.delta),
            kept=self.null_keywords(graph),
            **self.keywords,
        )
        # The page names the command that writes it again.
        repeat = shlex.join(["triadic", "report", str(self.file), *self.given()])
        write_page(self.output, found, title=title_of(self.file), repeat=repeat, earlier=seconds)

    def _read_events(self) -> tuple[Any, dict[str, float]]:
        """Read timed events; options of networks without times are refused."""
        from triadic.io.temporal import read_temporal

        refused = "directed", "format", "where"
        keywords = {name: value for name, value in self.read_keywords().items() if name not in refused}
        given = self.words(*refused) + self.weight_words()
        if given:
            raise ArgumentError(f"{given[0]}: timed events have directions and no weights; expected no such option")
        started = clock.perf_counter()
        with printed_warnings():
            graph = read_temporal(self.file, time=self.time, ties=self.ties, **keywords)
        return graph, {"read": clock.perf_counter() - started}


class Demo(Watching):
    """Analyse the import network of this Python installation: which module imports which.

    Writes the network, the clustering of every module and, if jinja2 and matplotlib are installed, a report.
    """

    examples = ("triadic demo", "triadic demo -o modules")

    folder: Path = option(Path("demo"), "FOLDER", "Folder of the files to write.", "-o", "--output")

    def run(self) -> None:
        """Run the command."""
        from triadic.core.progress import reporting
        from triadic.generate.import_network import import_network, write_imports
        from triadic.io.tables import check_table

        folder = self.folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(f"{folder}: the folder cannot be created: {error.strerror or error}") from error
        network, vertices, page = folder / "imports.txt", folder / "vertices.csv", folder / "report.html"
        check_table(vertices)
        with reporting(self.watching, "parsing modules") as report:
            write_imports(network, import_network(progress=report))
        counting = Clustering(file=str(network), progress=self.progress)
        result = counting.counted()
        counting.write(vertices, result)
        counting.print("Which module of this Python imports which", result)
        print_text(
            f"\nThe network is in {network}, the figures of every module are in {vertices}.\n"
            f"Next, analyse a network of your own: triadic clustering FILE, or triadic report FILE\n"
        )
        try:
            # Graphlets of five vertices would have to be compiled first.
            Report(file=network, output=page, samples=_DEMO_SAMPLES, size=4, progress=self.progress).write()
        except MissingExtraError as error:
            print_text(f"No report is written: {error}")
        else:
            print_text(f"The report is in {page.resolve()}: open it in a browser.")


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
