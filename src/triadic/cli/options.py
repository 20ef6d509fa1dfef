"""Options that several commands share, each declared once.

A command that reads or counts a network takes one object of options: `ReadOptions`, `CountOptions` or
`TiledCountOptions`. The decorator `with_options` shows each field of that object to typer as an option of the command.
"""

# typer reads annotations at run time, so they are not postponed here nor in the commands.

import inspect
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, is_dataclass
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, cast, get_type_hints

import typer
from typer.models import ArgumentInfo

from triadic.cli import completion
from triadic.cli.compilation_notice import announce_compilation
from triadic.core.formatting import CsvStyle
from triadic.errors import ArgumentError, UnsupportedError

_OF_WEIGHTS = ("weights", "min_weight", "max_weight", "combine")
_READ = ("directed", "format", "num_vertices", "source", "target", "header")
_SIGN = re.compile("(>=|<=|=)")
_READING, _COUNTING, _TILING = "Input", "Computation", "Tiles and cluster"  # groups of options in the help
# In the help of FILE, for commands with `BatchOptions`.
_OR_MANY_GRAPHS = (
    "Or many graphs: a data set of TU Dortmund, a file of graph6 with several lines or, with --batch, a folder of "
    "files or a table."
)

Network = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="File of the network: an edge list or another format that triadic reads. Or a folder of edge lists or "
        "Parquet files, a quoted pattern such as 'edges/*.parquet', or - for standard input.",
    ),
]
NetworkOrUrl = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="File of the network: an edge list or another format that triadic reads. Or a folder of edge lists or "
        "Parquet files, a quoted pattern such as 'edges/*.parquet', or - for standard input. With --dask only Parquet "
        "files, also at a URL.",
        show_default=False,
    ),
]
NetworkOrTiles = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="File of the network: an edge list or another format that triadic reads. Or a folder of edge lists or "
        "Parquet files, a quoted pattern such as 'edges/*.parquet', or - for standard input. Or the folder or URL of "
        "tiles, as `triadic tile` writes them.",
        show_default=False,
    ),
]
Directed = Annotated[
    bool | None,
    typer.Option(
        "--directed/--undirected",
        help="Read each edge as an arc from source to target, or without direction. Default: as the format or the "
        "header of FILE says, otherwise directed.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        autocompletion=completion.formats,
        help="Format of FILE, such as csv, parquet or pajek. Default: detected from the content and the suffix.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
Vertices = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Read vertices as numbers from 0 to N-1, and include the vertices without an edge.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
Source = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Column of the sources of edges: its name, or its number, counted from 0. Default: found by its "
        "name, such as from_user; the first column if columns have no names.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Column of the targets of edges, like --source.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Take the first row of a text as the names of its columns, or as an edge. Default: the first rows tell; "
        "if they do not, reading stops.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
BadRows = Annotated[
    str | None,
    typer.Option(
        "--bad-rows",
        metavar="error|skip",
        help="Stop at a row of a text that cannot be read, or skip such rows; how many were is said. Default: error.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
DayFirst = Annotated[
    bool | None,
    typer.Option(
        "--dayfirst/--no-dayfirst",
        help="Read dates such as 01.03.2024 with the day or the month first. Default: the dates of the column tell; if "
        "they do not, reading stops.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="CONDITION",
        help="Read only the rows in which COLUMN=VALUE, 'COLUMN>=NUMBER' or 'COLUMN<=NUMBER'. With several conditions, "
        "all columns have to agree, each with one of its values.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
Weights = Annotated[
    str | None,
    typer.Option(
        "--weights",
        metavar="COLUMN",
        help="Column, attribute or index of a column that holds the weights of the edges. Write true for a format "
        "whose weights have no name, such as Pajek. Default: no weights.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
MinWeight = Annotated[
    float | None,
    typer.Option(
        "--min-weight",
        metavar="X",
        help="Leave out the edges with a weight below X; vertices stay. Weights are read as with --weights true unless "
        "that option names a column.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
MaxWeight = Annotated[
    float | None,
    typer.Option(
        "--max-weight",
        metavar="Y",
        help="Leave out the edges with a weight above Y; vertices stay.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
Combine = Annotated[
    str | None,
    typer.Option(
        "--combine",
        metavar="RULE",
        help="With weights: how those of an edge that occurs several times, or from both its ends, are combined: sum, "
        "max, min, mean or first; error stops. Default: repeats are added; weights from both ends count once if all "
        "agree, stop the command if most agree, and are added if not.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Number of CPU threads. Default: all threads that this process may use.",
        show_default=False,
        rich_help_panel=_COUNTING,
    ),
]
Device = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        autocompletion=completion.devices,
        help="Device to count on: auto, cpu, cuda, cuda:1, cuda:0,2, cuda:all or opencl.",
        rich_help_panel=_COUNTING,
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Memory limit, such as 2GB, 500MB or 1GiB. A graph that does not fit is cut into tiles on disk, and "
        "counted a few tiles at a time. Default: the memory that is available.",
        show_default=False,
        rich_help_panel=_TILING,
    ),
]
Progress = Annotated[
    bool | None,
    typer.Option(
        "--progress/--no-progress",
        " /--quiet",
        " /-q",
        callback=announce_compilation,
        help="Show progress on standard error. Default: only on a terminal.",
        show_default=False,
    ),
]
Batch = Annotated[
    bool,
    typer.Option(
        "--batch",
        help="Read many graphs: each file of a folder or a pattern is a graph, or a column of a CSV or Parquet file "
        "names the graph of each edge. Inputs that are no single network, such as a data set of TU Dortmund and a file "
        "of graph6 with several lines, need no option.",
        rich_help_panel=_READING,
    ),
]
GraphColumn = Annotated[
    str | None,
    typer.Option(
        "--graph",
        metavar="COLUMN",
        help="Read many graphs, and take COLUMN of a CSV or Parquet file for the names of the graphs: its name, or its "
        "number, counted from 0. Default with --batch: found by its name, such as graph_id.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
ByVertex = Annotated[
    bool,
    typer.Option(
        "--by-vertex",
        help="Of many graphs, write a row for each vertex to -o, and not a row for each graph.",
    ),
]
SpreadsheetSafe = Annotated[
    bool,
    typer.Option(
        "--spreadsheet-safe",
        help="Write ' before labels in CSV and TSV that a spreadsheet would run as formulas: those that begin with "
        "= + - @ or a control character. This changes the labels.",
    ),
]
Separator = Annotated[
    str | None,
    typer.Option(
        "--separator",
        metavar="CHARACTER",
        help="Write CSV with ';' or a tab between the columns. Default: a comma.",
        show_default=False,
    ),
]
Excel = Annotated[
    bool,
    typer.Option("--excel", help="Begin CSV with a byte-order mark, by which Excel knows that it is UTF-8."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]


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


def number_or_words(text: str) -> float | str:
    """Return a text as the number that it writes, or as it is."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def weights_of(column: str | None) -> str | bool | None:
    """Return the value of --weights as `triadic.read` takes it: True in place of the word true."""
    return True if str(column).lower() == "true" else column


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Options of a command that reads a network."""

    directed: Directed = None
    format: Format = None
    num_vertices: Vertices = None
    source: Source = None
    target: Target = None
    header: Header = None
    bad_rows: BadRows = None
    where: Where = None
    weights: Weights = None
    min_weight: MinWeight = None
    max_weight: MaxWeight = None
    combine: Combine = None

    def read_keywords(self) -> dict[str, Any]:
        """Return the options as keywords of every function that reads a file, also as a stream without weights."""
        keywords: dict[str, Any] = {name: getattr(self, name) for name in _READ}
        return {**keywords, "bad_rows": self.bad_rows or "error", "where": conditions(self.where)}

    def read_words(self) -> list[str]:
        """Return these options as words of a command line; empty if none is set."""
        return self.words(*_READ, "bad_rows", "where")

    def weight_keywords(self, *, columns: bool = False) -> dict[str, Any]:
        """Return the options of weights as keywords of `read_network`; a range of weights reads the weights.

        Without weights there may be rules of `columns`.
        """
        weights = weights_of(self.weights)
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

    def words(self, *names: str) -> list[str]:
        """Return some options as words of a command line."""
        words: list[str] = []
        for name in names:
            value, option = getattr(self, name), f"--{name.replace('_', '-')}"
            if isinstance(value, bool):
                words.append(option if value else "--undirected" if name == "directed" else f"--no-{name}")
            elif value is not None:
                for each in value if isinstance(value, list) else [value]:
                    words += [option, f"{each:g}" if isinstance(each, float) else str(each)]
        return words


@dataclass(frozen=True, slots=True, kw_only=True)
class CountOptions(ReadOptions):
    """Options of a command that reads a network and counts in memory."""

    threads: Threads = None
    device: Device = "auto"
    progress: Progress = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TiledCountOptions(CountOptions):
    """Options of a command that counts in memory, by tiles or on a cluster."""

    memory: Memory = None
    tiles: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Count by tiles even if the graph fits in memory, and keep the tiles in FOLDER. Default: tiles are "
            "written only if the graph does not fit in memory, and removed at the end.",
            show_default=False,
            rich_help_panel=_TILING,
        ),
    ] = None
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep the results of a count by tiles in FOLDER. Default: with the tiles; for tiles at a URL, in the "
            "user's cache folder.",
            show_default=False,
            rich_help_panel=_TILING,
        ),
    ] = None
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Count on a Dask cluster: tcp://host:8786 is the address of a scheduler, local:4 starts four "
            "processes on this machine, local-gpu one for each CUDA card.",
            show_default=False,
            rich_help_panel=_TILING,
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOptions:
    """Options of a command that reads one network or many graphs."""

    batch: Batch = False
    graph: GraphColumn = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvOptions(CsvStyle):
    """Options of a command that writes CSV."""

    spreadsheet_safe: SpreadsheetSafe = False
    separator: Separator = None
    excel: Excel = False


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Replace each parameter of a command that is a dataclass of options by the fields of that dataclass.

    If the command writes to standard output, ``-o -``, what it prints is written to standard error.

    typer then shows every field as an option of its own. The command is called with the dataclass. The help of FILE
    mentions many graphs if the command takes `BatchOptions`.

    Examples
    --------
    >>> @with_options
    ... def convert(file: Network, *, options: ReadOptions) -> None: ...
    >>> list(inspect.signature(convert).parameters)  # doctest: +NORMALIZE_WHITESPACE
    ['file', 'directed', 'format', 'num_vertices', 'source', 'target', 'header', 'bad_rows', 'where', 'weights',
    'min_weight', 'max_weight', 'combine']
    """
    signature = inspect.signature(command, eval_str=True)
    parameters: list[Parameter] = []
    groups: dict[str, Callable[..., object]] = {}
    for name, parameter in signature.parameters.items():
        group = parameter.annotation
        if not isinstance(group, type) or not is_dataclass(group):
            parameters.append(parameter)
            continue
        groups[name] = group
        types = get_type_hints(group, include_extras=True)
        parameters += [
            option.replace(kind=Parameter.KEYWORD_ONLY, annotation=types[option.name])
            for option in inspect.signature(group).parameters.values()
        ]
    if BatchOptions in groups.values():
        parameters = [each.replace(annotation=_or_many_graphs(each.annotation)) for each in parameters]

    @wraps(command)
    def call(**values: object) -> None:
        if str(values.get("output")) == "-":
            sys.stdout = sys.stderr
        for name, group in groups.items():
            names = inspect.signature(group).parameters
            values[name] = group(**{option: values.pop(option) for option in names})
        command(**values)

    described = cast("Any", call)  # typer reads the two attributes, which no type of a function has
    described.__signature__ = signature.replace(parameters=parameters)
    described.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return call


def _or_many_graphs(annotation: Any) -> Any:  # noqa: ANN401 - annotations of any type
    """Return the annotation of FILE with many graphs in its help, and any other annotation unchanged."""
    argument = next((each for each in getattr(annotation, "__metadata__", ()) if isinstance(each, ArgumentInfo)), None)
    if argument is None:
        return annotation
    described = copy(argument)
    described.help = f"{argument.help} {_OR_MANY_GRAPHS}"
    return Annotated[annotation.__origin__, described]
