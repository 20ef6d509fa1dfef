"""The columns of an edge table that hold the source, the target and the weight of each edge, found by their names.

Text, Parquet and tables in memory take the same decision. Capitals, blanks, punctuation and camelCase are ignored:
``FromNodeId``, ``from_node_id`` and ``from node id`` are the same name. Two names are a pair of ends if they differ in
one pair of words only, such as ``source`` and ``target``, ``from_user`` and ``to_user``, ``geneA`` and ``geneB``. Pairs
are ranked; if two pairs share the best rank, the caller has to choose.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from triadic.core.records import value_class

if TYPE_CHECKING:
    from collections.abc import Iterator

    # The number of a pair of words, and the words before and after the word in the name.
    _Key = tuple[str, int, tuple[str, ...], tuple[str, ...]]

# Words for the source and the target of an edge.
_WORDS = (
    ("source", "target"),
    ("src", "dst"),
    ("src", "dest"),
    ("src", "tgt"),
    ("src", "trg"),
    ("source", "destination"),
    ("from", "to"),
    ("sender", "receiver"),
    ("sender", "recipient"),
    ("giver", "receiver"),
    ("origin", "destination"),
    ("origin", "dest"),
    ("orig", "dest"),
    ("pre", "post"),
    ("presynaptic", "postsynaptic"),
    ("presyn", "postsyn"),
    ("citing", "cited"),
    ("caller", "callee"),
    ("ego", "alter"),
    ("follower", "followee"),
    ("follower", "following"),
    ("follower", "followed"),
    ("parent", "child"),
    ("exporter", "importer"),
    ("importer", "imported"),
    ("who", "whom"),
    ("rater", "ratee"),
    ("truster", "trustee"),
    ("trustor", "trustee"),
    ("nominator", "nominee"),
    ("bait", "prey"),
    ("ligand", "receptor"),
    ("regulator", "target"),
    ("tf", "target"),
    ("kinase", "substrate"),
    ("subject", "object"),
    ("head", "tail"),
    ("buyer", "seller"),
    ("customer", "supplier"),
    ("payer", "payee"),
    ("lender", "borrower"),
    ("debtor", "creditor"),
    ("employee", "manager"),
    ("employee", "supervisor"),
    ("mentor", "mentee"),
    ("teacher", "student"),
    ("author", "coauthor"),
    ("name", "friend"),
    ("person", "friend"),
    ("user", "friend"),
)
# Words that also delimit intervals: a pair of ends only if no other column could be an end.
_INTERVAL_WORDS = (("start", "end"), ("begin", "end"), ("left", "right"), ("first", "second"))
# Marks of two names that are otherwise equal, such as gene1 and gene2.
_MARKS = (("1", "2"), ("0", "1"), ("a", "b"))
# Names of one letter.
_LETTERS = (("u", "v"), ("i", "j"))

_EXACT_STEMS = {("official", "symbol", "interactor"), ("id", "interactor")}
_ID_WORDS = frozenset(
    (
        *("id", "ids", "node", "nodes", "vertex", "root", "pt", "body", "index", "idx", "key", "no", "num", "nr"),
        *("gene", "protein", "interactor", "person", "user", "author", "neuron", "cell", "entity", "actor"),
        *("agent", "account", "country", "page", "n"),
    )
)
_LABEL_WORDS = frozenset(
    (
        *("name", "names", "label", "labels", "symbol", "alias", "aliases", "synonym", "synonyms", "organism"),
        *("species", "taxon", "taxid", "group", "class", "instance", "systematic", "alt", "accession"),
        *("accessions", "supervoxel", "status", "description"),
    )
)
_NO_ENDS = frozenset(
    (
        *("time", "times", "timestamp", "date", "datetime", "year", "month", "day", "hour", "x", "y", "z", "lat"),
        *("lon", "lng", "latitude", "longitude", "type", "types", "kind", "category", "position", "pos", "coord"),
        *("weight", "size", "age", "sex", "gender", "score", "value", "count", "color", "colour", "degree", "side"),
        *("strand", "length", "distance", "confidence"),
    )
)
_WEIGHTS = (
    *("weight", "weights", "edgeweight", "value", "sign", "synapsecount", "syncount", "nsyn", "nsynapses", "synapses"),
    *("combinedscore", "score", "strength", "count", "counts", "freq", "frequency", "n", "w"),
)
_EDGE_IDS = frozenset(("", "edgeid", "eid", "edge", "index", "indexlevel0", "unnamed0", "rowid", "rownames"))

_OF_INTERVALS = 4  # the rank of names that may delimit an interval of time or of positions
_BOTH_ENDS = "pass source= and target= (--source and --target)"
_INDEX = (
    "its columns have no names; pass the index of a column, such as {role}=0, or header=True (--header) if the first "
    "row holds the names"
)
_MOST_NAMES = 12
_CLOSE = 0.75
_OTHERS = ("columns", "where", "graph")  # keywords of columns that are neither ends nor weights
_LONGEST = 200


class ColumnsError(Exception):
    """The columns to read cannot be told; readers turn this into an error that names the file or the table."""


@value_class
class EdgeColumns:
    """Indices of the columns of an edge table, from 0.

    Attributes
    ----------
    source, target : int
    weight : int or None
        None without weights.
    """

    source: int
    target: int
    weight: int | None = None

    @property
    def places(self) -> list[int]:
        """Indices of the source, the target and, if there is one, the weight."""
        return [self.source, self.target, *([] if self.weight is None else [self.weight])]


@value_class
class EndPair:
    """Two columns whose names form a pair.

    Attributes
    ----------
    source, target : int
        Indices of the columns.
    rank : int
        0 for the plainest pairs; larger for less plain ones.
    words : bool
        Whether words distinguish the two names, such as from and to, rather than a letter or a digit.
    """

    source: int
    target: int
    rank: int
    words: bool


@lru_cache(maxsize=1 << 12)
def name_words(name: str) -> tuple[str, ...]:
    """Split the name of a column into lower-case words.

    Examples
    --------
    >>> name_words("FromNodeId"), name_words("#ID(s) interactor A"), name_words("gene_1")
    (('from', 'node', 'id'), ('id', 'interactor', 'a'), ('gene', '1'))
    """
    words: list[str] = []
    word = ""
    depth = 0
    for before, letter in pairwise(f" {name[:_LONGEST]} "):
        depth += (letter == "(") - (before == ")" and depth > 0)
        kind = "" if depth or not letter.isalnum() else letter
        starts = bool(word) and ((letter.isupper() and before.islower()) or letter.isdigit() != before.isdigit())
        if word and (not kind or starts):
            words.append(word.lower())
            word = ""
        word += kind
    return tuple(words)


def plain_name(name: str) -> str:
    """Return the name of a column without capitals, blanks and punctuation.

    Examples
    --------
    >>> plain_name("Syn. Count")
    'syncount'
    """
    return "".join(name_words(name))


@cache
def _sides() -> dict[str, list[tuple[int, int, str]]]:
    """Return for each mark of an end: the index of its pair, its side (0 source, 1 target), and its kind."""
    found: dict[str, list[tuple[int, int, str]]] = {}
    kinds = {"words": _WORDS, "interval": _INTERVAL_WORDS, "marks": _MARKS, "letters": _LETTERS}
    number = 0
    for kind, pairs in kinds.items():
        for pair in pairs:
            for side, mark in enumerate(pair):
                found.setdefault(mark, []).append((number, side, kind))
            number += 1
    return found


def _readings(name: str) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Yield the ways to read a name as a mark with words before and after it."""
    words = name_words(name)
    for k, word in enumerate(words):
        if word in _sides():
            yield word, words[:k], words[k + 1 :]
    if words and len(words[-1]) > 2 and words[-1][-1] in "ab" and words[-1] not in _sides():  # statea, stateb
        yield words[-1][-1], (*words[:-1], words[-1][:-1]), ()


