"""A table of vertices that workers count and write: the client receives totals only.

Counts over triangles come first, then counts over edges, then one task for each file of the table, which holds the
vertices of a range or a part of them. What is complete lies in the folder of the table, so that after any interruption
the same call goes on. The file ``_SUCCESS``, with the totals, is written last; then the sums are removed.

::

    OUTPUT/part-00003.parquet           rows of vertices of one range, or of the edges of one tile
    OUTPUT/_SUCCESS                     totals; the table is complete
    OUTPUT/_sums/table.json             graph and measures of the table
    OUTPUT/_sums/parts.json             range and ranks of each file
    OUTPUT/_sums/part-00003.json        totals of a file that is complete
    OUTPUT/_sums/COUNT/                 sums of a count, see `StoredSums`
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.tiles.cluster import table_tasks
from triadic.tiles.cluster.stored_sums import StoredSums
from triadic.tiles.cluster.table_tasks import Part, TableTask, work_place
from triadic.tiles.cluster.tile_transfer import address_of
from triadic.tiles.cluster.worker_watch import WorkerPool
from triadic.tiles.file_format import seal, unseal
from triadic.tiles.layout import tile_of_number
from triadic.tiles.store import FolderStore, locked
from triadic.tiles.stored_tiles import absolute_place, is_url, open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from distributed import Client

    from triadic.core.blocks import Progress
    from triadic.tiles.cluster.stored_sums import StoredGroup
    from triadic.tiles.store import TileStore
    from triadic.tiles.stored_tiles import StoredTiles
    from triadic.tiles.sums import PartCounter, TablePlan

    CountInto = Callable[[PartCounter, StoredSums], None]

SUCCESS = "_SUCCESS"
_STATE, _PARTS = "table.json", "parts.json"


class TableRun:
    """One table of one tiled graph.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    tiles : StoredTiles
        The tiles.
    plan : TablePlan
        The counts and columns.
    output : str
        Path or URL of the folder of the table, which all workers can write to.
    """

    def __init__(self, client: Client, tiles: StoredTiles, plan: TablePlan, output: str) -> None:
        self._pool, self._tiles, self._plan = WorkerPool(client), tiles, plan
        self._output = absolute_place(output).rstrip("/")
        self._store = open_store(self._output)
        self._state = {"graph": tiles.fingerprint, "table": plan.name}

    def run(
        self,
        count: CountInto,
        progress: Callable[[str], AbstractContextManager[Progress | None]],
    ) -> dict[str, int]:
        """Write the table, and return the totals of all ranges, as `table_tasks.write_part` returns those of one.

        Parameters
        ----------
        count : callable
            ``count(counter, sums)`` counts every triple that is not in the sums yet.
        progress : callable
            ``progress(label)`` returns a context with a function that reports progress, or None.

        Raises
        ------
        WriteError
            If the folder holds something else, another process writes to it, or it cannot be written to.
        """
        found = self._totals_of_complete_table()
        if found is not None:
            return found
        with ExitStack() as stack:
            work = open_store(work_place(self._output))
            if isinstance(work, FolderStore):
                _make_folder(work.folder)
                stack.enter_context(locked(work.folder))
            self._begin()
            groups = self._count(count)
            with progress("writing the table") as report:
                totals = self._write(groups, report)
            self._store.put(SUCCESS, [seal({**self._state, "totals": totals})])
            self._remove_sums()
        _remove_folders(self._output, [counter.name for counter in self._plan.triangles])
        return totals

    def _totals_of_complete_table(self) -> dict[str, int] | None:
        """Return the totals if the table is complete; raise WriteError if the folder holds another table."""
        if isinstance(self._store, FolderStore) and self._store.folder.exists() and not self._store.folder.is_dir():
            raise WriteError(f"{self._output}: is a file; expected the name of a folder")
        content = _read(self._store, SUCCESS)
        if content is None:
            return None
        totals: dict[str, int] | None = content.pop("totals", None)
        if content != self._state:
            raise WriteError(f"{self._output}: holds a table of another graph or of other measures; choose a new name")
        return totals

    def _begin(self) -> None:
        """Check that the folder is empty or holds an unfinished table of the same graph and measures."""
        work = open_store(work_place(self._output))
        state = _read(work, _STATE)
        if state is None:
            others = [name for name in self._store.list() if name not in (table_tasks.WORK, "")]
            if others:
                raise WriteError(f"{self._output}: holds a file of something else ({others[0]}); choose a new name")
            work.put(_STATE, [seal(self._state)])
        elif state != self._state:
            raise WriteError(
                f"{self._output}: holds an unfinished table of another graph or of other measures; remove it, or "
                "choose a new name"
            )

    def _count(self, count: CountInto) -> dict[str, list[StoredGroup]]:
        """Count over triangles, and return the stored sums of each count."""
        found: dict[str, list[StoredGroup]] = {}
        for counter in self._plan.triangles:
            place = work_place(self._output, counter.name)
            if not is_url(place):
                _make_folder(Path(place))
            sums = StoredSums(place, self._tiles.fingerprint)
            count(counter, sums)
            found[counter.name] = sums.groups
        return found

    def _write(self, sums: dict[str, list[StoredGroup]], progress: Progress | None) -> dict[str, int]:
        """Write the files of all ranges, and return the totals."""
        layout = self._tiles.layout
        task = TableTask(address_of(self._tiles, layout.vertices), self._output, self._plan, {}, {})
        for name in (edge_count.counter.name for edge_count in self._plan.edges):
            files = self._pool.results(layout.ranges, partial(_values_task, task, name))
            task = replace(task, values={**task.values, name: dict(enumerate(files))})

        parts = sorted(self._parts(), key=self._size, reverse=True)  # so that no long task is the last

        def write(number: int) -> tuple[Any, ...]:
            part = parts[number]
            of_part = {
                name: [group.files[part.at] for group in groups if part.at in group.files]
                for name, groups in sums.items()
            }
            return table_tasks.write_part, replace(task, sums=of_part), part

        totals: dict[str, int] = {}
        for of_part in self._pool.results(len(parts), write, progress):
            for name, total in of_part.items():
                totals[name] = totals.get(name, 0) + total
        return totals

    def _parts(self) -> list[Part]:
        """Return the parts of the table: those of an earlier run of the same table, some of which may be written."""
        work = open_store(work_place(self._output))
        found = _read(work, _PARTS)
        if found is None:
            allowed = self._pool.allowed_bytes()
            parts = table_tasks.parts_of(self._tiles, self._plan, allowed, self._pool.threads)
            work.put(_PARTS, [seal({"parts": [list(astuple(part)) for part in parts]})])
            return parts
        return [Part(*part) for part in found["parts"]]

    def _size(self, part: Part) -> int:
        """Return the number of rows of a part."""
        return (
            int(self._tiles.layout.tile_edges[tile_of_number(part.at)])
            if self._plan.entries
            else part.last - part.first
        )

    def _remove_sums(self) -> None:
        """Remove the files of the work folder; those of another client that writes the same table, too."""
        places = [work_place(self._output, counter.name) for counter in self._plan.triangles]
        for place in [*places, work_place(self._output)]:
            store = open_store(place)
            for name in store.list():
                if name.endswith((".npy", ".json")):
                    store.delete(name)


def _values_task(task: TableTask, name: str, i: int) -> tuple[Any, ...]:
    return table_tasks.store_values, task, name, i


def _read(store: TileStore, name: str) -> dict[str, Any] | None:
    """Return a sealed object, None if there is none."""
    try:
        return unseal(store.refresh(name).tobytes())
    except MissingFileError:
        return None
    except ValueError as error:
        raise ReadError(f"{store.place}/{name}", f"is damaged: {error}; remove the folder to count again") from None


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(
            f"{folder}: cannot be created: {error.strerror}; expected a folder that can be written to"
        ) from None


def _remove_folders(output: str, counts: list[str]) -> None:
    """Remove the empty work folders of a table on disk."""
    if not is_url(output):
        for place in [*(work_place(output, count) for count in counts), work_place(output)]:
            with suppress(OSError):
                Path(place).rmdir()
