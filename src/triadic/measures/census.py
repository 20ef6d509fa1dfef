"""The results of censuses: counts by name, and the expected triads of random digraphs with given numbers of dyads.

The distribution U|MAN is in closed form: all digraphs with the given numbers of mutual, asymmetric and null dyads are
equally likely. The three dyads of a triple are then drawn without replacement, and each asymmetric dyad has one of its
two directions with probability 1/2. Two different triples share one dyad or none, so the second moment needs the
probabilities of five or six dyads.

References
----------
Holland and Leinhardt (1976), Sociological Methodology 7, 1, sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, nan, perm, sqrt
from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.result_table import ResultTable, counts_column
from triadic.core.formatting import format_mean, format_z, html_table, text_counts
from triadic.core.records import record
from triadic.core.triad_types import ASYMMETRIC, TRIAD_NAMES, TYPE_OF_CODE, states

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray

    # Numbers of null, asymmetric and mutual dyads.
    Dyads = tuple[int, int, int]

_SHOWN_ROWS = 16  # at most, in the representation: the 64 labelled types are shown in four columns


@record(repr=False)
class Census(ResultTable, Mapping[str, int]):
    """Counts by name: an immutable mapping in a fixed order.

    `to_pandas` and `to_polars` return a data frame with one row per name and the columns "name", the index in pandas,
    and "count": int64, or integers of any size if a count exceeds 2**63, Python's in pandas and Int128 in polars.

    Attributes
    ----------
    names : tuple of str
        Names of the counts.
    counts : tuple of int
        Counts in the order of `names`, as Python ints: some exceed 2**63. Coefficients are floats.

    See Also
    --------
    count, triad_census, dyad_census, graphlets : Return a census.

    Examples
    --------
    >>> import triadic
    >>> census = triadic.dyad_census(triadic.Graph.from_edges([0, 1, 1], [1, 0, 2], directed=True))
    >>> census["mutual"], list(census)
    (1, ['mutual', 'asymmetric', 'null'])
    """

    names: tuple[str, ...]
    counts: tuple[int, ...]

    def __getitem__(self, name: str) -> int:
        try:
            return self.counts[self.names.index(name)]
        except ValueError:
            short = len(self.names) <= 16
            expected = ", ".join(map(repr, self.names)) if short else f"{self.names[0]!r} to {self.names[-1]!r}"
            raise KeyError(f"{name!r}: expected one of the names {expected}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __repr__(self) -> str:
        return "\n".join([type(self).__name__, *_in_columns(text_counts(self))])

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, ("name", "count"), self.items())

    def to_dict(self) -> dict[str, int]:
        """Return the counts as a dictionary."""
        return dict(self)

    def _columns(self) -> dict[str, AnyArray]:
        return {"name": np.array(self.names, object), "count": counts_column(self.counts)}


def _in_columns(lines: list[str]) -> list[str]:
    """Return the lines in as few columns as do not exceed the number of types of triads in length."""
    columns = -(-len(lines) // _SHOWN_ROWS)
    rows = -(-len(lines) // max(1, columns))
    return ["  ".join(lines[row::rows]) for row in range(rows)]


@record(repr=False)
class TriadCensus(Census):
    """Counts of the 16 types of triads, and their expectation in random graphs: an immutable mapping.

    `to_pandas` and `to_polars` return a data frame with one row per type and the columns "name", the index in pandas,
    "count", "expected" and "z".

    Attributes
    ----------
    names : tuple of str
        Names of the types, ``TRIAD_NAMES``.
    counts : tuple of int
        Number of triads of each type, as Python ints: some exceed 2**63.
    vertices : int
        Number of vertices of the graph.
    mutual : int
        Number of mutual dyads of the graph: pairs of vertices joined by arcs in both directions.
    asymmetric : int
        Number of asymmetric dyads of the graph: pairs of vertices joined by one arc.

    See Also
    --------
    triad_census : Return the census of a graph.

    Examples
    --------
    >>> import triadic
    >>> census = triadic.triad_census(triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True))
    >>> census["030T"], round(census.expected()["030T"], 2), census.asymmetric
    (1, 0.6, 4)
    """

    vertices: int
    mutual: int
    asymmetric: int

    def expected(self) -> dict[str, float]:
        """Compute the expected count of each type in random graphs with the same numbers of dyads.

        All digraphs with the same numbers of vertices and of mutual, asymmetric and null dyads are equally likely (the
        distribution U|MAN). The expectation is exact; no graph is drawn.

        Returns
        -------
        dict of str to float
            Expected count of each type.

        References
        ----------
        Holland and Leinhardt (1976), "Local structure in social networks", Sociological Methodology 7, 1, section 3.
        """
        return {name: float(mean) for name, (mean, _) in self._moments().items()}

    def z_scores(self) -> dict[str, float]:
        """Compute the number of standard deviations by which each count exceeds its expectation.

        Mean and standard deviation are over all digraphs with the same numbers of vertices and of mutual, asymmetric
        and null dyads (the distribution U|MAN), and exact.

        Returns
        -------
        dict of str to float
            z-score of each type; nan if all these digraphs have the same count.

        References
        ----------
        Holland and Leinhardt (1976), "Local structure in social networks", Sociological Methodology 7, 1, section 4.
        """
        return {
            name: float(self[name] - mean) / sqrt(variance) if variance > 0 else nan
            for name, (mean, variance) in self._moments().items()
        }

    def _columns(self) -> dict[str, AnyArray]:
        expected, z = self.expected(), self.z_scores()
        return {
            **Census._columns(self),  # noqa: SLF001 - of the base class, as slots of dataclasses break super()
            "expected": np.array(list(expected.values())),
            "z": np.array(list(z.values())),
        }

    def __repr__(self) -> str:
        shown = self._possible()
        return "\n".join([type(self).__name__, *text_counts(shown), *(f"  {line}" for line in self._left_out(shown))])

    def _repr_html_(self) -> str:
        shown, mean, z = self._possible(), self.expected(), self.z_scores()
        rows = [(name, count, format_mean(mean[name]), format_z(z[name])) for name, count in shown.items()]
        below = " ".join(self._left_out(shown))
        return html_table(type(self).__name__, ("name", "count", "expected", "z"), rows, below=below)

    def _possible(self) -> dict[str, int]:
        """Return the counts of the types that can occur; types with asymmetric dyads need an asymmetric dyad."""
        return {name: count for name, count in self.items() if self.asymmetric or not ASYMMETRIC[name]}

    def _left_out(self, shown: dict[str, int]) -> list[str]:
        left = len(self.names) - len(shown)
        return [f"0 of the {left} types with an asymmetric dyad"] if left else []

    def _moments(self) -> dict[str, tuple[Fraction, Fraction]]:
        null = comb(self.vertices, 2) - self.mutual - self.asymmetric
        return moments(self.vertices, (null, self.asymmetric, self.mutual))


def moments(n: int, dyads: Dyads) -> dict[str, tuple[Fraction, Fraction]]:
    """Return the exact mean and variance of the count of each type.

    Parameters
    ----------
    n : int
        Number of vertices.
    dyads : tuple of int
        Numbers of null, asymmetric and mutual dyads.
    """
    triples = comb(n, 3)
    # Ordered pairs of different triples, which share a dyad or are disjoint in their dyads.
    sharing = triples * 3 * (n - 3) if n > 3 else 0
    disjoint = triples * (triples - 1) - sharing
    moments_of_types = {}
    for name in TRIAD_NAMES:
        numbers = zip((triples, sharing, disjoint), _draws(name), strict=True)
        mean, *second = (number * _probability(weights, dyads) for number, weights in numbers)
        moments_of_types[name] = mean, mean + sum(second) - mean * mean
    return moments_of_types


def _probability(weights: dict[Dyads, Fraction], dyads: Dyads) -> Fraction:
    """Return the probability of a set of draws: the sum of weight times probability over their compositions."""
    total = sum(dyads)
    probability = Fraction(0)
    for drawn, weight in weights.items():
        size = sum(drawn)
        if total >= size:
            orders = perm(dyads[0], drawn[0]) * perm(dyads[1], drawn[1]) * perm(dyads[2], drawn[2])
            probability += weight * Fraction(orders, perm(total, size))
    return probability


def _compositions(draws: Sequence[tuple[int, ...]]) -> dict[Dyads, Fraction]:
    """Sum the weights of draws of dyad states by composition; an asymmetric state has weight 1/2."""
    weights: dict[Dyads, Fraction] = {}
    for draw in draws:
        mutual, null = draw.count(3), draw.count(0)
        drawn = null, len(draw) - mutual - null, mutual
        weights[drawn] = weights.get(drawn, Fraction(0)) + Fraction(1, 2 ** drawn[1])
    return weights


@cache
def _draws(name: str) -> list[dict[Dyads, Fraction]]:
    """Weigh the draws of dyads that form one triad of the type, two that share a dyad, and two that share none."""
    codes = [states(code) for code in range(64) if TRIAD_NAMES[TYPE_OF_CODE[code]] == name]
    pairs = list(product(codes, codes))
    sharing = [(*a, *b[1:]) for a, b in pairs if a[0] == b[0]]
    return [_compositions(draws) for draws in (codes, sharing, [(*a, *b) for a, b in pairs])]
