"""Types that numba inferred in the kernels, tested after all tests: counts are integers only.

A signed and an unsigned 64-bit integer that meet in numba become a float64, which is exact only up to 2**53. numba
stores each variant of a kernel on disk, with a listing of the types of its variables; after the last test the listings
of all variants are read, among them those of 64-bit ids.
"""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import walk_packages

import pytest
from numba.core.dispatcher import Dispatcher

FOLDER = "triadic.devices.cpu"
# Modules and kernels with sums of weights and coefficients, which are floats.
WITH_FLOATS = (
    "tile_products.",
    "weight_sums.",
    "bucket_keys.add_up",
    "bucket_keys.agree",
    "bucket_keys.combine_repeats",
    "bucket_keys.combined",
    "weighted_triangles.",
    "closed_triads.add_triads",
    "event_order.find_ends",  # times may be floats
    "moving_window.sum_of_coefficients",
    "moving_window.sweep",  # writes means
    "star_sampling.unit_draws",  # numbers in [0, 1)
    "triangle_work.add_sampled_costs",
    "vertex_arrays.add_runs",
    "vertex_arrays.divide_by_pairs",
    "wedge_sampling.closed_weight",  # weights of local coefficients, which are rounded to whole numbers
    "wedge_sampling.row_weight",
    "wedge_sampling.tally_wedges",
)


def kernels():
    """Return the kernels by module and name."""
    folder = import_module(FOLDER)
    modules = [import_module(found.name) for found in walk_packages(folder.__path__, f"{FOLDER}.")]
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}": found
        for module in modules
        for name, found in vars(module).items()
        if isinstance(found, Dispatcher) and found.py_func.__module__ == module.__name__
    }


def stored_types(kernel):
    """Return the signature and the types of the variables of each variant of a kernel on disk."""
    stored = kernel._cache._cache_file
    results = [stored.load(key) for key in stored._load_index()]
    return [(str(result[3]), types_in(result[6])) for result in results if result is not None]


def types_in(listing):
    """Return the types of the variables in numba's listing of a kernel."""
    return re.findall(r"::\s*(.*)", listing)


def floats(name, kernel):
    """Yield a line for each variant of a kernel of integers in which a float occurs."""
    if not name.startswith(WITH_FLOATS):
        for signature, types in stored_types(kernel):
            wrong = [kind for kind in [signature, *types] if "float" in kind or "complex" in kind]
            if wrong:
                yield f"{name}{signature}: {wrong[0]}"


@pytest.hookimpl
def pytest_sessionfinish(session):
    """Fail if a kernel of integers was compiled with floats, or if all tests ran and some kernel was not compiled."""
    if hasattr(session.config, "workerinput") or session.exitstatus not in (0, 1):
        return
    found = kernels()
    wrong = [line for name, kernel in found.items() for line in floats(name, kernel)]
    options = session.config.option
    whole = session.config.args_source is pytest.Config.ArgsSource.TESTPATHS and not (
        options.keyword or options.markexpr
    )
    if whole:
        wrong += [
            f"{name}: no test compiles it"
            for name, kernel in found.items()
            if not kernel._cache._cache_file._load_index()
        ]
    if wrong:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        session.config.stash[_WRONG] = wrong


_WRONG = pytest.StashKey[list]()


def pytest_terminal_summary(terminalreporter, config):
    """Print what was wrong."""
    for line in config.stash.get(_WRONG, []):
        terminalreporter.write_line(f"FAILED types of kernels - {line}", red=True)
