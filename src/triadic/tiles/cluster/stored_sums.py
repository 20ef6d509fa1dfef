"""Sums at ranks that workers store in a folder or at a URL, group of triples by group, and add up range by range.

The client sees neither counts nor sums. A group is counted when its own file exists, which a worker writes after the
files of its sums; the group's file names them. All names are new, so that a worker that is thought to be dead cannot
damage what another one writes. If two clients count at one place, groups may have triples in common: of these, one
group is used.

::

    PLACE/group-4be1….json    triples of a group; file, first rank and checksum of the sums of each range
    PLACE/sums-9c0d….npy      sums of a group at the ranks of one range, in the smallest type that holds them

`ClientSums` are sums that the client downloads instead, block by block.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from triadic.errors import ReadError, TriadicError
from triadic.tiles.cluster.strips import blocks_of_sums
from triadic.tiles.cluster.tasks import TOTALS, Counts
from triadic.tiles.cluster.tile_transfer import Failure
from triadic.tiles.cluster.worker_watch import result, success
from triadic.tiles.file_format import put_array, read_array, seal, unseal
from triadic.tiles.layout import Triple
from triadic.tiles.stored_tiles import open_store
from triadic.tiles.sums import MemorySums

if TYPE_CHECKING:
    from collections.abc import Iterator

    from distributed import Client, Future

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.tiles.layout import Layout
    from triadic.tiles.sums import PartCounter, PartialSums

_PRIORITY = 2.0  # above the priority of adding counts
_GROUP = "group-"

StoredFile = tuple[str, int, int]  # the file of the sums at a range, their first rank and their checksum
Block = dict[int, StoredFile]


@dataclass(frozen=True, slots=True)
class StoredGroup:
    """A group of triples whose sums are stored.

    Attributes
    ----------
    triples : tuple of Triple
        The triples.
    files : dict of int to (str, int, int)
        File, first rank and checksum of the sums at each range; ranges without counts have none.
    """

    triples: tuple[Triple, ...]
    files: Block


class StoredSums:
    """The sums of a count at a place that all workers can write to.

    Parameters
    ----------
    place : str
        Path or URL of the folder of this count.
    graph : str
        Fingerprint of the tiles.
    """

    def __init__(self, place: str, graph: str) -> None:
        self._place, self._graph = place, graph
        self.groups = stored_groups(place, self._graph)

    def counted_triples(self) -> set[Triple]:
        """Return the triples of the stored groups."""
        return {triple for group in self.groups for triple in group.triples}

    def finish(self, client: Client, name: str, triples: list[Triple], sums: list[Future]) -> list[Future]:
        """Submit tasks that store the sums of a group, and one that stores the file of the group after them."""
        blocks = [
            client.submit(store_block, self._place, block, key=f"{name}-store-{number}", priority=_PRIORITY, pure=False)
            for number, block in enumerate(sums)
        ]
        return [
            client.submit(
                store_group, self._place, self._graph, triples, blocks, key=f"{name}-store", priority=_PRIORITY,
                pure=False,
            )
        ]  # fmt: skip

    def add(self, triples: list[Triple], finished: list[Future]) -> None:  # noqa: ARG002 - as `ClientSums`
        """Note a group as stored."""
        self.groups.append(success(result(finished[0])))


def stored_groups(place: str, graph: str) -> list[StoredGroup]:
    """Return the groups that are stored for a graph, no two of which have a triple in common."""
    store = open_store(place)
    groups: list[StoredGroup] = []
    counted: set[Triple] = set()
    for name in store.list(_GROUP):
        try:
            content = unseal(store.get(name).tobytes())
        except (ReadError, ValueError):  # damaged: its triples are counted again
            continue
        triples = tuple(Triple(*ranges) for ranges in content["triples"])
        if content["graph"] == graph and counted.isdisjoint(triples):
            counted.update(triples)
            files = {int(i): (file, first, check) for i, (file, first, check) in content["files"].items()}
            groups.append(StoredGroup(triples, files))
    return groups


def store_block(place: str, counts: Counts | Failure) -> Block | Failure:
    """Store the sums of a group at a block of ranges; a task."""
    if isinstance(counts, Failure):
        return counts
    try:
        store, block = open_store(place), {}
        for i, piece in counts.items():
            name = f"sums-{uuid4().hex}.npy"
            block[i] = (name, piece.first, put_array(store, name, np.ascontiguousarray(piece.counts)))
    except TriadicError as error:
        return Failure(error)
    return block


def store_group(place: str, graph: str, triples: list[Triple], blocks: list[Block | Failure]) -> StoredGroup | Failure:
    """Store the file of a group whose sums are stored; a task."""
    files: Block = {}
    for block in blocks:
        if isinstance(block, Failure):
            return block
        files |= block
    named = {str(i): list(entry) for i, entry in files.items()}
    content = {"graph": graph, "triples": [list(triple) for triple in triples], "files": named}
    try:
        open_store(place).put(f"{_GROUP}{uuid4().hex}.json", [seal(content)])
    except TriadicError as error:
        return Failure(error)
    return StoredGroup(tuple(triples), files)


def add_stored(place: str, files: list[StoredFile], sums: Int64Array) -> None:
    """Add the sums of some files at one range to an int64 array of shape (ranks of the range,) or (..., columns).

    Raises
    ------
    ReadError
        If a file is missing or damaged.
    """
    store = open_store(place)
    for name, first, checksum in files:
        found: AnyArray = read_array(store, name, checksum)
        part = sums[first : first + len(found)]
        if found.shape != part.shape or found.dtype.kind not in "iu":
            raise ReadError(f"{place}/{name}", "does not hold the sums that its group describes; remove the folder")
        part += found


class ClientSums:
    """Sums that the client downloads, one group at a time.

    Parameters
    ----------
    sums : PartialSums
        The sums of the groups that are complete, in memory or in a folder on the client.
    layout : Layout
        The ranges.
    counter : PartCounter
        The count.
    """

    def __init__(self, sums: PartialSums, layout: Layout, counter: PartCounter) -> None:
        self._sums, self._layout, self._counter = sums, layout, counter

    def counted_triples(self) -> set[Triple]:
        """Return the triples whose counts are in the sums."""
        return self._sums.counted_triples()

    def finish(self, client: Client, name: str, triples: list[Triple], sums: list[Future]) -> list[Future]:  # noqa: ARG002 - as `StoredSums`
        """Return the sums, of which nothing remains to be computed."""
        return sums

    def add(self, triples: list[Triple], finished: list[Future]) -> None:
        """Download the sums of a group and add them."""
        if not self._counter.per_rank:
            self._sums.add(triples, result(finished[0])[TOTALS], {})
            return
        ranges = sorted({i for triple in triples for i in triple})
        downloads = _Downloads(finished, ranges, self._layout, self._counter)
        # Download all before `add` of sums in memory, which cannot undo a part of its additions.
        range_sums = dict(downloads) if isinstance(self._sums, MemorySums) else downloads
        self._sums.add(triples, [0] * self._counter.columns, range_sums)


class _Downloads(Mapping[int, Any]):
    """The sums of a group at the ranks of some ranges, downloaded when they are used, one block of ranges at a time."""

    def __init__(self, futures: list[Future], ranges: list[int], layout: Layout, counter: PartCounter) -> None:
        self._ranges, self._layout, self._counter = ranges, layout, counter
        self._blocks = list(zip(blocks_of_sums(layout, counter), futures, strict=True))
        self._held: tuple[range, Any] = (range(0), {})

    def __getitem__(self, i: int) -> Int64Array:
        if i not in self._held[0]:
            self._held = next((block, result(future)) for block, future in self._blocks if i in block)
        sums = np.zeros(self._counter.range_shape(self._layout, i), dtype=np.int64)
        piece = self._held[1].get(i)
        if piece is not None:
            sums[piece.first : piece.last] = piece.counts
        return sums

    def __iter__(self) -> Iterator[int]:
        return iter(self._ranges)

    def __len__(self) -> int:
        return len(self._ranges)
