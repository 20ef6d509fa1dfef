"""What is measured: a network, an algorithm on a device, and what one run of it gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from triadic.graph.graph import Graph

    Answer = Mapping[str, Any]
    Scalar = int | float | str | bool

ENGINE = "engine"


class NotHereError(Exception):
    """A cell that cannot be had on this machine, with the reason; it becomes a row that says so."""


@dataclass(frozen=True)
class Workload:
    """A network to run on.

    Attributes
    ----------
    name : str
        Part of the names of its cells.
    kind : str
        What it is one of: "small-world"; a figure has a panel for each.
    size : float
        Its place on a figure's axis, and in a series of the same kind.
    source : str
        What exactly it is: a model with its parameters and seed, or a file; a result of another source is not reused.
    make : callable
        Makes or reads it.
    row : str
        What tables call it; its name where empty.
    path : Path, optional
        The file that it is read from.
    """

    name: str
    kind: str
    size: float
    source: str
    make: Callable[[], Graph]
    row: str = ""
    path: Path | None = None


@dataclass(frozen=True)
class Outcome:
    """What one run gave.

    Attributes
    ----------
    answer : mapping
        Named numbers and arrays, compared with the engine's of the same names.
    seconds : float, optional
        Time of the run, where it is not all that the call took.
    phases : mapping
        Parts of the time, in seconds.
    facts : mapping
        What else is to be told: a choice made, bytes taken.
    """

    answer: Answer
    seconds: float | None = None
    phases: Mapping[str, float] = field(default_factory=dict)
    facts: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """An algorithm on a device with its parameters on a network.

    Attributes
    ----------
    workload : Workload or None
        None for a row of the paper's whose network is not there.
    algorithm, device : str
    run : callable or None
        ``run(graph)`` once; None where it cannot be had, and `left_out` says why.
    parameters : mapping
    left_out : str
    row : str
        Name of the missing network where `workload` is None.
    warm_up : bool
        Whether it compiles in this process, so that a run on a tiny network first keeps that off the clock.
    """

    workload: Workload | None
    algorithm: str
    device: str
    run: Callable[[Graph], Outcome] | None
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    left_out: str = ""
    row: str = ""
    warm_up: bool = True

    @property
    def name(self) -> str:
        """The name by which ``--only`` finds it: ``workload/algorithm@device,parameter=value``.

        Examples
        --------
        >>> Cell(None, "pthreads", "cpu", None, {"threads": 2}, row="Actors").name
        'Actors/pthreads@cpu,threads=2'
        """
        network = self.workload.name if self.workload else self.row
        parameters = "".join(f",{key}={value}" for key, value in self.parameters.items())
        return f"{network}/{self.algorithm}@{self.device}{parameters}"


def is_equal(expected: Answer, found: Answer) -> bool:
    """Say whether what an algorithm found is what the engine has: integers exactly, fractions to their last digits.

    Only what the algorithm gives is compared.

    Examples
    --------
    >>> is_equal({"triangles": 3, "paths": 9}, {"triangles": 3})
    True
    >>> is_equal({"mean": 0.5}, {"mean": 0.51})
    False
    """
    return bool(found) and all(name in expected and _agree(expected[name], each) for name, each in found.items())


def _agree(expected: object, found: object) -> bool:
    if isinstance(expected, (int, tuple)) and isinstance(found, (int, tuple)):  # of Python's integers, as large as any
        return expected == found
    left, right = np.asarray(expected), np.asarray(found)
    if left.shape != right.shape:
        return False
    if left.dtype.kind == "f" or right.dtype.kind == "f":
        tolerance = 1e-6 if right.dtype == np.float32 else 1e-12  # the OpenCL paper has floats of 32 bits
        return bool(np.allclose(left, right, rtol=tolerance, atol=tolerance, equal_nan=True))
    return bool(np.array_equal(left, right))
