"""Machine instructions that numba does not offer by name, and the steps that kernels share which walk rows.

Computes: bits of a word, prefetches, a line at once and atomic additions, each one or a few instructions through LLVM;
  and marks a row, tests a mark, fetches rows ahead and searches a row, each a small function that LLVM inlines. The
  distances at which kernels prefetch stand here too, in one table.
Requires: rows of rising columns without repeats, columns viewed as unsigned integers; marks all zero at first.
Idea: most kernels over triangles are a *list walk*. For each middle vertex v they mark the row N+(v) in a bitmap, then
  walk row u up to v for each u in the list of v (`middle_lists`), and test each entry w against the marks: a mark
  found is the triangle {u, v, w}. The rows of the list come from all over memory and are fetched ahead. Where one of
  two rows is much longer than the other, kernels walk the shorter one and search the longer one instead.
  The loops themselves stay in the kernels: they differ in what they do with a hit, and numba has no way to pass a loop
  body that is as fast as one written out. A few kernels also mark their rows in place, where a call to `mark_row` made
  the whole kernel slower by more than 3%.
Cost: a test is one load of the mark; the bitmap takes 1/8 byte a vertex.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for marking a neighbourhood and walking the rows of its
neighbours; Latapy (2008), Theoretical Computer Science 407, 458, for rows ordered by degree and walked only as far as
they matter; Ortmann and Brandes (2014), ALENEX, for the variants of the walk and their costs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic as numba_intrinsic

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike

    from triadic.core.array_types import Float64Array, Ids, Int32Array, Int64Array, Uint8Array, UnsignedArray


# Prefetch distances, in items ahead of the current item. A row is fetched in two steps: its place in `indptr`, and
# later, once the place has arrived, its first entries.
AHEAD_ROW = 12  # rows in a list of middle vertices
AHEAD_ENTRIES = 4
AHEAD_PATH_ROW = 8  # rows of middle vertices of 2-paths
AHEAD_PATH_ENTRIES = 3
AHEAD_RANKED_ROW = 32  # rows in the order of the ranks: whole rows are read, in no order of memory
AHEAD_RANKED_ENTRIES = 16
AHEAD_SUM = 16  # the sum at the column of an entry
AHEAD_RANK = 32  # the value at the rank of a vertex
AHEAD_DEGREE = 64  # the degree of an id: a tally does nothing but wait for memory
AHEAD_KEY = 16  # keys past the last key of a bucket, two cache lines: stores wait for their line, in order
AHEAD_ARC = 24  # the ranks of an arc: two reads for each


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make an instruction of a function that returns its type and code generator; numba passes its first argument."""
    return cast("Callable[..., Any]", numba_intrinsic(function))


@intrinsic
def popcount(typingctx: Any, word: Any) -> Any:
    """Count the one bits of a 64-bit word, as an int64."""
    if word not in (types.int64, types.uint64):
        return None
    return types.int64(word), lambda _context, builder, _signature, arguments: builder.ctpop(arguments[0])


@intrinsic
def trailing_zeros(typingctx: Any, word: Any) -> Any:
    """Count the zero bits below the lowest one bit of a 64-bit word that is not 0, of the same type."""
    if word not in (types.int64, types.uint64):
        return None
    return word(word), lambda _context, builder, _signature, arguments: builder.cttz(arguments[0], ir.IntType(1)(1))


@intrinsic
def equal_lanes(typingctx: Any, array: Any, index: Any, value: Any, ignored: Any) -> Any:
    """Compare the 64 bytes from ``array[index]`` on with `value`, but for the one bits of `ignored`.

    Returns a uint64: bit i is 1 if ``array[index + i] | ignored == value | ignored``. The array holds unsigned numbers.
    """
    if not isinstance(array, types.Array) or {index, value, ignored} != {types.uint64}:
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        bits = array.dtype.bitwidth
        lane, count = ir.IntType(bits), 512 // bits
        vector = ir.VectorType(lane, count)
        pointer = builder.bitcast(builder.gep(view.data, [arguments[1]]), vector.as_pointer())
        loaded = builder.load(pointer, align=bits // 8)
        both = []
        for number in arguments[2:]:
            one = number if bits == ir.IntType(64).width else builder.trunc(number, lane)
            single = builder.insert_element(ir.Constant(vector, ir.Undefined), one, ir.IntType(32)(0))
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count)
            both.append(builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), zeros))
        wanted, left_out = both
        equal = builder.icmp_unsigned("==", builder.or_(loaded, left_out), builder.or_(wanted, left_out))
        return builder.zext(builder.bitcast(equal, ir.IntType(count)), ir.IntType(64))

    return types.uint64(array, index, value, ignored), codegen


