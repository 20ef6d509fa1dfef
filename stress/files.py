"""Mutated files of every format: each is a network or one error in one line, in bounded memory and bounded work.

A reader that accepts a file must return arcs within the vertices, the same arcs as a stream, and a graph with as many
triangles as the dumbest count finds. Workers run under a limit on memory. A worker that spends seconds on one small
file hangs, and is killed.
"""

from __future__ import annotations

import gzip
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path

import numpy as np

MEMORY = 3 << 30  # address space left to read a file
SECONDS, BOMB_SECONDS = 10.0, 120.0  # processor time for one file
MANY = 1_000_000  # vertices or arcs that may not fit in memory, and that a dumb count takes too long for
BOMBS = 0.004  # share of files that unpack to very many times their size
BOMB_BYTES = 256 << 20  # text of such a file
BOMB_MEMORY = 768 << 20  # address space left to read it
TOKENS = [
    *(bytes([letter]) for letter in b"0123456789 \t\n\r,;#%*\"'[]<>/&!-+.eaN\x00\xff="),
    b"\r\n",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"-1",
    b"1e999",
    b"nan",
    b"inf",
    b"0x10",
    b"1_000",
    b"9223372036854775807",
    b"9223372036854775808",
    b"18446744073709551616",
    b"99999999",
    b"4294967296",
    b"2147483648",
    b"\xe2\x80\xa8",
    b"source,target\n",
    b"# Nodes: 3 Edges: 4\n",
    b"% bip\n",
    b"*Vertices 3\n",
    b"*Arcs\n",
    b"*Edges\n",
    b"*Matrix\n",
    b"graph [",
    b"node [ id 1 ]",
    b"<graph>",
    b"</graph>",
    b"<!ENTITY a 'b'>",
    b"<!DOCTYPE a>",
    b"&a;",
    b"<edge/>",
    b"%%MatrixMarket matrix coordinate real general\n",
    b"PAR1",
    b'"a,b"',
    b'""',
    b"sep=;\n",
    b"\x1b]0;title\x07",
    b"\xc2\x9b31m",
    b"\xe2\x80\xae",
]
# A few bytes that declare a hundred million vertices.
DECLARATIONS = [
    ("a.graph", b"99999999 1\n"),
    ("a.net", b"*Vertices 99999999\n"),
    ("a.net", b"*Vertices 99999999\n*Matrix\n1\n"),
    ("a.mtx", b"%%MatrixMarket matrix coordinate pattern general\n99999999 99999999 1\n1 2\n"),
    ("a.mtx", b"%%MatrixMarket matrix array real symmetric\n99999999 99999999\n1\n"),
    ("a.sg", b"\0" + (1).to_bytes(8, "little") + (99999999).to_bytes(8, "little") + bytes(16)),
    ("a.txt", b"# Nodes: 99999999 Edges: 1\n1 2\n"),
    ("a.txt", b"1 99999999\n"),
]
OPTIONS = [
    {},
    {},
    {},
    {"directed": False},
    {"directed": True},
    {"weights": True},
    {"num_vertices": 9},
    {"num_vertices": 0},
    {"weights": 2},
    {"weights": "weight"},
    {"directed": False, "weights": True},
]


def samples():
    """Return valid files, by name: those of the tests of readers, and each format that triadic writes."""
    tests = Path(__file__).parents[1] / "tests"
    sys.path[:0] = [str(tests / "io"), str(tests)]
    from test_fuzz import VALID

    return [(name, content) for name, contents in VALID.items() for content in contents] + DECLARATIONS


