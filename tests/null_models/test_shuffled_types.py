"""The null model that keeps a network and permutes the types of its vertices."""

import pickle
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

import triadic
from triadic.errors import ArgumentError, NothingToCompareError
from triadic.null_models.model import Null

TRIANGLE = "A - B; B - C; C - A"


def typed(n=60, seed=1):
    """Return a network whose vertices have types and slices."""
    graph = triadic.generate.watts_strogatz(n, 6, 0.2, seed=seed)
    types = np.array(["B", "T", "M"])[np.random.default_rng(seed).integers(0, 3, n)]
    return graph.with_vertices({"type": types, "slice": np.arange(n) // (n // 3)})


def test_permuted_types_keep_the_graph_the_counts_of_types_and_other_columns():
    graph = typed()
    for drawn in triadic.randomize(graph, null="types", types="type", samples=5, seed=1):
        assert all((a == b).all() for a, b in zip(drawn.edges(), graph.edges(), strict=True))
        assert Counter(drawn.vertex_columns["type"].tolist()) == Counter(graph.vertex_columns["type"].tolist())
        assert (drawn.vertex_columns["type"] != graph.vertex_columns["type"]).any()
        assert list(drawn.vertex_columns) == ["type", "slice"]
        assert (drawn.vertex_columns["slice"] == graph.vertex_columns["slice"]).all()


def test_types_are_permuted_within_groups():
    graph = typed()
    drawn = triadic.randomize(graph, null="types", types="type", groups="slice", seed=2)
    for part in range(3):
        within = graph.vertex_columns["slice"] == part
        before, after = (one.vertex_columns["type"][within].tolist() for one in (graph, drawn))
        assert sorted(before) == sorted(after)
        assert before != after


def test_all_permutations_are_equally_likely():
    types = ["a", "a", "b", "c"]
    graph = triadic.Graph.from_edges([0, 1, 2], [1, 2, 3]).with_vertices({"type": np.array(types)})
    model = Null("types", types="type").of(graph)
    drawn = Counter("".join(model.draw(key)[0].vertex_columns["type"]) for key in range(6000))
    assert set(drawn) == {"".join(order) for order in permutations(types)}
    assert all(abs(count - 500) < 5 * 500**0.5 for count in drawn.values())


def test_counts_by_type_are_those_of_the_permuted_networks():
    graph = typed()
    samples, seed = 20, 5
    drawn = triadic.randomize(graph, null="types", types="type", samples=samples, seed=seed)
    of = [TRIANGLE, "A - B - C"]
    found = triadic.significance(graph, of=of, by="type", types="type", null="types", samples=samples, seed=seed)
    for i, sample in enumerate(drawn):
        table = triadic.count(sample, of, by="type", types="type").to_dict()
        *names, counts = (table[heading] for heading in ("name", "first", "second", "third", "count"))
        expected = dict(zip(zip(*names, strict=True), counts, strict=True))
        assert {name: n for name, n in zip(found.names, found.samples[i], strict=True) if n} == expected
    assert found.null == "types"
    assert found.steps is None


@pytest.mark.parametrize("threads", [1, 2])
def test_patterns_with_conditions_on_the_column(threads):
    graph = typed()
    of = f"{TRIANGLE}; A.type = 'B'; B.type = 'T'; A.slice = C.slice"
    samples = triadic.randomize(graph, null="types", types="type", groups="slice", samples=10, seed=7)
    found = triadic.significance(
        graph, of=of, types="type", null="types", groups="slice", samples=10, seed=7, threads=threads
    )
    assert [values[0] for values in found.samples] == [triadic.count(sample, of) for sample in samples]
    assert found[of].count == triadic.count(graph, of)
    assert found.kept == "3 groups"


def test_a_pattern_by_type_with_a_condition_on_the_column():
    graph, of = typed(), f"{TRIANGLE}; A.type != B.type"
    found = triadic.significance(graph, of=of, by="type", types="type", null="types", samples=5, seed=3)
    for sample, values in zip(
        triadic.randomize(graph, null="types", types="type", samples=5, seed=3), found.samples, strict=True
    ):
        assert sum(values) == triadic.count(sample, of)


def test_types_that_are_no_column():
    graph = typed()
    types = graph.vertex_columns["type"]
    for given in (types, dict(enumerate(types.tolist()))):
        found = triadic.significance(graph, of=TRIANGLE, by="type", types=given, null="types", samples=5, seed=1)
        named = triadic.significance(graph, of=TRIANGLE, by="type", types="type", null="types", samples=5, seed=1)
        assert found.samples == named.samples


def test_vertices_without_a_type():
    types = np.array(["a", "b", None] * 20, dtype=object)
    graph = triadic.generate.watts_strogatz(60, 6, 0.2, seed=1).with_vertices({"type": types})
    with pytest.raises(ArgumentError, match="types: vertex 2 has none"):
        triadic.randomize(graph, null="types", types="type")
    dropped = Null("types", types="type", missing="drop").of(graph).draw(1)[0].vertex_columns["type"]
    assert [value is None for value in dropped] == [value is None for value in types]
    moved = Null("types", types="type", missing="type").of(graph).draw(1)[0].vertex_columns["type"]
    assert Counter(moved) == Counter(types)
    assert [value is None for value in moved] != [value is None for value in types]
    for missing in ("drop", "type"):
        asked = {"types": "type", "null": "types", "missing": missing, "samples": 5, "seed": 1}
        found = triadic.significance(graph, of=TRIANGLE, by="type", **asked)
        assert any("(missing)" in name for name in found.names) == (missing == "type")


def test_many_subgraphs_are_counted_in_each_sample(monkeypatch):
    graph, asked = typed(), {"by": "type", "types": "type", "null": "types", "samples": 5, "seed": 1}
    listed = triadic.significance(graph, of=TRIANGLE, **asked)
    monkeypatch.setattr("triadic.measures.patterns.matches._MOST_LISTED", 3)
    assert triadic.significance(graph, of=TRIANGLE, **asked).samples == listed.samples


def test_a_planted_niche_is_found():
    graph = triadic.generate.delaunay(2000, seed=1)
    types = np.array(["tumour", "T", "B", "stroma"], dtype=object)[np.random.default_rng(2).integers(0, 4, 2000)]
    source, target = graph.edges()
    for centre in range(0, 2000, 100):
        types[[centre, *target[source == centre].tolist()]] = "B"
    found = triadic.significance(
        graph.with_vertices({"type": types}), of=TRIANGLE, by="type", types="type", null="types", samples=1000, seed=1
    )
    niche = found[TRIANGLE, "B", "B", "B"]
    assert niche.z > 5
    assert niche.q < 0.05


def test_what_is_refused():
    graph = typed()
    asked = {"null": "types", "types": "type"}
    for of in ("triangles", TRIANGLE, f"{TRIANGLE}; A.slice = 1"):
        with pytest.raises(ArgumentError, match="on which this count does not depend; use by='type'"):
            triadic.significance(graph, of=of, **asked)
    with pytest.raises(ArgumentError, match="expected types="):
        triadic.randomize(graph, null="types")
    for name, value in (("steps", 5), ("positions", np.zeros((60, 2))), ("keep_weights", "keep"), ("bins", 4)):
        with pytest.raises(ArgumentError, match=f"{name}=.*null='types' moves no arcs"):
            triadic.significance(graph, of=TRIANGLE, by="type", **asked, **{name: value})
    with pytest.raises(ArgumentError, match="for null='types' alone"):
        triadic.randomize(graph, types="type")
    with pytest.raises(ArgumentError, match="no column of the vertices is named 'typ'"):
        triadic.randomize(graph, null="types", types="typ")
    one = graph.with_vertices({"one": np.ones(60, dtype=int)})
    with pytest.raises(NothingToCompareError, match="for all its vertices have one type"):
        triadic.significance(one, of=TRIANGLE, by="type", null="types", types="one")
    with pytest.raises(NothingToCompareError, match="within 3 groups"):
        triadic.significance(graph, of=TRIANGLE, by="type", null="types", types="slice", groups="slice")


def test_the_model_and_its_counts_travel_to_workers():
    model = pickle.loads(pickle.dumps(Null("types", types="type").of(typed())))
    assert (
        model.draw(3)[0].vertex_columns["type"]
        == Null("types", types="type").of(typed()).draw(3)[0].vertex_columns["type"]
    ).all()
