"""The five papers' experiments, run again: what each measured, how a cell of it is run, and the page of its results.

A study's module says which networks, which algorithms of `published/` on which devices, which tables and figures; what
the paper printed stands beside it in `printed/`. The rest is common to all: cells, the folder they are kept in, the
report.
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
    """Give a study by its name.

    Raises
    ------
    ArgumentError

    Examples
    --------
    >>> find_study("fglt").name
    'fglt'
    """
    if name not in _HOME:
        raise ArgumentError(f"study {name!r}: expected one of {', '.join(NAMES)}")
    found: Study = import_module(f"{__name__}.{_HOME[name]}").STUDY
    return found
