"""The description of a study: a paper, its networks and algorithms, its tables and figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from triadic.graph.graph import Graph
    from triadic_papers.studies.cells import Answer, Cell
    from triadic_papers.studies.devices import Devices
    from triadic_papers.studies.figures import Figure
    from triadic_papers.studies.results import Results
    from triadic_papers.studies.tables import Comparison

Scale = Literal["smoke", "small", "paper"]
SCALES: tuple[Scale, ...] = get_args(Scale)


@dataclass(frozen=True)
class StudyOptions:
    """Options of one run of a study.

    Attributes
    ----------
    scale : {"smoke", "small", "paper"}
    devices : Devices
    graphs : mapping of str to Path
        Files of networks, by their names in the paper's tables.
    profile : bool
        Whether to read a card's counters, for a study that has them.
    """

    scale: Scale
    devices: Devices
    graphs: Mapping[str, Path] = field(default_factory=dict)
    profile: bool = False


@dataclass(frozen=True)
class Study:
    """The experiment of a paper.

    Attributes
    ----------
    name, title, paper : str
    about : str
        Description for the page: what the paper measured, and how it is run here.
    repeats : mapping of scale to int
        Default number of runs per cell.
    budget : mapping of scale to float
        Default seconds per cell.
    cells : callable
        Returns the cells in order, networks of one kind by rising size.
    expected : callable
        Returns the engine's answer for a network.
    work : callable
        Estimates the work of the paper's algorithms on a network, in any unit; it scales the measured time of one
        network to predict the time on the next.
    tiny_network : callable
        Returns a network of a few vertices, on which kernels are compiled before timing starts.
    comparisons, figures : callable
        Return the tables, the paper's next to the measured ones, and the figures.
    graphs : tuple of str
        Names of networks that can be read from files; empty if the study generates all its networks.
    any_graph : bool
        Whether networks with other names can be read from files too.
    """

    name: str
    title: str
    paper: str
    about: str
    repeats: Mapping[Scale, int]
    budget: Mapping[Scale, float]
    cells: Callable[[StudyOptions], list[Cell]]
    expected: Callable[[Graph], Answer]
    work: Callable[[Graph], float]
    tiny_network: Callable[[], Graph]
    comparisons: Callable[[Results], Sequence[Comparison]]
    figures: Callable[[Results], Sequence[Figure]]
    graphs: tuple[str, ...] = ()
    any_graph: bool = False


def check_scale(scale: str) -> Scale:
    """Return a valid scale.

    Raises
    ------
    ArgumentError
        The scale is unknown; the message lists all scales.
    """
    for known in SCALES:
        if scale == known:
            return known
    raise ArgumentError(f"--scale {scale}: expected one of {', '.join(SCALES)}")
