"""Edge lists as text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triadic.errors import ReadError
from triadic.io import read_arcs

PLAIN = [(0, 1), (1, 2), (2, 2), (0, 1)]


@pytest.mark.parametrize(
    "content",
    [
        "0 1\n1 2\n2 2\n0 1\n",
        "0\t1\n1\t2\n2\t2\n0\t1",
        "0,1\n1,2\n2,2\n0,1\n",
        "0;1\n1;2\n2;2\n0;1\n",
        "0 1\r\n1 2\r\n2 2\r\n0 1\r\n",
        "0 1\r1 2\r2 2\r0 1\r",
        "  0   1\n1\t 2  \n2 2\n0\t\t1\n",
        "0, 1\n1 ,2\n2 , 2\n0,1\n",
        "0 1\n1,2\n2\t2\n0;1\n",
        "# a\n\n0 1\n1 2\n\n# b\n2 2\n  % c\n0 1\n\n",
        "0 1 7\n1 2 8\n2 2 9\n0 1 7\n",
        "0 1 a,b\n1 2 c,d\n2 2 e,f\n0 1 g,h\n",
        "0 1 a,b\n1 2 c\n2 2 e,f\n0 1 g,h,i\n",
        "0 1 0,5\n1 2 1,5\n2 2 2,5\n0 1 3,5\n",
        "\ufeff0 1\n1 2\n2 2\n0 1\n",
        "\ufeff# comment\n0 1\n1 2\n2 2\n0 1\n",
        '"0","1"\n"1","2"\n"2","2"\n"0","1"\n',
        'source,target,note\n0,1,"a, b"\n1,2,"c"\n2,2,d\n0,1,e\n',
        "0\t1\tNew York, NY\n1\t2\tParis\n# c\n2\t2\tRome\n0\t1\tOslo\n",
        "0 1 \n1 2 \n2 2\n0 1 \n",
    ],
)
def test_separators_comments_and_line_ends_do_not_change_a_network(pairs_of, content):
    assert pairs_of(content) == PLAIN


@pytest.mark.parametrize("content", ["007,7\n7,008\n", "01001 7\n7 2\n", '"007","7"\n"7","8"\n'])
def test_ids_with_leading_zeros_are_names(arcs_of, content):
    labels = arcs_of(content, "n.csv").labels.tolist()
    assert all(isinstance(label, str) for label in labels)
    assert len(labels) == 3


def test_a_file_of_comments_only_has_no_vertices(arcs_of):
    arcs = arcs_of("# nothing\n% here\n\n")
    assert (arcs.vertices, len(arcs), arcs.labels, arcs.weights) == (0, 0, None, None)


def test_a_header_row_alone_is_a_network_without_edges(arcs_of):
    assert len(arcs_of("source,target\n", "network.csv")) == 0


def test_loops_only_are_read_as_they_are(arcs_of):
    arcs = arcs_of("0 0\n1 1\n")
    assert (arcs.vertices, len(arcs)) == (2, 2)


def test_sparse_ids_become_labels_in_rising_order(arcs_of):
    arcs = arcs_of("30 7\n7 1000000000000\n")
    assert arcs.labels.dtype == np.int64
    assert arcs.labels.tolist() == [7, 30, 10**12]
    assert arcs.source.tolist() == [1, 0]
    assert arcs.target.tolist() == [0, 2]
    assert arcs.source.dtype == arcs.target.dtype == np.int32


def test_the_largest_id_is_two_to_the_63_minus_1(pairs_of):
    assert pairs_of("0 9223372036854775807\n") == [(0, 2**63 - 1)]


def test_names_become_labels_in_order_of_appearance(arcs_of):
    arcs = arcs_of("Zoe Adam\nBea Zoe\nAdam Ümit\n")
    assert arcs.labels.tolist() == ["Zoe", "Adam", "Bea", "Ümit"]
    assert arcs.source.tolist() == [0, 2, 1]
    assert arcs.target.tolist() == [1, 0, 3]


def test_one_name_makes_every_id_a_name(arcs_of):
    assert arcs_of("1 2\n2 x\n", "network.edges").labels.tolist() == ["1", "2", "x"]


def test_names_may_hold_blanks_between_tabs_and_commas(pairs_of):
    assert pairs_of("New York\tLos Angeles\nRome\tNew York\n")[0] == ("New York", "Los Angeles")
    assert pairs_of("New York, Rome\nRome, Paris\n", "network.csv")[0] == ("New York", "Rome")


def test_names_between_tabs_may_stand_between_blanks_in_other_rows(pairs_of):
    assert pairs_of("a\tb\nc  d\n") == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize("content", ["New York\tRome\nParis x y\n", "a, b\nc d\n", "a,b,c\nd e f\n"])
def test_blanks_never_cut_names_in_two_where_something_else_separates(arcs_of, content):
    with pytest.raises(ReadError) as caught:
        arcs_of(content)
    assert caught.value.line == 2


def test_quoted_names_may_hold_separators_and_quotes(pairs_of):
    pairs = [("a,b", 'say "hi"'), ("c", "d")]
    assert pairs_of('"a,b","say ""hi"""\nc, "d"\n', "network.csv", header=False) == pairs
    assert pairs_of('"a\tb"\t"c"\n', "network.tsv", header=False) == [("a\tb", "c")]


