"""Check arguments that hold vertices, a number of vertices, labels or weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from triadic.core.checked import check_whole
from triadic.core.compiled import kernel
from triadic.errors import ArgumentError, shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from triadic.core.array_types import AnyArray, Float64Array, Ids, Int64Array, ObjectArray

    Labels = Int64Array | ObjectArray

_INT64 = np.iinfo(np.int64).max
_ENDS = ("source", "target", "weight")  # names that no other column of arcs has
# NumPy takes longer to start than a kernel of numba, and then less time a number.
_FEW = 1000
_COMPILED = (np.dtype(np.int64), np.dtype(np.int32))


class Sparse(Protocol):
    """A sparse matrix or array with the interface of SciPy."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of rows and of columns."""

    def tocsr(self) -> Any:  # noqa: ANN401 - a CSR matrix or array, of SciPy or CuPy
        """Return the matrix in compressed sparse rows."""


def unmasked(name: str, values: ArrayLike) -> AnyArray:
    """Return values as an array; raise an ArgumentError if it is one of NumPy's masked arrays that lacks some."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        mask = np.ma.getmaskarray(values)
        raise ArgumentError(
            f"{name}: {np.count_nonzero(mask):,} of {mask.size:,} are masked, the first at "
            f"{', '.join(str(place[0]) for place in mask.nonzero())}; expected a value for each, so leave out the rows "
            "that lack one"
        )
    try:
        return np.asarray(values)
    except (TypeError, ValueError, OverflowError) as error:  # rows of different lengths
        raise ArgumentError(f"{name}={shown(values)}: expected an array: {' '.join(str(error).split())}") from None


def take_vertices(name: str, values: ArrayLike) -> tuple[Ids, int]:
    """Check an array of vertices; return it, and its largest vertex plus one."""
    array = unmasked(name, values)
    if array.shape == (0,):
        return array.astype(np.int64), 0
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ArgumentError(f"{name}: expected a 1-D array of whole numbers, got {array.dtype} of shape {array.shape}")
    if len(array) <= _FEW and array.dtype in _COMPILED and array.flags.carray:
        least, largest = _extent(array)
        if least >= 0:
            return array, int(largest) + 1
    # Viewed as unsigned, a negative number is larger than every vertex, so one pass finds both errors.
    highest = int(array.view(array.dtype.str.replace("i", "u")).max())
    if array.dtype.kind == "i" and highest >= 1 << (8 * array.dtype.itemsize - 1):
        where = int(np.argmax(array < 0))
        raise ArgumentError(f"{name}[{where}] = {array[where]}: expected vertices of at least 0")
    if highest > _INT64:
        raise ArgumentError(f"{name}: expected vertices below 2**63, got {highest}")
    return array, highest + 1


def take_ends(source: ArrayLike, target: ArrayLike) -> tuple[Ids, Ids, int]:
    """Check the two ends of edges; return them, and their largest vertex plus one."""
    (a, after_a), (b, after_b) = take_vertices("source", source), take_vertices("target", target)
    if len(a) != len(b):
        raise ArgumentError(f"source and target: expected the same length, got {len(a)} and {len(b)}")
    return a, b, max(after_a, after_b)


@kernel
def _extent(array: Ids) -> tuple[np.int64, np.int64]:
    """Return the least and the largest number of an array that is not empty."""
    least = largest = np.int64(array[0])
    for number in array:
        least = min(least, np.int64(number))
        largest = max(largest, np.int64(number))
    return least, largest


def take_square(matrix: Sparse) -> int:
    """Check that a matrix is sparse and square; return its number of rows."""
    if not hasattr(matrix, "tocsr") or len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ArgumentError(
            f"matrix: expected a square sparse matrix, got {type(matrix).__name__} "
            f"of shape {getattr(matrix, 'shape', None)}"
        )
    return matrix.shape[0]


def take_number_of_vertices(vertices: int, least: int) -> int:
    """Check a number of vertices, at least `least`; return it."""
    check_whole("num_vertices", vertices, 0)
    if vertices < least:
        raise ArgumentError(f"num_vertices={vertices}: an edge ends at vertex {least - 1}, expected at least {least}")
    return vertices


def check_order(name: str, values: Any) -> None:  # noqa: ANN401 - array_like
    """Raise if values for the vertices 0, 1, ... are a Series of pandas with another index."""
    index = getattr(values, "index", None)
    if index is not None and not callable(index) and not np.array_equal(index, np.arange(len(index))):
        raise ArgumentError(
            f"{name}: expected an index of 0, 1, 2, ..., got {index.tolist()[:3]}; sort it if it has the numbers of "
            "the vertices, or pass .to_numpy() if the rows are in their order"
        )


def take_labels(labels: ArrayLike | None, n: int) -> Labels | None:
    """Check the labels of n vertices; return them as int64, or as objects of str."""
    if labels is None:
        return None
    check_order("labels", labels)
    array = unmasked("labels", labels)
    if array.shape == (0,):
        array = array.astype(np.int64)
    if array.ndim != 1 or len(array) > n or array.dtype.kind not in "iuUOT":
        raise ArgumentError(
            f"labels: expected at most {n} whole numbers or strings, got {array.dtype} of shape {array.shape}"
        )
    if array.dtype.kind == "O":
        wrong = next((i for i, name in enumerate(array) if not isinstance(name, str)), None)
        if wrong is not None:
            raise ArgumentError(f"labels[{wrong}] = {array[wrong]!r}: expected strings, or whole numbers throughout")
    if array.dtype == np.uint64 and array.max() > np.iinfo(np.int64).max:
        raise ArgumentError(f"labels: expected whole numbers below 2**63, got {array.max()}")
    return array.astype(np.int64) if array.dtype.kind in "iu" else array.astype(object)


def take_weights(weights: ArrayLike, length: int) -> Float64Array:
    """Check the weights of arcs, one finite number each; return them as float64."""
    array = unmasked("weights", weights)
    if array.shape == (0,):
        array = array.astype(np.float64)
    if array.dtype.kind not in "biuf":
        raise ArgumentError(f"weights: expected real numbers, got {array.dtype}")
    if array.shape != (length,):
        raise ArgumentError(f"weights: expected an array of shape ({length},), got {array.shape}")
    wrong = np.flatnonzero(~np.isfinite(array))
    if len(wrong):
        raise ArgumentError(f"weights[{wrong[0]}] = {array[wrong[0]]}: expected finite numbers")
    return array.astype(np.float64, copy=False)


def take_columns(columns: Mapping[str, ArrayLike] | None, length: int) -> dict[str, AnyArray]:
    """Check columns of arcs, one value for each arc; return them as arrays."""
    if columns is not None and not isinstance(columns, Mapping):
        raise ArgumentError(f"columns={shown(columns)}: expected a mapping from names to arrays")
    taken: dict[str, AnyArray] = {}
    for name, values in (columns or {}).items():
        if not isinstance(name, str) or name in _ENDS:
            raise ArgumentError(f"columns: {name!r} names a column; expected a text other than {', '.join(_ENDS)}")
        taken[name] = unmasked(f"columns[{name!r}]", values)
        if taken[name].shape != (length,):
            raise ArgumentError(f"columns[{name!r}]: expected shape ({length},), got {taken[name].shape}")
    return taken
