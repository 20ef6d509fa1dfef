"""The checksum of files that are read back: XXH3 with 64 bits.

XXH3 reads memory as fast as it can be read, and so adds little to the time of a file. It finds damage by a disk or by a
network, but not a change that somebody made on purpose. (Collet, xxHash, https://xxhash.com)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xxhash import xxh3_64

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_PIECE = 1 << 22


def checksum(parts: Iterable[bytes | bytearray | memoryview]) -> int:
    """Return the checksum of bytes that come in parts, from 0 to 2**64 - 1.

    Examples
    --------
    >>> checksum([b"ab", b"c"]) == checksum([b"abc"])
    True
    """
    state = xxh3_64()
    for part in parts:
        state.update(part)
    return state.intdigest()


def file_checksum(path: Path) -> int:
    """Return the checksum of the bytes of a file."""
    with path.open("rb", buffering=0) as file:
        return checksum(iter(lambda: file.read(_PIECE), b""))
