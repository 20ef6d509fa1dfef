"""Null models of significance profiles, described for a legend and compared before profiles are overlaid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from warnings import warn

from triadic.devices.select import stack_level_of_caller
from triadic.measures.census import TriadCensus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.measures.significance.result import Count, Significance


@dataclass(frozen=True, slots=True)
class Null:
    """The null model of a profile.

    Attributes
    ----------
    name : str
        The null model and what arcs keep, such as "degrees, 12 groups", or "U|MAN" for exact scores.
    samples : int or None
        Number of random networks; None for exact scores.
    steps : int or None
        Number of steps of the walk to each sample; None for null models without walks.
    counts : tuple
        Counts of the network, which tell whether two results are of the same network.
    """

    name: str
    samples: int | None
    steps: int | None
    counts: tuple[Count, ...]

    def __str__(self) -> str:
        return f"{self.name}, exact" if self.samples is None else f"{self.name}, {self.samples:,} samples"


def null_of(found: TriadCensus | Significance) -> Null:
    """Return the null model of a result."""
    if isinstance(found, TriadCensus):
        return Null("U|MAN", None, None, tuple(found.values()))
    return Null(found.null_title, len(found.samples), found.steps, found.counts)


def difference(one: Null, other: Null) -> str | None:
    """Describe how two null models differ; None if profiles under them can be compared.

    The default number of steps depends on the network, so that numbers of steps are compared for the same network only.

    Examples
    --------
    >>> difference(Null("gnm", 50, None, (1,)), Null("configuration", 50, None, (1,)))
    "the null model is 'gnm' in one and 'configuration' in the other"
    >>> difference(Null("degrees", 50, 10_000, (1,)), Null("degrees", 50, 20_000, (2,))) is None
    True
    """
    if one.name != other.name:
        return f"the null model is {one.name!r} in one and {other.name!r} in the other"
    if one.samples != other.samples:
        return f"one has {one.samples:,} samples and the other has {other.samples:,}"
    if one.counts == other.counts and one.steps != other.steps:
        return f"walks to samples have {one.steps:,} steps in one and {other.steps:,} in the other"
    return None


def warn_of_difference(before: Sequence[Null], null: Null) -> None:
    """Warn if a profile is drawn over a profile under a different null model.

    Parameters
    ----------
    before : sequence of Null
        Null models of the profiles on the axes.
    null : Null
        Null model of the next profile.
    """
    found = next((text for other in before if (text := difference(other, null)) is not None), None)
    if found is not None:
        warn(
            f"significance profiles on the same axes have different null models: {found}; "
            "compute both with the same null=, samples= and steps=, or draw them on separate axes",
            UserWarning,
            stacklevel=stack_level_of_caller(),
        )
