"""What a stream of edges has found: the number of triangles with an interval, estimates at vertices, and its state.

The state of a stream is written to a file and read back: nothing in it is believed unchecked.
"""

from __future__ import annotations

import json
from dataclasses import field
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import ZIP_STORED, BadZipFile

import numpy as np

from triadic.convert.result_table import ResultTable
from triadic.core.formatting import format_float, plural
from triadic.core.records import value_class
from triadic.errors import ReadError
from triadic.io.temporary_files import whole_file
from triadic.tiles.file_format import checksum

if TYPE_CHECKING:
    from os import PathLike

    from triadic.core.array_types import AnyArray, Int64Array, Uint64Array


_VERSION = 2
_NUMBERS, _EDGES = 6, 4  # how many numbers a stream has, and which of them is the number of edges
_MOST = 1 << 62  # of a number


@value_class(repr=False)
class StreamEstimate(ResultTable):
    """The estimated number of triangles of a stream of edges.

    `to_pandas` and `to_polars` return a data frame with one row.

    Attributes
    ----------
    value : float
        The estimate, which is unbiased: its mean over all seeds is the exact number.
    low, high : float
        Ends of the interval; 0 and infinity if fewer than ten triangles are in the sample, too few to state one.
    error : float
        Standard error of the estimate, by the triangles and pairs of triangles with a common edge in the sample.
    confidence : float
        Probability with which the interval holds the exact number.
    probability : float
        Probability with which an edge is in the sample; 1 if all edges are kept, and the estimate is exact.
    edges_kept : int
        Edges in the sample.
    triangles_kept : int
        Triangles in the sample.
    arcs : int
        Arcs that came or went, with repeats and loops.
    loops : int
        Loops, which are ignored.
    repeats, missing : int
        Estimated numbers of arcs that came though their edge was there, in either direction, and that went though it
        was not; they are ignored.
    stopped : str
        "interrupted" if Ctrl-C ended the stream, else "".
    columns : str or None
        Columns of the file that were read, and whether a header was found; None if the input has none to choose.
    stream : EdgeStream
        The stream, to which more edges can be added.
    """

    value: float
    low: float
    high: float
    error: float
    confidence: float
    probability: float
    edges_kept: int
    triangles_kept: int
    arcs: int
    loops: int
    repeats: int
    missing: int
    stream: Any = field(repr=False, compare=False)
    stopped: str = ""
    columns: str | None = None

    _rows = "quantities"

    def _columns(self) -> dict[str, AnyArray]:
        numbers = {name: np.array([getattr(self, name)]) for name in ("value", "low", "high", "error")}
        return {"name": np.array(["triangles"], object), **numbers}

    def _title(self) -> str:
        if self.probability == 1:
            return f"Exact count of a stream, all {self.edges_kept:,} edges kept"
        return f"Estimate of a stream, {100 * self.confidence:g}% interval from {plural(self.edges_kept, 'edge')} kept"

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        """Return one line."""
        if self.probability == 1:
            return f"{plural(int(self.value), 'triangle')}, exact: all {self.edges_kept:,} edges are kept"
        share = f"{plural(self.edges_kept, 'edge')} kept, 1 of {round(1 / self.probability):,}"
        if self.high == inf:
            return f"about {format_float(self.value)} triangles, too few in the sample for an interval ({share})"
        ends = f"{format_float(self.low)} to {format_float(self.high)}"
        return f"{format_float(self.value)} triangles, {100 * self.confidence:g}% interval {ends} ({share})"


def standard_error(triangles: Any, pairs: Any, probability: float) -> Any:  # noqa: ANN401 - numbers or arrays
    """Return the standard error of an estimate from triangles of the sample and pairs of them with a common edge.

    With c = 1 / probability colours, T triangles of the network and S pairs of triangles with a common edge, the
    variance is T (c**2 - 1) + 2 S (c - 1), and T c**-2 triangles and S c**-3 pairs are expected in the sample. Other
    pairs of triangles are kept independently of each other.
    """
    colours = 1 / probability
    return (triangles * colours**2 * (colours**2 - 1) + 2 * pairs * colours**3 * (colours - 1)) ** 0.5


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
    numbers: Int64Array
    edges: Uint64Array
    checksum: int

    @classmethod
    def of(cls, memory: int, seed: int, numbers: Int64Array, edges: Uint64Array) -> StreamState:
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


def _checksum(version: int, memory: int, seed: int, numbers: Int64Array, edges: Uint64Array) -> int:
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
    state = None
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as held:
            if all(member.compress_type == ZIP_STORED for member in held.zip.infolist()):
                about = json.loads(str(held["about"]))
                of_stream = about["version"], about["memory"], about["seed"]
                state = StreamState(*of_stream, held["numbers"], held["edges"], about["checksum"])
    except OSError as error:
        raise ReadError(str(path), f"cannot be read: {error.strerror or error}") from None
    except (EOFError, BadZipFile, ValueError, KeyError, TypeError, NotImplementedError, RuntimeError, MemoryError):
        pass  # of a file that holds something else
    if state is None or not state.is_whole():
        raise ReadError(str(path), "expected a stream that EdgeStream.save wrote")
    return state
