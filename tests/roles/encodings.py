"""Which of two kinds of committees meets in cliques: counts as features of a classifier, by graph and by member.

Written from docs/how-to/encodings.md.
"""

# ruff: noqa: T201 - what the script finds is printed

import networkx as nx
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import triadic
from triadic.features import PatternCounts


def committee(seed, closed):
    """Return who of 16 people met whom, in the same number of meetings of two, or in some meetings of four."""
    rng = np.random.default_rng(seed)
    graph = nx.empty_graph(16)
    if closed:
        for _ in range(3):
            four = rng.choice(16, 4, replace=False)
            graph.add_edges_from((u, v) for u in four for v in four if u < v)
    while graph.size() < 24:
        graph.add_edge(*map(int, rng.choice(16, 2, replace=False)))
    for person in graph:
        graph.nodes[person]["chair"] = person == 0
    return graph


classes = np.arange(80) % 2
graphs = [triadic.Graph(committee(seed, bool(label)), columns=["chair"]) for seed, label in enumerate(classes)]


def accuracy(counts):
    model = make_pipeline(counts, FunctionTransformer(np.log1p), StandardScaler(), LogisticRegression())
    return cross_val_score(model, graphs, classes, cv=5).mean().round(3)


print("by dyads and triangles:", accuracy(PatternCounts("graphlets", size=3)))
cliques = PatternCounts("cliques", size=(3, 4))
print("by cliques:", accuracy(cliques))
print("columns:", *cliques.fit(graphs).get_feature_names_out())
met_chair = PatternCounts("A - B; B - C; C - A; A.chair = true", by="vertex").set_output(transform="pandas")
frame = met_chair.fit_transform(graphs)
print("rows:", frame.shape, *frame.columns)
