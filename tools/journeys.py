"""Print how many files and stack frames of triadic a call uses, and how large the package is.

The *journey* of a call is recorded in the caller's thread, while one public function runs on a small network: the
number of Python files of triadic whose code runs, and the largest number of triadic's frames on the stack at the same
time. Each call runs twice, and the second run is recorded, when kernels are compiled and modules imported. Generated
code, such as the methods of dataclasses, belongs to no file and is ignored.

Usage: ``python tools/journeys.py [--files]``. The exit status is 1 if a limit is exceeded.
"""

from __future__ import annotations

import argparse
import ast
import io
import sys
import tempfile
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING

import triadic

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

PACKAGE = Path(triadic.__file__).resolve().parent
# Raised from 340 and 30,000 for batches of graphs, the comparison of batches, features for graph learning, graphlets of
# five vertices at vertices and edges, timed events, null models with groups and positions, the three last on GPUs, and
# estimates with intervals; from 500 and 50,000 for estimates of streams, tiling and tables on clusters, tiles recut to
# the memory, and tiles counted in place; from 57,000 for trusses and values of vertices on GPUs, and estimates, recut
# tiles and tasks by range on clusters; from 560 and 59,000 for tiles with weights, the watch over workers, and kernels
# for meshes, graphlets and recorded launches.
MOST_FILES, MOST_LINES = 590, 62_000

# Limits of the number of files, and of the number of frames (None: no limit).
LIMITS: dict[str, tuple[int, int | None]] = {
    "clustering": (12, 8),
    "triad_census": (15, None),  # one more for dyads, which are counted where the graph lies
    "graphlet_transform": (16, None),
    "read": (16, None),
    "tile": (36, None),  # weights are sorted and written in files of their own
    "clustering(TiledGraph)": (33, None),  # tiles are recut to the memory, counted in place; passes share threads
}


def journey(call: Callable[[], object]) -> tuple[dict[str, list[str]], int]:
    """Return the functions of triadic that a call runs, by file, and the largest number of frames on the stack."""
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

    call()
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return functions, deepest


def calls(folder: Path) -> dict[str, Callable[[], object]]:
    """Return the calls to record, on a small directed network."""
    graph = triadic.generate.rmat(6, edge_factor=8, seed=1, directed=True)
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
        "read": lambda: triadic.read(file),
        "tile": lambda: triadic.tile(file, tiles if not tiles.exists() else folder / f"tiles-{next(fresh)}"),
        "clustering(TiledGraph)": tiled,
    }


def lines_of_code(path: Path) -> int:
    """Return the number of lines of code in a file, without docstrings, comments and blank lines."""
    text = path.read_text(encoding="utf-8")
    documented: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(
            node, clean=False
        ):
            documented.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    empty = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in empty:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(code - documented)


def main() -> int:
    """Print the journeys and the size of the package; return 1 if a limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", action="store_true", help="list the files and functions of each journey")
    arguments = parser.parse_args()
    exceeded = False
    print(f"{'call':<24}{'files':>7}{'limit':>7}{'frames':>8}{'limit':>7}")
    with tempfile.TemporaryDirectory(prefix="triadic-") as folder:
        for name, call in calls(Path(folder)).items():
            most_files, most_frames = LIMITS[name]
            functions, frames = journey(call)
            exceeded |= len(functions) > most_files or (most_frames is not None and frames > most_frames)
            print(f"{name:<24}{len(functions):>7}{most_files:>7}{frames:>8}{most_frames or '':>7}")
            if arguments.files:
                for file in sorted(functions):
                    print(f"    {file}: {', '.join(functions[file])}")
    files = sorted(PACKAGE.rglob("*.py"))
    lines = sum(map(lines_of_code, files))
    print(f"{'package':<24}{len(files):>7}{MOST_FILES:>7}   files, {lines:,} lines of code (limit {MOST_LINES:,})")
    exceeded |= len(files) > MOST_FILES or lines > MOST_LINES
    return int(exceeded)


if __name__ == "__main__":
    sys.exit(main())
