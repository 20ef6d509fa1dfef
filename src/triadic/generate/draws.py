"""The random numbers of models of networks: those of `triadic.core.draws`."""

from triadic.core.draws import (
    CERTAIN,
    GOLDEN,
    PROBABILITY_SHIFT,
    as_threshold,
    below,
    derive_keys,
    draw,
    fill_unit,
    mix,
)

__all__ = [
    "CERTAIN",
    "GOLDEN",
    "PROBABILITY_SHIFT",
    "as_threshold",
    "below",
    "derive_keys",
    "draw",
    "fill_unit",
    "mix",
]
