"""Print how many files and stack frames of triadic a call uses, and how large the package is.

The *journey* of a call is recorded in the caller's thread, while one public function runs on a small network: the
number of Python files of triadic whose code runs, and the largest number of triadic's frames on the stack at the same
time. Each call runs once before it is recorded, when kernels are compiled and modules imported. Generated
code, such as the methods of dataclasses, belongs to no file and is ignored.

Usage: ``python tools/journeys.py [--files]``. The exit status is 1 if a limit is exceeded.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, Any

import triadic

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

PACKAGE = Path(triadic.__file__).resolve().parent
# Limits only fall: code that adds takes something else away.
MOST_FILES, MOST_TOKENS = 314, 530_949

# Limits of the number of files, and of the number of frames (None: no limit).
LIMITS: dict[str, tuple[int, int | None]] = {
    "clustering": (10, 9),
    "triad_census": (11, 9),
    "graphlet_transform": (9, 8),
    "significance": (25, 20),
    "significance(TemporalGraph)": (24, 18),
    "read": (16, 9),
    "tile": (34, 17),
    "clustering(TiledGraph)": (23, 17),
}


def journey(call: Callable[[], object]) -> tuple[dict[str, list[str]], int]:
    """Return the functions of triadic that a call runs, by file, and the largest number of frames on the stack.

    Of three recordings the one with the fewest files and frames counts: limits of the system are read again once a
    second.
    """
    call()
    return min((record(call) for _ in range(3)), key=lambda found: (len(found[0]), found[1]))


def record(call: Callable[[], object]) -> tuple[dict[str, list[str]], int]:
    """Return what one call runs."""
    functions: dict[str, list[str]] = {}
    prefix = f"{PACKAGE}/"
    depth = deepest = 0

    def profile(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth, deepest
        name = frame.f_code.co_filename
        if not name.startswith(prefix):
            return
        if event == "call":
            depth += 1
            deepest = max(deepest, depth)
            names = functions.setdefault(name.removeprefix(prefix), [])
            if frame.f_code.co_qualname not in names:
                names.append(frame.f_code.co_qualname)
        elif event == "return":
            depth -= 1

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return functions, deepest


def calls(folder: Path) -> dict[str, Callable[[], object]]:
    """Return the calls to record, on a small directed network."""
    graph = triadic.generate.rmat(6, edge_factor=8, seed=1, directed=True)
    events = triadic.generate.bursts(20, 100, seed=1)
    draws: dict[str, Any] = {"samples": 10, "seed": 1, "threads": 1}
    file = folder / "network.txt"
    triadic.write(graph, file)
    tiles = folder / "network.tiles"
    fresh = iter(range(1000))

    def tiled() -> object:
        return triadic.clustering(triadic.TiledGraph(tiles, results=folder / f"results-{next(fresh)}"))

    return {
        "clustering": lambda: triadic.clustering(graph),
        "triad_census": lambda: triadic.triad_census(graph),
        "graphlet_transform": lambda: triadic.graphlet_transform(graph),
        "significance": lambda: triadic.significance(graph, of="triads", **draws),
        "significance(TemporalGraph)": lambda: triadic.significance(events, delta=600, null="shuffled_times", **draws),
        "read": lambda: triadic.read(file),
        "tile": lambda: triadic.tile(file, tiles if not tiles.exists() else folder / f"tiles-{next(fresh)}"),
        "clustering(TiledGraph)": tiled,
    }


def tokens_of(path: Path) -> int:
    """Return the number of tokens of code in a file: without comments, ends of lines, and strings that are statements.

    Unlike lines, tokens measure the same whatever the width of a line. Docstrings are strings that are statements.
    """
    number, begins = 0, True
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            begins = True
        elif token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER):
            number += not (begins and token.type == tokenize.STRING)
            begins = False
    return number


def main() -> int:
    """Print the journeys and the size of the package; return 1 if a limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", action="store_true", help="list the files and functions of each journey")
    arguments = parser.parse_args()
    exceeded = False
    print(f"{'call':<29}{'files':>7}{'limit':>7}{'frames':>8}{'limit':>7}")
    with tempfile.TemporaryDirectory(prefix="triadic-") as folder:
        for name, call in calls(Path(folder)).items():
            most_files, most_frames = LIMITS[name]
            functions, frames = journey(call)
            exceeded |= len(functions) > most_files or (most_frames is not None and frames > most_frames)
            print(f"{name:<29}{len(functions):>7}{most_files:>7}{frames:>8}{most_frames or '':>7}")
            if arguments.files:
                for file in sorted(functions):
                    print(f"    {file}: {', '.join(functions[file])}")
    files = sorted(PACKAGE.rglob("*.py"))
    tokens = sum(map(tokens_of, files))
    print(f"{'package':<29}{len(files):>7}{MOST_FILES:>7}   files, {tokens:,} tokens (limit {MOST_TOKENS:,})")
    exceeded |= len(files) > MOST_FILES or tokens > MOST_TOKENS
    return int(exceeded)


if __name__ == "__main__":
    sys.exit(main())
