"""Reports: one page without other files, which states what it leaves out and shows labels as text."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from math import isfinite

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triadic
from triadic.core import checked
from triadic.core.arcs import Arcs, Origin
from triadic.core.draws import derive_keys
from triadic.core.graphlets import GRAPH_NAMES
from triadic.errors import ArgumentError, CountOverflowError, DirectionWarning, MissingExtraError, WriteError
from triadic.null_models.model import Null
from triadic.reports import budget, findings, tables
from triadic.reports.deviations import rows_of
from triadic.reports.figures import pictures
from triadic.reports.findings import find
from triadic.reports.tables import NO_BREAK, format_score

from .conftest import LABELS, NETWORKS

KEYWORDS = {"seed": 1, "threads": 1, "device": "cpu", "progress": False}


class Page(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def text(hostile_page):
    return hostile_page.read_text(encoding="utf-8")


def test_labels_and_titles_are_text(text):
    page = Page(text)
    assert not {"script", "img", "b", "iframe"} & {tag for tag, _ in page.tags}
    words = "".join(page.text)
    assert all(label in words for label in [*LABELS, "<b>Hostile</b>"])


def test_the_page_is_one_small_file_without_references_to_others(text, hostile_page):
    assert hostile_page.stat().st_size < 2_000_000
    assert not re.search(r"@import|url\((?!#)", text)
    for tag, attributes in Page(text).tags:
        for name in ("src", "href", "xlink:href", "data", "action"):
            assert attributes.get(name, "#").startswith("#") or (tag, attributes["href"]) == ("link", "data:,")


def test_every_id_on_the_page_is_unique_and_every_reference_has_a_target(text):
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)) <= {(name, "") for name in ids} | {
        ("", name) for name in ids
    }


def test_the_numbers_on_the_page_equal_the_measures(hostile, text):
    words = " ".join(Page(text).text)
    census = triadic.triad_census(hostile)
    assert all(f"{count:,}" in words for count in census.values())
    assert f"{triadic.triangle_count(hostile):,}" in words
    assert f"{triadic.transitivity(hostile):.4f}" in words
    assert f"{triadic.average_clustering(hostile):.4f}" in words
    words = " ".join(words.split())
    assert f"{hostile.dropped.duplicates:,} merged arcs that repeat an earlier one" in words
    assert f"{hostile.dropped.loops:,} dropped arcs from a vertex to itself" in words
    for name, count in triadic.graphlets(hostile, size=5).items():
        assert name == "edge" or f"{count:,}" in words
    assert text.count("<figure") == 10


def test_the_page_shows_how_to_repeat_it(text, hostile_page):
    line = unescape(re.search(r"<code>(.*?)</code>", text, re.DOTALL)[1])
    assert line == (
        f"triadic.report(graph, {str(hostile_page)!r}, title='<b>Hostile</b>', samples=10, seed=1, device='auto')"
    )
    assert f"triadic {triadic.__version__}" in text


@pytest.mark.usefixtures("_plots_not_rendered")
def test_the_profile_states_the_range_of_its_scores(hostile):
    found = find(hostile, samples=5, **KEYWORDS)
    sampled = found.compared["triads"]
    z = [row.z for name, row in sampled.items() if name in sampled.profiled and isfinite(row.z)]
    assert pictures(found, None)["triads"][0].caption.endswith(
        f" Before scaling they range from {format_score(min(z))} to {format_score(max(z))}."
    )


def test_an_undirected_network_has_no_triads(page_of):
    found = find(NETWORKS["small-world"](), samples=3, **KEYWORDS)
    assert (found.census, list(found.compared)) == (None, ["clustering", "graphlets", "graphlets5"])
    text = page_of("small-world").read_text(encoding="utf-8")
    assert "triad" not in re.sub(r"triadic", "", text.lower())
    assert "reciprocity" not in text.lower()


@pytest.mark.parametrize(
    "graph",
    [
        "empty",
        "cycle",
        triadic.Graph.from_edges([], [], num_vertices=3, directed=True),
        triadic.Graph.from_edges([0, 0, 0], [1, 2, 3]),
    ],
    ids=["empty", "a cycle", "without arcs", "a star"],
)
def test_networks_with_few_edges_have_a_page(graph, tmp_path, page_of):
    path = tmp_path / "page.html"
    if isinstance(graph, str):
        path, graph = page_of(graph), NETWORKS[graph]()
    else:
        triadic.report(graph, path, samples=2)
    text = path.read_text(encoding="utf-8")
    assert "How it was computed" in text
    assert "sampled: graph:" not in text
    # A directed 3-cycle can be reversed; in the other networks no edge can be moved.
    assert "nothing can be moved" in text if graph.num_edges else "Main findings" not in text
    assert (">Triads</h2>" in text) == (graph.directed and graph.num_edges > 0)


@pytest.mark.usefixtures("_plots_not_rendered")
def test_if_time_is_short_the_page_states_what_is_left_out(hostile, tmp_path, monkeypatch):
    monkeypatch.setattr(budget, "SECONDS", 0.0)
    triadic.report(hostile, tmp_path / "page.html", samples=20)
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Graphlets are estimated, because counting them would take about" in text
    assert text.count("<meter") == 8
    assert text.count("No random networks were sampled instead of 20") == 3  # of triads, clustering and reciprocity
    assert "U|MAN" in text


def test_estimated_graphlets_have_bars_that_hold_the_exact_numbers(page_of):
    graph = NETWORKS["estimated"]()
    found = find(graph, samples=2, estimate=True, **KEYWORDS)
    assert (found.graphlets, found.graphlets_of_five, list(found.compared)) == (None, None, ["clustering"])
    exact = triadic.graphlet_transform(graph).totals
    ends = zip(found.estimated.names, found.estimated.low, found.estimated.high, strict=True)
    assert all(0.98 * low < exact[name] < 1.02 * high for name, low, high in ends)
    text = page_of("estimated").read_text(encoding="utf-8")
    assert text.count("<meter") == 8
    names = re.findall(r"</svg><span>([^<]*)</span></th>", text)
    assert names == list(GRAPH_NAMES[1:9])
    assert "except the graphlets, which are estimated" in text
    assert "seed=1, estimate=True, device" in text


@pytest.mark.usefixtures("_plots_not_rendered")
def test_a_network_without_edges_is_not_estimated(tmp_path):
    graph = triadic.Graph.from_edges([], [], num_vertices=3)
    triadic.report(graph, tmp_path / "page.html", samples=0, estimate=True)
    assert "except the graphlets" not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_an_interrupted_estimate_ends_the_report(monkeypatch):
    def interrupted(graph, **keywords):
        return replace(triadic.estimate(graph, of="graphlets", samples=100, seed=1), stopped="interrupted")

    monkeypatch.setattr(findings, "draw_estimate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        find(triadic.generate.rmat(6, seed=1), samples=0, estimate=True, **KEYWORDS)


def test_a_trial_decides_the_number_of_samples(hostile, monkeypatch):
    calls = []
    compare = findings.compare

    def recorded(graph, of, *, samples, **keywords):
        calls.append((graph.num_vertices, of, samples))
        return compare(graph, of, samples=samples, **keywords)

    monkeypatch.setattr(findings, "compare", recorded)
    monkeypatch.setattr(budget, "WORTH_A_TRIAL", 0.0)
    monkeypatch.setattr(budget, "affordable_samples", lambda wanted, *_: wanted // 2)
    found = find(hostile, samples=48, **KEYWORDS)
    names = ["triads", "clustering", "reciprocity", "graphlets", "graphlets5"]
    assert calls == [(32, of, 2) for of in names] + [(64, of, samples) for of in names for samples in (2, 12)]
    assert [len(found.compared[of].samples) for of in names] == [12] * 5
    assert found.left_out["triads"].startswith("12 random networks were sampled instead of 48")


def test_each_comparison_leaves_time_for_the_later_ones(hostile, monkeypatch):
    allowances = []
    monkeypatch.setattr(budget, "affordable_samples", lambda wanted, _, allowance: allowances.append(allowance) or 2)
    monkeypatch.setattr(budget, "SECONDS", 40.0)
    find(hostile, samples=2, **KEYWORDS)
    allowances = allowances[5:]  # the first are those of the small network that is counted first
    assert [allowance.rest / allowance.share for allowance in allowances] == pytest.approx([4, 3, 2, 1, 1])
    assert 39 < allowances[0].rest <= 40
    assert allowances[-1].rest == pytest.approx(10)  # a quarter for graphlets of five vertices


@pytest.mark.usefixtures("_plots_not_rendered")
def test_graphlets_of_five_vertices_that_take_long_are_left_out_with_the_reason(hostile, tmp_path, monkeypatch):
    monkeypatch.setattr(budget, "_LIMIT_OF_FIVE", 0.0)
    found = find(hostile, samples=2, **KEYWORDS)
    assert found.graphlets_of_five is None
    assert "graphlets5" not in found.compared
    assert found.left_out["counts of graphlets5"].startswith(
        "Graphlets of five vertices are left out, because counting"
    )
    triadic.report(hostile, tmp_path / "page.html", samples=0)
    assert "Graphlets of five vertices are left out" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("_plots_not_rendered")
def test_size_4_leaves_the_graphlets_of_five_vertices_out_without_a_word(hostile, tmp_path):
    triadic.report(hostile, tmp_path / "page.html", samples=2, size=4)
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "five vertices" not in text
    assert "size=4" in unescape(text)
    with pytest.raises(ArgumentError, match="size=3: expected 4 or 5"):
        triadic.report(hostile, tmp_path / "page.html", size=3)


def test_too_many_stars_leave_the_graphlets_of_five_vertices_out_alone(hostile, monkeypatch):
    count = findings.graphlets

    def overflowing(graph, **keywords):
        if graph is hostile:
            raise CountOverflowError("orbit 23 at vertex 7")
        return count(graph, **keywords)

    monkeypatch.setattr(findings, "graphlets", overflowing)
    found = find(hostile, samples=2, **KEYWORDS)
    assert found.left_out["counts of graphlets5"] == "Graphlets of five vertices are left out: orbit 23 at vertex 7."
    assert "graphlets" in found.compared
    assert not {"graphlets5", "random networks for graphlets5"} & set(found.seconds)


def test_few_random_networks_for_graphlets_of_five_vertices_are_said_to_have_their_own_limit(hostile, monkeypatch):
    monkeypatch.setattr(budget, "LIMIT_OF_RANDOM_FIVE", 0.0)
    found = find(hostile, samples=20, **KEYWORDS)
    assert found.graphlets_of_five == triadic.graphlets(hostile, size=5)
    assert found.left_out == {
        "graphlets5": "No random networks were sampled instead of 20, because this comparison may take 0 seconds."
    }


def test_reciprocity_is_compared_with_networks_of_the_same_in_and_out_degrees(hostile):
    compared = findings.compare(hostile, "reciprocity", samples=3, seed=5, threads=1, device="cpu", progress=False)
    keys = derive_keys(5, 3).tolist()
    model = Null("degrees").of(hostile)
    assert compared.samples == tuple((triadic.dyad_census(model.draw(key)[0])["mutual"],) for key in keys)
    assert compared.counts == (triadic.dyad_census(hostile)["mutual"],)


def test_graphlets_that_do_not_fit_64_bits_are_left_out_with_the_reason(hostile, monkeypatch):
    count = findings.graphlet_transform

    def overflowing(graph, **keywords):
        if graph is hostile:
            raise CountOverflowError("vertex 7 has too many neighbours")
        return count(graph, **keywords)

    monkeypatch.setattr(findings, "graphlet_transform", overflowing)
    found = find(hostile, samples=0, **KEYWORDS)
    assert found.left_out == {"counts of graphlets": "Graphlets are left out: vertex 7 has too many neighbours."}
    assert "graphlets" not in found.seconds


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=40))
def test_the_top_vertices_are_the_first_of_all_sorted(pairs):
    values, degrees = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    everyone = sorted(range(len(pairs)), key=lambda i: (-values[i], -degrees[i], i))
    assert tables._top(values, degrees) == everyone[:10]


def test_vertices_are_named_by_label_or_else_by_number():
    graph = triadic.Graph.from_edges([0], [1])
    assert tables.vertex_name(graph, 1) == "1"
    assert tables.vertex_name(triadic.Graph.from_edges([0], [1], labels=["x", "y"]), 1) == "y"


@pytest.mark.parametrize("samples", [-1, 0.0, 1, 2.5, True])
def test_a_bad_number_of_samples_raises_before_counting(hostile, tmp_path, samples):
    with pytest.raises(ArgumentError, match="samples="):
        triadic.report(hostile, tmp_path / "page.html", samples=samples)


@pytest.mark.usefixtures("_plots_not_rendered")
def test_a_page_that_cannot_be_written_leaves_no_file(tmp_path):
    (tmp_path / "page.html").mkdir()
    with pytest.raises(WriteError, match=r"page\.html"):
        triadic.report(triadic.Graph.from_edges([0], [1]), tmp_path / "page.html", samples=0)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize(("package", "extra"), [("jinja2", "report"), ("matplotlib", "plot")])
def test_a_missing_package_is_named_with_its_extra(hostile, tmp_path, monkeypatch, package, extra):
    monkeypatch.setattr(checked, "find_spec", lambda name: None if name == package else object())
    with pytest.raises(MissingExtraError, match=rf"{package}.*pip install 'triadic\[{extra}\]'"):
        triadic.report(hostile, tmp_path / "page.html")


@pytest.mark.usefixtures("_plots_not_rendered")
def test_the_page_states_how_the_columns_and_the_direction_were_chosen(tmp_path):
    ends = np.array([[0, 1, 2], [1, 2, 0]], dtype=np.int32)
    origin = Origin(columns="columns from → to, header in line 1", direction="assumed")
    graph = triadic.Graph.from_arcs(Arcs(*ends, vertices=3, directed=True, origin=origin))
    with pytest.warns(DirectionWarning, match="none of the 3 arcs has a reverse arc") as warnings:
        triadic.report(graph, tmp_path / "page.html", samples=0)
    assert len(warnings) == 1
    words = " ".join("".join(Page((tmp_path / "page.html").read_text(encoding="utf-8")).text).split())
    assert "does not state whether its edges have directions. They were read as directed, although no arc has" in words
    assert "directed assumed, because the input does not state it" in words
    assert "columns from → to, header in line 1" in words


@pytest.mark.usefixtures("_plots_not_rendered")
def test_no_warning_says_that_the_directions_of_a_networkx_graph_are_ignored(tmp_path):
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 2)])
    triadic.report(graph, tmp_path / "page.html", samples=0)
    assert "Clustering ignores directions" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("_plots_not_rendered")
def test_without_random_networks_the_page_says_so_and_triads_have_their_exact_expectation(hostile, tmp_path):
    triadic.report(hostile, tmp_path / "page.html", samples=0)
    words = " ".join("".join(Page((tmp_path / "page.html").read_text(encoding="utf-8")).text).split())
    assert "exact expectation over all networks with the same numbers of mutual, one-way and unjoined pairs" in words
    assert "random networks with the same numbers of mutual and of one-way pairs" in words
    triadic.report(triadic.generate.watts_strogatz(40, 6, 0.2, seed=1), tmp_path / "page.html", samples=0)
    assert "No random networks were requested." in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_random_networks_keep_groups_and_lengths_where_they_are_given(tmp_path):
    made = triadic.generate.connectome(120, 700, types=3, seed=1)
    page = tmp_path / "page.html"
    triadic.report(
        made.graph, page, groups=made.types, positions=made.positions, bins=2, samples=3, seed=1, device="cpu"
    )
    text = unescape(page.read_text(encoding="utf-8"))
    assert "and the edges in each of 3 groups, 2 bins of length; " in text
    assert "groups=groups, positions=positions, bins=bins, samples=3, seed=1" in text
    assert "mutual, 3 groups, 2 bins of length, 3 samples" in text
    with pytest.raises(ArgumentError, match="groups: expected one label for each of the 120 vertices"):
        triadic.report(made.graph, page, groups=[1], samples=3)


def test_patterns_are_counted_drawn_and_compared(tmp_path):
    made = triadic.generate.connectome(120, 700, types=3, seed=1)
    graph, page = made.graph.with_vertices({"type": made.types}), tmp_path / "page.html"
    patterns = ["A -> B; B -> C; A -> C", triadic.Pattern("A <-> B; B -> C; A.type = 1", induced=True)]
    triadic.report(graph, page, patterns=patterns, samples=3, seed=1, size=4, device="cpu")
    words = " ".join(" ".join(Page(page.read_text(encoding="utf-8")).text).split())
    compared = triadic.significance(graph, of=patterns, samples=3, seed=1)
    for row in rows_of(compared):
        assert f"{row.name} {row.counted} {row.expected} {row.ratio}".replace(NO_BREAK, " ") in words
    for pattern in patterns:
        assert f"{triadic.count(graph, pattern):,} subgraphs." in words
    assert "patterns=['A -> B; B -> C; A -> C', Pattern('A <-> B; B -> C; A.type = 1', induced=True)]" in words
    triadic.report(graph, page, patterns=patterns[:1], samples=0, size=4)
    assert 'id="patterns"' in page.read_text(encoding="utf-8")
    with pytest.raises(ArgumentError, match="of='triads': expected a pattern"):
        triadic.report(graph, page, patterns=["triads"])


def test_weights_columns_and_false_discovery_rates_are_on_the_page(page_of):
    graph = NETWORKS["weighted"]()
    words = " ".join(" ".join(Page(page_of("weighted").read_text(encoding="utf-8")).text).split())
    strength = graph.to_scipy().sum(axis=0) + graph.to_scipy().sum(axis=1)
    assert f"{strength.sum() / 2:,.0f}" in words
    assert f"largest strength {strength.max():,.0f}" in words
    clustering = triadic.weighted_clustering(graph.to_undirected(combine={"weight": "sum", "region": "first"}))
    assert f"weighted clustering {clustering.mean():.4f} Onnela's coefficient" in words
    compared = triadic.significance(graph, of="intensity", keep_weights="shuffle", samples=10, seed=1)
    assert compared.null_title == "mutual, weights by 'shuffle'"
    found = find(graph, samples=10, **KEYWORDS).compared["intensity"]
    assert (found.samples, found.q.tolist()) == (compared.samples, compared.q.tolist())
    for row in rows_of(found):
        assert f"{row.name} {row.counted} {row.expected} {row.ratio}".replace(NO_BREAK, " ") in words
        assert row.discovery.replace(NO_BREAK, " ") in words
    assert "and permute the weights" in words
    missing = sum(value is None for value in graph.vertex_columns["type"])
    assert "type vertices 2 values; " in words
    assert f"; {missing} missing" in words
    assert "region arcs 2 values; " in words


def test_tables_have_one_order(page_of):
    text = page_of("small-world").read_text(encoding="utf-8")
    names = re.findall(r"</svg><span>([^<]*?)</span></th>", text)
    assert names == list(GRAPH_NAMES[1:9]) + [name for name in GRAPH_NAMES[9:] if name in names]
