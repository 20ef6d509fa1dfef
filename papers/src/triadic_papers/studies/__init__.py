"""The experiments of the five papers: networks, algorithms and devices of each, and the page with its results.

The module of a study defines its networks, the algorithms and devices to run, its tables and figures; `paper_values`
holds the tables that the papers print. All other modules are shared: cells, the folder of results, the report.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic_papers.studies.study import Study

_HOME = {
    "cstn117": "cstn117",
    "opencl": "opencl",
    "poster": "poster",
    "triad-census": "triad_census",
    "fglt": "fglt",
}
NAMES = tuple(_HOME)


def find_study(name: str) -> Study:
    """Return the study with a given name.

    Raises
    ------
    ArgumentError
        There is no such study.

    Examples
    --------
    >>> find_study("fglt").name
    'fglt'
    """
    if name not in _HOME:
        raise ArgumentError(f"study {name!r}: expected one of {', '.join(NAMES)}")
    found: Study = import_module(f"{__name__}.{_HOME[name]}").STUDY
    return found
