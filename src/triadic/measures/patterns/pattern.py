"""`Pattern`: a small graph with arcs, absent arcs and conditions, read from a line of text; its symmetry."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from triadic.core.checked import checked
from triadic.core.pattern import Shape, arranged, automorphisms_of, has_arc, image_of, states_between
from triadic.core.records import cached_property
from triadic.core.triad_types import CANONICAL
from triadic.measures.patterns.language import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    Order = tuple[int, ...]


@checked
@dataclass(frozen=True, repr=False, eq=False)
class Pattern:
    """A small pattern of a network: two to six vertices, their arcs, absent arcs and conditions.

    Parameters
    ----------
    text : str
        Parts, separated by ``;`` or line ends, of which ``#`` begins a comment:

        ===========================  ==================================================================================
        part                         means
        ===========================  ==================================================================================
        ``A -> B``, ``B <- A``       an arc from A to B; nothing is said of the other direction
        ``A <-> B``                  arcs in both directions
        ``A - B``                    an edge; in a directed graph, an arc in one direction at least
        ``A !> B``, ``A !- B``       no arc from A to B; no arc in either direction
        ``A -> B -> C``              a chain, for ``A -> B; B -> C``
        ``A -> B [weight >= 5]``     conditions on columns of the arc, several separated by commas
        ``A.type = 'KC'``            a condition on a column of a vertex; ``A.label`` is its label
        ``A -> B as e``              names an arc, for ``e.weight > f.weight``
        ``A === B``                  states that A and B are interchangeable, which is checked and changes no count
        ``f(A, B) { A -> B }``       a macro, used by ``f(X, Y)``; other names in it are vertices of the pattern
        ===========================  ==================================================================================

        Conditions are ``=``, ``!=``, ``<``, ``<=``, ``>``, ``>=``, ``in [1, 2]`` and ``contains 'text'``; they compare
        with numbers, ``true``, ``false``, texts in quotes, or another column. A missing value meets no condition.
    induced : bool, default False
        Whether arcs that the text does not name are absent. A pair that is named by ``A - B`` stays free.

    Attributes
    ----------
    text : str
    induced : bool
    names : tuple of str
        The vertices, in the order in which arcs name them.
    shape : triadic.core.pattern.Shape
        What the text means, for counting.
    arcs : tuple of (int, int)
        Present arcs, as indices into `names`, in the order of the text; of ``A - B`` the ends of the edge.

    Raises
    ------
    ArgumentError
        If the text is not of this language, has fewer than two or more than six vertices, contradicts itself, its
        present arcs do not join all vertices, or ``===`` joins vertices that no automorphism exchanges. The message has
        the column and what was expected.

    Notes
    -----
    Patterns are equal if they mean the same up to the names and the order of vertices.

    Examples
    --------
    >>> import triadic
    >>> bifan = triadic.Pattern("A -> C; A -> D; B -> C; B -> D")
    >>> bifan.automorphisms, bifan.roles
    (4, ('A', 'C'))
    >>> bifan == triadic.Pattern("P -> R <- Q -> S; P -> S")
    True
    >>> triadic.Pattern("A -> B; B => C")
    Traceback (most recent call last):
    triadic.errors.ArgumentError: pattern 'A -> B; B => C': column 11: expected '(', '.', '===', an arrow (->, ...
    """

    text: str
    induced: bool = field(default=False, kw_only=True)
    names: tuple[str, ...] = field(init=False)
    shape: Shape = field(init=False)
    arcs: tuple[tuple[int, int], ...] = field(init=False)

    def __post_init__(self) -> None:
        found = Reading(self.text, induced=self.induced)
        vars(self).update(names=tuple(found.names), shape=found.shape, arcs=tuple(found.arcs))
        for place, i, j in found.same:
            if not any(image[i] == j and image[j] == i for image in self._images):
                problem = "expected two vertices that exchange places without a change of arcs and conditions"
                found.fail(place, f"{problem}; leave out {self.names[i]} === {self.names[j]}")

    def __repr__(self) -> str:
        return f"Pattern({self.text!r}{', induced=True' * self.induced})"

    def __eq__(self, other: object) -> bool:
        return self._smallest == other._smallest if isinstance(other, Pattern) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._smallest)

    @property
    def automorphisms(self) -> int:
        """Number of permutations of the vertices that keep arcs and conditions: embeddings of one subgraph."""
        return len(self._images)

    @cached_property
    def orbit_of(self) -> tuple[int, ...]:
        """The role of each vertex, as an index into `roles`."""
        return _ranks([min(images) for images in zip(*self._images, strict=True)])

    @property
    def roles(self) -> tuple[str, ...]:
        """The first vertex of each role; vertices that an automorphism exchanges have the same role."""
        return _firsts(self.orbit_of, self.names)

    @cached_property
    def arc_orbit_of(self) -> tuple[int, ...]:
        """The role of each of `arcs`, as an index into `arc_roles`."""
        images = ([self.arcs.index(image_of(self.shape, arc, image)) for image in self._images] for arc in self.arcs)
        return _ranks(list(map(min, images)))

    @property
    def arc_roles(self) -> tuple[str, ...]:
        """The first arc of each role of arcs, such as "A -> B"."""
        arrows = (" -> " if has_arc(self.states[i][j]) else " - " for i, j in self.arcs)
        names = [self.names[i] + arrow + self.names[j] for (i, j), arrow in zip(self.arcs, arrows, strict=True)]
        return _firsts(self.arc_orbit_of, names)

    @cached_property
    def states(self) -> list[list[int]]:
        """Allowed states of each pair of vertices, in either order, as bits; see `triadic.core.pattern`."""
        size = range(self.shape.size)
        return [[states_between(self.shape, i, j) if i != j else 0 for j in size] for i in size]

    def draw(self, ax: Axes | None = None) -> Axes:
        """Draw the pattern: arcs as arrows, types in colours, absent arcs dashed and crossed, conditions beside them.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new pyplot figure.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Raises
        ------
        MissingExtraError
            matplotlib is not installed: ``pip install 'triadic[plot]'``.

        Examples
        --------
        >>> import triadic
        >>> ax = triadic.Pattern("A -> B; B -> C; A !> C").draw()
        >>> [text.get_text() for text in ax.texts]
        ['A', 'B', 'C']
        """
        return resolve_name("triadic.plot.patterns:draw_pattern")(self, ax)

    @cached_property
    def _smallest(self) -> tuple[object, ...]:
        """The smallest of what the shape asks over all orders of the vertices."""
        return min(arranged(self.shape, order) for order in permutations(range(self.shape.size)))

    @property
    def _images(self) -> tuple[Order, ...]:
        """The automorphisms: for each the images of the vertices."""
        return automorphisms_of(self.shape)


def triad_pattern(name: str, *, directed: bool) -> Pattern:
    """Return the induced pattern of a connected type of triads, whose vertices A, B and C are in the order of roles."""
    arrows = {1: "->", 2: "<-", 3: "<->" if directed else "-"}
    pairs = zip("AAB", CANONICAL[name], "BCC", strict=True)
    return Pattern("; ".join(f"{i} {arrows[state]} {j}" for i, state, j in pairs if state), induced=True)


def _ranks(least: list[int]) -> tuple[int, ...]:
    return tuple(sorted(set(least)).index(each) for each in least)


def _firsts(roles: tuple[int, ...], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(names[roles.index(role)] for role in range(max(roles) + 1))