def mutate(content, others, rng):
    """Return a file with a few random changes."""
    for _ in range(int(rng.integers(1, 5))):
        size = len(content)
        start = int(rng.integers(size + 1))
        stop = min(size, start + int(rng.integers(1, 12)))
        kind = int(rng.integers(9))
        if kind == 0 and size:
            start = int(rng.integers(size))
            content = content[:start] + bytes([content[start] ^ 1 << int(rng.integers(8))]) + content[start + 1 :]
        elif kind == 1:
            content = content[:start] + content[stop:]
        elif kind == 2:
            content = content[:stop] + content[start:stop] * int(rng.integers(1, 4)) + content[stop:]
        elif kind in (3, 4):
            content = content[:start] + TOKENS[rng.integers(len(TOKENS))] + content[start:]
        elif kind == 5:
            content = content[:start] + TOKENS[rng.integers(len(TOKENS))] + content[stop:]
        elif kind == 6:
            other = others[rng.integers(len(others))][1]
            cut = int(rng.integers(len(other) + 1))
            content = content[:start] + other[cut:]
        elif kind == 7 and rng.random() < 0.1:
            content = (
                content[:start] + TOKENS[rng.integers(len(TOKENS))] * int(rng.integers(1000, 20000)) + content[start:]
            )
        elif kind == 8 and rng.random() < 0.2:
            content = content[:start]
    return content


