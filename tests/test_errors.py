"""Messages of errors are for people."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from triadic.errors import ArgumentError, ReadError


def test_a_message_shows_numbers_of_numpy_as_numbers():
    values = [np.int64(5), np.float64(0.5), np.uint8(3), np.str_("a (b)"), np.bool_(True), np.datetime64("2024-05-01")]
    shown = ["5", "0.5", "3", "'a (b)'", "True", "'2024-05-01'"]
    for value, expected in zip(values, shown, strict=True):
        for error in (ArgumentError(f"samples={value!r}: no"), ReadError("a.txt", f"samples={value!r}: no")):
            assert f"samples={expected}: no" in str(error)
    assert str(ArgumentError(f"{values!r}")) == f"[{', '.join(shown)}]"
    assert str(ArgumentError("expected np.array(...)")) == "expected np.array(...)"


def test_no_argument_from_numpy_is_shown_with_its_type():
    graph = triadic.Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(ArgumentError, match=r"^threads=0: expected"):
        triadic.triangles(graph, threads=np.int64(0))
    with pytest.raises(ArgumentError, match=r"^samples=1: expected"):
        triadic.significance(graph, samples=np.int32(1))
