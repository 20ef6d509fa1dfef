"""One source for every GPU: the sources that OpenCL compiles for the tests compile for CUDA too.

NVIDIA's compiler also compiles the branch of the prelude for HIP. No test compiles for AMD's cards.
"""

from __future__ import annotations

import ctypes
import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import triadic
import triadic_papers
from strategies import NIGHTLY
from triadic.devices.gpu import block_pairs, list_tasks, orientation, triangles
from triadic.devices.runtimes import cuda
from triadic.devices.runtimes import registry as gpus
from triadic_papers import batagelj_mrvar_gpu, cstn117, fglt_gpu, padded_rows, vertex_edge_centric

TEAMS = 4  # of a block under CUDA
OLDEST = "compute_75"
NO_WARPS = "#if defined(WARPS)\n#error a team is a warp\n#endif\n"


@pytest.fixture(scope="module")
def nvrtc():
    """NVIDIA's runtime compiler, which needs no card and no driver."""
    found = []
    if find_spec("nvidia"):
        for folder in find_spec("nvidia").submodule_search_locations:
            found += sorted(Path(folder).glob("cuda_nvrtc/lib/libnvrtc.so.*")) + sorted(
                Path(folder).glob("*/lib/libnvrtc.so.*")
            )
    if not found:
        fail = pytest.fail if "nvrtc" in os.environ.get("TRIADIC_REQUIRE", "").split(",") else pytest.skip
        fail("nvidia-cuda-nvrtc is not installed")
    return ctypes.CDLL(str(found[0]))


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """The sources that OpenCL compiles for a count of every kind."""
    if not gpus.is_installed("opencl") or not gpus.count("opencl"):
        pytest.skip("no OpenCL device was found")
    runtime, used = gpus.runtime("opencl:0"), set()
    kernel_of = type(runtime)._kernel

    def noted(self, source, kernel):
        used.add(source)
        return kernel_of(self, source, kernel)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(runtime), "_kernel", noted)
        count_in_every_way(runtime, tmp_path_factory.mktemp("tiled"))
    return sorted({*used, orientation._SOURCE, cuda._ROWS}, key=repr)


def count_in_every_way(runtime, folder):
    device = runtime.name
    graph, arcs = triadic.generate.rmat(7, seed=1), triadic.generate.rmat(9, seed=1, directed=True)
    heavy = triadic.Graph.from_edges(*np.triu_indices(100, 1))
    weighted = triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], weights=[1.0, 2.0, 3.0])
    for network in (graph, heavy):
        for measure in (triadic.triangle_count, triadic.triangles, triadic.edge_support, triadic.graphlet_transform):
            measure(network, device=device)
        triadic.graphlets(network, size=5, device=device, by="vertex")
        triadic.trussness(network, device=device)
        for size in (3, 4, 5, 6):
            triadic.count(network, "cliques", size=size, device=device)
            triadic.count(network, "cliques", size=size, by="vertex", device=device)
    marked = [list_tasks.prepare(runtime, heavy.oriented(), hubs=0, marked=64)]  # as in large graphs
    assert triangles.number(marked) == triangles.at_vertices(marked).sum() // 3
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(list_tasks, "choose_marks", lambda *_: (64, 128))
        for types in (16, 64):
            triadic.triad_census(triadic.generate.rmat(9, seed=2, directed=True), labelled=types == 64, device=device)
        triadic.triad_census(triadic.generate.rmat(9, seed=2, directed=True), device=device, by="vertex")
    triadic.triad_census(arcs, device=device)
    triadic.triad_census(arcs, labelled=True, device=device)
    for of in ("triads", "average_clustering"):
        triadic.estimate(arcs.to_undirected() if of != "triads" else arcs, of=of, samples=9, seed=1, device=device)
    places = {"positions": np.random.default_rng(1).random((arcs.num_vertices, 3))}
    for kept in ({}, {"groups": np.arange(arcs.num_vertices) % 3}, places):
        triadic.significance(arcs, samples=2, steps=50, seed=1, device=device, **kept)
    triadic.directed_clustering(arcs, device=device)
    for network in (arcs, graph):  # with and without hubs
        triadic.triad_census(network, device=device, by="vertex")
    triadic.weighted_clustering(weighted, device=device)
    for by in (None, "vertex"):
        triadic.temporal_motifs(triadic.generate.bursts(20, 200, seed=1), 600, by, device=device)
    triadic.tile(triadic.generate.RMat(9, seed=1, directed=True), folder / "tiles", ranges=3)
    triadic.triad_census(triadic.TiledGraph(folder / "tiles"), device=device)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_pairs, "_LEAST", 1 << 60)  # too little memory for blocks: triple by triple
        triadic.triad_census(triadic.TiledGraph(folder / "tiles", results=folder / "again"), device=device)
    triadic.generate.rmat(5, seed=1, device=device)
    triadic.generate.watts_strogatz(50, 4, 0.5, seed=1, device=device)
    triadic.generate.barabasi_albert(50, 4, seed=1, device=device)
    batagelj_mrvar_gpu.gpu_census(arcs, device=device)
    cstn117.clustering_cuda(arcs, device=device)
    fglt_gpu.gpu_first_five(graph, device=device)
    padded_rows.opencl(graph, device=device)
    vertex_edge_centric.edge_centric(graph, device=device)


def test_opencl_compiles_every_kernel_file(sources):
    folders = (Path(triadic.__file__).parent / "devices" / "gpu", Path(triadic_papers.__file__).parent)
    files = {file.stem for folder in folders for file in folder.glob("*.c")}
    assert files == {source.file for source in sources}


@pytest.mark.parametrize("architecture", [OLDEST, pytest.param("compute_90", marks=pytest.mark.nightly)])
def test_every_source_compiles_for_cuda(nvrtc, sources, architecture):
    for source in sources if NIGHTLY else {(source.file, len(source.defines)): source for source in sources}.values():
        assert compile_for(nvrtc, source.text(TEAMS), architecture) == "", source


def test_every_source_compiles_with_the_branch_for_hip(nvrtc, sources):
    """NVIDIA's compiler rejects names that only HIP has, so this test covers what both have in common."""
    # The branch is in what all files share: one source of each choice of headers meets all of it.
    for source in sources if NIGHTLY else {source.headers: source for source in sources}.values():
        text = f"#define __HIPCC_RTC__\n{source.text(1)}{NO_WARPS}"
        assert compile_for(nvrtc, text, OLDEST) == "", source


def compile_for(nvrtc, text, architecture):
    """Return the log of a failed compilation, or nothing if the text compiles."""
    program = ctypes.c_void_p()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None) == 0
    options = [b"--std=c++14", f"--gpu-architecture={architecture}".encode()]
    failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return log.value.decode() if failed else ""
