"""Roles in a directed network from triads and orbits: train on the mail of one firm, and apply to that of another.

Written from docs/how-to/machine-learning.md.
"""

# ruff: noqa: T201 - what the script finds is printed

import warnings

import networkx as nx
import numpy as np
from matplotlib import pyplot as plt

import triadic

warnings.simplefilter("ignore", triadic.errors.DirectionWarning)


def firm(seed):
    """Return who mails whom: bots mail many and get no answer, a team answers each other, heads mail their teams."""
    rng = np.random.default_rng(seed)
    mail, kind = nx.DiGraph(), {}
    people = [f"p{number}" for number in range(80)]
    for number, person in enumerate(people):
        kind[person] = "head" if number % 8 == 0 else "staff"
        team = people[number // 8 * 8 : number // 8 * 8 + 8]
        for other in team:
            if other != person and rng.random() < (0.9 if number % 8 == 0 else 0.5):
                mail.add_edge(person, other)
        if number % 8 == 0:
            mail.add_edges_from((person, people[other]) for other in 8 * rng.integers(0, 10, 3) if other != number)
    for number in range(12):
        kind[f"bot{number}"] = "bot"
        mail.add_edges_from((f"bot{number}", person) for person in rng.choice(people, 12, replace=False))
    return mail, np.array([kind[person] for person in mail])


def features_of(graph):
    names = ["degree", "in_degree", "out_degree", "mutual_degree", "clustering", "roles", "orbits"]
    table = triadic.vertex_table(graph, names, size=5)
    return np.log1p(np.asarray(table)), list(table)


(known, kinds), (new, kinds_new) = firm(1), firm(2)
(train, columns), (test, _) = features_of(known), features_of(new)
print("features:", train.shape, columns[0], columns[-1])
varies = train.std(axis=0) > 1e-9
mean, std = train[:, varies].mean(axis=0), train[:, varies].std(axis=0)
train, test = (train[:, varies] - mean) / std, (test[:, varies] - mean) / std
print("left out:", (~varies).sum(), "columns")

names = np.unique(kinds)
means = np.array([train[kinds == name].mean(axis=0) for name in names])
guess = names[np.linalg.norm(test[:, None] - means, axis=2).argmin(axis=1)]
print("accuracy:", (guess == kinds_new).mean().round(3))

nearest = np.argsort(np.linalg.norm(train - train[list(known).index("bot3")], axis=1))[1:4]
print("most like bot3:", *np.array(list(known))[nearest])

components = np.linalg.svd(train, full_matrices=False)[2][:2]
figure, ax = plt.subplots(figsize=(5, 4), layout="constrained")
for name in names:
    ax.scatter(*(components @ test[kinds_new == name].T), s=18, label=name)
ax.legend(frameon=False)
figure.savefig("kinds.pdf")
