"""Families of networks that double in size: their arcs, on the host or on a card."""

from __future__ import annotations

import numpy as np

from contest import LeftOutError
from triadic.core.arcs import Arcs
from triadic.errors import DeviceError, MissingExtraError
from triadic.generate import RMat, WattsStrogatz, make_arcs

FAMILIES = {"rmat": "R-MAT", "small-world": "small world"}
_SEED = 1
_DEGREE = 32  # of a small world, which then has as many edges as the arcs of an R-MAT network: 16 a vertex
LEAST_SCALE = {"rmat": 4, "small-world": 6}


def model(family: str, scale: int) -> RMat | WattsStrogatz:
    """Return the network of a family that has 2**scale vertices and 16 arcs a vertex."""
    return RMat(scale, seed=_SEED) if family == "rmat" else WattsStrogatz(1 << scale, _DEGREE, 0.1, seed=_SEED)


def arcs_on_host(family: str, scale: int) -> Arcs:
    """Make the arcs of a network in memory, the same in every run."""
    return make_arcs(model(family, scale))


def arcs_on_card(family: str, scale: int, device: str) -> Arcs:
    """Make the same arcs on a card, as CuPy arrays."""
    from triadic.devices.gpu.orientation import GeneratedArcs, Recipe
    from triadic.devices.runtimes import registry

    network, runtime = model(family, scale), registry.runtime(device)
    recipe = Recipe(network.kernel, network.parameters, network.vertices, network.arcs, max(1, network.group_size))
    generated, start = GeneratedArcs(runtime, recipe), 0
    source, target = (runtime.empty(network.arcs, np.int32) for _ in range(2))
    with runtime.active():
        for i in range(generated.pieces):
            ends = generated.piece(i)
            stop = start + len(ends[0])
            for whole, piece in zip((source, target), ends, strict=True):
                whole[start:stop] = piece.view(np.int32)
            start = stop
    return Arcs(source, target, vertices=network.vertices, directed=False)


def check_card(device: str) -> str:
    """Return the name of a card.

    Raises
    ------
    LeftOutError
        There is no such card, or CuPy is not installed.
    """
    from triadic.devices.runtimes import registry

    try:
        if registry.count(device.partition(":")[0]) == 0:
            raise LeftOutError("no CUDA card was found")
        return registry.runtime(device).label
    except MissingExtraError:
        raise LeftOutError("CuPy is not installed") from None
    except DeviceError as error:
        raise LeftOutError(str(error)) from error
