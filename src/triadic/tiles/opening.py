"""Opening what a path or a URL names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from triadic.tiles.store import FolderStore
from triadic.tiles.url_store import UrlStore

if TYPE_CHECKING:
    from triadic.tiles.store import TileStore


def open_store(where: str | os.PathLike[str], *, cache: Path | None = None, cache_bytes: int = 1 << 36) -> TileStore:
    """Open what a path or a URL names.

    Parameters
    ----------
    where : str or path-like
        A folder, or a URL of fsspec's such as ``s3://bucket/graph``.
    cache : pathlib.Path, optional
        Folder for copies of what lies at a URL; one in the user's cache folder by default.
    cache_bytes : int
        Bytes that the copies may take; those unused for longest go first.

    Raises
    ------
    MissingExtraError
        A URL, and fsspec or what it needs to reach it is not installed.
    """
    place = os.fspath(where)
    if is_url(place):
        return UrlStore(place, cache=cache, cache_bytes=cache_bytes)
    return FolderStore(Path(place))


def is_url(place: str) -> bool:
    """Whether it is a URL and no path."""
    return "://" in place
