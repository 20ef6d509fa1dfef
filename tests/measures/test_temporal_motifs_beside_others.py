"""Temporal motifs equal those of FAST and of SNAP, where their programs are on the path; events are never tied there.

FAST (Gao and others 2022) is ``FAST_temporal_motif``, and SNAP's example is ``temporalmotifsmain``. SNAP has the matrix
of Paranjape, Benson and Leskovec, and FAST a matrix of its own.
"""

from __future__ import annotations

import gzip
import shutil
import subprocess

import numpy as np
import pytest

import triadic
from triadic import TemporalGraph

# Place of each of our motifs in the matrix of FAST.
_IN_FAST = [
    19, 18, 17, 23, 6, 7, 13, 12, 5, 11, 8, 9, 20, 21, 0, 1, 10, 22,
    14, 15, 2, 3, 4, 16, 34, 29, 27, 33, 24, 30, 28, 35, 26, 32, 25, 31,
]  # fmt: skip
_FAST, _SNAP = "FAST_temporal_motif", "temporalmotifsmain"
_ARGUMENTS = {
    _FAST: lambda events, counts, delta: ["-input", events, "-output", counts, "-w", str(delta)],
    _SNAP: lambda events, counts, delta: [f"-i:{events}", f"-o:{counts}", f"-delta:{delta}", "-nt:1"],
}


@pytest.fixture(scope="module", params=[("CollegeMsg.txt.gz", ","), ("sx_events.txt.gz", " ")])
def network(request, real_networks, tmp_path_factory):
    """Write events with distinct times; return the folder, the graph and the factor of its times."""
    file, separator = request.param
    with gzip.open(real_networks / file, "rt") as text:
        rows = np.loadtxt(text, delimiter=separator, dtype=np.int64)
    rows = rows[np.argsort(rows[:, 2], kind="stable")]
    first_of_tied = np.searchsorted(rows[:, 2], rows[:, 2])
    place = np.arange(len(rows)) - first_of_tied
    factor = int(place.max()) + 1
    rows[:, 2] = (rows[:, 2] - rows[0, 2]) * factor + place
    folder = tmp_path_factory.mktemp("events")
    text = "\n".join(" ".join(map(str, row)) for row in rows.tolist())
    (folder / _FAST).write_text(text)  # reads the last row twice if there is a newline after it
    (folder / _SNAP).write_text(text + "\n")  # does not read the last row without a newline after it
    _, ends = np.unique(rows[:, :2], return_inverse=True)
    ends = ends.reshape(-1, 2)
    return folder, TemporalGraph.from_edges(ends[:, 0], ends[:, 1], rows[:, 2]), factor


@pytest.mark.parametrize("program", [_FAST, _SNAP])
@pytest.mark.parametrize("seconds", [60, 600, 86_400])
def test_motifs_are_those_of_other_programs(program, seconds, network, tmp_path):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not on the path")
    folder, graph, factor = network
    counts = tmp_path / "counts.txt"
    words = [program, *_ARGUMENTS[program](str(folder / program), str(counts), seconds * factor)]
    subprocess.run(words, check=True, capture_output=True, timeout=300)
    expected = np.loadtxt(counts, dtype=np.int64).reshape(-1)
    if program == _FAST:
        expected = expected[_IN_FAST]
    assert list(triadic.temporal_motifs(graph, seconds * factor).values()) == expected.tolist()