def bomb(name, content, rng):
    """Return the name and the bytes of a small packed file whose text repeats a part of a file again and again."""
    start = int(rng.integers(len(content) + 1))
    unit = content[start : start + int(rng.integers(1, 40))] + b"\n" * int(rng.integers(2)) or b"0"
    block = gzip.compress(unit * ((1 << 22) // len(unit)), 1, mtime=0)
    return f"{name}.gz", gzip.compress(content, 1, mtime=0) + block * (BOMB_BYTES >> 22)


@contextmanager
def address_space(left):
    """Leave this much address space to the process, which counts as available memory.

    What the process has mapped does not count: threads and allocators keep address space that they do not use.
    """
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (mapped + left, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def whole(path, options):
    """Read the arcs of a file; return None for one that is refused, and whether it was for memory.

    A stream does not read attributes; a file in which only these are wrong is read without them.
    """
    from triadic.errors import OutOfMemoryError, TriadicError, escape_controls
    from triadic.io import read_arcs

    try:
        return read_arcs(path, **options), False
    except TriadicError as error:
        assert str(error) == escape_controls(str(error)), f"control characters: {str(error)!r}"
        if isinstance(error, OutOfMemoryError):
            return None, True
    with suppress(TriadicError):
        return read_arcs(path, columns=[], **options), False
    return None, False


def check(path, options):
    """Read a file in both ways; return the outcome, or raise what should not be raised."""
    import triadic
    from triadic.errors import OutOfMemoryError, TriadicError
    from triadic.io.reading import stream_arcs

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arcs, too_large = whole(path, options)
        if "weights" not in options:
            try:
                stream = stream_arcs(path, **options)
                survey = stream.survey()
                count = 0
                for piece in stream.pieces():
                    for name, found in zip(("source", "target"), piece, strict=True):
                        expected = found if arcs is None else getattr(arcs, name)[count : count + len(found)]
                        assert np.array_equal(found, expected), f"another {name} as a stream"
                    count += len(piece[0])
            except OutOfMemoryError as error:
                # A stream holds the degree of every vertex, and a packed text may take more memory in another order.
                many = arcs is None or max(arcs.vertices, len(arcs)) > MANY
                assert many, f"read whole, but as a stream: {error}"
                return "refused for memory"
            except TriadicError as error:
                assert arcs is None, f"read whole, but as a stream: {error}"
            else:
                if too_large:
                    return "refused for memory"
                assert arcs is not None, "read as a stream, but not whole"
                assert survey.vertices == arcs.vertices, "another number of vertices as a stream"
                assert survey.arcs == count == len(arcs), "another number of arcs as a stream"
        if arcs is None:
            return "refused for memory" if too_large else "refused"
        n = arcs.vertices
        assert len(arcs.source) == len(arcs.target)
        assert len(arcs) == 0 or min(arcs.source.min(), arcs.target.min()) >= 0, "a negative vertex"
        assert len(arcs) == 0 or max(arcs.source.max(), arcs.target.max()) < n, "a vertex out of range"
        assert arcs.weights is None or np.isfinite(arcs.weights).all(), "a weight that is not finite"
        if n > 5000 or len(arcs) > MANY:
            return "read"
        try:
            graph = triadic.Graph.from_arcs(arcs)
        except TriadicError as error:
            assert arcs.weights is not None or arcs.columns, f"no graph: {error}"
            return "refused"
        near = {v: set() for v in range(n)} if n < 200 else None
        if near is not None:
            for u, v in zip(arcs.source.tolist(), arcs.target.tolist(), strict=True):
                if u != v:
                    near[u].add(v)
                    near[v].add(u)
            expected = sum(len(near[u] & near[v]) for u in near for v in near[u]) // 6
            assert triadic.triangle_count(graph, threads=1) == expected, "another number of triangles"
    return "read"


def work(number, seed, count, folder, connection):
    """Check files in a worker, and report each outcome."""
    rng = np.random.default_rng([seed, number])
    known = samples()
    for _ in range(count):
        name, content = known[rng.integers(len(known))]
        content = mutate(content, known, rng)
        room, seconds = MEMORY, SECONDS
        if rng.random() < BOMBS:
            name, content = bomb(name, content, rng)
            room, seconds = BOMB_MEMORY, BOMB_SECONDS
        elif rng.random() < 0.05:
            name, content = f"{name}.gz", gzip.compress(content, 1, mtime=0)
        elif rng.random() < 0.02:
            name = known[rng.integers(len(known))][0]
        options = OPTIONS[rng.integers(len(OPTIONS))]
        path = folder / f"{number}-{name}"
        path.write_bytes(content)
        connection.send(("start", f"{name} {options}", (content, seconds)))
        try:
            with address_space(room):
                outcome, problem = check(path, options), None
        except BaseException:
            outcome, problem = "FAILED", traceback.format_exc()
        path.unlink(missing_ok=True)
        connection.send((outcome, problem, None))
    connection.close()


def seconds_of(process):
    """Return the processor time of a process."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(count, seed, folder, tally, workers=1, work=work):
    """Check `count` mutated files, or other inputs that `work` checks and reports in the same way."""
    import triadic

    triadic.triangle_count(triadic.Graph.from_edges([0, 1], [1, 2]), threads=1)
    from triadic.io import read_arcs

    for _, content in samples()[:3]:
        (folder / "n.txt").write_bytes(content)
        read_arcs(folder / "n.txt")
    context = get_context("fork")
    left, started = dict.fromkeys(range(workers), -(-count // workers)), 0
    running = {}

    def start(number):
        nonlocal started
        started += 1
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(started, seed, left[number], folder, theirs))
        process.start()
        theirs.close()
        running[number] = [process, ours, None, 0.0]

    for number in left:
        start(number)
    while running:
        for number, state in list(running.items()):
            process, ours = state[:2]
            try:
                moved = False
                while ours.poll(0 if moved else 0.05):
                    moved = True
                    word, detail, content = ours.recv()
                    if word == "start":
                        state[2], state[3] = (detail, content[0]), seconds_of(process.pid) + content[1]
                        continue
                    left[number] -= 1
                    if word == "FAILED":
                        tally.fail(detail.strip()[-1500:], case=state[2][0], content=state[2][1])
                    else:
                        tally.add(word)
                    state[2] = None
                if state[2] is not None and seconds_of(process.pid) > state[3]:
                    os.kill(process.pid, signal.SIGKILL)
                    raise EOFError("hangs")
                if not process.is_alive() and not ours.poll():
                    raise EOFError("died")
            except EOFError as end:
                process.join(30)
                del running[number]
                if state[2] is not None:
                    left[number] -= 1
                    how = str(end) or f"the process ended with {process.exitcode}"
                    tally.fail(how, case=state[2][0], content=state[2][1])
                if left[number] > 0:
                    start(number)
        time.sleep(0.001)
