"""A script of DotMotif that counts with triadic: motifs of a small connectome, as matches and as a table.

Written from docs/how-to/dotmotif.md.
"""

# ruff: noqa: T201 - what the script finds is printed

import networkx as nx
import numpy as np
import pandas as pd
from dotmotif import Motif

import triadic
from triadic.dotmotif import TriadicExecutor

rng = np.random.default_rng(3)
connectome = nx.gnp_random_graph(60, 0.1, seed=3, directed=True)
for *_, data in connectome.edges(data=True):
    data["synapses"] = int(rng.integers(1, 20))
nx.set_node_attributes(connectome, {node: "KC" if node % 3 else "PN" for node in connectome}, "type")

executor = TriadicExecutor(connectome)
loop = Motif("""
    strong(a, b) { a -> b [synapses >= 8] }
    strong(A, B)
    strong(B, C)
    A -> C
    A.type = "PN"
    B.type != A.type
""")
print("matches:", executor.count(loop))
table = pd.DataFrame(executor.find(loop))
print("table:", *table.columns, len(table))
assert all(connectome.edges[a, b]["synapses"] >= 8 for a, b in zip(table["A"], table["B"], strict=True))

bifan = Motif("A -> C; A -> D; B -> C; B -> D")
in_triadic = triadic.count(triadic.Graph(connectome), "A -> C; A -> D; B -> C; B -> D")
print("orders of a bifan:", executor.count(bifan) / in_triadic)
print("one:", executor.find(Motif("A -> B; B -> A"), limit=1))
