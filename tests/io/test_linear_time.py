"""Readers take time in proportion to a file, however long its runs of blanks, quotes, digits or marks are.

A quadratic pattern takes minutes of processor time for the runs below; a linear one takes milliseconds.
"""

from __future__ import annotations

import time
from itertools import product

import pytest

from strategies import NIGHTLY
from triadic.errors import TriadicError
from triadic.io import read_arcs
from triadic.io.reading import stream_arcs

LENGTH = 60_000
MOST_SECONDS = 5.0  # of processor time
RUNS = [
    b" ",
    b"\t",
    b'"',
    b"'",
    b",",
    b";",
    b"#",
    b"%",
    b"*",
    b"-",
    b".",
    b"1",
    b"0",
    b"a",
    b"[",
    b"<",
    b"&",
    b"\r",
    b'" ',
    b", ",
    b" ,",
    b'""',
    b'"a',
    b"1 ",
    b"# ",
    b"\xc3\xbc",
    b"\xff",
]
FRAMES = {
    "n.txt": [b"1 2\n%b", b"1 2\n%b3 4\n", b"1%b2\n3 4\n", b"a b\nc%b d\n", b"%b\n1 2\n"],
    "n.csv": [b"1,2\n%b", b'"a",b\n"c%b",d\n', b'"a",b\nc %b,"d"\n', b"a,b\nc%b x,d\n", b"%b,b\n1,2\n"],
    "n.tsv": [b"1\t2\n3%b\t4\n", b'"a"\tb\n"c%b\td\n'],
    "n.mtx": [
        b"%%%%MatrixMarket matrix coordinate real general\n%b\n3 3 1\n1 2 3\n",
        b"%%%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 3%b\n",
        b"%%%%MatrixMarket%b",
    ],
    "n.net": [b'*Vertices 2\n1 "a%b\n2\n*Arcs\n1 2\n', b"*Vertices 2\n*Arcs%b\n1 2\n", b"*%b"],
    "n.graph": [b"2 1%b\n2\n1\n", b"2 1\n2%b\n1\n"],
    "n.gml": [b'graph [ node [ id 1 label "%b ] ]', b"graph [%b", b"%bgraph [ ]"],
    "n.graphml": [
        b"<graphml>%b</graphml>",
        b'<graphml><graph edgedefault="directed"><node id="%b"/></graph></graphml>',
    ],
    "n.gexf": [b"<gexf>%b</gexf>"],
}


def is_quick(call):
    """Return whether a call takes little time of the processor; the first may compile a kernel, or be disturbed."""
    return any(_seconds(call) < MOST_SECONDS for _ in range(3))


def _seconds(call):
    started = time.process_time()
    call()
    return time.process_time() - started


@pytest.mark.parametrize("name", FRAMES)
def test_long_runs_do_not_hold_a_reader_up(tmp_path, name):
    """All runs in all frames in the nightly run, a third of them otherwise."""

    def read():
        try:
            read_arcs(tmp_path / name)
        except TriadicError:
            return

    for (place, frame), (number, run) in product(enumerate(FRAMES[name]), enumerate(RUNS)):
        if NIGHTLY or (number + place) % 3 == 0:
            (tmp_path / name).write_bytes(frame.replace(b"%b", run * (LENGTH // len(run))).replace(b"%%", b"%"))
            assert is_quick(read), (frame, run)


@pytest.mark.parametrize("read", [read_arcs, lambda path: stream_arcs(path).survey()])
@pytest.mark.parametrize(
    ("name", "first", "rows"),
    [
        ("n.txt", b"", b"a b\n" * 1_000_000),
        ("n.csv", b"", b"a,b\n" * 1_000_000),
        ("n.mtx", b"%%MatrixMarket matrix array real general\n", b"1000 1000\n" + b"1.0\n" * 1_000_000),
    ],
)
def test_many_comments_above_many_rows_do_not_hold_a_reader_up(tmp_path, name, first, rows, read):
    (tmp_path / name).write_bytes(first + b"% a comment\n" * 50_000 + rows)
    assert is_quick(lambda: read(tmp_path / name))
