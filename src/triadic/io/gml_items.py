"""The words of a GML text, and the nodes and edges of its first graph.

The format is described in :mod:`triadic.io.gml`.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from triadic.io.text_layout import short

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from numpy.typing import NDArray

    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions

_TOKENS = re.compile(
    r"""\s*+(?:(?P<string>"[^"]*+")
    |(?P<bracket>[\[\]])
    |(?P<word>[^\s\[\]"]++)
    |(?P<open>")
    |(?P<end>\Z))""",
    re.VERBOSE,
)
_KEY = re.compile(r"[A-Za-z_]\w*\Z")
_INTEGER = re.compile(r"[-+]?[0-9]{1,40}\Z")
_FLUSHED_AT_ONCE = 1 << 12


@dataclass(slots=True)
class Items:
    """The attributes of each node and edge of the first graph, and the position in the text where each begins."""

    directed: bool = False
    graphs: int = 0
    nodes: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    edges: list[tuple[int, dict[str, str]]] = field(default_factory=list)


def weight_names(options: ReadOptions) -> tuple[str, ...]:
    """Return the attributes that may hold weights; the first that occurs counts. Empty if no weights are read."""
    if not options.wants_weights:
        return ()
    return (options.weights.lower(),) if isinstance(options.weights, str) else ("weight", "value")


class Tokens:
    """The words, quoted texts and brackets of a text."""

    source: Source
    text: str

    def error(self, problem: str, position: int) -> Exception:
        """Return the error for a position in the text."""
        raise NotImplementedError

    def tokens(self) -> Iterator[tuple[int, str]]:
        """Yield the tokens with their positions."""
        raise NotImplementedError

    def tokens_of(self, text: str, *, last: bool = True) -> Generator[tuple[int, str], None, int]:
        """Yield the tokens of a text; return where the text ends, or a quote in it that is not closed.

        If it is the `last` text, such a quote is an error.
        """
        position = 0
        while (match := _TOKENS.match(text, position)) is not None and match.lastgroup != "end":
            kind = match.lastgroup or ""
            if kind == "open":
                if last:
                    raise self.error("found a quote that is not closed, expected it to end", match.start(kind))
                return match.start(kind)
            position = match.end()
            if (
                match[kind].startswith("#")
                and not text[text.rfind("\n", 0, match.start(kind)) + 1 : match.start(kind)].strip()
            ):
                end_of_line = text.find("\n", position)
                position = len(text) if end_of_line < 0 else end_of_line
            else:
                yield match.start(kind), match[kind]
        return len(text)


def read_items(text: Tokens, flush: Callable[[Items], None] | None = None) -> Items:
    """Read the pairs of key and value with a stack of open brackets, which unlike recursion has no largest depth.

    Parameters
    ----------
    text : Tokens
    flush : callable, optional
        Called from time to time, to take nodes and edges from the lists; the last one of each may be incomplete.
    """
    items = Items()
    stack: list[str] = []
    current: dict[str, str] = {}
    key: str | None = None
    position = -1
    for position, word in text.tokens():
        if word == "]":
            if key is not None or not stack:
                raise text.error("found ']', expected a value" if key else "found ']' without a '['", position)
            stack.pop()
        elif key is None:
            if not _KEY.match(word):
                raise text.error(f"found {short(word)}, expected a key", position)
            key = word.lower()
        elif word == "[":
            if flush is not None and len(items.nodes) + len(items.edges) > _FLUSHED_AT_ONCE:
                flush(items)
            current = _opened(items, stack, key, position, current)
            stack.append(key)
            key = None
        else:
            _valued(items, stack, key, word, current)
            key = None
    if stack or key is not None:
        raise text.error(f"the file ends inside {stack[-1] if stack else key!r}, expected ']'", max(position, 0))
    return items


def _opened(items: Items, stack: list[str], key: str, position: int, current: dict[str, str]) -> dict[str, str]:
    if not stack and key == "graph":
        items.graphs += 1
    if items.graphs == 1 and stack == ["graph"] and key in ("node", "edge"):
        (items.nodes if key == "node" else items.edges).append((position, current := {}))
    return current


def _valued(items: Items, stack: list[str], key: str, word: str, current: dict[str, str]) -> None:
    if items.graphs != 1:
        return
    if stack == ["graph"] and key == "directed":
        items.directed = word == "1"
    elif len(stack) == 2 and stack[0] == "graph" and stack[1] in ("node", "edge"):
        current.setdefault(key, word)


def integer_of(text: Tokens, position: int, attributes: dict[str, str], name: str, kind: str) -> int:
    """Return an attribute of a node or an edge that is an integer; raise the error of the text if it is none."""
    token = attributes.get(name)
    if token is None:
        raise text.error(f"found {'an' if kind == 'edge' else 'a'} {kind} without {name!r}", position)
    # Some writers put ids in quotes.
    if not _INTEGER.match(bare := token.strip('"')):
        raise text.error(f"found the {name} {short(token)}, expected an integer", position)
    return int(bare)


def labels_of(names: dict[int, str], ids: Sequence[int]) -> NDArray[np.int64] | NDArray[np.object_] | None:
    """Return the labels of nodes from the labels in the file, by the number of the node, and the ids of all nodes."""
    if names:
        labels = np.empty(len(ids), dtype=np.object_)
        labels[:] = [
            html.unescape(names[number].strip('"')) if number in names else str(node) for number, node in enumerate(ids)
        ]
        return labels
    if all(number == node for number, node in enumerate(ids)):
        return None
    if all(-(2**63) <= number < 2**63 for number in ids):
        return np.array(ids, dtype=np.int64)
    labels = np.empty(len(ids), dtype=np.object_)
    labels[:] = [str(number) for number in ids]
    return labels
