"""What every task of tiling knows: the places of its files, and how the rows are read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from triadic.errors import TriadicError
from triadic.tiles.cluster.allocator import keep_freed_memory
from triadic.tiles.cluster.tasks import Failure
from triadic.tiles.sorting import DEFAULT, rule_of
from triadic.tiles.store import FolderStore, SharedFolderStore
from triadic.tiles.stored_tiles import open_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.devices.cpu.orient.bucket_keys import WeightRule
    from triadic.tiles.store import TileStore

Arguments = ParamSpec("Arguments")


@dataclass(frozen=True, slots=True)
class Job:
    """A run of tiling.

    Attributes
    ----------
    work : str
        Path or URL of the work folder.
    output : str
        Path or URL of the tiles.
    run : str
        Hash of the input, the options and the plan, which the pieces of this run name.
    columns : tuple of str
        Columns of the ends, and of the weights if tiles have weights.
    numeric : bool
        Whether ids are numbers; otherwise they are names.
    directed : bool
        Whether tiles have directions.
    combine : str, optional
        How the weights of repeated edges are combined; None if tiles have no weights.
    """

    work: str
    output: str
    run: str
    columns: tuple[str, ...]
    numeric: bool
    directed: bool
    combine: str | None = None

    @property
    def ends(self) -> tuple[str, ...]:
        """Columns of the ends."""
        return self.columns[:2]

    @property
    def weighted(self) -> bool:
        """Whether tiles have weights."""
        return self.combine is not None

    @property
    def rule(self) -> WeightRule:
        """How weights are combined; Parquet has no edge from both its ends."""
        return rule_of(self.combine or DEFAULT, directed=self.directed, both_ends=False)

    def work_store(self) -> TileStore:
        """Return the store of the pieces."""
        return shared_store(self.work, flushed=False)

    def output_store(self) -> TileStore:
        """Return the store of the tiles."""
        return shared_store(self.output)


def shared_store(place: str, *, flushed: bool = True) -> TileStore:
    """Return the store of a path or a URL that several processes write to; see `SharedFolderStore`."""
    store = open_store(place)
    return SharedFolderStore(store.folder, flushed=flushed) if isinstance(store, FolderStore) else store


def task(function: Callable[Arguments, Any]) -> Callable[Arguments, Any]:
    """Return errors of triadic as values, so that Dask does not run the task again."""

    @wraps(function)
    def run(*arguments: Arguments.args, **keywords: Arguments.kwargs) -> Any:  # noqa: ANN401 - of any task
        keep_freed_memory()
        try:
            return function(*arguments, **keywords)
        except TriadicError as error:
            return Failure(error)

    return run
