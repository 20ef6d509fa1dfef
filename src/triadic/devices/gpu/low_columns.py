"""The columns of low rank of each row as 16-bit numbers, eight to a unit of 16 bytes (low_columns.c)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.runtime import LANES, launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_UNIT = 8  # columns
# Lanes that walk a row. Rows are long in graphs with many marked ranks; a count by vertex is faster with four lanes
# everywhere (performance-diary.md).
_LANES, _LANES_OF_LONG_ROWS, _LONG_ROWS_FROM = 4, 8, 32_000
_LIST_WALK = ("tasks", "search", "middle_table", "list_walk")  # headers
_SOURCE, _LIST_TASKS = Source("low_columns"), Source("list_tasks", headers=_LIST_WALK)
# By vertex: counts of the lowest ranks that a block keeps, if it has less or more local memory than _LARGE bytes; its
# teams at most; the blocks of a multiprocessor; and the most tasks of a block, whose counts fit 32 bits.
_FEW_COUNTED, _COUNTED, _LARGE = 4096, 8192, 64 << 10
_TEAMS, _BLOCKS, _MOST_TASKS = 20, 4, 1 << 21
MOST_MARKED = (1 << 16) - 64  # the next number stands for no column


@dataclass(frozen=True, slots=True, eq=False)
class LowColumns:
    """The columns below a rank `marked` of each row.

    Attributes
    ----------
    marked : int
        A multiple of 64, at most `MOST_MARKED`.
    end : int64 buffer, shape (n,)
        Where these columns end in `indices`.
    unit_ptr : uint32 buffer, shape (n + 1,)
        Where the units of each row begin.
    units : uint16 buffer, shape (8 * units,)
        The columns, rising within a row; the last unit of a row is filled up with `marked`.
    """

    marked: int
    end: Buffer
    unit_ptr: Buffer
    units: Buffer


def low_columns(runtime: Runtime, marked: int, indptr: Buffer, indices: Buffer, *, first: int = 0) -> LowColumns:
    """Copy the columns below `marked` of all rows from the row `first` on; rows before it have no units."""
    n = len(indptr) - 1
    end = runtime.zeros(n, np.int64)
    launch_each(runtime, _LIST_TASKS, "split_rows", n, indptr, indices, np.uint32(marked), np.uint64(n), end)
    with runtime.active():
        xp = runtime.xp
        lengths = runtime.view(end) - runtime.view(indptr)[:-1]
        lengths += _UNIT - 1
        lengths //= _UNIT
        lengths[:first] = 0
        before = xp.zeros(n + 1, dtype=xp.int64)
        xp.cumsum(lengths, out=before[1:])
        del lengths  # no more memory than the counts take later
        units = runtime.empty(_UNIT * int(before[-1]), np.uint16)
        unit_ptr = runtime.upload(before.astype(xp.uint32))
    rows = np.uint64(n)
    launch_each(
        runtime, _SOURCE, "low_units", _UNIT * n, indptr, indices, end, unit_ptr, rows, np.uint32(marked), units
    )
    return LowColumns(marked, end, unit_ptr, units)


def bytes_of_low_columns(n: int, entries: int) -> tuple[int, ...]:
    """Estimate the bytes of each buffer that `low_columns` keeps for `n` rows with `entries` columns below `marked`."""
    filled_up = _UNIT // 2 * min(n, entries)  # half a unit for each row that has any
    return 8 * n, 4 * n, 2 * (entries + filled_up)


def low_states(runtime: Runtime, low: LowColumns, indptr: Buffer, state: Buffer) -> Buffer:
    """Return the states of the columns of each unit, two bits for each: uint16, shape (units,)."""
    units = len(low.units) // _UNIT
    check_room(runtime, f"the states of {units:,} units of columns", 2 * units)
    states = runtime.zeros(units, np.uint16)
    rows = len(indptr) - 1
    launch_each(
        runtime, _SOURCE, "unit_states", _UNIT * rows, indptr, state, low.end, low.unit_ptr, np.uint64(rows), states
    )
    return states


def low_triads(marked: int, result: str, *more: tuple[str, int]) -> Source:
    """Return the source of the count of closed triads: "CODES", "LABELLED" or "ROLES"."""
    defines = ("MARKED", marked), ("ACROSS", _LANES), (result, 1), *more
    return Source("low_triads", defines, (*_LIST_WALK, "code_counts"))


def hub_lists(marked: int) -> Source:
    """Return the source of the count in total."""
    across = _LANES_OF_LONG_ROWS if marked >= _LONG_ROWS_FROM else _LANES
    return Source("hub_lists", (("MARKED", marked), ("ACROSS", across), ("NUMBER", 1)), _LIST_WALK)


def hub_lists_by_vertex(runtime: Runtime, marked: int, tasks: int) -> tuple[Source, int, int]:
    """Return the source of the count by vertex, its number of blocks, and the number of work-items of a block.

    A block takes tasks as long as there are any, so that it adds up many counts before it adds them to global memory.
    Two blocks share the local memory of a multiprocessor if each has 48 KiB.
    """
    room = max(runtime.local_bytes // 2, min(runtime.local_bytes, 48 << 10)) - 1024
    counted = min(marked, _COUNTED if room > _LARGE else _FEW_COUNTED)
    bytes_of_counts, bytes_of_team = 4 * (counted + 1), 4 * (marked // 32 + 1)
    teams = 1 if runtime.teams == 1 else max(1, min(_TEAMS, (room - bytes_of_counts) // bytes_of_team))
    blocks = min(max(_BLOCKS * runtime.multiprocessors, -(-tasks // _MOST_TASKS)), -(-tasks // teams))
    defines = ("TEAMS", teams), ("MARKED", marked), ("COUNTED", counted), ("ACROSS", _LANES), ("BY_VERTEX", 1)
    local_bytes = bytes_of_counts + teams * bytes_of_team
    return Source("hub_lists", defines, _LIST_WALK, local_bytes=local_bytes), blocks, LANES * teams
