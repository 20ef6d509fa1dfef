"""Random numbers by position: draw `r` of item `i` is a hash of (key, i, r), whoever asks and in whichever order.

So any range of a network's arcs can be made by itself, by any thread, and always comes out the same. The hash is the
output function of SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014)
on the sequence key + i * GOLDEN, which passes the BigCrush battery.

Everything in the kernels is uint64: where a signed and an unsigned one meet, numba makes a float of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S1, _S2, _S3, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW32 = np.uint64(0xFFFFFFFF)
_WORD = (1 << 64) - 1

# 53 bits of a hash below this number: an event of probability 1.
CERTAIN = 1 << 53
PROBABILITY_SHIFT = np.uint64(11)


@kernel
def mix(z: np.uint64) -> np.uint64:
    """Scramble 64 bits: a bijection in which each bit of the result depends on every bit given."""
    z = (z ^ (z >> _S1)) * _M1
    z = (z ^ (z >> _S2)) * _M2
    return z ^ (z >> _S3)


@kernel
def draw(key: np.uint64, i: np.uint64, r: np.uint64) -> np.uint64:
    """Draw `r` of item `i`: 64 random bits."""
    return mix(mix(key + i * GOLDEN) + r * GOLDEN)


@kernel
def below(bits: np.uint64, bound: np.uint64) -> np.uint64:
    """Turn 64 random bits into a number in 0 .. bound - 1: the upper half of the 128-bit product."""
    a, b = bits >> _S32, bits & _LOW32
    c, d = bound >> _S32, bound & _LOW32
    middle = a * d + ((b * d) >> _S32)
    other = b * c + (middle & _LOW32)
    return a * c + (middle >> _S32) + (other >> _S32)


@kernel
def fill_unit(key: np.uint64, start: np.uint64, out: NDArray[np.float64]) -> None:
    """Write draw 0 of the items from `start` on, as numbers in [0, 1)."""
    for i in range(out.size):
        out[i] = np.int64(draw(key, start + np.uint64(i), np.uint64(0)) >> PROBABILITY_SHIFT) * 2.0**-53


def derive_keys(seed: int, count: int) -> NDArray[np.uint64]:
    """Give `count` keys that differ between seeds and from each other."""
    return np.array([_mix(_mix(seed) + i * int(GOLDEN)) for i in range(1, count + 1)], dtype=np.uint64)


def as_threshold(probability: float) -> np.uint64:
    """Give the bound that 53 random bits stay under with this probability."""
    return np.uint64(int(probability * CERTAIN))


def _mix(z: int) -> int:
    z &= _WORD
    z = ((z ^ (z >> 30)) * int(_M1)) & _WORD
    z = ((z ^ (z >> 27)) * int(_M2)) & _WORD
    return z ^ (z >> 31)
