"""SIF, the simple interaction format of Cytoscape: a source, an interaction and its targets in each line.

Format: https://manual.cytoscape.org/en/stable/Supported_Network_File_Formats.html#sif-format. Tabs separate the names
of a file that holds a tab; otherwise blanks do. A line with one name is a vertex without an edge of that line. SIF has
no direction: Cytoscape shows the edges of an undirected and of a directed network alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs, Origin
from triadic.io.format import Format
from triadic.io.identifiers import index_dtype
from triadic.io.text_layout import NUMBER_ID, refuse_binary, short

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

_LINE_BYTES = 48
# Bytes of memory for each letter of names and arcs, and the letters from one check to the next.
_BYTES_A_LETTER, _CHECKED_AT_ONCE = 32, 1 << 20
_COLUMNS = "columns 0 → 2 and after, interaction in column 1"


def read_sif(source: Source, options: ReadOptions) -> Arcs:
    """Read a network in SIF.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        Weights are refused: SIF has none.

    Returns
    -------
    Arcs
        One for each source and target, in the order of the file. The names are labels, in the order in which they
        appear; names that are all integers become integers.

    Raises
    ------
    ReadError
        A line has a source and an interaction without a target, or holds bytes that are not UTF-8.
    """
    if options.wants_weights:
        raise source.error("SIF has no weights; expected no weights=")
    refuse_binary(source)
    content = source.everything().removeprefix(b"\xef\xbb\xbf")
    lines = content.count(b"\n") + content.count(b"\r")
    source.check_memory(_LINE_BYTES * lines + len(content), len(content))
    read = checked = 0
    tabs = b"\t" in content
    codes: dict[str, int] = {}
    ends: list[int] = []
    for number, line in enumerate(content.splitlines(), 1):
        read += len(line) + 1
        if read > checked:
            checked = read + _CHECKED_AT_ONCE
            source.check_memory(_BYTES_A_LETTER * (len(line) + min(_CHECKED_AT_ONCE, len(content)) + read // 4), read)
        try:
            text = line.decode()
        except UnicodeDecodeError:
            raise source.error("found bytes that are not UTF-8, expected text in UTF-8", line=number) from None
        words = [word for cell in text.split("\t") if (word := cell.strip())] if tabs else text.split()
        if len(words) == 2:
            problem = f"found a source and one more name ({short(text)}), expected a source, an interaction and targets"
            raise source.error(problem, line=number)
        here = [codes.setdefault(name, len(codes)) for name in (*words[:1], *words[2:])]
        for target in here[1:]:
            ends += here[0], target
    return _arcs(source, options, codes, ends)


def _arcs(source: Source, options: ReadOptions, codes: dict[str, int], ends: list[int]) -> Arcs:
    """Return arcs between named vertices, from the source and the target of each in turn."""
    pairs: AnyArray = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    labels: AnyArray = np.array(list(codes), dtype=np.object_)
    if all(NUMBER_ID.match(name) and len(name) < 19 for name in codes):
        numbers, rank = np.unique(labels.astype(np.int64), return_inverse=True)
        if len(numbers) == len(labels):  # 7 and 07 are different names
            pairs, labels = rank[pairs], numbers
    count = len(labels) if options.num_vertices is None else options.num_vertices
    if count < len(labels):
        raise source.error(f"found {len(labels)} different names, expected at most num_vertices={count}")
    directed, decided = options.direction(None)
    first, second = pairs.astype(index_dtype(count), order="C")
    named = labels if len(labels) else None
    return Arcs(first, second, count, directed, labels=named, origin=Origin(_COLUMNS, decided))


SIF = Format(name="sif", suffixes=(".sif",), read=read_sif)
