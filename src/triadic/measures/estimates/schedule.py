"""When to stop drawing, so that the interval at the end still holds the exact value as often as it says.

An interval that is looked at again and again, until it is narrow enough, misses too often. Here the number of draws of
each look is fixed before the draws of that interval are made:

- ``samples=N``: one look, after N draws.
- ``within=w``: a pilot of its own draws, which are thrown away, tells how many draws the asked width takes. The first
  look is after that many fresh draws, and misses with 0.9 of the allowed probability. If the interval is too wide then,
  further looks are after 2, 4, 8 … times as many draws, and miss with 0.05, 0.025, … of it. Together they miss with no
  more than the allowed probability, and the first interval is 1.02 times as wide as without further looks.
- a limit of time, or Ctrl-C, ends the draws early. Neither depends on what was drawn, so the interval of the next look
  is taken at once. In the pilot, each of at most twenty sizes has a twentieth of the allowed probability.

Intervals are for the mean of draws between zero and a known largest value. Draws that are zero or one have the interval
of Clopper and Pearson, which holds the mean with at least the given confidence for any number of draws. Draws of
several values have the same interval of a matched binomial: draws of ``w`` or zero with the mean and the mean square of
the draws. The upper end counts one more draw, of the largest value, as Fay and Feuer do for sums of Poisson numbers
with weights; if all values are equal, both ends are Clopper's and Pearson's. That this interval holds is not proven; it
did in all simulations, Fay's and Feuer's and those of the tests.

References
----------
Clopper and Pearson (1934), Biometrika 26, 404. Fay and Feuer (1997), Statistics in Medicine 16, 791. Korn and Graubard
(1998), Survey Methodology 24, 193, who match a binomial likewise.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.draws import derive_keys
from triadic.core.formatting import plural
from triadic.core.oriented import int_zeros
from triadic.core.records import record, value_class
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from triadic.core.array_types import BoolArray, Float64Array, Int64Array
    from triadic.core.progress import Progress
    from triadic.measures.estimates.samplers import Sampler


MOST_SAMPLES = 10_000_000
_FIRST_LOOK = 0.9  # share of the probability to miss
_PILOT, _GROWTH, _PILOTS = 64, 2, 20
_PILOT_SHARE = 16  # the pilot has no more than this part of the most samples
_FEW_HITS, _ENOUGH_HITS = 25.0, 400.0  # draws that are not zero, in the pilot
_LEAST_TIMES_PILOT = 4
_SHARE_OF_HITS = 0.1  # of the hits that are needed in all
_CHUNK, _LONGEST_CHUNK, _CHUNK_SECONDS = 1 << 14, 1 << 22, 0.1  # draws between two looks at the clock


@value_class(kw_only=True)
class Goal:
    """When to stop.

    Attributes
    ----------
    within : float or None
        Half the width of the interval, relative to the estimate.
    samples : int or None
        Number of draws, in place of `within`.
    confidence : float
    max_samples : int
        Most draws, with those of the pilot.
    deadline : float or None
        When to stop, by `time.perf_counter`.
    """

    within: float | None
    samples: int | None
    confidence: float
    max_samples: int
    deadline: float | None

    @property
    def alpha(self) -> float:
        """Probability with which an interval may miss."""
        return 1.0 - self.confidence


@record
class Outcome:
    """What was drawn.

    Attributes
    ----------
    value, low, high : float64 arrays, shape (quantities,)
    draws : int64 array, shape (strata,)
        Draws that the intervals rest on.
    pilot : int64 array, shape (strata,)
        Draws of the pilot, which are in no interval.
    stopped : {"", "max_samples", "max_seconds", "interrupted"}
        Why drawing ended before every interval was as narrow as asked; empty if they all were, or none was asked.
    """

    value: Float64Array
    low: Float64Array
    high: Float64Array
    draws: Int64Array
    pilot: Int64Array
    stopped: str


def reach(sampler: Sampler, goal: Goal, seed: int, *, progress: Progress | None = None) -> Outcome:
    """Draw until the goal is reached, or a limit.

    Parameters
    ----------
    sampler : Sampler
    goal : Goal
    seed : int
    progress : callable, optional
        Called with the draws so far and the draws that are expected in all.

    Returns
    -------
    Outcome

    Raises
    ------
    ArgumentError
        If the draws are too few for each stratum.
    KeyboardInterrupt
        If Ctrl-C is pressed before the first draws are complete.
    """
    return _Run(sampler, goal, seed, progress).outcome()


class _Run:
    """The draws so far, and the clock."""

    def __init__(self, sampler: Sampler, goal: Goal, seed: int, progress: Progress | None) -> None:
        self.sampler, self.goal, self.progress = sampler, goal, progress
        self.of = sampler.quantities
        self.keys = derive_keys(seed, 2)
        self.chunk, self.stopped, self.within = _CHUNK, "", goal.within or 0.0
        self.live = self.strata_of(self.of.largest)  # strata that can have a draw that is not zero
        self.restart(0)
        self.pilot_draws = np.zeros_like(self.draws)

    def strata_of(self, quantities: Float64Array | BoolArray) -> BoolArray:
        """Return which strata have a quantity that is not 0."""
        return np.bincount(self.of.stratum, weights=quantities, minlength=self.sampler.strata) > 0

    def restart(self, stage: int) -> None:
        """Forget all draws, and take those of the pilot, stage 0, or those that count, stage 1."""
        self.key = int(self.keys[stage])
        self.draws = int_zeros(self.sampler.strata)
        self.sums = np.zeros(len(self.of.stratum))
        self.squares = np.zeros(len(self.of.stratum))

    def outcome(self) -> Outcome:
        """Draw, and return the intervals of the last look of each quantity."""
        goal = self.goal
        self.check_samples()
        alpha = np.full(len(self.of.stratum), goal.alpha)
        if not self.live.any():
            return self.found(alpha)
        if goal.samples is not None:
            self.advance(self.shares(goal.samples))
            return self.found(alpha)
        wanted = self.pilot()
        if self.stopped:
            return self.found(alpha / _PILOTS)
        cap = np.maximum(1, self.shares(goal.max_samples) - self.draws) * self.live
        self.pilot_draws = self.draws
        self.restart(1)
        target, share, done = np.minimum(wanted, cap), _FIRST_LOOK, np.zeros(self.sampler.strata, bool)
        for look in range(1, 64):
            alpha[~done[self.of.stratum]] = goal.alpha * share
            if not self.advance(np.where(done, self.draws, target)):
                break
            value, low, high = self.intervals(alpha)
            wide = ((high - low) / 2 > self.within * value) & (self.of.largest > 0)
            done = ~self.strata_of(wide) | ~self.live
            if done.all():
                break
            done |= self.draws >= cap
            if done.all():
                self.stopped = "max_samples"
                break
            target = np.minimum(2 * target, cap)
            share = (1.0 - _FIRST_LOOK) / 2**look
        return self.found(alpha)

    def check_samples(self) -> None:
        """Raise if there are too few draws for each stratum to have one, and one more in the pilot."""
        strata = int(self.live.sum())
        name, given, least = "samples", self.goal.samples, strata
        if given is None:
            name, given, least = "max_samples", self.goal.max_samples, 2 * strata
        if given < least:
            raise ArgumentError(
                f"{name}={given}: expected at least {least:,}, because each of {plural(strata, 'kind')} of draws, such "
                "as degrees, needs its own"
            )

    def pilot(self) -> Int64Array:
        """Draw the pilot, and return the number of draws that each stratum needs, at least one."""
        most = self.shares(self.goal.max_samples) // _PILOT_SHARE
        size = np.where(self.live, np.clip(most, 1, _PILOT), 0)
        alpha = np.full(len(self.of.stratum), self.goal.alpha * _FIRST_LOOK)
        for _ in range(_PILOTS):
            self.advance(size)
            need, known = self.need(alpha)
            grow = self.strata_of(~known) & (size * _GROWTH <= most)
            if self.stopped or not grow.any():
                break
            size = np.where(grow, size * _GROWTH, size)
        wanted = np.zeros(self.sampler.strata)
        np.maximum.at(wanted, self.of.stratum, need)
        # With fewer draws, too many would be thrown away with the pilot.
        wanted = np.maximum(wanted, _LEAST_TIMES_PILOT * self.draws)
        return np.where(self.live, np.clip(wanted, 1, 2**62), 0).astype(np.int64)

    def need(self, alpha: Float64Array) -> tuple[Float64Array, BoolArray]:
        """Return the draws that each quantity needs, and whether the pilot tells it well."""
        from scipy.special import ndtri  # noqa: PLC0415 - slow to import

        draws = self.draws[self.of.stratum]
        value, low, high = self.intervals(alpha)
        aim = self.within * value
        half = (high - low) / 2
        with np.errstate(invalid="ignore", divide="ignore"):
            need = np.where(half > 0, draws * (half / aim) ** 2, 1.0)
            hits = np.where(self.sums > 0, self.sums * self.sums / self.squares, 0.0)
            # The width of the interval for many draws: that of a normal distribution with the same variance.
            mean = self.sums / draws
            variance = self.squares / draws - mean * mean
            spread = -ndtri(alpha / 2) * np.abs(self.of.scale) * np.sqrt(np.maximum(variance, 0.0))
            # The spread over the mean is known up to the error of the shares of hits and of draws that are zero, here
            # and in the draws that will count. A further look would cost twice the draws, so that more draws by two
            # deviations of both errors are worth it.
            missing = np.maximum(1 - hits / draws, 1 / draws)
            hits *= missing
            both = 1.0 / np.maximum(hits, 1.0) + (self.within / (2 * missing)) ** 2
            need = np.where(hits >= _FEW_HITS, (spread / aim) ** 2 * (1 + 2 * np.sqrt(both)), need)
            enough = np.minimum(_ENOUGH_HITS, np.maximum(_FEW_HITS, _SHARE_OF_HITS * hits * need / draws))
        need = np.nan_to_num(need, nan=1.0, posinf=2.0**62)
        known = (hits >= enough) | (need <= draws) | (self.of.largest == 0)
        return np.where(self.of.largest > 0, need, 0.0), known

    def intervals(self, alpha: Float64Array) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Return the estimates and the ends of their intervals."""
        of, draws = self.of, self.draws[self.of.stratum]
        low, high = mean_interval(draws, self.sums, self.squares, of.largest, alpha)
        mean = np.where(draws > 0, self.sums / np.maximum(draws, 1), 0.0)
        ends = of.at(low), of.at(high)
        value = of.at(mean)
        return value, np.minimum(*ends), np.maximum(*ends)

    def shares(self, samples: int) -> Int64Array:
        """Share draws among the strata that matter, as evenly as possible."""
        strata = np.flatnonzero(self.live)
        each, more = divmod(samples, len(strata))
        found = int_zeros(self.sampler.strata)
        found[strata] = each + (np.arange(len(strata)) < more)
        return found

    def advance(self, target: Int64Array) -> bool:
        """Draw until each stratum has as many draws as `target`, in pieces between which the clock is read.

        Return False if time runs out or Ctrl-C is pressed before; `stopped` says which.
        """
        expected, deadline = int(target.sum()), self.goal.deadline
        while True:
            left = target - self.draws
            rest = int(left.sum())
            if self.progress is not None:
                self.progress(expected - rest, expected)
            if rest == 0:
                return True
            if deadline is not None and self.draws.any() and time.perf_counter() > deadline:
                self.stopped = "max_seconds"
                return False
            part = min(1.0, self.chunk / rest)
            stop = self.draws + (left if part == 1.0 else np.ceil(left * part).astype(np.int64))
            started = time.perf_counter()
            try:
                sums, squares = self.sampler.moments(self.key, self.draws, stop)
            except KeyboardInterrupt:
                if not self.draws.any():
                    raise
                self.stopped = "interrupted"
                return False
            self.sums += sums
            self.squares += squares
            self.draws = stop
            if time.perf_counter() - started < _CHUNK_SECONDS:
                self.chunk = min(_LONGEST_CHUNK, 2 * self.chunk)

    def found(self, alpha: Float64Array) -> Outcome:
        """Return the intervals that miss with these probabilities."""
        return Outcome(*self.intervals(alpha), self.draws, self.pilot_draws, self.stopped)


