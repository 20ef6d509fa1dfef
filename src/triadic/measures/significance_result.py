"""What holding counts against a null model gives."""

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
    """One count beside those of the samples.

    Attributes
    ----------
    count : int or float
        In the graph.
    mean, std : float
        Over the samples; std with samples - 1 in the denominator.
    z : float
        Standard deviations that the count lies above the mean; nan where the samples are all alike.
    p : float
        Share of samples at least as far to the side where fewer are, doubled, the graph itself counted as one more
        sample: two-sided, at most 1.
    """

    count: Count
    mean: float
    std: float
    z: float
    p: float

    def to_dict(self) -> dict[str, int | float | None]:
        """Give plain numbers for JSON, which has no nan: None for a z that is not defined."""
        return {
            "count": self.count,
            "mean": self.mean,
            "std": self.std,
            "z": None if isnan(self.z) else self.z,
            "p": self.p,
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Significance(Mapping[str, Comparison]):
    """Counts of a graph beside those of random graphs, by name; a mapping that cannot be changed.

    Attributes
    ----------
    of : str
        What was counted: "triads", "clustering" or "graphlets".
    null : str
        What the random graphs share with the graph, as for `triadic.randomize`.
    names : tuple of str
    counts : tuple of int or of float
        In the graph; Python ints, some of which pass 2**63.
    samples : tuple of tuple
        Likewise in each random graph.
    profiled : tuple of str
        The names that the profile is over.
    steps : int, optional
        That led to each sample; None where samples are drawn at once.
    seed : int
        That gives the same samples again.
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
        """Standard deviations that each count lies above its mean, nan where undefined: float64, shape (names,)."""
        return self._column("z")

    @property
    def p(self) -> NDArray[np.float64]:
        """Two-sided empirical p of each count: float64, shape (names,)."""
        return self._column("p")

    @property
    def resolution(self) -> float:
        """The least p that so many samples can give, 2 / (samples + 1): the graph is further out than all of them."""
        return 2 / (len(self.samples) + 1)

    @property
    def profile(self) -> dict[str, float]:
        """The significance profile: z of each name in `profiled`, scaled to length 1; nan where z is undefined.

        Of triads it is over the thirteen that are connected. Profiles of networks of any size can be compared.
        """
        z = {name: self[name].z for name in self.profiled}
        length = sqrt(sum(score * score for score in z.values() if not isnan(score)))
        return {name: score / length if length > 0 else nan for name, score in z.items()}

    def __repr__(self) -> str:
        width = max(map(len, self.names))
        rows = [(f"{one.count:,.6g}", f"{one.mean:,.6g}", f"{one.z:.3g}", f"{one.p:.3g}") for one in self.values()]
        cells = [("count", "mean", "z", "p"), *rows]
        widths = [max(len(row[i]) for row in cells) for i in range(4)]
        lines = [
            f"  {name:<{width}} " + " ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True))
            for name, row in zip(("", *self.names), cells, strict=True)
        ]
        return "\n".join([f"{type(self).__name__} of {self.of}, {len(self.samples)} samples of {self.null!r}", *lines])

    def _repr_html_(self) -> str:
        rows = [(name, *(getattr(one, heading) for heading in _HEADINGS)) for name, one in self.items()]
        below = f"{len(self.samples):,} samples, null {self.null!r}; p is at least {self.resolution:.3g}"
        return html_table(f"Significance of {self.of}", (self.of, *_HEADINGS), rows, below=below)

    def to_dict(self) -> dict[str, dict[str, int | float | None]]:
        """Give plain numbers by name, for JSON: None for a z that is not defined."""
        return {name: one.to_dict() for name, one in self.items()}

    def to_pandas(self) -> pd.DataFrame:
        """Give a pandas DataFrame, a row a name: "count" (objects where one passes 2**63), "mean", "std", "z", "p"."""
        try:
            import pandas as pd  # noqa: PLC0415 - needed for this alone
        except ImportError as error:
            raise MissingExtraError("to_pandas needs pandas, which is not installed: pip install pandas") from error
        count = pd.Series(self.counts, index=self.names, dtype=object if max(self.counts) >= 2**63 else None)
        return pd.DataFrame({"count": count}).assign(mean=self.mean, std=self.std, z=self.z, p=self.p)

    def to_polars(self) -> pl.DataFrame:
        """Give a polars DataFrame, a row a name: "name", "count" (128-bit where one passes 2**63), "mean" and so on."""
        try:
            import polars as pl  # noqa: PLC0415 - needed for this alone
        except ImportError as error:
            raise MissingExtraError("to_polars needs polars, which is not installed: pip install polars") from error
        whole = pl.Int64 if max(self.counts) < 2**63 else pl.Int128
        dtype = whole if all(isinstance(count, int) for count in self.counts) else pl.Float64
        columns = {heading: getattr(self, heading) for heading in _HEADINGS[1:]}
        return pl.DataFrame({"name": list(self.names), "count": pl.Series(self.counts, dtype=dtype), **columns})

    def _column(self, heading: str) -> NDArray[np.float64]:
        return np.array([getattr(one, heading) for one in self.values()], dtype=np.float64)


def compare(count: Count, samples: Sequence[Count]) -> Comparison:
    """Hold a count against those of samples, at least two; sums are exact, so that equal samples deviate by 0.

    Examples
    --------
    >>> compare(7, [1, 2, 3])
    Comparison(count=7, mean=2.0, std=1.0, z=5.0, p=0.5)
    >>> compare(7, [2, 2]).z
    nan
    """
    n = len(samples)
    exact = [Fraction(one) for one in (count, *samples)]
    scale = lcm(*(one.denominator for one in exact))
    given, *drawn = (int(one * scale) for one in exact)
    total = sum(drawn)
    spread = n * sum(one * one for one in drawn) - total * total  # n (n - 1) variances
    std = sqrt(Fraction(spread, n * (n - 1) * scale * scale))
    above, below = sum(one >= given for one in drawn), sum(one <= given for one in drawn)
    return Comparison(
        count=count,
        mean=float(Fraction(total, n * scale)),
        std=std,
        z=float(Fraction(n * given - total, n * scale)) / std if std > 0 else nan,
        p=min(1.0, 2 * (1 + min(above, below)) / (n + 1)),
    )
