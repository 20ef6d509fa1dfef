"""Proposals of random subgraphs: draws that are accepted or rejected so that each subgraph has the same probability.

A `Proposal` has a mass: each subgraph that it can accept is accepted with probability 1 / mass a draw. Several
proposals for different subgraphs are mixed in proportion to their masses; then all have the same probability.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.draws import derive_keys
from triadic.core.graphlets import GRAPHS
from triadic.core.oriented import as_unsigned, frozen
from triadic.core.triad_types import TYPE_OF_CODE
from triadic.devices.cpu.draws import wedge_sampling
from triadic.devices.cpu.draws.choice import neighbours, sums_before
from triadic.devices.cpu.draws.path_sampling import CLIQUE, CYCLE, DIAMOND, PATH, PAW, PathTables
from triadic.devices.cpu.draws.star_sampling import draw_stars, edges_of_leaves, places_below, unit_draws, write_codes
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.array_types import BoolArray, Int64Array, Uint8Array
    from triadic.core.oriented import Oriented

    Drawn = tuple[Int64Array, BoolArray]

_BATCH = 1 << 17
FIRST_DRAWS = 1 << 20  # after which rare triads are listed instead, and triads that were never met are counted
_SHAPES = {PATH: "3-path", PAW: "paw", CYCLE: "4-cycle", DIAMOND: "diamond", CLIQUE: "4-clique"}
_PATHS_OF = {PATH: 1, PAW: 2, CYCLE: 4, DIAMOND: 6, CLIQUE: 12}  # paths of three edges in a subgraph
_CENTRED_OF = {CYCLE: 1, DIAMOND: 1, CLIQUE: 3}
CLOSING = tuple(_SHAPES[kind] for kind in _CENTRED_OF)  # shapes that hold a 4-cycle
SHAPES = {3: ("2-path", "triangle"), 4: tuple(name for name in GRAPHS if name == "claw" or name in _SHAPES.values())}


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """Draws of one kind.

    Attributes
    ----------
    mass : int
        One over the probability with which a draw is a given subgraph and accepted.
    draw : callable
        ``draw(key, numbers)`` returns the ranks of the draws of these numbers, int64 of shape (draws, vertices), and
        whether each is accepted.
    """

    mass: int
    draw: Callable[[int, Int64Array], Drawn]


def accepted(
    proposals: Sequence[Proposal],
    samples: int,
    size: int,
    key: int,
    *,
    most: int,
    unmet: Callable[[int], None] | None = None,
) -> tuple[Int64Array, int]:
    """Draw until `samples` draws are accepted, or `most` are made.

    If none of the first million draws is accepted, ``unmet(left)`` is called once with the number of draws that are
    left; it may raise.

    Returns
    -------
    ranks : int64 array, shape (at most samples, size)
        Of the accepted draws, in the order of draws.
    made : int
        Number of draws.
    """
    proposals = [each for each in proposals if each.mass > 0]
    total = sum(each.mass for each in proposals)
    bounds = np.cumsum([each.mass / total for each in proposals]) if proposals else np.zeros(0)
    choice, *keys = (int(each) for each in derive_keys(key, 1 + len(proposals)))
    found: list[Int64Array] = []
    made = got = 0
    batch = min(_BATCH, max(1024, 2 * samples))
    while proposals and got < samples and made < most:
        numbers = np.arange(made, made + batch)
        unit = np.empty(batch)
        unit_draws(np.uint64(choice), numbers, np.uint64(0), unit)
        kind = np.minimum(np.searchsorted(bounds, unit, side="right"), len(proposals) - 1)
        ranks, taken = np.empty((batch, size), dtype=np.int64), np.zeros(batch, dtype=bool)
        for i, proposal in enumerate(proposals):
            mine = np.flatnonzero(kind == i)
            if len(mine):
                ranks[mine], taken[mine] = proposal.draw(keys[i], numbers[mine])
        found.append(ranks[taken])
        got += len(found[-1])
        made += batch
        batch = _BATCH
        if unmet is not None and not got and FIRST_DRAWS <= made < most:
            unmet(most - made)
            unmet = None
    ranks = np.concatenate([*found, np.empty((0, size), dtype=np.int64)])[:samples]
    return ranks, made


def closed_triads(oriented: Oriented, types: BoolArray, *, threads: int) -> Proposal:
    """Return the proposal of closed triads of some types, bool of shape (16,), by wedges of oriented rows."""
    table = wedge_sampling.row_table(oriented, local=False, threads=threads)

    def draw(key: int, numbers: Int64Array) -> Drawn:
        first = int(numbers[0])
        ranks, codes = wedge_sampling.draws(oriented, table, key, first, int(numbers[-1]) + 1, threads=threads)
        here = numbers - first
        ranks, codes = ranks[here], codes[here]
        return ranks, (codes >= 0) & types[TYPE_OF_CODE[codes]]

    return Proposal(table.total, draw)


def connected_triads(oriented: Oriented, types: BoolArray, *, threads: int) -> Proposal:
    """Return the proposal of connected triads of some types, by wedges around all vertices."""
    degree = oriented.degree
    rows = neighbours(oriented, threads=threads)
    before = sums_before(degree * (degree - 1) // 2, "wedges")

    def draw(key: int, numbers: Int64Array) -> Drawn:
        ranks = np.empty((len(numbers), 3), dtype=np.int64)
        draw_stars(rows, before, np.uint64(key), numbers, ranks)
        codes = _codes_of(oriented, ranks)
        # A closed triad has three wedges, and is accepted at its largest rank only.
        is_open = (codes & 3 == 0) | (codes >> 2 & 3 == 0) | (codes >> 4 == 0)
        taken: BoolArray = types[TYPE_OF_CODE[codes]] & (is_open | (ranks[:, 0] == ranks.max(axis=1)))
        return ranks, taken

    return Proposal(int(before[-1]), draw)


def one_edge(oriented: Oriented, types: BoolArray) -> Proposal:
    """Return the proposal of triads with one edge: a random edge, and a random vertex."""
    n, m = oriented.num_vertices, oriented.num_edges

    def draw(key: int, numbers: Int64Array) -> Drawn:
        entry, third = _below(m, key, numbers, 0), _below(n, key, numbers, 1)
        ranks = np.empty((len(numbers), 3), dtype=np.int64)
        ranks[:, 0] = np.searchsorted(oriented.indptr, entry, side="right") - 1
        ranks[:, 1] = oriented.indices[entry]
        ranks[:, 2] = third
        other = (third != ranks[:, 0]) & (third != ranks[:, 1])
        ranks[~other, 2] = ranks[~other, 1]  # the codes of these are not read
        codes = _codes_of(oriented, ranks)
        taken: BoolArray = other & types[TYPE_OF_CODE[codes]]
        return ranks, taken

    return Proposal(m * n, draw)


def no_edge(oriented: Oriented) -> Proposal:
    """Return the proposal of three vertices without an edge: three random vertices."""
    n = oriented.num_vertices

    def draw(key: int, numbers: Int64Array) -> Drawn:
        ranks = np.stack([_below(n, key, numbers, i) for i in range(3)], axis=1)
        a, b, c = ranks.T
        codes = _codes_of(oriented, ranks)
        taken: BoolArray = (a != b) & (a != c) & (b != c) & (codes == 0)
        return ranks, taken

    return Proposal(n**3 // 6 if n >= 3 else 0, draw)  # six orders of the same three vertices


def _below(bound: int, key: int, numbers: Int64Array, column: int) -> Int64Array:
    """Return a random whole number below a bound for each draw; those of different columns are independent."""
    found = np.empty(len(numbers), dtype=np.int64)
    places_below(np.uint64(key), numbers, np.uint64(column), bound, found)
    return found


def _codes_of(oriented: Oriented, ranks: Int64Array) -> Int64Array:
    """Return the codes of triads of some ranks."""
    codes = np.empty(len(ranks), dtype=np.int64)
    write_codes(oriented.indptr, as_unsigned(oriented.indices), states_of(oriented), ranks, codes)
    return codes


def paths(oriented: Oriented, shapes: set[str], *, centred: bool, threads: int) -> Proposal:
    """Return the proposal of subgraphs of four vertices that hold a path of three edges, or if `centred` a 4-cycle."""
    rows = neighbours(oriented, threads=threads)
    tables = PathTables(oriented, rows, centred=centred, threads=threads)
    chance = np.zeros(7)
    for kind, times in (_CENTRED_OF if centred else _PATHS_OF).items():
        chance[kind] = (_SHAPES[kind] in shapes) / times

    def draw(key: int, numbers: Int64Array) -> Drawn:
        first, own = int(numbers[0]), derive_keys(key, 2)
        ranks, kinds = tables.draws(int(own[0]), first, int(numbers[-1]) + 1, threads=threads)
        ranks, kinds = ranks[numbers - first], kinds[numbers - first]
        coin = np.empty(len(numbers))
        unit_draws(own[1], numbers, np.uint64(0), coin)
        return ranks, coin < chance[kinds]

    return Proposal(tables.table.total, draw)


def claws(oriented: Oriented, *, threads: int) -> Proposal:
    """Return the proposal of claws: a random star of three edges, if no two of its leaves are joined."""
    degree = oriented.degree
    pairs = degree * (degree - 1) // 2
    rows = neighbours(oriented, threads=threads)
    stars = pairs // 3 * (degree - 2) + pairs % 3 * (degree - 2) // 3
    before = sums_before(stars, "stars of three edges")

    def draw(key: int, numbers: Int64Array) -> Drawn:
        ranks = np.empty((len(numbers), 4), dtype=np.int64)
        draw_stars(rows, before, np.uint64(key), numbers, ranks)
        edges = np.empty(len(numbers), dtype=np.int64)
        edges_of_leaves(rows.indptr, rows.indices, ranks, edges)
        return ranks, edges == 0

    return Proposal(int(before[-1]), draw)


def states_of(oriented: Oriented) -> Uint8Array:
    """Return the states of the edges, empty for an undirected graph."""
    return frozen(np.zeros(0, dtype=np.uint8)) if oriented.state is None else oriented.state


def check_enough(found: int, samples: int, made: int, what: str) -> None:
    """Raise if draws ended before there were enough samples."""
    if found < samples:
        raise ArgumentError(
            f"samples={samples}: {made:,} draws met {found:,} {what}, which are too rare; ask for fewer samples, "
            "or raise max_draws"
        )
