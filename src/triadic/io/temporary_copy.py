"""Standard input and opened files, which can be read only once, as copies in temporary files.

A copy can be read any number of times in bounded memory. It is in the folder for temporary files, which the environment
variable ``TMPDIR`` names, and is removed when nothing refers to it any more.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import weakref
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from triadic.errors import ArgumentError, ReadError
from triadic.io.file_source import Source, suffix_of

if TYPE_CHECKING:
    from typing import IO

STANDARD_INPUT = "-"
"""The path that stands for standard input."""

_BLOCK = 1 << 20
# Standard input is read once, and a plan, the tiles and the count all need it.
_copies_of_input: weakref.WeakKeyDictionary[Any, TemporaryCopy] = weakref.WeakKeyDictionary()


class TemporaryCopy:
    """A temporary file with the rest of the bytes of an opened file.

    Parameters
    ----------
    file : binary file
    name : str
        Name of the network in messages. Its suffix is the suffix of the temporary file.

    Attributes
    ----------
    path : pathlib.Path
        The temporary file, which is removed with this object.
    name : str
    digest : str
        Digest of the bytes.

    Raises
    ------
    ArgumentError
        The file is opened as text.
    ReadError
        The file cannot be read, or its copy cannot be written.
    """

    def __init__(self, file: IO[Any], name: str) -> None:
        self.name = name
        suffix, packing = suffix_of(name)
        self.path = temporary_file(self, f"{suffix}{PurePath(name).suffix if packing else ''}")
        digest = hashlib.blake2b(digest_size=16)
        try:
            with self.path.open("wb") as copy:
                while (block := file.read(_BLOCK)) and not isinstance(block, str):
                    digest.update(block)
                    copy.write(block)
        except (OSError, ValueError) as error:
            words = " ".join(str(error).split())
            raise ReadError(name, f"cannot be copied to {self.path.parent}: {words}") from None
        if isinstance(block, str):
            raise ArgumentError(f"path={name}: the file is opened as text; expected a binary file, of mode 'rb'")
        self.digest = digest.hexdigest()

    def open(self) -> Source:
        """Return the copy as a source of a network, which keeps the temporary file."""
        source = _CopiedSource(self.path, name=self.name)
        source.keep(self)
        source.digest = self.digest
        return source


class _CopiedSource(Source):
    """A source of a copy, which is the same network as another copy of the same bytes."""

    digest = ""

    @property
    def stored_names(self) -> tuple[str, ...]:
        """The name of the copy with the suffix of how it is packed."""
        return (f"{self.path}.{self.packing}",)

    def identity(self) -> dict[str, Any]:
        """Return the name, the size and the digest of the bytes."""
        return {"name": self.name, "bytes": self.stored_bytes, "digest": self.digest}

    @property
    def content_paths(self) -> tuple[str, ...]:
        """No path: the digest of the bytes is known."""
        return ()


def temporary_file(owner: object, suffix: str) -> Path:
    """Return a new, empty file that is removed when its owner is, or when Python ends."""
    descriptor, path = tempfile.mkstemp(prefix="triadic-", suffix=suffix)
    os.close(descriptor)
    weakref.finalize(owner, Path(path).unlink, missing_ok=True)
    return Path(path)


def copy_of_input() -> TemporaryCopy:
    """Return the copy of standard input, which is made on the first call."""
    if not hasattr(sys.stdin, "buffer"):  # such as None in a program without a terminal
        raise ReadError(STANDARD_INPUT, "there is no standard input")
    copy = _copies_of_input.get(sys.stdin)
    if copy is None:
        copy = _copies_of_input[sys.stdin] = TemporaryCopy(sys.stdin.buffer, "standard input")
    return copy


def copy_of_file(file: IO[Any]) -> TemporaryCopy:
    """Return a copy of the rest of an opened file."""
    name = getattr(file, "name", None)
    return TemporaryCopy(file, name if isinstance(name, str) else f"a {type(file).__name__}")
