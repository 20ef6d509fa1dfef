"""Packed data sets of many graphs: bombs, forged sizes, damaged directories, odd members, mutated texts."""

from __future__ import annotations

import io
import struct
import traceback
import warnings
import zipfile

import numpy as np

import files

LEFT = 1 << 29  # bytes of address space
SECONDS = 60
UNITS = [b"1\n", b"1 ", b"\n", b"0", b"1, 2\n", b"-1\n", b"1.5\n", b" \n", b"99999999999\n"]
BOMB_BYTES = 1 << 26
NAMES = ["A", "graph_indicator", "graph_labels", "edge_attributes", "node_labels"]
PACKINGS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]


def texts_of(rng):
    """Return the texts of the files of a random data set."""
    graphs = int(rng.integers(1, 6))
    graph = np.repeat(np.arange(1, graphs + 1), rng.integers(1, 8, graphs))
    starts = np.searchsorted(graph, graph)
    arcs = int(rng.integers(0, 40))
    u = rng.integers(0, len(graph), arcs)
    v = starts[u] + rng.integers(0, 8, arcs) % np.bincount(graph)[graph[u]]
    lines = {
        "A": [f"{a + 1}, {b + 1}" for a, b in zip(u.tolist(), v.tolist(), strict=True)],
        "graph_indicator": [str(each) for each in graph.tolist()],
        "graph_labels": [str(each % 2) for each in range(graphs)],
        "edge_attributes": [f"{x:.3f}, {y:.3f}" for x, y in rng.random((arcs, 2)).tolist()],
        "node_labels": ["0"] * len(graph),
    }
    kept = NAMES if rng.random() < 0.5 else NAMES[:2]
    return {name: "".join(f"{line}\n" for line in lines[name]).encode() for name in kept}


def packed(texts, rng):
    """Return the bytes of an archive, whose texts may be bombs, doubled, mutated, or in folders."""
    target = io.BytesIO()
    prefix = ["", "DS/", "a/b/", "../"][int(rng.choice(4, p=[0.6, 0.2, 0.1, 0.1]))]
    bomb = NAMES[int(rng.integers(4))] if rng.random() < 0.05 else None
    with zipfile.ZipFile(target, "w", PACKINGS[int(rng.choice(4, p=[0.1, 0.6, 0.15, 0.15]))]) as archive:
        for name, text in texts.items():
            member = f"{prefix}DS_{name}.txt"
            if name == bomb:
                unit = UNITS[int(rng.integers(len(UNITS)))]
                piece = unit * ((1 << 20) // len(unit))
                with archive.open(member, "w") as stream:
                    for _ in range(BOMB_BYTES >> 20):
                        stream.write(piece)
                continue
            content = files.mutate(text, [("", text)], rng) if rng.random() < 0.2 else text
            archive.writestr(member, content)
            if rng.random() < 0.05:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # a name twice
                    archive.writestr(member, text)
    return target.getvalue()


def forged(content, rng):
    """Return an archive with a forged size, offset, method, flag, name or checksum, or with damaged bytes."""
    changed = bytearray(content)
    kind = int(rng.integers(4))
    if kind == 0:
        return bytes(files.mutate(content, [("", content)], rng))
    marks = [b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"]
    for _ in range(int(rng.integers(1, 4))):
        mark = marks[int(rng.integers(3))]
        places = [at for at in range(len(content)) if content.startswith(mark, at)] if len(content) < 1 << 20 else []
        if not places:
            continue
        at = places[int(rng.integers(len(places)))] + int(rng.choice(np.arange(4, 46)))
        if kind == 1:
            value = int(rng.choice([0, 1, 255, 2**31 - 1, 2**31, 2**32 - 1, len(content), int(rng.integers(2**32))]))
            changed[at : at + 4] = struct.pack("<I", value)[: len(changed[at : at + 4])]
        else:
            changed[at : at + 1] = bytes([int(rng.integers(256))])[: len(changed[at : at + 1])]
    return bytes(changed)


def check(path, weights):
    """Read an archive; return the outcome, or raise what should not be raised."""
    import triadic
    from triadic.errors import OutOfMemoryError, TriadicError, escape_controls

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            batch = triadic.read_batch(path, weights=weights)
        except TriadicError as error:
            assert str(error) == escape_controls(str(error)), f"control characters: {str(error)!r}"
            return "refused for memory" if isinstance(error, OutOfMemoryError) else "refused"
    assert batch.sizes.sum() == batch.num_vertices, "sizes and vertices differ"
    if batch.num_vertices < 1000:
        whole = [triadic.triangle_count(graph, threads=1) for graph in batch]
        assert whole == triadic.triangle_count(batch, threads=1)["triangles"].tolist(), (
            "other triangles of the graphs one by one"
        )
    return "read"


def work(number, seed, count, folder, connection):
    """Check archives in a worker, and report each outcome."""
    for case in range(count):
        rng = np.random.default_rng([seed, number, case])
        content = packed(texts_of(rng), rng)
        if rng.random() < 0.6:
            content = forged(content, rng)
        path = folder / f"{number}.zip"
        path.write_bytes(content)
        connection.send(("start", f"archive {seed} {number} {case}", (content, SECONDS)))
        try:
            with files.address_space(LEFT):
                outcome, problem = check(path, True if rng.random() < 0.2 else None), None
        except BaseException:
            outcome, problem = "FAILED", traceback.format_exc()
        path.unlink(missing_ok=True)
        connection.send((outcome, problem, None))
    connection.close()


def run(count, seed, folder, tally):
    """Check `count` archives."""
    files.run(count, seed, folder, tally, work=work)
