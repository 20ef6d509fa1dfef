"""The options that commands share, each declared once, in groups that are base classes of commands."""

# typer reads annotations at run time, so they are not postponed here nor in the commands.

import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.cli.commands import Options, completing, flag, option
from triadic.cli.printing import announce_compilation
from triadic.core.formatting import CsvStyle
from triadic.errors import ArgumentError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

_SIGN = re.compile("(>=|<=|=)")
_OF_WEIGHTS = ("weights", "min_weight", "max_weight", "combine")
_READ = ("directed", "format", "num_vertices", "source", "target", "header")
# The help of FILE, as far as a command takes it.
NETWORK = (
    "File of the network: an edge list or another format that triadic reads. Or a folder of edge lists or Parquet "
    "files, a quoted pattern such as 'edges/*.parquet', or - for standard input."
)
OR_TILES = " Or the folder or URL of tiles, as `triadic tile` writes them."
OR_MANY_GRAPHS = (
    " Or many graphs: a data set of TU Dortmund, a file of graph6 with several lines or, with --batch, a folder of "
    "files or a table."
)
# Names that a shell completes; the modules that define them take half a second to import.
DEVICES = ("auto", "cpu", "cuda", "cuda:0", "cuda:all", "opencl", "opencl:0")
STATISTICS = ("triads", "clustering", "graphlets", "intensity")
COUNTED = (
    "degree", "in_degree", "out_degree", "mutual_degree", "triangles", "trussness", "clustering", "transitivity",
    "average_clustering", "closure", "square_clustering", "directed_clustering", "ldbc_clustering",
    "cycle_transitivity", "weighted_clustering", "structural_balance", "dyads", "triads", "roles", "graphlets",
    "orbits", "raw_graphlets", "intensity", "cliques", "simplices",
)  # fmt: skip
NULLS = ("degrees", "mutual", "gnm", "configuration", "types")
TEMPORAL_NULLS = ("shuffled_times", "random_times", "shuffled_links", "time_reversal")


def _formats(incomplete: str) -> list[str]:
    from triadic.io.format import FORMATS

    return completing(FORMATS)(incomplete)


class Watching(Options):
    """Progress."""

    progress: bool | None = option(
        None,
        "Show progress on standard error. Default: only on a terminal.",
        "--progress/--no-progress",
        " /--quiet",
        " /-q",
        callback=announce_compilation,
    )

    @property
    def watching(self) -> bool:
        """Whether to show progress."""
        return shows_progress(self.progress)


def shows_progress(progress: bool | None) -> bool:
    """Return whether to show progress; without an option, only on a terminal."""
    return sys.stderr.isatty() if progress is None else progress


class Json(Options):
    """JSON in place of a table."""

    json: bool = flag("Print one JSON object instead of a table.")


class Csv(Options):
    """How CSV is written."""

    spreadsheet_safe: bool = flag(
        "Write ' before labels in CSV and TSV that a spreadsheet would run as formulas: those that begin with = + - @ "
        "or a control character. This changes the labels.",
    )
    separator: str | None = option("CHARACTER", "Write CSV with ';' or a tab between the columns. Default: a comma.")
    excel: bool = flag("Begin CSV with a byte-order mark, by which Excel knows that it is UTF-8.")

    @property
    def csv(self) -> CsvStyle:
        """The options as a style."""
        return CsvStyle(spreadsheet_safe=self.spreadsheet_safe, separator=self.separator, excel=self.excel)

    def refuse_without_table(self) -> None:
        """Raise an ArgumentError if one of the options is given to a command that writes no table."""
        if self.csv.given:
            raise ArgumentError(f"{self.csv.option}: expected -o FILE as well, with a name that ends in .csv")


class Dates(Options, panel="Input"):
    """How dates are read."""

    dayfirst: bool | None = option(
        None,
        "Read dates such as 01.03.2024 with the day or the month first. Default: the dates of the column tell; if "
        "they do not, reading stops.",
        "--dayfirst/--no-dayfirst",
    )


