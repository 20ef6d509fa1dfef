"""A finished study read from its two archived files, ``results.csv`` and ``summary.json``."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triadic.errors import ReadError
from triadic_papers.studies import find_study
from triadic_papers.studies.folder import read_json
from triadic_papers.studies.results import Result, Results, Run

if TYPE_CHECKING:
    from pathlib import Path

    from triadic_papers.studies.study import Study

_FIELDS = (
    *("cell", "machine", "workload", "row", "kind", "size", "source", "vertices", "edges", "loaded"),
    *("algorithm", "device", "parameters", "equal"),
)


@dataclass(frozen=True)
class Archive:
    """A finished study.

    Attributes
    ----------
    study : Study
    scale : str
    results : Results
        In the order of the summary.
    machines : dict
        Descriptions of the machines by key.
    """

    study: Study
    scale: str
    results: Results
    machines: dict[str, dict[str, Any]]


def read_archive(folder: Path) -> Archive:
    """Read a study from its ``results.csv`` and ``summary.json``.

    Raises
    ------
    ReadError
        A file is missing, or is not what a study writes.
    """
    summary = read_json(folder / "summary.json")
    try:
        runs = _read_runs(folder / "results.csv")
        results = Results(_result(cell, runs) for cell in summary["cells"])
        return Archive(find_study(summary["study"]), summary["scale"], results, summary["machines"])
    except (KeyError, TypeError, ValueError) as error:
        raise ReadError(folder, f"does not hold the results of a study of this version: {error!r}") from error


def _read_runs(path: Path) -> dict[tuple[str, ...], tuple[Run, ...]]:
    """Read the runs of every cell, by machine, workload, algorithm, device and parameters."""
    runs: dict[tuple[str, ...], list[Run]] = defaultdict(list)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key = (row["machine"], row["workload"], row["algorithm"], row["device"], row["parameters"])
                runs[key].append(Run(float(row["seconds"]), json.loads(row["phases"])))
    except OSError as error:
        raise ReadError(path, f"cannot be read: {error.strerror or error}") from error
    return {key: tuple(found) for key, found in runs.items()}


def _result(cell: dict[str, Any], runs: dict[tuple[str, ...], tuple[Run, ...]]) -> Result:
    key = (cell["machine"], cell["workload"], cell["algorithm"], cell["device"], json.dumps(cell["parameters"]))
    fields = {name: cell[name] for name in _FIELDS}
    if not cell["runs"]:
        return Result(**fields, left_out=cell["left_out"])
    return Result(**fields, runs=runs[key], facts=cell["facts"])
