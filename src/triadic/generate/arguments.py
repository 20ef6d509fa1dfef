"""Checks of the models' arguments: each gives the value in its own type, or says what is accepted."""

from __future__ import annotations

import secrets
from numbers import Integral, Real

from triadic.errors import ArgumentError

# The models' own limit, so that no product of two numbers of vertices passes 2^63.
MOST_VERTICES = 1 << 31
_MOST_SEED = (1 << 64) - 1


def check_whole(name: str, value: object, least: int, most: int) -> int:
    """Give a whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        raise ArgumentError(f"{name}={value!r}: expected a whole number from {least} to {most}")
    return int(value)


def check_probability(name: str, value: object) -> float:
    """Give a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise ArgumentError(f"{name}={value!r}: expected a probability, from 0 to 1")
    return float(value)


def check_flag(name: str, value: object) -> bool:
    """Give True or False."""
    if not isinstance(value, bool):
        raise ArgumentError(f"{name}={value!r}: expected True or False")
    return value


def check_seed(seed: object) -> int:
    """Give a seed: the one given, or for None a fresh one."""
    return secrets.randbits(63) if seed is None else check_whole("seed", seed, 0, _MOST_SEED)


def settle(model: object, **values: object) -> None:
    """Set the checked fields of a frozen dataclass, from its ``__post_init__``."""
    for name, value in values.items():
        object.__setattr__(model, name, value)
