"""The import network of a Python installation: modules as vertices, an arc from each module to those it imports.

This is a real directed network of some thousand vertices, with hubs, isolated vertices and cycles, that is available
wherever triadic runs.

Parsing whole files with `ast` would take five times as long as everything else, so regular expressions remove the
strings and comments, cut the import statements out of the text, and `ast` parses these alone. In a file that is not
valid Python, the valid import statements count.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import sysconfig
from codecs import BOM_UTF8
from functools import lru_cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs
from triadic.errors import ArgumentError
from triadic.io.temporary_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from triadic.core.blocks import Progress

# Modules of tests import much and are imported by none.
_SKIPPED = frozenset({"test", "tests", "idle_test", "__pycache__"})

_STRING_OR_COMMENT = re.compile(
    rb'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    rb"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    rb'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    rb"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
    rb"|#[^\n]*",
    re.DOTALL,
)
# A statement begins a line or follows a colon or semicolon, and may run on in brackets or after a backslash.
_IMPORT = re.compile(rb"(?:^|[;:])[ \t\f]*((?:import|from)\b(?:[^\n;()\\]|\\\r?\n|\([^)]*\))*)", re.MULTILINE)


def import_network(paths: Iterable[str | os.PathLike[str]] | None = None, *, progress: Progress | None = None) -> Arcs:
    """Return the network of the modules of a Python installation, with an arc from each module to those it imports.

    The vertices are the Python files and extension modules below `paths`, without folders of tests. Every import
    statement counts, also in a function, under ``TYPE_CHECKING`` or in a ``try`` block. An arc leads to the imported
    module or, if that does not exist, to the innermost package around it that does; ``from a import b`` leads to
    ``a.b`` if that is a module, otherwise to ``a``. Imports of modules outside the network are skipped, and so are
    imports of a module by itself.

    Parameters
    ----------
    paths : iterable of path-like, optional
        Folders such as those on ``sys.path``; the path of a file below its folder names the module. By default the
        folders of the standard library and of site-packages, with the built-in modules of the running Python.
    progress : callable, optional
        Called as ``progress(done, total)``, in files.

    Returns
    -------
    Arcs
        Directed arcs without repeats; ``labels`` holds the full names of the modules in alphabetical order.

    Raises
    ------
    ArgumentError
        One of `paths` is not a folder.

    Notes
    -----
    Takes about 2 seconds for 5,000 modules.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from triadic.generate.import_network import import_network
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "shapes.py").write_text("import colours, math")
    ...     _ = pathlib.Path(folder, "colours.py").write_text("")
    ...     arcs = import_network([folder])
    >>> arcs.labels.tolist(), arcs.source.tolist(), arcs.target.tolist()
    (['colours', 'shapes'], [1], [0])
    """
    files = dict.fromkeys(sys.builtin_module_names) if paths is None else {}
    for root in _installation() if paths is None else paths:
        if not Path(root).is_dir():
            raise ArgumentError(f"paths: {os.fspath(root)!r} is not a folder")
        for name, file in _modules(os.fspath(root)):
            files.setdefault(name, file)
    names = sorted(files)
    number = {name: i for i, name in enumerate(names)}
    source: list[int] = []
    target: list[int] = []
    for i, name in enumerate(names):
        if progress and i % 64 == 0:
            progress(i, len(names))
        found = {number[imported] for imported in _imports(name, files[name], files)} - {i}
        source += [i] * len(found)
        target += sorted(found)
    if progress:
        progress(len(names), len(names))
    return Arcs(
        np.array(source, np.int32),
        np.array(target, np.int32),
        vertices=len(names),
        directed=True,
        labels=np.array(names, object),
    )


def write_imports(path: str | os.PathLike[str], arcs: Arcs) -> None:
    """Write an import network as an edge list: comment lines, then importer and imported, separated by a tab.

    The file appears when it is complete; until then a file that stood at `path` before stays. Isolated modules appear
    in the number of nodes in the comments alone.

    Parameters
    ----------
    path : path-like
        Where to write the file.
    arcs : Arcs
        The network; its labels name the modules, or the numbers of the vertices if it has none.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    names = arcs.labels.tolist() if arcs.labels is not None else list(range(arcs.vertices))
    with whole_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.write("# Directed graph: Python modules and what they import\n")
        file.write(f"# Python {sys.version.split()[0]} on {sys.platform}\n")
        file.write(f"# Nodes: {arcs.vertices} Edges: {len(arcs)}\n")
        file.write("# Importer\tImported\n")
        pairs = zip(arcs.source.tolist(), arcs.target.tolist(), strict=True)
        file.writelines(f"{names[importer]}\t{names[imported]}\n" for importer, imported in pairs)


def _installation() -> list[str]:
    """Return the folders of the running Python: standard library, its extension modules, site-packages."""
    folders = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders.insert(2, str(Path(folders[0], "lib-dynload")))
    return [folder for folder in dict.fromkeys(folders) if Path(folder).is_dir()]


def _modules(root: str) -> Iterator[tuple[str, str | None]]:
    """Yield the name and the Python file of each module below a folder; an extension module has None as its file."""
    for folder, subfolders, files in os.walk(root):
        # Skip folders whose names cannot be packages, such as site-packages and *.dist-info.
        subfolders[:] = sorted(name for name in subfolders if name.isidentifier() and name not in _SKIPPED)
        inside = Path(folder).relative_to(root).parts
        for file in sorted(files):
            stem, suffix = file.partition(".")[::2]
            if not stem.isidentifier() or (suffix != "py" and f".{suffix}" not in EXTENSION_SUFFIXES):
                continue
            name = ".".join(inside if stem == "__init__" else (*inside, stem))
            if name:
                yield name, os.path.join(folder, file) if suffix == "py" else None  # noqa: PTH118 - pathlib is slow for thousands of files


def _imports(name: str, file: str | None, modules: Mapping[str, str | None]) -> Iterator[str]:
    """Yield the modules that a module imports, repeats included."""
    if file is None:
        return
    try:
        text = Path(file).read_bytes().removeprefix(BOM_UTF8)
    except OSError:
        return
    package = name.split(".") if Path(file).stem == "__init__" else name.split(".")[:-1]
    for statement in _statements(text):
        for level, module, attribute in _parse(statement):
            if level > len(package):
                continue  # a relative import beyond the topmost package
            around = package[: len(package) - level + 1] if level else []
            path = [*around, *module.split(".")] if module else around
            path += [attribute] * bool(attribute)
            for length in range(len(path), 0, -1):  # the innermost module on the path
                if (imported := ".".join(path[:length])) in modules:
                    yield imported
                    break


def _statements(text: bytes) -> Iterator[bytes]:
    """Yield the import statements of a module's text."""
    code = _STRING_OR_COMMENT.sub(b"", text) if b"import" in text else b""
    last = code.rfind(b"import")
    for statement in _IMPORT.finditer(code):
        yield statement[1]
        if statement.end() > last:  # the rest of a file is most of it, and takes long to search
            return


@lru_cache(maxsize=1 << 14)
def _parse(statement: bytes) -> tuple[tuple[int, str, str], ...]:
    """Return for each import of a statement the number of leading dots, the module and the name imported from it."""
    try:
        body = ast.parse(statement).body
    except (SyntaxError, ValueError):
        return ()  # for example the second line of a "raise ... from"
    found: list[tuple[int, str, str]] = []
    for node in body:
        if isinstance(node, ast.Import):
            found += [(0, alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.level, node.module or "", alias.name) for alias in node.names]
    return tuple(found)
