"""One device's share of a count over the hubs and the list tasks of a graph, and its kernels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.devices.gpu.tasks import Share

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray
    from triadic.devices.gpu.list_tasks import ListTasks
    from triadic.devices.runtimes.runtime import Argument, Buffer, Source


class HubKernels(NamedTuple):
    """The kernels of a count for triangles with two hubs.

    Attributes
    ----------
    source : Source
        Its kernel `hub_bits` fills the bit matrix, `hub_pairs` counts in rows with few hubs, and `hub_words` in rows
        with many.
    planes : int
        Number of bits for each pair of hubs.
    few_in_a_team : int
        Number of rows with few hubs that a team counts.
    fill_arguments, arguments : tuple of Buffer and scalar
        Parameters of `hub_bits`, and of the other two, after the rows.
    """

    source: Source
    planes: int = 1
    few_in_a_team: int = 1
    fill_arguments: tuple[Argument, ...] = ()
    arguments: tuple[Argument, ...] = ()


class LowKernel(NamedTuple):
    """The kernel of a count that tests the columns of low rank.

    Attributes
    ----------
    source : Source
        Its kernel has the name of the file.
    arguments : tuple of Buffer and scalar
        Parameters of the kernel between the columns of low rank and the counts.
    blocks, threads : int, optional
        Blocks of a launch, and work-items of a block, see `Share.launch`.
    """

    source: Source
    arguments: tuple[Argument, ...] = ()
    blocks: int | None = None
    threads: int | None = None


class ListKernels(NamedTuple):
    """The kernels of a count.

    Attributes
    ----------
    source : Source
        Its kernel has the name of the file, and walks the lists.
    arguments : tuple of Buffer and scalar
        Parameters of the kernel between the tasks and the counts.
    hubs : HubKernels, optional
        Needed if the graph has hubs.
    low : LowKernel, optional
        What tests the columns of low rank if the graph has them apart; `source` then walks the other columns only.
    """

    source: Source
    arguments: tuple[Argument, ...] = ()
    hubs: HubKernels | None = None
    low: LowKernel | None = None


class ListCounter:
    """One device's share of a count over the hubs and the list tasks of a graph.

    Parameters
    ----------
    graph : ListTasks
    kernels : ListKernels
    counts : Buffer
        What the kernels add to.
    bits : Buffer, optional
        The filled bit matrix of the hubs; by default it is made when it is first needed.

    Attributes
    ----------
    bits : Buffer or None
        The bit matrix of the hubs, if it has been made.
    """

    def __init__(self, graph: ListTasks, kernels: ListKernels, counts: Buffer, bits: Buffer | None = None) -> None:
        self.runtime, self.graph, self.counts, self.bits = graph.runtime, graph, counts, bits
        self._kernels = kernels

    def found(self) -> AnyArray:
        """Return the counts on the host, after all launches so far."""
        return self.runtime.download(self.counts)

    def take(self, first: int, step: int) -> None:
        """Count every `step`-th row of hubs and list task from `first` on, and wait for the device.

        A single share is launched only: what reads the counts waits for the device.
        """
        for launch in self.launches(first, step):
            launch()
        if step > 1:
            self.runtime.synchronize()

    def launches(self, first: int, step: int) -> list[Callable[[], None]]:
        """Return functions that each launch a kernel for every `step`-th of its tasks from `first` on.

        They may run in any order, or at the same time: the bit matrix is filled here, if it is not there yet.
        """
        graph, (source, arguments, hubs, low) = self.graph, self._kernels
        found = self._launches_of_hubs(hubs, first, step) if graph.hubs and hubs is not None else []
        share = Share.of(len(graph.middles), first, step)
        if low is not None and graph.low is not None:
            found.append(
                partial(
                    graph.launch, low.source, share, *graph.low[1:], *low.arguments,
                    *self._outputs(share.size), blocks=low.blocks, threads=low.threads,
                )
            )  # fmt: skip
        outputs, past_low = self._outputs(share.size), low is not None
        return [*found, partial(graph.launch, source, share, *arguments, *outputs, past_low=past_low)]

    def _launches_of_hubs(self, hubs: HubKernels, first: int, step: int) -> list[Callable[[], None]]:
        runtime, graph = self.runtime, self.graph
        rows = graph.indptr, graph.indices
        if self.bits is None:
            self.bits = runtime.zeros(hubs.planes * graph.hubs * graph.words, np.uint64)
            runtime.launch(hubs.source, "hub_bits", graph.hubs, *rows, *hubs.fill_arguments, self.bits)
        launches: list[Callable[[], None]] = []
        for kernel, listed, in_a_team in (
            ("hub_words", graph.rows_of_many, 1), ("hub_pairs", graph.rows_of_few, hubs.few_in_a_team)
        ):  # fmt: skip
            share = Share.of(len(listed), first, step)
            launches.append(
                partial(
                    share.launch, runtime, hubs.source, kernel, (*rows, listed), *hubs.arguments, graph.split,
                    self.bits, graph.bases[1], *self._outputs(-(-share.size // in_a_team)), in_a_team=in_a_team,
                )
            )  # fmt: skip
        return launches

    def _outputs(self, tasks: int) -> tuple[Buffer, ...]:  # noqa: ARG002 - counters with a part for each task need it
        """Return the last parameters of a kernel that is launched for a number of tasks."""
        return (self.counts,)
