"""Random wedges of oriented rows on a GPU (wedge_sampling.c)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.draws.wedge_sampling import COLUMNS, UNIT, weight_shift
from triadic.devices.gpu.closed_triads import states
from triadic.devices.gpu.graph_cache import cached
from triadic.devices.gpu.rows import degrees_on, rows_on
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import LANES
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.draws.choice import ChoiceTable
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_COPIES = 256  # of the sums
_MOST_BLOCKS = 1 << 12


def tally(
    device: str,
    oriented: Oriented,
    table: ChoiceTable,
    key: int,
    first: int,
    stop: int,
    local: bool,
    *,
    progress: Progress | None = None,  # noqa: ARG001 - one launch, over before it could be reported
) -> NDArray[np.int64]:
    """Draw wedges on the first of some devices, see `triadic.devices.cpu.draws.wedge_sampling.tally`."""
    runtime = runtimes_of(device)[0]
    rows = rows_on(runtime, oriented)
    before, guide = cached(oriented, runtime, ("wedges", local), partial(_upload, runtime, table))
    defines = [("COPIES", _COPIES), ("UNIT", UNIT)]
    defines += [("LOCAL_WEIGHTS", 1)] if local else []
    # Buffers that a kernel does not read are stood in for by one that is there.
    degree = degrees_on(runtime, oriented) if local else guide
    has_states = oriented.state is not None and not local
    defines += [("STATES", 1)] if has_states else []
    state = states(runtime, oriented) if has_states else cached(oriented, runtime, "no states", partial(_none, runtime))
    sums = runtime.zeros(2 * _COPIES * COLUMNS, np.uint32)
    size = LANES * runtime.teams
    blocks = max(1, min(_MOST_BLOCKS, -(-(stop - first) // size)))
    source = Source("wedge_sampling", tuple(defines), ("draws", "search"))
    runtime.launch(
        source, "tally_wedges", blocks, rows.indptr, rows.indices, state, degree, before, guide, np.uint64(table.step),
        np.uint64(table.total), np.uint32(weight_shift(oriented.num_vertices, local=local)), np.uint64(key),
        np.uint64(first), np.uint64(stop - first), np.uint64(blocks * size), sums,
    )  # fmt: skip
    return runtime.download(sums).view(np.int64).reshape(_COPIES, COLUMNS).sum(axis=0)


def _upload(runtime: Runtime, table: ChoiceTable) -> tuple[Buffer, Buffer]:
    return runtime.upload(table.before), runtime.upload(table.guide)


def _none(runtime: Runtime) -> Buffer:
    return runtime.zeros(1, np.uint8)
