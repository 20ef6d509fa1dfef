"""The result of a comparison of counts with a null model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isnan, lcm, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.notebook import html_table
from triadic.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    import polars as pl
    from numpy.typing import NDArray

    Count = int | float

_HEADINGS = ("count", "mean", "std", "z", "p")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One count of a graph, compared with the counts of the samples.

    Attributes
    ----------
    count : int or float
        Count of the graph.
    mean : float
        Mean over the samples.
    std : float
        Standard deviation over the samples, with samples - 1 in the denominator.
    z : float
        Number of standard deviations by which the count exceeds the mean; nan if all samples have the same count.
    p : float
        Two-sided empirical p-value: twice the share of samples whose count is at least as large, or at most as large,
        whichever share is smaller; the graph itself counts as one more sample. At most 1.
    """

    count: Count
    mean: float
    std: float
    z: float
    p: float

    def to_dict(self) -> dict[str, int | float | None]:
        """Return the attributes as a dictionary of plain numbers for JSON; an undefined z is None."""
        return {
            "count": self.count,
            "mean": self.mean,
            "std": self.std,
            "z": None if isnan(self.z) else self.z,
            "p": self.p,
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Significance(Mapping[str, Comparison]):
    """Counts of a graph compared with the counts of random graphs: an immutable mapping from names to comparisons.

    A comparison has the attributes ``count``, ``mean``, ``std``, ``z`` and ``p``.

    Attributes
    ----------
    of : {"triads", "clustering", "graphlets"}
        The counts that are compared.
    null : {"degrees", "mutual", "gnm", "configuration"}
        The null model from which the random graphs are drawn.
    names : tuple of str
        Names of the counts.
    counts : tuple of int or tuple of float
        Counts of the graph in the order of `names`; integers are Python ints, and some exceed 2**63.
    samples : tuple of tuple
        Counts of each random graph in the order of `names`.
    profiled : tuple of str
        Names of the counts in the significance profile.
    steps : int or None
        Number of steps of the walk to each sample; None for a null model without steps.
    seed : int
        Seed with which the same samples can be drawn again.

    See Also
    --------
    significance : Compare the counts of a graph with random graphs.

    Examples
    --------
    >>> import triadic
    >>> ring = triadic.generate.watts_strogatz(100, 6, 0.1, seed=1)
    >>> result = triadic.significance(ring, of="clustering", samples=10, seed=1)
    >>> list(result), result["transitivity"].z > 3
    (['transitivity', 'average_clustering'], True)
    """

    of: str
    null: str
    names: tuple[str, ...]
    counts: tuple[Count, ...]
    samples: tuple[tuple[Count, ...], ...]
    profiled: tuple[str, ...]
    steps: int | None
    seed: int

    def __getitem__(self, name: str) -> Comparison:
        try:
            i = self.names.index(name)
        except ValueError:
            raise KeyError(f"{name!r}: expected one of the names {', '.join(map(repr, self.names))}") from None
        return compare(self.counts[i], [sample[i] for sample in self.samples])

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean of each count over the samples: float64, shape (names,)."""
        return self._column("mean")

    @property
    def std(self) -> NDArray[np.float64]:
        """Standard deviation of each count over the samples: float64, shape (names,)."""
        return self._column("std")

    @property
    def z(self) -> NDArray[np.float64]:
        """z-score of each count, nan if all samples are equal: float64, shape (names,)."""
        return self._column("z")

    @property
    def p(self) -> NDArray[np.float64]:
        """Two-sided empirical p-value of each count: float64, shape (names,)."""
        return self._column("p")

    @property
    def resolution(self) -> float:
        """Smallest possible p-value, 2 / (samples + 1): the count is more extreme than that of every sample."""
        return 2 / (len(self.samples) + 1)

    @property
    def profile(self) -> dict[str, float]:
        """Significance profile: the z-scores of the names in `profiled`, scaled to length 1; nan if z is undefined.

        The profile of triads has the 13 connected types. Profiles of networks of different sizes can be compared.
        """
        z = {name: self[name].z for name in self.profiled}
        length = sqrt(sum(score * score for score in z.values() if not isnan(score)))
        return {name: score / length if length > 0 else nan for name, score in z.items()}

    def __repr__(self) -> str:
        width = max(map(len, self.names))
        rows = [(f"{row.count:,.6g}", f"{row.mean:,.6g}", f"{row.z:.3g}", f"{row.p:.3g}") for row in self.values()]
        cells = [("count", "mean", "z", "p"), *rows]
        widths = [max(len(row[i]) for row in cells) for i in range(4)]
        lines = [
            f"  {name:<{width}} " + " ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True))
            for name, row in zip(("", *self.names), cells, strict=True)
        ]
        return "\n".join([f"{type(self).__name__} of {self.of}, {len(self.samples)} samples of {self.null!r}", *lines])

    def _repr_html_(self) -> str:
        rows = [(name, *(getattr(row, heading) for heading in _HEADINGS)) for name, row in self.items()]
        below = f"{len(self.samples):,} samples, null {self.null!r}; p is at least {self.resolution:.3g}"
        return html_table(f"Significance of {self.of}", (self.of, *_HEADINGS), rows, below=below)

    def to_dict(self) -> dict[str, dict[str, int | float | None]]:
        """Return the comparisons as dictionaries of plain numbers for JSON; an undefined z is None."""
        return {name: comparison.to_dict() for name, comparison in self.items()}

    def to_pandas(self) -> pd.DataFrame:
        """Return the comparisons as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per name, and the columns "count" (Python ints if a count exceeds 2**63), "mean", "std", "z" and
            "p".

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        try:
            import pandas as pd  # noqa: PLC0415 - optional, and slow to import
        except ImportError as error:
            raise MissingExtraError("to_pandas needs pandas, which is not installed: pip install pandas") from error
        count = pd.Series(self.counts, index=self.names, dtype=object if max(self.counts) >= 2**63 else None)
        return pd.DataFrame({"count": count}).assign(mean=self.mean, std=self.std, z=self.z, p=self.p)

    def to_polars(self) -> pl.DataFrame:
        """Return the comparisons as a polars DataFrame.

        Returns
        -------
        polars.DataFrame
            One row per name, and the columns "name", "count" (Int128 if a count exceeds 2**63), "mean", "std", "z" and
            "p".

        Raises
        ------
        MissingExtraError
            If polars is not installed.
        """
        try:
            import polars as pl  # noqa: PLC0415 - optional, and slow to import
        except ImportError as error:
            raise MissingExtraError("to_polars needs polars, which is not installed: pip install polars") from error
        whole = pl.Int64 if max(self.counts) < 2**63 else pl.Int128
        dtype = whole if all(isinstance(count, int) for count in self.counts) else pl.Float64
        columns = {heading: getattr(self, heading) for heading in _HEADINGS[1:]}
        return pl.DataFrame({"name": list(self.names), "count": pl.Series(self.counts, dtype=dtype), **columns})

    def _column(self, heading: str) -> NDArray[np.float64]:
        return np.array([getattr(comparison, heading) for comparison in self.values()], dtype=np.float64)


def compare(count: Count, samples: Sequence[Count]) -> Comparison:
    """Compare a count with the counts of at least two samples.

    Sums are exact, so the standard deviation of equal samples is 0.

    Examples
    --------
    >>> compare(7, [1, 2, 3])
    Comparison(count=7, mean=2.0, std=1.0, z=5.0, p=0.5)
    >>> compare(7, [2, 2]).z
    nan
    """
    n = len(samples)
    fractions = [Fraction(value) for value in (count, *samples)]
    scale = lcm(*(fraction.denominator for fraction in fractions))
    observed, *drawn = (int(fraction * scale) for fraction in fractions)
    total = sum(drawn)
    squares = n * sum(value * value for value in drawn) - total * total  # the variance times n (n - 1)
    std = sqrt(Fraction(squares, n * (n - 1) * scale * scale))
    above, below = sum(value >= observed for value in drawn), sum(value <= observed for value in drawn)
    return Comparison(
        count=count,
        mean=float(Fraction(total, n * scale)),
        std=std,
        z=float(Fraction(n * observed - total, n * scale)) / std if std > 0 else nan,
        p=min(1.0, 2 * (1 + min(above, below)) / (n + 1)),
    )
