"""The layout of tiles: ranks are cut into ranges, and an edge lies in the tile of its row's and its column's range.

The header of stored tiles is a JSON file with their layout that is written last: tiles with a header are complete.

A triangle {u, v, w} with ranks u > v > w has u in a range i, v in a range j and w in a range k, where i >= j >= k. Its
edges are in the tiles (i, j), (i, k) and (j, k). Every triangle lies in exactly one triple of ranges, so triples are
counted separately and added up.
"""

from __future__ import annotations

from dataclasses import asdict, field, replace
from hashlib import blake2b
from math import isqrt, log2
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.arcs import Dropped
from triadic.core.oriented import int_zeros
from triadic.core.records import record
from triadic.errors import ReadError
from triadic.graph.weights import EdgeLimits
from triadic.tiles.file_format import parse_json, seal, verify

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from triadic.core.array_types import Int64Array
    from triadic.tiles.url_store import TileStore


UNKNOWN_LIMITS = (0.0, 0.0)  # of tiles whose weights are not sorted yet


@record
class Layout:
    """The size of a graph and the ranges of its tiles.

    Attributes
    ----------
    cuts : int64 array, shape (ranges + 1,)
        First rank of each range, and the number of vertices. Ranks are those of `triadic.core.oriented.Oriented`.
    tile_edges : int64 array, shape (ranges, ranges)
        Number of edges in the tile of rows in range i and columns in range j; zero where j > i.
    directed : bool
        Whether tiles store the directions of arcs.
    arcs : int
        Number of different arcs of a directed graph; twice the number of edges of an undirected one.
    dropped : Dropped
        Arcs that were dropped or joined when the graph was made.
    weight_limits : (float, float), optional
        Least and largest weight of the arcs, if tiles come with weights; (0, 0) without arcs.
    edge_limits : EdgeLimits, optional
        Limits of the weights of edges without directions, of tiles with weights. None if they are not known, or exceed
        float64.
    """

    cuts: Int64Array
    tile_edges: Int64Array
    directed: bool
    arcs: int
    dropped: Dropped = field(default_factory=Dropped)
    weight_limits: tuple[float, float] | None = None
    edge_limits: EdgeLimits | None = None

    @property
    def weighted(self) -> bool:
        """Whether tiles come with weights."""
        return self.weight_limits is not None

    @property
    def kinds(self) -> int:
        """Number of weights of an edge in a tile: 0 without weights, 1 if undirected, 2 if directed."""
        return int(self.weighted) * (1 + int(self.directed))

    @property
    def edge_bytes(self) -> int:
        """Number of bytes of an edge in a tile in memory."""
        return (5 if self.directed else 4) + 8 * self.kinds

    @property
    def ranges(self) -> int:
        """Number of ranges, P."""
        return len(self.cuts) - 1

    @property
    def vertices(self) -> int:
        """Number of vertices, n."""
        return int(self.cuts[-1])

    @property
    def edges(self) -> int:
        """Number of edges of the skeleton, m."""
        return int(self.tile_edges.sum())

    @property
    def tiles(self) -> list[tuple[int, int]]:
        """The ranges (i, j), j <= i, of all tiles, in the order of their numbers."""
        return [(i, j) for i in range(self.ranges) for j in range(i + 1)]

    def length(self, i: int) -> int:
        """Return the number of ranks in range `i`."""
        return int(self.cuts[i + 1] - self.cuts[i])

    def tile_bytes(self, i: int, j: int) -> int:
        """Return the number of bytes of the tile of ranges `i` and `j` in memory."""
        return 8 * (self.length(i) + 1) + self.edge_bytes * int(self.tile_edges[i, j])

    def first_ranks(self, ranks: int) -> Layout:
        """Return the layout of the first `ranks` ranks alone.

        Ranges past them become empty. `tile_edges` is an upper bound in the range that is cut short.
        """
        cuts = np.minimum(self.cuts, ranks)
        return replace(self, cuts=cuts, tile_edges=self.tile_edges * (np.diff(cuts) > 0)[:, None])


