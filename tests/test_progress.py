"""The progress of several stages, one after another, is reported as one."""

from __future__ import annotations

import re
import sys
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from triadic.core.blocks import split
from triadic.core.progress import reporting


def run(stages, steps):
    """Report every step of every stage: at the start, in between, and at the end, as blocks do."""
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


def test_each_stage_adds_its_share():
    seen = [done / total for done, total in collected([1, 3], [1, 2])]
    assert seen == [0, 0.25, 0.25, 0.625, 1]


def test_a_stage_without_work_completes_at_once():
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


# In a notebook


class ZMQInteractiveShell:
    """The shell of a notebook, as IPython names it."""


def test_a_notebook_shows_a_bar_of_text_without_a_warning_or_a_widget(monkeypatch, capsys):
    monkeypatch.setattr("builtins.get_ipython", ZMQInteractiveShell, raising=False)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)  # importing it fails
    graph = triadic.generate.watts_strogatz(30, 4, 0.1, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        triadic.triangles(graph, progress=True)
        triadic.significance(graph, samples=3, seed=1, progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = [line.split("\r")[-1] for line in shown.err.split("\n")[:-1]]
    assert [re.sub(r"\d+ s$", "0 s", line) for line in lines] == [
        f"counting triangles of vertices: 100%|{'█' * 20}| 0 s",
        f"significance of clustering and graphlets: 100%|{'█' * 20}| 0 s",
    ]
    assert "\x1b" not in shown.err


def test_an_interrupted_bar_in_a_notebook_ends_its_line(monkeypatch, capsys):
    monkeypatch.setattr("builtins.get_ipython", ZMQInteractiveShell, raising=False)

    def count():
        with reporting(True, "counting") as report:
            report(1, 4)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count()
    assert capsys.readouterr().err.endswith("counting:  25%|█████               | 0 s\n")
