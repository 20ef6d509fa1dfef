"""The names of the files of a data set of TU Dortmund, by which a folder or a file of it is recognised.

Format: https://chrsmrrs.github.io/datasets. Each name is that of the data set, followed by what the file holds.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from triadic.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

ARCS, INDICATOR, LABELS, VALUES = "_A.txt", "_graph_indicator.txt", "_graph_labels.txt", "_edge_attributes.txt"
PARTS = (
    *(ARCS, INDICATOR, LABELS, VALUES),
    *("_graph_attributes.txt", "_node_labels.txt", "_node_attributes.txt", "_edge_labels.txt"),
)
"""What follows the name of the data set in the names of its files."""

_READ_BY = "triadic.read_batch{call} reads all of them, and so do commands with --batch, such as triadic clustering"


def refuse_part(path: str) -> None:
    """Raise a ReadError if a file that is to be read as one network is a file of a data set.

    Parameters
    ----------
    path : str
        File whose name ends as one of `PARTS` does.
    """
    folder, file = os.path.split(path)
    name = next(file.removesuffix(part) for part in PARTS if file.endswith(part))
    if name and all(Path(folder, name + part).is_file() for part in (ARCS, INDICATOR)):
        call = f"({folder or '.'!r})"
        raise ReadError(
            path,
            f"is a file of {name}, a data set of TU Dortmund, which holds many graphs; {_READ_BY.format(call=call)} "
            "with this folder",
        )


def refuse_folders(paths: Sequence[str], *, alone: bool = False) -> None:
    """Raise a ReadError if some files are those of a data set, complete or without a necessary file.

    Parameters
    ----------
    paths : sequence of str
    alone : bool, default False
        Whether a file ``DS_A.txt`` in a folder ``DS`` without any other file tells a data set.
    """
    folders: dict[str, list[str]] = {}
    for path in paths:
        if path.endswith(PARTS):
            folder, file = os.path.split(path)
            folders.setdefault(folder or ".", []).append(file)
    for folder, files in folders.items():
        call = f"({folder!r})"
        lacking = lacking_file(files, alone=alone and Path(folder).name + ARCS in files)
        if lacking is not None:
            raise ReadError(folder, lacking)
        if any(file.removesuffix(INDICATOR) + ARCS in files for file in files if file.endswith(INDICATOR)):
            problem = f"is a data set of TU Dortmund, which holds many graphs; {_READ_BY.format(call=call)}"
            raise ReadError(folder, problem)


def lacking_file(names: Collection[str], *, alone: bool = False) -> str | None:
    """Return in words which of the two necessary files a data set lacks; None if the names are not of such a set.

    Parameters
    ----------
    names : collection of str
        Names of the files of a folder.
    alone : bool, default False
        Whether a file of arcs without any other file tells a data set. By default it takes another file of the set.

    Examples
    --------
    >>> lacking_file(["MUTAG_A.txt", "MUTAG_graph_labels.txt"])
    'holds MUTAG_A.txt, but no MUTAG_graph_indicator.txt; expected both, the files of a data set of TU Dortmund'
    >>> lacking_file(["group_A.txt", "group_B.txt"]) is None
    True
    """
    for part, other in ((INDICATOR, ARCS), (ARCS, INDICATOR)):
        sets = [name.removesuffix(part) for name in names if name.endswith(part)]
        if len(sets) != 1 or not sets[0] or sets[0] + other in names:
            continue
        beside = [name for name in names if name.startswith(sets[0]) and name.endswith(PARTS)]
        others = [name for name in names if not name.startswith((".", "README"))]
        if part == INDICATOR or len(beside) > 1 or (alone and len(others) == 1):
            return (
                f"holds {sets[0]}{part}, but no {sets[0]}{other}; expected both, the files of a data set of TU Dortmund"
            )
    return None
