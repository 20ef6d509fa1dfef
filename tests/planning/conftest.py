"""What tests of plans use."""

from __future__ import annotations

import numpy as np
import pytest

from triadic.planning import plan as planning
from triadic.planning.measures import MEASURES
from triadic.planning.rates import Rates
from triadic.tiles import file_format, stored_tiles, tile_file


@pytest.fixture
def speed(monkeypatch: pytest.MonkeyPatch) -> Rates:
    """A machine whose speed is known, so that none is measured."""
    each = dict.fromkeys((name for name, measure in MEASURES.items() if not measure.weighted), (0.001, 2.0))
    known = Rates(2, 0.5, 1e-7, 1e-8, 1e-7, 1e-8, 1e-9, each, each)
    monkeypatch.setattr(planning, "rates", lambda *_, **__: known)
    return known


@pytest.fixture
def mapped_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of arrays that were mapped from files and verified, which the system does not count as read."""
    found: list[int] = []
    checksum = file_format.checksum_of

    def checksum_of(values):
        if any(isinstance(base, np.memmap) for base in (values.base, getattr(values.base, "base", None))):
            found.append(values.nbytes)
        return checksum(values)

    rows = stored_tiles.StoredTiles.rows

    def of_rows(self, *which):
        part = rows(self, *which)
        found.append(part.nbytes)
        return part

    monkeypatch.setattr(stored_tiles.StoredTiles, "rows", of_rows)
    for module in (file_format, tile_file):
        monkeypatch.setattr(module, "checksum_of", checksum_of)
    return found