def mean_interval(
    draws: ArrayLike, sums: ArrayLike, squares: ArrayLike, largest: ArrayLike, alpha: ArrayLike
) -> tuple[Float64Array, Float64Array]:
    """Return the ends of the intervals that hold the means with confidence 1 - alpha.

    Parameters
    ----------
    draws, sums, squares : array_like
        Number of draws, their sum and the sum of their squares.
    largest : array_like
        Largest possible value of a draw; 0 for draws that are always zero.
    alpha : array_like
        Probability that an interval misses.

    Returns
    -------
    low, high : float64 arrays
        Of the common shape of the arguments; 0 and the largest value without draws.

    Examples
    --------
    >>> low, high = mean_interval(10, 0, 0, 1, 0.05)
    >>> float(low), round(float(high), 4)
    (0.0, 0.3085)
    >>> low, high = mean_interval([100, 1000], [10, 100], [10, 100], 1, 0.05)
    >>> low.round(4), high.round(4)
    (array([0.049 , 0.0821]), array([0.1762, 0.1203]))
    """
    from scipy.special import betaincinv  # noqa: PLC0415 - slow to import

    n, y, q, most, tail = np.broadcast_arrays(
        *(np.asarray(each, np.float64) for each in (draws, sums, squares, largest, np.asarray(alpha) / 2))
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        hits = np.minimum(y * y / q, n)
        low = np.where(y > 0, q / y * betaincinv(hits, n - hits + 1, tail), 0.0)
        y, q = y + most, q + most * most
        hits = np.minimum(y * y / q, n + 1)
        high = np.where(hits <= n, q / y * betaincinv(hits, n - hits + 1, 1 - tail), most)
    high = np.where((n > 0) & (most > 0), np.minimum(high, most), most)
    return np.where(most > 0, np.minimum(low, high), 0.0), high
