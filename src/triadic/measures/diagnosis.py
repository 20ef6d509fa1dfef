"""The result of a diagnosis of the walks that draw random graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import ResultTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

PARTS = 8
"""Number of checkpoints within the steps of a sample."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Diagnosis(ResultTable):
    """Whether the walks to random graphs are long enough, judged by one walk of nine times their length.

    `to_pandas` and `to_polars` return a data frame with one row per count and the columns "name", the index in pandas,
    "time", "effective" and "drift".

    Attributes
    ----------
    names : tuple of str
        Names of the counts.
    steps : int
        Number of steps of the walk to a sample.
    interval : int
        Number of steps between checkpoints, an eighth of `steps`.
    accepted : float
        Share of the proposals that were accepted.
    at : int64 array, shape (72,)
        Numbers of steps at the checkpoints: eight within the steps of a sample, and 64 later ones.
    in_place : float64 array, shape (72,)
        Share of the graph's arcs that are still in place at each checkpoint.
    values : float64 array, shape (72, names)
        Counts at each checkpoint.
    autocorrelation : float64 array, shape (33, names)
        Autocorrelation of each count at 0 to 32 intervals, over the later checkpoints; nan for a constant count.
    time : float64 array, shape (names,)
        Integrated autocorrelation time of each count in steps, at least one interval: the number of steps after which
        the walk is as good as at an independent graph. nan for a count that is constant.
    effective : float64 array, shape (names,)
        Effective size of a walk: the number of independent graphs that the walk to one sample passes, `steps` / `time`.
    drift : float64 array, shape (names,)
        Difference between the mean of the samples and the mean of the later checkpoints, in standard errors; nan for a
        count that is constant. Samples that remember the graph have a large drift.
    reasons : tuple of str
        Why the walks are too short; empty if they are long enough.

    References
    ----------
    C. J. Geyer, *Practical Markov chain Monte Carlo*, Statistical Science 7, 473-483, 1992, section 3.3: the initial
    monotone sequence, by which the autocorrelation time is estimated.
    """

    names: tuple[str, ...]
    steps: int
    interval: int
    accepted: float
    at: NDArray[np.int64]
    in_place: NDArray[np.float64]
    values: NDArray[np.float64]
    autocorrelation: NDArray[np.float64]
    time: NDArray[np.float64]
    effective: NDArray[np.float64]
    drift: NDArray[np.float64]
    reasons: tuple[str, ...]

    @property
    def mixed(self) -> bool:
        """Whether the walks are long enough: there is nothing in `reasons`."""
        return not self.reasons

    @property
    def in_place_after(self) -> float:
        """Share of the graph's arcs that are in place after the steps of a sample."""
        return float(self.in_place[PARTS - 1])

    def _columns(self) -> dict[str, NDArray[Any]]:
        names = np.array(self.names, dtype=object)
        return {"name": names, "time": self.time, "effective": self.effective, "drift": self.drift}

    def _title(self) -> str:
        mixed = "mixed" if self.mixed else "not mixed"
        return (
            f"Diagnosis: {mixed} after {self.steps:,} steps, {self.accepted:.1%} of the proposals accepted, "
            f"{self.in_place_after:.1%} of the arcs in place"
        )

    def _rows(self) -> str:
        return "counts"
