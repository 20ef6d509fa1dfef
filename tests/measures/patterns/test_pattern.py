"""Patterns: equality, automorphisms and roles, against brute force, and their drawings."""

from __future__ import annotations

import pickle
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_patterns as naive
from pattern_texts import patterns
from strategies import examples
from triadic.errors import ArgumentError
from triadic.measures.patterns.pattern import Pattern

KNOWN = {
    "A -> B; B -> C; A -> C": (1, ("A", "B", "C")),
    "A -> B; B -> C; C -> A": (3, ("A",)),
    "A -> C; A -> D; B -> C; B -> D": (4, ("A", "C")),
    "A -> B; A -> C; A -> D; A -> E": (24, ("A", "B")),
    "A - B; B - C; C - D; D - E; E - F; F - A": (12, ("A",)),
    "A-D; A-E; A-F; B-D; B-E; B-F; C-D; C-E; C-F": (72, ("A",)),
    "A -> B; A -> C; B.type = 'x'; C.type = 'x'": (2, ("A", "B")),
    "A -> B; A -> C; B.type = 'x'": (1, ("A", "B", "C")),
    "A -> B; A -> C; B.x != C.x": (2, ("A", "B")),
    "A -> B; A -> C; B.x < C.x": (1, ("A", "B", "C")),
    "A -> B [w > 1]; A -> C": (1, ("A", "B", "C")),
    "A - B [w > 1]; A - C [w > 1]": (2, ("A", "B")),
    "A - B": (2, ("A",)),
}


@pytest.mark.parametrize("text", KNOWN)
def test_automorphisms_and_roles_of_well_known_patterns(text):
    pattern = Pattern(text)
    assert (pattern.automorphisms, pattern.roles) == KNOWN[text]


@given(patterns(), st.booleans())
@examples(100)
def test_automorphisms_and_roles_are_those_of_brute_force(drawn, induced):
    pattern = Pattern(drawn.text(), induced=induced)
    assert pattern.automorphisms == len(naive.automorphisms(pattern.shape))
    least = naive.orbits(pattern.shape)
    assert pattern.roles == tuple(pattern.names[v] for v in sorted(set(least)))
    assert [pattern.roles[role] for role in pattern.orbit_of] == [pattern.names[v] for v in least]


@given(patterns())
@examples(100)
def test_roles_of_arcs_are_those_of_brute_force(drawn):
    pattern = Pattern(drawn.text())
    assert set(pattern.arcs) == {
        (i, j)
        for i in range(pattern.shape.size)
        for j in range(pattern.shape.size)
        if i != j and (naive_arc(pattern, i, j) or (i < j and naive_edge(pattern, i, j)))
    }
    counted = naive.arc_roles(pattern.shape, pattern.arcs, 0, {})
    assert len(counted) == len(pattern.arc_roles) == len(set(pattern.arc_orbit_of))


def naive_arc(pattern, i, j):
    return not pattern.states[i][j] & 0b0101


def naive_edge(pattern, i, j):
    return not pattern.states[i][j] & 1 and not naive_arc(pattern, i, j) and not naive_arc(pattern, j, i)


@given(patterns(), st.data())
@examples(100)
def test_a_pattern_with_other_names_in_another_order_is_equal(drawn, data):
    names = data.draw(st.permutations(string.ascii_lowercase[:6]))
    order = data.draw(st.permutations(range(len(drawn.parts) + len(drawn.conditions))))
    one, other = Pattern(drawn.text()), Pattern(drawn.text(names, order))
    assert one == other
    assert hash(one) == hash(other)
    assert one.automorphisms == other.automorphisms


@pytest.mark.parametrize(
    "text",
    [
        "A -> B; B -> C; C -> A",
        "A -> B; B -> C; A - C",
        "A -> B; B -> C; A <-> C",
        "A -> B; B -> C; A -> C [w > 1]",
        "A -> B; B -> C; A -> C; A.x = 1",
        "A -> B; B -> C; A -> C; C !> A",
        "A - B; B - C; A - C",
    ],
)
def test_patterns_that_mean_something_else_differ(text):
    assert Pattern(text) != Pattern("A -> B; B -> C; A -> C")
    assert Pattern(text) != text


def test_a_pattern_is_induced_if_all_other_arcs_are_absent():
    assert Pattern("A -> B", induced=True) == Pattern("A -> B; B !> A")
    assert Pattern("A -> B", induced=True) != Pattern("A -> B")


def test_a_pattern_is_immutable_and_can_be_pickled():
    pattern = Pattern("A -> B; B -> C")
    with pytest.raises(AttributeError):
        pattern.text = "A -> B"
    assert pickle.loads(pickle.dumps(pattern)) == pattern
    assert {pattern: 1}[Pattern("X -> Y -> Z")] == 1


def test_arguments_are_checked():
    with pytest.raises(ArgumentError, match="text=3: expected a text"):
        Pattern(3)
    with pytest.raises(ArgumentError, match="induced='no': expected True or False"):
        Pattern("A -> B", induced="no")


def test_vertices_that_are_said_to_be_the_same_change_nothing():
    assert Pattern("A -> B; A -> C; B === C") == Pattern("A -> B; A -> C")


def test_automorphisms_keep_comparisons_as_written():
    assert Pattern("A - B - C; A.x > B.x; B.x < C.x").automorphisms == 1
    assert Pattern("A - B - C; B.x < A.x; B.x < C.x").automorphisms == 2
    assert Pattern("A - B; A.x = B.x").automorphisms == 2
