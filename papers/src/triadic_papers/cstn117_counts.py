"""What each program of CSTN-117 gives: triangles, paths, Newman's coefficient, and the seconds of each of its steps."""

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
    """Triangles and paths of a digraph; equal where both numbers are, however they were found.

    Attributes
    ----------
    triangles : int
        Circuits of three arcs on three vertices, each once; a triangle of an undirected graph has two.
    paths : int
        Paths of two arcs on three vertices; two of those are a wedge of an undirected graph.
    seconds : mapping of str to float
        Steps in the order that they were taken: "layout" (the network as the program's arrays), "compile", and with
        the clock running "reverse" (the lengths R), "choose" (of the kernel), "sort" (kernel 2's, on the host), "copy"
        (to the device), "count"; those that a program has.
    kernel : {None, 1, 2}
        Which of the two GPU kernels counted.

    Examples
    --------
    >>> found = Counts(triangles=2, paths=6)
    >>> found.coefficient, found == Counts(2, 6, {"count": 0.1})
    (1.0, True)
    """

    triangles: int
    paths: int
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    kernel: int | None = field(default=None, compare=False)

    @property
    def coefficient(self) -> float:
        """Newman's: three times the triangles over the paths; 0 where there is no path."""
        return 3 * self.triangles / self.paths if self.paths else 0.0

    @property
    def elapsed(self) -> float:
        """Seconds from the arrays to the result, as the paper times it: all steps but layout and compile."""
        return sum(seconds for step, seconds in self.seconds.items() if step not in UNTIMED)


class Clock:
    """Seconds of the steps of one run."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time what is done inside; a step that comes again is added to."""
        start = perf_counter()
        yield
        self._seconds[name] = self._seconds.get(name, 0.0) + perf_counter() - start

    @property
    def seconds(self) -> Mapping[str, float]:
        """Give what was timed so far; it cannot be written to."""
        return MappingProxyType(dict(self._seconds))


def take_size(name: str, value: int) -> int:
    """Take an argument that is a number of things, at least one."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ArgumentError(f"{name}={value!r}: expected a whole number of at least 1")
    return int(value)
