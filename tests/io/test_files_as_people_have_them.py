"""Files as people have them: each is read as meant, or refused with the remedy."""

from __future__ import annotations

import gzip
import warnings
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from triadic.cli.info import describe_network
from triadic.cli.options import Reading
from triadic.errors import ReadError, ReadWarning
from triadic.io import read, read_arcs
from triadic.io.reading import stream_arcs
from triadic.tiles.tiling import tile

ROOT_IDS = 720575940621039145, 720575940630103445, 720575940604059404


@dataclass(frozen=True)
class Case:
    """A file: what it holds, and what reading it returns or says.

    ``edges`` are pairs of labels, or of vertices without labels. ``error`` are words of the message.
    """

    title: str
    name: str
    content: str | bytes
    edges: list[tuple[object, object]] | None = None
    taken: str | None = None
    direction: str = "assumed"
    directed: bool = True
    weights: list[float] | None = None
    error: tuple[str, ...] = ()


READ = [
    Case(
        "R's write.table without names of rows",
        "links.txt",
        '"from" "to" "w"\n"Ann" "New  York" 1\n"New  York" "Bob" 2.5\n',
        [("Ann", "New  York"), ("New  York", "Bob")],
        "columns from → to, header in line 1",
    ),
    Case(
        "quoted numbers between blanks and tabs",
        "links.txt",
        '"source" "target"\n"7" "9"\n"9"\t"12"\n',
        [(7, 9), (9, 12)],
        "columns source → target, header in line 1",
    ),
    Case(
        "a quote within a name between blanks",
        "links.txt",
        '5" 7"\n7" 9"\n',
        [('5"', '7"'), ('7"', '9"')],
        "columns 0 → 1, no header",
    ),
    Case(
        "a column that states that no edge is directed",
        "links.csv",
        "from,to,directed\n1,2,FALSE\n2,3,false\n",
        [(1, 2), (2, 3)],
        "columns from → to, header in line 1",
        direction="stated",
        directed=False,
    ),
    Case(
        "a column that states that each edge is directed",
        "links.csv",
        "from,to,Directed\n1,2,1\n2,3,1\n",
        [(1, 2), (2, 3)],
        "columns from → to, header in line 1",
        direction="stated",
    ),
    Case(
        "a comment that names a column of directions",
        "links.txt",
        "# directed from to\n0 7 8\n1 8 9\n",
        [(7, 8), (8, 9)],
        "columns from → to, named in line 1",
    ),
    Case(
        "a comment below the last row",
        "links.txt",
        "0 1\n1 2\n# end\n",
        [(0, 1), (1, 2)],
        "columns 0 → 1, no header",
    ),
    Case(
        "genes below known names",
        "genes.csv",
        "gene1,gene2\nBRCA1,TP53\nTP53,MDM2\n",
        [("BRCA1", "TP53"), ("TP53", "MDM2")],
        "columns gene1 → gene2, header in line 1",
    ),
    Case(
        "a column of ids before the ends",
        "users.csv",
        "id,from_user,to_user\n1,11,12\n2,12,13\n3,13,11\n",
        [(11, 12), (12, 13), (13, 11)],
        "columns from_user → to_user, header in line 1",
    ),
    Case(
        "ids of edges, u and v",
        "edges.csv",
        "edge_id,u,v,weight\n7,0,1,0.5\n8,1,2,1.5\n",
        [(0, 1), (1, 2)],
        "columns u → v, weights weight, header in line 1",
        weights=[0.5, 1.5],
    ),
    Case(
        "proteins with letters",
        "ppi.csv",
        "protein_a,protein_b\nP53,MDM2\nMDM2,UBC\n",
        [("P53", "MDM2"), ("MDM2", "UBC")],
        "columns protein_a → protein_b, header in line 1",
    ),
    Case(
        "STRING, between blanks",
        "9606.protein.links.txt",
        "protein1 protein2 combined_score\n9606.ENSP1 9606.ENSP2 173\n9606.ENSP2 9606.ENSP3 900\n",
        [("9606.ENSP1", "9606.ENSP2"), ("9606.ENSP2", "9606.ENSP3")],
        "columns protein1 → protein2, weights combined_score, header in line 1",
        weights=[173, 900],
    ),
    Case(
        "BioGRID tab3",
        "BIOGRID-ALL.tab3.txt",
        "#BioGRID Interaction ID\tEntrez Gene Interactor A\tEntrez Gene Interactor B\tBioGRID ID Interactor A\t"
        "BioGRID ID Interactor B\tOfficial Symbol Interactor A\tOfficial Symbol Interactor B\tScore\n"
        "103\t6416\t2318\t112315\t108607\tMAP2K4\tFLNC\t-\n117\t84665\t88\t124185\t106603\tMYPN\tACTN2\t-\n",
        [("MAP2K4", "FLNC"), ("MYPN", "ACTN2")],
        "columns Official Symbol Interactor A → Official Symbol Interactor B, named in line 1",
    ),
    Case(
        "PSI-MITAB",
        "intact.txt",
        "#ID(s) interactor A\tID(s) interactor B\tAlt. ID(s) interactor A\tAlt. ID(s) interactor B\n"
        "uniprotkb:P49418\tuniprotkb:O43426\tintact:EBI-7121510\tintact:EBI-2821539\n",
        [("uniprotkb:P49418", "uniprotkb:O43426")],
        "columns ID(s) interactor A → ID(s) interactor B, named in line 1",
    ),
    Case(
        "SNAP, with comments",
        "web.txt",
        "# Directed graph (each unordered pair of nodes is saved once): web.txt\n# Nodes: 3 Edges: 2\n"
        "# FromNodeId\tToNodeId\n0\t1\n1\t2\n",
        [(0, 1), (1, 2)],
        "columns FromNodeId → ToNodeId, named in line 3",
        "stated",
    ),
    Case(
        "SNAP, times after the ends",
        "CollegeMsg.txt",
        "1 2 1082040961\n3 4 1082155839\n5 2 1082414391\n",
        [(1, 2), (3, 4), (5, 2)],
        "columns 0 → 1, no header",
    ),
    Case(
        "SNAP's comments above names of columns in a row",
        "musae.csv",
        "# Undirected graph\nid_1,id_2\n0,23977\n1,34526\n",
        [(0, 23977), (1, 34526)],
        "columns id_1 → id_2, header in line 2",
        "stated",
        directed=False,
    ),
    Case(
        "KONECT",
        "out.moreno_names",
        "% sym posweighted\n% 3 3 3\n1 2 4\n2 3 1\n",
        [(1, 2), (2, 3)],
        "columns 0 → 1, weights 2, no header",
        "stated",
        directed=False,
        weights=[4, 1],
    ),
    Case(
        "KONECT, two sets of vertices",
        "out.southern",
        "% bip unweighted\n1 1\n2 1\n",
        [("left:1", "right:1"), ("left:2", "right:1")],
        "columns 0 → 1, no header",
        "stated",
        directed=False,
    ),
    Case(
        "Gephi's edges, all undirected",
        "gephi.csv",
        "Source,Target,Type,Id,Label,timeset,Weight\n11,2,Undirected,0,,,1\n2,3,Undirected,1,,,2.5\n",
        [(11, 2), (2, 3)],
        "columns Source → Target, weights Weight, header in line 1",
        "stated",
        directed=False,
        weights=[1, 2.5],
    ),
    Case(
        "Gephi's edges, all directed",
        "gephi.csv",
        "Source;Target;Type;Id;Label;Weight\nMyriel;Napoleon;Directed;0;;1\nNapoleon;Valjean;Directed;1;;8\n",
        [("Myriel", "Napoleon"), ("Napoleon", "Valjean")],
        "columns Source → Target, header in line 1",
        "stated",
    ),
    Case(
        "Gephi's GEXF",
        "gephi.gexf",
        '<gexf xmlns="http://gexf.net/1.3"><graph defaultedgetype="undirected">'
        '<nodes><node id="a"/><node id="b"/></nodes>'
        '<edges><edge id="0" source="a" target="b"/></edges></graph></gexf>',
        [("a", "b")],
        None,
        "stated",
        directed=False,
    ),
    Case(
        "Cytoscape's SIF",
        "galFiltered.sif",
        "YKR026C pp YGL122C\nYGR218W pp YGL097W YOR204W\nYGR046W\n",
        [("YKR026C", "YGL122C"), ("YGR218W", "YGL097W"), ("YGR218W", "YOR204W")],
        "columns 0 → 2 and after, interaction in column 1",
    ),
    Case(
        "Cytoscape's SIF between tabs, names with blanks",
        "pathway.sif",
        "Wnt ligand\tactivates\tFrizzled\nFrizzled\tactivates\tbeta catenin\n",
        [("Wnt ligand", "Frizzled"), ("Frizzled", "beta catenin")],
        "columns 0 → 2 and after, interaction in column 1",
    ),
    Case(
        "neuPrint, several rows for a pair",
        "traced-connections.csv",
        "bodyId_pre,bodyId_post,roi,weight\n294437328,294437347,EB,3\n294437328,294437347,NO,2\n",
        [(294437328, 294437347), (294437328, 294437347)],
        "columns bodyId_pre → bodyId_post, weights weight, header in line 1",
        weights=[3, 2],
    ),
    Case(
        "FlyWire, ids of 18 digits",
        "connections.csv",
        "pre_root_id,post_root_id,neuropil,syn_count,nt_type\n"
        f"{ROOT_IDS[0]},{ROOT_IDS[1]},AVLP_R,7,GABA\n{ROOT_IDS[1]},{ROOT_IDS[2]},ME_L,12,ACH\n",
        [(ROOT_IDS[0], ROOT_IDS[1]), (ROOT_IDS[1], ROOT_IDS[2])],
        "columns pre_root_id → post_root_id, weights syn_count, header in line 1",
        weights=[7, 12],
    ),
    Case(
        "CAVE's table of synapses",
        "synapses.csv",
        "id,pre_pt_root_id,post_pt_root_id,pre_pt_supervoxel_id,post_pt_supervoxel_id,pre_pt_position_x,size\n"
        f"5,{ROOT_IDS[0]},{ROOT_IDS[2]},81,82,4,900\n6,{ROOT_IDS[2]},{ROOT_IDS[0]},83,84,5,300\n",
        [(ROOT_IDS[0], ROOT_IDS[2]), (ROOT_IDS[2], ROOT_IDS[0])],
        "columns pre_pt_root_id → post_pt_root_id, header in line 1",
    ),
    Case(
        "a connectome without a header",
        "connectome_herm_chem_edgelist.csv",
        "ADAL,ADAL,6\nADAL,ADLL,2\nADLL,AIAL,2\n",
        [("ADAL", "ADAL"), ("ADAL", "ADLL"), ("ADLL", "AIAL")],
        "columns 0 → 1, weights 2, no header",
        weights=[6, 2, 2],
    ),
    Case(
        "Stata's export",
        "stata.csv",
        '"sender","receiver","year"\n"USA","CAN",1990\n"CAN","MEX",1991\n',
        [("USA", "CAN"), ("CAN", "MEX")],
        "columns sender → receiver, header in line 1",
    ),
    Case(
        "Excel: byte order mark, semicolons, decimal commas, line ends of Windows",
        "excel.csv",
        "\ufeffSource;Target;Weight\r\nKöln;Bonn;0,5\r\nBonn;Aachen;1,25\r\n",
        [("Köln", "Bonn"), ("Bonn", "Aachen")],
        "columns Source → Target, weights Weight, header in line 1",
        weights=[0.5, 1.25],
    ),
    Case(
        "Excel's note of the separator",
        "excel.csv",
        "sep=;\r\nfrom;to\r\nanna;bert\r\nbert;carl\r\n",
        [("anna", "bert"), ("bert", "carl")],
        "columns from → to, header in line 2",
    ),
    Case(
        "semicolons and decimal commas without a header",
        "plain.csv",
        "1;2;0,5\n2;3;1,5\n",
        [(1, 2), (2, 3)],
        "columns 0 → 1, weights 2, no header",
        weights=[0.5, 1.5],
    ),
    Case(
        "R's write.csv",
        "r.csv",
        '"","from","to"\n"1","anna","bert"\n"2","bert","carl"\n',
        [("anna", "bert"), ("bert", "carl")],
        "columns from → to, header in line 1",
    ),
    Case(
        "R's write.csv of two columns with names of its own",
        "r.csv",
        '"","V1","V2"\n"1","anna","bert"\n"2","bert","carl"\n',
        [("anna", "bert"), ("bert", "carl")],
        "columns V1 → V2, header in line 1",
    ),
    Case(
        "pandas' to_csv with its index",
        "pandas.csv",
        ",source,target,weight\n0,5,7,1.0\n1,7,9,2.0\n",
        [(5, 7), (7, 9)],
        "columns source → target, weights weight, header in line 1",
        weights=[1, 2],
    ),
    Case(
        "pandas' to_csv without names of columns",
        "pandas.csv",
        ",0,1\n0,5,7\n1,7,9\n",
        [(5, 7), (7, 9)],
        "columns 0 → 1, header in line 1",
    ),
    Case(
        "mails with dates",
        "mails.csv",
        'date,sender,recipient,subject\n2001-05-14,phillip,tim,"Re: gas, again"\n2001-05-15,tim,phillip,lunch\n',
        [("phillip", "tim"), ("tim", "phillip")],
        "columns sender → recipient, header in line 1",
    ),
    Case(
        "quoted names with commas",
        "authors.csv",
        'author1,author2\n"Smith, John","Doe, Jane"\n"Doe, Jane","O""Neil, Pat"\n',
        [("Smith, John", "Doe, Jane"), ("Doe, Jane", 'O"Neil, Pat')],
        "columns author1 → author2, header in line 1",
    ),
    Case(
        "quoted names with commas between semicolons",
        "authors.csv",
        '"Smith, John";"Doe, Jane"\n"Doe, Jane";"Poe, Ed"\n',
        [("Smith, John", "Doe, Jane"), ("Doe, Jane", "Poe, Ed")],
        "columns 0 → 1, no header",
    ),
    Case(
        "sparse ids",
        "sparse.tsv",
        "10000000000\t3\n3\t99\n",
        [(10000000000, 3), (3, 99)],
        "columns 0 → 1, no header",
    ),
    Case(
        "commas at the ends of rows",
        "trailing.csv",
        "source,target,\nanna,bert,\nbert,carl,\n",
        [("anna", "bert"), ("bert", "carl")],
        "columns source → target, header in line 1",
    ),
    Case(
        "two columns of any name above numbers",
        "pages.csv",
        "page,link\n1,2\n2,3\n",
        [(1, 2), (2, 3)],
        "columns page → link, header in line 1",
    ),
    Case(
        "Neo4j's export",
        "relationships.csv",
        ":START_ID,:END_ID,:TYPE,since\n1,2,KNOWS,1999\n2,3,KNOWS,2001\n",
        [(1, 2), (2, 3)],
        "columns :START_ID → :END_ID, header in line 1",
    ),
    Case(
        "LDBC, between bars of commas",
        "person_knows_person.csv",
        "creationDate;Person1Id;Person2Id\n2010-01-03;14;16\n2010-01-04;16;32\n",
        [(14, 16), (16, 32)],
        "columns Person1Id → Person2Id, header in line 1",
    ),
    Case(
        "networkx's write_edgelist",
        "karate.edgelist",
        "0 1 {'weight': 4}\n1 2 {'weight': 5}\n",
        [(0, 1), (1, 2)],
        "columns 0 → 1, no header",
    ),
    Case(
        "networkx's write_edgelist of names without data",
        "names.edgelist",
        "anna bert {}\ncarl dora {}\n",
        [("anna", "bert"), ("carl", "dora")],
        "columns 0 → 1, no header",
    ),
    Case(
        "networkx's write_edgelist of names with several attributes",
        "names.edgelist",
        "anna bert {'weight': 4, 'since': 1999}\ncarl dora {'weight': 5, 'since': 2001}\n",
        [("anna", "bert"), ("carl", "dora")],
        "columns 0 → 1, no header",
    ),
    Case(
        "a knowledge graph with names of columns",
        "facts.tsv",
        "head\trelation\ttail\nparis\tin\tfrance\nfrance\tin\teurope\n",
        [("paris", "france"), ("france", "europe")],
        "columns head → tail, header in line 1",
    ),
    Case(
        "airline routes",
        "routes.csv",
        "ORIGIN,DEST,PASSENGERS\nJFK,LAX,300\nLAX,SFO,200\n",
        [("JFK", "LAX"), ("LAX", "SFO")],
        "columns ORIGIN → DEST, header in line 1",
    ),
]

