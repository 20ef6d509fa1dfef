"""Progress: several stages, one after another, reported as one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triadic.core.blocks import split


def run(stages, steps):
    """Report every step of every stage, as blocks do: at the start, now and then, and at the end."""
    for stage, total in zip(stages, steps, strict=True):
        for done in range(total + 1):
            stage(done, total)


def collected(weights, steps):
    seen = []
    run(split(lambda *at: seen.append(at), weights), steps)
    return seen


@given(st.lists(st.tuples(st.floats(0.01, 100), st.integers(0, 20)), min_size=1, max_size=8))
def test_progress_of_stages_rises_from_zero_to_the_total(stages):
    weights, steps = zip(*stages, strict=True)
    done, totals = zip(*collected(weights, steps), strict=True)
    assert len(set(totals)) == 1
    assert list(done) == sorted(done)
    assert done[-1] == totals[0] > 0
    assert done[0] == 0 or steps[0] == 0
    assert {type(count) for count in (*done, *totals)} == {int}


def test_each_stage_has_its_share():
    seen = [done / total for done, total in collected([1, 3], [1, 2])]
    assert seen == [0, 0.25, 0.25, 0.625, 1]


def test_a_stage_without_work_is_done_at_once():
    assert [done / total for done, total in collected([1, 1], [0, 1])] == [0.5, 0.5, 1]


def test_stages_of_a_stage_share_its_progress():
    seen = []
    first, second = split(lambda *at: seen.append(at), [1, 1])
    run(split(first, [1, 1]), [1, 1])
    second(1, 1)
    assert [done / total for done, total in seen] == [0, 0.25, 0.25, 0.5, 1]


@pytest.mark.parametrize("weights", [[], [1], [1, 2, 3]])
def test_without_a_function_no_stage_reports(weights):
    assert split(None, weights) == [None] * len(weights)


def test_no_stages_have_no_functions():
    assert split(lambda *_: None, []) == []
