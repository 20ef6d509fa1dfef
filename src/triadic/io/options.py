"""The options of a reader, checked once: direction, number of vertices, weights, names of columns."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.io.file_source import Source


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The keywords of :func:`triadic.read_arcs`, which every reader takes.

    Attributes
    ----------
    directed : bool or None
        None takes the direction that the file states.
    vertices : int or None
        The number of vertices 0, 1, ...; None takes the number that the file states.
    weights : bool, str, int or None
        None and False: no weights. The name or the index of a column, or True for the weights of the format.
    source, target : str
        Names of the two columns, if columns have names.
    """

    directed: bool | None = None
    vertices: int | None = None
    weights: bool | str | int | None = None
    source: str = "source"
    target: str = "target"

    def __post_init__(self) -> None:
        if self.directed not in (None, True, False):
            raise ArgumentError(f"directed={self.directed!r}: expected True, False or None")
        if self.directed is not None:
            object.__setattr__(self, "directed", bool(self.directed))
        if self.vertices is not None:
            object.__setattr__(self, "vertices", _natural("vertices", self.vertices))
        if self.weights is not None and not isinstance(self.weights, (bool, str)):
            object.__setattr__(self, "weights", _natural("weights", self.weights))
        for name in ("source", "target"):
            if not isinstance(getattr(self, name), str):
                raise ArgumentError(f"{name}={getattr(self, name)!r}: expected the name of a column")
        if self.source == self.target:
            raise ArgumentError(f"source={self.source!r} is the target too; expected two columns")

    @property
    def wants_weights(self) -> bool:
        """Whether the options ask for weights."""
        return self.weights is not None and self.weights is not False

    @property
    def names_columns(self) -> bool:
        """Whether the caller chose the names of the two columns."""
        return (self.source, self.target) != ("source", "target")

    def wants_natural_weights(self, source: Source, kind: str) -> bool:
        """Return whether to read weights of a format whose weights have no name; errors call the file ``kind``."""
        if self.wants_weights and self.weights is not True:
            raise source.error(f"weights={self.weights!r}: the weights of {kind} have no name; use weights=True")
        return self.weights is True

    def vertices_at_least(self, source: Source, declared: int) -> int:
        """Return the number of vertices: ``declared`` by the file, or else by the options, which may not be fewer."""
        if self.vertices is None:
            return declared
        if self.vertices < declared:
            raise source.error(f"the file declares {declared} vertices, expected at most vertices={self.vertices}")
        return self.vertices


def _natural(name: str, value: object) -> int:
    expected = "a number of vertices" if name == "vertices" else "True, False, a column's name or its index"
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # another type raises TypeError
    except TypeError:
        raise ArgumentError(f"{name}={value!r}: expected {expected}") from None
    if isinstance(value, bool) or not 0 <= number < 2**63:
        raise ArgumentError(f"{name}={value!r}: expected {expected}, from 0 to 2**63 - 1")
    return number
