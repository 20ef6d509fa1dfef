"""The results of a comparison of counts with a null model, and of a diagnosis of the walks that draw random graphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from fractions import Fraction
from math import isnan, lcm, nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import ResultTable, counts_column
from triadic.core.formatting import (
    UNDEFINED,
    format_mean,
    format_p,
    format_q,
    format_value,
    format_z,
    html_table,
    plural,
    text_table,
)
from triadic.core.records import record, value_class
from triadic.measures.patterns.matches import heading_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array

    Count = int | float

COLUMNS = ("name", "count", "mean", "std", "z", "p", "q", "profile")
"""Names of the columns in the representation, in data frames, in files and in the terminal."""

_SHOWN = 16  # rows of the representation
_FIXED_DEGREES = ("degrees", "mutual")
_ONE_NUMBER = ("transitivity", "triangles", "triangle", "2-path")

PARTS = 8
"""Number of checkpoints within the steps of a sample."""


@record(repr=False)
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
    counts : float64 array, shape (72, names)
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
    at: Int64Array
    in_place: Float64Array
    counts: Float64Array
    autocorrelation: Float64Array
    time: Float64Array
    effective: Float64Array
    drift: Float64Array
    reasons: tuple[str, ...]

    @property
    def mixed(self) -> bool:
        """Whether the walks are long enough: there is nothing in `reasons`."""
        return not self.reasons

    @property
    def in_place_after(self) -> float:
        """Share of the graph's arcs that are in place after the steps of a sample."""
        return float(self.in_place[PARTS - 1])

    _rows = "counts"

    def _columns(self) -> dict[str, AnyArray]:
        names = np.array(self.names, object)
        return {"name": names, "time": self.time, "effective": self.effective, "drift": self.drift}

    def _title(self) -> str:
        mixed = "mixed" if self.mixed else "not mixed"
        return (
            f"Diagnosis: {mixed} after {self.steps:,} steps, {self.accepted:.1%} of the proposals accepted, "
            f"{self.in_place_after:.1%} of the arcs in place"
        )


@value_class
class Comparison:
    """One count of a graph, compared with the counts of the samples.

    Attributes
    ----------
    count : int or float
        Count of the graph.
    mean : float
        Mean over the samples.
    std : float
        Standard deviation over the samples, with samples - 1 in the denominator; nan if there is one sample.
    z : float
        Number of standard deviations by which the count exceeds the mean; nan if all samples have the same count.
    p : float
        Two-sided empirical p-value: twice the share of samples whose count is at least as large, or at most as large,
        whichever share is smaller; the graph itself counts as one more sample. At most 1; nan if there is one sample.
    q : float
        Smallest false discovery rate at which the count stands out among all counts of its result (Benjamini and
        Hochberg 1995); nan for a comparison that stands alone. Where random graphs keep the degrees, transitivity and
        the numbers of triangles and of induced 2-paths follow from one another, and count as one comparison.
    """

    count: Count
    mean: float
    std: float
    z: float
    p: float
    q: float = nan

    def to_dict(self) -> dict[str, int | float | None]:
        """Return the attributes as a dictionary of plain numbers for JSON; None for an undefined number."""
        numbers = {"std": self.std, "z": self.z, "p": self.p, "q": self.q}
        return {
            "count": self.count,
            "mean": self.mean,
            **{name: None if isnan(number) else number for name, number in numbers.items()},
        }


