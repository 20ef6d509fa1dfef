"""``triadic info``: versions, threads and devices."""

from __future__ import annotations

import json
import platform

import numba
import numpy as np

from triadic import __version__
from triadic.core.blocks import allowed_threads


def test_info_as_json_has_versions_threads_cache_and_devices(triadic):
    outcome = triadic("info", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    facts = json.loads(outcome.out)
    assert facts["triadic"] == __version__
    assert facts["python"] == platform.python_version()
    assert (facts["numpy"], facts["numba"]) == (np.__version__, numba.__version__)
    assert facts["threads"] == allowed_threads()
    assert facts["devices"][0] == "cpu"
    assert facts["kernel_cache"]


def test_info_as_a_table_has_the_same(triadic):
    facts = json.loads(triadic("info", "--json").out)
    lines = triadic("info").out.splitlines()
    assert len(lines) == len(facts) - 1 + len(facts["devices"])
    assert f"triadic       {__version__}" in [line.rstrip() for line in lines]
