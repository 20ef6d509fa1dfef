"""A file that does not fit in memory is an error with figures, before the memory is taken."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tracemalloc

import pyarrow as pa
import pytest

import triadic
from triadic.core import memory
from triadic.errors import OutOfMemoryError, ReadError
from triadic.io import file_source, read_arcs
from triadic.io.file_source import Source
from triadic.io.number_rows import not_a_number
from triadic.io.reading import stream_arcs

MIB = 1 << 20
TEXT = 48 * MIB  # bytes of each text, unpacked


def filled(head, line, tail=b""):
    return head + line * (TEXT // len(line)) + tail


BOMBS = {
    "blank.net": lambda: filled(b"*Vertices 3\n*Arcs\n", b"\n"),
    "arcs.net": lambda: filled(b"*Vertices 3\n*Arcs\n", b"1 2\n"),
    "words.net": lambda: filled(b"*Vertices 3\n*Arcs\n", b"1 2 c b\n"),
    "headings.net": lambda: filled(b"*Vertices 3\n", b"*Arcs\n"),
    "neighbours.graph": lambda: filled(f"2 {TEXT // 4}\n".encode(), b"1 ", b"\n1\n"),
    "nodes.gml": lambda: b"graph [\n" + b"".join(b"node [ id %d ]\n" % i for i in range(TEXT // 19)) + b"]\n",
    "names.sif": lambda: b"".join(b"a%d pp b%d\n" % (i, i) for i in range(TEXT // 18)),
    "zeros.sg": lambda: bytes(TEXT),
    "nodes.graphml": lambda: (
        b"<graphml><graph>" + b"".join(b"<node id='%d'/>" % i for i in range(TEXT // 20)) + b"</graph></graphml>"
    ),
    "edges.txt": lambda: filled(b"", b"1 2\n"),
    "names.csv": lambda: b"source,target\n" + b"".join(b"a%d,b%d\n" % (i, i) for i in range(TEXT // 15)),
    "zeros.mtx": lambda: filled(b"%%MatrixMarket matrix array real general\n5017 5017\n", b"0\n"),
}

ORDINARY_BOMBS = ("arcs.net", "edges.txt")  # the others are for the nightly run

PEAK_WHILE_READING = """
import re, sys
from pathlib import Path
import triadic, triadic.graph.graph, triadic.io.text_blocks
from triadic.core import memory
triadic.io.read_arcs(sys.argv[2])  # what readers import is in memory now
status = Path("/proc/self/status")
def bytes_of(name):
    return 1024 * int(re.search(name + ":[^0-9]*([0-9]+)", status.read_text())[1])
Path("/proc/self/clear_refs").write_text("5")
start = bytes_of("VmRSS")
memory.available_bytes = lambda: max(0, start + int(sys.argv[3]) - bytes_of("VmRSS"))
try:
    triadic.io.read_arcs(sys.argv[1])
    print("read")
except triadic.errors.OutOfMemoryError as error:
    print(error)
print(bytes_of("VmHWM") - start)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc of Linux tells the peak of memory")
@pytest.mark.parametrize(
    "name", [name if name in ORDINARY_BOMBS else pytest.param(name, marks=pytest.mark.nightly) for name in BOMBS]
)
def test_a_packed_file_stops_unpacking_before_it_takes_more_memory_than_is_allowed(tmp_path, name):
    """Memory of 100 MiB is allowed; unpacked, each file takes more."""
    allowed = 100 * MIB
    path, small = tmp_path / f"{name}.gz", tmp_path / "small.txt"
    path.write_bytes(gzip.compress(BOMBS[name](), 1, mtime=0))
    small.write_text("1 2\n2 3\n")
    command = [sys.executable, "-c", PEAK_WHILE_READING, str(path), str(small), str(allowed)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=170)
    message, peak = done.stdout.splitlines()
    assert "iB are available: " in message
    assert str(path) in message or "names" in message
    assert int(peak) < 1.25 * allowed


LIMITED = """
import gc, io, json, resource, sys
from contextlib import redirect_stderr, redirect_stdout
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
from triadic.cli import main
for words in json.load(sys.stdin):
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        status = main(words)
    gc.collect()
    print(json.dumps([status, said.getvalue()]), flush=True)
"""


