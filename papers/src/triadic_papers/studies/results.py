"""What was measured in a cell: every run, and what they come to."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from triadic_papers.studies.cells import Cell, Scalar


@dataclass(frozen=True)
class Run:
    """One run: its seconds, and what of them each phase took."""

    seconds: float
    phases: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """A cell's runs on one machine, or why there are none.

    Attributes
    ----------
    cell, workload, row, kind, algorithm, device : str
        As of the cell.
    size : float
    source : str
        Of the workload.
    parameters : mapping
    machine : str
        Key of the machine.
    vertices, edges : int
        Arcs of a network with directions.
    work : float
        The study's estimate for the network.
    loaded : float
        Seconds that reading the network took, once; 0 of one that was made.
    runs : tuple of Run
    facts : mapping
        Of the last run.
    equal : bool or None
        Whether every run gave the engine's result; None where nothing ran.
    left_out : str
        Why nothing ran; empty where it did.
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
        """Make the result of a cell."""
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
        """Make a result of what `record` gave."""
        return cls(**record | {"runs": tuple(Run(**run) for run in record["runs"])})

    def is_filled_by(self, other: Result) -> bool:
        """Say whether what was left out here ran there: the cell, the named network, or as many devices of the kind."""
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
        """Give everything, for JSON."""
        return asdict(self)

    @property
    def seconds(self) -> list[float]:
        """Seconds of every run."""
        return [run.seconds for run in self.runs]

    @property
    def median(self) -> float | None:
        """Median of the runs, in seconds."""
        return statistics.median(self.seconds) if self.runs else None

    @property
    def mean(self) -> float | None:
        """Mean of the runs, in seconds: what the papers give."""
        return statistics.fmean(self.seconds) if self.runs else None

    @property
    def std(self) -> float | None:
        """Standard deviation of the runs (n - 1), in seconds."""
        return statistics.stdev(self.seconds) if len(self.runs) > 1 else None

    def phase(self, name: str) -> float | None:
        """Give the median of a phase, in seconds; None where it has no such phase."""
        found = [run.phases[name] for run in self.runs if name in run.phases]
        return statistics.median(found) if found else None

    @property
    def phases(self) -> list[str]:
        """Names of the phases, in order."""
        return list(dict.fromkeys(name for run in self.runs for name in run.phases))


class Results:
    """The results of a study, to be asked by what they are of."""

    def __init__(self, results: Iterable[Result]) -> None:
        self._results = list(results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def where(self, test: Callable[[Result], bool] | None = None, **fields: object) -> Results:
        """Give those of which all this holds."""
        return Results(
            each
            for each in self._results
            if all(getattr(each, name) == value for name, value in fields.items()) and (test is None or test(each))
        )

    def machine_of(self, result: Result) -> str:
        """Name the machine of a result, to be put behind its label, if several ran its algorithm on such a device."""
        alike = self.where(algorithm=result.algorithm, device=result.device).ran
        return f" [{result.machine}]" if len({each.machine for each in alike}) > 1 else ""

    @property
    def ran(self) -> Results:
        """Those that were run."""
        return self.where(lambda each: bool(each.runs))

    def first(self) -> Result | None:
        """Give the first, or None."""
        return self._results[0] if self._results else None

    def different(self, name: str) -> list[Any]:
        """Give the different values of a field, in order of appearance."""
        return list(dict.fromkeys(getattr(each, name) for each in self._results))
