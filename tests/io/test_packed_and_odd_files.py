"""Packing, formats by name and content, and files that are no network at all."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading

import numpy as np
import pyarrow as pa
import pytest

import triadic
from triadic.errors import ArgumentError, MissingFileError, ReadError, TriadicError
from triadic.io import FORMATS, read_arcs
from triadic.io.file_source import Source
from triadic.io.networks import detect
from triadic.io.reading import stream_arcs

LINES = "".join(f"{i}\t{i * 7 % 1000}\n" for i in range(100_000)).encode()


def zstd(content):
    return pa.Codec("zstd").compress(content, asbytes=True)


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
@pytest.mark.parametrize("name", ["n.txt", "n.txt.gz", "n.txt.zst", "n"])
def test_packing_is_known_by_content(arcs_of, pack, name):
    plain, packed = arcs_of(LINES, "plain.txt"), arcs_of(pack(LINES), name)
    assert np.array_equal(plain.source, packed.source)
    assert np.array_equal(plain.target, packed.target)


def test_members_of_a_gzip_are_one_file(pairs_of):
    assert pairs_of(gzip.compress(b"0 1\n") + gzip.compress(b"1 2\n"), "n.txt.gz") == [(0, 1), (1, 2)]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n", "n.mtx.gz"),
        (b"*Vertices 3\n*Arcs\n1 2\n", "n.net.gz"),
        (b"2 1\n2\n1\n", "n.graph.gz"),
        (b"graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]", "n.gml.gz"),
        (b"<graphml><graph><node id='a'/><edge source='a' target='a'/></graph></graphml>", "n.graphml.gz"),
        (b"<gexf><graph><nodes><node id='a'/></nodes><edges><edge source='a' target='a'/></edges></graph></gexf>", "n"),
    ],
)
def test_every_format_may_be_packed(arcs_of, content, name):
    assert arcs_of(gzip.compress(content), name).source[0] == 0
    assert arcs_of(zstd(content), name.replace("gz", "zst")).source[0] == 0


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
@pytest.mark.parametrize("part", [0.01, 0.5, 0.9, 0.999])
def test_a_packed_file_that_breaks_off_is_refused_in_one_line(arcs_of, pack, part):
    packed = pack(LINES)
    with pytest.raises(ReadError, match="breaks off before its end; the file is incomplete") as caught:
        arcs_of(packed[: int(len(packed) * part)], "n.txt.gz")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "n.txt.gz",
        "n.net.gz",
        "n.mtx.gz",
        "n.graph.gz",
        "n.gml.gz",
        "n.graphml.gz",
        "n.gexf.gz",
        "n.sg.gz",
        "n.parquet.gz",
    ],
)
def test_a_damaged_gzip_is_refused_in_every_format(arcs_of, name):
    packed = bytearray(gzip.compress(b"%%MatrixMarket matrix" + LINES if "mtx" in name else LINES))
    packed[len(packed) // 2] ^= 255
    with pytest.raises(ReadError, match=r"the gzip data is damaged|expected the banner"):
        arcs_of(bytes(packed), name)


def test_other_packers_are_named(arcs_of):
    import bz2

    with pytest.raises(ReadError, match="is packed by bzip2"):
        arcs_of(bz2.compress(LINES), "n.txt.bz2")


def test_a_pipe_is_read_once(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(LINES))
    writer.start()
    arcs = read_arcs(path)
    writer.join()
    assert len(arcs) == 100_000


class TestFormat:
    @pytest.mark.parametrize(
        ("name", "content", "expected"),
        [
            ("a.txt", b"0 1\n", "text"),
            ("a", b"0 1\n", "text"),
            ("out.konect", b"% sym\n0 1\n", "text"),
            ("a.csv.gz", b"0,1\n", "csv"),
            ("a.TSV", b"0\t1\n", "tsv"),
            ("a.mtx", b"0 1\n", "matrix-market"),
            ("a.dat", b"%%MatrixMarket matrix", "matrix-market"),
            ("a.dat", b"% c\r\n\r\n*VERTICES 3\n", "pajek"),
            ("a.dat", b"*Network x\n", "pajek"),
            ("a.net", b"1 2\n", "pajek"),
            ("a.dat", b"*5 6\n", "text"),
            ("a.dat", b'Creator "x"\ngraph\n[', "gml"),
            ("a.graph", b"3 3\n", "metis"),
            ("a.dat", b"PAR1", "parquet"),
            ("a.wsg", b"\x00", "gap"),
            ("a.txt", b"<?xml version='1.0'?>\n<!-- of nodes > edges -->\n<graphml>", "graphml"),
            ("a.xml", b"\xef\xbb\xbf<!DOCTYPE graphml SYSTEM 'graphml.dtd'><g:graphml xmlns:g='x'>", "graphml"),
            ("a.graphml", b"<gexf\nversion='1.3'>", "gexf"),
            ("a.gexf", b"\xff\xfe<\x00", "gexf"),
        ],
    )
    def test_it_follows_from_the_content_and_then_the_name(self, file_of, name, content, expected):
        assert detect(Source(file_of(content, name))).name == expected

    def test_what_is_asked_for_outweighs_both(self, arcs_of):
        assert len(arcs_of("3 1\n2 1\n", "n.graph", format="text")) == 2

    def test_a_mistyped_one_lists_those_that_are_known(self, arcs_of):
        with pytest.raises(ArgumentError, match=f"format='metiss' is not known; expected one of {', '.join(FORMATS)}"):
            arcs_of("0 1\n", format="metiss")

    @pytest.mark.parametrize("start", ["<?xml version='1.0'?>\n<svg>", "<!DOCTYPE html>"])
    def test_xml_and_html_are_no_edge_lists(self, arcs_of, start):
        with pytest.raises(ReadError, match="neither GraphML nor GEXF"):
            arcs_of(start, "n.txt")

    @pytest.mark.parametrize("asked", [{"source": 0}, {"target": "to"}, {"header": True}])
    def test_columns_of_a_format_without_columns_are_refused(self, file_of, asked):
        path = file_of("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", "n.mtx")
        for use in (read_arcs, stream_arcs):
            with pytest.raises(ArgumentError, match="files of the format matrix-market have no columns to choose"):
                use(path, **asked)

    def test_the_declarations_import_no_slow_library(self):
        code = "import sys, triadic.io; print(*{'pyarrow', 'scipy', 'numba'} & set(sys.modules))"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert run.stdout.strip() == ""

    def test_giving_up_a_banner_takes_no_time_even_where_blanks_abound(self, arcs_of):
        assert len(arcs_of("a b\n" + "\n" * 10_000 + "#" * 10_000 + "\nc d\n")) == 2


class TestNoNetworkAtAll:
    def test_a_missing_file(self, tmp_path):
        with pytest.raises(MissingFileError, match="there is no such file"):
            read_arcs(tmp_path / "no" / "such.txt")
        with pytest.raises(FileNotFoundError):
            read_arcs(str(tmp_path / "such.txt"))

    @pytest.mark.parametrize(
        "name",
        ["n.txt", "n.csv", "n.parquet", "n.mtx", "n.net", "n.graph", "n.gml", "n.graphml", "n.gexf", "n.sg", "n"],
    )
    def test_a_file_without_bytes(self, arcs_of, name):
        with pytest.raises(ReadError, match=r"the file is empty \(0 bytes\)"):
            arcs_of(b"", name)
        with pytest.raises(ReadError, match="0 bytes inside gzip"):
            arcs_of(gzip.compress(b""), name)

    @pytest.mark.parametrize(
        "name", ["n.txt", "n.csv", "n.parquet", "n.mtx", "n.net", "n.graph", "n.gml", "n.graphml", "n.gexf", "n.sg"]
    )
    def test_binary_junk(self, arcs_of, name):
        junk = np.random.default_rng(5).bytes(5000)
        with pytest.raises(ReadError) as caught:
            arcs_of(junk, name)
        assert "\n" not in str(caught.value)

    def test_a_folder_that_is_not_ours(self, tmp_path):
        with pytest.raises(ReadError, match=r"holds no file of edges; looked for \.txt .* \.pq, also with"):
            read_arcs(tmp_path)

    def test_a_file_in_the_place_of_our_folder(self, arcs_of):
        with pytest.raises(ReadError, match="is a file, expected a folder"):
            arcs_of("0 1\n", "n.txt", format="triadic")

    @pytest.mark.parametrize("path", [None, 5, b"\x00", "a\x00b", "x" * 5000])
    def test_what_is_no_path(self, path):
        with pytest.raises(TriadicError):
            read_arcs(path)

    @pytest.mark.parametrize(
        "asked",
        [
            {"num_vertices": -1},
            {"num_vertices": 1.5},
            {"num_vertices": "3"},
            {"num_vertices": True},
            {"num_vertices": 2**63},
            {"weights": -1},
            {"weights": 1.5},
            {"source": 1.5},
            {"source": "a", "target": "a"},
        ],
    )
    def test_arguments_that_cannot_be_used(self, arcs_of, asked):
        with pytest.raises(ArgumentError, match=f"{next(iter(asked))}="):
            arcs_of("0 1\n", **asked)

    def test_a_direction_that_is_no_flag(self, file_of):
        with pytest.raises(ArgumentError, match="directed='yes': expected"):
            triadic.read(file_of("0 1\n"), directed="yes")
