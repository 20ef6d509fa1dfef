"""The registry of devices: kinds are declared once, and names of single devices follow from the declarations."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest

from triadic.devices.gpu.tasks import Share
from triadic.devices.runtimes import registry
from triadic.devices.runtimes.runtime import Device
from triadic.devices.select import resolve_device
from triadic.errors import ArgumentError, DeviceError


def test_importing_the_registry_imports_no_package_of_a_device():
    packages = [device.package for device in registry.DEVICES.values() if device.package]
    code = f"import sys, triadic.devices.runtimes.registry; print([name for name in {packages} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"


def test_every_kind_is_listed_under_its_own_name():
    assert all(device.name == name for name, device in registry.DEVICES.items())
    assert tuple(registry.DEVICES) == ("cpu", *registry.KINDS)


@pytest.fixture
def quantum(monkeypatch):
    """A third kind of device, with two of them."""
    device = Device(
        name="quantum",
        package="no_such_package",
        count=lambda: 2,
        open_runtime=lambda number: SimpleNamespace(name=f"quantum:{number}"),
        none_found="no quantum computer was found",
    )
    monkeypatch.setitem(registry.DEVICES, "quantum", device)
    return device


def test_a_declared_kind_is_named_and_opened_like_the_others(quantum):
    assert registry.named("quantum") == ("quantum:0",)
    assert registry.named("quantum:all") == ("quantum:0", "quantum:1")
    assert resolve_device("quantum:all", kinds=("cpu", "quantum"), name="triangles") == "quantum:0,1"
    assert [runtime.name for runtime in registry.runtimes_of("quantum:0,1")] == ["quantum:0", "quantum:1"]
    assert registry.device_of("quantum:1") is quantum
    assert not registry.is_installed("quantum")
    with pytest.raises(DeviceError, match="device='quantum:2': found 2 devices of kind 'quantum', numbered from 0"):
        registry.named("quantum:2")


@pytest.mark.parametrize(
    ("name", "kind"), [("cuda", "cuda"), ("cuda:0,2", "cuda"), ("cpu", "cpu"), (3, ""), (None, "")]
)
def test_the_kind_is_what_stands_before_the_colon(name, kind):
    assert registry.kind_of(name) == kind


def test_the_cpu_has_no_number_and_no_runtime():
    assert registry.named("cpu") == ("cpu",)
    assert registry.is_installed("cpu")
    with pytest.raises(ArgumentError, match="device='cpu': expected the name of a GPU"):
        registry.runtime("cpu")


@pytest.mark.parametrize("step", [1, 2, 3, 7])
@pytest.mark.parametrize("tasks", [0, 1, 2, 20])
def test_shares_cover_all_tasks_once(tasks, step):
    shares = [Share.of(tasks, first, step) for first in range(step)]
    covered = [share.first + share.step * i for share in shares for i in range(share.size)]
    assert sorted(covered) == list(range(tasks))
