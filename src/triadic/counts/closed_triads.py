"""Closed triads of a directed graph: triangles by what their arcs are.

In total the 7 closed types; by vertex the 15 roles that a vertex can play in them, or the census of all 16 types; and,
where asked for, the 27 labelled codes by original ids. Takes an oriented graph and nothing else; an undirected one
counts as all mutual. On the CPU: `triadic.devices.cpu.closed_triads` and `triadic.devices.cpu.vertex_census`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.progress import reporting
from triadic.core.triad_types import (
    CLOSED_NAMES,
    CLOSED_TYPE_OF_CODE,
    OPEN_NAMES,
    ROLE_OF_CODE,
    TRIAD_NAMES,
    TYPE_OF_CODE,
    states,
    turned,
)
from triadic.devices.cpu import closed_triads as cpu
from triadic.devices.cpu import labelled_wedges as wedges
from triadic.devices.cpu import vertex_census
from triadic.devices.cpu.closed_triads import CODES
from triadic.devices.gpu import closed_triads as gpu
from triadic.devices.gpu import vertex_census as gpu_census
from triadic.devices.select import resolve_device, run
from triadic.tiles.passes import sum_over_tiles
from triadic.tiles.tiles import Tiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword
    from triadic.devices.cpu.labelled_wedges import LabelledWedges

_WHAT, _BY_VERTEX = "closed triads", "closed triads by vertex"


def by_type(
    oriented: Oriented | Tiles, *, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.int64]:
    """Count closed triads by type, in the order of `triad_types.TRIAD_NAMES`: int64, shape (16,)."""
    codes = _by_code(oriented, labelled=False, threads=threads, device=device, progress=progress)[0]
    types = np.zeros(16, dtype=np.int64)
    np.add.at(types, TYPE_OF_CODE, codes)
    return types


def by_labelled_code(
    oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.int64]:
    """Count closed triads by their code with vertices in the order of their ids: int64, shape (64,)."""
    found = _by_code(oriented, labelled=True, threads=threads, device=device, progress=progress)
    codes = np.zeros(64, dtype=np.int64)
    for order, code in np.argwhere(found):
        codes[_sorted_code(int(order), int(code))] += found[order, code]
    return codes


def _by_code(
    oriented: Oriented | Tiles, *, labelled: bool, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.int64]:
    resolve_device(device, count=_WHAT)
    count = partial(_codes, labelled=labelled, threads=resolve_threads(threads), device=device)
    with reporting(progress, "counting closed triads") as report:
        if isinstance(oriented, Tiles):
            found = oriented.count(
                "closed-triads", count, columns=CODES, at_ranks=False, threads=threads, progress=report
            )
            return np.array(found, dtype=np.int64).reshape(-1, CODES)
        return count(oriented, report).reshape(-1, CODES)


def _codes(
    oriented: Oriented, report: Progress | None, *, labelled: bool, threads: int, device: str
) -> NDArray[np.int64]:
    """Count by code: all orders of ids where `labelled`, one after another, else the one that there is."""
    found = run(
        device,
        _device(device, _WHAT, oriented),
        lambda name: gpu.by_code(name, oriented, labelled=labelled, progress=report),
        lambda: cpu.by_code(oriented, labelled=labelled, threads=threads, progress=report),
    )
    return found.reshape(-1) if labelled else found[0]


def census_by_vertex(
    oriented: Oriented | Tiles,
    in_graph: tuple[int, int],
    *,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> NDArray[np.int64]:
    """Count the triads of all types at each vertex, in the order of `triad_types.TRIAD_NAMES`: int64, shape (n, 16).

    `in_graph` holds the asymmetric and the mutual dyads of the graph.
    """
    if isinstance(oriented, Tiles):
        return _census_of_tiles(oriented, in_graph, threads=threads, device=device, progress=progress)
    used, workers = _device(device, _BY_VERTEX, oriented), resolve_threads(threads)
    with reporting(progress, "counting closed triads") as report:
        return run(
            device,
            used,
            lambda name: gpu_census.census_by_vertex(name, oriented, in_graph, threads=workers, progress=report),
            lambda: vertex_census.census_by_vertex(oriented, in_graph, threads=workers, progress=report),
        )


def _census_of_tiles(
    tiles: Tiles, in_graph: tuple[int, int], *, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.int64]:
    resolve_device(device, count=_BY_VERTEX)
    workers = resolve_threads(threads)
    count = partial(_roles, roles=CLOSED_TYPE_OF_CODE, threads=workers, device=device)
    with reporting(progress, "counting closed triads") as report:
        closed = tiles.count(
            "closed-triads-by-vertex", count, columns=len(CLOSED_NAMES), at_ranks=True, threads=threads, progress=report
        )
    n = tiles.num_vertices
    at_ranks = dyads(tiles, threads=threads)
    ends = tiles.room("wedge-ends", (n, len(OPEN_NAMES)), np.int64)
    sum_over_tiles(tiles, at_ranks, lambda part, of: vertex_census.wedge_ends(part, of, threads=workers), ends)
    census = tiles.room("census-by-vertex", (n, len(TRIAD_NAMES)), np.int64)
    return vertex_census.fill(tiles.rank, in_graph, at_ranks, ends, closed, threads=workers, census=census)


def _roles(
    oriented: Oriented, report: Progress | None, *, roles: NDArray[np.int64], threads: int, device: str
) -> NDArray[np.int64]:
    return run(
        device,
        _device(device, _BY_VERTEX, oriented),
        lambda name: gpu.by_role(name, oriented, roles, progress=report),
        lambda: cpu.by_role(oriented, roles, threads=threads, progress=report),
    )


def by_role(oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword) -> NDArray[np.int64]:
    """Count closed triads at each rank by role, in the order of `triad_types.CLOSED_ROLES`: int64, shape (n, 15)."""
    resolve_device(device, count=_BY_VERTEX)
    workers = resolve_threads(threads)
    with reporting(progress, "counting closed triads") as report:
        return _roles(oriented, report, roles=ROLE_OF_CODE, threads=workers, device=device)


def no_count(*, threads: int | None, device: str, progress: ProgressKeyword) -> None:
    """Take the keywords of a measure that follows from what an oriented graph knows by itself."""
    resolve_threads(threads)
    resolve_device(device, count="dyads")
    with reporting(progress, "counting dyads") as report:
        if report is not None:
            report(0, 1)
            report(1, 1)


def dyads(oriented: Oriented | Tiles, *, threads: int | None) -> NDArray[np.int64]:
    """Count mutual, only-out and only-in neighbours of each rank: int64, shape (n, 3)."""
    if isinstance(oriented, Tiles):
        workers = resolve_threads(threads)
        found = oriented.room("dyads", (oriented.num_vertices, 3), np.int64)
        sum_over_tiles(oriented, found, lambda part, _: cpu.dyads(part, threads=workers), found)
        return found
    return cpu.dyads(oriented, threads=resolve_threads(threads))


def labelled_wedges(oriented: Oriented, *, threads: int | None) -> LabelledWedges:
    """Count pairs of dyads that share a vertex, by states and ids."""
    return wedges.labelled_wedges(oriented, threads=resolve_threads(threads))


def _device(device: str, count: str, oriented: Oriented) -> str:
    return resolve_device(device, count=count, oriented=oriented)


def _sorted_code(order: int, code: int) -> int:
    """Give the code that a triad has with its vertices in rising order of their ids.

    The bits of `order` say u < v, u < w and v < w.
    """
    uv, uw, vw = states(code)
    state = {(0, 1): uv, (0, 2): uw, (1, 2): vw, (1, 0): turned(uv), (2, 0): turned(uw), (2, 1): turned(vw)}
    below = {(0, 1): order & 1, (0, 2): order & 2, (1, 2): order & 4}
    place = [sum(1 for pair, less in below.items() if x in pair and (pair[0] == x) != bool(less)) for x in range(3)]
    a, b, c = sorted(range(3), key=place.__getitem__)
    return state[a, b] + 4 * state[a, c] + 16 * state[b, c]
