"""The folder of a table of Parquet files that this process writes."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.errors import ArgumentError, WriteError
from triadic.tiles.file_format import seal
from triadic.tiles.stored_tiles import is_url, open_store

if TYPE_CHECKING:
    from collections.abc import Mapping

ROWS = 1 << 22  # of a file
_PART = re.compile(r"part-\d+\.parquet")
_SUCCESS = "_SUCCESS"


def checked_place(output: Any) -> str:  # noqa: ANN401 - whatever a caller passes
    """Return the path or URL of a folder as a string; raise ArgumentError if it is neither."""
    if not isinstance(output, (str, os.PathLike)):
        raise ArgumentError(f"output={output!r}: expected a path or a URL")
    return str(os.fspath(output))


class TableFolder:
    """A folder or URL that receives the files of a table; files of a table that was interrupted are replaced.

    Parameters
    ----------
    place : str
        Path or URL.

    Raises
    ------
    WriteError
        If it is a file, or holds a complete table or something else.
    """

    def __init__(self, place: str) -> None:
        self._store = open_store(place)
        if not is_url(place) and Path(place).exists() and not Path(place).is_dir():
            raise WriteError(f"{place}: is a file; expected the name of a folder to make")
        self._old = set(self._store.list())
        if not all(_PART.fullmatch(name) for name in self._old):
            raise WriteError(f"{place}: holds a complete table or files of something else; choose a new name")

    def write(self, part: int, content: memoryview) -> None:
        """Write a file."""
        name = f"part-{part:05d}.parquet"
        self._store.put(name, [content])
        self._old.discard(name)

    def finish(self, totals: Mapping[str, int]) -> None:
        """Remove files that were there before and were not replaced, and write the totals."""
        for name in self._old:
            self._store.delete(name)
        self._store.put(_SUCCESS, [seal({"totals": dict(totals)})])