@lru_cache(maxsize=256)
def end_pairs(names: tuple[str, ...]) -> tuple[EndPair, ...]:
    """Return all pairs of names that can be the two ends, the plainest first; O(number of names).

    Examples
    --------
    >>> end_pairs(("id", "from_user", "to_user", "created"))
    (EndPair(source=1, target=2, rank=1, words=True),)
    """
    columns: dict[_Key, dict[int, list[int]]] = {}
    thirds: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
    for i, name in enumerate(names):
        words = name_words(name)
        thirds.update((words[:k], words[k + 1 :]) for k, word in enumerate(words) if word in ("3", "c"))
        for mark, before, after in _readings(name):
            for number, side, kind in _sides()[mark]:
                columns.setdefault((kind, number, before, after), {}).setdefault(side, []).append(i)
    best: dict[tuple[int, int], EndPair] = {}
    for (kind, _, before, after), sides in columns.items():
        rank = _rank(kind, (*before, *after))
        if len(sides) < 2 or rank is None or (kind == "marks" and (before, after) in thirds):
            continue
        for source in sides[0]:
            for target in sides[1][:2]:
                pair = EndPair(source, target, rank, kind in ("words", "interval"))
                if (source, target) not in best or best[source, target].rank > rank:
                    best[source, target] = _of_arcs(names, pair)
    return tuple(sorted(best.values(), key=lambda pair: (pair.rank, pair.source, pair.target)))


