"""Results as long as the graph, in files that are mapped into memory and written part by part."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import WriteError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout


def mapped(path: Path, shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
    """Make a ``.npy`` file of zeros and map it into memory, to be written.

    Raises
    ------
    WriteError
    """
    if 0 in shape:
        return np.zeros(shape, dtype=dtype)
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        array = np.lib.format.open_memmap(temporary, mode="w+", dtype=dtype, shape=shape)
        with temporary.open("r+b") as file:
            _reserve(file.fileno(), temporary.stat().st_size)
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from None
    return np.asarray(array)  # kernels take a plain array, not the subclass for mapped ones


def by_rank(path: Path, layout: Layout, graph: str, of_range: Callable[[int], NDArray[Any]]) -> NDArray[Any]:
    """Give what each range has as one array by rank, in a file; one that is there of the same graph is taken.

    Parameters
    ----------
    path : Path
    layout : Layout
    graph : str
        What the file must have been made of to be taken.
    of_range : callable
    """
    made_of = path.with_suffix(".json")
    with suppress(OSError, ValueError):
        if json.loads(made_of.read_text(encoding="utf-8")) == graph:
            return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    with suppress(OSError):
        made_of.unlink(missing_ok=True)
    first = of_range(0)
    found = mapped(path, (layout.vertices, *first.shape[1:]), first.dtype.type)
    for i in range(layout.ranges):
        found[layout.cuts[i] : layout.cuts[i + 1]] = first if i == 0 else of_range(i)
    with suppress(OSError):
        made_of.write_text(json.dumps(graph), encoding="utf-8")
    return found


def _reserve(descriptor: int, size: int) -> None:
    """Have the disk set room aside, so that a full one is an error here and not a fault in a mapped page."""
    if hasattr(os, "posix_fallocate"):  # not everywhere
        os.posix_fallocate(descriptor, 0, size)
