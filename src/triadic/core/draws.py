"""Counter-based random numbers: draw `r` of item `i` is a hash of (key, i, r), independent of all other draws.

Computes: 64 random bits for each (key, i, r), and numbers of a range, probabilities and keys from such bits.
Requires: uint64 for every operand in a kernel, because numba turns a signed and an unsigned operand into floats.
Idea: any thread can make any range of a network's arcs, in any order, with the same result. The hash is the output
  function of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, *Fast splittable pseudorandom number generators*,
  OOPSLA 2014) on the sequence key + i * GOLDEN, which passes the BigCrush test suite.
Cost: two hashes of two multiplications each per draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Uint64Array

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S1, _S2, _S3, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW32 = np.uint64(0xFFFFFFFF)

# An event of probability p happens if the upper 53 bits of a hash are below p * CERTAIN.
CERTAIN = 1 << 53
PROBABILITY_SHIFT = np.uint64(11)


@kernel
def mix(z: np.uint64) -> np.uint64:
    """Return a hash of 64 bits: a bijection in which each bit of the result depends on every bit of `z`."""
    z = (z ^ (z >> _S1)) * _M1
    z = (z ^ (z >> _S2)) * _M2
    return z ^ (z >> _S3)


@kernel
def draw(key: np.uint64, i: np.uint64, r: np.uint64) -> np.uint64:
    """Return draw `r` of item `i`: 64 random bits."""
    return mix(mix(key + i * GOLDEN) + r * GOLDEN)


@kernel
def below(bits: np.uint64, bound: np.uint64) -> np.uint64:
    """Map 64 random bits to a number from 0 to bound - 1: the upper half of the 128-bit product."""
    a, b = bits >> _S32, bits & _LOW32
    c, d = bound >> _S32, bound & _LOW32
    middle = a * d + ((b * d) >> _S32)
    other = b * c + (middle & _LOW32)
    return a * c + (middle >> _S32) + (other >> _S32)


@kernel
def fill_unit(key: np.uint64, start: np.uint64, out: Float64Array) -> None:
    """Write draw 0 of the items ``start, start + 1, …`` as numbers in [0, 1)."""
    for i in range(out.size):
        out[i] = np.int64(draw(key, start + np.uint64(i), np.uint64(0)) >> PROBABILITY_SHIFT) * 2.0**-53


def derive_keys(seed: int, count: int) -> Uint64Array:
    """Return `count` keys of a seed, different from each other and between seeds."""
    hashed: Any = mix.py_func  # type: ignore[attr-defined] # in NumPy, where products of arrays wrap around, too
    keys: Uint64Array = hashed(hashed(np.array([seed], np.uint64)) + np.arange(1, count + 1, dtype=np.uint64) * GOLDEN)
    return keys


def as_threshold(probability: float) -> np.uint64:
    """Return the bound below which 53 random bits lie with this probability."""
    return np.uint64(int(probability * CERTAIN))
