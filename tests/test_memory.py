"""Available memory is the system's, within the limit of the control group."""

from __future__ import annotations

import pytest

from triadic.core import memory
from triadic.core import memory as cgroup_module
from triadic.errors import OutOfMemoryError


@pytest.fixture
def cgroup(tmp_path, monkeypatch):
    monkeypatch.setattr(cgroup_module, "ROOT", tmp_path)
    monkeypatch.setattr(cgroup_module, "MEMBERSHIP", tmp_path / "membership")
    monkeypatch.setattr(memory, "_system", lambda: 1000)
    (tmp_path / "memory").mkdir()
    return tmp_path


def limit(folder, **files):
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)


def test_without_a_control_group_the_system_decides(cgroup):
    assert memory.available_bytes() == 1000


def test_the_memory_of_a_control_group_is_its_limit_minus_its_usage(cgroup):
    limit(cgroup, memory__max="900\n", memory__current="300\n")
    assert memory.available_bytes() == 600
    limit(cgroup, memory__current="950\n")
    assert memory.available_bytes() == 0


def test_a_control_group_without_limit_changes_nothing(cgroup):
    limit(cgroup, memory__max="max\n", memory__current="300\n")
    assert memory.available_bytes() == 1000


def test_the_limit_of_an_older_control_group_applies(cgroup):
    limit(cgroup / "memory", memory__limit_in_bytes="500\n", memory__usage_in_bytes="100\n")
    assert memory.available_bytes() == 400


@pytest.mark.parametrize(
    ("membership", "root"), [("0::/outer/inner\n", ""), ("5:cpu,memory:/outer/inner\n0::/\n", "memory")]
)
def test_the_tightest_of_nested_control_groups_limits_memory(cgroup, membership, root):
    (cgroup / "membership").write_text(membership)
    inner = cgroup / root / "outer" / "inner"
    inner.mkdir(parents=True)
    names = ("memory__max", "memory__current") if not root else ("memory__limit_in_bytes", "memory__usage_in_bytes")
    limit(inner, **dict(zip(names, ("800\n", "100\n"), strict=True)))
    assert memory.available_bytes() == 700
    limit(inner.parent, **dict(zip(names, ("500\n", "200\n"), strict=True)))
    assert memory.available_bytes() == 300


def test_this_machine_has_memory():
    assert 1 << 20 < memory.available_bytes() < 1 << 62


def test_small_work_reads_the_limits_once_a_second_and_large_work_always(monkeypatch):
    readings = []

    def read():
        readings.append(1)
        return 1 << 20

    monkeypatch.setattr(memory, "available_bytes", read)
    for _ in range(3):
        memory.check_memory(100, "a little")
    assert len(readings) == 1
    for _ in range(3):
        memory.check_memory(1 << 19, "much")
    assert len(readings) == 4
    with pytest.raises(OutOfMemoryError):
        memory.check_memory(1 << 21, "too much")
    monkeypatch.setattr(memory, "_SECONDS", 0.0)
    memory.check_memory(100, "a little")
    assert len(readings) == 6


@pytest.mark.parametrize(("limit", "place"), [("RLIMIT_AS", 0), ("RLIMIT_DATA", 5)])
def test_a_limit_on_the_address_space_counts_without_what_is_mapped(cgroup, monkeypatch, limit, place):
    resource = pytest.importorskip("resource")
    pages = [0] * 7
    pages[place] = 3
    (cgroup / "statm").write_text(" ".join(map(str, pages)))
    monkeypatch.setattr(memory, "STATM", cgroup / "statm")
    monkeypatch.setattr(memory, "_system", lambda: 1 << 40)
    mapped = 3 * resource.getpagesize()
    allowed = {getattr(resource, limit): mapped + 700}
    unlimited = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda which: (allowed.get(which, unlimited), unlimited))
    assert memory.available_bytes() == 700
    allowed[getattr(resource, limit)] = mapped - 1
    assert memory.available_bytes() == 0
    (cgroup / "statm").unlink()
    assert memory.available_bytes() == mapped - 1


def test_an_unlimited_address_space_changes_nothing(cgroup, monkeypatch):
    resource = pytest.importorskip("resource")
    unlimited = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda _: (unlimited, unlimited))
    assert memory.available_bytes() == 1000
