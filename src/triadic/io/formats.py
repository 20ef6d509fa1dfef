"""The list of all formats, and the choice of the format of a file.

The first bytes of a file outweigh the suffix of its name, with one exception: a file named ``.mtx`` is Matrix Market
or an error, because a Matrix Market body without its banner looks like an edge list and would be read with wrong ids.
"""

from __future__ import annotations

import re
from os import PathLike, fsdecode
from typing import TYPE_CHECKING

from triadic.errors import ArgumentError, MissingFileError
from triadic.io.file_source import Source, is_pattern, suffix_of
from triadic.io.folder import TRIADIC, is_stored
from triadic.io.gap import GAP
from triadic.io.gml import GML
from triadic.io.graph6 import GRAPH6
from triadic.io.matrix_market import MATRIX_MARKET
from triadic.io.metis import METIS
from triadic.io.pajek import PAJEK
from triadic.io.parquet import PARQUET
from triadic.io.sif import SIF
from triadic.io.text import CSV, TEXT, TSV
from triadic.io.tu_dataset import PARTS, refuse_part
from triadic.io.xml_network import GEXF, GRAPHML

if TYPE_CHECKING:
    from triadic.io.file_source import NetworkInput
    from triadic.io.format import Format, ReadOptions

FORMATS: dict[str, Format] = {}
"""Every format by its name; :func:`register` adds to it."""

_HEAD_BYTES = 1 << 14
# The first column of every table that Cytoscape exports is SUID.
_CYTOSCAPE_TABLE = re.compile(rb'(?:\xef\xbb\xbf)?"?SUID"?[,;\t][^\n]*\bname\b')
_NOT_READ = {
    ".cyjs": "is a network of Cytoscape in JSON, which is not read; export it as GraphML or SIF",
    ".cx": "is a network of Cytoscape in CX, which is not read; export it as GraphML or SIF",
    ".cx2": "is a network of Cytoscape in CX, which is not read; export it as GraphML or SIF",
    ".xgmml": "is a network of Cytoscape in XGMML, which is not read; export it as GraphML or SIF",
    ".xls": "is a workbook, which is not read; save its sheet of edges as 'CSV UTF-8'",
    ".gdf": "is GDF, which is not read; export it from Gephi as GEXF or GraphML",
    ".dot": "is a network of Graphviz, which is not read; export it as GraphML, GML or an edge list",
    ".gv": "is a network of Graphviz, which is not read; export it as GraphML, GML or an edge list",
    ".json": "is JSON, which is not read; export it as GraphML, GML or an edge list",
}
"""Suffixes of networks that would be misread as edge lists, and what to do with them."""


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
        other = _format_of_suffix(suffix)
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
    return _format_of_suffix(suffix_of(path)[0])


def written_suffixes() -> list[str]:
    """Return the suffixes of all formats that can be written."""
    return [suffix for known in FORMATS.values() if known.write is not None for suffix in known.suffixes]


def open_network(network: NetworkInput, name: str | None) -> tuple[Source, Format]:
    """Open a network and return it with its format.

    Parameters
    ----------
    network : NetworkInput
        The path of a file or of a folder, or what :func:`triadic.io.lake.open_lake` opens.
    name : str or None
        Name of the format; None chooses by the first bytes and the suffix.

    Raises
    ------
    MissingFileError
        The file does not exist.
    ReadError
        The file cannot be opened, no format recognises it, or it is of a data set of many graphs.
    ArgumentError
        No format has this name.
    """
    known = None if name is None else known_format(name)
    if isinstance(network, (str, bytes, PathLike)) and fsdecode(network) != "-":
        try:
            source = Source(network)
        except MissingFileError:
            if not is_pattern(network):
                raise
        else:
            if known is None and source.path.endswith(PARTS):
                refuse_part(source.path)
            if not source.folder or known is TRIADIC or is_stored(source):
                return source, detect(source) if known is None else known
    from triadic.io.lake import open_lake  # noqa: PLC0415 - Arrow takes long to import

    suffixes = [
        suffix for each in FORMATS.values() if each.blocks is not None and not each.alone for suffix in each.suffixes
    ]
    return open_lake(network, known, detect, format_of_name, suffixes)


def reopenable(network: NetworkInput) -> NetworkInput:
    """Return a network that can be opened several times: an opened file is copied, and a table is recognised."""
    if isinstance(network, (str, bytes, PathLike, list, tuple)):
        return network
    from triadic.io.lake import recognised  # noqa: PLC0415 - Arrow takes long to import

    return recognised(network)


def check_columns(known: Format, options: ReadOptions) -> None:
    """Raise an ArgumentError if the options choose columns of a format that has none."""
    keeps = known.keeps is not None and bool(known.keeps.columns)
    given: dict[str, object] = {}
    if not known.columns:
        given = {"source": options.source, "target": options.target, "header": options.header, "where": options.where}
        given["bad_rows"] = None if options.bad_rows == "error" else options.bad_rows
    given |= {"columns": list(options.keep)} if options.keep and not (known.columns or keeps) else {}
    words = ", ".join(f"{name}={value!r}" for name, value in given.items() if value is not None)
    if words:
        raise ArgumentError(f"{words}: files of the format {known.name} have no columns to choose; leave it out")


def detect(source: Source) -> Format:
    """Return the format of a file; a plain edge list where neither the first bytes nor the suffix tell.

    Raises
    ------
    ReadError
        The file is XML or HTML that no format recognises.
    """
    if source.folder:
        return TRIADIC
    suffix = suffix_of(source.path)[0]
    named = _format_of_suffix(suffix)
    if named is None and suffix in _NOT_READ:
        raise source.error(_NOT_READ[suffix])
    if named is not None and named.suffix_decides:
        return named
    start = source.head[:_HEAD_BYTES]
    if _CYTOSCAPE_TABLE.match(start):
        raise source.error("is a table of Cytoscape, which is not read; export the network as GraphML or SIF")
    for known in FORMATS.values():
        if known.recognise is not None and known.recognise(start):
            return known
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        raise source.error("starts with '<' but is neither GraphML nor GEXF; expected an edge list or a graph file")
    return TEXT if named is None or named.folder else named


def _format_of_suffix(suffix: str) -> Format | None:
    return next((known for known in FORMATS.values() if suffix in known.suffixes), None)


for _format in (
    TEXT,
    CSV,
    TSV,
    PARQUET,
    MATRIX_MARKET,
    PAJEK,
    METIS,
    GML,
    GRAPHML,
    GEXF,
    SIF,
    GAP,
    GRAPH6,
    TRIADIC,
):
    register(_format)
