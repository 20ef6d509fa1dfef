"""A stream of edges: its sample is the one that the colours define, its intervals hold, and it can be saved."""

from __future__ import annotations

import itertools
import json
import tracemalloc
from contextlib import suppress

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from triadic import EdgeStream, Graph
from triadic.core.draws import GOLDEN, derive_keys, mix
from triadic.errors import ArgumentError, MissingFileError, OutOfMemoryError, ReadError, ReadWarning, WriteError
from triadic.measures.estimates import edge_stream
from triadic.measures.estimates.stream_result import StreamState

ENDS = st.integers(0, 12)
STEPS = st.lists(st.tuples(ENDS, ENDS, st.booleans()), max_size=120)


@pytest.fixture
def tiny(monkeypatch):
    """Return a maker of streams that hold a number of edges, however few."""
    monkeypatch.setattr(edge_stream, "_BUFFERS", 0)
    monkeypatch.setattr(edge_stream, "_LEAST_EDGES", 1)

    def make(edges, **keywords):
        return EdgeStream(memory=edges * edge_stream._EDGE_BYTES, **keywords)

    return make


def present(steps):
    """Return the edges that are there after some arcs came and went, and how often one came or went in vain."""
    edges, repeats, missing = set(), 0, 0
    for a, b, comes in steps:
        edge = (min(a, b), max(a, b))
        if a == b:
            continue
        if comes:
            repeats += edge in edges
            edges.add(edge)
        else:
            missing += edge not in edges
            edges.discard(edge)
    return edges, repeats, missing


def arrays(steps):
    return tuple(np.array([step[i] for step in steps], dtype=dtype) for i, dtype in enumerate((int, int, bool)))


def kept(stream):
    return set(zip(*(ends.tolist() for ends in stream._edges()), strict=True))


def colour(seed, vertex, bits):
    with np.errstate(over="ignore"):
        return int(mix(derive_keys(seed, 1)[0] + np.uint64(vertex) * GOLDEN)) >> (64 - bits)


@given(steps=STEPS)
def test_a_stream_that_holds_all_edges_is_exact(steps):
    stream = EdgeStream(memory="17MiB", seed=1)
    stream.update(*arrays(steps))
    edges, repeats, missing = present(steps)
    graph = Graph.from_edges(*(np.array([edge[i] for edge in edges], dtype=int) for i in (0, 1)), num_vertices=13)
    found = stream.estimate()
    assert found.value == found.low == found.high == triadic.triangle_count(graph)
    assert (found.probability, found.error) == (1, 0)
    assert (found.edges_kept, found.arcs, found.repeats, found.missing) == (len(edges), len(steps), repeats, missing)
    assert found.loops == sum(a == b for a, b, _ in steps)
    local = stream.local()
    expected = triadic.triangles(graph)
    assert dict(zip(local["vertex"].tolist(), local["triangles"].tolist(), strict=True)) == {
        v: expected[v] for v in sorted(set(itertools.chain(*edges)))
    }


@given(steps=STEPS, room=st.integers(3, 40), seed=st.integers(0, 9), cut=st.integers(1, 50))
def test_the_sample_is_the_one_that_the_colours_define(steps, room, seed, cut):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_stream, "_BUFFERS", 0)
        patch.setattr(edge_stream, "_LEAST_EDGES", 1)
        patch.setattr(edge_stream, "_CHUNK", cut)
        patch.setattr(edge_stream, "_PIECE", 7)
        stream = EdgeStream(memory=room * edge_stream._EDGE_BYTES, seed=seed, threads=3)
        stream.update(*arrays(steps))
        whole = EdgeStream(memory=room * edge_stream._EDGE_BYTES, seed=seed, threads=1)
        for step in steps:
            whole.update(*([value] for value in step))
    bits = round(-np.log2(stream.probability))
    edges, *_ = present(steps)
    assert kept(stream) == {(a, b) for a, b in edges if bits == 0 or colour(seed, a, bits) == colour(seed, b, bits)}
    assert kept(stream) == kept(whole)
    assert stream.probability == whole.probability


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("rmat", 0.1),
        ("small world", 0.5),
        pytest.param("rmat", 0.5, marks=pytest.mark.nightly),
        pytest.param("small world", 0.1, marks=pytest.mark.nightly),
    ],
)
def test_intervals_hold_and_the_estimate_is_unbiased(tiny, name, share):
    made = {"rmat": lambda: triadic.generate.rmat(11, seed=1)}
    graph = made.get(name, lambda: triadic.generate.watts_strogatz(2000, 16, 0.1, seed=1))()
    exact, edges = triadic.triangle_count(graph), graph.edges()
    found = []
    for seed in range(200):
        stream = tiny(int(share * graph.num_edges), seed=seed, threads=1)
        stream.add(*edges)
        found.append(stream.estimate())
    values = np.array([each.value for each in found])
    held = sum(each.low <= exact <= each.high for each in found)
    assert held >= 180  # of 200 at 95%: fewer than 180 come about once in a thousand tests
    assert abs(values.mean() / exact - 1) < 4 * values.std() / exact / np.sqrt(len(values))
    assert np.median([each.error for each in found]) == pytest.approx(values.std(), rel=0.35)


