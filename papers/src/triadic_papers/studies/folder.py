"""Where a study's results lie: a file a cell and machine, there whole or not at all.

::

    DIR/study.json                  which study, at which scale
    DIR/machines/<machine>.json     what a machine is
    DIR/cells/<machine>/<cell>.json a cell's runs
    DIR/results.csv, summary.json, index.html, figures/    made of these
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from triadic.errors import ArgumentError, ReadError, WriteError
from triadic.io.whole_file import whole_file
from triadic_papers.studies.results import Result, Results

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from triadic_papers.studies.cells import Cell


class ResultFolder:
    """The results of one study at one scale.

    Parameters
    ----------
    path : Path
        Made where it is not there.
    study, scale : str

    Raises
    ------
    ArgumentError
        It holds results of another study, or of another scale.
    WriteError
    """

    def __init__(self, path: Path, study: str, scale: str) -> None:
        self.path = path
        self.study, self.scale = study, scale
        held = _held(path)
        if held is not None and held != (study, scale) and any(path.glob("cells/*/*.json")):
            raise ArgumentError(
                f"-o {path}: holds study {held[0]} at scale {held[1]}; expected {study} at {scale}, or a new folder"
            )
        try:
            (path / "cells").mkdir(parents=True, exist_ok=True)
            (path / "machines").mkdir(exist_ok=True)
        except OSError as error:
            raise WriteError(f"{path}: cannot be made a folder: {error.strerror or error}") from error
        if held != (study, scale):
            write_json(path / "study.json", {"study": study, "scale": scale})

    def add_machine(self, machine: dict[str, Any]) -> None:
        """Keep what a machine is, with the devices that are known of it already."""
        path = self.path / "machines" / f"{machine['key']}.json"
        devices = read_json(path).get("devices", {}) if path.exists() else {}
        write_json(path, machine | {"devices": devices | machine.get("devices", {})})
        (self.path / "cells" / machine["key"]).mkdir(exist_ok=True)

    def machines(self) -> dict[str, dict[str, Any]]:
        """Give the machines by key."""
        files = sorted((self.path / "machines").glob("*.json"))
        return {machine["key"]: machine for machine in map(read_json, files)}

    def finished(self, cell: Cell, machine: str) -> Result | None:
        """Give a cell's result if it ran on such a machine, on the same network, with the engine's result."""
        path = self._file(cell.name, machine)
        if not path.exists():
            return None
        result = _result(path)
        source = cell.workload.source if cell.workload else ""
        return result if result.runs and result.equal and result.source == source else None

    def keep(self, result: Result) -> None:
        """Write a cell's result, whole or not at all."""
        write_json(self._file(result.cell, result.machine), result.record())

    def results(self, order: Sequence[str] = ()) -> Results:
        """Give all results: cells in this order, others behind those of their network, and within a cell by machine.

        What was left out on one machine and ran on another is not among those left out.
        """
        place = {name: i for i, name in enumerate(order)}
        last = len(place)
        networks: dict[str, int] = {}
        for i, name in enumerate(order):
            networks.setdefault(_network(name), i)
        found = [_result(path) for path in sorted(self.path.glob("cells/*/*.json"))]
        ran = [each for each in found if each.runs]
        kept = [each for each in found if each.runs or not any(each.is_filled_by(other) for other in ran)]

        def position(each: Result) -> tuple[int, int, str]:
            return networks.get(_network(each.cell), last), place.get(each.cell, last), each.machine

        return Results(sorted(kept, key=position))

    def forget_left_out(self, machine: str, cells: Sequence[Cell]) -> None:
        """Drop rows on what a machine could not run that are none of these cells any more."""
        names = {cell.name for cell in cells}
        for path in (self.path / "cells" / machine).glob("*.json"):
            result = _result(path)
            if not result.runs and result.cell not in names:
                path.unlink()

    def take_from(self, other: Path) -> int:
        """Copy the results of another folder, and give how many.

        Raises
        ------
        ArgumentError, ReadError
            It is no such folder, or of another study or scale.
        """
        held = _held(other)
        if held is None:
            raise ReadError(other, "is no folder of a study's results: it has no study.json")
        if held != (self.study, self.scale):
            raise ArgumentError(
                f"{other}: holds study {held[0]} at scale {held[1]}; expected {self.study} at {self.scale}"
            )
        taken = 0
        for path in sorted(other.glob("machines/*.json")):
            self.add_machine(read_json(path))
        for path in sorted(other.glob("cells/*/*.json")):
            result = _result(path)
            there = self._file(result.cell, result.machine)
            if not result.runs and there.exists():
                continue  # what was run elsewhere says more than that it was not run
            self.keep(result)
            taken += 1
        return taken

    def _file(self, cell: str, machine: str) -> Path:
        return self.path / "cells" / machine / f"{quote(cell, safe=',=@.+- ')}.json"


def scale_of(path: Path) -> str:
    """Give the scale of the study that a folder holds.

    Raises
    ------
    ReadError
    """
    held = _held(path)
    if held is None:
        raise ReadError(path, "is no folder of a study's results: it has no study.json")
    return held[1]


def write_json(path: Path, value: object) -> None:
    """Write JSON, whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object.

    Raises
    ------
    ReadError
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ReadError(path, f"is not the JSON that a study writes: {error}") from error
    if not isinstance(value, dict):
        raise ReadError(path, "is not the JSON that a study writes: expected an object")
    return value


def _network(cell: str) -> str:
    return cell.partition("/")[0]


def _held(path: Path) -> tuple[str, str] | None:
    if not (path / "study.json").exists():
        return None
    record = read_json(path / "study.json")
    return str(record.get("study")), str(record.get("scale"))


def _result(path: Path) -> Result:
    try:
        return Result.of_record(read_json(path))
    except (TypeError, KeyError) as error:
        raise ReadError(path, f"is not a result of this version: {error}") from error
