"""The declaration of a file format: its name, its suffixes, and the functions that read and write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic.io.arc_stream import ArcStream
    from triadic.io.blocks import Blocks
    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions
    from triadic.io.sampling import FileSample
    from triadic.io.stream_passes import StreamLimits

    class Stream(Protocol):
        """A function that opens a file as a stream."""

        def __call__(self, source: Source, options: ReadOptions, limits: StreamLimits) -> ArcStream | None:
            """Open a file as a stream of arcs; return None where this file has to be read whole."""

    class Sample(Protocol):
        """A function that samples a file."""

        def __call__(self, source: Source, options: ReadOptions, threads: int) -> FileSample:
            """Read a sample of the arcs of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
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
    labels: str = ""
    numbering: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A file format.

    Each format is declared once, at the end of its own module, and listed in :mod:`triadic.io.formats`. A program
    that uses triadic adds a format of its own with :func:`triadic.io.register`.

    Parameters
    ----------
    name : str
        Value of ``format=`` that selects the format.
    read : callable, optional
        ``read(source, options)`` returns the :class:`triadic.core.arcs.Arcs` of a
        :class:`~triadic.io.file_source.Source`, as the :class:`~triadic.io.options.ReadOptions` ask for them. It
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
        ``blocks(source, options, before)`` opens the file as :class:`~triadic.io.blocks.Blocks`, after the first file
        ``before`` of the same network, or as the first one (None). Such a format needs no other function to be read,
        streamed and sampled, and networks of many files, such as a folder, are read from such formats only.
    write : callable, optional
        ``write(graph, path)`` writes a :class:`triadic.Graph`. A format without it is read only.
    keeps : Keeps, optional
        What ``write`` keeps of a network. :func:`triadic.write` refuses a network of which something would be lost. By
        default nothing is declared, and every network is written.
    label_problem : callable, optional
        ``label_problem(graph)`` returns in a few words why the format cannot hold the labels of a graph, or None if it
        can. By default it holds all labels.
    read_graph : callable, optional
        ``read_graph(source, options)`` returns the :class:`triadic.Graph` of a file that stores one ready to use, or
        None where the options ask for another graph than the stored one.
    suffix_decides : bool, default False
        Whether a file with one of the suffixes always has this format, whatever its first bytes are.
    folder : bool, default False
        Whether the format is a folder and not a file.
    columns : bool, default False
        Whether files have columns, which ``source=``, ``target=`` and ``header=`` choose. Other formats refuse these
        keywords.
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
    stream: Stream | None = None
    sample: Sample | None = None
    blocks: Callable[[Source, ReadOptions, Blocks | None], Blocks] | None = None
    write: Callable[[Graph, str], None] | None = None
    keeps: Keeps | None = None
    label_problem: Callable[[Graph], str | None] | None = None
    read_graph: Callable[[Source, ReadOptions], Graph | None] | None = None
    suffix_decides: bool = False
    folder: bool = False
    columns: bool = False
    packed: bool = True