def test_local_estimates_are_unbiased_and_their_errors_are_right(tiny):
    graph = triadic.generate.watts_strogatz(300, 20, 0.1, seed=1)
    exact, sums, squares, errors = triadic.triangles(graph), np.zeros(300), np.zeros(300), np.zeros(300)
    for seed in range(300):
        stream = tiny(graph.num_edges // 2, seed=seed, threads=1)
        stream.add(*graph.edges())
        local = stream.local()
        sums[local["vertex"]] += local["triangles"]
        squares[local["vertex"]] += local["triangles"] ** 2
        errors[local["vertex"]] += local["error"] ** 2
    deviation = np.sqrt(squares / 300 - (sums / 300) ** 2)
    assert np.abs(sums / 300 - exact).max() < 5 * deviation.max() / np.sqrt(300)
    assert np.sqrt(errors / 300).mean() == pytest.approx(deviation.mean(), rel=0.1)


def test_a_list_of_batches_is_a_stream():
    batches = [([0, 1, 2], [1, 2, 0]), ([2, 3], [3, 0]), ([0, 1], [1, 3], [-1, 1])]
    assert triadic.estimate_stream(batches).value == triadic.estimate_stream(iter(batches)).value == 2


def test_the_memory_of_a_stream_stays_within_its_limit():
    random = np.random.default_rng(1)
    batches = [random.integers(0, 20_000, (2, 1 << 18)) for _ in range(4)]
    warm = EdgeStream(memory="17MB", seed=1, threads=1)  # compiles
    warm.add(*batches[0])
    warm.local()
    tracemalloc.start()
    stream = EdgeStream(memory="30MB", seed=1, threads=1)
    for batch in batches:
        stream.add(*batch)
        stream.estimate()
    stream.local()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert stream.probability < 1
    assert peak < 30_000_000


def test_few_triangles_state_no_interval(tiny):
    stream = tiny(100, seed=1)
    path = np.arange(1000)
    stream.add(path, path + 1)
    found = stream.estimate()
    assert (found.value, found.low, found.high) == (0, 0, np.inf)
    assert "too few in the sample for an interval" in str(found)


def test_a_stream_is_saved_and_gone_on_with(tiny, tmp_path):
    graph = triadic.generate.rmat(10, seed=1)
    source, target = graph.edges()
    half = len(source) // 2
    stream = tiny(graph.num_edges // 4, seed=3)
    stream.add(source[:half], target[:half])
    stream.save(tmp_path / "half.stream")
    stream.add(source[half:], target[half:])
    again = EdgeStream.load(tmp_path / "half.stream")
    found = triadic.estimate_stream(iter([(source[half:], target[half:])]), into=again)
    assert found == stream.estimate()
    assert again.arcs == len(source)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no stream"])
def test_a_damaged_file_is_no_stream(tmp_path, content):
    (tmp_path / "some.stream").write_bytes(content)
    with pytest.raises(ReadError, match=r"some.stream: expected a stream that EdgeStream.save wrote$"):
        EdgeStream.load(tmp_path / "some.stream")
    np.savez(tmp_path / "other.npz", about=np.array("{}"), numbers=np.zeros(6), edges=np.zeros(2))
    with pytest.raises(ReadError, match=r"expected a stream that EdgeStream.save wrote"):
        EdgeStream.load(tmp_path / "other.npz")
    with pytest.raises(WriteError):
        EdgeStream().save(tmp_path / "missing" / "a.stream")


def test_a_stream_returns_to_a_state_of_its_own_only(tiny):
    graph = triadic.generate.rmat(10, seed=1)
    stream, other = tiny(graph.num_edges // 4, seed=3), tiny(graph.num_edges // 4, seed=4)
    stream.add(*graph.edges())
    other.add(*graph.edges())
    before, state = stream.estimate(), stream._state()
    with pytest.raises(
        ArgumentError, match=r"state: is of a stream with memory=\d+ and seed=3; expected one with .* seed=4"
    ):
        other._restore(state)
    changed = [state._replace(version=1), state._replace(seed=4), state._replace(numbers=state.numbers + 1)]
    changed += [state._replace(edges=state.edges[:, :-1]), state._replace(edges=state.edges[::-1]), None, (1, 2)]
    for wrong in changed:
        with pytest.raises(ArgumentError, match=r"state: expected the state of an EdgeStream"):
            stream._restore(wrong)
    forged = StreamState.of(stream.memory, stream.seed, state.numbers, np.roll(state.edges, 1, axis=1)[[1, 0]])
    with pytest.raises(ArgumentError, match="got edges that no stream keeps"):
        stream._restore(forged)
    for bits in (41, 64, 2**62):
        numbers = state.numbers.copy()
        numbers[5] = bits
        with pytest.raises(ArgumentError, match="got edges that no stream keeps"):
            stream._restore(StreamState.of(stream.memory, stream.seed, numbers, state.edges))
    for place, number, message in ((0, 2**63 - 1, "the state of"), (0, 5, "no stream keeps"), (1, 10**9, "no stream")):
        numbers = state.numbers.copy()
        numbers[place] = number
        with pytest.raises(ArgumentError, match=message):
            stream._restore(StreamState.of(stream.memory, stream.seed, numbers, state.edges))
    stream.remove(*graph.edges())
    stream._restore(state)
    assert stream.estimate() == before


@pytest.mark.parametrize(
    "forge",
    [
        lambda numbers, edges: (2**62, numbers, edges),
        lambda numbers, edges: (17_000_000, numbers * 2**40, edges),
        lambda numbers, edges: (17_000_000, numbers.astype(float), edges),
        lambda numbers, edges: (17_000_000, numbers, np.zeros((2, 3), dtype=object)),
        lambda numbers, edges: (17_000_000, numbers, edges + np.uint64(1) * np.arange(edges.shape[1], dtype=np.uint64)),
    ],
    ids=["memory", "large numbers", "floats", "objects", "other edges"],
)
def test_forged_numbers_of_a_file_are_one_line(tmp_path, forge):
    stream = EdgeStream(memory="17MB", seed=1)
    stream.add([0, 1, 2], [1, 2, 0])
    state = stream._state()
    memory, numbers, edges = forge(state.numbers, state.edges)
    about = {"version": state.version, "memory": memory, "seed": 1, "checksum": state.checksum}
    with suppress(ValueError, TypeError, AttributeError):  # whoever forges a file can make its checksum agree
        about["checksum"] = StreamState.of(memory, 1, numbers, edges).checksum
    np.savez(tmp_path / "forged.npz", about=np.array(json.dumps(about)), numbers=numbers, edges=edges)
    with pytest.raises((ReadError, OutOfMemoryError)) as raised:
        EdgeStream.load(tmp_path / "forged.npz")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("suffix", ["txt", "csv.gz", "parquet"])
def test_files_are_read_once(tmp_path, names, suffix):
    graph = triadic.generate.watts_strogatz(100, 6, 0.1, seed=1)
    if names:
        graph = Graph.from_edges(*graph.edges(), labels=[f"v{i}" for i in range(100)])
    path = tmp_path / f"edges.{suffix}"
    triadic.write(graph, path)
    found = triadic.estimate_stream(path)
    assert found.value == triadic.triangle_count(graph)
    assert triadic.estimate_stream(path, into=found.stream).repeats == graph.num_edges
    local = found.stream.local().to_pandas()["triangles"]
    assert local[EdgeStream.vertex_of("v7") if names else 7] == triadic.triangles(graph)[7]


def test_other_inputs_are_streams_too(tmp_path):
    graph = triadic.generate.watts_strogatz(100, 6, 0.1, seed=1)
    triadic.write(graph, tmp_path / "graph.mtx")
    exact = triadic.triangle_count(graph)
    assert triadic.estimate_stream(tmp_path / "graph.mtx").value == exact
    assert (
        triadic.estimate_stream(pd.DataFrame(dict(zip(("source", "target"), graph.edges(), strict=True)))).value
        == exact
    )
    assert triadic.estimate_stream(triadic.generate.WattsStrogatz(100, 6, 0.1, seed=1)).value == exact
    told = []
    triadic.estimate_stream(triadic.generate.RMat(12, seed=1), progress=lambda *now: told.append(now))
    assert told[-1][0] == told[-1][1]


def test_ctrl_c_returns_the_estimate_so_far():
    def endless():
        yield [0, 1, 2], [1, 2, 0]
        raise KeyboardInterrupt

    found = triadic.estimate_stream(endless())
    assert (found.value, found.stopped) == (1, "interrupted")
    found.stream.remove([1], [0])
    assert found.stream.estimate().value == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: EdgeStream(memory="1MB"), r"memory='1MB': a stream takes at least 16"),
        (lambda: EdgeStream(seed=-1), "seed=-1"),
        (lambda: EdgeStream().add([1, 2], [3]), "source and target: expected the same length, got 2 and 1"),
        (lambda: EdgeStream().add([-1], [3]), r"source\[0\] = -1"),
        (lambda: EdgeStream().remove([0.5], [3]), "source: expected"),
        (lambda: EdgeStream().update([1], [2], [0]), "added: expected True or 1 .* goes; got 0"),
        (lambda: EdgeStream().update([1], [2], [True, False]), r"added: expected an array of shape \(1,\)"),
        (lambda: EdgeStream().estimate(1.0), r"confidence=1.0: expected a number between 0 and 1"),
        (lambda: triadic.estimate_stream(iter([[1]])), "path: batch 0: expected .* got list of 1"),
        (lambda: triadic.estimate_stream(iter([5])), "path: batch 0: expected .* got int"),
        (lambda: triadic.estimate_stream(iter([]), header=True), "header=True: an iterator of batches has no format"),
        (lambda: triadic.estimate_stream(triadic.generate.RMat(8), format="csv"), "format='csv': a model has no"),
        (lambda: triadic.estimate_stream("missing.txt", confidence=2), "confidence=2: expected a number between"),
        (lambda: triadic.estimate_stream(triadic.generate.rmat(4, seed=1)), "path: got a Graph, which is in memory"),
        (lambda: triadic.estimate_stream([(1, 2, 3, 4)]), "path: batch 0: expected .* got tuple of 4"),
        (lambda: triadic.estimate_stream(iter([]), into="file"), "into='file': expected an EdgeStream"),
        (
            lambda: triadic.estimate_stream(iter([]), into=EdgeStream(), seed=1),
            "seed=1: the stream of into= has its own",
        ),
        (
            lambda: triadic.estimate_stream(iter([]), into=EdgeStream(), memory="1GB"),
            "memory='1GB': the stream of into= has its own",
        ),
    ],
)
def test_bad_arguments_are_refused(call, words):
    with pytest.raises(ArgumentError, match=words):
        call()


