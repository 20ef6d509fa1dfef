"""Networkx's own tests, run with every call sent through the backend first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import networkx as nx

from strategies import NIGHTLY
from triadic.networkx_backend.info import get_info

_TESTS = [
    "networkx.algorithms.tests.test_cluster",
    "networkx.algorithms.tests.test_triads",
    "networkx.algorithms.bipartite.tests.test_cluster",
    "networkx.algorithms.approximation.tests.test_approx_clust_coeff",
    "networkx.algorithms.tests.test_smallworld",
    # Of k_truss, and of indices of pairs.
    "networkx.algorithms.tests.test_core",
    "networkx.algorithms.tests.test_link_prediction",
]


def test_networkxs_own_tests_pass_and_every_function_answers_here(tmp_path):
    runner = Path(__file__).with_name("run_networkx_tests.py")
    environment = os.environ | {
        "NETWORKX_TEST_BACKEND": "triadic",
        "NETWORKX_FALLBACK_TO_NX": "True",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    environment.pop("PYTEST_ADDOPTS", None)
    options = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--confcutdir", str(Path(nx.__file__).parent)]
    # These look for shortest paths in many random graphs, and call functions that other tests call, too.
    slow = [] if NIGHTLY else ["-k", "not test_omega and not test_sigma"]
    command = [sys.executable, str(runner), *options, *slow, "--pyargs", *_TESTS]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
    answers = json.loads(run.stdout.splitlines()[-1])
    known = nx.utils.backends._registered_algorithms
    assert {name for name in get_info()["functions"] if name in known} <= set(answers)
    assert min(answers.values()) >= 3
    assert answers["triadic_census"] > 100
