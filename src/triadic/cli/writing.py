"""Commands that write files: ``triadic generate``, ``convert`` and ``tile`` networks, ``report`` and ``demo`` pages."""

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

import typer

from triadic.cli.commands import CommandList, Group, Options, argument, flag, option, output_file
from triadic.cli.network_files import (
    Url,
    check_target,
    parse_location,
    printed_warnings,
    read_events,
    read_network,
    reading_of,
    titled,
)
from triadic.cli.options import NETWORK, Computation, Csv, Dates, Kept, Reading, Watching, number_or_words
from triadic.cli.printing import dropped_rows, print_rows, print_text, seconds_row
from triadic.cli.runner import check_machine, read_prepared
from triadic.cli.triads import Clustering
from triadic.errors import ArgumentError, MissingExtraError, UnsupportedError, WriteError

_DEMO_SAMPLES = 10  # random networks: the fewest that a report compares with, so that the demo ends soon


class ModelCommand(Watching):
    """A command that draws a network from a model of `triadic.generate`.

    Attributes
    ----------
    model : str
        Name of the class of the model, whose parameters are the arguments and the own options of the command.
    """

    model: ClassVar[str]

    output: Path = output_file("File of the network to write.", ...)
    directed: bool = flag("Draw arcs instead of edges without direction.")

    def run(self) -> None:
        """Write the network: block by block to Parquet, from a graph in memory to any other format."""
        import triadic
        from triadic.core.progress import reporting
        from triadic.io.format import format_of_name

        output = self.output
        check_target(output)
        shared = Watching.declared().keys() | {"output"}
        given = {name: getattr(self, name) for name in self.declared() if name not in shared}
        drawn = getattr(triadic.generate, self.model)(**given)
        with reporting(self.watching, f"drawing {output.name}") as report:
            known = format_of_name(str(output))
            if known is not None and known.name == "parquet":
                triadic.generate.write_parquet(output, drawn, progress=report)
            else:
                triadic.write(triadic.generate.make_graph(drawn, progress=report), output)
        kind = "arcs" if drawn.directed else "edges"
        seed = f", seed {drawn.seed}" if "seed" in given else ""
        print_text(f"{output}: {drawn.vertices:,} vertices, {drawn.arcs:,} {kind} drawn{seed}")


class RandomModel(ModelCommand):
    """A command that draws random numbers."""

    seed: int | None = option("N", "Seed; the same seed gives the same network.")


class Rmat(RandomModel):
    """Recursive matrix (R-MAT, Kronecker): hubs and communities."""

    examples = ("triadic generate rmat 16 -o network.parquet --seed 1",)
    model = "RMat"

    scale: int = argument("SCALE", "The network has 2^SCALE vertices.")
    edge_factor: int = option("N", "Number of edges drawn per vertex.", default=16)
    a: float = option("P", "Probability of the upper left quarter of the adjacency matrix.", default=0.57)
    b: float = option("P", "Probability of the upper right quarter.", default=0.19)
    c: float = option("P", "Probability of the lower left quarter.", default=0.19)


class WattsStrogatz(RandomModel):
    """Ring with some edges rewired: a small world."""

    examples = ("triadic generate watts-strogatz 10000 10 0.1 -o network.txt",)
    model = "WattsStrogatz"

    vertices: int = argument("VERTICES", "Number of vertices.")
    k: int = argument("K", "Neighbours of a vertex on the ring, both sides together.")
    p: float = argument("P", "Probability that an edge is rewired.")


class BarabasiAlbert(RandomModel):
    """Growth with preferential attachment: scale-free."""

    examples = ("triadic generate barabasi-albert 10000 5 -o network.txt",)
    model = "BarabasiAlbert"

    vertices: int = argument("VERTICES", "Number of vertices.")
    links: int = argument("LINKS", "Number of edges of each new vertex.")


class ErdosRenyi(RandomModel):
    """Given number of edges, drawn uniformly at random."""

    examples = ("triadic generate erdos-renyi 10000 50000 -o network.csv --seed 1",)
    model = "ErdosRenyi"

    vertices: int = argument("VERTICES", "Number of vertices.")
    edges: int = argument("EDGES", "Number of edges.")


class Delaunay(RandomModel):
    """Delaunay triangulation of random points: a planar mesh."""

    examples = ("triadic generate delaunay 10000 -o mesh.txt",)
    model = "Delaunay"

    vertices: int = argument("VERTICES", "Number of vertices.")


