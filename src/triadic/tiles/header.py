"""The header of stored tiles: a JSON file, written last, so that tiles with a header are whole."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Dropped
from triadic.errors import MissingFileError, ReadError
from triadic.tiles.layout import Layout

if TYPE_CHECKING:
    from triadic.tiles.store import TileStore

HEADER = "header.json"
FORMAT, VERSION = "triadic tiles", 1
_LABELS = (None, "numbers", "names")


@dataclass(frozen=True, slots=True, eq=False)
class Header:
    """What the header says.

    Attributes
    ----------
    layout : Layout
    labels : str or None
        None, ``"numbers"`` or ``"names"``.
    origin : dict
        What was tiled, and how it was asked for; the same for the same command on the same input.
    crc : dict of str to int
        Checksum of each file that is no tile.
    fingerprint : str
        Hash of the header's file; empty until it is read.
    """

    layout: Layout
    labels: str | None
    origin: dict[str, Any]
    crc: dict[str, int]
    fingerprint: str = ""


def write_header(store: TileStore, header: Header) -> None:
    """Write the header, which says that all else is there."""
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
        "cuts": layout.cuts.tolist(),
        "tile_edges": [layout.tile_edges[i, : i + 1].tolist() for i in range(layout.ranges)],
        "origin": header.origin,
        "crc": header.crc,
    }
    store.put(HEADER, [f"{json.dumps(content, indent=1)}\n".encode()])


def read_header(store: TileStore) -> Header:
    """Read the header.

    Raises
    ------
    MissingFileError
        There is none: no tiles, or they are not all made yet.
    ReadError
        It is damaged, or of another format or version.
    """
    where = f"{store.place}/{HEADER}"
    try:
        written = store.newest(HEADER).tobytes()
        content = json.loads(written)
    except MissingFileError:
        raise
    except (ValueError, RecursionError) as error:
        raise ReadError(where, f"cannot be read: {' '.join(str(error).split())[:200]}") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ReadError(where, f"is not of tiles, expected the format {FORMAT!r}")
    if content.get("version") != VERSION:
        raise ReadError(where, f"is of version {content.get('version')!r}, this triadic reads version {VERSION}")
    try:
        return _header(content, blake2b(written, digest_size=16).hexdigest())
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ReadError(where, f"is damaged: {' '.join(str(error).split())[:200]}") from None


def _header(content: dict[str, Any], fingerprint: str) -> Header:
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
    if content["labels"] not in _LABELS or type(content["directed"]) is not bool:
        raise ValueError("labels or directed is not what it can be")
    layout = Layout(cuts, edges, content["directed"], int(content["arcs"]), Dropped(**content["dropped"]))
    return Header(layout, content["labels"], dict(content["origin"]), dict(content["crc"]), fingerprint)
