"""Graphs that are stored by rows and mapped into memory on reading: triadic's own folders, and GAP's ``.sg``, ``.wsg``.

triadic's own format is a folder of ``.npy`` files with a JSON header:

``header.json``
    format, version, directed, direction_assumed, vertices, arcs, edges, dropped, which of the optional files there are,
    the size and the checksum (XXH3, 64 bits) of each ``.npy`` file, and the checksum of the header itself.
``indptr.npy``, ``indices.npy``
    The rows of the graph as :class:`triadic.Graph` holds them.
``weights.npy``
    float64, one for each of ``indices``; optional.
``columns.arrow``
    Further columns of the edges, one value for each of ``indices``, as an Arrow IPC file; optional.
``vertex_columns.arrow``
    Columns of the vertices, likewise; optional.
``labels.npy``
    int64 labels, or the bytes of all names in UTF-8, one after the other; optional.
``label_ends.npy``
    int64, where in these bytes each name ends; with names only.

Nothing is unpickled. On reading, the shapes, dtypes and ends of the arrays are checked, and all bytes are read once to
verify their checksums, at the speed of the disk or at some gigabytes a second from memory. Folders that were written by
earlier versions have no checksums and are read without. `triadic.read` also checks that the rows rise, that they are
symmetric if the graph is undirected, and that weights are finite: kernels rely on it.

The serialized graphs of the GAP Benchmark Suite are ``.sg`` and, with weights, ``.wsg``. Layout, little-endian, of
``writer.h`` in https://github.com/sbeamer/gapbs: one byte, 1 if the graph is directed; int64 number of arcs m; int64
number of vertices n; int64 offsets[n + 1]; int32 neighbours[m], or in ``.wsg`` pairs of int32 neighbour and weight. For
a directed graph, the offsets and neighbours of the incoming arcs follow. An undirected graph holds each edge from both
its ends.
"""

from __future__ import annotations

import json
import os
import struct
import time
from dataclasses import field
from functools import partial
from hashlib import file_digest
from itertools import chain
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from xxhash import xxh3_64

from triadic.core.arcs import Arcs, Dropped, Origin
from triadic.core.records import value_class
from triadic.io import sampling
from triadic.io.edge_blocks import encoding_problem
from triadic.io.file_source import suffix_of
from triadic.io.format import Format, Keeps
from triadic.io.temporary_files import whole_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from triadic.core.array_types import AnyArray, Int64Array, IntegerArray, ObjectArray, Uint8Array
    from triadic.errors import ReadError
    from triadic.graph.graph import Graph
    from triadic.io.arc_stream import ArcStream, Piece, StreamLimits
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions
    from triadic.io.sampling import FileSample

FORMAT = "triadic graph"
VERSION = 1
HEADER = "header.json"
DROPPED = ("loops", "duplicates", "reciprocal_merged")
# What NumPy raises for a damaged .npy, its header being a Python literal.
_DAMAGED = (OSError, ValueError, EOFError, SyntaxError, TypeError, KeyError, ArithmeticError, MemoryError, TokenError)
_LABELS = (None, "numbers", "names")
_COLUMNS = ("columns", "vertex_columns")  # of edges and of vertices; each is an Arrow file


