"""Which triads of a fly's antennal lobe are more frequent and heavier than by chance: a table and a figure.

Written from docs/how-to/connectome.md.
"""

# ruff: noqa: T201 - what the script finds is printed

import csv
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

import triadic

# The files, in the form of FlyWire: a row for each pair and region, ids of eighteen digits.
rng = np.random.default_rng(7)
ids = 720575940600000000 + rng.choice(10**8, 90, replace=False)
layer = np.repeat([0, 1, 2], 30)  # receptors, projection neurons, Kenyon cells
place = np.column_stack([layer, rng.random((90, 2))])
source, target = rng.integers(0, 90, (2, 1500))
forward = (layer[target] > layer[source]) & (rng.random(1500) < 0.5)
synapses = {(pre, post): 1 + rng.poisson(4) for pre, post in zip(source[forward], target[forward], strict=True)}
for first, middle in list(synapses)[:250]:  # the targets of a target are reached at once, too, by many synapses
    for last in [post for pre, post in synapses if pre == middle][:1]:
        synapses[first, last] = 10 + rng.poisson(4)
with Path("connections.csv").open("w", newline="") as file:
    rows = csv.writer(file)
    rows.writerow(["pre_root_id", "post_root_id", "neuropil", "syn_count", "nt_type"])
    for (pre, post), count in synapses.items():
        rows.writerow([ids[pre], ids[post], "AL_L", count - 1, "ACH"])
        rows.writerow([ids[pre], ids[post], "AL_R", 1, "ACH"])
cells = pd.DataFrame({"root_id": ids, "cell_type": np.array(["ORN", "PN", "KC"])[layer]})
cells[["x", "y", "z"]] = place.round(3)
cells.sample(frac=1, random_state=1).to_csv("cells.csv", index=False)

graph = triadic.read("connections.csv", directed=True, weights="syn_count", combine="sum")
graph = graph.with_vertices("cells.csv", key="root_id")
print(graph)
print("at least five synapses:", graph.filter(weights=(5, None)).num_arcs, "arcs")

# Several null models.
places = ["x", "y", "z"]
nulls = {
    "degrees": triadic.significance(graph, samples=100, seed=1),
    "types": triadic.significance(graph, groups="cell_type", samples=100, seed=1, diagnose=True),
    "types and places": triadic.significance(graph, groups="cell_type", positions=places, bins=4, samples=100, seed=1),
}
for name, found in nulls.items():
    print(f"{name} ({found.null_title}): 030T {found['030T'].count}, z = {found['030T'].z:.1f}")
print("walks are long enough:", nulls["types"].diagnosis.mixed)

# Weights.
heavy = triadic.significance(graph, of=["triads", "intensity"], keep_weights="shuffle", samples=100, seed=1)
drawn = pd.DataFrame(heavy.samples, columns=heavy.names)
means = drawn["030T intensity"] / drawn["030T"]
mean = heavy["030T intensity"].count / heavy["030T"].count
print(f"mean intensity of 030T: {mean:.2f}, in random networks {means.mean():.2f} ± {means.std():.2f}")

# Types and neurons.
of_types = {"by": "type", "types": "cell_type", "groups": "cell_type"}
loops = triadic.significance(graph, of="030T", **of_types, samples=100, seed=1)
print(loops.roles["030T"])
print(loops.to_pandas().head(3).round(2))
for triple in triadic.list_triads(graph, "030T", limit=2):
    print(*graph.labels[list(triple)])

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(15, 4), layout="constrained")
triadic.plot.compare(nulls, of="z_scores", ax=left)
shuffled = triadic.randomize(graph, keep_weights="shuffle", samples=2, seed=1)
networks = {"connectome": graph} | {f"random {i}": network for i, network in enumerate(shuffled, 1)}
triadic.plot.compare(networks, of="coherence", ax=middle)
triadic.plot.types(loops, most=8, ax=right)
figure.savefig("triads.pdf")
figure.savefig("triads.png")
