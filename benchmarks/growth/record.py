"""Measured points in JSON: one file for each machine, written after each point, read together for the pictures."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from triadic.io.temporary_files import whole_file

if TYPE_CHECKING:
    from pathlib import Path

    from growth.timing import Timing

_SIGNIFICANT = 4  # digits of seconds


class Record:
    """The points of one machine in a file.

    Parameters
    ----------
    path : Path
        A file that exists is continued.
    machine : dict
        What `machine.describe` says.

    Raises
    ------
    SystemExit
        The file has points of another processor.
    """

    def __init__(self, path: Path, machine: dict[str, Any]) -> None:
        self._path = path
        if path.exists():
            self._content = json.loads(path.read_text())
            before = self._content["machine"]["processor"]
            if before != machine["processor"]:
                raise SystemExit(f"{path} was measured on {before}; name another file with --output")
        else:
            now = datetime.now().astimezone()
            self._content = {
                "date": now.isoformat(timespec="seconds"),
                "machine": machine,
                "networks": {},
                "points": [],
            }

    @property
    def networks(self) -> dict[str, dict[str, int]]:
        """Numbers of vertices and edges of networks, by names such as "rmat-4"."""
        return self._content["networks"]

    def points(self, family: str, measure: str, contender: str) -> dict[int, dict[str, Any]]:
        """Return the points of a line, by scale."""
        return {
            point["scale"]: point
            for point in self._content["points"]
            if (point["family"], point["measure"], point["contender"]) == (family, measure, contender)
        }

    def add(self, family: str, scale: int, measure: str, contender: str, timing: Timing) -> None:
        """Add a point, or the reason why there is none, in place of an earlier reason."""
        key = {"family": family, "scale": scale, "measure": measure, "contender": contender}
        self._content["points"] = [point for point in self._content["points"] if key.items() - point.items()]
        for name in ("left_out", "stopped"):
            if (reason := getattr(timing, name)) is not None:
                self._content["points"].append(key | {name: reason})
                return
        numbers = {"seconds": timing.seconds, "count_seconds": timing.count_seconds}
        spread = {"least": min(timing.runs), "most": max(timing.runs)}
        rounded = {name: _rounded(value) for name, value in (numbers | spread).items()}
        self._content["points"].append(key | rounded | {"turns": len(timing.runs), "calls": timing.calls})

    def write(self) -> None:
        """Write the file, whole or not at all."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        points = ",\n".join(f"  {json.dumps(point)}" for point in self._content["points"])
        others = json.dumps({name: value for name, value in self._content.items() if name != "points"}, indent=1)
        with whole_file(self._path) as temporary:
            temporary.write_text(f'{others[:-2]},\n "points": [\n{points}\n ]\n}}\n')


def _rounded(seconds: float) -> float:
    return float(f"{seconds:.{_SIGNIFICANT}g}")
