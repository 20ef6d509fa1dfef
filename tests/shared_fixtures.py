"""Fixtures of the tests of triadic and triadic_papers: real networks, devices, and settings of hypothesis."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The first example may compile a kernel or read a file, which takes longer than hypothesis expects.
settings.register_profile(
    "triadic", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile("nightly", settings.get_profile("triadic"), max_examples=1000)
NIGHTLY = "TRIADIC_NIGHTLY" in os.environ
settings.load_profile("nightly" if NIGHTLY else "triadic")
if not NIGHTLY:  # PoCL, OpenCL on the CPU, would optimise hundreds of kernels for a second or more each
    os.environ.setdefault("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable")


@pytest.hookimpl
def pytest_collection_modifyitems(config, items):
    """Leave out the tests of the nightly run in any other."""
    if not NIGHTLY:
        left_out = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]


@pytest.fixture(scope="session")
def real_networks() -> Path:
    """The folder of real networks: TRIADIC_DATA in the environment, or ``../shared/data`` next to the repository."""
    folder = Path(os.environ.get("TRIADIC_DATA") or Path(__file__).parents[2] / "shared" / "data")
    if not (folder / "expected.json").is_file():
        pytest.skip(f"no real networks in {folder}; TRIADIC_DATA names another folder")
    return folder


# Without CuPy no test of CUDA is collected; otherwise each needs a card.
_GPUS = ["opencl", *([pytest.param("cuda", marks=pytest.mark.gpu)] if find_spec("cupy") else [])]


@pytest.fixture(scope="session", params=_GPUS)
def gpu_device(request) -> str:
    """The first device of each kind of GPU; OpenCL may run on a CPU. Kinds in TRIADIC_REQUIRE must exist."""
    return _first_of(request.param)


@pytest.fixture(scope="session", params=["cpu", *_GPUS])
def any_device(request) -> str:
    """The CPU, and the first device of each kind of GPU."""
    return request.param if request.param == "cpu" else _first_of(request.param)


def _first_of(kind: str) -> str:
    from triadic.devices.runtimes import registry
    from triadic.errors import MissingExtraError

    try:
        devices = registry.count(kind)
    except MissingExtraError:
        devices = 0
    if not devices:
        fail = pytest.fail if kind in os.environ.get("TRIADIC_REQUIRE", "").split(",") else pytest.skip
        fail(f"no {kind} device was found")
    return f"{kind}:0"


@pytest.fixture
def _plots_not_rendered(monkeypatch) -> None:
    """Let reports hold an empty SVG in place of each plot, whose rendering takes most of the time of a report.

    The plots are made all the same. For tests of the words of a page; those in a browser look at the plots. The nightly
    run renders all.
    """
    if NIGHTLY:
        return
    monkeypatch.setattr("triadic.reports.figures.svg_of", lambda figure, prefix: "<svg></svg>")


_LARGE_WAYS = ("tests/counts/", "tests/devices/")


@pytest.fixture(autouse=True)
def _in_the_ways_for_large_graphs(request, monkeypatch) -> None:
    """Count small graphs as large ones in the tests of kernels, whose own ways for small graphs have tests apart."""
    if any(folder in request.node.nodeid for folder in _LARGE_WAYS) and "test_small_graphs" not in request.node.nodeid:
        monkeypatch.setattr("triadic.counts.count.MOST_SMALL_EDGES", 0)