def _rank(kind: str, stem: tuple[str, ...]) -> int | None:
    if not stem:
        return {"words": 0, "letters": 0, "interval": _OF_INTERVALS}.get(kind)
    if kind == "letters" or not _NO_ENDS.isdisjoint(stem) or all(word.isdigit() for word in stem):
        return None
    if stem in _EXACT_STEMS:
        return 0
    if not _LABEL_WORDS.isdisjoint(stem):
        return 3
    return 1 if _ID_WORDS.issuperset(stem) else 2


def _of_arcs(names: tuple[str, ...], pair: EndPair) -> EndPair:
    """Return a pair of head and tail in the direction of its arcs: from the column that comes first.

    An arc of a graph goes from its tail to its head; a fact of a knowledge graph goes from its head to its tail.
    """
    if "tail" not in name_words(names[pair.target]) or pair.source < pair.target:
        return pair
    return replace(pair, source=pair.target, target=pair.source)


def named_columns(
    names: tuple[str, ...], source: str | int | None, target: str | int | None, weights: bool | str | int | None
) -> EdgeColumns:
    """Choose the columns of a table whose columns have names.

    Parameters
    ----------
    names : tuple of str
    source, target : str, int or None
        Name or index of the column; None finds it.
    weights : bool, str, int or None
        Name or index of the column, True to find it, None or False for no weights.

    Raises
    ------
    ColumnsError
        A column does not exist, or the names do not tell which columns to read.

    Examples
    --------
    >>> named_columns(("pre", "post", "n_syn"), None, None, True)
    EdgeColumns(source=0, target=1, weight=2)
    """
    if source is not None:
        first = column_of(names, source, "source")
        second = _other_end(names, first, 1) if target is None else column_of(names, target, "target")
    elif target is not None:
        second = column_of(names, target, "target")
        first = _other_end(names, second, 0)
    else:
        first, second = _found_ends(names)
    if first == second:
        raise ColumnsError(f"source= and target= are both the column {shown(names[first])}, expected two columns")
    return EdgeColumns(first, second, _named_weight(names, (first, second), weights))


