"""``write``: from a graph to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.errors import ArgumentError
from triadic.io.file_source import path_text, suffix_of
from triadic.io.folder import TRIADIC
from triadic.io.formats import FORMATS, format_of_name, known_format, written_suffixes
from triadic.io.text import DELIMITERS, write_text

if TYPE_CHECKING:
    from os import PathLike

    from triadic.graph.graph import Graph
    from triadic.io.format import Format


def write(
    graph: Graph,
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word that everybody looks for
    spreadsheet_safe: bool = False,
) -> None:
    """Write a graph to a file, which appears complete or not at all.

    Parameters
    ----------
    graph : Graph
        Graph to write, with its weights if it has any.
    path : path-like
        File to write, or folder in triadic's own format. The file is packed if its name ends in ``.gz`` or ``.zst``.
    format : {"text", "csv", "tsv", "parquet", "matrix-market", "graphml", "gexf", "triadic"}, optional
        Name of a format that can be written. None chooses by the suffix, and triadic's own format without a suffix.

    spreadsheet_safe : bool, default False
        Whether to write ``'`` before each label in CSV and TSV that a spreadsheet would run as a formula: labels that
        begin with ``=``, ``+``, ``-``, ``@``, a tab or a line end, and labels that begin with ``'``, so that different
        labels stay different. Reading the file returns the changed labels.

    Raises
    ------
    WriteError
        The file cannot be written, or the format cannot hold the labels. A file that was at ``path`` before is
        untouched.
    ArgumentError
        The format is not known, cannot be written, or cannot be packed; `spreadsheet_safe` is True and the format is
        not CSV or TSV; or `graph` is not a `Graph`.

    Notes
    -----
    triadic's own format keeps everything. Text and Parquet keep labels as ids: each label must belong to one vertex,
    and the labels of isolated vertices are lost. GraphML and GEXF keep the labels of all vertices. Matrix Market keeps
    no labels. CSV and TSV keep neither the direction nor isolated vertices.

    Examples
    --------
    >>> import triadic
    >>> triadic.write(triadic.Graph.from_edges([0, 1], [1, 2]), "path.txt.gz")
    >>> triadic.read("path.txt.gz").num_edges
    2
    """
    from triadic.graph.graph import Graph as GraphClass  # noqa: PLC0415 - its kernels take long to import

    if not isinstance(graph, GraphClass):
        raise ArgumentError(f"graph: write got a {type(graph).__name__}; expected a Graph, as triadic.read returns")
    target = path_text(path)
    suffix, packing = suffix_of(target)
    if format is not None:
        known: Format | None = known_format(format)
    else:
        known = format_of_name(target) if suffix else TRIADIC
    if known is None:
        expected = f"one of {', '.join(written_suffixes())}, or format="
        raise ArgumentError(f"{target}: no format has the suffix {suffix!r}; expected {expected}")
    if known.write is None:
        written = ", ".join(name for name, other in FORMATS.items() if other.write is not None)
        raise ArgumentError(f"format={known.name!r} is read only; expected one of {written}")
    if packing is not None and not known.packed:
        problem = f"the format {known.name!r} is not packed by {packing}; expected a name without it"
        raise ArgumentError(f"{target}: {problem}")
    if not spreadsheet_safe:
        known.write(graph, target)
        return
    if known.name not in DELIMITERS:
        raise ArgumentError(f"spreadsheet_safe=True: the format is {known.name!r}; expected csv or tsv")
    write_text(graph, target, delimiter=DELIMITERS[known.name], header=True, spreadsheet_safe=True)
