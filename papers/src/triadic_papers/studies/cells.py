"""The unit of measurement: a network, an algorithm on a device, and the outcome of one run."""

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


class UnavailableError(Exception):
    """A cell that cannot run on this machine; its row in the tables shows the reason."""


@dataclass(frozen=True)
class Workload:
    """A network of a study.

    Attributes
    ----------
    name : str
        First part of the names of its cells.
    kind : str
        Kind of network, such as "small-world"; a figure has one panel per kind.
    size : float
        Position on a figure's axis, and in a series of networks of the same kind.
    source : str
        Model with its parameters and seed, or file; results with another source are not reused.
    make : callable
        Generates or reads the network.
    row : str
        Label in tables; the name if empty.
    path : Path, optional
        File of the network.
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
    """The outcome of one run.

    Attributes
    ----------
    answer : mapping
        Named numbers and arrays, compared with the engine's of the same names.
    seconds : float, optional
        Time of the run; by default the duration of the call.
    phases : mapping
        Seconds of parts of the run.
    facts : mapping
        Further facts for the tables, such as a choice or a number of bytes.
    """

    answer: Answer
    seconds: float | None = None
    phases: Mapping[str, float] = field(default_factory=dict)
    facts: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """An algorithm with its parameters, on a device and a network.

    Attributes
    ----------
    workload : Workload or None
        None for a network or device of the paper that is missing on this machine.
    algorithm, device : str
    run : callable or None
        ``run(graph)`` runs the algorithm once; None if it is unavailable for the reason in `left_out`.
    parameters : mapping
    left_out : str
        Reason why the cell cannot run.
    row : str
        Name of the missing network if `workload` is None.
    warm_up : bool
        Whether kernels are compiled in this process, so that a first run on a tiny network keeps compilation out of the
        time.
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
        """Name of the cell for ``--only``: ``workload/algorithm@device,parameter=value``.

        Examples
        --------
        >>> Cell(None, "pthreads", "cpu", None, {"threads": 2}, row="Actors").name
        'Actors/pthreads@cpu,threads=2'
        """
        network = self.workload.name if self.workload else self.row
        parameters = "".join(f",{key}={value}" for key, value in self.parameters.items())
        return f"{network}/{self.algorithm}@{self.device}{parameters}"


def is_equal(expected: Answer, found: Answer) -> bool:
    """Return True if an algorithm's answer equals the engine's: integers exactly, fractions up to rounding.

    Only the values that the algorithm returns are compared.

    Examples
    --------
    >>> is_equal({"triangles": 3, "paths": 9}, {"triangles": 3})
    True
    >>> is_equal({"mean": 0.5}, {"mean": 0.51})
    False
    """
    return bool(found) and all(name in expected and _agree(expected[name], value) for name, value in found.items())


def _agree(expected: object, found: object) -> bool:
    if isinstance(expected, (int, tuple)) and isinstance(found, (int, tuple)):  # Python integers of any size
        return expected == found
    left, right = np.asarray(expected), np.asarray(found)
    if left.shape != right.shape:
        return False
    if left.dtype.kind == "f" or right.dtype.kind == "f":
        tolerance = 1e-6 if right.dtype == np.float32 else 1e-12  # the OpenCL paper uses 32-bit floats
        return bool(np.allclose(left, right, rtol=tolerance, atol=tolerance, equal_nan=True))
    return bool(np.array_equal(left, right))
