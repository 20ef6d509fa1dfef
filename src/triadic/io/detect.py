"""Which format a file has: what its first bytes say, then what its name ends in.

A banner at the start (``%%MatrixMarket``, ``*Vertices``, ``PAR1``, ``graph [``) outweighs the suffix, with one
exception: a file named ``.mtx`` is Matrix Market or an error, because a Matrix Market body without its banner looks
just like an edge list and would be read with wrong ids.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.io.file_source import Source

FORMATS: dict[str, tuple[str, ...]] = {
    "text": (".txt", ".el", ".wel", ".edges", ".edgelist"),
    "csv": (".csv",),
    "tsv": (".tsv",),
    "parquet": (".parquet", ".pq"),
    "matrix-market": (".mtx",),
    "pajek": (".net", ".paj"),
    "metis": (".graph", ".metis"),
    "gml": (".gml",),
    "gap": (".sg", ".wsg"),
    "triadic": (".triadic",),
}
"""Every format by name, with the suffixes that stand for it."""

WRITTEN = ("text", "csv", "tsv", "parquet", "matrix-market", "triadic")
"""The formats that can be written."""

_BY_SUFFIX = {suffix: name for name, suffixes in FORMATS.items() for suffix in suffixes}
_PACKED = {".gz": "gzip", ".zst": "zstd"}

# Possessive quantifiers, so that a file which is something else is given up in one pass.
_COMMENTS = rb"\A(?:\xef\xbb\xbf)?(?:[ \t]*+(?:%[^\r\n]*+)?[\r\n]++)*+"
_PAJEK = re.compile(
    _COMMENTS + rb"[ \t]*+\*(?:vertices|network|arcs|edges|arcslist|edgeslist|matrix|partition|vector|permutation"
    rb"|cluster|hierarchy)\b",
    re.IGNORECASE,
)
# Keys of one line each may stand before the graph: Creator "...", Version 1.
_GML = re.compile(
    rb"\A(?:\xef\xbb\xbf)?(?:\s*+(?:#[^\r\n]*+|[A-Za-z]\w*+[ \t]++(?:\"[^\"]*+\"|[-+.\w]++))[ \t]*+[\r\n]++)*+"
    rb"\s*+graph\s*+(?:#[^\r\n]*+\s*+)*+\[",
    re.IGNORECASE,
)
# A damaged banner is one too, for the reader to refuse.
_MATRIX_MARKET = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*%+\s*matrix[ _-]?market", re.IGNORECASE)
_LETTERS_OF_A_BANNER = 1 << 14


def known_format(name: str) -> str:
    """Return ``name`` if it is a format; otherwise raise an ArgumentError that lists them."""
    if name not in FORMATS:
        raise ArgumentError(f"format={name!r} is not known; expected one of {', '.join(FORMATS)}")
    return name


def suffix_of(path: str) -> tuple[str, str | None]:
    """Return the suffix that tells the format, and how the name says that the file is packed.

    Examples
    --------
    >>> suffix_of("web.txt.gz")
    ('.txt', 'gzip')
    >>> suffix_of("graph")
    ('', None)
    """
    name = PurePath(path)
    packing = _PACKED.get(name.suffix.lower())
    if packing is not None:
        name = name.with_suffix("")
    return name.suffix.lower(), packing


def format_of_name(path: str) -> str | None:
    """Return the format that a file's name stands for, if any.

    Examples
    --------
    >>> format_of_name("roads.MTX.zst")
    'matrix-market'
    """
    return _BY_SUFFIX.get(suffix_of(path)[0])


def detect(source: Source) -> str:
    """Return the name of a file's format.

    Parameters
    ----------
    source : Source

    Returns
    -------
    str
        A key of ``FORMATS``; ``"text"`` when nothing says otherwise.

    Raises
    ------
    ReadError
        The file is of a kind that no reader takes.
    """
    if source.folder:
        return "triadic"
    named = format_of_name(source.path)
    if named == "matrix-market":
        return named
    banner = _format_of_banner(source.head)
    if banner is not None:
        return banner
    if source.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        raise source.error("starts with '<': XML and HTML are not read; expected an edge list or a graph file")
    if named in (None, "triadic"):
        return "text"
    return named


def _format_of_banner(head: bytes) -> str | None:
    start = head[:_LETTERS_OF_A_BANNER]
    if start.startswith(b"PAR1"):
        return "parquet"
    if _MATRIX_MARKET.match(start):
        return "matrix-market"
    if _PAJEK.match(start):
        return "pajek"
    if _GML.match(start):
        return "gml"
    return None