READ += [
    Case(
        "empty rows of a spreadsheet",
        "links.csv",
        ";;\nfrom;to;w\na;b;1\n;;\nb;c;2\n;;\n;;\n",
        [("a", "b"), ("b", "c")],
        "columns from → to, weights w, header in line 2",
        weights=[1, 2],
    ),
    Case(
        "empty rows between numbers",
        "links.csv",
        "from,to\n1,2\n,\n2,3\n , \n",
        [(1, 2), (2, 3)],
        "columns from → to, header in line 1",
    ),
    Case(
        "a title above the header",
        "friends.csv",
        "Friends of our school, 2024\n\nfrom;to\nanna;bert\nbert;carl\n",
        [("anna", "bert"), ("bert", "carl")],
        "columns from → to, header in line 3, below the title in line 1",
    ),
    Case(
        "a title in the first cell above names that are not known",
        "friends.csv",
        "School;\nPerson;Pal\n1;2\n2;3\n",
        [(1, 2), (2, 3)],
        "columns Person → Pal, header in line 2, below the title in line 1",
    ),
    Case(
        "a title above a header between tabs",
        "friends.tsv",
        "School\nMade on Monday\nsource\ttarget\n1\t2\n2\t3\n",
        [(1, 2), (2, 3)],
        "columns source → target, header in line 3, below the title in line 1",
    ),
    Case(
        "sizes above rows with weights",
        "links.txt",
        "4 3\n0 1 0.5\n1 2 6\n2 3 1\n",
        [(0, 1), (1, 2), (2, 3)],
        "columns 0 → 1, weights 2, no header, numbers of vertices and edges in row 1 (4 3)",
        weights=[0.5, 6, 1],
    ),
    Case(
        "the number of vertices above the rows",
        "links.txt",
        "4\n0 1\n1 2\n2 3\n",
        [(0, 1), (1, 2), (2, 3)],
        "columns 0 → 1, no header, number of vertices in row 1 (4)",
    ),
    Case(
        "an empty weight in a column that nobody asked for",
        "links.csv",
        "from,to,weight\na,b,1\nb,c,\nc,a,2\n",
        [("a", "b"), ("b", "c"), ("c", "a")],
        "columns from → to, header in line 1",
    ),
    Case(
        "decimal commas between tabs",
        "links.tsv",
        "from\tto\tweight\n1\t2\t0,5\n2\t3\t1,25\n",
        [(1, 2), (2, 3)],
        "columns from → to, weights weight, header in line 1",
        weights=[0.5, 1.25],
    ),
    *(
        Case(
            f"two roles, {first} and {second}",
            "roles.csv",
            f"{first},{second}\nx,y\nz,w\n",
            [("x", "y"), ("z", "w")],
            f"columns {first} → {second}, header in line 1",
        )
        for first, second in [
            ("Name", "Friend"),
            ("Author", "Coauthor"),
            ("buyer", "seller"),
            ("Employee", "Manager"),
            ("payer", "payee"),
        ]
    ),
]

