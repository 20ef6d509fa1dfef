"""The options of a reader, checked once: direction, number of vertices, columns, header."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

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
    source, target : str, int or None
        Names or indices of the columns of the two ends, if the file has columns; None finds them by their names.
    header : bool or None
        Whether the first row of a text holds the names of the columns; None decides by evidence.
    threads : int or None
        Number of threads that decode a file; None: every CPU that the process may use.
    timed : bool
        Whether rows are read as events with times; a column such as "snapshot" may then hold the times.
    """

    directed: bool | None = None
    vertices: int | None = None
    weights: bool | str | int | None = None
    source: str | int | None = None
    target: str | int | None = None
    header: bool | None = None
    threads: int | None = None
    timed: bool = False

    def __post_init__(self) -> None:
        if self.vertices is not None:
            object.__setattr__(self, "vertices", _natural("vertices", self.vertices))
        if self.weights is not None and not isinstance(self.weights, (bool, str)):
            object.__setattr__(self, "weights", _natural("weights", self.weights))
        for name, column in (("source", self.source), ("target", self.target)):
            if column is not None and not isinstance(column, str):
                object.__setattr__(self, name, _natural(name, column))
        if self.source is not None and self.source == self.target:
            raise ArgumentError(f"source={self.source!r} is the target too; expected two columns")

    @property
    def wants_weights(self) -> bool:
        """Whether the options ask for weights."""
        return self.weights is not None and self.weights is not False

    @property
    def columns(self) -> tuple[str | int | None, str | int | None, bool | str | int | None]:
        """The columns of source, target and weights, as the caller chose them."""
        return self.source, self.target, self.weights

    @property
    def names_columns(self) -> bool:
        """Whether the caller chose a column of the two ends, or stated whether there is a header."""
        return (self.source, self.target, self.header) != (None, None, None)

    def direction(self, stated: bool | None) -> tuple[bool, Literal["given", "stated", "assumed"]]:
        """Return whether the edges have a direction, and who decided it.

        Parameters
        ----------
        stated : bool or None
            The direction that the file states; None if it states none.
        """
        if self.directed is not None:
            return self.directed, "given"
        return (True, "assumed") if stated is None else (stated, "stated")

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
    expected = {
        "vertices": "a number of vertices",
        "weights": "True, False, a column's name or its index",
    }.get(name, "a column's name or its index")
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # another type raises TypeError
    except TypeError:
        raise ArgumentError(f"{name}={value!r}: expected {expected}") from None
    if isinstance(value, bool) or not 0 <= number < 2**63:
        raise ArgumentError(f"{name}={value!r}: expected {expected}, from 0 to 2**63 - 1")
    return number
