"""Random walks on a device that keep groups and lengths of arcs, many at a time (constrained_switching.c).

Requires: stubs, as `triadic.null_models.constrained.ConstrainedSwitching` has them; 64-bit floats if lengths are kept.
Idea: that of switching.py.
Cost: 64 bytes for each arc or edge, per walk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.gpu.switching import buckets_for
from triadic.devices.runtimes.runtime import launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.runtimes.runtime import Buffer, Runtime

    Ids = NDArray[np.int32]

_HEADERS = ("draws", "dyad_buckets", "speculation")
_SOURCE = Source("constrained_switching", (("SET", 1024),), _HEADERS)
_SOURCE_WITH_BINS = Source("constrained_switching", (("SET", 1024), ("BINS", 1)), _HEADERS)
_NUMBER = (1 << 30) - 1  # bits of an arc's number


@dataclass(frozen=True, slots=True, eq=False)
class SwitchableStubs:
    """A graph whose arcs are switched within groups and bins of length.

    Attributes
    ----------
    stubs : int32 array, shape (stubs, 4)
        Rows (vertex, vertex at the far end, twin, arc) in strata.
    arcs : int
        Number of arcs that are no edges.
    strata : int64 array, shape (3 * groups + 1,)
        First stub of each stratum.
    rows : int64 array, shape (3 * n + 1,)
        First stub of each kind at each vertex.
    group : int32 array, shape (n,)
        Group of each vertex.
    place : float64 array, shape (n, 3)
        Coordinates of each vertex.
    limits : float64 array, shape (bins + 1,)
        Squares of the edges of the bins of length; two numbers if lengths are not kept.
    lowest : int
        Number of bits of the smallest block from which a partner is drawn.
    order : int32 array, shape (n,)
        Number of each vertex in samples.
    ordered, directed : bool
        Whether arcs both ways between two vertices are switched by themselves; whether the graph is directed.
    """

    stubs: Ids
    arcs: int
    strata: NDArray[np.int64]
    rows: NDArray[np.int64]
    group: Ids
    place: NDArray[np.float64]
    limits: NDArray[np.float64]
    lowest: int
    order: Ids
    ordered: bool
    directed: bool

    @property
    def source(self) -> Source:
        """Source of the kernel."""
        return _SOURCE_WITH_BINS if len(self.limits) > 2 else _SOURCE

    @property
    def kernel(self) -> str:
        """Name of the kernel."""
        return "switch_stubs"

    @property
    def dyads(self) -> tuple[Ids, Ids, Ids, Ids]:
        """Tails and heads of the arcs, and left and right ends of the edges."""
        arcs, edges = self.stubs[: self.arcs], self.stubs[2 * self.arcs :]
        once = edges[np.arange(2 * self.arcs, len(self.stubs)) < edges[:, 2]]
        tail, head, left, right = (np.ascontiguousarray(rows[:, i]) for rows in (arcs, once) for i in (0, 1))
        return tail, head, left, right

    @property
    def state(self) -> Ids:
        """The stubs, row by row."""
        return self.stubs.reshape(-1)

    @property
    def shared_by_walks(self) -> tuple[NDArray[Any] | np.generic, ...]:
        """Strata, groups, where stubs begin, and the bins; then the numbers of vertices in samples."""
        groups = (len(self.strata) - 1) // 3
        bins: tuple[NDArray[Any] | np.generic, ...] = ()
        if len(self.limits) > 2:
            bins = self.place.reshape(-1), self.limits, np.uint32(len(self.limits))
        return (
            self.strata.astype(np.uint32), np.uint32(groups), self.group.view(np.uint32),
            self.rows.astype(np.uint32), np.uint32(len(self.group)), np.uint32(self.lowest), *bins,
        )  # fmt: skip

    @property
    def num_arcs(self) -> int:
        """Number of arcs of a sample; an undirected edge is one arc."""
        edges = len(self.stubs) // 2 - self.arcs
        return self.arcs + (2 if self.directed else 1) * edges

    @property
    def buckets(self) -> int:
        """Number of buckets of a walk's table."""
        return buckets_for(len(self.stubs) // 2)

    def write_arcs(self, runtime: Runtime, shared: tuple[Any, ...], states: Buffer, *arguments: Any) -> None:  # noqa: ANN401, ARG002 - buffers and scalars
        """Launch the kernel that writes the arcs of one walk."""
        arcs, edges, *rest = arguments
        order = runtime.upload(self.order.view(np.uint32))
        launch_each(
            runtime, self.source, "arcs_of_stubs", len(self.stubs), states, order, arcs, edges,
            np.uint32(self.directed), *rest,
        )  # fmt: skip
