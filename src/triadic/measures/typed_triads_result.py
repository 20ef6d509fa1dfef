"""The result of counting triads by the groups of their vertices."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import ResultTable
from triadic.measures.significance_result import Comparison, false_discovery_rates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TypedTriads(ResultTable):
    """Numbers of triads by type and by the groups of their vertices.

    ``result[type, first, second, third]`` is the `Comparison` of one row, with the attributes ``count``, ``mean``,
    ``std``, ``z``, ``p`` and ``q``; the groups are in the order of `roles`. `to_pandas` and `to_polars` return a data
    frame with one row per combination of type and groups, and the columns "type", the index in pandas, "first",
    "second", "third" and "count", and with samples "mean", "std", "z", "p" and "q".

    Attributes
    ----------
    types : object array of str, shape (rows,)
        Type of the triads of each row, by type and then by falling count.
    groups : array, shape (rows, 3)
        Groups of the vertices in the order of `roles`. Groups of vertices with equal roles are in rising order, and
        those of a cycle begin where the triple is smallest.
    counts : int64 array, shape (rows,)
        Number of triads.
    samples : int64 array, shape (samples, rows)
        Number of triads in each random graph; no rows without samples.
    roles : dict of str to tuple of str
        Roles of the three vertices for each type, such as ("source", "middle", "target").
    null : str or None
        The null model in words; None without samples.
    steps : int or None
        Number of steps of the walk to each sample.
    seed : int or None
        Seed with which the same samples can be drawn again; None without samples.

    See Also
    --------
    typed_triads : Count the triads of a graph.
    """

    types: NDArray[np.object_]
    groups: NDArray[Any]
    counts: NDArray[np.int64]
    samples: NDArray[np.int64]
    roles: dict[str, tuple[str, ...]]
    null: str | None
    steps: int | None
    seed: int | None

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, cell: tuple[Any, ...]) -> Comparison:
        if not isinstance(cell, tuple) or len(cell) != 4:
            raise KeyError(f"{cell!r}: expected a type and three groups")
        name, *groups = cell
        row = np.flatnonzero((self.types == name) & (self.groups == np.array(groups, dtype=object)).all(axis=1))
        if len(row) == 0:
            raise KeyError(f"{cell!r}: no triad of this type and these groups, in the graph or in a random graph")
        columns = (self.mean, self.std, self.z, self.p, self.q)
        return Comparison(int(self.counts[row[0]]), *(float(column[row[0]]) for column in columns))

    @property
    def mean(self) -> Floats:
        """Mean over the samples, nan without samples: float64, shape (rows,)."""
        return self.samples.mean(axis=0) if len(self.samples) else self._undefined()

    @property
    def std(self) -> Floats:
        """Standard deviation over the samples, with samples - 1 in the denominator: float64, shape (rows,)."""
        if not len(self.samples):
            return self._undefined()
        same = self.samples.min(axis=0) == self.samples.max(axis=0)
        return np.where(same, 0.0, self.samples.std(axis=0, ddof=1))

    @property
    def z(self) -> Floats:
        """Number of standard deviations above the mean, nan if all samples are equal: float64, shape (rows,)."""
        std = self.std
        return np.divide(self.counts - self.mean, std, out=self._undefined(), where=std > 0)

    @property
    def p(self) -> Floats:
        """Two-sided empirical p-value, as in `Significance`, nan without samples: float64, shape (rows,)."""
        if not len(self.samples):
            return self._undefined()
        above, below = (self.samples >= self.counts).sum(axis=0), (self.samples <= self.counts).sum(axis=0)
        return np.minimum(1.0, 2 * (1 + np.minimum(above, below)) / (len(self.samples) + 1))

    @property
    def q(self) -> Floats:
        """False discovery rate at which each row stands out among all rows: float64, shape (rows,)."""
        return np.array(false_discovery_rates(self.p.tolist()))

    @property
    def resolution(self) -> float:
        """Smallest possible p-value, 2 / (samples + 1); nan without samples."""
        return 2 / (len(self.samples) + 1) if len(self.samples) else nan

    def _undefined(self) -> Floats:
        return np.full(len(self.counts), np.nan)

    def _columns(self) -> dict[str, NDArray[Any]]:
        columns = {"type": self.types, **dict(zip(("first", "second", "third"), self.groups.T, strict=True))}
        columns["count"] = self.counts
        if len(self.samples):
            columns |= {"mean": self.mean, "std": self.std, "z": self.z, "p": self.p, "q": self.q}
        return columns

    def _title(self) -> str:
        compared = f", {len(self.samples):,} samples of {self.null!r}" if len(self.samples) else ""
        return f"TypedTriads of {', '.join(self.roles)}{compared}"

    def _rows(self) -> str:
        return "rows"
