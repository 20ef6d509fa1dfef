"""The results of a stream of edges: the number of triangles with an interval, and estimates at vertices."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, inf
from numbers import Real
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import ResultTable
from triadic.core.numbers import format_float, plural
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FEW = 10  # triangles of the sample, below which no interval is stated


@dataclass(frozen=True, slots=True, repr=False)
class StreamEstimate(ResultTable):
    """The estimated number of triangles of a stream of edges.

    `to_pandas` and `to_polars` return a data frame with one row.

    Attributes
    ----------
    value : float
        The estimate, which is unbiased: its mean over all seeds is the exact number.
    low, high : float
        Ends of the interval; 0 and infinity if fewer than ten triangles are in the sample, too few to state one.
    error : float
        Standard error of the estimate, by the triangles and pairs of triangles with a common edge in the sample.
    confidence : float
        Probability with which the interval holds the exact number.
    probability : float
        Probability with which an edge is in the sample; 1 if all edges are kept, and the estimate is exact.
    edges_kept : int
        Edges in the sample.
    triangles_kept : int
        Triangles in the sample.
    arcs : int
        Arcs that came or went, with repeats and loops.
    loops : int
        Loops, which are ignored.
    repeats, missing : int
        Estimated numbers of arcs that came though their edge was there, in either direction, and that went though it
        was not; they are ignored.
    stopped : str
        "interrupted" if Ctrl-C ended the stream, else "".
    columns : str or None
        Columns of the file that were read, and whether a header was found; None if the input has none to choose.
    stream : EdgeStream
        The stream, to which more edges can be added.
    """

    value: float
    low: float
    high: float
    error: float
    confidence: float
    probability: float
    edges_kept: int
    triangles_kept: int
    arcs: int
    loops: int
    repeats: int
    missing: int
    stream: Any = field(repr=False, compare=False)
    stopped: str = ""
    columns: str | None = None

    @classmethod
    def of_sample(
        cls,
        *,
        triangles: int,
        pairs: int,
        probability: float,
        confidence: float,
        **others: Any,  # noqa: ANN401 - attributes of other types
    ) -> StreamEstimate:
        """Return the estimate of a sample with a number of triangles, and of pairs of triangles with a common edge."""
        confidence = check_confidence(confidence)
        value, error = triangles / probability**2, standard_error(triangles, pairs, probability)
        low, high = value, value
        if probability < 1:
            # An interval of the logarithm: the sample has more triangles of a hub or none, so errors are skewed.
            reach = NormalDist().inv_cdf((1 + confidence) / 2) * error / value if triangles >= _FEW else inf
            low, high = (value * exp(-reach), value * exp(reach)) if reach < inf else (0.0, inf)
        return cls(
            value=value, low=low, high=high, error=error, confidence=confidence, probability=probability,
            triangles_kept=triangles, **others,
        )  # fmt: skip

    def _columns(self) -> dict[str, NDArray[Any]]:
        numbers = {name: np.array([getattr(self, name)]) for name in ("value", "low", "high", "error")}
        return {"name": np.array(["triangles"], dtype=object), **numbers}

    def _title(self) -> str:
        if self.probability == 1:
            return f"Exact count of a stream, all {self.edges_kept:,} edges kept"
        return f"Estimate of a stream, {100 * self.confidence:g}% interval from {plural(self.edges_kept, 'edge')} kept"

    def _rows(self) -> str:
        return "quantities"

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        """Return one line."""
        if self.probability == 1:
            return f"{plural(int(self.value), 'triangle')}, exact: all {self.edges_kept:,} edges are kept"
        share = f"{plural(self.edges_kept, 'edge')} kept, 1 of {round(1 / self.probability):,}"
        if self.high == inf:
            return f"about {format_float(self.value)} triangles, too few in the sample for an interval ({share})"
        ends = f"{format_float(self.low)} to {format_float(self.high)}"
        return f"{format_float(self.value)} triangles, {100 * self.confidence:g}% interval {ends} ({share})"


def check_confidence(confidence: object) -> float:
    """Return a probability between 0 and 1, or raise ArgumentError."""
    if isinstance(confidence, bool) or not isinstance(confidence, Real) or not 0 < float(confidence) < 1:
        raise ArgumentError(f"confidence={confidence!r}: expected a number between 0 and 1")
    return float(confidence)


def standard_error(triangles: Any, pairs: Any, probability: float) -> Any:  # noqa: ANN401 - numbers or arrays
    """Return the standard error of an estimate from triangles of the sample and pairs of them with a common edge.

    With c = 1 / probability colours, T triangles of the network and S pairs of triangles with a common edge, the
    variance is T (c**2 - 1) + 2 S (c - 1), and T c**-2 triangles and S c**-3 pairs are expected in the sample. Other
    pairs of triangles are kept independently of each other.
    """
    colours = 1 / probability
    return (triangles * colours**2 * (colours**2 - 1) + 2 * pairs * colours**3 * (colours - 1)) ** 0.5


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LocalTriangles(ResultTable):
    """Estimated triangles of the vertices of a stream's sample.

    `to_pandas` and `to_polars` return a data frame with a row for each vertex.

    Attributes
    ----------
    vertex : int64 array, shape (vertices,)
        The vertices that have an edge in the sample, in rising order.
    triangles : float64 array, shape (vertices,)
        Unbiased estimates of their numbers of triangles.
    error : float64 array, shape (vertices,)
        Standard errors.
    """

    vertex: NDArray[np.int64]
    triangles: NDArray[np.float64]
    error: NDArray[np.float64]

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {"vertex": self.vertex, "triangles": self.triangles, "error": self.error}

    def _title(self) -> str:
        return "Estimated triangles of the vertices in the sample"
