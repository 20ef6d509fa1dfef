"""A file that does not fit in memory is an error with figures, before the memory is taken."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys

import pyarrow as pa
import pytest

import triadic
from triadic.core import memory
from triadic.errors import OutOfMemoryError
from triadic.io.streaming import stream_arcs

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

PEAK_WHILE_READING = """
import re, sys
from pathlib import Path
import triadic, triadic.graph.graph, triadic.io.text_rows
from triadic.core import memory
triadic.read_arcs(sys.argv[2])  # what readers import is in memory now
status = Path("/proc/self/status")
def bytes_of(name):
    return 1024 * int(re.search(name + ":[^0-9]*([0-9]+)", status.read_text())[1])
Path("/proc/self/clear_refs").write_text("5")
start = bytes_of("VmRSS")
memory.available_bytes = lambda: max(0, start + int(sys.argv[3]) - bytes_of("VmRSS"))
try:
    triadic.read_arcs(sys.argv[1])
    print("read")
except triadic.errors.OutOfMemoryError as error:
    print(error)
print(bytes_of("VmHWM") - start)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc of Linux tells the peak of memory")
@pytest.mark.parametrize("name", BOMBS)
def test_a_packed_file_stops_unpacking_before_it_takes_more_memory_than_is_allowed(tmp_path, name):
    """Memory of 100 MiB is allowed; unpacked, each file takes more."""
    allowed = 100 * MIB
    path, small = tmp_path / f"{name}.gz", tmp_path / "small.txt"
    path.write_bytes(gzip.compress(BOMBS[name](), 1, mtime=0))
    small.write_text("1 2\n2 3\n")
    command = [sys.executable, "-c", PEAK_WHILE_READING, str(path), str(small), str(allowed)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    message, peak = done.stdout.splitlines()
    assert "GiB are available: " in message
    assert str(path) in message or "names" in message
    assert int(peak) < 1.25 * allowed


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
from triadic.cli import main
sys.exit(main(sys.argv[2:]))
"""


def limited(*arguments, address_space=2 << 30):
    command = [sys.executable, "-c", LIMITED, str(address_space), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


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
@pytest.mark.parametrize("name", DECLARATIONS)
def test_a_few_bytes_that_declare_a_hundred_million_vertices_are_counted_or_refused_in_one_line(tmp_path, name):
    content, path, packed = DECLARATIONS[name], tmp_path / name, tmp_path / f"{name}.gz"
    path.write_bytes(content)
    packed.write_bytes(gzip.compress(content, mtime=0))
    for command in (
        ["clustering", path, "--threads", "1", "--json"],
        ["tile", packed, tmp_path / "tiles", "--memory", "64MB"],
    ):
        done = limited(*command)
        assert done.returncode in (0, 2), done.stderr
        if done.returncode:
            assert len(done.stderr.splitlines()) == 1
            assert done.stderr.startswith("triadic: ")
            assert "GiB are available" in done.stderr or str(path) in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a limit of the address space")
def test_the_limit_of_the_address_space_counts_as_memory(tmp_path):
    path = tmp_path / "network.net"
    path.write_bytes(b"*Vertices 99999999\n")
    done = limited("clustering", path)
    assert done.returncode == 2
    assert re.fullmatch(
        r"triadic: .*99999999 vertices.* takes about \d\.\d GiB and \d\.\d GiB are available.*\n", done.stderr
    )


def test_an_error_about_memory_names_the_file_the_memory_and_what_to_do(tmp_path, monkeypatch):
    path = tmp_path / "network.net.gz"
    path.write_bytes(gzip.compress(b"*Vertices 3\n*Arcs\n" + b"1 2\n" * MIB))
    monkeypatch.setattr(memory, "available_bytes", lambda: MIB)
    with pytest.raises(
        OutOfMemoryError, match=r"network\.net\.gz: reading the first 4 MiB .* gzip takes about"
    ) as told:
        triadic.read(path)
    assert "GiB are available: use more memory, or write the network as an edge list" in str(told.value)
    assert "\n" not in str(told.value)


def test_the_memory_of_tiling_bounds_what_a_packed_file_unpacks_to(tmp_path):
    path = tmp_path / "network.net.gz"
    path.write_bytes(gzip.compress(b"*Vertices 3\n*Arcs\n" + b"1 2\n" * (4 * MIB), 1))
    with pytest.raises(
        OutOfMemoryError, match=r"network\.net\.gz.* takes about 0\.\d GiB and 0\.\d GiB are available: "
    ):
        triadic.tile(path, tmp_path / "tiles", memory="64MB", directed=True)
    assert not (tmp_path / "tiles" / "header.json").exists()


@pytest.mark.parametrize("failure", [MemoryError("out"), MemoryError(), pa.ArrowMemoryError("malloc of size 9 failed")])
@pytest.mark.parametrize("read", [triadic.read, triadic.read_arcs, stream_arcs])
def test_memory_that_runs_out_all_the_same_is_an_error_of_the_file(tmp_path, monkeypatch, read, failure):
    path = tmp_path / "network.net"
    path.write_bytes(b"*Vertices 3\n*Arcs\n1 2\n")

    def fail(*_, **__):
        raise failure

    monkeypatch.setattr("triadic.io.pajek_sections.PajekFile.__init__", fail)
    with pytest.raises(OutOfMemoryError, match=r"network\.net: reading the network takes more memory than the .* GiB"):
        read(path)