@value_class
class Stored:
    """The arrays of a stored graph, mapped into memory.

    Attributes
    ----------
    indptr : int64 array, shape (vertices + 1,)
    indices : int32 or int64 array, shape (arcs,)
    directed : bool
    damaged : callable
        Called with the least and the greatest of the indices if one is not a vertex; returns the error to raise.
    weights : float64 or int32 array, shape (arcs,), or None
    labels : int64 array or object array of str, or None
    columns : dict of str to array, shape (arcs,)
        Further columns of the edges.
    vertex_columns : dict of str to array, shape (vertices,)
    dropped : dict of str to int
    assumed : bool
        Whether the direction was assumed when the network was read, because nothing stated it.
    """

    indptr: Int64Array
    indices: IntegerArray
    directed: bool
    damaged: Callable[[int, int], ReadError]
    weights: AnyArray | None = None
    labels: Int64Array | ObjectArray | None = None
    columns: dict[str, AnyArray] = field(default_factory=dict)
    vertex_columns: dict[str, AnyArray] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)
    assumed: bool = False

    def origin(self, options: ReadOptions) -> Origin:
        """Return the origin of the arcs, which tells who decided the direction."""
        return Origin(direction=options.direction(None if self.assumed else self.directed)[1])

    def stated(self, source: Source, options: ReadOptions) -> dict[str, Any]:
        """Return what is stated alike of the arcs, of the stream and of a sample of the graph, by keyword."""
        return {
            "vertices": options.vertices_at_least(source, len(self.indptr) - 1),
            "directed": self.directed if options.directed is None else options.directed,
            "labels": self.labels,
            "both_ends": not self.directed and options.directed is not True,
        }


def is_graph_folder(path: Path) -> bool:
    """Whether a folder holds a graph in triadic's own format, or nothing at all."""
    return path.is_dir() and (has_header_of(path, FORMAT) or not any(path.iterdir()))


def has_header_of(folder: Path, format: str) -> bool:  # noqa: A002 - the field of the header
    """Whether a folder has a header that states a format.

    Examples
    --------
    >>> has_header_of(Path("missing"), FORMAT)
    False
    """
    try:
        return bool(json.loads((folder / HEADER).read_bytes())["format"] == format)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return False


def is_stored(source: Source) -> bool:
    """Whether a folder has a header, or tiles that are not finished, and is no folder of edge files."""
    folder = Path(source.path)
    return (folder / HEADER).exists() or _has_unfinished_tiles(folder)


def _has_unfinished_tiles(folder: Path) -> bool:
    return (folder / "tiling.json").exists() or any(folder.glob("tile-*-*"))


def write_folder(graph: Graph, path: str) -> None:
    """Write a graph as a folder, which appears complete or not at all.

    Parameters
    ----------
    graph : Graph
    path : str
        A folder with a graph in this format is replaced; any other file or folder is an error.

    Raises
    ------
    WriteError
        The folder cannot be written.
    """
    labels = graph.labels if graph.labels is not None and len(graph.labels) else None
    header: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "directed": graph.directed,
        "vertices": graph.num_vertices,
        "arcs": len(graph.indices),
        "edges": graph.num_edges,
        "dropped": {name: int(getattr(graph.dropped, name)) for name in DROPPED},
        "weights": graph.weights is not None,
        "labels": sampling.kind_of_labels(labels),
        "direction_assumed": graph.origin.direction == "assumed",
    }
    of_edges = {name: values for name, values in graph.columns.items() if name != "weight"}
    columns = {what: found for what, found in zip(_COLUMNS, (of_edges, graph.vertex_columns), strict=True) if found}
    header |= {what: list(found) for what, found in columns.items()}
    with whole_folder(path, replaceable=is_graph_folder) as folder:
        arrays: dict[str, AnyArray | None] = {
            "indptr": graph.indptr,
            "indices": graph.indices,
            "weights": graph.weights,
            **label_arrays(labels),
        }
        header["files"] = {
            f"{name}.npy": _write_array(folder / f"{name}.npy", np.ascontiguousarray(array))
            for name, array in arrays.items()
            if array is not None
        }
        for what, found in columns.items():
            header["files"][f"{what}.arrow"] = _write_columns(folder / f"{what}.arrow", found)
        header["checksum"] = _header_checksum(header)
        (folder / HEADER).write_text(f"{json.dumps(header, indent=1)}\n", encoding="utf-8")


def _write_array(path: Path, array: AnyArray) -> dict[str, int | str]:
    """Write an array as ``.npy``; return the size and the checksum of the file, computed from the array in memory."""
    np.save(path, array, allow_pickle=False)
    size = path.stat().st_size
    with path.open("rb") as file:
        state = xxh3_64(file.read(size - array.nbytes))
    state.update(array.view(np.uint8).data)
    return {"bytes": size, "checksum": state.hexdigest()}


