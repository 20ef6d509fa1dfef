"""One device's share of a count over the hubs and the list tasks of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.tasks import Share, number_of_shares, run_shares

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.blocks import Progress
    from triadic.devices.gpu.list_tasks import ListTasks
    from triadic.devices.runtimes.runtime import Buffer, Runtime, Source


@dataclass(frozen=True, slots=True, eq=False)
class HubKernels:
    """The kernels of a count for triangles with two hubs.

    Attributes
    ----------
    source : Source
    fill, few, many : str
        Names of the kernels that fill the bit matrix, and that count in rows with few and with many hubs.
    planes : int
        Number of bits for each pair of hubs.
    few_in_a_team : int
        Number of rows with few hubs that a team counts.
    fill_arguments, arguments : tuple of Buffer and scalar
        Parameters of `fill`, and of the other two, after the rows.
    """

    source: Source
    fill: str
    few: str
    many: str
    planes: int = 1
    few_in_a_team: int = 1
    fill_arguments: tuple[Buffer | np.generic, ...] = ()
    arguments: tuple[Buffer | np.generic, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class LowKernel:
    """The kernel of a count that tests the columns of low rank.

    Attributes
    ----------
    source : Source
    kernel : str
    arguments : tuple of Buffer and scalar
        Parameters of the kernel between the columns of low rank and the counts.
    blocks, threads : int, optional
        Blocks of a launch, and work-items of a block, see `Share.launch`.
    """

    source: Source
    kernel: str
    arguments: tuple[Buffer | np.generic, ...] = ()
    blocks: int | None = None
    threads: int | None = None


class ListCounter:
    """One device's share of a count.

    Parameters
    ----------
    runtime : Runtime
    graph : ListTasks
    source : Source
    kernel : str
        Name of the kernel that walks the lists.
    arguments : tuple of Buffer and scalar
        Parameters of the kernel between the tasks and the counts.
    counts : Buffer, optional
        What the kernels add to.
    hubs : HubKernels, optional
        Needed if the graph has hubs.
    bits : Buffer, optional
        The filled bit matrix of the hubs; by default it is made when it is first needed.
    low : LowKernel, optional
        What tests the columns of low rank if the graph has them apart; then `kernel` walks the other columns only.

    Attributes
    ----------
    bits : Buffer or None
        The bit matrix of the hubs, if it has been made.
    """

    def __init__(
        self,
        runtime: Runtime,
        graph: ListTasks,
        source: Source,
        kernel: str,
        arguments: tuple[Buffer | np.generic, ...],
        counts: Buffer | None,
        *,
        hubs: HubKernels | None = None,
        bits: Buffer | None = None,
        low: LowKernel | None = None,
    ) -> None:
        self._low = low
        self.runtime, self.graph, self.counts = runtime, graph, counts
        self._source, self._kernel, self._arguments, self._hubs = source, kernel, arguments, hubs
        self.bits = bits

    def found(self) -> Int64Array:
        """Return 64-bit counts on the host, after all launches so far."""
        return self.runtime.download(self.counts).view(np.int64)

    def take(self, first: int, step: int) -> None:
        """Count every `step`-th row of hubs and list task from `first` on, and wait for the device."""
        self.launch(first, step)
        self.runtime.synchronize()

    def launch(self, first: int, step: int) -> None:
        """Launch the kernels that count every `step`-th row of hubs and list task from `first` on."""
        for launch in self.launches(first, step):
            launch()

    def launches(self, first: int, step: int) -> list[Callable[[], None]]:
        """Return functions that each launch a kernel for every `step`-th of its tasks from `first` on.

        They may run in any order, or at the same time: the bit matrix is filled here, if it is not there yet.
        """
        of_hubs = self._launches_of_hubs(self._hubs, first, step) if self.graph.hubs and self._hubs is not None else []
        share = Share.of(len(self.graph.middles), first, step)
        lists, past_low, of_low = self.graph, False, []
        if self._low is not None and lists.low is not None:
            past_low = True
            low = lists.low
            of_low.append(
                partial(
                    lists.launch, self.runtime, self._low.source, self._low.kernel, share, low.end, low.unit_ptr,
                    low.units, *self._low.arguments, *self._outputs(share.size), blocks=self._low.blocks,
                    threads=self._low.threads,
                )
            )  # fmt: skip
        of_others = partial(
            lists.launch, self.runtime, self._source, self._kernel, share, *self._arguments,
            *self._outputs(share.size), past_low=past_low,
        )  # fmt: skip
        return [*of_hubs, *of_low, of_others]

    def _launches_of_hubs(self, hubs: HubKernels, first: int, step: int) -> list[Callable[[], None]]:
        runtime, graph = self.runtime, self.graph
        if self.bits is None:
            self.bits = runtime.zeros(hubs.planes * graph.hubs * graph.words, np.uint64)
            runtime.launch(
                hubs.source, hubs.fill, graph.hubs, graph.indptr, graph.indices, *hubs.fill_arguments, self.bits
            )
        launches: list[Callable[[], None]] = []
        for kernel, rows, in_a_team in (
            (hubs.many, graph.rows_of_many, 1), (hubs.few, graph.rows_of_few, hubs.few_in_a_team)
        ):  # fmt: skip
            share = Share.of(len(rows), first, step)
            launches.append(
                partial(
                    share.launch, runtime, hubs.source, kernel, (graph.indptr, graph.indices, rows), *hubs.arguments,
                    graph.split, self.bits, graph.bases[1], *self._outputs(-(-share.size // in_a_team)),
                    in_a_team=in_a_team,
                )
            )  # fmt: skip
        return launches

    def _outputs(self, tasks: int) -> tuple[Buffer, ...]:  # noqa: ARG002 - counters with a part for each task need it
        """Return the last parameters of a kernel that is launched for a number of tasks."""
        return (self.counts,)


class SumsOverParts:
    """Counts on a device that are added up over parts of a graph; a `PartSums`.

    Parameters
    ----------
    counter_of : callable
        ``counter_of(graph, state, bits)`` returns the counter of a part, whose counts are those of all parts. `bits` is
        the bit matrix of the hubs, if a part before had one.
    result : callable
        Return the sums.
    """

    def __init__(
        self, counter_of: Callable[[ListTasks, Buffer, Buffer | None], ListCounter], result: Callable[[], AnyArray]
    ) -> None:
        self._counter_of, self.result = counter_of, result
        self._bits: Buffer | None = None

    def add(self, graph: ListTasks, state: Buffer) -> None:
        """Count a part and add its counts."""
        counter = self._counter_of(graph, state, self._bits)
        counter.take(0, 1)
        self._bits = counter.bits


def run_counters(counters: Sequence[ListCounter], edges: int, progress: Progress | None) -> None:
    """Let counters, one for each device, count a graph of `edges` edges; see `run_shares`.

    A single share is launched only: what reads the counts waits for the device.
    """
    if progress is None and number_of_shares(len(counters), edges) == 1:
        counters[0].launch(0, 1)
    else:
        run_shares([counter.take for counter in counters], edges, progress)