def test_a_stray_quote_between_tabs_is_part_of_a_name(pairs_of):
    assert pairs_of("5\" disk\tdisk\n'HAIR'\t\"x\n", header=False) == [('5" disk', "disk"), ("'HAIR'", '"x')]


def test_hexadecimal_ids_are_names(pairs_of):
    assert pairs_of("0x1F 0x20\n") == [("0x1F", "0x20")]


class TestWhichVerticesExist:
    def test_a_stated_number_above_every_id_names_all_vertices(self, arcs_of):
        arcs = arcs_of("# Nodes: 5 Edges: 1\n1 3\n")
        assert (arcs.vertices, arcs.labels) == (5, None)
        assert (arcs.source.tolist(), arcs.target.tolist()) == ([1], [3])

    def test_a_stated_number_that_an_id_reaches_adds_vertices_without_a_label(self, arcs_of):
        arcs = arcs_of("# Nodes: 5 Edges: 1\n1 5\n")
        assert (arcs.vertices, arcs.labels.tolist()) == (5, [1, 5])

    def test_a_stated_number_adds_vertices_after_the_names(self, arcs_of):
        arcs = arcs_of("# Nodes: 5 Edges: 1\na b\n")
        assert (arcs.vertices, arcs.labels.tolist()) == (5, ["a", "b"])

    def test_ids_that_are_0_to_n_minus_1_are_no_labels(self, arcs_of):
        assert arcs_of("2 0\n1 0\n").labels is None

    def test_a_declared_number_is_all_of_them(self, arcs_of):
        arcs = arcs_of("1 3\n", num_vertices=7)
        assert (arcs.vertices, arcs.labels) == (7, None)
        assert arcs_of("a b\n", num_vertices=7).vertices == 7
        assert arcs_of("# empty\n", num_vertices=7).vertices == 7

    def test_an_id_beyond_a_declared_number_is_refused_with_its_line(self, arcs_of):
        with pytest.raises(ReadError, match=r"line 3: found the id '7', expected less than num_vertices=7"):
            arcs_of("# x\n1 3\n7 1\n", num_vertices=7)
        with pytest.raises(ReadError, match="3 different names"):
            arcs_of("a b\nb c\n", num_vertices=2)


class TestDirection:
    @pytest.mark.parametrize(
        ("comment", "directed"),
        [
            ("# Directed graph (each unordered pair of nodes is saved once): web.txt", True),
            ("# Undirected graph: amazon.txt", False),
            ("# Undirected ego-Twitter, one line an edge", False),
            ("# From the directed network of mails, an undirected graph", True),
            ("# nothing of the kind", True),
            ("% sym unweighted", False),
            ("% asym positive", True),
        ],
    )
    def test_the_header_says_the_direction(self, arcs_of, comment, directed):
        assert arcs_of(f"{comment}\n0 1\n").directed is directed

    def test_what_is_asked_for_outweighs_the_header(self, arcs_of):
        assert arcs_of("# Undirected graph\n0 1\n", directed=True).directed is True
        assert arcs_of("0 1\n", directed=False).directed is False


