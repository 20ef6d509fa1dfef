"""Patterns as data: a few vertices, the states that each pair of them may have, and conditions on columns.

A pair of vertices i < j of a directed graph has one of four states: NONE, FORWARD (only the arc i -> j), BACKWARD (only
j -> i) and MUTUAL (both). An edge of an undirected graph is MUTUAL. A pattern says for each pair which states are
allowed, as a set of bits: bit s is set if state s is. So ``A -> B`` allows FORWARD and MUTUAL, ``A <-> B`` MUTUAL,
``A - B`` all but NONE, ``A !> B`` NONE and BACKWARD, ``A !- B`` NONE; nothing said of a pair allows all four, and of an
induced pattern NONE.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

NONE, FORWARD, BACKWARD, MUTUAL = range(4)
ANY = 0b1111
MOST_VERTICES = 6

Operator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "in", "contains"]
Value: TypeAlias = "int | float | str | bool | tuple[int | float | str, ...]"


@dataclass(frozen=True, slots=True)
class Term:
    """A column of a vertex, or of the arc from one vertex to another.

    Attributes
    ----------
    vertices : tuple of int
        One vertex, or the tail and the head of an arc; of an undirected graph the ends of an edge.
    column : str
        Name of the column; of a vertex also "label".
    """

    vertices: tuple[int, ...]
    column: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of a column with a value, or with another column: ``left operator right``."""

    left: Term
    operator: Operator
    right: Term | Value


def pair_index(i: int, j: int) -> int:
    """Return the place of the pair i < j in `allowed`: (0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3), ...

    Examples
    --------
    >>> pair_index(1, 2)
    2
    """
    return j * (j - 1) // 2 + i


@dataclass(frozen=True, slots=True)
class Shape:
    """What a pattern asks of its vertices 0 to k - 1.

    Attributes
    ----------
    size : int
        Number of vertices, k.
    allowed : tuple of int
        For each pair of vertices, in the order of `pair_index`, the states that it may have, as bits.
    conditions : tuple of Condition
    arrows : bool
        Whether the pattern names a direction, which an undirected graph does not have.
    """

    size: int
    allowed: tuple[int, ...]
    conditions: tuple[Condition, ...] = ()
    arrows: bool = False