def _write_columns(path: Path, columns: Mapping[str, AnyArray]) -> dict[str, int | str]:
    """Write columns as an Arrow file; return its size and checksum."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and most graphs have no such columns

    from triadic.io.arrow_columns import arrow_array  # noqa: PLC0415 - as above

    table = pa.table({name: arrow_array(values) for name, values in columns.items()})
    with pa.OSFile(os.fsencode(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return _stated(path)


def _stated(path: Path) -> dict[str, int | str]:
    """Return the size and the checksum of a file."""
    with path.open("rb", buffering=0) as opened:
        return {"bytes": path.stat().st_size, "checksum": file_digest(opened, xxh3_64).hexdigest()}


def _header_checksum(header: dict[str, Any]) -> str:
    """Return the checksum of the fields of a header, without the field ``checksum``."""
    return xxh3_64(json.dumps({name: header[name] for name in header if name != "checksum"}).encode()).hexdigest()


def label_arrays(labels: AnyArray | None) -> dict[str, AnyArray | None]:
    """Return the arrays that store labels: integers themselves, names as their bytes and the end of each."""
    if labels is None or labels.dtype != np.object_:
        return {"labels": labels}
    content, lengths = bytearray(), np.empty(len(labels), np.int64)
    for i, name in enumerate(labels):
        encoded = name.encode()
        content += encoded
        lengths[i] = len(encoded)
    return {"labels": np.frombuffer(content, np.uint8), "label_ends": np.cumsum(lengths)}


class _Files(NamedTuple):
    """The files of a folder; `files` holds the size and the checksum of each by its name, None to verify none."""

    source: Source
    files: dict[str, dict[str, int | str]] | None

    def columns(self, what: str, names: Collection[str], rows: int) -> dict[str, AnyArray]:
        """Return some columns of edges or of vertices."""
        if not names:
            return {}
        import pyarrow as pa  # noqa: PLC0415 - slow to import, and most graphs have no such columns

        from triadic.io.arrow_columns import values_of  # noqa: PLC0415 - as above

        source = self.source
        path = self._verified(f"{what}.arrow")
        try:
            with pa.memory_map(os.fsencode(path)) as file:
                table = pa.ipc.open_file(file).read_all()
            table.validate(full=True)
            found = {name: values_of(table[name], name, source.error) for name in table.column_names if name in names}
        except (pa.ArrowException, OSError, KeyError) as error:
            raise source.error(f"{path.name} cannot be read: {' '.join(str(error).split())[:200]}") from None
        if len(table) != rows or len(found) < len(names):
            raise source.error(
                f"{path.name} is damaged; expected {rows} values in each of the columns {', '.join(names)}"
            )
        return found

    def array(self, name: str, kinds: tuple[type[np.generic], ...], length: int | None) -> AnyArray:
        """Map one array into memory; ``length`` None accepts any length."""
        source, file = self.source, Path(self.source.path) / f"{name}.npy"
        array: AnyArray
        try:
            array = np.lib.format.open_memmap(file, mode="r")
        except FileNotFoundError:
            raise source.error(f"has no {name}.npy, expected it by the header") from None
        except _DAMAGED as error:
            raise source.error(f"{name}.npy cannot be read: {' '.join(str(error).split())[:200]}") from None
        expected = " or ".join(np.dtype(kind).name for kind in kinds)
        if array.ndim != 1 or array.dtype not in kinds:
            raise source.error(f"{name}.npy is not an array of {expected} of one dimension")
        if length is not None and len(array) != length:
            raise source.error(f"{name}.npy holds {len(array)} numbers, expected {length} by the header")
        self._verified(file.name)
        # Compiled kernels take a plain array, not the subclass for mapped ones.
        return np.asarray(array)

    def labels(self, kind: str | None, vertices: int) -> Int64Array | ObjectArray | None:
        """Return the labels of at most `vertices` vertices, which are numbers or names."""
        if kind is None:
            return None
        if kind == "numbers":
            numbers = self.array("labels", (np.int64,), None)
            if len(numbers) > vertices:
                raise self.source.error(f"labels.npy holds {len(numbers)} labels, expected {vertices} at most")
            return numbers
        ends = self.array("label_ends", (np.int64,), None)
        letters = self.array("labels", (np.uint8,), int(ends[-1]) if len(ends) else 0)
        if len(ends) > vertices or (len(ends) and ends[0] < 0) or (ends[1:] < ends[:-1]).any():
            raise self.source.error(f"label_ends.npy is damaged; expected {vertices} rising numbers at most")
        try:
            return names_of(letters, ends)
        except UnicodeDecodeError:
            raise self.source.error("labels.npy is damaged; expected names in UTF-8") from None

    def _verified(self, name: str) -> Path:
        """Return the path of a file; raise a ReadError if it has not the size and the checksum that are stated."""
        source, file = self.source, Path(self.source.path) / name
        if self.files is None:
            return file
        stated = self.files.get(name, {})
        try:
            found = _stated(file)
        except OSError as error:
            raise source.error(f"{file.name} cannot be read: {error.strerror}") from None
        if found["bytes"] != stated.get("bytes"):
            expected = f"it has {found['bytes']:,} bytes, expected {stated.get('bytes')!r}"
            raise source.error(f"{file.name} is damaged; {expected}")
        if found["checksum"] != stated.get("checksum"):
            raise source.error(f"{file.name} is damaged; it does not have the checksum that {HEADER} states")
        return file


def read_stored(source: Source, options: ReadOptions, *, columns: bool = True, verified: bool = True) -> Stored:
    """Map the arrays of a graph's folder into memory.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        ``weights=None`` takes the stored weights, if there are any and `columns` is true.
    columns : bool, default True
        Whether to read all columns that the options keep, with finite weights; otherwise none but the weights that
        the options ask for, which are not checked.
    verified : bool, default True
        Whether to verify the checksums of the arrays, which takes reading all their bytes.

    Returns
    -------
    Stored

    Raises
    ------
    ReadError
        The folder is not a graph of this format, its files do not agree with the header, a file is damaged, or the
        options ask for weights and there are none.
    """
    weights = wants_weights(source, options) and (columns or options.wants_weights)
    header = _header(source)
    vertices, arcs = header["vertices"], header["arcs"]
    files = _Files(source, header.get("files") if verified else None)
    names = [header.get(what, []) for what in _COLUMNS]
    kept = options.kept(source, chain(*names)) if columns else set()
    of_edges, of_vertices = (
        files.columns(what, [name for name in each if name in kept], rows)
        for what, each, rows in zip(_COLUMNS, names, (arcs, vertices), strict=True)
    )
    indptr = files.array("indptr", (np.int64,), vertices + 1)
    if indptr[0] != 0 or indptr[-1] != arcs or (indptr[1:] < indptr[:-1]).any():
        raise source.error(f"indptr.npy is damaged; expected it to rise from 0 to {arcs}")
    stored = Stored(
        indptr=indptr,
        indices=files.array("indices", (np.int32, np.int64), arcs),
        directed=header["directed"],
        damaged=lambda *_: source.error(f"indices.npy is damaged; expected numbers from 0 to {vertices - 1}"),
        weights=files.array("weights", (np.float64,), arcs) if weights and header["weights"] else None,
        labels=files.labels(header["labels"], vertices),
        columns=of_edges,
        vertex_columns=of_vertices,
        dropped={name: header["dropped"][name] for name in DROPPED},
        assumed=header.get("direction_assumed") is True,
    )
    if options.wants_weights and stored.weights is None:
        raise source.error(f"weights={options.weights!r}: the graph has no weights")
    if columns and stored.weights is not None and not np.isfinite(stored.weights).all():
        raise source.error("weights.npy is damaged; expected finite numbers")
    return stored


def wants_weights(source: Source, options: ReadOptions) -> bool:
    """Whether to read stored weights: unless ``weights=False``."""
    if options.weights not in (None, True, False, "weight"):
        raise source.error(f"weights={options.weights!r}: a stored graph's weights are 'weight'; use weights=True")
    return options.weights is not False


def _header(source: Source) -> dict[str, Any]:
    folder = Path(source.path)
    if not folder.is_dir():
        raise source.error(f"is a file, expected a folder with {HEADER}, triadic's own format")
    try:
        header = json.loads((folder / HEADER).read_bytes())
    except FileNotFoundError:
        if _has_unfinished_tiles(folder):
            raise source.error(
                "is a folder of unfinished tiles, expected a network; the same `triadic tile` command finishes them"
            ) from None
        raise source.error(
            f"is a folder without {HEADER}, expected a file or a graph of triadic's own format"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise source.error(f"{HEADER} cannot be read: {' '.join(str(error).split())[:200]}") from None
    if isinstance(header, dict) and header.get("format") == "triadic tiles":
        raise source.error(
            "is a folder of tiles, for clustering, triads and graphlets of three vertices; expected a network"
        )
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise source.error(f"{HEADER} is not of a graph, expected the format {FORMAT!r}")
    if header.get("version") != VERSION:
        raise source.error(f"is of version {header.get('version')!r}, this triadic reads version {VERSION}")
    problem = _header_problem(header)
    if problem is not None:
        raise source.error(f"{HEADER} states {problem}")
    if header.get("checksum", header_sum := _header_checksum(header)) != header_sum:
        raise source.error(f"{HEADER} is damaged; it does not have the checksum that it states")
    return header


def _header_problem(header: dict[str, Any]) -> str | None:
    dropped = header.get("dropped")
    counts = {name: header.get(name) for name in ("vertices", "arcs", "edges")}
    counts |= {name: dropped.get(name) if isinstance(dropped, dict) else None for name in DROPPED}
    for name, count in counts.items():
        if type(count) is not int or not 0 <= count < 2**62:
            return f"{name}={count!r}, expected a count"
    for name in ("directed", "weights"):
        if type(header.get(name)) is not bool:
            return f"{name}={header.get(name)!r}, expected true or false"
    if "labels" not in header or header["labels"] not in _LABELS:
        return f"labels={header.get('labels')!r}, expected null, 'numbers' or 'names'"
    for what in _COLUMNS:
        columns = header.get(what, [])
        if not isinstance(columns, list) or not all(isinstance(name, str) for name in columns):
            return f"{what}={str(columns)[:80]}, expected a list of names"
    files = header.get("files", {})
    if not isinstance(files, dict) or not all(isinstance(stated, dict) for stated in files.values()):
        return f"files={str(files)[:80]}, expected the size and the checksum of each file"
    return None


def names_of(letters: Uint8Array, ends: Int64Array) -> ObjectArray:
    """Return the names from their bytes and ends, the reverse of `label_arrays`.

    Raises
    ------
    UnicodeDecodeError
    """
    text, stops = letters.tobytes(), ends.tolist()
    names = [text[start:stop].decode() for start, stop in zip([0, *stops[:-1]], stops, strict=True)]
    return np.array(names, np.object_)


def _read_graph(source: Source, options: ReadOptions) -> Graph | None:
    """Return the stored graph, mapped into memory; None if the options ask for another graph."""
    from triadic.core.blocks import resolve_threads  # noqa: PLC0415 - only stored graphs need it
    from triadic.devices.cpu.orient.rows import first_wrong_row, is_symmetric  # noqa: PLC0415 - its kernels take long to import
    from triadic.graph.graph import Graph  # noqa: PLC0415 - its kernels take long to import

    stored = read_stored(source, options)
    vertices = len(stored.indptr) - 1
    if options.directed not in (None, stored.directed) or options.num_vertices not in (None, vertices):
        return None
    wrong = first_wrong_row(stored.indptr, stored.indices, threads=resolve_threads(None))
    if wrong >= 0:
        raise source.error(f"indices.npy is damaged; expected row {wrong} to rise, within 0 to {vertices - 1}")
    if not stored.directed and not is_symmetric(stored.indptr, stored.indices, threads=resolve_threads(None)):
        raise source.error("indices.npy is damaged; expected each edge in the rows of both its ends")
    graph = Graph.from_csr(
        stored.indptr,
        stored.indices,
        directed=stored.directed,
        weights=stored.weights,
        labels=stored.labels,
        trusted=True,
        dropped=Dropped(**stored.dropped),
    )
    graph._origin = stored.origin(options)  # noqa: SLF001 - `from_csr` takes none
    columns = dict(graph.columns) | stored.columns
    return graph._with(columns=columns, vertex_columns=stored.vertex_columns)  # noqa: SLF001 - as above


_GAP_HEADER = struct.Struct("<Bqq")
_NEIGHBOUR = np.dtype("<i4")
_WEIGHTED_NEIGHBOUR = np.dtype([("vertex", "<i4"), ("weight", "<i4")])


def _serialized(source: Source, options: ReadOptions, **_: bool) -> Stored:
    """Map the arrays of a file of GAP, whose suffix, ``.wsg`` or ``.sg``, states whether there are weights.

    Raises
    ------
    ReadError
        The header does not agree with the size of the file, offsets are out of range, or the options ask for weights
        and there are none.
    """
    weighted = options.wants_natural_weights(source, "a serialized graph")
    has_weights = suffix_of(source.path)[0] == ".wsg"
    if weighted and not has_weights:
        raise source.error("weights=True: a .sg has no weights; expected a .wsg")
    held = source.mapped()
    size = len(held)
    if size < _GAP_HEADER.size:
        raise source.error(f"found {size} bytes, expected the {_GAP_HEADER.size} bytes of a serialized graph's header")
    directed, arcs, vertices = _GAP_HEADER.unpack_from(held)
    kind = _WEIGHTED_NEIGHBOUR if has_weights else _NEIGHBOUR
    expected = _GAP_HEADER.size + (8 * (vertices + 1) + kind.itemsize * arcs) * (2 if directed else 1)
    if directed > 1 or arcs < 0 or not 0 <= vertices <= 2**31 or size != expected:
        found = f"found {size} bytes whose header states directed={directed}, {vertices} vertices and {arcs} arcs"
        raise source.error(f"{found}; expected a serialized graph, which would then have {expected} bytes")
    offsets = np.frombuffer(held, "<i8", count=vertices + 1, offset=_GAP_HEADER.size)
    if offsets[0] != 0 or offsets[-1] != arcs or (np.diff(offsets) < 0).any():
        raise source.error(f"its offsets are damaged; expected them to rise from 0 to {arcs}")
    neighbours: AnyArray = np.frombuffer(held, kind, count=arcs, offset=_GAP_HEADER.size + offsets.nbytes)
    return Stored(
        offsets,
        neighbours["vertex"] if has_weights else neighbours,
        bool(directed),
        lambda least, greatest: source.error(
            f"its neighbours go from {least} to {greatest}, expected 0 to {vertices - 1}"
        ),
        neighbours["weight"] if weighted else None,
    )


def _read(mapped: Callable[..., Stored], source: Source, options: ReadOptions) -> Arcs:
    """Return a stored graph as arcs in the order of its rows; an undirected edge is an arc from each of its ends."""
    stored = mapped(source, options)
    row, target, *weights = _piece(stored, 0, len(stored.indices))
    return Arcs(
        source=row,
        target=np.array(target),
        weights=weights[0] if weights else None,
        **stored.stated(source, options),
        columns=stored.columns,
        vertex_columns=stored.vertex_columns,
        origin=stored.origin(options),
    )


def _piece(stored: Stored, start: int, stop: int) -> Piece:
    """Return some arcs of a stored graph; ends have the dtype of the indices, and weights are finite."""
    indptr, indices = stored.indptr, stored.indices
    dtype = indices.dtype.type
    target = np.ascontiguousarray(indices[start:stop], dtype)
    if target.min(initial=0) < 0 or target.max(initial=-1) >= len(indptr) - 1:
        raise stored.damaged(int(indices.min()), int(indices.max()))
    first, after = np.searchsorted(indptr, [start, stop - 1], side="right") - np.array([1, 0])
    bounds = np.clip(indptr[first : after + 1], start, stop)
    ends = np.repeat(np.arange(first, after, dtype=dtype), np.diff(bounds)), target
    if stored.weights is None:
        return ends
    weights = stored.weights[start:stop].astype(np.float64)
    if not np.isfinite(weights).all():
        raise stored.damaged(0, 0)
    return *ends, weights


def _pieces(stored: Stored, piece_arcs: int) -> Iterator[Piece]:
    """Yield the arcs of a stored graph in pieces."""
    arcs = len(stored.indices)
    for start in range(0, arcs, piece_arcs):
        yield _piece(stored, start, min(start + piece_arcs, arcs))


def _stream(mapped: Callable[..., Stored], source: Source, options: ReadOptions, limits: StreamLimits) -> ArcStream:
    from triadic.io.arc_stream import VertexStream  # noqa: PLC0415 - its kernels take long to import

    stored = mapped(source, options, columns=False)
    begin = partial(_pieces, stored, limits.piece_arcs)
    stream = VertexStream(begin, arcs=len(stored.indices), **stored.stated(source, options))
    stream.origin = stored.origin(options)
    return stream


def _sample(mapped: Callable[..., Stored], source: Source, options: ReadOptions, threads: int) -> FileSample:  # noqa: ARG001 - as of all formats
    stored = mapped(source, options, columns=False, verified=False)  # a plan reads a part
    arrays = ("indptr", "indices", "weights") if options.wants_weights else ("indptr", "indices")
    files = [Path(source.path) / f"{part}.npy" for part in arrays] if source.folder else [Path(source.path)]
    arcs = len(stored.indices)
    most = max(sampling.MOST_ARCS, int(sampling.SHARE * arcs))
    places, length = (1, arcs) if arcs <= most else (sampling.PLACES, most // sampling.PLACES)
    started = time.perf_counter()
    starts = sampling.random_places(arcs - length, places)
    parts = [_piece(stored, start, start + length)[:2] for start in starts]
    seconds = (time.perf_counter() - started) / max(1, length * places)
    return sampling.FileSample(
        parts=parts,
        arcs=arcs,
        input_bytes=sum(file.stat().st_size for file in files),
        survey=8 * seconds,  # with the counts of ends; see `arc_stream`
        again=2 * seconds,
        read_bytes=0 if source.folder else sampling.MAPPED_ROWS,
        **stored.stated(source, options) | {"labels": sampling.kind_of_labels(stored.labels)},
    )


GAP = Format(
    name="gap",
    suffixes=(".sg", ".wsg"),
    read=partial(_read, _serialized),
    stream=partial(_stream, _serialized),
    sample=partial(_sample, _serialized),
)
TRIADIC = Format(
    name="triadic",
    suffixes=(".triadic",),
    folder=True,
    packed=False,
    read=partial(_read, read_stored),
    read_graph=_read_graph,
    stream=partial(_stream, read_stored),
    sample=partial(_sample, read_stored),
    write=write_folder,
    keeps=Keeps(
        isolated_vertices="header",
        direction="header",
        assumed_direction="header",
        weights="`weights.npy`",
        columns="`columns.arrow`",
        vertex_columns="`vertex_columns.arrow`",
        labels="`labels.npy`",
        numbering="rows",
    ),
    label_problem=encoding_problem,
    attributes=True,
)
