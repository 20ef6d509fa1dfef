"""Checks of arguments: each function returns the value in its own type or raises with the accepted range."""

from __future__ import annotations

import secrets
from numbers import Real

from triadic.errors import ArgumentError

# Keeps the product of two numbers of vertices below 2**63.
MOST_VERTICES = 1 << 31
MOST_SAMPLES = 10_000_000  # random networks, of all of which some counts are kept
_MOST_SEED = (1 << 64) - 1


def check_whole(name: str, value: object, least: int, most: int) -> int:
    """Return `value` as an int if it is a whole number from `least` to `most`."""
    if type(value) is not int or not least <= value <= most:
        raise ArgumentError(f"{name}={value!r}: expected a whole number from {least} to {most}")
    return value


def check_probability(name: str, value: object) -> float:
    """Return `value` as a float if it is a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise ArgumentError(f"{name}={value!r}: expected a probability, from 0 to 1")
    return float(value)


def check_seed(seed: object) -> int:
    """Return the checked seed, or a fresh random one for None."""
    return secrets.randbits(63) if seed is None else check_whole("seed", seed, 0, _MOST_SEED)


def set_fields(model: object, **values: object) -> None:
    """Set fields of a frozen dataclass from its ``__post_init__``, after they are checked."""
    for name, value in values.items():
        object.__setattr__(model, name, value)
