"""How far tiling came: written when all arcs are bucketed, so that the same command goes on from there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import MissingFileError, ReadError
from triadic.tiles.plan import Grid
from triadic.tiles.spill import SpillIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.store import FolderStore

NAME = "tiling.json"
_VERSION = 1


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """What the passes over the arcs found out.

    Attributes
    ----------
    origin : dict
        As of `triadic.tiles.header.Header`.
    grid : Grid
        The fine ranges.
    joined : int64 array, shape (ranges + 1,)
        First fine range of each range of the tiles, and the end.
    index : SpillIndex
        Where the keys are.
    directed : bool
    loops : int
    labels : str or None
        Kind of labels.
    crc : dict of str to int
        Checksums of the vectors that are written.
    """

    origin: dict[str, Any]
    grid: Grid
    joined: NDArray[np.int64]
    index: SpillIndex
    directed: bool
    loops: int
    labels: str | None
    crc: dict[str, int]


def write_state(store: FolderStore, state: State) -> None:
    """Write it, when all that it speaks of is written."""
    content = {
        "version": _VERSION,
        "origin": state.origin,
        "cuts": state.grid.cuts.tolist(),
        "shift": state.grid.shift,
        "joined": state.joined.tolist(),
        "sums": state.index.sums.tolist(),
        "index": state.index.save(store),
        "directed": state.directed,
        "loops": state.loops,
        "labels": state.labels,
        "crc": state.crc,
    }
    store.put(NAME, [json.dumps(content).encode()])


def read_state(store: FolderStore, origin: dict[str, Any]) -> State | None:
    """Read it; None where there is none, or of another input, or damaged: then it is begun anew."""
    try:
        content = json.loads(store.get(NAME).tobytes())
        if content["version"] != _VERSION or content["origin"] != origin:
            return None
        grid = Grid(np.array(content["cuts"], dtype=np.int64), int(content["shift"]))
        sums = np.array(content["sums"], dtype=np.int64)
        index = SpillIndex.load(store, grid.ranges, sums, content["index"])
        return State(
            origin,
            grid,
            np.array(content["joined"], dtype=np.int64),
            index,
            content["directed"],
            content["loops"],
            content["labels"],
            content["crc"],
        )
    except (MissingFileError, ReadError, ValueError, KeyError, TypeError, OverflowError):
        return None
