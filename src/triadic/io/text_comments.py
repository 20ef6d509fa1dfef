"""The comments before the first row of a text, which may describe the network.

* SNAP: ``# Directed graph: name``, ``# Nodes: 82168 Edges: 948464``, ``# FromNodeId  ToNodeId  Sign``.
  (https://snap.stanford.edu/data)
* KONECT: ``% asym posweighted``, ``% 1899 20296 20296``: relationships, then the sizes of the two sets of vertices,
  the same one twice unless the network is ``bip``. (http://konect.cc, Handbook, section 9)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from triadic.io.columns import end_pairs

VERTEX_LIST = "triadic vertices:"
"""The first words of a comment that lists vertices; see :mod:`triadic.io.edge_blocks`."""
_DIRECTION = re.compile(r"(un)?directed\b", re.IGNORECASE)
_DIRECTION_INSIDE = re.compile(r"\b(un)?directed (?:graph|network)\b", re.IGNORECASE)
_NODES = re.compile(r"\bnodes:\s*(\d+)\b", re.IGNORECASE)
_KONECT = re.compile(r"(sym|asym|bip)\b")
_KONECT_SIZES = re.compile(r"\d+\s+(\d+)\s+(\d+)\s*\Z")


@dataclass(frozen=True, slots=True)
class Comments:
    """The description of a network in the comments before the first row.

    Attributes
    ----------
    directed : bool or None
    bipartite : bool
        Whether sources and targets are two different sets of vertices.
    sizes : tuple of int
        Numbers of vertices: none, one, or one for each of the two sets.
    names : tuple of str
        Words of the last comment, which name the columns if there are as many words as columns.
    lists : tuple of str
        JSON arrays, which list the vertices.
    """

    directed: bool | None = None
    bipartite: bool = False
    sizes: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()


def read_comments(lines: list[str]) -> Comments:
    """Read the comments before the first row.

    Parameters
    ----------
    lines : list of str
        Each begins with ``#`` or ``%``.

    Returns
    -------
    Comments

    Examples
    --------
    >>> read_comments(["# Undirected graph: roads", "# Nodes: 12 Edges: 30", "# FromNodeId ToNodeId"])
    Comments(directed=False, bipartite=False, sizes=(12,), names=('FromNodeId', 'ToNodeId'), lists=())
    >>> read_comments(["% bip unweighted", "% 30 12 7"]).sizes
    (12, 7)
    """
    lists = tuple(text.removeprefix(VERTEX_LIST) for line in lines if (text := listed_part(line)) is not None)
    if lists:  # labels are no description of the network
        described = read_comments([line for line in lines if listed_part(line) is None])
        return replace(described, bipartite=False, lists=lists)
    if not lines:
        return Comments()
    first = _KONECT.match(lines[0].lstrip("% \t")) if lines[0][0] == "%" else None
    if first:
        sizes = _KONECT_SIZES.match(lines[1].lstrip("% \t")) if len(lines) > 1 else None
        numbers = tuple(int(size[:20]) for size in sizes.groups()) if sizes else ()
        bipartite = first[1] == "bip"
        one = (max(numbers),) if numbers else ()
        return Comments(directed=first[1] == "asym", bipartite=bipartite, sizes=numbers if bipartite else one)
    words = [line.lstrip("#% \t") for line in lines]
    names = tuple(part for part in re.split(r"[\s,;]+", words[-1]) if part)
    # Names of columns, of which one may be "directed", state no direction.
    stated = words[:-1] if len(names) > 2 and ":" not in words[-1] and end_pairs(names) else words
    directed = next((match[1] is None for word in stated if (match := _DIRECTION.match(word))), None)
    if directed is None:
        directed = next((match[1] is None for word in words if (match := _DIRECTION_INSIDE.search(word))), None)
    nodes = next((match[1] for word in words if (match := _NODES.search(word))), None)
    return Comments(
        directed=directed,
        sizes=() if nodes is None else (int(nodes[:20]),),
        names=names,
    )


def listed_part(line: str) -> str | None:
    """Return the part of a comment from the words ``triadic vertices:`` on; None if the comment lists no vertices."""
    text = line.lstrip("#% \t")
    return text if text.startswith(f"{VERTEX_LIST} [") else None