REFUSED = [
    Case(
        "sizes or an edge",
        "links.txt",
        "4 3\n1 2\n2 3\n3 4\n",
        error=(
            "the first row, 4 3, may be the numbers of vertices and edges, because 3 rows with ids up to 4 follow, or",
            "header=True (--header) leaves it out, and header=False (--no-header) reads it as an edge",
        ),
    ),
    Case(
        "a table of attributes",
        "people.csv",
        "name,age\nanna,12\nbert,13\n",
        error=("the columns are name, age: this looks like a table of vertices", "'name,age' and 'anna,12'"),
    ),
    Case(
        "a row of one cell that is no title",
        "links.csv",
        "anna,\nbert,carl\ncarl,anna\nbert,anna\n",
        error=("line 1: found one id ('anna,')", "expected a source and a target"),
    ),
    Case(
        "a footer with empty cells",
        "links.csv",
        "from,to,weight\n1,2,3\n2,3,4\nTotal,,7\n",
        error=(
            "line 4: found an empty id",
            "remove it or begin it with '#'; bad_rows=\"skip\" (--bad-rows skip) leaves",
        ),
    ),
    Case(
        "a footer of one word",
        "links.txt",
        "0 1\n1 2\nTotal\n\n",
        error=("links.txt, line 3: found one id ('Total')", "if it is a footer, remove it or begin it with '#'"),
    ),
    Case(
        "a footer of as many words as columns",
        "links.txt",
        "0 1\n1 2\nTotal: 2\n",
        error=("links.txt, line 3: found 'Total:' among whole numbers; if it is a footer, remove it or begin it",),
    ),
    Case(
        "a footer of a database",
        "links.csv",
        "from,to\n1,2\n2,3\n(2 rows affected)\n",
        error=("line 4: found one id ('(2 rows affected)')", "if it is a footer, remove it"),
    ),
    Case(
        "R's write.table with names of rows",
        "links.txt",
        '"from" "to"\n"1" "a" "b"\n"2" "b" "c"\n',
        error=("every row has one cell more than the first row, as R's write.table", "row.names = FALSE"),
    ),
    Case(
        "a column that states that some edges are directed",
        "links.csv",
        "from,to,directed\n1,2,TRUE\n2,3,FALSE\n",
        error=(
            "the column 'directed' does not state one direction for all edges; expected true or false in every row",
        ),
    ),
    Case(
        "names alone, where no word occurs again",
        "friends.csv",
        "anna,bert\ncarl,dora\ndora,emil\n",
        error=("may be a header or an edge", "'anna,bert' and 'carl,dora'", "header=True or header=False (--header"),
    ),
    Case("one row of names", "one.csv", "anna,bert\n", error=("the only row is 'anna,bert'", "header=True")),
    Case(
        "ids like the names of columns",
        "genes.csv",
        "gene1,gene2\ngene3,gene4\n",
        error=("may be a header or an edge", "header=True"),
    ),
    Case(
        "known names that occur again as ids",
        "words.csv",
        "from,to\nto,from\n",
        error=("may be a header or an edge", "header=True"),
    ),
    Case(
        "columns whose names say nothing",
        "table.csv",
        "id,alice,bob\n1,2,3\n2,3,4\n",
        error=("the columns are id, alice, bob", "pass source= and target= (--source and --target)", "'id,alice,bob'"),
    ),
    Case(
        "two pairs of names",
        "pairs.csv",
        "from,to,person1,person2\n1990,1991,7,8\n",
        error=("from → to or person1 → person2", "pass source= and target="),
    ),
    Case(
        "the same name twice",
        "twice.csv",
        "source,source,target\n1,2,3\n",
        error=("several pairs", "pass source= and target="),
    ),
    Case(
        "ratings of films",
        "ratings.csv",
        "userId,movieId,rating,timestamp\n1,31,2.5,1260759144\n",
        error=("the columns are userId, movieId, rating, timestamp", "pass source= and target="),
    ),
    Case(
        "Gephi's table of nodes",
        "nodes.csv",
        "Id,Label,timeset,Degree\n0,Myriel,,10\n1,Napoleon,,1\n",
        error=("table of vertices", "expected a table of edges"),
    ),
    Case(
        "Gephi's edges of both types",
        "gephi.csv",
        "Source,Target,Type\n1,2,Directed\n2,3,Undirected\n",
        error=("'Type' does not state one direction", "directed=True or directed=False (--directed or --undirected)"),
    ),
    Case(
        "Gephi's edges of both types, in a late row",
        "gephi.csv",
        "Source,Target,Type\n" + "1,2,Directed\n" * 300 + "2,3,Undirected\n",
        error=("'Type' does not state one direction",),
    ),
    Case(
        "Cytoscape's table of edges",
        "galFiltered edge.csv",
        '"SUID","EdgeBetweenness","interaction","name","selected","shared interaction","shared name"\n'
        '"1130","496.0","pp","YDR309C (pp) YLR229C","false","pp","YDR309C (pp) YLR229C"\n'
        '"1129","988.0","pp","YLR229C (pp) YJL157C","false","pp","YLR229C (pp) YJL157C"\n',
        error=("table of Cytoscape", "export the network as GraphML or SIF"),
    ),
    Case(
        "Cytoscape's table of nodes",
        "node.csv",
        '"SUID","name","selected","shared name"\n"61","YDL194W","false","YDL194W"\n',
        error=("table of Cytoscape", "export the network as GraphML or SIF"),
    ),
    Case(
        "Cytoscape's JSON",
        "network.cyjs",
        '{"elements": {"edges": []}}',
        error=("Cytoscape", "export it as GraphML or SIF"),
    ),
    Case("Cytoscape's XGMML", "network.xgmml", "<graph></graph>", error=("XGMML", "export it as GraphML or SIF")),
    Case(
        "Excel's Unicode text",
        "unicode.csv",
        "source,target\n1,2\n".encode("utf-16"),
        error=("UTF-16", "save it as 'CSV UTF-8'"),
    ),
    Case(
        "Excel's CSV of Windows",
        "latin.csv",
        "source,target\nKöln,Bonn\nBonn,Aachen\n".encode("latin-1"),
        error=("line 2", "not UTF-8", "CSV UTF-8"),
    ),
    Case("a workbook", "book.xlsx", b"PK\x03\x04rest", error=("workbook", "save its sheet of edges as 'CSV UTF-8'")),
    Case(
        "an adjacency matrix with names",
        "matrix.csv",
        ",a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n",
        error=("adjacency matrix", "scipy.sparse.csr_array"),
    ),
    Case(
        "an adjacency matrix with names and no corner",
        "matrix.txt",
        "a b c\na 0 1 0\nb 1 0 1\nc 0 1 0\n",
        error=("adjacency matrix", "triadic.Graph"),
    ),
    Case(
        "an adjacency matrix of numbers",
        "matrix.csv",
        "0,1,0,0\n1,0,1,0\n0,1,0,1\n0,0,1,0\n",
        error=("adjacency matrix", "expected a row for each edge"),
    ),
    Case(
        "an adjacency matrix larger than the first bytes",
        "matrix.csv",
        "".join(",".join("1" if abs(i - j) == 1 else "0" for j in range(400)) + "\n" for i in range(400)),
        error=("adjacency matrix",),
    ),
    Case(
        "an index column without a header",
        "index.csv",
        "0,5,7\n1,7,9\n2,9,5\n3,5,9\n",
        error=("column 0 numbers the rows", "pass source= and target="),
    ),
    Case(
        "numbered names without a header",
        "index.csv",
        "4,anna,bert\n7,bert,carl\n",
        error=("columns 1 and 2 may be the ends", "pass source= and target="),
    ),
    Case(
        "ids of rows with gaps, without a header",
        "rows.csv",
        "".join(f"{1000 + 7 * i},{i % 9},{(i * i + 1) % 9}\n" for i in range(12)),
        error=("column 0 numbers the rows", "pass source= and target="),
    ),
    Case(
        "airlines before airports, without a header",
        "routes.dat",
        "2B,410,AER,2965,KZN,2990,,0,CR2\n2B,410,ASF,2966,KZN,2990,,0,CR2\n",
        error=("column 1 holds numbers and column 0 names", "pass source= and target="),
    ),
    Case(
        "triples without a header",
        "train.txt",
        "/m/01\t/film/genre\t/m/02\n/m/02\t/film/actor\t/m/03\n/m/03\t/film/genre\t/m/01\n",
        error=("column 1 may be a relation", "pass source= and target="),
    ),
    Case(
        "arrows between names",
        "arrows.txt",
        "anna -> bert\nbert -> carl\ncarl -> anna\n",
        error=("column 1 holds marks such as '->', so that columns 0 and 2 may", "pass source= and target="),
    ),
    Case(
        "signs between genes",
        "regulation.tsv",
        "lexA\t-\trecA\ncrp\t+\tlacZ\nrecA\t-\tlexA\n",
        error=("column 1 holds marks such as '-'", "pass source= and target="),
    ),
    Case(
        "SocioPatterns, times before the ends",
        "tij.dat",
        "".join(f"{31220 + 20 * (i // 3)}\t{1558 + i % 7}\t{1560 + i % 5}\n" for i in range(30)),
        error=("column 0 may hold times, and columns 1 and 2 the ends", "pass source= and target="),
    ),
    Case(
        "times of Unix before the ends",
        "mails.txt",
        "".join(f"{1082040961 + 977 * i} {i % 4} {(i + 1) % 4}\n" for i in range(12)),
        error=("column 0 may hold times", "pass source= and target="),
    ),
    Case(
        "hashtags",
        "hashtags.txt",
        "#graph #data\n#data #science\n#science #graph\n",
        error=("names that begin with '#', which marks a comment", "without it"),
    ),
    Case(
        "pandas' to_csv of an array, with numbers for names",
        "array.csv",
        "0,1\n17,24\n24,33\n33,17\n",
        error=("may be a header or an edge", "header=True or header=False"),
    ),
    Case(
        "whole numbers with a point",
        "pandas.csv",
        "source,target\n1.0,2\n2.0,3\n",
        error=("line 2", "'1.0'", "expected ids without a point", "Int64"),
    ),
    Case(
        "a column of ids with missing values",
        "missing.csv",
        "source,target\n1,2\n2,NaN\n",
        error=("line 3", "'NaN' among whole numbers", "remove rows without two ends"),
    ),
    Case("an empty end", "empty.csv", "source,target\nanna,bert\nbert,\n", error=("line 3", "found an empty id")),
    Case(
        "ids rounded by a spreadsheet",
        "rounded.csv",
        "pre_root_id,post_root_id\n7.20576E+17,7.20577E+17\n",
        error=("line 2", "lost digits", "formatted as text"),
    ),
    Case(
        "thousands of columns",
        "wide.csv",
        ",".join(f"gene{i}" for i in range(5000)) + "\n" + ",".join("1" for _ in range(5000)) + "\n",
        error=("and 4988 more", "pass source= and target="),
    ),
    Case(
        "a header without known names between words",
        "table.tsv",
        "name\tcity\tcompanion\nanna\tulm\tbert\ncarl\tbonn\tdora\n",
        error=("may be a header or an edge", "header=True"),
    ),
]


