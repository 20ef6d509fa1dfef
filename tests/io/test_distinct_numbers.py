"""Different numbers of some rows, counted in a table or by sorting, and values that are found by number."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triadic.io.id_tallies import ChangedNumbersError, ValuesOfNumbers, count_numbers
from triadic.io.identifiers import UnusableIdError

numbers = st.one_of(st.integers(0, 40), st.integers(0, 2000), st.integers(2**62, 2**63 - 1), st.just(2**63 - 1))
columns = st.lists(st.lists(st.tuples(numbers, numbers), max_size=20), max_size=4)


@pytest.fixture(autouse=True, scope="module")
def small_table():
    """Sort numbers that are larger than 8 for each row, in small networks too."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("triadic.io.id_tallies.SMALL_TABLE", 16)
        yield


def tables_of(rows):
    ends = [np.array(some, dtype=np.int64).reshape(-1, 2) for some in rows]
    return [pa.table({"source": some[:, 0], "target": some[:, 1]}) for some in ends], np.concatenate(
        [np.empty(0, dtype=np.int64), *(some.ravel() for some in ends)]
    )


@given(columns)
def test_numbers_and_counts_are_those_of_numpy(rows):
    tables, every = tables_of(rows)
    found, counts = count_numbers(tables, sum(map(len, tables)))
    expected, expected_counts = np.unique(every, return_counts=True)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(counts, expected_counts)


@given(columns, st.integers(0, 5))
def test_values_are_found_by_number(rows, cut):
    tables, every = tables_of(rows)
    found, _ = count_numbers(tables, sum(map(len, tables)))
    values = np.arange(len(found))[::-1] + 3
    parts = [slice(0, cut), slice(cut, None)]
    of_numbers = ValuesOfNumbers([found[part] for part in parts], [values[part] for part in parts], len(every) // 2)
    np.testing.assert_array_equal(
        of_numbers.table[of_numbers.places(every)], values[np.searchsorted(found, every)] if len(every) else []
    )


@given(columns, numbers)
def test_a_number_without_a_value_is_noticed(rows, other):
    tables, every = tables_of(rows)
    found, _ = count_numbers(tables, sum(map(len, tables)))
    if other in found:
        return
    of_numbers = ValuesOfNumbers([found], [np.arange(len(found))], len(every) // 2)
    with suppress(ChangedNumbersError):
        assert (of_numbers.table[of_numbers.places(np.array([other]))] == -1).all()


@pytest.mark.parametrize("before", [[], [3], [2**40]])
def test_a_negative_number_is_refused(before):
    tables = [
        pa.table({"source": ends, "target": ends}) for ends in (np.array(before, dtype=np.int64), np.array([4, -2]))
    ]
    with pytest.raises(UnusableIdError, match="found the id -2, expected 0 or more"):
        count_numbers(tables, 3)
