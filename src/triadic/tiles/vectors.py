"""The arrays beside tiles as ``.npy`` files: ranks, degrees and labels of vertices, and what triples test."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from triadic.errors import ReadError
from triadic.io.folder import label_arrays, names_of
from triadic.tiles.store import as_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from triadic.tiles.store import Bytes, TileStore

    Labels = NDArray[np.int64] | NDArray[np.object_]

RANK, TESTED = "rank.npy", "tested.npy"
RESULTS = "results"  # a folder beside tiles, for what is counted of them
LABELS, LABEL_ENDS = "labels.npy", "label_ends.npy"


def degree_name(i: int) -> str:
    """Give the name of the file of the degrees of range `i`."""
    return f"degree-{i}.npy"


def put_array(store: TileStore, name: str, array: NDArray[Any]) -> int:
    """Write a one-dimensional array; give the checksum of the file."""
    start = io.BytesIO()
    header: dict[str, Any] = {
        "descr": np.lib.format.dtype_to_descr(array.dtype),
        "fortran_order": False,
        "shape": array.shape,
    }
    np.lib.format.write_array_header_1_0(start, header)
    parts: list[Bytes] = [start.getvalue(), array]
    store.put(name, parts)
    return crc32(as_bytes(array), crc32(start.getvalue()))


def read_array(store: TileStore, name: str, crc: int | None) -> NDArray[Any]:
    """Map an array into memory, when its checksum is right.

    Raises
    ------
    MissingFileError
    ReadError
    """
    path = store.local(name)
    where = f"{store.place}/{name}"
    try:
        if crc is None or _checksum(path) != crc:
            raise ReadError(where, "is damaged: it does not have its checksum")
        with path.open("rb") as file:
            np.lib.format.read_magic(file)
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            offset = file.tell()
        if shape == (0,):
            return np.empty(0, dtype=dtype)
        # Compiled kernels take a plain array, not the subclass for mapped ones.
        return np.asarray(np.memmap(path, dtype=dtype, mode="r", offset=offset, shape=shape))
    except (OSError, ValueError) as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(where, f"cannot be read: {' '.join(str(error).split())[:200]}") from None


def put_labels(store: TileStore, labels: Labels | None) -> tuple[str | None, dict[str, int]]:
    """Write labels; give their kind and checksums. Names are their bytes in UTF-8 and where each ends."""
    if labels is None or len(labels) == 0:
        return None, {}
    arrays = {f"{name}.npy": array for name, array in label_arrays(labels).items() if array is not None}
    crc = {name: put_array(store, name, array) for name, array in arrays.items()}
    return "names" if LABEL_ENDS in crc else "numbers", crc


def read_labels(store: TileStore, kind: str | None, crc: dict[str, int]) -> Labels | None:
    """Read labels of this kind.

    Raises
    ------
    MissingFileError
    ReadError
    """
    if kind is None:
        return None
    content = read_array(store, LABELS, crc.get(LABELS))
    if kind == "numbers":
        return content
    return names_of(content, read_array(store, LABEL_ENDS, crc.get(LABEL_ENDS)))


def _checksum(path: Path) -> int:
    crc = 0
    with path.open("rb") as file:
        while piece := file.read(1 << 22):
            crc = crc32(piece, crc)
    return crc