class Reading(Options, panel="Input"):
    """How a network is read."""

    directed: bool | None = option(
        None,
        "Read each edge as an arc from source to target, or without direction. Default: as the format or the header "
        "of FILE says, otherwise directed.",
        "--directed/--undirected",
    )
    format: str | None = option(
        "NAME",
        "Format of FILE, such as csv, parquet or pajek. Default: detected from the content and the suffix.",
        words=_formats,
    )
    num_vertices: int | None = option(
        "N",
        "Read vertices as numbers from 0 to N-1, and include the vertices without an edge.",
    )
    source: str | None = option(
        "COLUMN",
        "Column of the sources of edges: its name, or its number, counted from 0. Default: found by its name, such as "
        "from_user; the first column if columns have no names.",
    )
    target: str | None = option("COLUMN", "Column of the targets of edges, like --source.")
    header: bool | None = option(
        None,
        "Take the first row of a text as the names of its columns, or as an edge. Default: the first rows tell; if "
        "they do not, reading stops.",
        "--header/--no-header",
    )
    bad_rows: str | None = option(
        "error|skip",
        "Stop at a row of a text that cannot be read, or skip such rows; how many were is said. Default: error.",
    )
    where: list[str] | None = option(
        "CONDITION",
        "Read only the rows in which COLUMN=VALUE, 'COLUMN>=NUMBER' or 'COLUMN<=NUMBER'. With several conditions, all "
        "columns have to agree, each with one of its values.",
    )
    weights: str | None = option(
        "COLUMN",
        "Column, attribute or index of a column that holds the weights of the edges. Write true for a format whose "
        "weights have no name, such as Pajek. Default: no weights.",
    )
    min_weight: float | None = option(
        "X",
        "Leave out the edges with a weight below X; vertices stay. Weights are read as with --weights true unless "
        "that option names a column.",
    )
    max_weight: float | None = option("Y", "Leave out the edges with a weight above Y; vertices stay.")
    combine: str | None = option(
        "RULE",
        "With weights: how those of an edge that occurs several times, or from both its ends, are combined: sum, max, "
        "min, mean or first; error stops. Default: repeats are added; weights from both ends count once if all agree, "
        "stop the command if most agree, and are added if not.",
    )

    def read_keywords(self) -> dict[str, Any]:
        """Return the options as keywords of every function that reads a file, also as a stream without weights."""
        keywords: dict[str, Any] = {name: getattr(self, name) for name in _READ}
        return {**keywords, "bad_rows": self.bad_rows or "error", "where": conditions(self.where)}

    def weights_keyword(self) -> str | bool | None:
        """Return --weights as `triadic.read` takes it: True in place of the word true."""
        return True if str(self.weights).lower() == "true" else self.weights

    def weight_keywords(self, *, columns: bool = False) -> dict[str, Any]:
        """Return the options of weights as keywords of `read_network`; a range of weights reads the weights.

        Without weights there may be rules of `columns`.
        """
        weights = self.weights_keyword()
        if weights is None and self.has_weight_range:
            weights = True
        if self.combine is not None and weights is None and not columns:
            raise UnsupportedError(f"--combine {self.combine}: expected --weights, which names the weights to combine")
        return {name: getattr(self, name) for name in _OF_WEIGHTS} | {"weights": weights}

    @property
    def has_weight_range(self) -> bool:
        """Whether edges of some weights only are read."""
        return (self.min_weight, self.max_weight) != (None, None)

    def weight_words(self) -> list[str]:
        """Return the options of weights as words of a command line; empty if none is set."""
        return self.words(*_OF_WEIGHTS)


class ManyGraphs(Options, panel="Input"):
    """One network, or many graphs."""

    batch: bool = flag(
        "Read many graphs: each file of a folder or a pattern is a graph, or a column of a CSV or Parquet file names "
        "the graph of each edge. Inputs that are no single network, such as a data set of TU Dortmund and a file of "
        "graph6 with several lines, need no option.",
    )
    graph: str | None = option(
        "COLUMN",
        "Read many graphs, and take COLUMN of a CSV or Parquet file for the names of the graphs: its name, or its "
        "number, counted from 0. Default with --batch: found by its name, such as graph_id.",
    )


class Computation(Watching, panel="Computation"):
    """What counts."""

    threads: int | None = option("N", "Number of CPU threads. Default: all threads that this process may use.")
    device: str = option(
        "NAME",
        "Device to count on: auto, cpu, cuda, cuda:1, cuda:0,2, cuda:all or opencl.",
        words=DEVICES,
        default="auto",
    )

    @property
    def keywords(self) -> dict[str, Any]:
        """The options as keywords of every measure."""
        return {"threads": self.threads, "device": self.device, "progress": self.watching}


class Tiling(Options, panel="Tiles and cluster"):
    """Counting by tiles, or on a cluster."""

    memory: str | None = option(
        "SIZE",
        "Memory limit, such as 2GB, 500MB or 1GiB. A graph that does not fit is cut into tiles on disk, and counted a "
        "few tiles at a time. Default: the memory that is available.",
    )
    tiles: Path | None = option(
        "FOLDER",
        "Count by tiles even if the graph fits in memory, and keep the tiles in FOLDER. Default: tiles are written "
        "only if the graph does not fit in memory, and removed at the end.",
    )
    results: Path | None = option(
        "FOLDER",
        "Keep the results of a count by tiles in FOLDER. Default: with the tiles; for tiles at a URL, in the user's "
        "cache folder.",
    )
    dask: str | None = option(
        "ADDRESS",
        "Count on a Dask cluster: tcp://host:8786 is the address of a scheduler, local:4 starts four processes on "
        "this machine, local-gpu one for each CUDA card.",
    )