class TestKonect:
    def test_the_second_line_states_the_number_of_vertices(self, arcs_of):
        arcs = arcs_of("% sym unweighted\n% 2 6 6\n1 2 \n2 6 \n", "out.network")
        assert (arcs.vertices, arcs.labels.tolist(), arcs.directed) == (6, [1, 2, 6], False)

    def test_the_third_column_is_the_weight(self, arcs_of):
        assert arcs_of("% sym posweighted\n1 2 3 99\n2 3 4.5 99\n", weights=True).weights.tolist() == [3, 4.5]

    def test_the_two_sets_of_a_bipartite_network_are_different_vertices(self, arcs_of):
        arcs = arcs_of("% bip unweighted\n% 3 2 4\n1 1\n1 3\n2 1\n", "out.network")
        assert arcs.labels.tolist() == ["left:1", "left:2", "right:1", "right:3"]
        assert (arcs.source.tolist(), arcs.target.tolist()) == ([0, 0, 1], [2, 3, 2])
        assert (arcs.vertices, arcs.directed) == (6, False)

    def test_names_of_a_bipartite_network_are_kept_apart_too(self, arcs_of):
        assert arcs_of("% bip unweighted\na a\n").labels.tolist() == ["left:a", "right:a"]


class TestHeaderRow:
    @pytest.mark.parametrize("header", ["source,target", "Source,Target", "from,to", "src,dst", "FromNodeId,ToNodeId"])
    def test_known_names_are_a_header(self, pairs_of, header):
        assert pairs_of(f"{header}\na,b\n", "network.csv") == [("a", "b")]

    def test_names_above_numbers_are_a_header(self, pairs_of):
        assert pairs_of("who,whom\n0,1\n1,0\n", "network.csv") == [(0, 1), (1, 0)]
        assert pairs_of("who,whom,times\na,b,1\nb,a,2\n", "network.csv") == [("a", "b"), ("b", "a")]

    @pytest.mark.parametrize("name", ["network.csv", "network.tsv", "network.txt"])
    @pytest.mark.parametrize("delimiter", [",", ";", "\t"])
    def test_unknown_names_above_names_are_refused_until_the_caller_says_what_they_are(self, pairs_of, name, delimiter):
        text = "anna,bert\ncarl,dora\ndora,emil\n".replace(",", delimiter)
        with pytest.raises(ReadError, match=r"first row may be a header or an edge.*'anna.*carl.*header=True.*--no-h"):
            pairs_of(text, name)
        assert pairs_of(text, name, header=True) == [("carl", "dora"), ("dora", "emil")]
        assert pairs_of(text, name, header=False) == [("anna", "bert"), ("carl", "dora"), ("dora", "emil")]

    def test_years_above_other_numbers_are_no_evidence_of_a_row(self, pairs_of):
        with pytest.raises(ReadError, match="may be a header or an edge"):
            pairs_of("exporter x,partner y,2010,2011\nDE,FR,3,4\n", "network.csv")
        assert pairs_of("anna,bert,1999\ncarl,dora,2001\n", "network.csv")[0] == ("anna", "bert")

    def test_a_word_that_occurs_again_below_is_no_header(self, pairs_of):
        assert pairs_of("anna,bert\nbert,carl\n", "network.csv") == [("anna", "bert"), ("bert", "carl")]

    def test_a_word_that_occurs_again_after_many_rows_is_no_header(self, pairs_of):
        rows = "".join(f"x{i},y{i}\n" for i in range(1000))
        assert len(pairs_of(f"anna,bert\n{rows}carl,anna\n", "network.csv")) == 1002

    def test_rows_between_blanks_have_no_header_unless_its_names_are_known(self, pairs_of):
        assert pairs_of("anna bert\ncarl dora\n") == [("anna", "bert"), ("carl", "dora")]
        assert pairs_of("protein1 protein2 combined_score\nP53 MDM2 999\n") == [("P53", "MDM2")]

    def test_a_row_with_a_number_or_a_missing_weight_is_no_header(self, pairs_of):
        assert pairs_of("1,2,x\n3,4,5\n", "network.csv") == [(1, 2), (3, 4)]
        assert pairs_of("a,b,NA\nc,d,5\n", "network.csv") == [("a", "b"), ("c", "d")]
        assert pairs_of("a,b,nan\nc,d,5\n", "network.csv") == [("a", "b"), ("c", "d")]

    def test_columns_are_found_by_their_names(self, arcs_of, named_pairs):
        arcs = arcs_of("weight,target,source\n5,1,0\n6,2,1\n", "network.csv", weights="weight")
        assert named_pairs(arcs) == [(0, 1), (1, 2)]
        assert arcs.weights.tolist() == [5, 6]

    def test_columns_may_be_named_by_the_caller(self, pairs_of):
        assert pairs_of("id,citing,cited\n9,0,1\n", "n.csv", source="citing", target="cited") == [(0, 1)]
        with pytest.raises(ReadError, match=r"no column 'x'; the columns are id, citing, cited"):
            pairs_of("id,citing,cited\n9,0,1\n", "n.csv", source="x", target="cited")