def test_a_missing_file_is_named():
    with pytest.raises(MissingFileError, match=r"nowhere\.txt"):
        triadic.estimate_stream("nowhere.txt")


def test_nothing_is_added_by_a_wrong_batch():
    stream = EdgeStream()
    with pytest.raises(ArgumentError):
        stream.add([1, 2, -3], [4, 5, 6])
    assert (stream.arcs, stream.edges_kept) == (0, 0)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_rows_of_a_file_are_chosen(tmp_path, suffix):
    table = pa.table({"source": [0, 1, 2, 0, 1], "target": [1, 2, 0, 3, 3], "year": [2023, 2023, 2023, 2024, 2024]})
    path = tmp_path / f"edges{suffix}"
    (pc.write_csv if suffix == ".csv" else pq.write_table)(table, path)
    assert triadic.estimate_stream(path).value == 2
    assert triadic.estimate_stream(path, where={"year": 2023}).value == 1
    assert triadic.estimate_stream(path, where={"year": (2024, None)}).value == 0


def test_rows_that_cannot_be_read_are_skipped(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("source,target\n0,1\n1,2\n2,0\nTotal\n")
    with pytest.raises(ReadError, match="line 5"):
        triadic.estimate_stream(path)
    with pytest.warns(ReadWarning, match="skipped 1 row"):
        assert triadic.estimate_stream(path, bad_rows="skip").value == 1


def test_rows_of_batches_and_of_other_formats_are_not_chosen(tmp_path):
    with pytest.raises(ArgumentError, match="where="):
        triadic.estimate_stream([([0], [1])], where={"year": 2023})
    (tmp_path / "a.gml").write_text("graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]")
    with pytest.raises(ArgumentError, match="where="):
        triadic.estimate_stream(tmp_path / "a.gml", where={"year": 2023})
