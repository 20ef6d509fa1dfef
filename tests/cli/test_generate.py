"""``triadic generate``: networks from models, in files."""

from __future__ import annotations

import pytest

import triadic as library
from triadic import generate

MODELS = {
    "rmat 6 --edge-factor 4 --seed 7": lambda: generate.rmat(6, 4, seed=7),
    "watts-strogatz 50 4 0.2 --seed 7": lambda: generate.watts_strogatz(50, 4, 0.2, seed=7),
    "barabasi-albert 50 3 --seed 7": lambda: generate.barabasi_albert(50, 3, seed=7),
    "erdos-renyi 50 100 --seed 7": lambda: generate.erdos_renyi(50, 100, seed=7),
    "delaunay 50 --seed 7": lambda: generate.delaunay(50, seed=7),
    "grid 4 5 --periodic": lambda: generate.grid(4, 5, periodic=True),
}


@pytest.mark.parametrize("suffix", [".parquet", ".txt"])
@pytest.mark.parametrize("words", MODELS)
def test_the_file_holds_what_the_library_draws(triadic, tmp_path, words, suffix):
    target = tmp_path / f"network{suffix}"
    outcome = triadic("generate", *words.split(), "-o", target)
    assert (outcome.code, outcome.err) == (0, "")
    expected = MODELS[words]()
    graph = library.read(target, directed=False, num_vertices=expected.num_vertices)
    assert graph.num_edges == expected.num_edges
    assert library.triangle_count(graph) == library.triangle_count(expected)


def test_the_drawn_seed_is_printed_and_draws_the_same_network(triadic, tmp_path):
    first, second = tmp_path / "first.parquet", tmp_path / "second.parquet"
    seed = triadic("generate", "rmat", "5", "-o", first).out.split()[-1]
    triadic("generate", "rmat", "5", "-o", second, "--seed", seed)
    assert first.read_bytes() == second.read_bytes()


def test_a_probability_above_1_is_an_error(triadic, tmp_path):
    complaint = triadic("generate", "watts-strogatz", "50", "4", "1.5", "-o", tmp_path / "a.parquet").complaint
    assert "p=1.5" in complaint
    assert list(tmp_path.iterdir()) == []


def test_a_format_that_cannot_be_written_is_an_error_before_drawing(triadic, tmp_path):
    assert "a.gml" in triadic("generate", "grid", "4", "4", "-o", tmp_path / "a.gml").complaint
