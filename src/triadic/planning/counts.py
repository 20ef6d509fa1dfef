"""What can be planned for: the counts that tiles have, and what each writes."""

from __future__ import annotations

from dataclasses import dataclass

from triadic.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Kind:
    """A count.

    Attributes
    ----------
    name : str
    columns : int
        Of what is counted in each triple.
    at_ranks : bool
        Whether it is counted at vertices.
    by_rank, results : int
        Columns of the files of results, of 8 bytes a vertex: by rank, and by vertex.
    passes : int
        Passes over the tiles beside counting.
    by_bits : bool
        Whether hubs are counted by a matrix of bits.
    """

    name: str
    columns: int
    at_ranks: bool
    by_rank: int
    results: int
    passes: int
    by_bits: bool


KINDS = {
    "clustering": Kind("clustering", 1, True, 3, 3, 0, True),
    "census": Kind("census", 27, False, 3, 0, 1, False),
    "census-by-vertex": Kind("census-by-vertex", 7, True, 16, 16, 2, False),
    "graphlets": Kind("graphlets", 1, True, 3, 5, 1, True),
}
"""Counts by name; `graphlets` are the first five."""


def kind_of(name: str) -> Kind:
    """Give a count by name.

    Raises
    ------
    ArgumentError
    """
    if name not in KINDS:
        raise ArgumentError(f"of={name!r}: expected one of {', '.join(KINDS)}")
    return KINDS[name]
