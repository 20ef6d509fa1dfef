"""Samples of switching that are drawn on a device, oriented there, and counted where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.devices.gpu.constrained_switching import SwitchableStubs
from triadic.devices.gpu.orientation import orient, rank_on
from triadic.devices.gpu.oriented import OrientedOnDevice
from triadic.devices.gpu.switching import ArcsOfWalk, DeviceWalks, Switchable, walks_at_a_time
from triadic.devices.runtimes.registry import runtime as open_runtime
from triadic.graph.graph import Graph
from triadic.null_models.constrained import ConstrainedSwitching, StubWalk
from triadic.null_models.switching import Switching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeGuard

    from triadic.null_models.interface import NullModel

    Walks = Switching | ConstrainedSwitching


def walks_on_devices(model: NullModel) -> TypeGuard[Walks]:
    """Return whether devices have the walks of a null model: switching without weights, also within groups and bins."""
    return isinstance(model, (Switching, ConstrainedSwitching))


def samples_at_a_time(device: str, model: Walks, wanted: int) -> int:
    """Return the number of samples that are drawn side by side on a device such as "cuda:0", at most `wanted`.

    Raises
    ------
    OutOfMemoryError
        If the device has too little memory for one.
    UnsupportedError
        If the graph has too many arcs.
    """
    return walks_at_a_time(open_runtime(device), _switchable(model), wanted)


def draw_on(
    device: str,
    model: Walks,
    keys: Sequence[int],
    *,
    first: Callable[[StubWalk], object] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Iterator[tuple[Graph, bool]]:
    """Draw a sample for each key on a device such as "cuda:0", all side by side.

    Parameters
    ----------
    device : str
    model : Switching or ConstrainedSwitching
    keys : sequence of int
    first : callable, optional
        Called with the walk of the first key, if the model is a `ConstrainedSwitching`.
    progress : callable, optional
        ``progress(done, total)`` is called with numbers of steps while the walks are made.

    Yields
    ------
    Graph, bool
        The graph at which the walk of a key ends, which lies on the device, and whether any proposal was accepted: as
        ``model.draw(key)`` returns them.

    Raises
    ------
    DeviceError, OutOfMemoryError
        If the device fails, or has too little memory.
    """
    runtime, n = open_runtime(device), model.num_vertices
    walks = DeviceWalks(runtime, _switchable(model), list(keys))
    walks.go(model.steps, progress)
    if first is not None and isinstance(model, ConstrainedSwitching):
        first(StubWalk.at(model, walks.first_state()))
    accepted, rank = walks.accepted(), None
    for i in range(len(keys)):
        arcs = ArcsOfWalk(walks, i)
        if rank is None:  # degrees never change
            rank = rank_on(runtime, arcs, n)
        arrays, met = orient(runtime, arcs, n, directed=model.directed, rank=rank)
        oriented = OrientedOnDevice(runtime, arrays)
        graph = Graph._of_oriented(oriented, met, directed=model.directed, labels=model.labels)  # noqa: SLF001 - the constructor for graphs on a device
        yield graph, bool(accepted[i] > 0)


def _switchable(model: Walks) -> Switchable | SwitchableStubs:
    if isinstance(model, ConstrainedSwitching):
        return SwitchableStubs(
            stubs=model.stubs,
            arcs=model.arcs,
            strata=model.strata,
            rows=model.rows,
            group=model.group,
            place=model.place,
            limits=model.limits,
            lowest=model.lowest,
            order=model.order,
            ordered=model.ordered,
            directed=model.directed,
        )
    return Switchable(
        tail=model.tail,
        head=model.head,
        indptr=model.indptr,
        left=model.left,
        right=model.right,
        ordered=model.ordered,
        directed=model.directed,
    )
