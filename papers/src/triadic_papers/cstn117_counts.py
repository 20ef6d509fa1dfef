"""The result of CSTN-117's programs: triangles, paths, Newman's coefficient, and the seconds of each step."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UNTIMED = ("layout", "compile")


@dataclass(frozen=True, slots=True)
class Counts:
    """Triangles and paths of a digraph; two results are equal if both numbers are.

    Attributes
    ----------
    triangles : int
        Circuits of three arcs on three vertices, each counted once; a triangle of an undirected graph has two.
    paths : int
        Paths of two arcs on three vertices; a wedge of an undirected graph has two.
    seconds : mapping of str to float
        Seconds of each step, in order: "layout" (the network as the program's arrays), "compile", and the timed steps
        "reverse" (the lengths R), "choose" (the kernel), "sort" (for kernel 2, on the host), "copy" (to the device),
        "count". A program has only some of them.
    kernel : {None, 1, 2}
        The GPU kernel that counted.

    Examples
    --------
    >>> counts = Counts(triangles=2, paths=6)
    >>> counts.coefficient, counts == Counts(2, 6, {"count": 0.1})
    (1.0, True)
    """

    triangles: int
    paths: int
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    kernel: int | None = field(default=None, compare=False)

    @property
    def coefficient(self) -> float:
        """Newman's clustering coefficient: three times the triangles divided by the paths; 0 without paths."""
        return 3 * self.triangles / self.paths if self.paths else 0.0

    @property
    def elapsed(self) -> float:
        """Seconds from the arrays to the result, as the paper times it: all steps except "layout" and "compile"."""
        return sum(seconds for step, seconds in self.seconds.items() if step not in UNTIMED)


class Clock:
    """Stopwatch for the steps of one run."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Add the time of the ``with`` block to a step."""
        start = perf_counter()
        yield
        self._seconds[name] = self._seconds.get(name, 0.0) + perf_counter() - start

    @property
    def seconds(self) -> Mapping[str, float]:
        """Seconds of each step up to now, read-only."""
        return MappingProxyType(dict(self._seconds))


def check_size(name: str, value: int) -> int:
    """Return an argument as int; raise `ArgumentError` unless it is a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ArgumentError(f"{name}={value!r}: expected a whole number of at least 1")
    return int(value)