def numbered_columns(
    count: int, source: str | int | None, target: str | int | None, weights: bool | str | int | None
) -> EdgeColumns:
    """Choose the columns of a table whose `count` columns have no names: by default 0, 1 and, for weights, 2."""
    first = 0 if source is None else column_of((), source, "source", count)
    second = 1 if target is None else column_of((), target, "target", count)
    if first == second:
        raise ColumnsError(f"source= and target= are both column {first}, expected two columns; {_BOTH_ENDS}")
    if weights is None or weights is False:
        return EdgeColumns(first, second)
    third = 2 if weights is True else column_of((), weights, "weights", count)
    if third >= count:
        raise ColumnsError(f"weights={weights!r}: there is no column {third}, expected 0 to {count - 1}")
    if third in (first, second):
        raise ColumnsError(f"weights={weights!r}: column {third} holds ids, expected another column")
    return EdgeColumns(first, second, third)


@lru_cache(maxsize=256)
def columns_taken(names: tuple[str, ...], columns: EdgeColumns, where: str = "") -> str:
    """Return in words which columns are read, for `Origin.columns`.

    Examples
    --------
    >>> columns_taken(("from", "to", "n"), EdgeColumns(0, 1, 2), "header in line 1")
    'columns from → to, weights n, header in line 1'
    >>> columns_taken((), EdgeColumns(0, 1), "no header")
    'columns 0 → 1, no header'
    """
    label = list(map(shown, names)) or range(1 << 30)
    weight = "" if columns.weight is None else f", weights {label[columns.weight]}"
    return f"columns {label[columns.source]} → {label[columns.target]}{weight}{where and f', {where}'}"


def shown(name: str) -> str:
    """Return a name in the form for messages: short, and without characters that do not print."""
    text = name if len(name) <= 40 else f"{name[:37]}..."
    return text if text.isprintable() else ascii(text)[1:-1]


def listed(names: tuple[str, ...]) -> str:
    """Return the names of the columns in a list for messages."""
    more = f", and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(shown(name) or "''" for name in names[:_MOST_NAMES]) + more if names else "none"


def _found_ends(names: tuple[str, ...]) -> tuple[int, int]:
    pairs = end_pairs(names)
    if pairs and pairs[0].rank == _OF_INTERVALS:
        others = [i for i in range(len(names)) if i not in (pairs[0].source, pairs[0].target)]
        pairs = () if any(_may_be_end(names[i]) and plain_name(names[i]) != "id" for i in others) else pairs
    if pairs:
        best = [pair for pair in pairs if pair.rank == pairs[0].rank]
        # Columns `from` and `to` may hold times beside a pair of other names.
        if {plain_name(names[best[0].source]), plain_name(names[best[0].target])} == {"from", "to"}:
            best += [
                pair
                for pair in pairs
                if 0 < pair.rank < 3
                and not ("from" in name_words(names[pair.source]) and "to" in name_words(names[pair.target]))
            ]
        if len(best) == 1:
            return best[0].source, best[0].target
        found = " or ".join(f"{shown(names[pair.source])} → {shown(names[pair.target])}" for pair in best[:3])
        raise ColumnsError(f"{_of(names)}: several pairs may be the ends of an edge ({found}); {_BOTH_ENDS}")
    plain = set(map(plain_name, names))
    has_property = any(not (_NO_ENDS - {"x", "y"}).isdisjoint(name_words(name)) for name in names)
    if {"id", "label"} <= plain or plain == {"id", "name"} or (len(names) == 2 and has_property):
        raise ColumnsError(
            f"{_of(names)}: this looks like a table of vertices, expected a table of edges, such as one with the "
            f"columns source and target; for other names {_BOTH_ENDS}"
        )
    ends = range(len(names)) if len(names) == 2 else [i for i, name in enumerate(names) if _may_be_end(name)]
    if len(ends) == 2:
        return ends[0], ends[1]
    raise ColumnsError(f"{_of(names)}: their names do not tell which two hold the ends of an edge; {_BOTH_ENDS}")


def _may_be_end(name: str) -> bool:
    plain = plain_name(name)
    return plain not in _EDGE_IDS and plain not in _WEIGHTS


def _of(names: tuple[str, ...]) -> str:
    return f"the columns are {listed(names)}"


