"""Strategies of hypothesis for texts of patterns, with what they mean as states and conditions."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

NAMES = ("A", "B", "C", "D", "E", "F")
ARROWS = {"->": {1, 3}, "<-": {2, 3}, "<->": {3}, "-": {1, 2, 3}, "!>": {0, 2}, "!-": {0}}


class Drawn(NamedTuple):
    """A pattern: its parts, as (first, arrow, second), and its conditions as texts with names in braces."""

    parts: list[tuple[int, str, int]]
    conditions: list[str]

    def text(self, names=NAMES, order=None):
        words = [f"{names[i]} {arrow} {names[j]}" for i, arrow, j in self.parts]
        words += [each.format(**dict(zip(NAMES, names, strict=False))) for each in self.conditions]
        return "; ".join(words if order is None else (words[place] for place in order))

    @property
    def states(self):
        """Return the allowed states of each ordered pair that is named."""
        found = {}
        for i, arrow, j in self.parts:
            turned = {(0, 2, 1, 3)[state] for state in ARROWS[arrow]}
            found[i, j] = found.get((i, j), {0, 1, 2, 3}) & ARROWS[arrow]
            found[j, i] = found.get((j, i), {0, 1, 2, 3}) & turned
        return found

    @property
    def contradicts(self):
        return not all(self.states.values())


@st.composite
def patterns(draw, most=6, arrows=tuple(ARROWS), conditions=True):
    """Connected patterns of two to `most` vertices that do not contradict themselves."""
    size = draw(st.integers(2, most))
    present = [arrow for arrow in arrows if arrow[0] != "!"]
    parts = [(draw(st.integers(0, v - 1)), draw(st.sampled_from(present)), v) for v in range(1, size)]
    for _ in range(draw(st.integers(0, 4))):
        i, j = draw(st.permutations(range(size)))[:2]
        parts.append((i, draw(st.sampled_from(arrows)), j))
        if Drawn(parts, []).contradicts:
            parts.pop()
    texts = []
    for _ in range(draw(st.integers(0, 3)) if conditions else 0):
        i, j = draw(st.permutations(range(size)))[:2]
        sign, column = draw(st.sampled_from(["=", "!=", "<", ">="])), draw(st.sampled_from("xy"))
        other = f"{{{NAMES[j]}}}.{column}" if draw(st.booleans()) else draw(st.sampled_from(["1", "2.5", "'k'"]))
        texts.append(f"{{{NAMES[i]}}}.{column} {sign} {other}")
    return Drawn(parts, texts)
