"""What a study is: a paper, its networks and algorithms, its tables and figures."""

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
class Asked:
    """What is asked of a study.

    Attributes
    ----------
    scale : {"smoke", "small", "paper"}
    devices : Devices
    graphs : mapping of str to Path
        Files of networks, by the names that the study's tables have.
    profile : bool
        Read a card's counters, where a study has them.
    """

    scale: Scale
    devices: Devices
    graphs: Mapping[str, Path] = field(default_factory=dict)
    profile: bool = False


@dataclass(frozen=True)
class Study:
    """A paper's experiment.

    Attributes
    ----------
    name, title, paper : str
    about : str
        What the paper measured and how it is run here, for the page.
    repeats : mapping of scale to int
        Runs of a cell, if not said otherwise.
    budget : mapping of scale to float
        Seconds for a cell, if not said otherwise.
    cells : callable
        The cells, in order; networks of one kind by rising size.
    expected : callable
        The engine's answer for a network.
    work : callable
        About how much an algorithm of the paper has to do on a network, in any unit: by it the time on the next
        network is foretold.
    tiny : callable
        A network of a few vertices, on which kernels are compiled before the clock runs.
    comparisons, figures : callable
        Tables, the paper's beside this machine's, and figures.
    graphs : tuple of str
        Names of networks that may be given by path; empty: none can.
    any_graph : bool
        Networks of other names may be given too.
    """

    name: str
    title: str
    paper: str
    about: str
    repeats: Mapping[Scale, int]
    budget: Mapping[Scale, float]
    cells: Callable[[Asked], list[Cell]]
    expected: Callable[[Graph], Answer]
    work: Callable[[Graph], float]
    tiny: Callable[[], Graph]
    comparisons: Callable[[Results], Sequence[Comparison]]
    figures: Callable[[Results], Sequence[Figure]]
    graphs: tuple[str, ...] = ()
    any_graph: bool = False


def check_scale(scale: str) -> Scale:
    """Give a scale, or say which there are.

    Raises
    ------
    ArgumentError
    """
    for known in SCALES:
        if scale == known:
            return known
    raise ArgumentError(f"--scale {scale}: expected one of {', '.join(SCALES)}")
