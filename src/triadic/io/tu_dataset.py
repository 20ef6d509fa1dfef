"""Data sets of many graphs in the format of TU Dortmund, such as MUTAG and PROTEINS.

Format: https://chrsmrrs.github.io/datasets. The files of a data set DS begin with its name: ``DS_A.txt`` holds an arc a
line, as two numbers of vertices counted from 1; line v of ``DS_graph_indicator.txt`` is the number of the graph of
vertex v, from 1; line g of ``DS_graph_labels.txt``, if there is one, is the class of graph g. An undirected edge is
two arcs. Line k of ``DS_edge_attributes.txt`` holds values of arc k. Classes and values of vertices are not read.
A folder or a file of it is recognised by the names.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.arcs import Arcs, Origin
from triadic.core.memory import check_memory, named_memory_errors
from triadic.core.oriented import index_dtype, starts_of
from triadic.errors import ReadError, TriadicError, in_one_line
from triadic.io.file_source import LESS_MEMORY, Source, one_line_end, short
from triadic.io.number_rows import NotNumbersError, as_number, number_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from zipfile import ZipFile

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.graph.batch import GraphBatch
    from triadic.io.format import ReadOptions

_READ = ARCS, INDICATOR, LABELS, VALUES = "_A.txt", "_graph_indicator.txt", "_graph_labels.txt", "_edge_attributes.txt"
PARTS = (*_READ, "_graph_attributes.txt", "_node_labels.txt", "_node_attributes.txt", "_edge_labels.txt")
"""What follows the name of the data set in the names of its files."""

_READ_BY = "triadic.read_batch{call} reads all of them, and so do commands with --batch, such as triadic clustering"


def refuse_part(path: str) -> None:
    """Raise a ReadError if a file that is to be read as one network is a file of a data set.

    Parameters
    ----------
    path : str
        File whose name ends as one of `PARTS` does.
    """
    folder, file = os.path.split(path)
    name = next(file.removesuffix(part) for part in PARTS if file.endswith(part))
    if name and all(Path(folder, name + part).is_file() for part in (ARCS, INDICATOR)):
        call = f"({folder or '.'!r})"
        raise ReadError(
            path,
            f"is a file of {name}, a data set of TU Dortmund, which holds many graphs; {_READ_BY.format(call=call)} "
            "with this folder",
        )


def refuse_folders(paths: Sequence[str], *, alone: bool = False) -> None:
    """Raise a ReadError if some files are those of a data set, complete or without a necessary file.

    Parameters
    ----------
    paths : sequence of str
    alone : bool, default False
        Whether a file ``DS_A.txt`` in a folder ``DS`` without any other file tells a data set.
    """
    folders: dict[str, list[str]] = {}
    for path in paths:
        if path.endswith(PARTS):
            folder, file = os.path.split(path)
            folders.setdefault(folder or ".", []).append(file)
    for folder, files in folders.items():
        call = f"({folder!r})"
        lacking = lacking_file(files, alone=alone and Path(folder).name + ARCS in files)
        if lacking is not None:
            raise ReadError(folder, lacking)
        if any(file.removesuffix(INDICATOR) + ARCS in files for file in files if file.endswith(INDICATOR)):
            problem = f"is a data set of TU Dortmund, which holds many graphs; {_READ_BY.format(call=call)}"
            raise ReadError(folder, problem)


def lacking_file(names: Collection[str], *, alone: bool = False) -> str | None:
    """Return in words which of the two necessary files a data set lacks; None if the names are not of such a set.

    Parameters
    ----------
    names : collection of str
        Names of the files of a folder.
    alone : bool, default False
        Whether a file of arcs without any other file tells a data set. By default it takes another file of the set.

    Examples
    --------
    >>> lacking_file(["MUTAG_A.txt", "MUTAG_graph_labels.txt"])
    'holds MUTAG_A.txt, but no MUTAG_graph_indicator.txt; expected both, the files of a data set of TU Dortmund'
    >>> lacking_file(["group_A.txt", "group_B.txt"]) is None
    True
    """
    for part, other in ((INDICATOR, ARCS), (ARCS, INDICATOR)):
        sets = [name.removesuffix(part) for name in names if name.endswith(part)]
        if len(sets) != 1 or not sets[0] or sets[0] + other in names:
            continue
        beside = [name for name in names if name.startswith(sets[0]) and name.endswith(PARTS)]
        others = [name for name in names if not name.startswith((".", "README"))]
        if part == INDICATOR or len(beside) > 1 or (alone and len(others) == 1):
            return (
                f"holds {sets[0]}{part}, but no {sets[0]}{other}; expected both, the files of a data set of TU Dortmund"
            )
    return None


_MOST_DIGITS = 19
_STORED_OR_DEFLATED = (0, 8)  # methods of ZIP
_HELD = 4  # bytes of memory for each byte of text: copies of the text
_OF_NUMBER = 64  # bytes of memory for each number, or mark between two, until the graphs are made (33 a byte of "1\n")
_MARKS = (b"\n", b" ", b",", b"\t")


class DataSetFiles(NamedTuple):
    """The files of a data set.

    Attributes
    ----------
    path : str
        The folder, or the file that packs it.
    content : dict of str to (str, callable)
        For each suffix that follows the name of the data set, the name of the file in messages and a function that
        returns its bytes.
    """

    path: str
    content: dict[str, tuple[str, Callable[[], bytes]]]

    def error(self, suffix: str, problem: str, row: int | None = None) -> ReadError:
        """Return the ReadError for a problem of one file, whose rows are counted from 0."""
        return ReadError(self.content[suffix][0], problem, line=None if row is None else row + 1)

    def numbers(
        self, suffix: str, columns: int | None, *, integers: bool = True, may_be_empty: bool = False
    ) -> AnyArray:
        """Return the numbers of a file, one row a line, shape (lines, columns); None takes as many as line 1 has."""
        name, content = self.content[suffix]
        text = one_line_end(content().removeprefix(b"\xef\xbb\xbf")).rstrip()
        if not text and may_be_empty:
            return np.empty((0, columns or 1), np.int64 if integers else np.float64)
        if not text:
            raise self.error(suffix, "the file is empty, expected numbers")
        numbers = 1 + sum(map(text.count, _MARKS))
        check_memory(_OF_NUMBER * numbers, f"{name}: reading up to {numbers:,} numbers", LESS_MEMORY)
        text = text.replace(b",", b" ")
        try:
            rows = number_rows([text], integers=integers)
        except NotNumbersError as error:
            for row, line in enumerate(text.split(b"\n")):
                for word in line.split():
                    digits = word.lstrip(b"-")
                    is_whole = digits.isdigit() and len(digits) < _MOST_DIGITS
                    if as_number(word.decode("latin-1")) is None or (integers and not is_whole):
                        kind = "a whole number below 2**63" if integers else "a number"
                        found = short(word.decode("utf-8", "replace"))
                        raise self.error(suffix, f"found {found}, expected {kind}", row) from None
            raise self.error(suffix, f"expected lines of numbers ({' '.join(str(error).split())})") from None
        columns = columns or int(rows.lengths[0])
        wrong = np.flatnonzero(rows.lengths != columns)
        if len(wrong):
            row, count = int(wrong[0]), int(rows.lengths[wrong[0]])
            raise self.error(suffix, f"expected {columns} numbers in each line, found {count}", row)
        return rows.values.reshape(-1, columns)


def data_set_files(path: str, *, alone: bool = False) -> DataSetFiles | None:
    """Return the files of a data set in a folder or in a ``.zip``; None if there is none.

    Parameters
    ----------
    path : str
    alone : bool, default False
        Whether a folder of a single file of arcs is a data set, whose other files are missing.

    Raises
    ------
    ReadError
        There are several data sets, a file of the data set is missing, or the packed file is damaged.
    """
    import zipfile  # noqa: PLC0415 - needed for batches only

    files: dict[str, tuple[str, Callable[[], bytes]]]
    if Path(path).is_dir():
        files = {file.name: (str(file), partial(_bytes_of, file)) for file in Path(path).iterdir()}
    elif zipfile.is_zipfile(path):
        with _archive(path) as packed:
            members = [member for member in packed.namelist() if not member.endswith("/")]
        files = {PurePosixPath(name).name: (f"{path}/{name}", partial(_unpacked, path, name)) for name in members}
    else:
        return None
    lacking = lacking_file(files, alone=alone)
    if lacking is not None:
        raise ReadError(path, lacking)
    sets = sorted(name.removesuffix(INDICATOR) for name in files if name.endswith(INDICATOR))
    if not sets:
        return None
    if len(sets) > 1:
        raise ReadError(path, f"holds the data sets {' and '.join(sets[:3])}, expected one")
    return DataSetFiles(path, {part: files[sets[0] + part] for part in _READ if sets[0] + part in files})


def _bytes_of(file: Path) -> bytes:
    """Return the bytes of a file, which may be empty."""
    return Source(file).everything(_HELD) if file.stat().st_size else b""


@contextmanager
def _archive(path: str, member: str = "it") -> Iterator[ZipFile]:
    """Open a packed data set; whatever `zipfile` finds wrong in it is a ReadError."""
    import struct  # noqa: PLC0415 - needed for batches only
    import zipfile  # noqa: PLC0415 - as above
    import zlib  # noqa: PLC0415 - as above

    try:
        with zipfile.ZipFile(path) as packed:
            yield packed
    except (TriadicError, MemoryError):
        raise
    except (zipfile.BadZipFile, zlib.error, struct.error, ValueError, EOFError, RuntimeError, OSError) as error:
        reason = in_one_line(error) or "it breaks off"
        raise ReadError(path, f"{member} cannot be unpacked: {reason[:200]}") from None


def _unpacked(path: str, member: str) -> bytes:
    """Return the bytes of a member, of which no more are unpacked than the archive states."""
    with _archive(path, member) as packed, packed.open(member) as stream:
        info = packed.getinfo(member)
        if info.compress_type not in _STORED_OR_DEFLATED:  # other methods unpack without a bound
            raise ReadError(path, f"{member} is packed by method {info.compress_type}; expected stored or deflated")
        size = info.file_size
        check_memory(_HELD * size, f"{path}/{member}: reading {size / 2**20:,.0f} MiB that it unpacks to", LESS_MEMORY)
        return stream.read(size)


def read_data_set(files: DataSetFiles, options: ReadOptions, combine: str | None) -> GraphBatch:
    """Return the graphs of a data set.

    Raises
    ------
    ReadError
        A file is damaged, or the files do not belong together.
    OutOfMemoryError
        The files, unpacked, do not fit in memory.
    """
    from triadic.graph.batch import GraphBatch  # noqa: PLC0415 - its kernels take long to import
    from triadic.graph.orientation import GraphOfVertices  # noqa: PLC0415 - as above

    with named_memory_errors(f"{files.path}: reading the data set", LESS_MEMORY):
        graph = files.numbers(INDICATOR, 1)[:, 0] - 1
        sizes = _sizes(files, graph)
        labels = _graph_labels(files, len(sizes))
        arcs = _arcs(files, graph, options)
    of_vertex = GraphOfVertices(graph, starts_of(sizes))
    return GraphBatch._of_arcs(arcs, of_vertex, None, combine, graph_labels=labels)  # noqa: SLF001 - for makers of batches


def _sizes(files: DataSetFiles, graph: Int64Array) -> Int64Array:
    """Return the number of vertices of each graph."""
    if graph.min() < 0:
        row = int(np.argmin(graph))
        raise files.error(INDICATOR, f"found the graph {graph[row] + 1}, expected numbers from 1", row)
    sizes = np.bincount(np.minimum(graph, len(graph)))
    empty = np.flatnonzero(sizes[: len(graph)] == 0)
    if len(empty):
        last = graph.max() + 1
        problem = f"graph {empty[0] + 1} has no vertex, and the last graph is {last}; expected a vertex in every graph"
        raise files.error(INDICATOR, problem)
    return sizes


def _graph_labels(files: DataSetFiles, graphs: int) -> AnyArray | None:
    if LABELS not in files.content:
        return None
    values = files.numbers(LABELS, None, integers=False)
    if len(values) > graphs:
        raise files.error(LABELS, f"graph {graphs + 1} has a label, but no vertex; found {graphs} graphs", graphs)
    if len(values) < graphs:
        raise files.error(LABELS, f"graph {len(values) + 1} has no label; found {graphs} graphs, {len(values)} labels")
    whole = np.all(np.abs(values) < 2**53) and np.array_equal(values, np.rint(values))
    values = values.astype(np.int64) if whole else values
    return values[:, 0] if values.shape[1] == 1 else values


def _arcs(files: DataSetFiles, graph: Int64Array, options: ReadOptions) -> Arcs:
    """Return the arcs of all graphs."""
    ends = files.numbers(ARCS, 2, may_be_empty=True) - 1
    n = len(graph)
    wrong = np.flatnonzero((ends < 0) | (ends >= n))
    if len(wrong):
        row, vertex = int(wrong[0]) // 2, int(ends.ravel()[wrong[0]]) + 1
        name = Path(files.content[INDICATOR][0]).name
        raise files.error(ARCS, f"found the vertex {vertex}, expected 1 to {n}, the lines of {name}", row)
    u, v = ends.T
    wrong = np.flatnonzero(graph[u] != graph[v])
    if len(wrong):
        row = int(wrong[0])
        problem = (
            f"the arc joins vertex {u[row] + 1} of graph {graph[u[row]] + 1} and vertex {v[row] + 1} of graph "
            f"{graph[v[row]] + 1}; expected arcs within graphs"
        )
        raise files.error(ARCS, problem, row)
    both_ends = np.array_equal(_distinct(u * n + v), _distinct(v * n + u))
    directed, decided = options.direction(False if both_ends else None)
    weights = _weights(files, options, len(ends)) if options.wants_weights else None
    source, target = ends.T.astype(index_dtype(n))
    origin = Origin(direction=decided)
    return Arcs(source, target, n, directed, weights, both_ends=both_ends and not directed, origin=origin)


def _distinct(keys: Int64Array) -> Int64Array:
    """Return the different keys in rising order; the hash table of `numpy.unique` takes longer."""
    keys.sort()
    return keys[np.concatenate([[True], keys[1:] != keys[:-1]])[: len(keys)]]


def _weights(files: DataSetFiles, options: ReadOptions, arcs: int) -> Float64Array:
    """Return a column of the values of arcs."""
    if VALUES not in files.content:
        raise ReadError(files.path, f"weights={options.weights!r}: there is no file *{VALUES} with values of the arcs")
    values = files.numbers(VALUES, None, integers=False, may_be_empty=not arcs)
    column = 0 if options.weights is True else options.weights
    if isinstance(column, str) and column.isdecimal():
        column = int(column)
    if not isinstance(column, int) or column >= values.shape[1]:
        expected = f"True, or the index of a column from 0 to {values.shape[1] - 1}"
        raise files.error(VALUES, f"weights={options.weights!r}: expected {expected}")
    if len(values) != arcs:
        raise files.error(VALUES, f"found {len(values):,} lines, expected {arcs:,}, one for each arc")
    weights: Float64Array = np.ascontiguousarray(values[:, column])
    if not np.isfinite(weights).all():
        row = int(np.argmin(np.isfinite(weights)))
        raise files.error(VALUES, f"found the weight {weights[row]}, expected a finite number", row)
    return weights