def _other_end(names: tuple[str, ...], known: int, side: int) -> int:
    """Return the source (side 0) or the target (side 1) where the caller chose the other end only."""
    pairs = [(pair.source, pair.target) for pair in end_pairs(names)]
    found = {pair[side] for pair in pairs if pair[1 - side] == known}
    if not found and len(names) == 2:
        found = {1 - known}
    if not found:
        usual = (("source", "src", "from"), ("target", "dst", "to"))[side]
        found = {i for i, name in enumerate(names) if plain_name(name) in usual and i != known}
    if len(found) == 1:
        return found.pop()
    missing = "target" if side else "source"
    raise ColumnsError(f"{_of(names)}: their names do not tell the column of the {missing}; pass {missing}= too")


def column_of(names: tuple[str, ...], wanted: str | int, role: str, count: int | None = None) -> int:
    """Return the index of the column that an argument, `role`, names; raise a ColumnsError if there is none.

    Without names, there are `count` columns.
    """
    if isinstance(wanted, str):
        found = places_of(names, wanted)
        if len(found) == 1:
            return found[0]
        if found:
            raise ColumnsError(
                f"there are {len(found)} columns of the name {shown(wanted)!r}; {_of(names)}; "
                f"pass the index of the column instead, such as {role}={found[0]}"
            )
        if not is_index(wanted):
            remedy = f"{_of(names)}{_suggestion(names, wanted, role)}" if count is None else _INDEX.format(role=role)
            raise ColumnsError(f"there is no column {shown(wanted)!r}; {remedy}")
        wanted = int(wanted)
    if wanted >= (len(names) if count is None else count):
        lacking, of = ("such column", f"; {_of(names)}") if count is None else (f"column {wanted}", "")
        raise ColumnsError(f"{role}={wanted}: there is no {lacking}, expected 0 to {(count or len(names)) - 1}{of}")
    return wanted


def places_of(names: tuple[str, ...], wanted: str) -> list[int]:
    """Return the indices of the columns of a name; if there are none, of those that differ by capitals only."""
    same = [i for i, name in enumerate(names) if name == wanted]
    return same or [i for i, name in enumerate(names) if name.lower() == wanted.lower()]


def is_index(text: str) -> bool:
    """Return whether a text, as the command line gives it, is the index of a column."""
    return text.isascii() and text.isdecimal() and len(text) < 10


def _suggestion(names: tuple[str, ...], wanted: str, role: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only errors need it

    plain = {plain_name(name): name for name in reversed(names)}
    close = get_close_matches(plain_name(wanted), plain, 1, _CLOSE)
    pairs = end_pairs(names)
    if close:
        name = plain[close[0]]
    elif role == "weights":
        name = next((plain[weight] for weight in _WEIGHTS if weight in plain), "")
    else:
        name = names[(pairs[0].source, pairs[0].target)[role == "target"]] if pairs and role not in _OTHERS else ""
    return f"; did you mean {f'{role}=' * (role not in _OTHERS)}{shown(name)!r}?" if name else ""


def _named_weight(names: tuple[str, ...], ends: tuple[int, int], weights: bool | str | int | None) -> int | None:
    if weights is None or weights is False:
        return None
    if weights is not True:
        weight = column_of(names, weights, "weights")
        if weight in ends:
            raise ColumnsError(f"weights={weights!r}: the column {shown(names[weight])} holds ids; {_of(names)}")
        return weight
    others = [i for i in range(len(names)) if i not in ends]
    plain = {plain_name(names[i]): i for i in reversed(others)}
    found = next((plain[name] for name in _WEIGHTS if name in plain), None)
    others = [i for i in others if plain_name(names[i]) not in _EDGE_IDS]
    if found is None and len(others) == 1:
        found = others[0]
    if found is None:
        raise ColumnsError(f"weights=True: there is no column 'weight'; {_of(names)}; pass its name as weights=")
    return found