def pairs(arcs):
    ends = zip(arcs.source.tolist(), arcs.target.tolist(), strict=True)
    return list(ends) if arcs.labels is None else [(arcs.labels[a], arcs.labels[b]) for a, b in ends]


def write(case, folder):
    path = folder / case.name
    path.write_bytes(case.content if isinstance(case.content, bytes) else case.content.encode())
    return path


def ids(cases):
    return [case.title for case in cases]


@pytest.mark.parametrize("case", READ, ids=ids(READ))
class TestRead:
    def test_the_edges_are_those_that_are_meant(self, tmp_path, case):
        arcs = read_arcs(write(case, tmp_path), weights=case.weights is not None)
        assert pairs(arcs) == case.edges
        assert arcs.directed is case.directed
        assert (None if arcs.weights is None else arcs.weights.tolist()) == case.weights

    def test_the_graph_says_what_was_taken(self, tmp_path, case):
        path = write(case, tmp_path)
        origin = read(path, weights=case.weights is not None).origin
        assert (origin.columns, origin.direction) == (case.taken, case.direction)
        assert read(path, directed=True).origin.direction == "given"

    def test_a_stream_takes_the_same_decisions(self, tmp_path, case):
        path = write(case, tmp_path)
        arcs, stream = read_arcs(path), stream_arcs(path, piece_arcs=1)
        survey = stream.survey()
        pieces = [(source.tolist()[0], target.tolist()[0]) for source, target in stream.pieces()]
        assert pieces == list(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True))
        assert (survey.vertices, stream.directed) == (arcs.vertices, arcs.directed)
        assert (survey.labels is None) == (arcs.labels is None)
        assert arcs.labels is None or survey.labels.tolist() == arcs.labels.tolist()


