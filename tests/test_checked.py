"""What users pass to public functions is checked by the annotations of the arguments, everywhere in one way."""

from __future__ import annotations

import inspect
import pickle
from functools import partial

import numpy as np
import pytest

import triadic
from triadic import Graph, generate, plot
from triadic.core.checked import checked
from triadic.errors import ArgumentError, OutOfMemoryError, TriadicError, shown

CLASSES = (Graph, triadic.GraphBatch, triadic.TemporalGraph, triadic.TiledGraph, triadic.EdgeStream, generate.Grid)
SQUARE = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])


def functions_with(argument=None, annotation=None, only=None):
    """Return each public function, and each public method, with an argument of this name or of this annotation."""
    functions = {name: getattr(module, name) for module in (triadic, generate, plot) for name in module.__all__}
    methods = {
        f"{kind.__name__}.{name}": getattr(kind, name) for kind in CLASSES for name in dir(kind) if name[0] != "_"
    }
    found = {
        (where, one.name): function
        for where, function in {**functions, **methods}.items()
        if inspect.isfunction(function) or inspect.ismethod(function)
        for one in inspect.signature(function).parameters.values()
        if one.name == argument or annotation in str(one.annotation).split(" | ") or only == str(one.annotation)
    }
    assert found
    return found


def refusal(function, **arguments):
    """Return the message of a call: arguments are checked before one that is missing is noticed."""
    with pytest.raises(ArgumentError) as raised:
        function(**arguments)
    return str(raised.value)


def test_a_flag_is_true_or_false_and_no_other_value_that_python_takes_for_one():
    for (where, name), function in functions_with(annotation="bool").items():
        for value in ([True], np.ones(2, dtype=bool), SQUARE):
            assert refusal(function, **{name: value}).startswith(f"{name}={shown(value)}: expected "), where
    for (where, name), function in functions_with(only="bool").items():
        for value in ("undirected", "", 1, 0, 0.0):
            assert refusal(function, **{name: value}).startswith(f"{name}={value!r}: expected True or False"), where


def test_a_flag_of_numpy_is_a_flag():
    assert Graph.from_edges([0], [1], directed=np.True_).directed is True
    assert generate.grid(2, 2, directed=np.array(False)).directed is False


def test_threads_are_checked_by_every_function_in_one_way():
    for (where, _), function in functions_with("threads").items():
        for value in (0, -1, True, 2.0, "2", np.timedelta64(1, "s")):
            expected = f"threads={shown(value)}: expected None or a whole number of at least 1"
            assert refusal(function, threads=value) == str(ArgumentError(expected)), where


def test_more_threads_than_there_is_work_for_change_no_count():
    for count in (triadic.triangles, triadic.trussness, partial(triadic.triad_census, by="vertex"), triadic.graphlets):
        np.testing.assert_array_equal(count(SQUARE, threads=10**8), count(SQUARE))


def test_devices_and_progress_are_checked_by_every_function():
    for (where, name), function in {**functions_with("device"), **functions_with("progress")}.items():
        assert refusal(function, **{name: SQUARE}).startswith(f"{name}={SQUARE}: expected "), where


def test_a_path_that_no_file_can_have_is_an_error_of_one_line():
    for (where, name), function in functions_with(only="str | PathLike[str]").items():
        for path in ("a\0b", "x" * 100_000):
            text = refusal(function, **{name: path})
            assert text.startswith(f"{name}='"), where
            assert len(text) < 300, where


def test_a_function_keeps_its_name_for_pickle_and_its_signature_for_readers():
    assert pickle.loads(pickle.dumps(triadic.triangles)) is triadic.triangles
    assert list(inspect.signature(triadic.triangles).parameters)[:2] == ["graph", "vertices"]


def test_names_of_files_are_any_bytes():
    with pytest.raises(TriadicError, match="there is no such file"):
        triadic.read("no-such-file-\udcff.txt")


def test_several_texts_are_texts():
    assert refusal(triadic.vertex_table, graph=SQUARE, of=[None]).startswith("of=[None]: expected a name")
    assert refusal(triadic.significance, graph=SQUARE, of=5).startswith("of=5: expected a name")


def test_numbers_are_of_64_bits():
    assert refusal(triadic.k_truss, graph=SQUARE, k=10**30).endswith("expected a whole number below 2**64")
    assert triadic.k_truss(SQUARE, np.int8(2)).num_edges == 4


def test_a_full_memory_is_the_error_of_triadic():
    @checked
    def greedy():
        raise MemoryError

    with pytest.raises(OutOfMemoryError, match="greedy: the memory is full"):
        greedy()


def test_a_message_is_cut_where_an_argument_is_long():
    text = refusal(triadic.triangles, graph=SQUARE, device="x" * 100_000)
    assert len(text) < 500
    assert text.startswith("device='xxx")
    assert "'cuda:all'" in text