@record(repr=False)
class Significance(ResultTable, Mapping[Any, Comparison]):
    """Counts of a graph compared with the counts of random graphs: an immutable mapping from names to comparisons.

    A comparison has the attributes ``count``, ``mean``, ``std``, ``z``, ``p`` and ``q``.

    `to_pandas` and `to_polars` return a data frame with one row per name and the columns "name", the index in pandas,
    "count", "mean", "std", "z", "p", "q" and "profile". Counts are integers of any size; in polars, counts beside
    coefficients are floats. The smallest p that the samples can resolve, and its q, are printed as upper bounds,
    such as "≤ 0.02"; the data frames and `to_dict` hold the numbers.

    Attributes
    ----------
    of : str or tuple of str
        The counts that are compared, as `significance` names them; a tuple if there are several groups of them.
    null : str
        The null model from which the random graphs are drawn: "degrees", "mutual", "gnm", "configuration" or
        "types"; for temporal motifs "shuffled_times", "random_times", "shuffled_links" or "time_reversal".
    names : tuple of str, or tuple of tuple
        Names of the counts; by type, each is a tuple of a pattern and the types of its vertices.
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
    kept : str
        What arcs keep besides degrees, in words, such as "12 groups, 10 bins of length"; empty if nothing.
    keep_weights : {"keep", "shuffle", "strength"} or None
        How the random graphs got the weights of the graph; None if they have no weights.
    diagnosis : Diagnosis or None
        Whether the walks to the samples are long enough; None without ``diagnose=True``.
    delta : int or float or None
        Of temporal motifs, the longest time from the first event to the last, in the unit of the times.
    groups : dict of str to tuple of str
        Names of the counts by group, in the order of `of`.
    roles : dict of str to tuple of str
        By type, the vertices of each pattern in the order of their types in `names`, such as ("source", "middle",
        "target") of "030T"; otherwise empty.

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

    of: str | tuple[str, ...]
    null: str
    names: tuple[Any, ...]
    counts: tuple[Count, ...]
    samples: tuple[tuple[Count, ...], ...]
    profiled: tuple[str, ...]
    steps: int | None
    seed: int
    delta: int | float | None = None
    kept: str = ""
    keep_weights: str | None = None
    diagnosis: Diagnosis | None = None
    groups: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    roles: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _comparisons: dict[Any, Comparison] = field(default_factory=dict, init=False)  # filled at the first use

    def __getitem__(self, name: Any) -> Comparison:  # noqa: ANN401 - a text or a tuple
        if not self._comparisons:
            drawn = ([sample[i] for sample in self.samples] for i in range(len(self.names)))
            alone = [compare(count, values) for count, values in zip(self.counts, drawn, strict=True)]
            one = self.null in _FIXED_DEGREES
            # Where degrees are fixed, these are one number, and count as one comparison.
            tests = {(_ONE_NUMBER if one and name in _ONE_NUMBER else name): comparison.p
                     for name, comparison in zip(self.names, alone, strict=True)}  # fmt: skip
            rates = dict(zip(tests, false_discovery_rates(list(tests.values())), strict=True))
            self._comparisons.update(
                (name, replace(comparison, q=rates[name] if name in rates else rates[_ONE_NUMBER]))
                for name, comparison in zip(self.names, alone, strict=True)
            )
        if name not in self._comparisons:
            raise KeyError(f"{name!r}: expected one of the names {', '.join(map(repr, self.names))}")
        return self._comparisons[name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def mean(self) -> Float64Array:
        """Mean of each count over the samples: float64, shape (rows,)."""
        return self._column("mean")

    @property
    def std(self) -> Float64Array:
        """Standard deviation of each count over the samples: float64, shape (rows,)."""
        return self._column("std")

    @property
    def z(self) -> Float64Array:
        """z-score of each count, nan if all samples are equal: float64, shape (rows,)."""
        return self._column("z")

    @property
    def p(self) -> Float64Array:
        """Two-sided empirical p-value of each count: float64, shape (rows,)."""
        return self._column("p")

    @property
    def q(self) -> Float64Array:
        """False discovery rate at which each count stands out: float64, shape (rows,)."""
        return self._column("q")

    @property
    def null_title(self) -> str:
        """The null model and what arcs and weights keep, in words, such as "mutual, 12 groups"."""
        weights = f"weights by {self.keep_weights!r}" if self.keep_weights else ""
        return ", ".join(part for part in (self.null, self.kept, weights) if part)

    @property
    def resolution(self) -> float:
        """Smallest possible p-value, 2 / (samples + 1): the count is more extreme than that of every sample.

        One sample, that of "time_reversal", has no p-value, and the resolution is nan.
        """
        return 2 / (len(self.samples) + 1) if len(self.samples) > 1 else nan

    @property
    def profile(self) -> dict[Any, float]:
        """Significance profile: the z-scores of the names in `profiled`, scaled to length 1; nan if z is undefined.

        The profile of triads has the 13 connected types. If there are several groups of counts, each group is scaled
        by itself. Profiles of networks of different sizes can be compared.
        """
        profile: dict[Any, float] = {}
        for names in self.groups.values() or (self.names,):
            z = {name: self[name].z for name in names if name in self.profiled}
            length = sqrt(sum(score * score for score in z.values() if not isnan(score)))
            profile |= {name: score / length if length > 0 else nan for name, score in z.items()}
        return profile

    @property
    def title(self) -> str:
        """The groups of counts in words, such as "clustering and graphlets"."""
        return "temporal motifs" if self.of == "motifs" else " and ".join(self.groups)

    def __repr__(self) -> str:
        title = f"{type(self).__name__} of {self.title}, {plural(len(self.samples), 'sample')} of {self.null_title!r}"
        cells, more = self._strongest(_SHOWN)
        return "\n".join([title, *text_table(self.headings, cells), *more])

    def _repr_html_(self) -> str:
        cells, more = self._strongest(4 * _SHOWN)
        below = [*more, f"{plural(len(self.samples), 'sample')}, null {self.null_title!r}"]
        below += [] if isnan(self.resolution) else [f"p is at least {self.resolution:.3g}"]
        return html_table(f"Significance of {self.title}", self.headings, cells, below="; ".join(below))

    def _strongest(self, most: int) -> tuple[list[tuple[str, ...]], list[str]]:
        """Return the cells of the strongest deviations, in the order of the names, and a line about the others."""
        cells = self.cells()
        if len(cells) <= most:
            return cells, []
        # A single sample has no scores, but differences.
        scores = self.z.tolist() if len(self.samples) != 1 else [row.count - row.mean for row in self.values()]
        deviations = [-abs(score) if not isnan(score) else 0.0 for score in scores]
        shown = sorted(sorted(range(len(cells)), key=deviations.__getitem__)[: most - 1])
        return [cells[place] for place in shown], [f"{len(cells) - most + 1:,} more with smaller deviations"]

    @property
    def headings(self) -> tuple[str, ...]:
        """Header of a table for readers: `COLUMNS`; one sample has no scores, and types have no profile."""
        if len(self.samples) != 1:
            return COLUMNS[:-1] if self.roles else COLUMNS
        return "name", "count", "reversed" if self.null == "time_reversal" else "sample"

    def cells(self) -> list[tuple[str, ...]]:
        """Return the rows of a table for readers: the cells below `headings` as text."""
        width = len(self.headings)
        profile = self.profile
        return [
            (
                text_of(name),
                format_value(row.count),
                format_mean(row.mean),
                format_mean(row.std),
                format_z(row.z),
                UNDEFINED if isnan(row.p) else format_p(row.p, self.resolution),
                UNDEFINED if isnan(row.q) else format_q(row.q, row.p, self.resolution),
                "" if isnan(profile.get(name, nan)) else f"{profile[name]:.3f}",
            )[:width]
            for name, row in self.items()
        ]

    def to_dict(self) -> dict[str, dict[str, int | float | None]]:
        """Return the comparisons as dictionaries of plain numbers for JSON; an undefined z is None."""
        return {text_of(name): comparison.to_dict() for name, comparison in self.items()}

    def _columns(self) -> dict[str, AnyArray]:
        scores = {heading: self._column(heading) for heading in ("mean", "std", "z", "p", "q")}
        if self.roles:
            names = heading_columns(self.names, max(map(len, self.roles.values())))
            return {**names, "count": counts_column(self.counts), **scores}
        profile, names = self.profile, {"name": np.array(self.names, object)}
        scores["profile"] = np.array([profile.get(name, nan) for name in self.names])
        return {**names, "count": counts_column(self.counts), **scores}

    def _column(self, heading: str) -> Float64Array:
        return np.array([getattr(comparison, heading) for comparison in self.values()], np.float64)


def text_of(name: str | tuple[Any, ...]) -> str:
    """Return a name as one text: by type the pattern, and the types of its vertices."""
    return name if isinstance(name, str) else f"{name[0]}: {', '.join(map(str, name[1:]))}"


def compare(count: Count, samples: Sequence[Count]) -> Comparison:
    """Compare a count with the counts of samples; one sample has no standard deviation, z and p.

    Sums are exact, so the standard deviation of equal samples is 0.

    Examples
    --------
    >>> compare(7, [1, 2, 3])
    Comparison(count=7, mean=2.0, std=1.0, z=5.0, p=0.5, q=nan)
    >>> compare(7, [2, 2]).z
    nan
    """
    n = len(samples)
    if n == 1:
        return Comparison(count, float(samples[0]), nan, nan, nan)
    fractions = [Fraction(value) for value in (count, *samples)]
    scale = lcm(*(fraction.denominator for fraction in fractions))
    observed, *drawn = (int(fraction * scale) for fraction in fractions)
    total = sum(drawn)
    squares = n * sum(value * value for value in drawn) - total * total  # the variance times n (n - 1)
    std = sqrt(Fraction(squares, n * (n - 1) * scale * scale))
    above, below = sum(value >= observed for value in drawn), sum(value <= observed for value in drawn)
    z = float(Fraction(n * observed - total, n * scale)) / std if std > 0 else nan
    p = min(1.0, 2 * (1 + min(above, below)) / (n + 1))
    return Comparison(count, float(Fraction(total, n * scale)), std, z, p)


def false_discovery_rates(p: Sequence[float]) -> list[float]:
    """Return for each p-value the smallest false discovery rate at which it is a discovery; nan for nan.

    References
    ----------
    Y. Benjamini and Y. Hochberg, *Controlling the false discovery rate: a practical and powerful approach to multiple
    testing*, Journal of the Royal Statistical Society B 57, 289-300, 1995.

    Examples
    --------
    >>> false_discovery_rates([0.01, 0.04, 0.03, 0.5])
    [0.04, 0.05333333333333334, 0.05333333333333334, 0.5]
    """
    values = np.asarray(p, np.float64)
    falling = np.flatnonzero(~np.isnan(values))
    falling = falling[np.argsort(values[falling])[::-1]]
    scaled = values[falling] * len(falling) / np.arange(len(falling), 0, -1)
    rates = np.full(len(values), nan)
    rates[falling] = np.minimum(np.minimum.accumulate(scaled), 1.0)
    return rates.tolist()
