"""The declaration of a file format: its name, its suffixes, the functions that read and write it; and all formats."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from triadic.core.records import value_class
from triadic.errors import ArgumentError
from triadic.io.file_source import suffix_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic.io.file_source import Source


def later(module: str, name: str, **keywords: object) -> Callable[..., Any]:
    """Return a function, or a class, of a module of `triadic.io` that is imported by the first call.

    Parameters
    ----------
    module : str
        Name of the module.
    name : str
        Name of the function or class in it.
    **keywords
        Passed to it, besides the arguments of the call.
    """

    def called(*arguments: object) -> Any:  # noqa: ANN401 - what the function returns
        return getattr(import_module(f"triadic.io.{module}"), name)(*arguments, **keywords)

    return called


@value_class(kw_only=True)
class Keeps:
    """What the files of a format keep of a network, so that reading a written file returns the same network.

    Each parameter is a few words that say how the format keeps the property, or empty if the property is lost.

    Parameters
    ----------
    isolated_vertices : str, default ""
        Vertices without edges.
    direction : str, default ""
        Whether edges have a direction.
    assumed_direction : str, default ""
        That the direction of a network was assumed when it was read, because nothing stated it.
    weights : str, default ""
        Weights of edges, float64.
    columns : str, default ""
        Further columns of edges.
    vertex_columns : str, default ""
        Columns of vertices.
    labels : str, default ""
        Labels of the vertices, strings or integers, if they are different and `Format.label_problem` does not refuse
        them.
    numbering : str, default ""
        Numbers of the vertices, 0 .. n - 1, also if the vertices have labels.

    Examples
    --------
    >>> from triadic.io import FORMATS
    >>> FORMATS["csv"].keeps.weights
    'column `weight`'
    """

    isolated_vertices: str = ""
    direction: str = ""
    assumed_direction: str = ""
    weights: str = ""
    columns: str = ""
    vertex_columns: str = ""
    labels: str = ""
    numbering: str = ""


@value_class(kw_only=True)
class Format:
    """A file format.

    Each format is declared once, at the end of its own module or in :mod:`triadic.io.formats`, which lists all. A
    program that uses triadic adds a format of its own with :func:`triadic.io.register`.

    Parameters
    ----------
    name : str
        Value of ``format=`` that selects the format.
    read : callable, optional
        ``read(source, options)`` returns the :class:`triadic.core.arcs.Arcs` of a
        :class:`~triadic.io.file_source.Source`, as the :class:`~triadic.io.format.ReadOptions` ask for them. It
        raises ``source.error(problem, line=number)`` for a file that it cannot read. A format has this function or
        ``blocks``.
    suffixes : tuple of str, default ()
        Lower-case suffixes of file names, each with its dot. The suffix of a packed file, ``.gz`` or ``.zst``, is
        removed before they are compared.
    recognise : callable, optional
        ``recognise(head)`` returns a true value if the first bytes of a file, up to 16 KiB and unpacked, are those of
        this format, such as the ``match`` method of a compiled pattern. A format that recognises a file outweighs the
        suffix of its name. By default only the suffix counts.
    stream : callable, optional
        ``stream(source, options, limits)`` opens the file as an :class:`~triadic.io.arc_stream.ArcStream` that reads
        it in pieces. By default the file is read whole when the stream is opened.
    sample : callable, optional
        ``sample(source, options, threads)`` reads a part of the file and returns a
        :class:`~triadic.io.sampling.FileSample`, from which the costs of counting are estimated. By default the file
        is read whole, and a file of more than 64 MiB is refused.
    blocks : callable, optional
        ``blocks(source, options)`` opens the file as :class:`~triadic.io.blocks.Blocks`. Such a format needs no other
        function to be read, streamed and sampled, and networks of many files, such as a folder, are read from such
        formats only.
    write : callable, optional
        ``write(graph, path)`` writes a :class:`triadic.Graph`. A format without it is read only.
    keeps : Keeps, optional
        What ``write`` keeps of a network. :func:`triadic.write` refuses a network of which something would be lost. By
        default nothing is declared, and every network is written.
    label_problem : callable, optional
        ``label_problem(graph)`` returns in a few words why the format cannot hold the labels of a graph, or None if it
        can. By default it holds all labels.
    column_problem : callable, optional
        ``column_problem(graph)`` returns in a few words why the format cannot hold the columns of the edges of a graph,
        or None if it can. By default a format that keeps columns holds all.
    read_graph : callable, optional
        ``read_graph(source, options)`` returns the :class:`triadic.Graph` of a file that stores one ready to use, or
        None where the options ask for another graph than the stored one.
    suffix_decides : bool, default False
        Whether a file with one of the suffixes always has this format, whatever its first bytes are.
    alone : bool, default False
        Whether each file is a network of its own, so that a folder of files is not one network.
    folder : bool, default False
        Whether the format is a folder and not a file.
    columns : bool, default False
        Whether files have columns, which ``source=``, ``target=`` and ``header=`` choose. Other formats refuse these
        keywords.
    attributes : bool, default False
        Whether files without such columns declare attributes of edges or vertices, which ``columns=`` chooses.
    packed : bool, default True
        Whether ``write`` packs a file whose name ends in ``.gz`` or ``.zst``.

    Examples
    --------
    >>> from triadic.io import FORMATS
    >>> FORMATS["pajek"].suffixes, FORMATS["pajek"].write is None
    (('.net', '.paj'), True)
    """

    name: str
    read: Callable[[Source, ReadOptions], Arcs] | None = None
    suffixes: tuple[str, ...] = ()
    recognise: Callable[[bytes], object] | None = None
    stream: Callable[..., Any] | None = None
    sample: Callable[..., Any] | None = None
    blocks: Callable[..., Any] | None = None
    write: Callable[[Graph, str], None] | None = None
    keeps: Keeps | None = None
    label_problem: Callable[[Graph], str | None] | None = None
    column_problem: Callable[[Graph], str | None] | None = None
    read_graph: Callable[[Source, ReadOptions], Graph | None] | None = None
    suffix_decides: bool = False
    alone: bool = False
    folder: bool = False
    columns: bool = False
    attributes: bool = False
    packed: bool = True


@value_class
class ReadOptions:
    """The keywords of :func:`triadic.io.read_arcs`, which every reader takes.

    Attributes
    ----------
    directed : bool or None
        None takes the direction that the file states.
    num_vertices : int or None
        The number of vertices 0, 1, ...; None takes the number that the file states.
    weights : bool, str, int or None
        None and False: no weights. The name or the index of a column, or True for the weights of the format.
    source, target : str, int or None
        Names or indices of the columns of the two ends, if the file has columns; None finds them by their names.
    header : bool or None
        Whether the first row of a text holds the names of the columns; None decides by evidence.
    threads : int or None
        Number of threads that decode a file, or open many files; None: every CPU that the process may use.
    timed : bool
        Whether rows are read as events with times; a column such as "snapshot" may then hold the times.
    keep : sequence of str, optional
        Names of further columns to keep, by default none. None keeps those that the file itself declares.
    bad_rows : {"error", "skip"}
        What becomes of rows of text that cannot be read.
    dayfirst : bool or None
        Whether dates such as 01.03.2024 begin with the day; None decides by evidence.
    where : mapping of str, optional
        For columns by name the values of the rows that are read, as `Graph.filter` takes them.
    graph : str, int or bool, optional
        Name or index of the column that names the graph of each row of a batch; True finds it by its name. By default
        the rows are one network.
    """

    directed: bool | None = None
    num_vertices: int | None = None
    weights: bool | str | int | None = None
    source: str | int | None = None
    target: str | int | None = None
    header: bool | None = None
    threads: int | None = None
    timed: bool = False
    keep: Sequence[str] | None = ()
    bad_rows: str = "error"
    dayfirst: bool | None = None
    where: Mapping[str, Any] | None = None
    graph: str | int | None = None

    def __post_init__(self) -> None:
        beside_numbers = {
            "num_vertices": (),
            "weights": (bool, str),
            "source": (str,),
            "target": (str,),
            "graph": (bool, str),
        }
        for name, kinds in beside_numbers.items():
            value = getattr(self, name)
            if value is not None and not isinstance(value, kinds):
                object.__setattr__(self, name, _natural(name, value))
        if self.source is not None and self.source == self.target:
            raise ArgumentError(f"source={self.source!r} is the target too; expected two columns")
        if self.keep is not None and (isinstance(self.keep, str) or not isinstance(self.keep, Iterable)):
            raise ArgumentError(f"columns={self.keep!r}: expected a list of names of columns")
        if self.bad_rows not in ("error", "skip"):
            raise ArgumentError(f"bad_rows={self.bad_rows!r}: expected 'error' or 'skip'")
        if self.where is not None and not isinstance(self.where, Mapping):
            raise ArgumentError(f"where={self.where!r}: expected a mapping from columns to values")

    @property
    def wants_weights(self) -> bool:
        """Whether the options ask for weights."""
        return self.weights is not None and self.weights is not False

    @property
    def columns(self) -> tuple[str | int | None, str | int | None, bool | str | int | None]:
        """The columns of source, target and weights, as the caller chose them."""
        return self.source, self.target, self.weights

    def rules(self, combine: str | Mapping[str, str] | None) -> str | Mapping[str, str] | None:
        """Return rules by column in which the weights, which may go by the name of their column, are ``weight``."""
        if not isinstance(combine, Mapping) or self.weights in (self.keep or ()):
            return combine
        return {"weight" if name == self.weights else name: rule for name, rule in combine.items()}

    @property
    def chosen(self) -> dict[str, object]:
        """What the caller chose of the columns and rows of a table, besides weights, by keyword."""
        chosen = {"source": self.source, "target": self.target, "header": self.header, "where": self.where}
        chosen["bad_rows"] = None if self.bad_rows == "error" else self.bad_rows
        return {name: value for name, value in chosen.items() if value is not None}

    @property
    def names_columns(self) -> bool:
        """Whether the caller chose a column of the two ends, or stated whether there is a header."""
        return (self.source, self.target, self.header) != (None, None, None)

    def direction(self, stated: bool | None) -> tuple[bool, Literal["given", "stated", "assumed"]]:
        """Return whether the edges have a direction, and who decided it.

        Parameters
        ----------
        stated : bool or None
            The direction that the file states; None if it states none.
        """
        if self.directed is not None:
            return self.directed, "given"
        return (True, "assumed") if stated is None else (stated, "stated")

    def kept(self, source: Source, known: Iterable[str]) -> set[str]:
        """Return the names of the columns to keep, of those that a file declares; refuse others."""
        known = set(known)
        lacking = next((name for name in self.keep or () if name not in known), None)
        if lacking is not None:
            expected = f"expected one of {', '.join(sorted(known))}" if known else "the file has none"
            raise source.error(f"there is no column {lacking!r}; {expected}")
        return known if self.keep is None else set(self.keep)

    def wants_natural_weights(self, source: Source, kind: str) -> bool:
        """Return whether to read weights of a format whose weights have no name; errors call the file ``kind``."""
        if self.wants_weights and self.weights is not True:
            raise source.error(f"weights={self.weights!r}: the weights of {kind} have no name; use weights=True")
        return self.weights is True

    def vertices_at_least(self, source: Source, declared: int) -> int:
        """Return the number of vertices: ``declared`` by the file, or else by the options, which may not be fewer."""
        if self.num_vertices is None:
            return declared
        if self.num_vertices < declared:
            raise source.error(
                f"the file declares {declared} vertices, expected at most num_vertices={self.num_vertices}"
            )
        return self.num_vertices


def _natural(name: str, value: object) -> int:
    expected = {
        "num_vertices": "a number of vertices",
        "weights": "True, False, a column's name or its index",
    }.get(name, "a column's name or its index")
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # another type raises TypeError
    except TypeError:
        raise ArgumentError(f"{name}={value!r}: expected {expected}") from None
    if isinstance(value, bool) or not 0 <= number < 2**63:
        raise ArgumentError(f"{name}={value!r}: expected {expected}, from 0 to 2**63 - 1")
    return number


FORMATS: dict[str, Format] = {}
"""Every format by its name; :func:`register` adds to it."""


def register(format: Format) -> None:  # noqa: A002 - the word that everybody looks for
    """Add a format, which all functions that take the path of a network then know.

    Parameters
    ----------
    format : Format
        Its name and its suffixes must not belong to another format.

    Raises
    ------
    ArgumentError
        Another format has the same name or one of the suffixes.

    Examples
    --------
    >>> from pathlib import Path
    >>> import triadic
    >>> from triadic.core.arcs import Arcs
    >>> from triadic.io import FORMATS, Format, register
    >>> def read_path(source, options):
    ...     n = int(source.everything())
    ...     return Arcs(np.arange(n - 1, dtype=np.int32), np.arange(1, n, dtype=np.int32), n, directed=False)
    >>> import numpy as np
    >>> register(Format(name="path", suffixes=(".path",), read=read_path))
    >>> _ = Path("four.path").write_text("4")
    >>> triadic.read("four.path").num_edges
    3
    >>> del FORMATS["path"]
    """
    if format.name in FORMATS:
        raise ArgumentError(f"format={format.name!r} is registered already; expected another name")
    for suffix in format.suffixes:
        other = format_of_suffix(suffix)
        if other is not None:
            raise ArgumentError(f"the suffix {suffix!r} belongs to the format {other.name!r}; expected another suffix")
    FORMATS[format.name] = format


def known_format(name: str) -> Format:
    """Return the format of a name; raise an ArgumentError that lists all names if there is none."""
    found = FORMATS.get(name)
    if found is None:
        raise ArgumentError(f"format={name!r} is not known; expected one of {', '.join(FORMATS)}")
    return found


def format_of_name(path: str) -> Format | None:
    """Return the format that the suffix of a file name belongs to, or None.

    Examples
    --------
    >>> format_of_name("roads.MTX.zst").name
    'matrix-market'
    """
    return format_of_suffix(suffix_of(path)[0])


def written_suffixes() -> list[str]:
    """Return the suffixes of all formats that can be written."""
    return [suffix for known in FORMATS.values() if known.write is not None for suffix in known.suffixes]


def format_of_suffix(suffix: str) -> Format | None:
    """Return the format that a suffix belongs to, or None."""
    return next((known for known in FORMATS.values() if suffix in known.suffixes), None)
