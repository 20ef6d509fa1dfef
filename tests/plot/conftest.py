"""Figures are drawn without a screen and closed after each test."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_screen():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    yield
    from matplotlib import pyplot as plt

    plt.close("all")