@intrinsic
def prefetch(typingctx: Any, array: Any, index: Any) -> Any:
    """Request the cache line of ``array[index]`` without waiting; an address out of bounds does no harm."""
    if not isinstance(array, types.Array) or not isinstance(index, types.Integer):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        i8p, i32 = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [i8p, i32, i32, i32]), "llvm.prefetch.p0"
        )
        read, keep, data = i32(0), i32(3), i32(1)
        builder.call(function, [builder.bitcast(pointer, i8p), read, keep, data])
        return context.get_dummy_value()

    return types.void(array, index), codegen


@intrinsic
def fetch_add(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
    """Add `value` to ``array[index]`` so that no thread loses an update, and return the integer that was there."""
    if not isinstance(array, types.Array) or not isinstance(array.dtype, types.Integer):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        return builder.atomic_rmw("add", pointer, context.cast(builder, arguments[2], value, array.dtype), "monotonic")

    return array.dtype(array, index, value), codegen


# A row more than this many times as long as the other row is searched instead of walked.
MUCH_LONGER = 8

Whole = int | np.integer[Any]  # the same to numba

LINE = 64  # bytes of a cache line

WHOLE = -1  # in place of the rank up to which rows are walked: to their ends

_ONE = np.int64(1)


class Rows(NamedTuple):
    """Rows of rising columns without repeats, or lists: starts and the end of the last, int64, and unsigned columns."""

    indptr: Int64Array
    indices: UnsignedArray


class TileRows(Protocol):
    """The rows of a tile, as in `triadic.tiles.tile.Tile`."""

    @property
    def indptr(self) -> Int64Array:
        """Start of each row, and the end of the last row."""

    @property
    def indices(self) -> Int32Array:
        """Columns, counted from the first rank of their range."""

    @property
    def state(self) -> Uint8Array | None:
        """Directions of the edges of a directed graph."""

    @property
    def weights(self) -> Float64Array | None:
        """Values of the edges, shape (1, edges), of a count that takes them."""


def aligned(shape: int | tuple[int, ...], dtype: DTypeLike = np.int64) -> Any:
    """Return an array of zeros that begins with a cache line, so that no vector load crosses one."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + LINE, np.uint8)
    skipped = -memory.ctypes.data % LINE
    return memory[skipped : skipped + size].view(dtype).reshape(shape)


@kernel
def mark_row(indices: Ids, start: Whole, stop: Whole, mark: Int64Array) -> None:
    """Set the bits of the columns ``indices[start:stop]``."""
    for i in range(start, stop):
        w = np.int64(indices[i])
        mark[w >> 6] |= _ONE << (w & 63)


@kernel
def unmark_row(indices: Ids, start: Whole, stop: Whole, mark: Int64Array) -> None:
    """Clear the words that hold the bits of the columns ``indices[start:stop]``."""
    for i in range(start, stop):
        mark[np.int64(indices[i]) >> 6] = 0


@kernel
def marked(mark: Int64Array, w: Whole) -> int:
    """Return the bit of column `w`."""
    return (mark[w >> 6] >> (w & 63)) & 1


@kernel
def fetch_row_ahead(indptr: Int64Array, indices: Ids, ends: Ids, k: Whole, last: Whole) -> None:
    """Request the place of a row further down the list, and the first entries of a nearer row."""
    if k + AHEAD_ROW < last:
        prefetch(indptr, np.int64(ends[k + AHEAD_ROW]))
        start = indptr[np.int64(ends[k + AHEAD_ENTRIES])]
        prefetch(indices, start)
        prefetch(indices, start + 16)
        prefetch(indices, start + 32)


@kernel
def position(row: Ids, first: Whole, last: Whole, value: Whole) -> Whole:
    """Return the first place among the rising entries `first` .. `last` - 1 whose entry is at least `value`."""
    while first < last:
        middle = (first + last) >> 1
        if np.int64(row[middle]) < value:
            first = middle + 1
        else:
            last = middle
    return first
