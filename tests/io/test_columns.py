"""The columns of the two ends and of the weight, found by their names."""

from __future__ import annotations

import pytest

from triadic.io.columns import ColumnsError, columns_taken, named_columns, numbered_columns


@pytest.mark.parametrize(
    ("names", "ends"),
    [
        ("source,target", "source → target"),
        ("Target,Source", "Source → Target"),
        ("src,dst,w", "src → dst"),
        ("id,from_user,to_user", "from_user → to_user"),
        ("edge_id,u,v,weight", "u → v"),
        ("gene1,gene2", "gene1 → gene2"),
        ("protein_a,protein_b", "protein_a → protein_b"),
        ("protein1,protein2,combined_score", "protein1 → protein2"),
        ("FromNodeId,ToNodeId,Sign", "FromNodeId → ToNodeId"),
        ("Source,Target,Type,Id,Label,timeset,Weight", "Source → Target"),
        ("pre_root_id,post_root_id,neuropil,syn_count,nt_type", "pre_root_id → post_root_id"),
        ("id,pre_pt_root_id,post_pt_root_id,pre_pt_supervoxel_id,post_pt_supervoxel_id,size,pre_pt_position_x",
         "pre_pt_root_id → post_pt_root_id"),
        ("bodyId_pre,bodyId_post,instance_pre,instance_post,type_pre,type_post,roi,weight", "bodyId_pre → bodyId_post"),
        (":START_ID(Person),:END_ID(Person),:TYPE", ":START_ID(Person) → :END_ID(Person)"),
        ("BioGRID ID Interactor A,BioGRID ID Interactor B,Official Symbol Interactor A,Official Symbol Interactor B",
         "Official Symbol Interactor A → Official Symbol Interactor B"),
        ("ID(s) interactor A,ID(s) interactor B,Alt. ID(s) interactor A,Alt. ID(s) interactor B,Taxid interactor A",
         "ID(s) interactor A → ID(s) interactor B"),
        ("geneA,geneB,score", "geneA → geneB"),
        ("statea,stateb,year", "statea → stateb"),
        ("ida,idb,year", "ida → idb"),
        ("Person1Id,Person2Id,creationDate", "Person1Id → Person2Id"),
        ("from,to,from_name,to_name", "from → to"),
        ("source,target,start,end", "source → target"),
        ("start,end,weight", "start → end"),
        ("head,relation,tail", "head → tail"),
        ("tail,head", "tail → head"),
        (",from,to", "from → to"),
        ("Unnamed: 0,alice,bob", "alice → bob"),
        ("anything,else", "anything → else"),
        ("alice,bob,weight", "alice → bob"),
        ("citing,cited,id", "citing → cited"),
    ],
)  # fmt: skip
def test_the_names_tell_the_ends(names, ends):
    names = tuple(names.split(","))
    assert columns_taken(names, named_columns(names, None, None, None)) == f"columns {ends}"


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("a,b,c", "do not tell which two hold the ends"),
        ("id,name,group", "do not tell which two"),
        ("Id,Label", "table of vertices"),
        ("id,name", "table of vertices"),
        ("Id,Label,Class,Size", "table of vertices"),
        ("from,to,person1,person2", r"several pairs may be the ends of an edge \(from → to or person1 → person2\)"),
        ("u,v,from,to", "several pairs"),
        ("source,source,target", "several pairs"),
        ("V1,V2,V3", "do not tell"),
        ("chrom,start,end,score", "do not tell"),
        ("start_time,end_time,anna,bert", "do not tell"),
        ("userId,movieId,rating,timestamp", "do not tell"),
    ],
)
def test_names_that_do_not_tell_the_ends_are_refused_with_the_remedy(names, words):
    with pytest.raises(ColumnsError, match=words) as caught:
        named_columns(tuple(names.split(",")), None, None, None)
    assert "pass source= and target= (--source and --target)" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("names", "weight"),
    [
        ("source,target,weight", "weight"),
        ("Source,Target,Type,Id,Label,timeset,Weight", "Weight"),
        ("pre_root_id,post_root_id,neuropil,syn_count,nt_type", "syn_count"),
        ("id,source,target,n", "n"),
        ("edge_id,source,target,trips", "trips"),
    ],
)
def test_the_names_tell_the_weight(names, weight):
    names = tuple(names.split(","))
    assert names[named_columns(names, None, None, True).weight] == weight


def test_an_empty_name_is_no_column():
    with pytest.raises(ColumnsError, match="no column ''; the columns are source, target"):
        named_columns(("source", "target"), None, "", None)


def test_a_table_without_a_plain_weight_is_refused():
    with pytest.raises(ColumnsError, match="no column 'weight'; the columns are source, target, x, y"):
        named_columns(("source", "target", "x", "y"), None, None, True)
    with pytest.raises(ColumnsError, match="no column 'weight'"):
        named_columns(("source", "target"), None, None, True)


@pytest.mark.parametrize(
    ("names", "asked", "words"),
    [
        ("src,dst", ("source", "target", None), "'source'; the columns are src, dst; did you mean source='src'?"),
        ("from,to,n", ("form", "to", None), "did you mean source='from'?"),
        ("from,to,syn_count", (None, None, "weight"), "did you mean weights='syn_count'?"),
        ("from,to", ("from", 7, None), "target=7: there is no such column, expected 0 to 1"),
        ("from,to", ("from", "from", None), "expected two columns"),
        ("from,to", (None, None, "to"), "holds ids"),
        ("a,b,c", ("a", None, None), "do not tell the column of the target"),
        ("from,from,to", ("from", "to", None), "there are 2 columns of the name 'from'"),
    ],
)  # fmt: skip
def test_a_wrong_choice_names_the_columns_and_a_better_choice(names, asked, words):
    with pytest.raises(ColumnsError) as caught:
        named_columns(tuple(names.split(",")), *asked)
    assert words in str(caught.value)


def test_columns_are_chosen_by_name_or_by_index():
    names = ("a", "b", "c", "0")
    for source, target in [("a", "c"), (0, 2), ("a", 2), ("A", "2")]:
        chosen = named_columns(names, source, target, None)
        assert (chosen.source, chosen.target) == (0, 2)
    assert named_columns(names, "0", "c", None).source == 3
    assert named_columns(("to", "from"), "from", None, None).target == 0


def test_true_and_1_are_different_weights():
    names = ("source", "x", "target", "weight")
    assert named_columns(names, None, None, True).weight == 3
    assert named_columns(names, None, None, 1).weight == 1


def test_columns_without_names_are_taken_in_their_order():
    assert numbered_columns(3, None, None, None).target == 1
    assert numbered_columns(3, 1, "2", None).source == 1
    with pytest.raises(ColumnsError, match=r"its columns have no names.*header=True"):
        numbered_columns(3, "from", "to", None)


def test_thousands_of_columns_are_searched_in_linear_time_and_listed_in_short():
    names = tuple(f"gene{i}" for i in range(20_000))
    with pytest.raises(ColumnsError, match="and 19988 more") as caught:
        named_columns(names, None, None, None)
    assert len(str(caught.value)) < 500


def test_a_long_name_takes_no_time():
    name = "a " * 100_000
    with pytest.raises(ColumnsError):
        named_columns((name, "b", "c"), None, None, None)
