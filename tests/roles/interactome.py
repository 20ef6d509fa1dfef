"""Proteins that interact: graphlets of a network of STRING, similar proteins, a figure, and a file for Cytoscape.

Written from docs/how-to/interactome.md.
"""

# ruff: noqa: T201 - what the script finds is printed

import gzip
from pathlib import Path

import numpy as np
import pandas as pd

import triadic

# Files in the form of STRING: complexes of five proteins, whose pairs have high scores, and some other pairs.
rng = np.random.default_rng(5)
proteins = [f"9606.ENSP{number:011}" for number in rng.choice(10**6, 60, replace=False)]
scores = {(a, b): 700 + int(rng.integers(300)) for a in range(60) for b in range(a) if a // 5 == b // 5}
for a, b in rng.integers(0, 60, (150, 2)):
    if a > b:
        scores.setdefault((a, b), int(rng.integers(150, 1000)))
with gzip.open("9606.protein.links.v12.0.txt.gz", "wt") as file:
    file.write("protein1 protein2 combined_score\n")
    for (a, b), score in scores.items():
        file.write(f"{proteins[a]} {proteins[b]} {score}\n{proteins[b]} {proteins[a]} {score}\n")
with gzip.open("9606.protein.info.v12.0.txt.gz", "wt") as file:
    file.write("#string_protein_id\tpreferred_name\tprotein_size\tannotation\n")
    for number, protein in enumerate(proteins):
        file.write(f"{protein}\tGENE{number}\t{rng.integers(100, 900)}\tsubunit {number % 5}; of a complex, made up\n")

high = {"combined_score": (700, None)}
graph = triadic.read("9606.protein.links.v12.0.txt.gz", directed=False, where=high, weights="combined_score")
print(graph, graph.dropped)
info = pd.read_csv("9606.protein.info.v12.0.txt.gz", sep="\t", index_col="#string_protein_id")
graph = graph.with_vertices(info[["preferred_name"]])

print(triadic.count(graph, "graphlets"))
table = triadic.vertex_table(graph, ["degree", "clustering", "graphlets"]).to_pandas()
named = table.join(info["preferred_name"]).set_index("preferred_name")
print(named.sort_values("graphlet claw root").iloc[-3:][["degree", "clustering", "graphlet claw root"]].round(2))

found = triadic.significance(graph, of=["clustering", "graphlets"], samples=100, seed=1)
print(found.to_pandas().loc[["transitivity", "4-clique"], ["count", "mean", "z", "q"]].round(2))
ax = triadic.plot.significance_profile(found)
ax.figure.savefig("graphlets.pdf")

similar = triadic.graphlet_degree_similarity(graph, top=1).to_pandas()
print(similar["similarity"].between(0, 1).all(), similar.shape)

graph = graph.with_vertices(table)
triadic.write(graph, "proteins.graphml")

# A few rows in the form of BioGRID.
rows = """#BioGRID Interaction ID,Official Symbol Interactor A,Official Symbol Interactor B,Experimental System Type
1,TP53,MDM2,physical
2,MDM2,TP53,physical
3,TP53,EP300,physical
4,MDM2,EP300,physical
5,TP53,TP53,physical
6,TP53,ATM,genetic
"""
Path("BIOGRID-ORGANISM-Homo_sapiens-4.4.240.tab3.txt").write_text(rows.replace(",", "\t"))
physical = {"Experimental System Type": "physical"}
partners = triadic.read("BIOGRID-ORGANISM-Homo_sapiens-4.4.240.tab3.txt", directed=False, where=physical)
print(partners, partners.dropped)
