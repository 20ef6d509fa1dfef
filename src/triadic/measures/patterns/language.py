"""The language of patterns: ``A -> B [weight >= 5]; B -> C; A !> C; A.type = 'KC'``, and the shape that a text means.

Parts are separated by ``;`` or line ends. A part is a chain of arrows with conditions in brackets, a comparison of a
column, a pair of vertices that are interchangeable (``A === B``), a macro (``edge(A, B) { A -> B; B !> A }``) or its
use (``edge(X, Y)``). `GRAMMAR` is read by lark, which is imported when the first pattern is read.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from triadic.core.pattern import ANY, MOST_VERTICES, Condition, Shape, Term, has_arc, turned
from triadic.errors import ArgumentError, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    Pair = tuple[int, int]

GRAMMAR = r"""
start: _parts
_parts: [_part] (_SEPARATOR [_part])*
_part: path | compare | same | use | macro
path: NAME step+
step: ARROW NAME (tests | "as" NAME)*
tests: "[" test ("," test)* "]"
test: COLUMN _condition
compare: column _condition
_condition: OPERATOR (column | _value) | IN list
column: NAME "." COLUMN
list: "[" _value ("," _value)* "]" | "(" _value ("," _value)* ")"
_value: INTEGER | NUMBER | STRING | FLAG
same: NAME "===" NAME
use: NAME "(" names ")"
macro: NAME "(" names ")" "{" _parts "}"
names: NAME ("," NAME)*
ARROW: /<->|->|<-|!>|!-|-/
OPERATOR: /==|[!<>]=|[=<>]|contains\b/
IN: /in\b/
FLAG.2: /(true|false)\b/i
NAME: /[^\W\d]\w*/
COLUMN: /[^\W\d]\w*|'[^'\n]*'|"[^"\n]*"/
INTEGER.2: /[-+]?\d+(?![\d.e])/i
NUMBER: /[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/i
STRING: /'[^'\n]*'|"[^"\n]*"/
_SEPARATOR: /[;\n]/
%ignore /[ \t\r\f]+|#[^\n]*/
"""
# What terminals of the grammar are called in a message; others have their own text.
_WORDS = {
    "NAME": "a name", "COLUMN": "a column", "ARROW": "an arrow (->, <-, <->, -, !> or !-)", "_SEPARATOR": "';'",
    "OPERATOR": "= != < <= > >= contains", "STRING": "a text in quotes", "INTEGER": "a number", "NUMBER": "a number",
    "FLAG": "true or false", "$END": "the end", "IN": "in",
}  # fmt: skip
# The states of a pair that each arrow allows.
_STATES = {"->": 0b1010, "<-": 0b1100, "<->": 0b1000, "-": 0b1110, "!>": 0b0101, "!-": 0b0001}


class Reading:
    """A pattern as read from its text.

    Attributes
    ----------
    names : list of str
        Names of the vertices, in the order in which arrows name them.
    shape : Shape
    arcs : dict of (int, int)
        Tails and heads of present arcs, and ends of edges without a direction, in the order of the text.
    same : list of (token, int, int)
        Vertices that the text says are interchangeable, and where it says so.
    """

    def __init__(self, text: str, *, induced: bool) -> None:
        self.text = text
        self.names: list[str] = []
        self._free: set[Pair] = set()
        self._states: dict[Pair, int] = {}
        self._of_name: dict[str, Pair] = {}
        tests: list[tuple[list[Term], Any]] = []
        arcs: list[Pair] = []
        tree = self._parsed()
        parts = list(self._expanded(tree.children, {each.children[0]: each for each in tree.find_data("macro")}))
        steps = [
            (first, *step.children)
            for path in (part.children for part in parts if part.data == "path")
            for first, step in zip([path[0], *(each.children[1] for each in path[1:])], path[1:], strict=False)
        ]
        for step in steps:
            own = self._step(*step[:3])
            arcs += own
            tests += self._details(own, *step[1:2], *step[3:])
        self._check_joined()
        tests += [([self._side(part.children[0])], part) for part in parts if part.data == "compare"]
        conditions = [
            Condition(left, "=" if operator == "==" else str(operator), self._side(right))  # type: ignore[arg-type] # of the grammar
            for lefts, (_, operator, right) in ((lefts, test.children) for lefts, test in tests)
            for left in lefts
        ]
        self.same = [(part.children[0], *map(self._vertex, part.children)) for part in parts if part.data == "same"]
        # An edge that has a direction elsewhere in the text is that arc.
        self.arcs = dict.fromkeys((j, i) if self._is_arc(j, i) > self._is_arc(i, j) else (i, j) for i, j in arcs)
        size = len(self.names)
        allowed = tuple(self._allowed(i, j, induced=induced) for j in range(size) for i in range(j))
        arrows = any(step[1] not in ("-", "!-") for step in steps)
        self.shape = Shape(size, allowed, tuple(dict.fromkeys(conditions)), arrows)

    def _parsed(self) -> Any:  # noqa: ANN401 - a tree of lark
        from lark.exceptions import UnexpectedInput  # noqa: PLC0415 - imported where a pattern is read

        try:
            return _parser().parse(self.text + "\n")  # so that an error at the end has a place
        except UnexpectedInput as error:
            before = self.text[: error.pos_in_stream]
            expected = getattr(error, "accepts", None) or vars(error)["allowed"]
            if expected == {"DOT"}:
                self.fail(len(before) - 1, f"expected {before.split()[-1]!r} in quotes, or a column, such as A.type")
            words = {_WORDS.get(each) or repr(_parser().get_terminal(each).pattern.value) for each in expected}
            got = (self.text[len(before) :].split() or ["the end"])[0]
            self.fail(len(before), f"expected {', '.join(sorted(words))}; got {got}")

    def fail(self, place: Any, problem: str) -> NoReturn:  # noqa: ANN401 - a token, or a place in the text
        """Raise an error that names the line and the column."""
        place = getattr(place, "start_pos", place)
        line, column = self.text.count("\n", 0, place), place - self.text.rfind("\n", 0, place)
        where = f"line {line + 1}, column {column}" if line else f"column {column}"
        raise ArgumentError(f"pattern {shown(self.text)}: {where}: {problem}") from None

    def _expanded(self, parts: list[Any], macros: dict[str, Any]) -> Iterator[Any]:
        """Yield the parts, in place of each use of a macro its own, with the names that it has been given."""
        for part in parts:
            if part.data == "use":
                name, given = part.children
                _, names, *body = macros[name].children if name in macros else (name, part)
                if len(names.children) != len(given.children) or name not in macros:
                    self.fail(name, f"expected a macro of {len(given.children)} names, {name}(A, B) {{ A -> B }}")
                values = dict(zip(names.children, given.children, strict=True))
                others = {each: macro for each, macro in macros.items() if each != name}
                yield from self._expanded([_renamed(each, values) for each in body], others)
            elif part.data != "macro":
                yield part

    def _step(self, first: Any, arrow: Any, second: Any) -> list[Pair]:  # noqa: ANN401 - tokens of lark
        """Read an arrow, and return its present arcs."""
        if first == second:
            self.fail(arrow, f"expected two different vertices, because graphs have no loops; got {first} and {second}")
        self.names += [str(name) for name in (first, second) if name not in self.names]
        i, j = self._vertex(first), self._vertex(second)
        both = {(i, j): _STATES[arrow], (j, i): turned(_STATES[arrow])}
        for pair, states in both.items():
            self._states[pair] = self._states.get(pair, ANY) & states
            if not self._states[pair]:
                self.fail(arrow, f"{first} {arrow} {second} contradicts another part; leave out one of them")
        if arrow != "-":
            return [pair for pair, states in both.items() if has_arc(states)]
        self._free |= both.keys()
        return [min(both)]

    def _details(self, arcs: list[Pair], arrow: Any, *more: Any) -> Iterator[tuple[list[Term], Any]]:  # noqa: ANN401 - as above
        """Yield the conditions of arcs in brackets, and keep the names of arcs."""
        for each in more:
            is_name = not hasattr(each, "data")
            if not arcs or (is_name and len(arcs) > 1):
                self.fail(arrow, f"expected one arc, -> or -, before conditions and names of arcs; got {arrow}")
            if not is_name:
                yield from (([Term(arc, _plain(test.children[0])) for arc in arcs], test) for test in each.children)
            elif self._of_name.setdefault(each, arcs[0]) != arcs[0]:
                self.fail(each, f"expected another name: {each} is the name of another arc")

    def _is_arc(self, i: int, j: int) -> bool:
        return has_arc(self._states.get((i, j), ANY))

    def _allowed(self, i: int, j: int, *, induced: bool) -> int:
        """Return the states that a pair may have, as bits."""
        if induced and (i, j) not in self._free:
            return 1 << self._is_arc(i, j) + 2 * self._is_arc(j, i)
        return self._states.get((i, j), ANY)

    def _vertex(self, name: Any) -> int:  # noqa: ANN401 - as above
        if name not in self.names:
            self.fail(name, f"expected a vertex that arrows name, {', '.join(self.names)}, or a named arc; got {name}")
        return self.names.index(name)

    def _side(self, node: Any) -> Any:  # noqa: ANN401 - as above, and a side of a condition
        if not hasattr(node, "data"):
            return _VALUES[node.type](node)
        if node.data == "list":
            return tuple(map(self._side, node.children))
        name, column = node.children
        return Term(self._of_name.get(name) or (self._vertex(name),), _plain(column))

    def _check_joined(self) -> None:
        """Raise if there are too few or too many vertices, or present arcs do not join them all."""
        size, near = len(self.names), {0}
        if not 2 <= size <= MOST_VERTICES:
            self.fail(0, f"expected arrows between 2 to {MOST_VERTICES} vertices; got {size} vertices")
        for _ in self.names:
            near |= {j for (i, j), states in self._states.items() if i in near and not states & 1}
        if len(near) < size:
            apart = next(name for name in self.names if self.names.index(name) not in near)
            self.fail(0, f"expected present arcs that join all vertices; none join {self.names[0]} and {apart}")


def _renamed(node: Any, names: dict[Any, Any]) -> Any:  # noqa: ANN401 - of lark
    """Return a part of a macro with the names that it has been given."""
    if hasattr(node, "data"):
        return type(node)(node.data, [_renamed(each, names) for each in node.children])
    return node.update(value=names[node]) if node.type == "NAME" and node in names else node


def _plain(text: str) -> str:
    return text[1:-1] if text[0] in "'\"" else str(text)


_VALUES: dict[str, Any] = {
    "INTEGER": int,
    "NUMBER": float,
    "STRING": _plain,
    "FLAG": lambda flag: flag.lower() == "true",
}


@cache
def _parser() -> Any:  # noqa: ANN401 - of lark
    from lark import Lark  # noqa: PLC0415 - as above

    return Lark(GRAMMAR, parser="lalr", maybe_placeholders=False)
