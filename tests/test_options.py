"""`triadic.options`: defaults of the keywords that every call takes."""

from __future__ import annotations

import pytest

import triadic
from triadic.core.checked import CHOSEN
from triadic.errors import ArgumentError

GRAPH = triadic.generate.watts_strogatz(60, 4, 0.0, seed=1)


@pytest.fixture(autouse=True)
def _nothing_chosen():
    CHOSEN.clear()
    yield
    CHOSEN.clear()


def test_what_is_chosen_holds_in_calls_that_do_not_say_otherwise():
    seen = []
    triadic.options(progress=lambda done, total: seen.append((done, total)))
    assert triadic.triangle_count(GRAPH) == 60
    assert seen
    seen.clear()
    assert triadic.triangle_count(GRAPH, progress=False) == 60
    assert seen == []


def test_a_device_that_does_not_exist_is_refused_as_if_it_had_been_given():
    with triadic.options(device="tpu"), pytest.raises(ArgumentError, match="device='tpu'"):
        triadic.triangle_count(GRAPH)
    assert triadic.triangle_count(GRAPH) == 60


def test_a_context_ends_with_what_was_chosen_before():
    triadic.options(threads=1)
    with triadic.options(threads=2, device="cpu") as nothing:
        assert nothing is None
        assert CHOSEN == {"threads": 2, "device": "cpu"}
    assert CHOSEN == {"threads": 1}
    assert repr(triadic.options(device="cpu")) == "options(threads=1, device='cpu')"


def test_functions_without_the_keyword_are_called_as_ever():
    with triadic.options(device="cpu", threads=1, progress=True):
        assert len(list(triadic.list_triads(triadic.Graph.from_edges([0, 1], [1, 2], directed=True), "021C"))) == 1


@pytest.mark.parametrize("keywords", [{"threads": 0}, {"threads": 1.5}, {"device": 3}, {"progress": "yes"}])
def test_a_wrong_value_is_refused_and_changes_nothing(keywords):
    with pytest.raises(ArgumentError, match=f"^{next(iter(keywords))}="):
        triadic.options(**keywords)
    assert CHOSEN == {}
