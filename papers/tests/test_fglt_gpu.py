"""The first five graphlets on GPUs: against the program on threads, whatever grid, block and streams."""

from __future__ import annotations

import json
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import examples, networks
from triadic.devices.runtimes import registry as gpus
from triadic.errors import ArgumentError, OutOfMemoryError
from triadic.io import read_arcs
from triadic_papers.adjacency import adjacency
from triadic_papers.fglt import first_five
from triadic_papers.fglt_gpu import _Work, gpu_first_five
from triadic_papers.fglt_streams import COPYING, COUNTING, Streams


def assert_same(found, expected):
    np.testing.assert_array_equal(found.raw, expected.raw)
    np.testing.assert_array_equal(found.net, expected.net)


@examples(25)
@given(networks(), st.sampled_from([1, 2, 7, 1024]), st.sampled_from([1, 5, 32]), st.booleans())
def test_any_grid_any_block_and_any_streams_give_what_threads_do(gpu_device, network, grid, block, overlap):
    graph = network.graph()
    found = gpu_first_five(graph, device=gpu_device, grid=grid, block=block, overlap=overlap)
    assert_same(found, first_five(graph))


@pytest.mark.parametrize(
    "block", [32, 1000, *(pytest.param(block, marks=pytest.mark.nightly) for block in (64, 128, 256, 512, 1024))]
)
def test_blocks_of_table_1b_and_larger_ones_give_the_same(gpu_device, real_networks, block):
    rows = adjacency(read_arcs(real_networks / "USAir97.net.gz"))
    assert_same(gpu_first_five(rows, device=gpu_device, grid=256, block=block), first_five(rows))


def test_a_hub_of_a_hundred_thousand_has_more_pairs_than_32_bits_hold(gpu_device):
    n = 100_000
    star = triadic.Graph.from_edges(np.zeros(n, dtype=np.int64), np.arange(1, n + 1))
    found = gpu_first_five(star, device=gpu_device)
    assert found.net[0].tolist() == [1, n, 0, n * (n - 1) // 2, 0]
    assert found.net[1].tolist() == [1, 1, n - 1, 0, 0]


def test_a_network_without_vertices_has_no_rows(gpu_device):
    for overlap in (False, True):
        found = gpu_first_five(triadic.Graph.from_edges([], [], num_vertices=0), device=gpu_device, overlap=overlap)
        assert found.raw.shape == found.net.shape == (0, 5)


def test_the_counts_cannot_be_written_to(gpu_device):
    for counts in gpu_first_five(triadic.Graph.from_edges([0, 1], [1, 2]), device=gpu_device):
        assert counts.dtype == np.int64
        assert not counts.flags.writeable


def test_what_is_not_joined_has_zeros(gpu_device):
    found = gpu_first_five(triadic.Graph.from_edges([], [], num_vertices=3), device=gpu_device)
    assert found.raw.tolist() == [[1, 0, 0, 0, 0]] * 3


@pytest.mark.parametrize("overlap", [False, True])
@pytest.mark.parametrize("file", ["celegans_metabolic.graph.gz", "delaunay_n16.graph.gz"])
def test_real_networks_have_the_net_graphlets_that_orca_found(gpu_device, real_networks, file, overlap):
    expected = json.loads((real_networks / "expected.json").read_text())[file]["net_graphlet_sums_d1_to_d15"]
    found = gpu_first_five(read_arcs(real_networks / file), device=gpu_device, overlap=overlap).net
    assert found.sum(axis=0)[1:].tolist() == expected[:4]


def test_two_streams_are_there_under_cuda_alone(gpu_device):
    runtime = gpus.runtime(gpu_device)
    with runtime.active():
        streams = Streams(runtime, overlap=True)
        event = streams.mark(COPYING)
        streams.wait(COUNTING, event)
    assert (event is not None) == gpu_device.startswith("cuda")


def test_streams_hold_back_what_waits_for_another(gpu_device):
    """What is counted twice in one queue and once after an event is the same."""
    graph = triadic.Graph.from_edges(*(np.random.default_rng(5).integers(0, 2000, (2, 30_000))))
    expected = gpu_first_five(graph, device=gpu_device, overlap=False)
    for _ in range(5):
        assert_same(gpu_first_five(graph, device=gpu_device, overlap=True), expected)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"grid": 0}, r"grid=0: expected a whole number of at least 1"),
        ({"block": 0}, r"block=0: expected a whole number of threads from 1 to 1024"),
        ({"block": 2048}, r"block=2048"),
        ({"block": True}, r"block=True"),
        ({"device": "cpu"}, r"device='cpu': expected"),
    ],
)
def test_arguments_that_do_not_exist_are_refused(keywords, message):
    with pytest.raises(ArgumentError, match=message):
        gpu_first_five(triadic.Graph.from_edges([0], [1]), **({"device": "opencl"} | keywords))


def test_a_network_that_does_not_fit_is_refused(gpu_device, monkeypatch):
    runtime = gpus.runtime(gpu_device)
    monkeypatch.setattr(type(runtime), "memory", lambda self: (1000, 2000))
    monkeypatch.setattr(type(runtime), "largest_buffer", lambda self: 1 << 30)
    with pytest.raises(OutOfMemoryError, match="the first five graphlets takes about"):
        gpu_first_five(triadic.Graph.from_edges([0] * 99, list(range(1, 100))), device=gpu_device)


class Recorder:
    """A device with streams that does nothing, and tells what it is given to do, in which stream."""

    name, stream = "recorder", "the default"

    def __init__(self):
        self.told = []
        self.xp = ModuleType("xp")
        self.xp.cuda = SimpleNamespace(Stream=self.new_stream, Event=lambda **_: object())
        self.streams = 0

    def new_stream(self, **_):
        self.streams += 1
        return RecordedStream(self, ("copying", "counting")[self.streams - 1])

    def empty(self, shape, dtype):
        return np.zeros(shape, dtype)

    def upload(self, array):
        self.told.append((self.stream, "upload"))
        return array

    def launch(self, source, kernel, blocks, *arguments, threads=None):
        assert threads == 32
        self.told.append((self.stream, kernel))

    def download(self, buffer):
        self.told.append((self.stream, "download"))
        return buffer


class RecordedStream:
    def __init__(self, recorder, name):
        self.recorder, self.name = recorder, name

    def __enter__(self):
        self.recorder.stream = self.name

    def __exit__(self, *_):
        self.recorder.stream = "the default"

    def record(self, event):
        self.recorder.told.append((self.name, "mark"))
        return event

    def wait_event(self, event):
        self.recorder.told.append((self.name, "wait"))


def test_with_streams_nothing_is_counted_before_its_data_are_marked_and_waited_for():
    recorder = Recorder()
    rows = adjacency(triadic.Graph.from_edges([0, 1], [1, 2]))
    _Work(recorder, rows, 4, 32, overlap=True).overlapped()
    assert recorder.told == [
        ("counting", "count_d0"),
        ("copying", "upload"),  # where rows begin
        ("copying", "mark"),
        ("counting", "wait"),
        ("counting", "count_d1"),
        ("counting", "count_d3"),
        ("counting", "mark"),
        ("copying", "upload"),  # the rows
        ("copying", "mark"),
        ("counting", "wait"),
        ("counting", "count_d2"),
        ("counting", "count_d4"),
        ("counting", "count_net"),
        ("copying", "wait"),  # for d0, d1 and d3 alone
        *[("copying", "download")] * 3,
        *[("counting", "download")] * 4,
    ]
