"""The control groups that this process is in: its own, and those around it, whose limits hold as well."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path("/sys/fs/cgroup")
MEMBERSHIP = Path("/proc/self/cgroup")


def folders(controller: str) -> Iterator[Path]:
    """Give the folders of the groups of a controller, such as "memory", the innermost first.

    Both of the unified hierarchy and of the controller's own, older one; where a container sees its own group as the
    root, that is the last of each.
    """
    own = {"": PurePosixPath("/"), controller: PurePosixPath("/")}
    try:
        for line in MEMBERSHIP.read_text().splitlines():
            _, controllers, place = line.split(":", maxsplit=2)
            if controllers == "" or controller in controllers.split(","):
                own["" if controllers == "" else controller] = PurePosixPath(place)
    except (OSError, ValueError):
        pass  # no such file, or of another form: the roots alone
    for hierarchy, path in own.items():
        for group in (path, *path.parents):
            yield ROOT / hierarchy / group.relative_to("/")


def read(file: Path) -> int | None:
    """Give the number in a file of a control group; None where there is none: no file, or no limit."""
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return None
