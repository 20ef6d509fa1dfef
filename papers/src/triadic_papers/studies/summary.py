"""``results.csv``, one row per run, and ``summary.json``, the statistics of every cell."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from triadic.io.temporary_files import whole_file
from triadic_papers.studies.folder import write_json

if TYPE_CHECKING:
    from pathlib import Path

    from triadic_papers.studies.results import Result, Results
    from triadic_papers.studies.study import Study

_COLUMNS = (
    *("study", "scale", "machine", "workload", "kind", "vertices", "edges"),
    *("algorithm", "device", "parameters", "run", "seconds", "phases", "equal"),
)


def write_runs(path: Path, study: Study, scale: str, results: Results) -> None:
    """Write one CSV row per run; parameters and phases are JSON objects."""
    with whole_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(_COLUMNS)
        for result in results:
            fixed = (study.name, scale, result.machine, result.workload, result.kind, result.vertices, result.edges)
            how = (result.algorithm, result.device, json.dumps(dict(result.parameters)))
            for number, run in enumerate(result.runs, 1):
                equal = json.dumps(result.equal)
                rows.writerow((*fixed, *how, number, run.seconds, json.dumps(dict(run.phases)), equal))


def write_summary(
    path: Path, study: Study, scale: str, results: Results, machines: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Write and return the summary."""
    summary = {
        "study": study.name,
        "paper": study.paper,
        "scale": scale,
        "machines": machines,
        "algorithms": _algorithms(results),
        "cells": [_cell(result) for result in results],
    }
    write_json(path, summary)
    return summary


def _algorithms(results: Results) -> list[dict[str, Any]]:
    """Return for each algorithm on each device whether all its runs returned the engine's result."""
    found = []
    for algorithm, device in dict.fromkeys((result.algorithm, result.device) for result in results):
        cells = results.where(algorithm=algorithm, device=device)
        found.append(
            {
                "algorithm": algorithm,
                "device": device,
                "equal": all(result.equal for result in cells.completed) if len(cells.completed) else None,
                "cells": len(cells.completed),
                "left_out": len(cells) - len(cells.completed),
            }
        )
    return found


def _cell(result: Result) -> dict[str, Any]:
    what = {
        "cell": result.cell,
        "machine": result.machine,
        "workload": result.workload,
        "row": result.row,
        "kind": result.kind,
        "size": result.size,
        "source": result.source,
        "vertices": result.vertices,
        "edges": result.edges,
        "loaded": result.loaded,
        "algorithm": result.algorithm,
        "device": result.device,
        "parameters": dict(result.parameters),
    }
    if not result.runs:
        return what | {"runs": 0, "equal": None, "left_out": result.left_out}
    return what | {
        "runs": len(result.runs),
        "equal": result.equal,
        "median": result.median,
        "mean": result.mean,
        "std": result.std,
        "min": min(result.seconds),
        "max": max(result.seconds),
        "phases": {name: result.phase(name) for name in result.phases},
        "facts": dict(result.facts),
    }
