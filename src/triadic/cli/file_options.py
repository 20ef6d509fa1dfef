"""How a file that a command is given is read."""

from __future__ import annotations

from typing import TypedDict


class FileOptions(TypedDict):
    """How a file is read."""

    directed: bool | None
    format: str | None
    vertices: int | None
