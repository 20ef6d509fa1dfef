"""What the comments before the first row of a text file say about the network.

* SNAP: ``# Directed graph: name``, ``# Nodes: 82168 Edges: 948464``, ``# FromNodeId  ToNodeId  Sign``.
  (https://snap.stanford.edu/data)
* KONECT: ``% asym posweighted``, ``% 1899 20296 20296``: relationships, then the sizes of the two sets of vertices,
  the same one twice unless the network is ``bip``. (http://konect.cc, Handbook, section 9)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_DIRECTION = re.compile(r"(un)?directed\b", re.IGNORECASE)
_DIRECTION_INSIDE = re.compile(r"\b(un)?directed (?:graph|network)\b", re.IGNORECASE)
_NODES = re.compile(r"\bnodes:\s*(\d+)\b", re.IGNORECASE)
_KONECT = re.compile(r"(sym|asym|bip)\b")
_KONECT_SIZES = re.compile(r"\d+\s+(\d+)\s+(\d+)\s*\Z")


@dataclass(frozen=True, slots=True)
class Comments:
    """What the comments before the first row say.

    Attributes
    ----------
    directed : bool or None
    bipartite : bool
        The sources and the targets are two different sets of vertices.
    sizes : tuple of int
        The number of vertices: nothing, one, or one for each of the two sets.
    names : tuple of str
        The last comment's words, which name the columns if they are as many.
    """

    directed: bool | None = None
    bipartite: bool = False
    sizes: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


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
    Comments(directed=False, bipartite=False, sizes=(12,), names=('FromNodeId', 'ToNodeId'))
    >>> read_comments(["% bip unweighted", "% 30 12 7"]).sizes
    (12, 7)
    """
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
    directed = next((match[1] is None for word in words if (match := _DIRECTION.match(word))), None)
    if directed is None:
        directed = next((match[1] is None for word in words if (match := _DIRECTION_INSIDE.search(word))), None)
    nodes = next((match[1] for word in words if (match := _NODES.search(word))), None)
    return Comments(
        directed=directed,
        sizes=() if nodes is None else (int(nodes[:20]),),
        names=tuple(part for part in re.split(r"[\s,;]+", words[-1]) if part),
    )