class TestWeights:
    def test_weights_are_off_unless_asked_for(self, arcs_of):
        assert arcs_of("0 1 5\n").weights is None
        assert arcs_of("0 1 5\n", weights=False).weights is None

    def test_a_column_of_snaps_comment_may_be_named(self, arcs_of):
        content = "# Directed graph\n# FromNodeId\tToNodeId\tSign\n0\t1\t-1\n1\t0\t1\n"
        assert arcs_of(content, weights="Sign").weights.tolist() == [-1, 1]
        assert arcs_of(content, weights="sign").weights.tolist() == [-1, 1]
        assert arcs_of(content, weights=True).weights.tolist() == [-1, 1]
        assert arcs_of(content, weights=2).weights.tolist() == [-1, 1]

    @pytest.mark.parametrize(
        ("weights", "words"),
        [
            (2, "there is no column 2, expected 0 to 1"),
            ("w", "no column 'w'"),
            (1, "holds ids"),
            (True, "column 2"),
        ],
    )
    def test_a_weight_column_that_is_not_there_is_refused(self, arcs_of, weights, words):
        with pytest.raises(ReadError, match=words):
            arcs_of("0 1\n", weights=weights)

    @pytest.mark.parametrize("weight", ["nan", "inf", "-Infinity", "1e999"])
    def test_a_weight_that_is_not_finite_is_refused_with_its_line(self, arcs_of, weight):
        with pytest.raises(ReadError, match=rf"line 4: found the weight '{weight}', expected a finite number"):
            arcs_of(f"# c\n0 1 2\n\n1 2 {weight}\n", weights=2)

    def test_a_weight_that_is_not_a_number_is_refused_with_its_line(self, arcs_of):
        with pytest.raises(ReadError, match=r"line 3: found the weight 'x', expected a number"):
            arcs_of("0 1 2\n1 2 3\n2 3 x\n", weights=2)


