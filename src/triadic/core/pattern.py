"""Patterns as data: a few vertices, the states that each pair of them may have, and conditions on columns.

A pair of vertices i < j of a directed graph has one of four states: NONE, FORWARD (only the arc i -> j), BACKWARD (only
j -> i) and MUTUAL (both). An edge of an undirected graph is MUTUAL. A pattern says for each pair which states are
allowed, as a set of bits: bit s is set if state s is. So ``A -> B`` allows FORWARD and MUTUAL, ``A <-> B`` MUTUAL,
``A - B`` all but NONE, ``A !> B`` NONE and BACKWARD, ``A !- B`` NONE; nothing said of a pair allows all four, and of an
induced pattern NONE.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Literal, TypeAlias

from triadic.core.records import value_class

if TYPE_CHECKING:
    from collections.abc import Sequence

NONE, FORWARD, BACKWARD, MUTUAL = range(4)
ANY = 0b1111
MOST_VERTICES = 6

Operator: TypeAlias = Literal[
    "=", "!=", "<", "<=", ">", ">=", "in", "contains", "within", "not =", "not contains", "not within"
]
Value: TypeAlias = "int | float | str | bool | tuple[int | float | str, ...]"


@value_class
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


@value_class
class Condition:
    """A comparison of a column with a value, or with another column: ``left operator right``.

    The text of a pattern has the operators up to "contains". "within" turns "contains" around: the value contains the
    text of the column. Of the operators with "not", a missing value meets "not =" alone.
    """

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


@value_class
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


def turned(states: int) -> int:
    """Return the states of a pair as its second vertex sees them: FORWARD and BACKWARD change places."""
    return states & 0b1001 | (states & 0b0010) << 1 | (states & 0b0100) >> 1


def states_between(shape: Shape, i: int, j: int) -> int:
    """Return the states that the pair may have, seen from i: bit FORWARD for the arc i -> j alone."""
    return shape.allowed[pair_index(i, j)] if i < j else turned(shape.allowed[pair_index(j, i)])


def has_arc(states: int) -> bool:
    """Return whether all of some states of a pair have the arc from the first vertex to the second."""
    return not states & 0b0101


def image_of(shape: Shape, vertices: tuple[int, ...], places: Sequence[int]) -> tuple[int, ...]:
    """Return a vertex, an arc or an edge after vertex v has become ``places[v]``; the ends of an edge rise."""
    image = tuple(places[v] for v in vertices)
    directed = len(image) == 1 or has_arc(states_between(shape, *vertices))
    return image if directed else tuple(sorted(image))


def arranged(shape: Shape, order: Sequence[int]) -> tuple[object, ...]:
    """Return what a shape asks if vertex ``order[v]`` is named v; conditions and sides of = and != are sorted."""
    size, found = range(shape.size), set()
    places = [order.index(v) for v in size]
    for each in shape.conditions:
        left, right = (
            repr((image_of(shape, side.vertices, places), side.column) if isinstance(side, Term) else side)
            for side in (each.left, each.right)
        )
        if each.operator in ("=", "!=") and isinstance(each.right, Term):
            left, right = sorted((left, right))
        found.add((left, each.operator, right))
    allowed = tuple(states_between(shape, order[i], order[j]) for j in size for i in range(j))
    return allowed, tuple(sorted(found)), shape.arrows


@lru_cache(maxsize=256)
def automorphisms_of(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """Return the permutations of the vertices that keep the states of all pairs and all conditions as written."""
    same = range(shape.size)
    own = arranged(shape, same)
    return tuple(order for order in permutations(same) if arranged(shape, order) == own)
