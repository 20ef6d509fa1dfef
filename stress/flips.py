"""Flipped bits, zeroed pages and cut ends in every file that is read back: the right number or an error."""

from __future__ import annotations

import shutil
import warnings

import numpy as np


def measure(triadic, folder):
    """Return all counts of the tiles of a folder."""
    graph = triadic.TiledGraph(folder)
    return (
        triadic.triangles(graph).tolist(),
        graph.degree.tolist(),
        triadic.transitivity(graph),
        dict(triadic.triad_census(graph)),
        triadic.triad_census(graph, by="vertex").tolist(),
        None if graph.labels is None else graph.labels.tolist(),
    )


def damaged(content, rng):
    """Return a damaged copy, and what was done to it."""
    kind = int(rng.integers(5))
    at = int(rng.integers(len(content)))
    if kind <= 1:
        return content[:at] + bytes([content[at] ^ 1 << int(rng.integers(8))]) + content[
            at + 1 :
        ], f"bit flipped at {at}"
    if kind == 2:
        start = at - at % 64
        zeros = content[:start] + bytes(len(content[start : start + 64])) + content[start + 64 :]
        return zeros, f"64 bytes from {start} zeroed"
    if kind == 3:
        return content[:at], f"cut at {at}"
    return content + bytes(int(rng.integers(1, 64))), "made longer"


def run(count, seed, folder, tally):
    """Damage `count` files, one at a time."""
    import triadic
    from triadic.errors import TriadicError

    warnings.simplefilter("ignore")
    rng = np.random.default_rng(seed)
    arcs = rng.zipf(1.6, (400, 2)) % 70
    (folder / "network.txt").write_text("".join(f"v{u} v{v}\n" for u, v in arcs.tolist()))
    base, copy = folder / "base", folder / "copy"
    shutil.rmtree(base, ignore_errors=True)
    triadic.tile(folder / "network.txt", base, directed=True, ranges=3)
    truth = measure(triadic, base)
    if measure(triadic, base) != truth:
        raise SystemExit("stored results differ from counted ones")
    names = sorted(path.relative_to(base) for path in base.rglob("*") if path.is_file() and path.stat().st_size)
    for _ in range(count):
        name = names[rng.integers(len(names))]
        content, what = damaged((base / name).read_bytes(), rng)
        if content == (base / name).read_bytes():
            tally.add("unchanged")
            continue
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(base, copy)
        (copy / name).write_bytes(content)
        try:
            found = measure(triadic, copy)
        except TriadicError as error:
            if str(copy) in str(error):
                tally.add("refused")
            else:
                tally.fail(f"the error names no file: {error}", case=f"{name}: {what}")
        except BaseException as error:
            tally.fail(repr(error), case=f"{name}: {what}", content=content)
        else:
            if found == truth:
                tally.add("right")
            else:
                tally.fail("another number", case=f"{name}: {what}", content=content)
