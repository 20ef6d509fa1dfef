"""Which triangles of cells are more than chance in two slices of a tissue, with types shuffled within each slice.

Written from docs/how-to/tissue.md.
"""

# ruff: noqa: T201 - what the script finds is printed

import numpy as np
import pandas as pd
import scipy.spatial

import triadic

rng = np.random.default_rng(7)
cells = pd.DataFrame({"x": rng.random(1500), "y": rng.random(1500), "slice": np.repeat(["one", "two"], 750)})
cells["type"] = rng.choice(["tumour", "stroma", "B", "T"], size=1500, p=[0.5, 0.3, 0.1, 0.1])

# Each slice has its own triangulation. In the first, B and T cells sit together in niches.
parts = []
for name, rows in cells.groupby("slice").groups.items():
    places = cells.loc[rows, ["x", "y"]].to_numpy()
    corners = scipy.spatial.Delaunay(places).simplices
    parts.append(rows.to_numpy()[np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [0, 2]]])])
    if name == "one":
        for centre in range(0, 750, 50):
            near = rows[((places - places[centre]) ** 2).sum(axis=1).argsort()[:5]]
            cells.loc[near, "type"] = ["T", "B", "T", "B", "T"]
ends = np.concatenate(parts)

graph = triadic.Graph.from_edges(*ends.T, num_vertices=len(cells))
graph = graph.with_vertices({"type": cells["type"].to_numpy(), "slice": cells["slice"].to_numpy()})
print(graph)

triangle = "A - B; B - C; C - A"
options = {"null": "types", "types": "type", "groups": "slice", "samples": 300, "seed": 1}
found = triadic.significance(graph, of=triangle, by="type", **options)
print("kept:", found.kept)
table = found.to_pandas().reset_index(drop=True)
frequent = table[(table["q"] < 0.05) & (table["z"] > 0)].sort_values("z", ascending=False)
print(frequent[["first", "second", "third", "count"]].head(2).to_string(index=False))
print("B, T, T: z =", round(float(found[triangle, "B", "T", "T"].z), 1))
star = "A - B; A - C; A - D; A.type = 'B'; B.type = 'T'; C.type = 'T'; D.type = 'B'"
print("star: z =", round(float(triadic.significance(graph, of=star, **options)[star].z), 1))
shuffled = triadic.randomize(graph, null="types", types="type", groups="slice", seed=1)
print("in a shuffled tissue:", triadic.count(shuffled, triangle) == triadic.count(graph, triangle))
triadic.plot.types(found, most=6).figure.savefig("tissue.pdf")
