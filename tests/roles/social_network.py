"""Who asks whom for advice in a firm: from two sheets of a workbook to a figure, and back to a table for Excel.

Written from docs/how-to/survey.md.
"""

# ruff: noqa: T201 - what the script finds is printed

import numpy as np
import pandas as pd

import triadic

# The firm's workbook: three departments of fifteen people, who ask mostly within their own team of five. A row of the
# sheet of answers has a person and up to six advisers.
rng = np.random.default_rng(4)
staff = pd.DataFrame(
    {
        "name": [f"{office} {number}" for office in ("Sales", "Design", "Lab") for number in range(1, 16)],
        "department": np.repeat(["sales", "design", "lab"], 15),
        "years": rng.integers(1, 30, 45),
    }
)
team = np.arange(45) // 5
near = np.where(team[:, None] == team, 0.8, np.where(team[:, None] // 3 == team // 3, 0.1, 0.03))
near[44] = near[:, 44] = 0  # on parental leave
answers = [(staff["name"][rng.random(45) < chance].tolist() + [""] * 6)[:6] for chance in near]
answers = pd.DataFrame(answers, columns=[f"adviser {number}" for number in range(1, 7)])
answers.insert(0, "asker", staff["name"])
answers.to_csv("answers.csv", sep=";", index=False, encoding="utf-8-sig")
staff.to_csv("staff.csv", sep=";", index=False, encoding="utf-8-sig")

# A row for each naming. What is in the files?
answers = pd.read_csv("answers.csv", sep=";", encoding="utf-8-sig")
asked = answers.melt("asker", value_name="adviser").dropna()[["asker", "adviser"]]
asked.to_csv("advice.csv", index=False)
graph = triadic.read("advice.csv", directed=True, source="asker", target="adviser")
print(graph, graph.dropped)
people = pd.read_csv("staff.csv", sep=";", encoding="utf-8-sig", index_col="name")
print("in no row:", *sorted(set(people.index) - set(graph.labels)))

# With all people, and their departments.
ends = [people.index.get_indexer(asked[column]) for column in ("asker", "adviser")]
graph = triadic.Graph.from_edges(*ends, num_vertices=len(people), labels=people.index, directed=True)
graph = graph.with_vertices(people)
print(graph)

# Reciprocity, clustering, triads.
dyads = triadic.dyad_census(graph)
print("reciprocity", round(2 * dyads["mutual"] / graph.num_arcs, 3))
print(triadic.count(graph, "clustering"))
found = triadic.significance(graph, groups="department", samples=200, seed=1)
print(found)
of_types = {"by": "type", "types": "department", "groups": "department"}
typed = triadic.significance(graph, of=["030T", "120U", "300"], **of_types, samples=200, seed=1)
ax = triadic.plot.types(typed, most=6)
ax.figure.savefig("departments.pdf")

# Back to Excel.
table = triadic.vertex_table(graph, ["in_degree", "out_degree", "mutual_degree", "clustering"]).to_pandas()
table = people.join(table)
table.to_csv("result.csv", sep=";", decimal=",", encoding="utf-8-sig")
print(table.drop(columns="years").groupby("department").mean().round(2))
