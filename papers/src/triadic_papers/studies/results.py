"""Results of cells: all runs, and their statistics."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from triadic_papers.studies.cells import Cell, Scalar


@dataclass(frozen=True)
class Run:
    """Seconds of one run, and of each of its phases."""

    seconds: float
    phases: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """The runs of a cell on one machine, or the reason why there are none.

    Attributes
    ----------
    cell, workload, row, kind, algorithm, device : str
        As in the cell.
    size : float
        Size of the workload.
    source : str
        Source of the workload.
    parameters : mapping
    machine : str
        Key of the machine.
    vertices, edges : int
        Size of the network; `edges` counts arcs of a directed network.
    work : float
        The study's estimate of the work on the network.
    loaded : float
        Seconds to read the network's file, measured once; 0 for a generated network.
    runs : tuple of Run
    facts : mapping
        Facts of the last run.
    equal : bool or None
        Whether every run returned the engine's result; None without runs.
    left_out : str
        Reason why there are no runs; empty otherwise.
    """

    cell: str
    workload: str
    row: str
    kind: str
    algorithm: str
    device: str
    size: float = 0.0
    source: str = ""
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    machine: str = ""
    vertices: int = 0
    edges: int = 0
    work: float = 0.0
    loaded: float = 0.0
    runs: tuple[Run, ...] = ()
    facts: Mapping[str, Scalar] = field(default_factory=dict)
    equal: bool | None = None
    left_out: str = ""

    @classmethod
    def of_cell(cls, cell: Cell, **found: Any) -> Result:  # noqa: ANN401 - the other fields
        """Create the result of a cell from the remaining fields."""
        workload = cell.workload
        return cls(
            cell.name,
            workload.name if workload else cell.row,
            (workload.row or workload.name) if workload else cell.row,
            workload.kind if workload else "",
            cell.algorithm,
            cell.device,
            size=workload.size if workload else 0.0,
            source=workload.source if workload else "",
            parameters=dict(cell.parameters),
            **found,
        )

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Result:
        """Create a result from the dictionary that `record` returned."""
        return cls(**record | {"runs": tuple(Run(**run) for run in record["runs"])})

    def is_replaced_by(self, other: Result) -> bool:
        """Return True if `other` ran what is missing here: the cell, the network, or as many devices of the kind."""
        if self.source:
            return self.cell == other.cell
        devices = self.parameters.get("cards", 1)
        return other.row == self.row or (
            other.algorithm == self.algorithm
            and other.device != "cpu"
            and self.row in ("all", other.kind)
            and other.device.count(",") + 1 == devices
        )

    def record(self) -> dict[str, Any]:
        """Return all fields as a dictionary for JSON."""
        return asdict(self)

    @property
    def seconds(self) -> list[float]:
        """Seconds of every run."""
        return [run.seconds for run in self.runs]

    @property
    def median(self) -> float | None:
        """Median of the runs in seconds."""
        return statistics.median(self.seconds) if self.runs else None

    @property
    def mean(self) -> float | None:
        """Mean of the runs in seconds, as the papers report it."""
        return statistics.fmean(self.seconds) if self.runs else None

    @property
    def std(self) -> float | None:
        """Standard deviation of the runs (n - 1) in seconds."""
        return statistics.stdev(self.seconds) if len(self.runs) > 1 else None

    def phase(self, name: str) -> float | None:
        """Return the median of a phase in seconds, or None without such a phase."""
        found = [run.phases[name] for run in self.runs if name in run.phases]
        return statistics.median(found) if found else None

    @property
    def phases(self) -> list[str]:
        """Names of the phases, in order."""
        return list(dict.fromkeys(name for run in self.runs for name in run.phases))


class Results:
    """A sequence of results that can be filtered by their fields."""

    def __init__(self, results: Iterable[Result]) -> None:
        self._results = list(results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def where(self, test: Callable[[Result], bool] | None = None, **fields: object) -> Results:
        """Return the results that match every given field, and the test."""
        return Results(
            result
            for result in self._results
            if all(getattr(result, name) == value for name, value in fields.items()) and (test is None or test(result))
        )

    def machine_suffix(self, result: Result) -> str:
        """Return the machine's key in brackets if several machines ran the algorithm on such a device, else ""."""
        same_program = self.where(algorithm=result.algorithm, device=result.device).completed
        return f" [{result.machine}]" if len({result.machine for result in same_program}) > 1 else ""

    @property
    def completed(self) -> Results:
        """The results with runs."""
        return self.where(lambda result: bool(result.runs))

    def first(self) -> Result | None:
        """Return the first result, or None."""
        return self._results[0] if self._results else None

    def unique(self, name: str) -> list[Any]:
        """Return the distinct values of a field, in order of appearance."""
        return list(dict.fromkeys(getattr(result, name) for result in self._results))
