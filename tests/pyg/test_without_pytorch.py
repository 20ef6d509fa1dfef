"""Without PyTorch Geometric, `triadic.pyg` is imported, and its transforms tell what to install."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

import triadic
from triadic.errors import MissingExtraError


@pytest.mark.parametrize("missing", ["torch", "torch_geometric"])
def test_a_transform_without_its_package_tells_what_to_install(missing, monkeypatch):
    monkeypatch.delitem(sys.modules, "triadic.pyg.transforms", raising=False)
    monkeypatch.setattr("triadic.core.checked.find_spec", lambda name: None if name == missing else name)
    with pytest.raises(MissingExtraError, match=f"triadic.pyg needs {missing}, .*pip install 'triadic\\[pyg\\]'"):
        import_module("triadic.pyg.transforms")
    of_features = ["AddCliques", "AddClustering", "AddGraphlets", "AddOrbits", "AddPatternCounts", "AddTriads"]
    assert sorted(triadic.pyg.__all__) == of_features
