"""The registry of the algorithms that networkx calls here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from triadic.networkx_backend.reasons import Predicate, takes_graph

Function = TypeVar("Function", bound=Callable[..., Any])


class Algorithm(NamedTuple):
    """A registered algorithm.

    Attributes
    ----------
    function : callable
        With the name and the signature of networkx's function.
    can_run, should_run : callable
        Take the arguments of a call, and return True or a reason in words. Networkx logs the reason, and tries the
        next backend or runs its own code.
    note : str
        What networkx's documentation says of the function here; may be empty.
    listed : bool
        Whether networkx lists the function; False for one that never runs here, and only says why.
    """

    function: Callable[..., Any]
    can_run: Predicate
    should_run: Predicate
    note: str
    listed: bool


ALGORITHMS: dict[str, Algorithm] = {}


def algorithm(
    *,
    should_run: Predicate,
    can_run: Predicate = takes_graph,
    note: str = "",
    listed: bool = True,
) -> Callable[[Function], Function]:
    """Register the decorated function as the algorithm of its name; the parameters are those of `Algorithm`.

    By default an algorithm can run on every graph of networkx.
    """

    def register(function: Function) -> Function:
        ALGORITHMS[function.__name__] = Algorithm(function, can_run, should_run, note, listed)
        return function

    return register
