"""Public names exist, have docstrings and types, and are imported on first use."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pkgutil import iter_modules

import pytest

import triadic
from triadic import errors

MEASURES = [
    "average_closure",
    "average_clustering",
    "clustering",
    "clustering_spectrum",
    "directed_clustering",
    "directed_transitivity",
    "graphlets",
    "edge_support",
    "generalized_degree",
    "graphlet_transform",
    "k_truss",
    "list_triangles",
    "local_closure",
    "signed_triangles",
    "significance",
    "square_clustering",
    "structural_balance",
    "transitivity",
    "triad_census",
    "triangle_count",
    "triangles",
    "trussness",
    "weighted_clustering",
]


def test_every_public_name_exists():
    assert triadic.__all__ == sorted(triadic.__all__, key=lambda name: (not name.isupper(), name))
    for name in triadic.__all__:
        assert getattr(triadic, name) is getattr(triadic, name)
    assert set(triadic.__all__) <= set(dir(triadic))
    assert set(MEASURES) <= set(triadic.__all__)


@pytest.mark.parametrize("name", ["Triangles", "counts_", "numpy", "__path_to__"])
def test_a_name_that_is_not_public_is_an_attribute_error(name):
    with pytest.raises(AttributeError, match=f"triadic attribute {name}"):
        getattr(triadic, name)


def test_no_public_function_has_the_name_of_a_module_of_the_same_package():
    """Importing such a module would replace the function."""
    modules = {found.name for found in iter_modules(triadic.__path__)}
    functions = {name for name in triadic.__all__ if inspect.isfunction(getattr(triadic, name))}
    assert functions.isdisjoint(modules)


def test_the_version_begins_with_a_digit():
    assert triadic.__version__[0].isdigit()


def run_python(text):
    command = [sys.executable, "-c", text]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=150).stdout.split()


@pytest.mark.parametrize("text", ["import triadic", "import triadic; dir(triadic); triadic.__version__"])
def test_importing_loads_no_large_package(text):
    loaded = run_python(f"{text}; import sys; print(*sys.modules)")
    for heavy in ("numpy", "numba", "scipy", "pyarrow", "rich", "typer", "triadic.graph.graph"):
        assert heavy not in loaded


def test_counting_imports_no_matrices_tables_or_progress_bars():
    measures = ("average_clustering", "graphlet_transform", "square_clustering")
    lines = [f"triadic.{measure}(triadic.Graph.from_edges([0, 1, 2], [1, 2, 0]))" for measure in measures]
    loaded = run_python("\n".join(["import sys, triadic", *lines, "print(*sys.modules)"]))
    for heavy in ("scipy.sparse", "scipy.spatial", "pyarrow", "rich", "typer", "networkx", "pandas"):
        assert heavy not in loaded


def test_tiles_are_made_and_counted_without_pandas(tmp_path):
    calls = f"triadic.triangles(triadic.tile(triadic.generate.RMat(6, seed=1), {str(tmp_path / 'tiles')!r}, ranges=2))"
    assert "pandas" not in run_python(f"import sys, triadic; {calls}; print(*sys.modules)")


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_takes_the_same_keywords(name):
    parameters = inspect.signature(getattr(triadic, name)).parameters
    assert next(iter(parameters)) == "graph"
    for keyword, default in {"threads": None, "device": "auto", "progress": False}.items():
        assert parameters[keyword].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[keyword].default == default


@pytest.mark.parametrize("name", [name for name in triadic.__all__ if name not in {"__version__", "generate"}])
def test_every_public_name_has_a_docstring_and_types(name):
    found = getattr(triadic, name)
    assert len(inspect.getdoc(found)) > 40
    if inspect.isfunction(found):
        assert set(found.__annotations__) == {*inspect.signature(found).parameters, "return"}


def test_every_error_is_a_triadic_error_and_a_builtin_error():
    family = [
        found
        for found in vars(errors).values()
        if inspect.isclass(found) and issubclass(found, Exception) and not issubclass(found, Warning)
    ]
    assert len(family) >= 7
    for error in family:
        assert issubclass(error, errors.TriadicError)
    for error, builtin in {
        errors.ArgumentError: ValueError,
        errors.ReadError: ValueError,
        errors.MissingFileError: FileNotFoundError,
        errors.WriteError: OSError,
        errors.MissingExtraError: ImportError,
        errors.UnsupportedError: NotImplementedError,
        errors.OutOfMemoryError: MemoryError,
    }.items():
        assert issubclass(error, builtin)
