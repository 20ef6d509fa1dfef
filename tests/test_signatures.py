"""What numba made of the kernels: integers throughout.

A signed and an unsigned 64-bit integer that meet in numba become a float64, which is exact only up to 2**53.
"""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from pkgutil import walk_packages

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import triadic
from triadic import Graph
from triadic.devices import cpu as folder
from triadic.devices.cpu import closed_triad_kernels, closed_triads, rows, triangle_kernels, triangle_work
from triadic.devices.cpu import triangles as cpu
from triadic.devices.cpu.edge_order import slots_of_edges
from triadic.devices.cpu.labelled_wedges import labelled_wedges
from triadic.oriented import Oriented
from triadic.triad_types import ROLE_OF_CODE


def all_kernels():
    modules = [import_module(found.name) for found in walk_packages(folder.__path__, f"{folder.__name__}.")]
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}": found
        for module in modules
        for name, found in vars(module).items()
        if isinstance(found, Dispatcher) and found.py_func.__module__ == module.__name__
    }


KERNELS = all_kernels()


def variable_types(overload):
    """Read off numba's listing of a kernel, which its cache keeps as text, the type of each variable."""
    return re.findall(r"::\s*(.*)", str(overload.type_annotation))


@pytest.fixture(scope="module", autouse=True)
def everything_has_run():
    """Run every kernel on 32-bit and on 64-bit ids."""
    patch = pytest.MonkeyPatch()
    core = np.triu_indices(80, k=1)
    source, target = np.r_[core[0], 80, 81, 5], np.r_[core[1], 3, 4, 5]
    for directed in (False, True):
        graph = Graph.from_edges(source, target, directed=directed)
        again = Graph.from_csr(graph.indptr, graph.indices, directed=directed, trusted=True)
        triadic.edge_support(again)
        for dtype in (np.int32, np.int64):
            arcs = rows.ArcList(source.astype(dtype), target.astype(dtype))
            place = np.arange(82, dtype=dtype)
            rows.degrees(arcs, 82, threads=1)
            for rule in (rows.ORIENT, rows.ORIENT_ONCE, rows.FORWARD, rows.BOTH):
                rows.sort_rows(arcs, 82, place, rule, with_state=directed, threads=1)
    oriented = graph.oriented()
    rows.column_counts(oriented.indices, 82, threads=1)
    wide = Oriented(
        oriented.rank.astype(np.int64), oriented.indptr, oriented.indices.astype(np.int64), None, oriented.degree
    )
    prepare = triangle_work.prepare
    for given, ids in ((oriented, np.uint32), (wide, np.uint64)):
        for module in (cpu, closed_triads):
            patch.setattr(
                module,
                "prepare",
                lambda *a, ids=ids, **k: replace(work := prepare(*a, **k), ends=work.ends.astype(ids)),
            )
        for hubs in (0, 60):
            cpu.total(given, threads=1, hubs=hubs)
            cpu.by_vertex(given, threads=1, hubs=hubs)
        cpu.by_edge(given, threads=1)
        slots_of_edges(given, source.astype(given.rank.dtype), target.astype(given.rank.dtype), threads=1)
        for labelled in (False, True):
            closed_triads.by_code(given, labelled=labelled, threads=1)
        closed_triads.by_role(given, ROLE_OF_CODE, threads=1)
        closed_triads.neighbour_dyads(given, closed_triads.dyads(given, threads=1), threads=1)
        labelled_wedges(given, threads=1)
        # What kernels call is not compiled again where the caller comes from the cache.
        columns, mark = given.indices.astype(ids), np.zeros(32, dtype=np.int64)
        triangle_kernels._mark(columns, 0, 5, mark)
        triangle_kernels._unmark(columns, 0, 5, mark)
        triangle_kernels._fetch_ahead(given.indptr, columns, columns, 0, 60)
        closed_triad_kernels._fetch_ahead(given.indptr, columns, columns, 0, 60)
        closed_triad_kernels._walk(given.indptr, columns, 60, int(columns[given.indptr[60]]), mark.astype(np.uint8))
        rows.kernels.rank_by_degree(given.degree, np.empty(82, dtype=given.rank.dtype))
    patch.undo()


def test_the_kernels_are_found():
    assert len(KERNELS) >= 25


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_was_compiled(name):
    assert KERNELS[name].signatures


@pytest.mark.parametrize("name", KERNELS)
def test_no_argument_or_result_is_a_float(name):
    for signature, overload in KERNELS[name].overloads.items():
        assert "float" not in str(signature)
        assert "float" not in str(overload.signature.return_type)


@pytest.mark.parametrize("name", KERNELS)
def test_no_variable_inside_is_a_float(name):
    for overload in KERNELS[name].overloads.values():
        found = variable_types(overload)
        assert found
        assert not [kind for kind in found if "float" in kind or "complex" in kind]


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_release_the_interpreter(name):
    assert KERNELS[name].targetoptions["nogil"] is True
    assert not KERNELS[name].targetoptions.get("parallel")


def test_a_float_would_be_found():
    """Without this the tests above might look at nothing and pass."""
    kernel = numba.njit(lambda a: int(a[0] * 0.5) + 1)
    kernel(np.ones(1, dtype=np.int64))
    assert [found for overload in kernel.overloads.values() for found in variable_types(overload) if "float64" in found]
