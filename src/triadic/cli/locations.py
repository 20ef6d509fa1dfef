"""What a command is given to count: a path, or the URL of tiles."""

from __future__ import annotations

from pathlib import Path


class Url(str):
    """A URL of fsspec's; as a path it would lose a slash."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its last part, as a path has it."""
        return self.rstrip("/").rpartition("/")[2]


def located(text: str) -> Path | Url:
    """Give the path or the URL that a word on the command line names.

    Examples
    --------
    >>> located("s3://bucket/graph.tiles").name, located("folder/graph.txt").name
    ('graph.tiles', 'graph.txt')
    """
    from triadic.tiles.stored_tiles import is_url

    return Url(text) if is_url(text) else Path(text)
