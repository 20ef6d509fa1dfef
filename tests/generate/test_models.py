"""Properties of every model: the seed alone determines the network, on any number of threads, in blocks or whole."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from triadic import generate
from triadic.errors import ArgumentError, OutOfMemoryError

RANDOM = {
    "rmat": lambda seed: generate.RMat(15, seed=seed),
    "watts-strogatz": lambda seed: generate.WattsStrogatz(30_011, 20, 0.3, seed=seed),
    "barabasi-albert": lambda seed: generate.BarabasiAlbert(40_000, 7, seed=seed),
    "erdos-renyi": lambda seed: generate.ErdosRenyi(20_000, 300_007, seed=seed),
    "erdos-renyi directed": lambda seed: generate.ErdosRenyi(20_000, 300_007, seed=seed, directed=True),
    "delaunay": lambda seed: generate.Delaunay(2_000, seed=seed),
}
REGULAR = {
    "grid": lambda seed: generate.Grid(501, 302),
    "torus": lambda seed: generate.Grid(501, 302, periodic=True),
}
ALL = {**RANDOM, **REGULAR}


def pairs(arcs):
    return np.stack([arcs.source, arcs.target])


@pytest.fixture(params=ALL)
def model(request):
    return ALL[request.param](7)


@pytest.mark.parametrize("threads", [2, 5])
def test_arcs_are_the_same_on_any_number_of_threads(model, threads):
    assert np.array_equal(
        pairs(generate.make_arcs(model, threads=1)), pairs(generate.make_arcs(model, threads=threads))
    )


def test_a_block_may_hold_one_arc():
    assert [len(source) for source, _ in generate.stream(generate.Grid(2, 2), block=1)] == [1, 1, 1, 1]


@pytest.mark.parametrize("block", [9_973, 100_000, 10**9])
def test_streamed_blocks_joined_are_all_arcs(model, block):
    blocks = list(generate.stream(model, block=block))
    assert all(len(source) == len(target) == block for source, target in blocks[:-1])
    assert np.array_equal(np.concatenate(blocks, axis=1), pairs(generate.make_arcs(model)))


def test_any_range_of_arcs_can_be_made_on_its_own(model):
    whole = pairs(generate.make_arcs(model))
    random = np.random.default_rng(1)
    for start in random.integers(0, model.arcs, 20):
        part = np.empty((2, min(int(random.integers(1, 50)), model.arcs - start)), dtype=np.int32)
        model.fill(int(start), part[0], part[1])
        assert np.array_equal(part, whole[:, start : start + part.shape[1]])


def test_arcs_and_vertices_are_as_many_as_the_model_states(model):
    arcs = generate.make_arcs(model)
    assert (len(arcs), arcs.vertices, arcs.directed) == (model.arcs, model.vertices, model.directed)
    assert arcs.source.dtype == arcs.target.dtype == np.int32
    assert pairs(arcs).min() >= 0
    assert pairs(arcs).max() < model.vertices


@pytest.mark.parametrize("name", RANDOM)
def test_equal_seeds_make_equal_networks_and_other_seeds_make_others(name):
    def arcs_of_seed(seed):
        return pairs(generate.make_arcs(RANDOM[name](seed)))

    assert np.array_equal(arcs_of_seed(7), arcs_of_seed(7))
    assert arcs_of_seed(7).shape != arcs_of_seed(8).shape or not np.array_equal(arcs_of_seed(7), arcs_of_seed(8))


@pytest.mark.parametrize("name", RANDOM)
def test_without_a_seed_the_model_holds_a_fresh_one(name):
    first, second = RANDOM[name](None), RANDOM[name](None)
    assert first.seed != second.seed
    assert np.array_equal(pairs(generate.make_arcs(first)), pairs(generate.make_arcs(RANDOM[name](first.seed))))


@pytest.mark.parametrize(
    "model", [generate.RMat(5, 0, seed=1), generate.ErdosRenyi(0, 0, seed=1), generate.Grid(1, 1)], ids=str
)
def test_a_model_without_arcs_makes_none(model):
    assert len(generate.make_arcs(model)) == 0
    assert list(generate.stream(model)) == []


def test_making_arcs_reports_progress_up_to_the_end():
    seen = []
    generate.make_arcs(generate.RMat(16, seed=1), threads=1, progress=lambda done, total: seen.append((done, total)))
    assert seen[0][0] == 0
    assert seen[-1][0] == seen[-1][1]
    assert len(seen) > 3


def test_arcs_that_do_not_fit_in_memory_raise_with_both_sizes():
    with pytest.raises(OutOfMemoryError, match=r"takes about 8,192.0 GiB and .* GiB are available: stream"):
        generate.make_arcs(generate.RMat(30, 1024, seed=1))


def test_a_block_holds_at_least_one_arc():
    with pytest.raises(ArgumentError, match="block=0"):
        generate.stream(generate.Grid(2, 2), block=0)


# Arc 1000 and the sum of all ends for seed 7. If these change, every network that was published by its seed changes.
KNOWN = {
    "rmat": (3749, 12289, 16978884570),
    "watts-strogatz": (100, 101, 9006374662),
    "barabasi-albert": (149, 129, 7469499780),
    "erdos-renyi": (11437, 16131, 6011843409),
    "erdos-renyi directed": (2489, 18628, 5995537734),
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_arcs_of_a_seed_never_change(name):
    made = pairs(generate.make_arcs(RANDOM[name](7)))
    assert (*made[:, 1000].tolist(), int(made.sum(dtype=np.int64))) == KNOWN[name]


def test_the_package_is_imported_without_a_compiler():
    program = "import sys, triadic.generate; sys.exit(bool({'numba', 'numpy', 'scipy'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_every_public_name_can_be_imported():
    assert all(hasattr(generate, name) for name in generate.__all__)
    assert set(generate.__all__) <= set(dir(generate))
    with pytest.raises(AttributeError, match=r"triadic\.generate attribute kronecker"):
        _ = generate.kronecker
