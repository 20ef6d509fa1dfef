"""A study of nothing much, to try the machinery on."""

from __future__ import annotations

import pytest

from triadic import triangle_count
from triadic.generate import BarabasiAlbert
from triadic_papers.studies.cells import ENGINE, Cell, Outcome, UnavailableError
from triadic_papers.studies.networks import model_workload, tiny_network
from triadic_papers.studies.study import Study
from triadic_papers.studies.tables import Comparison, Table


class Calls(list):
    """Names of the cells that ran, in order; one is to fail with the error that is set for it."""

    def __init__(self):
        super().__init__()
        self.errors = {}


@pytest.fixture
def calls():
    return Calls()


def make_study(calls):
    """Return a study of two networks; an algorithm that is right, one that is wrong, one not there, and the engine."""
    workloads = [model_workload(f"net-{v}", "net", v, BarabasiAlbert(v, 3, seed=1)) for v in (20, 40)]

    def cell(workload, algorithm, answer, **parameters):
        def run(graph):
            if graph.num_vertices > 6:  # not the tiny one, on which kernels are compiled
                calls.append(f"{workload.name}/{algorithm}")
                if (error := calls.errors.get((workload.name, algorithm))) is not None:
                    raise error
            return Outcome({"triangles": answer(graph)}, phases={"count": 0.25}, facts={"k": 3})

        return Cell(workload, algorithm, "cpu", run, parameters)

    def absent(graph):
        raise UnavailableError("no such thing here")

    def cells(options):
        found = []
        for workload in workloads:
            found += [
                cell(workload, "right", triangle_count, threads=2),
                cell(workload, "wrong", lambda graph: -1),
                Cell(workload, "absent", "cpu", absent),
                cell(workload, ENGINE, triangle_count),
            ]
        return [*found, Cell(None, "right", "cuda", None, left_out="no GPU", row="all")]

    def comparisons(results):
        rows = [(each.cell, each.median) for each in results.completed]
        return [Comparison("Times <b>", Table(("cell", "s"), rows), Table(("cell", "s"), [("old", 12.5)]), "table 1")]

    return Study(
        name="nothing",
        title="Nothing & much",
        paper="nobody, 1999",
        about="about it",
        repeats={"smoke": 3, "small": 3, "paper": 3},
        budget={"smoke": 1.0, "small": 1.0, "paper": 1.0},
        cells=cells,
        expected=lambda graph: {"triangles": triangle_count(graph), "paths": 7},
        work=lambda graph: float(graph.num_edges),
        tiny_network=tiny_network(),
        comparisons=comparisons,
        figures=lambda results: [],
    )


@pytest.fixture
def study(calls):
    """A study whose cells add to the calls."""
    return make_study(calls)


@pytest.fixture(scope="module")
def study_of_the_module():
    """The same study for the tests of a module that need it once, whose calls nobody looks at."""
    return make_study(Calls())


@pytest.fixture(scope="session")
def options():
    from triadic_papers.studies.devices import Devices
    from triadic_papers.studies.study import StudyOptions

    return StudyOptions("smoke", Devices(cpu=True))