@pytest.mark.parametrize("case", REFUSED, ids=ids(REFUSED))
def test_a_file_that_may_mean_something_else_is_refused_with_the_remedy(tmp_path, case):
    path = write(case, tmp_path)
    for use in (read, lambda path: stream_arcs(path).survey()):
        with pytest.raises(ReadError) as caught:
            use(path)
        assert "\n" not in str(caught.value)
        for words in case.error:
            assert words in str(caught.value)


def test_a_word_above_dates_is_a_header(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("Von;Nach;Datum\nAnn;Bob;01.03.2024 13:08\nBob;Cid;2024-03-14\n")
    graph = read(path, source=0, target=1)
    assert (graph.num_arcs, graph.origin.columns) == (2, "columns Von → Nach, header in line 1")


def test_every_title_stands_once():
    titles = ids(READ) + ids(REFUSED)
    assert len(set(titles)) == len(titles) >= 40


def test_a_name_that_stands_for_a_missing_value_is_read_with_a_warning(tmp_path):
    path = tmp_path / "countries.csv"
    path.write_text("from,to\nZA,NA\nNA,BW\n")
    for use in (read, lambda path: stream_arcs(path).survey()):
        with pytest.warns(ReadWarning, match="the name 'NA' is read as a vertex") as caught:
            use(path)
        assert caught[0].filename == __file__


class TestSizesInTheFirstRow:
    """Files of ORCA: the numbers of vertices and edges, then the edges."""

    def test_they_are_no_edge_and_the_warning_says_so(self, tmp_path):
        path = tmp_path / "orca.txt"
        path.write_text("5 3\n0 1\n1 2\n3\t2\n")
        with pytest.warns(
            ReadWarning, match=r"first row, 5 3, is read as the numbers of vertices and edges, be"
        ) as said:
            arcs = read_arcs(path)
        assert said[0].filename == __file__
        assert "header=False (--no-header) reads it as an edge" in str(said[0].message)
        assert pairs(arcs) == [(0, 1), (1, 2), (3, 2)]
        assert arcs.vertices == 5
        assert arcs.labels is None
        assert arcs.origin.columns == "columns 0 → 1, no header, numbers of vertices and edges in row 1 (5 3)"
        with pytest.warns(ReadWarning):
            stream = stream_arcs(path, piece_arcs=1)
        assert stream.survey().vertices == 5
        assert [(u.tolist(), v.tolist()) for u, v in stream.pieces()] == [([0], [1]), ([1], [2]), ([3], [2])]

    @pytest.mark.parametrize("mark", ["\n", "\r\n"])
    def test_comments_blank_lines_tabs_and_packing_do_not_count(self, tmp_path, mark):
        text = mark.join(["# made by a program", "", "4\t3", "0\t1", "# a comment", "1\t2", "", "2\t3", "# end"])
        (tmp_path / "orca.txt.gz").write_bytes(gzip.compress(text.encode()))
        with pytest.warns(ReadWarning):
            assert pairs(read_arcs(tmp_path / "orca.txt.gz")) == [(0, 1), (1, 2), (2, 3)]

    def test_a_file_longer_than_its_first_bytes_is_counted_whole(self, tmp_path):
        n = 20_000
        rows = "".join(f"{i} {i + 1}\n" for i in range(n - 1))
        path = tmp_path / "orca.txt"
        path.write_text(f"{n} {n - 1}\n{rows}")
        with pytest.warns(ReadWarning):
            assert read(path).num_arcs == n - 1
        path.write_text(f"{n} {n - 2}\n{rows}")
        assert read_arcs(path).vertices == n + 1

    @pytest.mark.parametrize(
        "text",
        [
            "4 3\n0 1\n1 2\n",  # a row less
            "4 3\n0 1\n1 2\n2 3\n3 0\n",  # a row more
            "4 3\n0 1\n1 2\n2 4\n",  # the id 4
            "1 0\n",  # no row
            "4 3 1\n0 1 1\n1 2 1\n2 3 1\n",  # three columns
        ],
    )
    def test_any_other_file_is_read_as_edges(self, tmp_path, text):
        path = tmp_path / "edges.txt"
        path.write_text(text)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            arcs = read_arcs(path)
        assert len(arcs.source) == text.count("\n")

    def test_the_caller_may_say_that_it_is_an_edge(self, tmp_path):
        path = tmp_path / "edges.txt"
        path.write_text("4 3\n0 1\n1 2\n2 3\n")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert len(read_arcs(path, header=False).source) == 4
        (tmp_path / "edges.csv").write_text("4,3\n0,1\n1,2\n2,3\n")
        assert len(read_arcs(tmp_path / "edges.csv").source) == 4

    def test_tiles_and_info_take_the_same_decision(self, tmp_path):
        path = tmp_path / "orca.txt"
        path.write_text("5 3\n0 1\n1 2\n3 2\n")
        with pytest.warns(ReadWarning):
            tiles = tile(path, tmp_path / "orca.tiles")
        assert (tiles.num_vertices, tiles.num_arcs) == (5, 3)
        with pytest.warns(ReadWarning):
            facts = describe_network(path, Reading())
        assert "numbers of vertices and edges in row 1 (5 3)" in facts["columns"]


def test_a_refused_file_is_read_when_the_caller_says_what_it_means(tmp_path):
    path = tmp_path / "friends.csv"
    path.write_text("id,anna,bert\nx,carl,dora\ny,dora,emil\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        arcs = read_arcs(path, header=True, source="anna", target=2)
    assert pairs(arcs) == [("carl", "dora"), ("dora", "emil")]
    assert arcs.origin.columns == "columns anna → bert, header in line 1"


def test_a_lake_of_parquet_files_is_one_network(tmp_path):
    parts = {"year=2024/part-0": ([11, 12], [12, 13]), "year=2025/part-0": ([13], [11])}
    for name, (source, target) in parts.items():
        path = tmp_path / "flows" / f"{name}.parquet"
        path.parent.mkdir(parents=True)
        pq.write_table(pa.table({"day": [1] * len(source), "from_account": source, "to_account": target}), path)
    (tmp_path / "flows" / "_SUCCESS").touch()
    arcs = read_arcs(tmp_path / "flows")
    assert pairs(arcs) == [(11, 12), (12, 13), (13, 11)]
    assert arcs.origin.columns == "columns from_account → to_account"
    pq.write_table(pa.table({"a": [1], "b": [2], "c": [3]}), tmp_path / "flows" / "another.parquet")
    with pytest.raises(ReadError, match=r"another\.parquet") as caught:
        read_arcs(tmp_path / "flows")
    assert "\n" not in str(caught.value)
