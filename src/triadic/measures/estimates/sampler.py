"""What an estimate is made of: quantities that are means of draws, times a number, plus a number.

A `Sampler` draws from one or several strata. The draws of a stratum are independent and equally distributed, and each
quantity is a linear function of the mean of a value of the draws of its stratum. Samplers whose draws fall into classes
are `ClassSampler`: each class has a whole number as its value for each quantity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from triadic.core.draws import derive_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Moments = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, slots=True, eq=False)
class Quantities:
    """What is estimated: each quantity is ``offset + scale * mean``.

    Attributes
    ----------
    names : sequence
        Names of the quantities, or the degrees of a spectrum.
    stratum : int64 array, shape (quantities,)
        Stratum whose draws have the mean.
    offset, scale : float64 arrays, shape (quantities,)
    largest : float64 array, shape (quantities,)
        Largest value of a draw; 0 if all are zero, so that the quantity is exact.
    most : float
        Largest possible quantity, such as 1 for a coefficient.
    """

    names: Sequence[Any] | NDArray[Any]
    stratum: NDArray[np.int64]
    offset: NDArray[np.float64]
    scale: NDArray[np.float64]
    largest: NDArray[np.float64]
    most: float = np.inf

    def at(self, mean: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the quantities for these means."""
        return np.clip(self.offset + self.scale * mean, 0.0, self.most)


class Sampler(Protocol):
    """Draws from strata.

    Attributes
    ----------
    quantities : Quantities
    strata : int
        Number of strata.
    nanoseconds : float
        Rough time of a draw on one thread.
    """

    quantities: Quantities
    strata: int
    nanoseconds: float

    def moments(self, key: int, first: NDArray[np.int64], stop: NDArray[np.int64]) -> Moments:
        """Return for each quantity the sums of values, and of their squares, over some draws.

        Parameters
        ----------
        key : int
            Key of the draws; the draws of two keys are independent.
        first, stop : int64 array, shape (strata,)
            The draws of each stratum: `first` to `stop` - 1.
        """


class ClassSampler:
    """Draws that fall into classes, from one or several strata.

    Parameters
    ----------
    quantities : Quantities
        `largest` is ignored: it follows from the values.
    values : list of int64 arrays, shape (classes of the stratum,)
        Value of each class for each quantity.
    draws : list of callable
        For each stratum ``draw(key, first, stop)``, which returns the number of draws in each class.
    nanoseconds : float
        Rough time of a draw on one thread.
    """

    def __init__(
        self,
        quantities: Quantities,
        values: Sequence[NDArray[np.int64]],
        draws: Sequence[Callable[[int, int, int], NDArray[np.int64]]],
        *,
        nanoseconds: float,
    ) -> None:
        self.quantities, self._values, self._draws = quantities, values, draws
        self.strata, self.nanoseconds = len(draws), nanoseconds

    def moments(self, key: int, first: NDArray[np.int64], stop: NDArray[np.int64]) -> Moments:
        """Return the sums of values and of their squares, see `Sampler`."""
        counts = [
            draw(int(own), int(first[s]), int(stop[s])) if stop[s] > first[s] else None
            for s, (own, draw) in enumerate(zip(derive_keys(key, self.strata), self._draws, strict=True))
        ]
        sums, squares = np.zeros(len(self._values)), np.zeros(len(self._values))
        for i, (stratum, value) in enumerate(zip(self.quantities.stratum, self._values, strict=True)):
            found = counts[stratum]
            if found is not None:
                sums[i], squares[i] = int(value @ found), int(value * value @ found)
        return sums, squares


def largest_of(values: Sequence[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Return the largest value of each quantity over the classes: float64, shape (quantities,)."""
    return np.array([float(value.max(initial=0)) for value in values])
