"""Cases in which every two values of different parameters meet, or each value occurs, in place of all combinations.

`pairs` is for parts that do not interact by threes: a fault that one value shows, or two values together, is found by
its few cases; only one that needs three particular values at once could be missed.
"""

from __future__ import annotations

from itertools import combinations, product

import pytest


def pairs(*parameters):
    """Return combinations of values, one of each parameter, that hold every pair of values of two parameters.

    Each combination is the one that holds the most pairs which are still missing; the first of several. The choice is
    the same in every process.
    """
    values = [list(of) for of in parameters]
    every = list(product(*(range(len(of)) for of in values)))
    missing = {pair for combination in every for pair in _pairs_in(combination)}
    chosen = []
    while missing:
        best = max(every, key=lambda combination: len(missing & _pairs_in(combination)))
        missing -= _pairs_in(best)
        chosen.append(tuple(of[number] for of, number in zip(values, best, strict=True)))
    return chosen


def _pairs_in(combination):
    return set(combinations(enumerate(combination), 2))


def by_night(chosen, *parameters):
    """Return all combinations of values; those that are not among the chosen ones are left to the nightly run."""
    return [
        pytest.param(*values, marks=() if values in chosen else pytest.mark.nightly) for values in product(*parameters)
    ]


def each(*parameters):
    """Return all combinations of values; those in which no value is new are left to the nightly run.

    For values of which each can show a fault alone, whatever the others are.
    """
    values = [list(of) for of in parameters]
    longest = max(map(len, values))
    return by_night([tuple(of[place % len(of)] for of in values) for place in range(longest)], *values)
