"""Intensity and coherence of closed triads in weighted graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import ResultTable
from triadic.core.triad_types import CLOSED_NAMES
from triadic.counts.count import check_device, run
from triadic.counts.motif_intensity import MOTIF_INTENSITY
from triadic.errors import ArgumentError
from triadic.graph.weighted import entry_weights, weight_limits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MotifIntensity(ResultTable):
    """Intensity and coherence of the closed triads of a weighted graph, added up by type.

    `to_pandas` and `to_polars` return a data frame with one row per type and the columns "name", the index in pandas,
    "count", "intensity" and "coherence".

    Attributes
    ----------
    names : tuple of str
        Names of the seven closed types of triads.
    counts : int64 array, shape (7,)
        Number of triads of each type.
    intensity : float64 array, shape (7,)
        Sum of the intensities of the triads of each type.
    coherence : float64 array, shape (7,)
        Sum of the coherences of the triads of each type, each from 0 to 1.

    See Also
    --------
    motif_intensity : Compute the intensities of a graph.
    """

    names: tuple[str, ...]
    counts: NDArray[np.int64]
    intensity: NDArray[np.float64]
    coherence: NDArray[np.float64]

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {
            "name": np.array(self.names, dtype=object),
            "count": self.counts,
            "intensity": self.intensity,
            "coherence": self.coherence,
        }

    def _rows(self) -> str:
        return "types"


def motif_intensity(
    graph: GraphLike,
    *,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> MotifIntensity:
    """Compute the intensity and the coherence of the closed triads of a weighted graph.

    The intensity of a triad is the geometric mean of the weights of its arcs, and its coherence is the intensity
    divided by the arithmetic mean of the weights: 1 if all weights are equal, near 0 if one is much smaller than the
    others.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        With weights of at least 0. The edges of an undirected graph are mutual dyads, and its triangles are of the type
        "300".
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        "auto" or "cpu".
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    MotifIntensity
        For each of the seven closed types the number of triads, and the sums of their intensities and coherences.

    Raises
    ------
    ArgumentError
        The graph has no weights, or a negative one, or another argument does not have an accepted value.
    DeviceError
        If the device does not exist or fails.
    UnsupportedError
        The graph is a `TiledGraph`, or `device` names a GPU.

    See Also
    --------
    significance : Compare intensities with those of random graphs, by ``of="intensity"``.
    weighted_clustering : Compute clustering coefficients from weights.

    Notes
    -----
    The cost is that of counting the triangles with one exponential for each, and 24 bytes per edge.

    References
    ----------
    J.-P. Onnela, J. Saramäki, J. Kertész and K. Kaski, *Intensity and coherence of motifs in weighted complex
    networks*, Physical Review E 71, 065103, 2005.

    Examples
    --------
    >>> import triadic
    >>> loop = triadic.Graph.from_edges([0, 1, 0], [1, 2, 2], weights=[1.0, 2.0, 4.0], directed=True)
    >>> found = triadic.motif_intensity(loop)
    >>> found.names[0], found.intensity[0].round(3), found.coherence[0].round(3)
    ('030T', np.float64(2.0), np.float64(0.857))
    """
    graph = as_graph(graph, directions="counted")
    least, _ = weight_limits(graph)
    if least < 0:
        raise ArgumentError(f"graph: it has the weight {least}; intensities need weights of at least 0")
    check_device(MOTIF_INTENSITY, device)
    oriented = graph.oriented(threads=threads)
    at_entry = entry_weights(graph, threads=threads)
    with np.errstate(divide="ignore"):
        if at_entry.into is None or oriented.state is None:
            arcs, sums, logarithms = np.ones(oriented.num_edges), at_entry.out, np.log(at_entry.out)
        else:
            out, into = (oriented.state & 1) > 0, (oriented.state & 2) > 0
            arcs, sums = out.astype(np.float64) + into, at_entry.out + at_entry.into
            logarithms = np.where(out, np.log(at_entry.out), 0.0) + np.where(into, np.log(at_entry.into), 0.0)
    inputs = (arcs, sums, logarithms)
    found = run(MOTIF_INTENSITY, oriented, *inputs, threads=threads, device=device, progress=progress)
    counts, intensity, coherence = found.reshape(len(CLOSED_NAMES), -1).T
    return MotifIntensity(CLOSED_NAMES, counts.astype(np.int64), intensity.copy(), coherence.copy())