def written_layout(
    cuts: Int64Array,
    tiles: Mapping[tuple[int, int], dict[str, Any]],
    *,
    directed: bool,
    weighted: bool,
    keys: int,
    loops: int,
    both_ends: bool = False,
) -> Layout:
    """Return the layout of tiles that are written, with the numbers of arcs that were dropped or joined.

    Parameters
    ----------
    cuts, directed
        Attributes of the layout.
    tiles : mapping of (int, int) to dict
        What `triadic.tiles.sorting.SortedTile.about` returns of each tile.
    weighted : bool
        Whether tiles have weights.
    keys, loops : int
        Number of arcs with repeats, and of loops.
    both_ends : bool, default False
        Whether the undirected input has an edge at both its ends.
    """
    tile_edges = int_zeros((len(cuts) - 1,) * 2)
    for tile, about in tiles.items():
        tile_edges[tile] = about["edges"]
    arcs, edges = sum(int(about["arcs"]) for about in tiles.values()), int(tile_edges.sum())
    dropped = Dropped(loops, keys - arcs, 0 if directed or both_ends else arcs - edges)
    layout = Layout(cuts, tile_edges, directed, arcs if directed else 2 * edges, dropped)
    if not weighted:
        return layout
    known = [about for about in tiles.values() if "weights" in about]
    limits, of_edges = ([about[name] for about in known] for name in ("weights", "edge_weights"))
    return replace(layout, weight_limits=joined_limits(limits), edge_limits=joined_edge_limits(of_edges))


