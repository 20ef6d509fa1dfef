"""What tests of plans use."""

from __future__ import annotations

import pytest

from triadic.planning import plan as planning
from triadic.planning.measures import MEASURES
from triadic.planning.rates import Rates


@pytest.fixture
def speed(monkeypatch: pytest.MonkeyPatch) -> Rates:
    """A machine whose speed is known, so that none is measured."""
    each = dict.fromkeys((name for name, measure in MEASURES.items() if not measure.weighted), (0.001, 2.0))
    known = Rates(2, 0.5, 1e-7, 1e-8, 1e-7, 1e-8, 1e-9, each, each)
    monkeypatch.setattr(planning, "rates", lambda *_, **__: known)
    return known
