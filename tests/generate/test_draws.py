"""The hash from which every random model draws."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.dispatcher import Dispatcher

from triadic import generate
from triadic.core import draws

WORDS = st.integers(0, 2**64 - 1)


def test_the_sequence_is_that_of_splitmix64():
    """The first numbers from seed 1234567, as the reference implementation gives them."""
    state = [np.uint64((1234567 + i * int(draws.GOLDEN)) % 2**64) for i in range(1, 4)]
    assert [int(draws.mix(z)) for z in state] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@settings(deadline=None)  # the first run compiles
@given(bits=WORDS, bound=st.integers(1, 2**64 - 1))
def test_a_number_below_a_bound_is_the_upper_half_of_the_product(bits, bound):
    assert int(draws.below(np.uint64(bits), np.uint64(bound))) == bits * bound >> 64


@given(seed=WORDS)
def test_keys_of_a_seed_differ(seed):
    keys = draws.derive_keys(seed, 9)
    assert keys.dtype == np.uint64
    assert len(set(keys.tolist())) == 9


def test_certain_and_impossible_events_have_their_thresholds():
    largest = (1 << 53) - 1  # of numbers of 53 bits
    assert draws.as_threshold(1.0) > largest
    assert draws.as_threshold(0.0) == 0


@pytest.mark.parametrize(
    "module",
    [
        "core.draws",
        "generate.arc_draws",
        "generate.vertex_links",
    ],
)
def test_no_kernel_makes_floats_of_integers(module):
    for model in (
        generate.RMat(3),
        generate.WattsStrogatz(9, 4, 0.5),
        generate.BarabasiAlbert(9, 2),
        generate.ErdosRenyi(9, 9),
    ):
        generate.make_arcs(model)
    home = importlib.import_module(f"triadic.{module}")
    kernels = [member for member in vars(home).values() if isinstance(member, Dispatcher)]
    for kernel in kernels:
        for signature in (
            kernel.signatures if kernel is not draws.fill_unit else ()
        ):  # this kernel makes floats on purpose
            assert ":: float" not in str(kernel.overloads[signature].type_annotation), kernel
    assert any(kernel.signatures for kernel in kernels)