class Estimating(Options, panel="Estimate"):
    """Estimates in place of exact counts."""

    estimate: bool = flag(
        "Estimate from random draws in place of counting, each value with an interval that holds the exact one. "
        "Default: within 1%.",
    )
    error: str | None = option(
        "SHARE",
        "Draw until each interval is as narrow as this, such as 1% or 0.01 of the value on either side.",
    )
    samples: int | None = option("N", "Make N draws, whatever the width.")
    max_samples: int | None = option(
        "N",
        "Stop after N draws, however wide the intervals are. Default: 10,000,000 for each quantity.",
    )
    max_seconds: str | None = option("DURATION", "Stop drawing after this time, such as 30s or 2min.")
    confidence: str | None = option("SHARE", "How often the intervals hold the exact values. Default: 95%.")
    seed: int | None = option("N", "Seed of the draws; random by default.")

    def asked(self) -> bool:
        """Return whether to estimate; raise if another option of estimates comes without ``--estimate``."""
        if not self.estimate:
            self.refuse_without("estimate", *(Estimating.declared().keys() - {"estimate"}))
        return self.estimate


class Typed(Options):
    """Columns of the vertices, of which one has their types."""

    types: str | None = option("COLUMN", "Of --by type, the column of the vertices that has their types.")
    attributes: Path | None = option(
        "FILE[:KEY]",
        "Table with columns of the vertices, for conditions such as A.type = 'KC'. Its first column, one with a usual "
        "name or the column KEY has their labels.",
    )

    def with_attributes(self, graph: Any) -> Any:  # noqa: ANN401 - a `Graph`, which is slow to import
        """Return the graph with the columns of the table."""
        if self.attributes is None:
            return graph
        file, mark, key = str(self.attributes).rpartition(":")
        whole = not mark or self.attributes.exists()
        return graph.with_vertices(self.attributes if whole else file, key=None if whole else key)


class Kept(Options):
    """What random networks keep besides degrees."""

    groups: Path | None = option(
        "FILE[:COLUMN]",
        "Table of the groups of the vertices, such as the types of neurons: label, group; of more than two columns, "
        "COLUMN has the groups. Random networks then have as many edges from each group to each group.",
    )
    positions: Path | None = option(
        "FILE",
        "Table of the coordinates of the vertices: label, x, y and perhaps z. Random networks then have as many edges "
        "in each bin of length.",
    )
    bins: str | None = option(
        "N|EDGES",
        "Bins of length: a number of bins with about equally many edges, or the limits between bins, separated by "
        "commas. Default: 10.",
    )

    def bins_keyword(self) -> int | list[float] | None:
        """Return the bins as the measures take them.

        Examples
        --------
        >>> Kept(bins="12").bins_keyword(), Kept(bins="0.5,2").bins_keyword()
        (12, [0.5, 2.0])
        """
        if self.bins is None:
            return None
        try:
            return int(self.bins) if self.bins.isdecimal() else list(map(float, self.bins.split(",")))
        except ValueError as error:
            expected = "expected a number of bins, or limits separated by commas"
            raise ArgumentError(f"--bins {self.bins}: {expected}") from error

    def null_keywords(self, graph: Any) -> dict[str, Any]:  # noqa: ANN401 - a `Graph`, which is slow to import
        """Return the keywords of `triadic.significance`, with the tables read for the vertices of the graph."""
        from triadic.cli.printing import print_remark
        from triadic.io.vertex_columns import read_groups, read_positions

        keywords: dict[str, Any] = {} if self.bins is None else {"bins": self.bins_keyword()}
        readers: dict[str, Callable[..., tuple[Any, ...]]] = {"groups": read_groups, "positions": read_positions}
        for name, read in readers.items():
            path = getattr(self, name)
            if path is not None:
                keywords[name], *said = read(path, graph)
                for words in filter(None, said):
                    print_remark(f"{path.name}: {words}")
        return keywords


def conditions(words: list[str] | None) -> dict[str, Any] | None:
    """Return the values of --where as `triadic.read` takes them.

    Examples
    --------
    >>> conditions(["region=AL_L", "region=AL_R", "n>=5", "n<=9"])
    {'region': ['AL_L', 'AL_R'], 'n': (5, 9)}
    """
    where: dict[str, Any] = {}
    for text in words or ():
        column, sign, value = [*map(str.strip, _SIGN.split(text, maxsplit=1)), "", ""][:3]
        number, none = number_or_words(value), [] if sign == "=" else (None, None)
        before = where.get(column, none)
        if not sign or type(before) is not type(none) or (sign != "=" and isinstance(number, str)):
            raise ArgumentError(f"--where {text}: expected COLUMN=VALUE, or limits such as 'COLUMN>=5' and 'COLUMN<=9'")
        limits = (number, *before[1:]) if sign == ">=" else (*before[:1], number)
        where[column] = [*before, number] if sign == "=" else limits
    return where or None


def number_or_words(text: Any) -> Any:  # noqa: ANN401 - a text or None; a number too
    """Return a text as the number that it writes, or as it is; None for None."""
    for kind in (int, float):
        with suppress(ValueError, TypeError):
            return kind(text)
    return text
