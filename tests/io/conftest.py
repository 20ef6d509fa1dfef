"""Files to read, made of what a test wants to stand in them."""

from __future__ import annotations

import pytest

from triadic.io import read_arcs


@pytest.fixture
def file_of(tmp_path):
    """Write text or bytes to a file and give its path."""

    def make(content, name="network.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


@pytest.fixture
def arcs_of(file_of):
    """Read the arcs of a file that holds a text."""

    def read(content, name="network.txt", **asked):
        return read_arcs(file_of(content, name), **asked)

    return read


@pytest.fixture
def pairs_of(arcs_of):
    """Read a text as a list of pairs of labels, or of vertices where there are none."""

    def read(content, name="network.txt", **asked):
        return named_pairs(arcs_of(content, name, **asked))

    return read


def named_pairs(arcs):
    if arcs.labels is None:
        return list(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True))
    names = arcs.labels.tolist()
    return [(names[a], names[b]) for a, b in zip(arcs.source.tolist(), arcs.target.tolist(), strict=True)]


@pytest.fixture(scope="session", name="named_pairs")
def named_pairs_fixture():
    """The function that gives an Arcs as pairs of labels."""
    return named_pairs
