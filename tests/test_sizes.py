"""Sizes of memory in text, such as "2 GB"."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triadic.core.memory import parse_bytes, show_bytes
from triadic.errors import ArgumentError


@pytest.mark.parametrize(
    ("written", "count"),
    [("1", 1), ("512 B", 512), ("2GB", 2 * 10**9), ("2g", 2 * 10**9), ("500 mb", 5 * 10**8), ("1.5KiB", 1536)],
)
def test_a_size_is_read(written, count):
    assert parse_bytes(written) == count


@pytest.mark.parametrize("written", ["", "GB", "-1GB", "2 GB or so", "2PB", "0", "1e9", 0, -5, True, None, 2.5])
def test_a_text_that_is_not_a_size_is_refused(written):
    with pytest.raises(ArgumentError, match="expected a size such as 2GB"):
        parse_bytes(written)


@given(count=st.integers(1, 10**15))
def test_a_formatted_size_can_be_parsed(count):
    assert parse_bytes(show_bytes(count).replace(",", "")) == pytest.approx(count, rel=0.006)
