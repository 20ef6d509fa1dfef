"""What chance makes of a triad census: the U|MAN null in closed form.

All digraphs with the given numbers of mutual, asymmetric and null dyads are equally likely. A triple's three dyads are
then a draw without replacement, and each asymmetric one points either way with probability 1/2. Two triples share one
dyad or none, so that the second moment needs six or five dyads.

References
----------
Holland and Leinhardt (1976), Sociological Methodology 7, 1, sections 3 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, nan, perm, sqrt
from typing import TYPE_CHECKING

from triadic.core.notebook import html_table
from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE, states
from triadic.measures.census import Census

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TriadCensus(Census):
    """The 16 types of triads of a graph, and what chance would make of them.

    Attributes
    ----------
    names : tuple of str
        ``TRIAD_NAMES``.
    counts : tuple of int
    vertices, mutual, asymmetric : int
        Of the graph: its vertices, and its dyads of two kinds.
    """

    vertices: int
    mutual: int
    asymmetric: int

    def expected(self) -> dict[str, float]:
        """Give the mean of each count over all digraphs with as many dyads of each kind (U|MAN)."""
        return {name: float(mean) for name, (mean, _) in self._moments().items()}

    def z_scores(self) -> dict[str, float]:
        """Give how many standard deviations each count lies above its mean under U|MAN; nan where it cannot vary."""
        return {
            name: float(self[name] - mean) / sqrt(variance) if variance > 0 else nan
            for name, (mean, variance) in self._moments().items()
        }

    def to_pandas(self) -> pd.DataFrame:
        """Give a pandas DataFrame, a row a type: "count" (objects where one passes 2**63), "expected" and "z"."""
        return Census.to_pandas(self).assign(expected=self.expected(), z=self.z_scores())

    def to_polars(self) -> pl.DataFrame:
        """Give a polars DataFrame, a row a type: "name", "count", "expected" and "z"."""
        made = Census.to_polars(self)
        import polars as pl  # noqa: PLC0415 - which the line above found installed

        null = pl.Series("expected", list(self.expected().values())), pl.Series("z", list(self.z_scores().values()))
        return made.with_columns(*null)

    def _repr_html_(self) -> str:
        mean, z = self.expected(), self.z_scores()
        rows = [(name, count, mean[name], z[name]) for name, count in self.items()]
        return html_table("Triad census", ("type", "count", "expected", "z"), rows)

    def _moments(self) -> dict[str, tuple[Fraction, Fraction]]:
        null = comb(self.vertices, 2) - self.mutual - self.asymmetric
        return moments(self.vertices, (null, self.asymmetric, self.mutual))


def moments(n: int, dyads: tuple[int, int, int]) -> dict[str, tuple[Fraction, Fraction]]:
    """Give mean and variance of the count of each type, exactly.

    Parameters
    ----------
    n : int
        Number of vertices.
    dyads : tuple of int
        Null, asymmetric and mutual dyads.
    """
    triples = comb(n, 3)
    # Ordered pairs of triples that share a dyad, and of those that share none and are not the same.
    sharing = triples * 3 * (n - 3) if n > 3 else 0
    apart = triples * (triples - 1) - sharing
    found = {}
    for name in TRIAD_NAMES:
        one = _probability(_single(name), dyads)
        mean = triples * one
        together = sharing * _probability(_sharing(name), dyads) if sharing else Fraction(0)
        separate = apart * _probability(_apart(name), dyads) if apart else Fraction(0)
        found[name] = mean, mean + together + separate - mean * mean
    return found


def _probability(ways: dict[tuple[int, int, int], Fraction], dyads: tuple[int, int, int]) -> Fraction:
    """Add up, over compositions of a draw, its ways times the chance of drawing those dyads in that order."""
    total = sum(dyads)
    found = Fraction(0)
    for drawn, weight in ways.items():
        size = sum(drawn)
        if total >= size:
            orders = perm(dyads[0], drawn[0]) * perm(dyads[1], drawn[1]) * perm(dyads[2], drawn[2])
            found += weight * Fraction(orders, perm(total, size))
    return found


def _codes(name: str) -> list[tuple[int, int, int]]:
    return [states(code) for code in range(64) if TRIAD_NAMES[TYPE_OF_CODE[code]] == name]


def _ways(draws: list[tuple[int, ...]]) -> dict[tuple[int, int, int], Fraction]:
    """Collect draws of dyad states by how many are null, asymmetric and mutual; an asymmetric state has weight 1/2."""
    ways: dict[tuple[int, int, int], Fraction] = {}
    for draw in draws:
        mutual, null = draw.count(3), draw.count(0)
        drawn = null, len(draw) - mutual - null, mutual
        ways[drawn] = ways.get(drawn, Fraction(0)) + Fraction(1, 2 ** drawn[1])
    return ways


@cache
def _single(name: str) -> dict[tuple[int, int, int], Fraction]:
    return _ways(list(_codes(name)))


@cache
def _sharing(name: str) -> dict[tuple[int, int, int], Fraction]:
    """Two triads {u, v, w} and {u, v, x} of the type: five dyads, s(uv) the same."""
    codes = _codes(name)
    return _ways([(*a, *b[1:]) for a, b in product(codes, codes) if a[0] == b[0]])


@cache
def _apart(name: str) -> dict[tuple[int, int, int], Fraction]:
    """Two triads of the type without a dyad in common."""
    codes = _codes(name)
    return _ways([(*a, *b) for a, b in product(codes, codes)])