class TestBadText:
    @pytest.mark.parametrize(
        ("content", "line", "words"),
        [
            ("0 1\n5\n", 2, r"found one id \('5'\), expected a source and a target"),
            ("5\n0 1\n", 1, r"found one id"),
            ("0 1\n\n# c\n2 3 4\n", 4, r"found 3 columns \('2 3 4'\), expected 2"),
            ("0,1\n0,1,2\n", 2, "found 3 columns"),
            ("a b\n\nc\n", 3, "found one id"),
            ("a,b\nc,d,e\n", 2, "found 3 columns"),
            ("0 1\n-3 2\n", 2, r"found the negative id '-3', expected 0 or more"),
            ("# c\n0 9223372036854775808\n", 2, r"found the id '9223372036854775808', expected less than 2\*\*63"),
            ("0 1\n2 123456789012345678901234567890\n", 2, r"expected less than 2\*\*63"),
            ("0,1\n,2\n", 2, "found an empty id"),
            ("0 1\n1 \x002\n", 2, "found binary data"),
            ("0 1\n" * 100_000 + "1 2\n\x01\x02\n", 100_002, "found binary data"),
            ("a b\n" * 100_000 + "a b\nc\n", 100_002, "found one id"),
            ("0 1\n" * 100_000 + "# c\n1\n", 100_002, "found one id"),
        ],
    )
    def test_the_message_has_the_line(self, arcs_of, content, line, words):
        with pytest.raises(ReadError, match=words) as caught:
            arcs_of(content)
        assert caught.value.line == line
        assert "\n" not in str(caught.value)

    def test_names_that_are_not_utf8_are_refused_with_their_line(self, arcs_of):
        with pytest.raises(ReadError, match="not UTF-8") as caught:
            arcs_of(b"a b\nc \xff\n")
        assert caught.value.line == 2

    def test_a_comment_need_not_be_utf8(self, pairs_of):
        assert pairs_of(b"# Barab\xe1si\n0 1\n") == [(0, 1)]

    def test_a_quote_that_is_never_closed_does_not_swallow_rows(self, arcs_of):
        with pytest.raises(ReadError, match="quote that is not closed") as caught:
            arcs_of('a,b\nc,"d\ne,f\n', "network.csv")
        assert caught.value.line == 2

    def test_a_header_with_too_many_vertices_is_refused(self, arcs_of):
        with pytest.raises(ReadError, match=r"2\*\*63 vertices or more"):
            arcs_of("# Nodes: 99999999999999999999\n0 1\n")


IDS = st.integers(0, 40) | st.integers(0, 2**63 - 1)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters='#%,;"'), min_size=1)


@st.composite
def messy_text(draw, ids):
    """Rows of ids, written as a careless program would: a text and the pairs in it."""
    rows = draw(st.lists(st.tuples(ids, ids), min_size=1, max_size=30))
    separator = st.sampled_from(["\t", " ", "  ", " \t "])
    end = draw(st.sampled_from(["\n", "\r\n"]))
    parts = []
    for a, b in rows:
        parts.extend(draw(st.lists(st.sampled_from(["", "# a comment", "   ", "% 1 2 3"]), max_size=1)))
        parts.append(f"{draw(st.sampled_from(['', ' ']))}{a}{draw(separator)}{b}{draw(st.sampled_from(['', ' ']))}")
    return end.join(parts) + draw(st.sampled_from(["", end])), rows


@given(messy_text(IDS))
def test_numeric_rows_survive_any_careless_writing(tmp_path_factory, named_pairs, written):
    text, rows = written
    path = tmp_path_factory.getbasetemp() / "messy.txt"
    path.write_bytes(text.encode())
    assert named_pairs(read_arcs(path)) == rows


@pytest.mark.filterwarnings("ignore::triadic.errors.ReadWarning")  # some names are those of missing values
@given(messy_text(NAMES))
def test_named_rows_survive_any_careless_writing(tmp_path_factory, named_pairs, written):
    text, rows = written
    path = tmp_path_factory.getbasetemp() / "messy.txt"
    # A first row above numbers would be their header.
    path.write_bytes(b"x\ty\nx y\n" + text.encode())
    assert named_pairs(read_arcs(path))[2:] == rows


@given(st.lists(st.tuples(IDS, IDS), min_size=1, max_size=30))
def test_a_comment_between_rows_changes_nothing(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "plain.txt"
    lines = [f"{a}\t{b}" for a, b in rows]
    path.write_text("\n".join(lines))
    straight = read_arcs(path, header=False)
    path.write_text("\n# between\n".join(lines) + "\n#")
    around = read_arcs(path, header=False)
    assert straight.vertices == around.vertices
    assert np.array_equal(straight.source, around.source)
    assert np.array_equal(straight.target, around.target)
    assert (straight.labels is None) == (around.labels is None)
    assert straight.labels is None or np.array_equal(straight.labels, around.labels)
