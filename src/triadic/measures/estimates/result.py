"""The result of an estimate: values with intervals, and how they were found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import ResultTable
from triadic.core.notebook import html_table
from triadic.core.numbers import format_float, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Estimate(ResultTable):
    """Values that were estimated by random draws, with the intervals that hold the exact values.

    `to_pandas` and `to_polars` return a data frame with a row for each quantity: its name (its degree, of a spectrum),
    which is the index in pandas, and the columns "value", "low" and "high".

    Attributes
    ----------
    of : str
        What was estimated.
    names : tuple of str, or int64 array
        Names of the quantities, or the degrees of a clustering spectrum.
    value : float, or float64 array of shape (quantities,)
        The estimates: a number if there is one quantity by the name of `of`.
    low, high : float, or float64 array of shape (quantities,)
        Ends of the intervals. Each holds the exact value with probability `confidence`.
    samples : int
        Number of random draws that the intervals rest on.
    pilot : int
        Number of further draws, which only told how many were needed.
    seconds : float
        Time of the estimate.
    confidence : float
        Probability with which each interval holds the exact value.
    within : float or None
        Half the width of the intervals that was asked for, relative to the values.
    seed : int
        The same seed gives the same draws.
    stopped : str
        Why drawing ended before all intervals were as narrow as asked: "max_samples", "time" or "interrupted"; else "".
    exact : str
        The function that counts exactly, if that takes about as little time as the draws did; else "".

    See Also
    --------
    estimate : Estimate a quantity of a graph.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(1000, 10, 0.1, seed=1)
    >>> found = triadic.estimate(graph, of="transitivity", samples=10_000, seed=1)
    >>> found.low < triadic.transitivity(graph) < found.high
    True
    >>> found.to_pandas().columns.tolist()
    ['value', 'low', 'high']
    """

    of: str
    names: tuple[str, ...] | NDArray[np.int64]
    value: Any
    low: Any
    high: Any
    samples: int
    pilot: int
    seconds: float
    confidence: float
    within: float | None
    seed: int
    stopped: str = ""
    exact: str = ""

    @property
    def note(self) -> str:
        """What to know about the estimate: why drawing ended early, and whether to count exactly; mostly empty."""
        cheaper = f"Counting exactly would take about as long: triadic.{self.exact}(graph)." if self.exact else ""
        return " ".join(filter(None, (self.why_stopped(), cheaper)))

    def why_stopped(self) -> str:
        """Return a sentence about the limit that ended the draws, and how wide the intervals are; or an empty string.

        Examples
        --------
        >>> import triadic
        >>> graph = triadic.generate.rmat(8, seed=1)
        >>> triadic.estimate(graph, of="triangles", within=0.001, max_samples=1000, seed=1).why_stopped()[:32]
        'Stopped by max_samples before al'
        """
        if not self.stopped:
            return ""
        reason = {"interrupted": "Ctrl-C"}.get(self.stopped, self.stopped)
        if self.within is None:
            return f"Stopped by {reason} before all draws."
        width, value = np.atleast_1d(self.error), np.atleast_1d(self.value)
        with np.errstate(invalid="ignore", divide="ignore"):
            widest = float(np.where(width > 0, width / value, 0.0).max())
        missed = f"the widest is ± {format_float(100 * widest, 3)}%"
        if not np.isfinite(widest):
            missed = "some quantities were never drawn, and no interval is narrow relative to 0"
        return f"Stopped by {reason} before all intervals were ± {format_float(100 * self.within)}%: {missed}."

    @property
    def error(self) -> Any:  # noqa: ANN401 - a float or an array, as `value`
        """Half the width of each interval: float, or float64 array of shape (quantities,)."""
        return (self.high - self.low) / 2

    def __float__(self) -> float:
        return float(self.value)

    def as_record(self) -> dict[str, Any]:
        """Return plain numbers and strings, for JSON.

        Examples
        --------
        >>> import triadic
        >>> found = triadic.estimate(triadic.generate.rmat(6, seed=1), of="triangles", samples=1000, seed=1)
        >>> list(found.as_record())
        ['of', 'estimates', 'confidence', 'within', 'samples', 'pilot', 'seconds', 'seed', 'stopped', 'exact']
        """
        value, low, high = (np.atleast_1d(each).tolist() for each in (self.value, self.low, self.high))
        estimates = {
            str(name): {"value": v, "low": a, "high": b}
            for name, v, a, b in zip(self.names, value, low, high, strict=True)
        }
        plain = {name: getattr(self, name) for name in ("confidence", "within", "samples", "pilot")}
        return {
            "of": self.of,
            "estimates": estimates,
            **plain,
            "seconds": round(self.seconds, 6),
            "seed": self.seed,
            "stopped": self.stopped,
            "exact": self.exact,
        }

    def _columns(self) -> dict[str, NDArray[Any]]:
        by_degree = isinstance(self.names, np.ndarray)
        names = self.names if by_degree else np.array(self.names, dtype=object)
        columns = {name: np.atleast_1d(getattr(self, name)) for name in ("value", "low", "high")}
        return {"degree" if by_degree else "name": np.asarray(names), **columns}

    def _title(self) -> str:
        draws = plural(self.samples, "draw")
        return f"Estimate of {self.of}, {format_float(100 * self.confidence)}% intervals from {draws}"

    def _rows(self) -> str:
        return "degrees" if isinstance(self.names, np.ndarray) else "quantities"

    def __repr__(self) -> str:
        """Return the table, a line a quantity, and the note."""
        table = ResultTable.__repr__(self)
        return f"{table}\n{self.note}" if self.note else table

    def _repr_html_(self) -> str:
        head, rows, more = self._shown()
        return html_table(self._title(), head, rows, below=" ".join(filter(None, (more, self.note))))

    def _shown(self) -> tuple[list[str], list[list[Any]], str]:
        """Show all quantities but those of a long spectrum."""
        if isinstance(self.names, np.ndarray):
            return ResultTable._shown(self)  # noqa: SLF001 - a dataclass with slots has no super()
        columns = self._columns()
        rows = [[str(name), *numbers] for name, *numbers in zip(*(c.tolist() for c in columns.values()), strict=True)]
        return list(columns), rows, ""


def reach_of_axis(estimates: Iterable[Estimate]) -> float:
    """Return how far an axis for the intervals of estimates reaches on either side, relative to each value.

    It is the smallest of …, 1%, 2%, 5%, 10%, 20% and 50% that holds all intervals, or 50% if none does. An interval may
    pass it by a tenth, because a width that was asked for is that of half an interval, and not of each side.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.rmat(10, seed=1)
    >>> reach_of_axis([triadic.estimate(graph, of="triangles", within=0.04, seed=1)])
    0.05
    """
    widest = 0.0
    for found in estimates:
        value, low, high = (np.atleast_1d(each) for each in (found.value, found.low, found.high))
        drawn = value > 0
        ends = np.maximum(high - value, value - low)[drawn] / value[drawn]
        widest = max(widest, float(ends.max(initial=0.0)))
    shares = (digit * 10.0**power for power in range(-6, 0) for digit in (1, 2, 5))
    return next((round(share, 9) for share in shares if 0 < widest <= 1.1 * share), 0.5)
