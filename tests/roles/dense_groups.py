"""Who is in large groups where everybody knows everybody, and whether there are more of them than chance.

Written from docs/how-to/cliques.md.
"""

# ruff: noqa: T201 - what the script finds is printed

import triadic

graph = triadic.generate.watts_strogatz(400, 12, 0.05, seed=2)
counts = triadic.count(graph, "cliques")
print("sizes:", *counts)
print("largest:", max(counts), "of them", counts[max(counts)])
table = triadic.count(graph, "cliques", by="vertex", size=(3, 5))
print("each is counted at its vertices:", [int(table[f"cliques of {k}"].sum()) == k * counts[k] for k in (3, 4, 5)])
by_edge = triadic.count(graph, "cliques", by="edge", size=4)
print("most at an edge:", max(by_edge["cliques of 4"]))
print("higher-order clustering:", round(triadic.higher_order_clustering(graph, size=3), 2))

found = triadic.estimate(graph, "cliques", size=4, error=0.05, seed=1)
print("estimated:", found.low < counts[4] < found.high)

digraph = triadic.generate.connectome(200, 1600, types=3, seed=1).graph
simplices = triadic.count(digraph, "simplices")
print("Euler characteristic:", simplices.euler_characteristic)
places = triadic.count(digraph, "simplices", by="vertex", size=3)
print("places:", *places.names)
beside = triadic.significance(digraph, of="simplices", samples=20, seed=1)
triadic.plot.cliques(beside, of="simplices").figure.savefig("simplices.pdf")
