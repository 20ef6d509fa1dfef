"""The header of stored tiles: a JSON file that is written last, so that tiles with a header are complete."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Dropped
from triadic.errors import MissingFileError, ReadError
from triadic.graph.weights import EdgeLimits
from triadic.tiles.file_format import parse_json, seal, verify
from triadic.tiles.layout import Layout

if TYPE_CHECKING:
    from triadic.tiles.store import TileStore

HEADER = "header.json"
FORMAT, VERSION = "triadic tiles", 4
_LABELS = (None, "numbers", "names")


@dataclass(frozen=True, slots=True, eq=False)
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
        content = verify(content)
    except (MissingFileError, ReadError):
        raise
    except ValueError as error:
        raise ReadError(where, f"is damaged: {' '.join(str(error).split())[:200]}; make the tiles again") from None
    try:
        return _header(content, blake2b(written, digest_size=16).hexdigest())
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
    cuts = np.array(content["cuts"], dtype=np.int64)
    ranges = len(cuts) - 1
    if ranges < 1 or cuts[0] != 0 or cuts[-1] != content["vertices"] or (np.diff(cuts) < 0).any():
        raise ValueError(f"cuts should rise from 0 to {content['vertices']}")
    edges = np.zeros((ranges, ranges), dtype=np.int64)
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