def limited(commands, address_space=2 << 30):
    """Run commands one after another in a process with a limit; return the exit status and the errors of each."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(address_space)],
        input=json.dumps([list(map(str, words)) for words in commands]),
        capture_output=True,
        text=True,
        check=False,
        timeout=170,
    )
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(commands)
    return found


DECLARATIONS = {
    "metis.graph": b"99999999 1\n",
    "pajek.net": b"*Vertices 99999999\n",
    "pajek_matrix.net": b"*Vertices 99999999\n*Matrix\n1\n",
    "coordinates.mtx": b"%%MatrixMarket matrix coordinate pattern general\n99999999 99999999 1\n1 2\n",
    "array.mtx": b"%%MatrixMarket matrix array real general\n99999999 99999999\n1\n",
    "array_symmetric.mtx": b"%%MatrixMarket matrix array real symmetric\n99999999 99999999\n1\n",
    "gap.sg": b"\0" + (1).to_bytes(8, "little") + (99999999).to_bytes(8, "little") + bytes(16),
    "snap.txt": b"# Nodes: 99999999 Edges: 1\n1 2\n",
    "ids.txt": b"1 99999999\n",
}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a limit of the address space")
def test_a_few_bytes_that_declare_a_hundred_million_vertices_are_counted_or_refused_in_one_line(tmp_path):
    """The first command shows that the limit of the address space counts as memory."""
    commands, paths = [["clustering", tmp_path / "pajek.net"]], [tmp_path / "pajek.net"]
    for name, content in DECLARATIONS.items():
        path, packed = tmp_path / name, tmp_path / f"{name}.gz"
        path.write_bytes(content)
        packed.write_bytes(gzip.compress(content, mtime=0))
        commands.append(["clustering", path, "--threads", "1", "--json"])
        commands.append(["tile", packed, tmp_path / f"{name}.tiles", "--memory", "64MB"])
        paths += [path, path]
    outcomes = limited(commands)
    status, said = outcomes[0]
    assert status == 2
    assert re.fullmatch(
        r"triadic: .*99999999 vertices.* takes about [\d.]+ [MG]iB and [\d.]+ [MG]iB are available.*\n", said
    )
    for words, path, (status, said) in zip(commands, paths, outcomes, strict=True):
        assert status in (0, 2), (words, said)
        if status:
            assert len(said.splitlines()) == 1, (words, said)
            assert said.startswith("triadic: "), (words, said)
            assert "iB are available" in said or str(path) in said, (words, said)


def test_an_error_about_memory_names_the_file_the_memory_and_what_to_do(tmp_path, monkeypatch):
    path = tmp_path / "network.net.gz"
    path.write_bytes(gzip.compress(b"*Vertices 3\n*Arcs\n" + b"1 2\n" * MIB))
    monkeypatch.setattr(memory, "available_bytes", lambda: MIB)
    with pytest.raises(
        OutOfMemoryError, match=r"network\.net\.gz: reading the first 4 MiB .* gzip takes about"
    ) as told:
        triadic.read(path)
    assert "1.0 MiB are available: use more memory, or write the network as an edge list" in str(told.value)
    assert "\n" not in str(told.value)


def test_the_memory_of_tiling_bounds_what_a_packed_file_unpacks_to(tmp_path):
    path = tmp_path / "network.graphml.gz"
    edges = b'<edge source="1" target="2"/>\n' * MIB
    path.write_bytes(gzip.compress(b'<graphml><graph edgedefault="directed">' + edges + b"</graph></graphml>", 1))
    with pytest.raises(
        OutOfMemoryError, match=r"network\.graphml\.gz.* takes about \d+\.\d MiB and \d+\.\d MiB are available: "
    ):
        triadic.tile(path, tmp_path / "tiles", memory="64MB", directed=True)
    assert not (tmp_path / "tiles" / "header.json").exists()


@pytest.mark.parametrize("failure", [MemoryError("out"), MemoryError(), pa.ArrowMemoryError("malloc of size 9 failed")])
@pytest.mark.parametrize("read", [triadic.read, read_arcs, stream_arcs])
def test_memory_that_runs_out_all_the_same_is_an_error_of_the_file(tmp_path, monkeypatch, read, failure):
    path = tmp_path / "network.graphml"
    path.write_bytes(b'<graphml><graph edgedefault="directed"><edge source="1" target="2"/></graph></graphml>')

    def fail(*_, **__):
        raise failure

    monkeypatch.setattr("triadic.io.xml_network.GraphML.__init__", fail)
    with pytest.raises(OutOfMemoryError, match=r"graphml: reading the network takes more memory than the .*iB"):
        read(path)


def test_a_line_that_never_ends_is_refused_before_it_is_joined(tmp_path, monkeypatch):
    path = tmp_path / "edges.tsv.gz"
    path.write_bytes(gzip.compress(b"0\t1\n" + b"1\t0%" * (12 * MIB), 1))
    monkeypatch.setattr(memory, "available_bytes", lambda: 64 * MIB)
    stream = stream_arcs(path)
    with pytest.raises(
        OutOfMemoryError,
        match=r"edges\.tsv\.gz: reading the first 32 MiB .* gzip takes about 112\.0 MiB and 64\.0 MiB are available: ",
    ):
        stream.survey()


@pytest.mark.parametrize("end", [b" ", b"\n"])
@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("neighbours.graph", b"3 2\n"),
        ("values.mtx", b"%%MatrixMarket matrix array real general\n3 3\n"),
    ],
)
def test_the_first_word_that_is_no_number_is_found_in_bounded_memory(tmp_path, monkeypatch, name, head, end):
    """Objects of Python for all lines or words of a chunk would take twenty times the memory of the text."""
    text = head + (b"11" + end) * (MIB // 32) + b"z" * 100
    monkeypatch.setattr(file_source, "CHUNK_BYTES", len(text))
    path = tmp_path / name
    path.write_bytes(text)
    source = Source(path)
    tracemalloc.start()
    try:
        error = not_a_number(source)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "found 'zzz" in str(error)
    assert "expected a number" in str(error)
    assert peak < 6 * len(text)


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (b"% bip\n% 1 300000000 2\n1 2\n", {}),
        (b"% bip\n1 2\n", {"num_vertices": 300_000_002}),
        (b'# triadic vertices: ["a", "b"]\nsource,target\na,b\n', {"num_vertices": 300_000_002}),
    ],
    ids=["two sets", "two sets, declared", "a list"],
)
def test_a_stream_checks_the_memory_for_the_vertices_that_a_file_or_an_option_states(
    tmp_path, monkeypatch, content, options
):
    path = tmp_path / "network.txt"
    path.write_bytes(content)
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 30)
    stream = stream_arcs(path, **options)
    with pytest.raises(OutOfMemoryError, match=r"each of 300,000,002 vertices .* takes about 2\.2 GiB and"):
        stream.survey()


def test_a_stream_of_a_few_edges_takes_little_memory(tmp_path, monkeypatch):
    path = tmp_path / "edges.txt"
    path.write_bytes(b"0 1\n1 2\n")
    monkeypatch.setattr(memory, "available_bytes", lambda: MIB)
    assert stream_arcs(path).survey().vertices == 3


@pytest.mark.parametrize("failure", [MemoryError(), pa.ArrowMemoryError("malloc of size 9 failed")])
@pytest.mark.parametrize("name", ["edges.txt", "neighbours.graph"])
def test_memory_that_runs_out_in_a_pass_over_a_stream_is_an_error_of_the_file(tmp_path, monkeypatch, name, failure):
    path = tmp_path / name
    path.write_bytes(b"2 1\n2\n1\n" if name.endswith("graph") else b"2 1\n1 0\n")

    def fail(*_, **__):
        raise failure

    expected = rf"{re.escape(str(path))}: reading the network takes more memory than the .*iB that are available: "
    stream, surveyed = stream_arcs(path), stream_arcs(path)
    surveyed.survey()
    monkeypatch.setattr(Source, "chunks", fail)
    monkeypatch.setattr(Source, "pieces", fail)
    with pytest.raises(OutOfMemoryError, match=expected):
        stream.survey()
    with pytest.raises(OutOfMemoryError, match=expected):
        list(surveyed.pieces())
    with pytest.raises(OutOfMemoryError, match=expected):
        triadic.tile(path, tmp_path / "tiles")


def test_the_memory_in_messages_has_a_unit_that_shows_it(monkeypatch):
    for available, shown in ((100, "0.1 KiB"), (5 << 10, "5.0 KiB"), (3 * MIB, "3.0 MiB"), (5 << 29, "2.5 GiB")):
        monkeypatch.setattr(memory, "available_bytes", lambda available=available: available)
        with pytest.raises(OutOfMemoryError, match=rf"work takes about 4\.0 GiB and {re.escape(shown)} are available"):
            memory.check_memory(4 << 30, "work")


def test_a_row_of_unusual_blanks_alone_is_an_error_of_its_line(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_bytes("1 2 3\n\n\u2028\n4\t4\n".encode())
    with pytest.raises(ReadError, match=r"edges\.txt, line 3: found one id"):
        read_arcs(path)


def test_a_space_of_unicode_is_a_part_of_a_name_in_whole_files_and_in_streams(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_bytes("1 5 \u2028".encode())
    assert len(read_arcs(path)) == stream_arcs(path).survey().arcs == 1


def test_elements_that_are_nested_without_end_are_refused(tmp_path):
    path = tmp_path / "nested.gexf"
    path.write_text('<gexf version="1.2"><graph defaultedgetype="directed"><nodes>' + "<nodes>" * 1000)
    with pytest.raises(ReadError, match="nested 257 deep, expected at most 256"):
        read_arcs(path)


@pytest.mark.parametrize("blank", ["\n" * 1000, "%\n\n" * 9 + " \n"], ids=["blank lines", "comments between"])
def test_the_header_of_metis_is_found_after_blank_lines(blank, tmp_path):
    path = tmp_path / "network.graph"
    path.write_text(blank + "3 2\n2\n1 3\n2\n")
    assert triadic.read(path).num_edges == 2
    path.write_text(blank + "3 2\n2\n1 4\n2\n")
    line = path.read_text().split("\n").index("1 4") + 1
    with pytest.raises(ReadError, match=f"line {line}: found the neighbour 4"):
        triadic.read(path)


def test_a_thread_that_cannot_start_is_too_little_memory():
    with pytest.raises(OutOfMemoryError, match="reading takes more memory"), memory.named_memory_errors("reading"):
        raise RuntimeError("can't start new thread")
    with pytest.raises(RuntimeError, match="another"), memory.named_memory_errors("reading"):
        raise RuntimeError("another")
