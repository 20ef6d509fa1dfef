"""The speed of this machine, measured once and kept."""

from __future__ import annotations

from triadic.planning import rates as module
from triadic.planning.rates import rates


def test_rates_are_measured_once_and_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(module, "_start", lambda: 0.25)
    monkeypatch.setattr(module, "_SCALE", 9)
    monkeypatch.setattr(module, "_RUNS", 1)
    first = rates(1, again=True)
    assert first.start == 0.25
    assert all(taken > 0 for _, taken in (*first.in_memory.values(), *first.tiled.values()))
    monkeypatch.setattr(module, "measure", lambda _: None)  # not asked again
    kept = rates(1)
    assert (kept.prepare, kept.bucket) == (first.prepare, first.bucket)
