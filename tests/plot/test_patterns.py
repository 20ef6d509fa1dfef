"""Drawings of patterns: names, types in colours, absent arcs with crosses, and conditions."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from triadic.errors import ArgumentError
from triadic.measures.patterns.pattern import Pattern


def drawn(text, **keywords):
    return Pattern(text, **keywords).draw(Figure(layout="constrained").add_subplot())


def arrows(ax):
    return [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]


def crosses(ax):
    return [line for line in ax.lines if line.get_marker() == "x"]


def test_each_vertex_has_its_name_and_each_pair_one_line():
    ax = drawn("A -> B; B <-> C; A -> C; C - D")
    assert [text.get_text() for text in ax.texts] == ["A", "B", "C", "D"]
    assert len(arrows(ax)) == 4
    assert not crosses(ax)


def test_absent_arcs_are_dashed_and_crossed():
    ax = drawn("A -> B; B -> C; A !- C; B !> A")
    assert len(crosses(ax)) == 2
    assert len([arrow for arrow in arrows(ax) if arrow.get_linestyle() != "-"]) == 2


def test_of_an_induced_pattern_only_present_arcs_are_drawn():
    ax = drawn("A -> B; B -> C", induced=True)
    assert len(arrows(ax)) == 2
    assert not crosses(ax)


def test_types_have_a_colour_each_and_other_conditions_are_written():
    ax = drawn("A -> B [w >= 5]; B -> C; A.type = 'KC'; B.type = 'PN'; C.type = 'KC'; A.x < B.x")
    discs = [line.get_markerfacecolor() for line in ax.lines]
    assert discs[0] == discs[2] != discs[1]
    assert [text.get_text() for text in ax.texts] == ["A", "KC", "B", "PN", "C", "KC", "A → B.w >= 5\nA.x < B.x"]


def test_axes_of_another_plot_are_refused():
    with pytest.raises(ArgumentError, match="draw the pattern 'A -> B' on other axes"):
        Pattern("A -> B").draw(drawn("A -> B; B -> C"))