class Grid(ModelCommand):
    """Square lattice or torus."""

    examples = ("triadic generate grid 100 200 -o torus.txt --periodic",)
    model = "Grid"

    rows: int = argument("ROWS", "Number of rows.")
    columns: int = argument("COLUMNS", "Number of columns.")
    periodic: bool = flag("Join opposite borders: a torus.")


models = CommandList(cls=Group, help="Draw a network from a model and write it to a file.", invoke_without_command=True)
models.add(Rmat, WattsStrogatz, BarabasiAlbert, ErdosRenyi, Delaunay, Grid)


@models.callback()
def _generate(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


class Convert(Csv, Dates, Reading, Watching):
    """Read a network in any format and write it in another.

    Loops and repeated edges are dropped; --combine says what becomes of their weights and columns, as in --combine max
    or --combine region=first,count=sum. Weights are kept if --weights names them. All else is kept: vertices without
    edges, directions, labels and the order of the vertices. A format that cannot hold the labels is refused, unless
    --lossy leaves them out.
    """

    examples = ("triadic convert friends.csv friends.triadic", "triadic convert trade.net trade.parquet --weighted")

    file: Path = argument("FILE", NETWORK)
    output: Path = argument(
        "TARGET",
        "File to write. The suffix is the format: .txt, .csv or .tsv (edge list), .parquet, .mtx, .graphml or .gexf. "
        "A name without suffix, or with .triadic, is a folder in triadic's own format, the fastest to read. - writes "
        "CSV to standard output.",
    )
    weighted: bool = flag("The same as --weights true.")
    lossy: bool = flag("Write the network even if the format loses a part of it, such as labels.")
    columns: str | None = option(
        "NAMES",
        "Names of further columns of the edges and vertices to keep, separated by commas. Default: those that the "
        "file declares.",
    )

    def run(self) -> None:
        """Run the command."""
        import triadic
        from triadic.io.format import ReadOptions

        csv = asdict(self.csv)
        check_target(self.output)
        weights = self.weight_keywords(columns=True)
        if self.weighted and weights["weights"] is None:
            weights["weights"] = True
        if self.combine is not None and "=" in self.combine:
            rules = dict(rule.strip().rpartition("=")[::2] for rule in self.combine.split(","))
            weights["combine"] = ReadOptions(weights=weights["weights"]).rules(rules)
        keep = None if self.columns is None else [name.strip() for name in self.columns.split(",") if name.strip()]
        reading = {**self.read_keywords(), **weights, "columns": keep, "dayfirst": self.dayfirst}
        graph, _ = read_network(self.file, **reading, progress=self.watching)
        triadic.write(graph, self.output, lossy=self.lossy, **csv)
        print_text(titled(f"{self.output}: {graph!r}, of {self.file.name}", reading_of(graph)))


class Tile(Reading, Computation, without=["device"]):
    """Write a network of any size as tiles, to be counted in bounded memory.

    With --weights, tiles also have the weights of the edges, for weighted clustering and signed triangles. Add
    --undirected if no count needs directions: the tiles then take less space.

    After any interruption, run the same command again: it resumes and writes the same files.
    """

    examples = ("triadic tile large.txt.gz large.tiles --memory 4GB", "triadic clustering large.tiles")

    file: str = argument("FILE", f"{NETWORK} With --dask only Parquet files, also at a URL.")
    output: str = argument("OUT", "Folder of the tiles, or a URL that fsspec knows.")
    memory: str = option(
        "SIZE",
        "Memory limit, such as 2GB, 500MB or 1GiB, of this command and of a later count of the tiles; the interpreter "
        "is not included.",
        default="2GB",
    )
    ranges: int | None = option(
        "P",
        "Number of ranges of vertices. Default: the least number that the memory limit allows.",
    )
    scratch: str | None = option(
        "FOLDER",
        "Folder for temporary files, 8 bytes per edge, 16 with weights; with --dask also a URL. Default: OUT.",
    )
    dask: str | None = option(
        "ADDRESS",
        "Make the tiles on a Dask cluster, from Parquet files that all workers can read, at paths or URLs: "
        "tcp://host:8786 is the address of a scheduler, local:4 starts four processes on this machine. Each thread of "
        "a worker may hold --memory.",
    )

    def run(self) -> None:
        """Run the command."""
        from triadic.cli.tiles import client_of, resumable
        from triadic.tiles.tiling import make_tiles

        if self.has_weight_range:
            raise UnsupportedError(
                f"{' '.join(self.weight_words())}: tiles have the edges of all weights; `triadic convert` with these "
                "options writes the edges that are left, which can be tiled"
            )
        network = parse_location(self.file)
        if isinstance(network, Url) and self.dask is None:
            raise UnsupportedError(f"{self.file}: expected a path; a network at a URL is tiled with --dask")
        with resumable(), printed_warnings(), client_of(self.dask) as client:
            made = make_tiles(
                network,
                self.output,
                memory=self.memory,
                ranges=self.ranges,
                **self.read_keywords(),
                weights=self.weight_keywords()["weights"],
                combine=self.combine,
                scratch=self.scratch,
                threads=self.threads,
                progress=self.watching,
                client=client,
            )
        if not made.seconds:
            print_text(f"{self.output}: the tiles are complete, nothing to do")
            return
        from triadic.cli.info import describe_tiles, in_words

        words = in_words(describe_tiles(made.tiles))
        words.pop("combine", None)
        combined = made.tiles.origin.get("combined") or ""
        facts = [(name, str(value), combined if name == "weights" else "") for name, value in words.items()]
        rows = [*facts, *dropped_rows(made.tiles.layout.dropped), seconds_row(made.seconds)]
        print_rows(rows, title=titled(self.output, made.columns))


class InTime(Options, panel="Events in time"):
    """Events in time."""

    time: str | None = option(
        "COLUMN",
        "Read FILE as timed events, with the times in COLUMN, and show the events in time as well.",
    )
    delta: str | None = option(
        "DURATION",
        "Read FILE as timed events, and count temporal motifs within DURATION, such as 1h. Default: an hour, or a "
        "hundredth of the time from the first event to the last.",
    )
    ties: str | None = option(
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
        'triadic report web.csv --pattern "A -> B; B -> C; A -> C" --pattern "A <-> B; A -> C; B -> C"',
    )

    file: Path = argument("FILE", NETWORK)
    output: Path = output_file("File of the page to write.", Path("report.html"), metavar="PAGE")
    samples: int = option("N", "Number of random networks to compare the network with; 0 for none.", default=100)
    seed: int | None = option("N", "Seed of the random networks; the same seed gives the same figures.")
    size: int = option("4|5", "Number of vertices of the largest graphlets; 4 leaves those of five out.", default=5)
    pattern: list[str] | None = option("PATTERN", "Pattern to count, to draw and to compare with random networks.")
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
        from triadic.core.checked import check_number, check_seed
        from triadic.counts.triads import CLOSED_TRIADS
        from triadic.measures.patterns.matches import pattern_of
        from triadic.reports.findings import find
        from triadic.reports.report import check_page, check_samples, write_page

        # Mistakes in the arguments are found before the file is read, which may take long.
        check_page(self.output)
        self.bins_keyword()
        patterns = [pattern_of(each) for each in self.pattern or ()]
        self.samples, self.seed = check_samples(self.samples), check_seed(self.seed)
        check_number("--size ", self.size, 4, 5)
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
            delta=number_or_words(self.delta),
            kept=self.null_keywords(graph),
            patterns=patterns,
            **self.keywords,
        )
        # The page names the command that writes it again.
        repeat = shlex.join(["triadic", "report", str(self.file), *self.given()])
        write_page(self.output, found, title=title_of(self.file), repeat=repeat, earlier=seconds)

    def _read_events(self) -> tuple[Any, dict[str, float]]:
        """Read timed events; options of networks without times are refused."""
        refused = "directed", "format", "where"
        keywords = {name: value for name, value in self.read_keywords().items() if name not in refused}
        given = self.words(*refused) + self.weight_words()
        if given:
            raise ArgumentError(f"{given[0]}: timed events have directions and no weights; expected no such option")
        return read_events(self.file, time=self.time, ties=self.ties, **keywords)


class Demo(Watching):
    """Analyse the import network of this Python installation: which module imports which.

    Writes the network, the clustering of every module and, if jinja2 and matplotlib are installed, a report.
    """

    examples = ("triadic demo", "triadic demo -o modules")

    folder: Path = output_file("Folder of the files to write.", Path("demo"), metavar="FOLDER")

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
