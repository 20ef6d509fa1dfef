"""The state of a stream of edges, in memory and in a file: nothing in it is believed unchecked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import numpy as np

from triadic.errors import ReadError
from triadic.io.whole_file import whole_file
from triadic.tiles.file_format import checksum

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import NDArray

_VERSION = 2
_NUMBERS, _EDGES = 6, 4  # how many numbers a stream has, and which of them is the number of edges
_MOST = 1 << 62  # of a number


class StreamState(NamedTuple):
    """The edges that a stream keeps, its numbers, and what they belong to.

    Attributes
    ----------
    version, memory, seed : int
    numbers : int64 array, shape (6,)
    edges : uint64 array, shape (2, numbers[4])
        The smaller and the larger end of each edge.
    checksum : int
        XXH3 of all that comes before.
    """

    version: int
    memory: int
    seed: int
    numbers: NDArray[np.int64]
    edges: NDArray[np.uint64]
    checksum: int

    @classmethod
    def of(cls, memory: int, seed: int, numbers: NDArray[np.int64], edges: NDArray[np.uint64]) -> StreamState:
        """Return the state with its checksum."""
        return cls(_VERSION, memory, seed, numbers, edges, _checksum(_VERSION, memory, seed, numbers, edges))

    def is_whole(self) -> bool:
        """Return whether types and lengths are right, no number is negative, and the checksum is that of the rest."""
        arrays = isinstance(self.numbers, np.ndarray) and isinstance(self.edges, np.ndarray)
        return bool(
            arrays
            and all(type(number) is int for number in (self.version, self.memory, self.seed, self.checksum))
            and self.version == _VERSION
            and self.numbers.dtype == np.int64
            and self.numbers.shape == (_NUMBERS,)
            and self.numbers.min() >= 0
            and self.numbers.max() <= _MOST
            and self.edges.dtype == np.uint64
            and self.edges.shape == (2, int(self.numbers[_EDGES]))
            and self.checksum == _checksum(*self[:-1])
        )


def _checksum(version: int, memory: int, seed: int, numbers: NDArray[np.int64], edges: NDArray[np.uint64]) -> int:
    return checksum([f"{version} {memory} {seed} ".encode(), numbers.tobytes(), edges.tobytes()])


def write_state(path: str | PathLike[str], state: StreamState) -> None:
    """Write a state to a file."""
    about = json.dumps({name: getattr(state, name) for name in ("version", "memory", "seed", "checksum")})
    with whole_file(path) as temporary, temporary.open("wb") as file:
        np.savez(file, about=np.array(about), numbers=state.numbers, edges=state.edges)


def read_state(path: str | PathLike[str]) -> StreamState:
    """Return the state that `write_state` wrote.

    Raises
    ------
    ReadError
        If the file cannot be read, is damaged, or holds no state.
    """
    try:
        state = _state_in(Path(path))
    except OSError as error:
        raise ReadError(str(path), f"cannot be read: {error.strerror or error}") from None
    except (EOFError, BadZipFile, ValueError, KeyError, TypeError, NotImplementedError, RuntimeError):
        state = None
    if state is None or not state.is_whole():
        raise ReadError(str(path), "expected a stream that EdgeStream.save wrote")
    return state


def _state_in(path: Path) -> StreamState:
    with ZipFile(path) as packed:
        members = {info.filename: info for info in packed.infolist() if info.compress_type == ZIP_STORED}
        about, numbers, edges = (_array(packed, members[f"{name}.npy"]) for name in ("about", "numbers", "edges"))
    named = json.loads(str(about))
    return StreamState(named["version"], named["memory"], named["seed"], numbers, edges, named["checksum"])


def _array(packed: ZipFile, member: Any) -> NDArray[Any]:  # noqa: ANN401 - a ZipInfo
    """Return an array of a file of arrays; its header is compared with the bytes that are there."""
    with packed.open(member) as file:
        shape, _, dtype = _header(file)
        content = file.read()
    if dtype.hasobject or len(content) != dtype.itemsize * int(np.prod(shape, dtype=object)):
        raise ValueError("the bytes are not those of the header")
    return np.frombuffer(content, dtype=dtype).reshape(shape)


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("another version of NumPy's format")
    return np.lib.format.read_array_header_1_0(file)
