"""The folder of a study's results: one file per cell and machine, written completely or not at all.

::

    DIR/study.json                  study and scale
    DIR/machines/<machine>.json     description of a machine
    DIR/cells/<machine>/<cell>.json runs of a cell
    DIR/results.csv, summary.json, index.html, figures/    made from these files
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from triadic.errors import ArgumentError, ReadError, WriteError
from triadic.io.temporary_files import whole_file
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
        Created if it does not exist.
    study, scale : str

    Raises
    ------
    ArgumentError
        The folder holds results of another study, or of another scale.
    WriteError
        The folder cannot be created.
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
            raise WriteError(f"{path}: the folder cannot be created: {error.strerror or error}") from error
        if held != (study, scale):
            write_json(path / "study.json", {"study": study, "scale": scale})

    def add_machine(self, machine: dict[str, Any]) -> None:
        """Write the description of a machine; devices known from earlier runs are kept."""
        path = self.path / "machines" / f"{machine['key']}.json"
        devices = read_json(path).get("devices", {}) if path.exists() else {}
        write_json(path, machine | {"devices": devices | machine.get("devices", {})})
        (self.path / "cells" / machine["key"]).mkdir(exist_ok=True)

    def machines(self) -> dict[str, dict[str, Any]]:
        """Return the descriptions of all machines by key."""
        files = sorted((self.path / "machines").glob("*.json"))
        return {machine["key"]: machine for machine in map(read_json, files)}

    def valid_result(self, cell: Cell, machine: str) -> Result | None:
        """Return a cell's result if this machine ran it on the same network and it equals the engine's, else None."""
        path = self._file(cell.name, machine)
        if not path.exists():
            return None
        result = _result(path)
        source = cell.workload.source if cell.workload else ""
        return result if result.runs and result.equal and result.source == source else None

    def add(self, result: Result) -> None:
        """Write a cell's result, completely or not at all."""
        write_json(self._file(result.cell, result.machine), result.record())

    def results(self, order: Sequence[str] = ()) -> Results:
        """Return all results, sorted by the position of their cell in `order`, then by machine.

        Cells that are not in `order` follow the other cells of their network. A cell that one machine left out and
        another ran is not listed as left out.
        """
        place = {name: i for i, name in enumerate(order)}
        last = len(place)
        networks: dict[str, int] = {}
        for i, name in enumerate(order):
            networks.setdefault(_network(name), i)
        found = [_result(path) for path in sorted(self.path.glob("cells/*/*.json"))]
        completed = [result for result in found if result.runs]
        current = [
            result for result in found if result.runs or not any(result.is_replaced_by(other) for other in completed)
        ]

        def position(result: Result) -> tuple[int, int, str]:
            return networks.get(_network(result.cell), last), place.get(result.cell, last), result.machine

        return Results(sorted(current, key=position))

    def drop_obsolete(self, machine: str, cells: Sequence[Cell]) -> None:
        """Delete left-out results of a machine whose cells no longer exist."""
        names = {cell.name for cell in cells}
        for path in (self.path / "cells" / machine).glob("*.json"):
            result = _result(path)
            if not result.runs and result.cell not in names:
                path.unlink()

    def merge(self, other: Path) -> int:
        """Copy the results of another folder and return their number.

        Raises
        ------
        ArgumentError
            The folder holds another study or scale.
        ReadError
            The folder holds no results of a study.
        """
        held = _held(other)
        if held is None:
            raise ReadError(other, "is no folder of a study's results: it has no study.json")
        if held != (self.study, self.scale):
            raise ArgumentError(
                f"{other}: holds study {held[0]} at scale {held[1]}; expected {self.study} at {self.scale}"
            )
        copied = 0
        for path in sorted(other.glob("machines/*.json")):
            self.add_machine(read_json(path))
        for path in sorted(other.glob("cells/*/*.json")):
            result = _result(path)
            if not result.runs and self._file(result.cell, result.machine).exists():
                continue  # a result with runs replaces one without
            self.add(result)
            copied += 1
        return copied

    def _file(self, cell: str, machine: str) -> Path:
        return self.path / "cells" / machine / f"{quote(cell, safe=',=@.+- ')}.json"


def scale_of(path: Path) -> str:
    """Return the scale of the study in a folder.

    Raises
    ------
    ReadError
        The folder holds no results of a study.
    """
    held = _held(path)
    if held is None:
        raise ReadError(path, "is no folder of a study's results: it has no study.json")
    return held[1]


def write_json(path: Path, value: object) -> None:
    """Write a JSON file, completely or not at all."""
    with whole_file(path) as temporary:
        temporary.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object.

    Raises
    ------
    ReadError
        The file cannot be read, or holds no JSON object.
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
