"""Texts of patterns: what they mean, and what the messages about wrong ones say."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pattern_texts import NAMES, patterns
from strategies import examples
from triadic.core.pattern import Condition, Term
from triadic.errors import ArgumentError
from triadic.measures.patterns.pattern import Pattern

FORWARD, BACKWARD, EITHER, BOTH = {1, 3}, {2, 3}, {1, 2, 3}, {3}


def states(text, **keywords):
    """Return the allowed states of each pair of names."""
    pattern = Pattern(text, **keywords)
    return {
        pattern.names[i] + pattern.names[j]: {state for state in range(4) if pattern.states[i][j] >> state & 1}
        for j in range(len(pattern.names))
        for i in range(j)
    }


def conditions(text):
    return Pattern(text).shape.conditions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A -> B", FORWARD),
        ("A <- B", BACKWARD),
        ("A <-> B", BOTH),
        ("A - B", EITHER),
        ("A -> B; B -> A", BOTH),
        ("A -> B; B !> A", {1}),
        ("A - B; A !> B", {2}),
        ("A->B;;\n # a comment; C -> D\n;", FORWARD),
    ],
)
def test_an_arrow_allows_some_states(text, expected):
    assert states(text) == {"AB": expected}


def test_absence_and_pairs_that_are_not_named():
    assert states("A -> B; B -> C; A !> C") == {"AB": FORWARD, "BC": FORWARD, "AC": {0, 2}}
    assert states("A -> B; B -> C; A !- C")["AC"] == {0}
    assert states("A -> B; B -> C")["AC"] == {0, 1, 2, 3}


def test_of_an_induced_pattern_arcs_that_are_not_named_are_absent():
    found = states("A -> B; B <-> C; C - D", induced=True)
    assert found == {"AB": {1}, "BC": BOTH, "CD": EITHER, "AC": {0}, "AD": {0}, "BD": {0}}
    assert states("A - B; A -> B", induced=True) == {"AB": FORWARD}


def test_a_chain_has_an_arrow_between_each_two_names():
    assert Pattern("A -> B <- C - D") == Pattern("A -> B; B <- C; C - D")
    assert Pattern("A->B[w>1]->C as e") == Pattern("A -> B [w > 1]; B -> C")


def test_lines_and_semicolons_separate_parts():
    assert Pattern("A -> B\nB -> C\r\n\n A -> C # closes") == Pattern("A -> B; B -> C; A -> C")


def test_conditions_of_arcs_are_in_brackets():
    arc = (0, 1)
    assert conditions("A -> B [weight >= 5, kind = 'x']") == (
        Condition(Term(arc, "weight"), ">=", 5),
        Condition(Term(arc, "kind"), "=", "x"),
    )
    assert conditions("A <- B [w < -1.5e1]") == (Condition(Term((1, 0), "w"), "<", -15.0),)
    assert conditions("B - A; A - B [w == true]") == (Condition(Term(arc, "w"), "=", True),)
    assert {each.left.vertices for each in conditions("A <-> B [w > 1]")} == {(0, 1), (1, 0)}
    assert conditions("A -> B ['number of synapses' in [1, 2]]")[0].left.column == "number of synapses"


def test_conditions_of_vertices_are_after_dots():
    assert conditions("A.type = 'KC'; A -> B") == (Condition(Term((0,), "type"), "=", "KC"),)
    assert conditions('A -> B; B."cell type" contains "K\'C"')[0] == Condition(
        Term((1,), "cell type"), "contains", "K'C"
    )
    assert conditions("A -> B; B.x in (1, 2.0, 'k')")[0].right == (1, 2.0, "k")
    assert conditions("A -> B; A.label = 720575940612345678")[0].right == 720575940612345678
    assert conditions("A -> B; A.x < B.x") == (Condition(Term((0,), "x"), "<", Term((1,), "x")),)


def test_named_arcs_are_compared():
    found = conditions("A -> B as e [w > 0]; e.w > f.w; B <- C as f")
    assert found[1] == Condition(Term((0, 1), "w"), ">", Term((2, 1), "w"))


def test_words_of_the_language_can_name_vertices_and_columns():
    assert Pattern("as -> in; in.contains contains 'x'; as.as = 1").names == ("as", "in")
    assert Pattern("größe -> b").names == ("größe", "b")


def test_a_macro_is_its_parts():
    macro = "only(A, B) {\n A -> B; # one way\n B !> A\n}\n"
    assert Pattern(macro + "only(X, Y); only(Y, Z)") == Pattern("X -> Y; Y !> X; Y -> Z; Z !> Y")
    assert Pattern("f(A, B) { B -> A; B.A = 1 }; f(B, A)") == Pattern("A -> B; A.A = 1")
    assert Pattern("g(A, e) { f(A, A2, e); A2 -> B }; f(A, B, e) { A -> B as e }; g(X, d); d.w > 1") == Pattern(
        "X -> Y [w > 1]; Y -> Z"
    )


@given(patterns())
@examples(100)
def test_a_text_means_its_parts(drawn):
    expected = {
        tuple(sorted((NAMES[i], NAMES[j]))): allowed for (i, j), allowed in drawn.states.items() if NAMES[i] < NAMES[j]
    }
    pattern = Pattern(drawn.text())
    for i, first in enumerate(pattern.names):
        for j, second in enumerate(pattern.names):
            if first < second:
                allowed = expected.get((first, second), {0, 1, 2, 3})
                assert pattern.states[i][j] == sum(1 << state for state in allowed)
    assert len(pattern.shape.conditions) == len({each.replace(" ", "") for each in drawn.conditions})


@given(patterns(), st.booleans())
@examples(50)
def test_the_repr_is_the_pattern(drawn, induced):
    pattern = Pattern(drawn.text(), induced=induced)
    again = eval(repr(pattern), {"Pattern": Pattern})
    assert (again, again.text, again.induced, again.shape) == (pattern, pattern.text, induced, pattern.shape)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A => B", "column 3: expected '(', '.', '===', an arrow (->, <-, <->, -, !> or !-); got =>"),
        ("A -> ", "column 6: expected a name; got the end"),
        ("A -> B\nB -> 3", "line 2, column 6: expected a name; got 3"),
        ("A -> B; A.type = KC", "expected 'KC' in quotes, or a column, such as A.type"),
        ("A -> B [w > ]", "column 13: expected a name, a number, a text in quotes, true or false; got ]"),
        ("A -> B; A.x in 5", "column 16: expected '(', '['; got 5"),
        ("A -> B x", "column 8: expected"),
        ("A -> A", "column 3: expected two different vertices, because graphs have no loops; got A and A"),
        ("A -> B; A !> B", "column 11: A !> B contradicts another part; leave out one of them"),
        ("A -> B; C -> D", "expected present arcs that join all vertices; none join A and C"),
        ("A -> B; B !> C", "expected present arcs that join all vertices; none join A and C"),
        ("A -> B -> C -> D -> E -> F -> G", "expected arrows between 2 to 6 vertices; got 7 vertices"),
        ("# nothing", "expected arrows between 2 to 6 vertices; got 0 vertices"),
        ("A.x = 1", "expected arrows between 2 to 6 vertices; got 0 vertices"),
        ("A -> B; C.x = 1", "column 9: expected a vertex that arrows name, A, B, or a named arc; got C"),
        ("A -> B; A === C", "column 15: expected a vertex that arrows name"),
        ("A !> B [w > 1]; A - B", "column 3: expected one arc, -> or -, before conditions and names of arcs; got !>"),
        ("A <-> B as e", "column 3: expected one arc, -> or -, before conditions and names of arcs; got <->"),
        ("A -> B as e; B -> C as e", "column 24: expected another name: e is the name of another arc"),
        ("f(A, B)", "column 1: expected a macro of 2 names, f(A, B) { A -> B }"),
        ("f(A, B, C) { A -> B }; f(X, Y)", "column 24: expected a macro of 2 names"),
        ("f(A, B) { f(B, A) }; f(X, Y)", "column 11: expected a macro of 2 names"),
        ("A -> B; A === B", "column 9: expected two vertices that exchange places"),
        ("A -> B -> C -> A; A === B", "leave out A === B"),
        ("A - B; A.x = 1; A === B", "leave out A === B"),
    ],
)
def test_a_wrong_text_is_refused_in_one_line_with_the_place_and_what_was_expected(text, problem):
    with pytest.raises(ArgumentError) as caught:
        Pattern(text)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(alphabet="AB ->[].='x1;\n(){}!", max_size=20))
@examples(100)
def test_any_text_is_read_or_refused(text):
    with suppress(ArgumentError):
        Pattern(text)


def test_importing_triadic_imports_no_parser():
    command = "import sys, triadic, triadic.measures.patterns.pattern; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", command], check=False).returncode == 0
