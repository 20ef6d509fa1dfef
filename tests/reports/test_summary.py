"""The summary and the findings of a report state what the measures of the network return."""

from __future__ import annotations

from math import inf, nan

import pytest

import triadic
from triadic.measures.significance.result import Significance
from triadic.reports.deviations import Row, extremes, findings_of, rows_of
from triadic.reports.findings import find
from triadic.reports.summary import summary
from triadic.reports.tables import NO_BREAK

KEYWORDS = {"seed": 1, "threads": 1, "device": "cpu", "progress": False}


def sentences(graph, samples=0):
    return summary("It", find(graph, samples=samples, **KEYWORDS)).replace(NO_BREAK, " ")


def row(count, mean, z, *, p=0.02, std=1.0):
    return Row("triangle", count, mean, std, z, p, p, 0.02)


def test_a_network_without_edges_has_one_sentence():
    assert sentences(triadic.Graph.from_edges([], [], num_vertices=0)) == (
        "It is an undirected network of 0 vertices and 0 edges."
    )
    assert sentences(triadic.Graph.from_edges([], [], num_vertices=1, directed=True)) == (
        "It is a directed network of 1 vertex and 0 arcs."
    )


def test_a_triangle_with_a_tail_is_described_in_full():
    graph = triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_vertices=5)
    assert sentences(graph) == (
        "It is an undirected network of 5 vertices and 4 edges. A vertex has 1.6 neighbours on average and at most 3. "
        "The largest of its 2 components holds 80.0% of the vertices. "
        "Its transitivity is 0.6000, the share of pairs of neighbours of a vertex that are joined."
    )


def test_a_directed_network_has_its_mutual_pairs():
    text = sentences(triadic.Graph.from_edges([0, 1, 1], [1, 0, 2], directed=True))
    assert (
        "a directed network of 3 vertices and 3 arcs. Of its 2 joined pairs of vertices, 1 (50.0%) are mutual." in text
    )
    assert "It has no triangle." in text


def test_clustering_is_compared_with_random_networks_of_the_same_degrees():
    graph = triadic.generate.watts_strogatz(200, 8, 0.1, seed=1)
    found = find(graph, samples=20, **KEYWORDS)
    text = summary("It", found).replace(NO_BREAK, " ")
    sampled = triadic.significance(graph, of="clustering", samples=20, seed=1)["transitivity"]
    ratio = sampled.count / sampled.mean
    assert f"two neighbours of a vertex are joined {ratio:.0f} times as often as in random networks" in text
    assert f"{sampled.mean:.4f} ± {sampled.std:.4f} in 20 random networks, p ≤ 0.096" in text
    assert "the most overrepresented subgraph of four vertices is the 4-clique (in none of the random networks)" in text


@pytest.mark.parametrize("directed", [False, True])
def test_the_strongest_deviations_come_first(directed):
    graph = triadic.generate.rmat(6, seed=2, directed=directed)
    findings = findings_of(find(graph, samples=10, **KEYWORDS))
    strengths = [finding.row.strength for finding in findings]
    assert strengths == sorted(strengths, reverse=True)
    assert {finding.section for finding in findings} <= (
        {"clustering", "graphlets", "triads", "reciprocity"} if directed else {"clustering", "graphlets"}
    )


def test_a_deviation_has_a_side_a_colour_and_words():
    assert (row(12, 3.0, 9.0).level, row(12, 3.0, 9.0).how_often) == ("more-2", "4.0 times as often as in")
    assert (row(3, 12.0, -2.0).level, row(3, 12.0, -2.0).how_often) == ("fewer-1", "0.25 times as often as in")
    assert (row(3, 3.1, -0.1).level, row(0, 5.0, -30.0).level) == ("same", "fewer-3")
    assert (row(3, 3.1, -0.1).how_often, row(0, 0.5, -0.6).how_often) == ("about as often as in", "never, as in most")
    assert (row(0, 5.0, -30.0).how_often, row(7, 0.0, nan).how_often) == ("never, unlike in", "7 times, and never in")


def test_counts_that_no_random_network_has_are_the_strongest_deviations_without_a_score():
    never = row(7, 0.0, nan)
    assert (never.strength, never.side, never.score, never.ratio) == (inf, "more", "undefined", "–")
    assert row(0, 0.0, nan).strength == 0


def test_the_extremes_are_the_strongest_rows_of_either_side():
    rows = [row(8, 1.0, 6.0), row(9, 1.0, 8.0), row(5, 5.0, 0.0), row(1, 9.0, -7.0)]
    assert extremes(rows) == [rows[1], rows[3]]
    assert extremes(rows[2:3]) == []


def test_a_p_value_at_its_smallest_is_a_bound():
    names = ("transitivity", "average_clustering")
    sampled = Significance(
        "clustering", "degrees", names, (0.9, 0.2), ((0.1, 0.1), (0.2, 0.3), (0.3, 0.2)), names, 1, 1
    )
    rows = {row.name: row.probability.replace(NO_BREAK, " ") for row in rows_of(sampled)}
    assert rows == {"transitivity": "≤ 0.5", "average_clustering": "1"}
