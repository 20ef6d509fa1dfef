"""METIS: a line for each vertex that lists its neighbours, numbered from 1.

Format: G. Karypis, METIS manual 5.1, section 4.1.1 (also Chaco and the 10th DIMACS challenge). The first line is
``n m [fmt [ncon]]``; the digits of ``fmt`` say whether a line has a vertex size (100), ``ncon`` vertex weights (010)
and a weight after each neighbour (001). ``%`` begins a comment; a blank line is a vertex without neighbours.
Every edge stands in the lines of both its ends, so the file holds 2 m entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs
from triadic.io.identifiers import index_dtype
from triadic.io.metis_lines import Entries, Tally, entries, line_of_vertex, read_header, rows_of

if TYPE_CHECKING:
    from triadic.errors import ReadError
    from triadic.io.asked import Asked
    from triadic.io.file_source import Source
    from triadic.io.metis_lines import Header


def read_metis(source: Source, asked: Asked) -> Arcs:
    """Read adjacency lists.

    Parameters
    ----------
    source : Source
    asked : Asked
        ``weights=True`` takes the weights of edges. With ``directed=True`` a line lists the targets of its vertex's
        arcs, which then need not come back, and the header may count arcs.

    Returns
    -------
    Arcs
        Each edge from both its ends.

    Raises
    ------
    ReadError
        The lines do not agree with the header or with each other.
    """
    weighted = asked.wants_natural_weights(source, "a METIS file")
    header = read_header(source)
    if weighted and not header.weighted:
        raise source.error(
            "weights=True: its header says that edges have no weights", line=line_of_vertex(source, header, -1)
        )
    tally = Tally(header)
    parts = []
    for part in entries(source, header, map(rows_of, source.chunks()), weighted=weighted):
        tally.add(part)
        parts.append(part)
    dtype = index_dtype(header.vertices)
    parts = parts or [Entries(np.empty(0, dtype), np.empty(0, dtype), np.empty(0) if weighted else None)]
    directed = asked.directed is True
    arcs = Arcs(
        source=np.concatenate([part.vertex for part in parts]),
        target=np.concatenate([part.neighbour for part in parts]),
        vertices=asked.vertices_at_least(source, header.vertices),
        directed=directed,
        weights=np.concatenate([part.weights for part in parts if part.weights is not None]) if weighted else None,
        both_ends=not directed,
    )
    tally.check_number(source, directed=directed)
    if not directed and not tally.both_ends:
        raise _one_sided(source, arcs, header)
    return arcs


def _one_sided(source: Source, arcs: Arcs, header: Header) -> ReadError:
    """Return the error for the first entry whose reverse is given less often."""
    n = arcs.vertices
    forward = arcs.source.astype(np.int64) * n + arcs.target
    backward = arcs.target.astype(np.int64) * n + arcs.source
    pairs, counts = np.unique(forward, return_counts=True)
    back, back_counts = np.unique(backward, return_counts=True)
    place = np.searchsorted(back, pairs)
    place[place == len(back)] = 0
    missing = np.where(back[place] == pairs, counts > back_counts[place], True)
    first = int(np.argmax(np.isin(forward, pairs[missing])))
    u, v = int(arcs.source[first]) + 1, int(arcs.target[first]) + 1
    problem = f"vertex {u} has the neighbour {v}, but {v} does not have {u}; expected both"
    return source.error(problem, line=line_of_vertex(source, header, u - 1))
