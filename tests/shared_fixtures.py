"""Fixtures of all tests, those of triadic_papers included: real networks, devices, and hypothesis' settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Compiling a kernel and reading a file both take longer than hypothesis expects of a first example.
settings.register_profile(
    "triadic", deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile("nightly", settings.get_profile("triadic"), max_examples=5000)
settings.load_profile(os.environ.get("TRIADIC_HYPOTHESIS", "triadic"))


@pytest.fixture(scope="session")
def real_networks() -> Path:
    """The folder of real networks: ``../shared/data`` beside the repository, or the one that TRIADIC_DATA names."""
    folder = Path(os.environ.get("TRIADIC_DATA") or Path(__file__).parents[2] / "shared" / "data")
    if not (folder / "expected.json").is_file():
        pytest.skip(f"no real networks in {folder}; TRIADIC_DATA names another folder")
    return folder


_GPUS = ["opencl", pytest.param("cuda", marks=pytest.mark.gpu)]


@pytest.fixture(scope="session", params=_GPUS)
def gpu_device(request) -> str:
    """Each kind of GPU; OpenCL may be a CPU's. TRIADIC_REQUIRE names kinds that must be there."""
    return _first_of(request.param)


@pytest.fixture(scope="session", params=["cpu", *_GPUS])
def any_device(request) -> str:
    """Each kind of device, the CPU among them."""
    return request.param if request.param == "cpu" else _first_of(request.param)


def _first_of(kind: str) -> str:
    from triadic.devices.runtimes import registry as gpus
    from triadic.errors import MissingExtraError

    try:
        there = gpus.count(kind)
    except MissingExtraError:
        there = 0
    if not there:
        fail = pytest.fail if kind in os.environ.get("TRIADIC_REQUIRE", "").split(",") else pytest.skip
        fail(f"no {kind} device was found")
    return f"{kind}:0"