def joined_limits(limits: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the least and the largest number of the limits of several tiles.

    Examples
    --------
    >>> joined_limits([(1.0, 3.0), (2.0, 5.0)]), joined_limits([])
    ((1.0, 5.0), (0.0, 0.0))
    """
    return min((least for least, _ in limits), default=0.0), max((most for _, most in limits), default=0.0)


def joined_edge_limits(limits: Sequence[tuple[float, float, int] | None]) -> EdgeLimits | None:
    """Return the limits of the edges of several tiles; None if those of a tile are not known."""
    known = [found for found in limits if found is not None]
    if len(known) < len(limits):
        return None
    return EdgeLimits(*joined_limits([found[:2] for found in known]), sum(equal for _, _, equal in known))


def tile_number(i: int, j: int) -> int:
    """Return the number of tile (i, j), j <= i, among all tiles in the order (0, 0), (1, 0), (1, 1), (2, 0), ..."""
    return i * (i + 1) // 2 + j


def tile_of_number(number: int) -> tuple[int, int]:
    """Return the ranges i and j of a tile from its number.

    Examples
    --------
    >>> [tile_of_number(tile_number(*tile)) for tile in ((0, 0), (1, 0), (4, 3), (4, 4), (5, 0))]
    [(0, 0), (1, 0), (4, 3), (4, 4), (5, 0)]
    """
    i = (isqrt(8 * number + 1) - 1) // 2
    return i, number - i * (i + 1) // 2


def number_of_hubs(n: int, edges: int) -> int:
    """Return the least number of ranks, of `n`, that the first range should hold.

    Bit rows of hubs pay only if all hubs are in one range (`triadic.devices.cpu.triangles.triangle_work`), and about
    twice the square root of the number of edges are hubs for which they pay. Their number is a power of two there.
    """
    return min(1 << round(log2(max(1, 4 * edges)) / 2), n // 2)


class Triple(NamedTuple):
    """The ranges of u, v and w."""

    i: int
    j: int
    k: int

    @property
    def tiles(self) -> tuple[tuple[int, int], ...]:
        """The one, two or three different tiles that hold the edges of the triple's triangles."""
        return tuple(dict.fromkeys([(self.i, self.j), (self.i, self.k), (self.j, self.k)]))

    @property
    def ranges(self) -> tuple[int, ...]:
        """The different ranges, in the order of local ranks: the range of w, of v, of u."""
        return tuple(dict.fromkeys([self.k, self.j, self.i]))


def triples(layout: Layout) -> Iterator[Triple]:
    """Yield the triples that can hold a triangle: all three tiles have edges."""
    edges = layout.tile_edges
    for i in range(layout.ranges):
        for j in range(i + 1):
            for k in range(j + 1):
                if edges[i, j] and edges[i, k] and edges[j, k]:
                    yield Triple(i, j, k)


HEADER = "header.json"
FORMAT, VERSION = "triadic tiles", 4
_LABELS = (None, "numbers", "names")


@record
class Header:
    """The content of the header.

    Attributes
    ----------
    layout : Layout
        The size of the graph and its ranges.
    labels : str or None
        Kind of the vertices' labels: None, ``"numbers"`` or ``"names"``.
    origin : dict
        The input and the options that tiling depends on; equal for the same call on the same input.
    checksums : dict of str to int
        Checksum of each file except the header and the tiles.
    fingerprint : str
        Hash of the header's file; empty before the header is written.
    labelled : int
        Number of first vertices that have labels.
    """

    layout: Layout
    labels: str | None
    origin: dict[str, Any]
    checksums: dict[str, int]
    fingerprint: str = ""
    labelled: int = 0


def write_header(store: TileStore, header: Header) -> None:
    """Write the header; all other files must be complete."""
    layout = header.layout
    content = {
        "format": FORMAT,
        "version": VERSION,
        "directed": layout.directed,
        "vertices": layout.vertices,
        "edges": layout.edges,
        "arcs": layout.arcs,
        "dropped": asdict(layout.dropped),
        "labels": header.labels,
        "labelled": header.labelled,
        "cuts": layout.cuts.tolist(),
        "tile_edges": [layout.tile_edges[i, : i + 1].tolist() for i in range(layout.ranges)],
        "origin": header.origin,
        **({} if layout.weight_limits is None else {"weights": list(layout.weight_limits)}),
        **({} if layout.edge_limits is None else {"edge_weights": list(layout.edge_limits)}),
        "checksums": header.checksums,
    }
    store.put(HEADER, [seal(content)])


def read_header(store: TileStore) -> Header:
    """Read the header.

    Raises
    ------
    MissingFileError
        There is no header: there are no tiles, or they are not complete.
    ReadError
        The header is damaged, or of another format or version.
    """
    where = f"{store.place}/{HEADER}"
    try:
        written = store.refresh(HEADER).tobytes()
        content = parse_json(written)
        _check_version(content, where)
        return _header(verify(content), blake2b(written, digest_size=16).hexdigest())
    except ReadError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ReadError(where, f"is damaged: {' '.join(str(error).split())[:200]}; make the tiles again") from None


def _check_version(content: Any, where: str) -> None:  # noqa: ANN401 - whatever the JSON of the file holds
    """Raise a ReadError if the content of a file is not the header of tiles, or of another version."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ReadError(where, f"is not the header of tiles; expected the format {FORMAT!r}")
    if content.get("version") != VERSION:
        found = f"is of version {content.get('version')!r}, this triadic reads version {VERSION}"
        raise ReadError(where, f"{found}; make the tiles again")


def _header(content: dict[str, Any], fingerprint: str) -> Header:
    """Check the content of a header's file; raise an error of Python if it is damaged."""
    cuts = np.array(content["cuts"], np.int64)
    ranges = len(cuts) - 1
    if ranges < 1 or cuts[0] != 0 or cuts[-1] != content["vertices"] or (np.diff(cuts) < 0).any():
        raise ValueError(f"cuts should rise from 0 to {content['vertices']}")
    edges = int_zeros((ranges, ranges))
    if len(content["tile_edges"]) != ranges:
        raise ValueError(f"tile_edges should have {ranges} rows")
    for i, row in enumerate(content["tile_edges"]):
        edges[i, : i + 1] = row
    if (edges < 0).any() or int(edges.sum()) != content["edges"]:
        raise ValueError(f"tile_edges should add up to {content['edges']}")
    lengths = np.diff(cuts)
    if (edges > np.outer(lengths, lengths).astype(np.float64)).any():
        raise ValueError("tile_edges should not exceed the pairs of vertices of a tile")
    if not content["edges"] <= content["arcs"] <= 2 * content["edges"]:
        raise ValueError(f"arcs should be from {content['edges']} to {2 * content['edges']}")
    counts, checksums = content["dropped"], content["checksums"]
    if not all(type(count) is int and count >= 0 for count in (*counts.values(), *checksums.values())):
        raise ValueError("dropped and checksums should be numbers of 0 or more")
    if content["labels"] not in _LABELS or type(content["directed"]) is not bool:
        raise ValueError(f"labels should be one of {_LABELS}, and directed true or false")
    labelled = content["labelled"]
    if not (type(labelled) is int and 0 <= labelled <= content["vertices"]):
        raise ValueError(f"labelled should be a number from 0 to {content['vertices']}")
    limits = _weight_limits(content["weights"]) if "weights" in content else None
    edge_limits = (
        _edge_limits(content["edge_weights"], content["arcs"] - content["edges"]) if "edge_weights" in content else None
    )
    layout = Layout(cuts, edges, content["directed"], int(content["arcs"]), Dropped(**counts), limits, edge_limits)
    return Header(layout, content["labels"], dict(content["origin"]), checksums, fingerprint, labelled)


def _edge_limits(stated: list[Any], both: int) -> EdgeLimits:
    """Return the limits of edges without directions that a header states."""
    least, most, equal = stated
    if type(equal) is not int or not 0 <= equal <= both:
        raise ValueError(f"edge_weights should state from 0 to {both} edges with equal weights of arcs both ways")
    return EdgeLimits(*_weight_limits([least, most]), equal)


def _weight_limits(stated: list[float]) -> tuple[float, float]:
    """Return the least and the largest weight that a header states."""
    least, most = map(float, stated)
    if not -np.inf < least <= most < np.inf:
        raise ValueError("weights should be two finite numbers, the least weight and the largest")
    return least, most
