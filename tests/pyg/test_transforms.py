"""Transforms of PyTorch Geometric add to each node what triadic counts at its vertex."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import warnings
from importlib import import_module

import numpy as np
import pytest

import naive
import naive_clustering
import naive_graphlets
import triadic
from triadic.errors import ArgumentError
from triadic.generate import rmat

_is_required = "pyg" in os.environ.get("TRIADIC_REQUIRE", "").split(",")  # the tests must run, not be skipped
_imported = import_module if _is_required else pytest.importorskip
torch = _imported("torch")
with warnings.catch_warnings(action="ignore"):  # of PyTorch Geometric about interfaces of PyTorch
    _imported("torch_geometric")

from torch_geometric.data import Batch, Data, HeteroData, InMemoryDataset, TemporalData  # noqa: E402
from torch_geometric.loader import DataLoader  # noqa: E402
from torch_geometric.transforms import BaseTransform, Compose, ToUndirected  # noqa: E402

from triadic.pyg import AddCliques, AddClustering, AddGraphlets, AddOrbits, AddPatternCounts, AddTriads  # noqa: E402

PATTERNS = ["A - B; B - C; C - A; C - D", triadic.Pattern("A -> B -> C", induced=True), "A <-> B; B -> C; A !> C"]
COUNTED = [AddPatternCounts(PATTERNS), AddOrbits(), AddOrbits(5), AddCliques()]
TRANSFORMS = [
    AddGraphlets(),
    AddGraphlets(3, kind="raw"),
    AddTriads(),
    AddClustering(),
    AddClustering(directed=True),
    *COUNTED,
]
AT_EDGES = [AddPatternCounts(PATTERNS, "edge"), AddOrbits(by="edge"), AddOrbits(5, "edge"), AddCliques((2, 4), "edge")]


def data_of(vertices, arcs, **attributes):
    index = torch.tensor(arcs, dtype=torch.long).reshape(-1, 2).T
    return Data(edge_index=index, num_nodes=vertices, **attributes)


def test_attributes_are_columns():
    data = data_of(
        3,
        [(0, 1), (1, 0), (1, 2), (2, 1)],
        edge_attr=torch.tensor([[5.0], [5.0], [6.0], [6.0]]),
        y=torch.tensor([7, 8, 9]),
        train_mask=torch.tensor([True, False, True]),
        x=torch.ones(3, 2),
    )
    graph = triadic.Graph(data, columns=["edge_attr", "y", "train_mask"])
    assert (graph.directed, graph.num_edges) == (False, 2)
    assert graph.columns["edge_attr"].tolist() == [5, 5, 6, 6]
    assert graph.vertex_columns["y"].tolist() == [7, 8, 9]
    assert graph.vertex_columns["train_mask"].tolist() == [True, False, True]
    directed = triadic.Graph(data, directed=True, weights="edge_attr", columns=["y"])
    assert (directed.num_arcs, directed.weights.tolist()) == (4, [5, 5, 6, 6])
    for columns in (["x"], ["nope"]):
        with pytest.raises(ArgumentError, match="columns="):
            triadic.Graph(data, columns=columns)


KITE = 4, [(0, 1), (1, 2), (2, 0), (2, 3)]
SOME = [
    KITE,
    (0, []),
    (3, []),
    (6, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 1), (4, 5), (5, 3), (3, 5), (0, 4), (2, 2), (0, 1)]),
    (5, [(u, v) for u in range(5) for v in range(5) if u != v]),
]
LARGE = rmat(9, edge_factor=8, seed=3, directed=True)


@pytest.mark.parametrize("network", SOME)
def test_the_columns_of_a_node_are_its_graphlets_triads_and_coefficients(network):
    vertices, arcs = network
    simple = naive.simple(arcs, directed=True).arcs
    for transform, expected in [
        (AddGraphlets(), naive_graphlets.net(vertices, arcs)),
        (AddGraphlets(3), np.reshape(naive_graphlets.net(vertices, arcs), (vertices, 16))[:, :5]),
        (AddGraphlets(kind="raw"), naive_graphlets.raw(vertices, arcs)),
        (AddTriads(), naive.triad_census_by_vertex(vertices, simple)),
        (AddClustering(), naive.clustering(vertices, arcs)),
    ]:
        x = transform(data_of(vertices, arcs)).x
        assert x.dtype == torch.float32
        assert x.shape[0] == vertices
        np.testing.assert_allclose(x.numpy().ravel(), np.ravel(expected).astype(float), rtol=1e-6)


def of_edges(table, graph, arcs):
    """Return the rows of a table at the edges of a graph for each of some arcs, one row after another; loops have 0."""
    values = np.asarray(table)
    rows = dict(zip(zip(*(end.tolist() for end in graph.edges()), strict=True), values.tolist(), strict=True))
    ends = arcs if graph.directed else [tuple(sorted(arc)) for arc in arcs]
    return np.array([rows.get(end, [0] * values.shape[1]) for end in ends]).reshape(len(arcs), values.shape[1])


@pytest.mark.parametrize("network", SOME)
def test_columns_of_patterns_orbits_and_cliques_are_those_of_count(network):
    vertices, arcs = network
    ends = np.array(arcs, dtype=np.int64).reshape(-1, 2).T
    directed, undirected = (triadic.Graph.from_edges(*ends, num_vertices=vertices, directed=d) for d in (True, False))
    asked = [(undirected if each is PATTERNS[0] else directed, each) for each in PATTERNS]
    at_nodes = [np.asarray(triadic.count(graph, of, by="vertex")) for graph, of in asked]
    at_edges = [of_edges(triadic.count(graph, of, by="edge"), graph, arcs) for graph, of in asked]
    assert np.array_equal(AddPatternCounts(PATTERNS)(data_of(vertices, arcs)).x, np.hstack(at_nodes))
    assert np.array_equal(AddPatternCounts(PATTERNS, "edge")(data_of(vertices, arcs)).edge_attr, np.hstack(at_edges))
    for size in (3, 4, 5):
        x = AddOrbits(size)(data_of(vertices, arcs)).x
        assert np.array_equal(x, triadic.graphlets(undirected, size=size, by="vertex"))
        edge_attr = AddOrbits(size, "edge")(data_of(vertices, arcs)).edge_attr
        assert np.array_equal(
            edge_attr, of_edges(triadic.graphlets(undirected, size=size, by="edge"), undirected, arcs)
        )
    for by, name in (("vertex", "x"), ("edge", "edge_attr")):
        columns = AddCliques((2, 6), by)(data_of(vertices, arcs))[name]
        found = triadic.count(undirected, "cliques", by=by)
        assert columns.shape == (vertices if by == "vertex" else len(arcs), 5)
        for k, column in zip(range(2, 7), columns.T, strict=True):
            expected = found.get(f"cliques of {k}", np.zeros(vertices if by == "vertex" else undirected.num_edges))
            if by == "edge":
                expected = of_edges(expected[:, None], undirected, arcs).ravel()
            assert column.tolist() == expected.tolist()


def test_conditions_read_attributes_of_the_data():
    ring = [(v, (v + 1) % 6) for v in range(6)]
    both = [*ring, *((v, u) for u, v in ring)]
    atom, bond = torch.tensor([6, 8, 6, 7, 6, 6]), torch.tensor([1, 2, 1, 2, 1, 2] * 2)
    data = data_of(6, both, atom=atom, bond=bond)
    carbon = AddPatternCounts("A - B; A.atom = 6; B.atom = 6")
    assert carbon(data).x.flatten().tolist() == [1, 0, 0, 0, 1, 2]
    double = AddPatternCounts("A - B [bond = 2]", "edge")
    assert double(data).edge_attr.flatten().tolist() == [0, 1] * 6
    batch = Batch.from_data_list([data, data_of(2, [(0, 1), (1, 0)], atom=atom[:2], bond=bond[:2] * 0 + 2), data])
    assert carbon(batch).x.flatten().tolist() == [1, 0, 0, 0, 1, 2, 0, 0, 1, 0, 0, 0, 1, 2]
    assert double(batch).edge_attr.flatten().tolist() == [*[0, 1] * 6, 1, 1, *[0, 1] * 6]
    with pytest.raises(ArgumentError, match="pattern: 'charge' is no column of the vertices; expected one of: label"):
        AddPatternCounts("A - B; A.charge = 1")(data)


@pytest.mark.parametrize("transform", AT_EDGES, ids=repr)
def test_edges_of_a_batch_have_the_features_of_each_of_its_graphs_and_are_split_with_it(transform):
    alone = [data_of(*network, edge_attr=torch.ones(len(network[1]))) for network in SOME]
    batch = transform(Batch.from_data_list(alone))
    assert torch.equal(batch.edge_attr, torch.cat([transform(data).edge_attr for data in alone]))
    for data, again in zip(alone, batch.to_data_list(), strict=True):
        assert torch.equal(transform(data).edge_attr, again.edge_attr)
    named = type(transform)(*([PATTERNS] if transform is AT_EDGES[0] else []), by="edge", attr_name="counts")
    for data, again in zip(alone, named(Batch.from_data_list(alone)).to_data_list(), strict=True):
        assert torch.equal(named(data).counts, again.counts)
        assert again.edge_attr.shape == (data.num_edges,)


def test_both_directions_and_repeats_of_an_edge_have_the_same_counts_and_loops_none():
    arcs = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2), (1, 1), (0, 1)]
    for transform in (AddPatternCounts("A - B; B - C; C - A", "edge"), AddCliques(3, "edge")):
        assert transform(data_of(3, arcs)).edge_attr.flatten().tolist() == [1, 1, 1, 1, 1, 1, 0, 1]


def test_directed_coefficients_are_in_total_and_by_pattern():
    vertices, arcs = SOME[3]
    data = AddClustering(directed=True)(data_of(vertices, arcs))
    graph = triadic.Graph(data)
    parts = triadic.directed_clustering(graph, parts=True)
    np.testing.assert_allclose(data.x.numpy(), np.asarray(parts), rtol=1e-6)
    expected = naive_clustering.directed_clustering(vertices, naive.simple(arcs, directed=True).arcs)
    np.testing.assert_allclose(data.x.numpy(), np.array(expected, dtype=float), rtol=1e-6)


@pytest.mark.parametrize("transform", TRANSFORMS, ids=repr)
def test_a_batch_has_the_features_of_each_of_its_graphs(transform):
    alone = [data_of(*network) for network in SOME]
    expected = torch.cat([transform(data).x for data in alone])
    batch = transform(Batch.from_data_list(alone))
    assert torch.equal(batch.x, expected)
    again = DataLoader([transform(data) for data in alone], batch_size=len(alone))
    assert torch.equal(next(iter(again)).x, expected)


@pytest.mark.parametrize("attr_name", [None, "counts"])
@pytest.mark.parametrize("x", [None, torch.arange(3.0)])
def test_a_batch_is_split_into_its_graphs_with_their_features(x, attr_name):
    transform = AddGraphlets(attr_name=attr_name)
    alone = [data_of(*KITE, **({} if x is None else {"x": x[i].expand(4)})) for i in range(3)]
    batch = Batch.from_data_list(alone)
    for data, again in zip(alone, transform(batch).to_data_list(), strict=True):
        expected = transform(data)
        assert set(again.keys()) == set(expected.keys())
        assert torch.equal(again[attr_name or "x"], expected[attr_name or "x"])
    assert set(batch[1].keys()) == set(alone[1].keys())


def test_nodes_that_are_removed_from_a_batch_leave_their_graphs():
    batch = Batch.from_data_list([data_of(*SOME[4]), data_of(*SOME[4])])
    part = batch.subgraph(torch.tensor([0, 1, 5, 6, 7]))
    assert AddTriads()(part).x.sum(dim=1).tolist() == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("transform", TRANSFORMS, ids=repr)
def test_a_large_network_has_the_same_features_alone_and_in_a_batch(transform):
    index = torch.from_numpy(np.stack(LARGE.edges())).long()
    data = Data(edge_index=index, num_nodes=LARGE.num_vertices)
    x = transform(data).x
    assert torch.equal(transform(Batch.from_data_list([data, data])).x, torch.cat([x, x]))


def test_columns_are_appended_to_x_in_the_precision_of_x():
    for x, dtype in [
        (torch.zeros(4, 2), torch.float32),
        (torch.zeros(4, 2, dtype=torch.float64), torch.float64),
        (torch.zeros(4, 2, dtype=torch.long), torch.float32),
        (torch.zeros(4, 2, dtype=torch.float16), torch.float32),
    ]:
        wide = AddGraphlets(3)(data_of(*KITE, x=x)).x
        assert wide.dtype == dtype
        assert wide[3].tolist() == [0, 0, 1, 1, 2, 0, 0]
    assert AddClustering()(data_of(*KITE, x=torch.ones(4))).x.shape == (4, 2)


def test_an_attribute_of_its_own_leaves_x_alone():
    data = AddTriads(attr_name="triads", dtype=torch.float64)(data_of(*KITE, x=torch.ones(4, 1)))
    assert data.x.shape == (4, 1)
    assert data.triads.shape == (4, 16)
    assert data.triads.dtype == torch.float64


def test_the_data_of_the_user_is_not_changed():
    data = data_of(*KITE, x=torch.ones(4, 1))
    AddGraphlets()(data)
    assert data.x.shape == (4, 1)
    assert set(data.keys()) == {"edge_index", "num_nodes", "x"}


def test_logarithms_are_of_one_plus_the_count():
    data = data_of(*SOME[3])
    assert torch.allclose(AddGraphlets(log1p=True)(data).x, torch.log1p(AddGraphlets()(data).x))
    wide = AddTriads(log1p=True, dtype=torch.float16)(Data(edge_index=torch.tensor([[0], [1]]), num_nodes=2000)).x
    assert torch.isfinite(wide).all()  # C(1999, 2) exceeds the largest float16


def test_transforms_compose_and_are_pickled_and_printed_with_their_options():
    transform = Compose([ToUndirected(), AddGraphlets(3), AddClustering(attr_name="closed")])
    data = transform(data_of(*KITE))
    assert (data.x.shape, data.closed.shape) == ((4, 5), (4, 1))
    for each in TRANSFORMS:
        assert isinstance(each, BaseTransform)
        again = pickle.loads(pickle.dumps(each))
        assert repr(again) == repr(each)
        assert torch.equal(again(data_of(*KITE)).x, each(data_of(*KITE)).x)
    assert repr(AddTriads(threads=1)) == "AddTriads(log1p=False, attr_name=None, dtype=torch.float32)"
    assert len({repr(each) for each in TRANSFORMS + AT_EDGES}) == len(TRANSFORMS + AT_EDGES)
    assert repr(AddPatternCounts("A - B")) == (
        "AddPatternCounts(patterns=[Pattern('A - B')], by='vertex', log1p=False, attr_name=None, dtype=torch.float32)"
    )


class _TwoNetworks(InMemoryDataset):
    def __init__(self, root, pre_transform):
        super().__init__(root, pre_transform=pre_transform)
        self.load(self.processed_paths[0])

    @property
    def processed_file_names(self):
        return ["networks.pt"]

    def process(self):
        self.save([self.pre_transform(data_of(*network)) for network in (KITE, SOME[4])], self.processed_paths[0])


def test_a_data_set_computes_the_features_once(tmp_path):
    data_set = _TwoNetworks(str(tmp_path), AddGraphlets())
    assert data_set.num_node_features == 16
    assert torch.equal(data_set[1].x, AddGraphlets()(data_of(*SOME[4])).x)
    with pytest.warns(UserWarning, match="pre_transform"):  # processed with other options
        _TwoNetworks(str(tmp_path), AddGraphlets(log1p=True))


class _OnAccess(torch.utils.data.Dataset):
    """Networks whose features are computed when they are read."""

    transform = AddGraphlets()

    def __len__(self):
        return 8

    def __getitem__(self, i):
        vertices, arcs = SOME[(0, 3, 4)[i % 3]]
        return self.transform(data_of(vertices, arcs))


def test_workers_of_a_loader_count_after_the_main_process_did():
    networks = _OnAccess()
    expected = [networks[i].x for i in range(len(networks))]
    loader = DataLoader(networks, batch_size=1, num_workers=2, timeout=120)
    for batch, x in zip(loader, expected, strict=True):
        assert torch.equal(batch.x, x)


@pytest.mark.parametrize("transform", TRANSFORMS, ids=repr)
def test_data_that_is_no_network_of_one_type_is_refused_in_one_line(transform):
    hetero = HeteroData()
    hetero["a"].x = torch.zeros(2, 1)
    hetero["a", "to", "a"].edge_index = torch.tensor([[0], [1]])
    for wrong in (hetero, Batch.from_data_list([hetero, hetero])):
        with pytest.raises(ArgumentError, match=r"^data: expected a Data or Batch .* HeteroData.*; .*to_homogeneous"):
            transform(wrong)
        with pytest.raises(ArgumentError, match="edges of several types; expected its to_homogeneous"):
            triadic.GraphBatch.from_graphs(wrong)
        with pytest.raises(ArgumentError, match="edges of several types; expected its to_homogeneous"):
            triadic.Graph(wrong)
    end = torch.tensor([0])
    with pytest.raises(ArgumentError, match=r"got TemporalData$"):
        transform(TemporalData(src=end, dst=end, t=end))
    with pytest.raises(ArgumentError, match="Data has no edge_index"):
        transform(Data(x=torch.zeros(3, 1)))
    assert transform(hetero.to_homogeneous()).x.shape[0] == 2


def test_options_that_are_not_accepted_are_refused_when_they_are_given():
    for make, message in [
        (lambda: AddGraphlets(7), "size=7: expected 4 or 3"),
        (lambda: AddGraphlets(kind="all"), "kind='all': expected 'net' or 'raw'"),
        (lambda: AddTriads(dtype=torch.int64), "dtype=torch.int64: expected a floating-point type"),
        (lambda: AddClustering(attr_name=3), "attr_name=3: expected a name"),
        (lambda: AddClustering(threads=0), "threads=0"),
        (lambda: AddOrbits(6), "size=6: expected 3, 4 or 5"),
        (lambda: AddCliques((4, 3)), "size=3: expected a whole number from 4"),
        (lambda: AddCliques(by="graph"), "by='graph': expected one of 'vertex', 'edge'"),
        (lambda: AddPatternCounts("triads"), "patterns='triads': expected patterns, as"),
        (lambda: AddPatternCounts([]), r"patterns=\[\]: expected patterns"),
        (lambda: AddPatternCounts("A - B; A.label = 1"), "patterns=.* without A.label"),
    ]:
        with pytest.raises(ArgumentError, match=message):
            make()
    with pytest.raises(ArgumentError, match="device='tpu'"):
        AddGraphlets(device="tpu")(data_of(*KITE))


def test_a_batch_of_pytorch_geometric_is_a_batch_of_graphs():
    both = [data_of(vertices, [*arcs, *((v, u) for u, v in arcs)]) for vertices, arcs in SOME]
    batch = triadic.GraphBatch.from_graphs(Batch.from_data_list(both))
    assert not batch.directed
    assert batch.sizes.tolist() == [vertices for vertices, _ in SOME]
    for graph, data in zip(batch, both, strict=True):
        assert np.array_equal(graph.degree, triadic.Graph(data).degree)
    assert triadic.GraphBatch.from_graphs(Batch.from_data_list([data_of(*KITE)])).directed
    assert not triadic.GraphBatch.from_graphs(Batch.from_data_list([data_of(*KITE)]), directed=False).directed
    assert triadic.GraphBatch.from_graphs(both).sizes.tolist() == batch.sizes.tolist()
    assert triadic.GraphBatch.from_graphs(both[0]).num_graphs == 1
    last_is_empty = Batch.from_data_list([data_of(*KITE), data_of(0, [])])
    assert triadic.GraphBatch.from_graphs(last_is_empty).sizes.tolist() == [4, 0]
    last_is_empty.batch = last_is_empty.batch[:2]
    with pytest.raises(ArgumentError, match="batch: expected 4 numbers of graphs, got 2"):
        triadic.GraphBatch.from_graphs(last_is_empty)
    with pytest.raises(ArgumentError, match="Data has no edge_index"):
        triadic.GraphBatch.from_graphs(Data(x=torch.zeros(3, 1)))


class Molecules(InMemoryDataset):
    """A data set in memory, which has the attributes of its data as if it were one graph."""

    def __init__(self, several):
        super().__init__(None)
        self.data, self.slices = self.collate(several)


def test_a_data_set_is_a_batch_of_its_graphs():
    both = [data_of(vertices, [*arcs, *((v, u) for u, v in arcs)]) for vertices, arcs in SOME]
    with warnings.catch_warnings(action="ignore"):
        dataset = Molecules(both)
    sizes = [vertices for vertices, _ in SOME]
    assert hasattr(dataset, "edge_index")
    for several in (dataset, both):
        with pytest.raises(ArgumentError, match=r"; Batch\.from_data_list\(list\(data\)\) makes a Batch$"):
            AddClustering()(several)
    parts = torch.utils.data.random_split(dataset, [1, len(both) - 1], generator=torch.Generator().manual_seed(1))
    for graphs, expected in [
        (dataset, sizes),
        (dataset[:2], sizes[:2]),
        (DataLoader(dataset, batch_size=2), sizes),
        ([Batch.from_data_list(both[:2]), both[2]], sizes[:3]),
        (parts[1], [sizes[i] for i in parts[1].indices]),
    ]:
        batch = triadic.GraphBatch.from_graphs(graphs)
        assert batch.sizes.tolist() == expected
        assert not batch.directed
    assert triadic.mmd(dataset, Batch.from_data_list(both), of="degree") == 0
    with pytest.raises(ArgumentError, match=r"got a DataBatch of .* graphs; expected one, or triadic\.GraphBatch"):
        triadic.transitivity(Batch.from_data_list(both))
    with pytest.raises(ArgumentError, match=r"got the data set Molecules; expected a graph, or triadic\.GraphBatch"):
        triadic.clustering(dataset)


def test_a_table_of_a_batch_is_a_matrix_of_features():
    batch = triadic.GraphBatch.from_graphs([triadic.Graph.from_edges([0, 1, 2], [1, 2, 0])] * 3)
    table = triadic.vertex_table(batch, ["degree", "clustering", "graphlets", "triads"])
    features = torch.from_numpy(np.asarray(table))
    assert features.shape == (9, 33)
    assert features[:, -1].tolist() == [1] * 9


def test_counts_are_those_of_a_graph_on_every_device(gpu_device):
    data = Data(edge_index=torch.from_numpy(np.stack(LARGE.edges())).long(), num_nodes=LARGE.num_vertices)
    for kind in (AddGraphlets, AddTriads, AddClustering):
        assert torch.equal(kind(device=gpu_device)(data).x, kind(device="cpu")(data).x)


@pytest.fixture
def on_card():
    pytest.importorskip("cupy")
    if not torch.cuda.is_available():
        pytest.skip("no cuda device was found")
    return torch.device("cuda", 0)


def _must_not_be_called(*_, **__):
    raise AssertionError


@pytest.mark.gpu
@pytest.mark.parametrize("transform", [each for each in TRANSFORMS if each._on_card], ids=repr)
def test_features_of_edges_on_a_card_are_computed_there(transform, on_card, monkeypatch):
    index = torch.from_numpy(np.stack(LARGE.edges())).long()
    large = Data(edge_index=index, num_nodes=LARGE.num_vertices, x=torch.ones(LARGE.num_vertices, 2))
    cases = [large, Batch.from_data_list([data_of(*network) for network in SOME]), data_of(3, []), data_of(*SOME[3])]
    expected = [transform(data).x for data in cases]
    # Neither counts nor features pass through the host.
    monkeypatch.setattr(torch, "from_numpy", _must_not_be_called)
    monkeypatch.setattr(type(transform), "_columns_of", _must_not_be_called)
    for data, x in zip(cases, expected, strict=True):
        found = transform(data.to(on_card)).x
        assert (found.device, found.dtype, found.is_contiguous()) == (on_card, x.dtype, True)
        assert torch.equal(found.cpu(), x)
        monkeypatch.setattr(transform, "device", "cuda" if transform.device == "auto" else "cuda:0")


@pytest.mark.gpu
@pytest.mark.parametrize("transform", TRANSFORMS, ids=repr)
def test_features_lie_on_the_card_wherever_they_are_counted(transform, on_card, monkeypatch):
    data = Batch.from_data_list([data_of(*network) for network in SOME])
    x = transform(data).x
    assert torch.equal(transform(data.to(on_card)).x.cpu(), x)
    monkeypatch.setattr("triadic.pyg.transforms.is_installed", lambda _: False)  # without CuPy
    found = transform(data.to(on_card)).x
    assert found.is_cuda
    assert torch.equal(found.cpu(), x)
    on_host = pickle.loads(pickle.dumps(transform))
    on_host.device = "cpu"
    assert torch.equal(on_host(data.to(on_card)).x.cpu(), x)


@pytest.mark.gpu
def test_edges_that_a_stream_of_pytorch_still_writes_are_waited_for(on_card):
    index = torch.from_numpy(np.stack(LARGE.edges())).long()
    expected = AddClustering()(Data(edge_index=index, num_nodes=LARGE.num_vertices)).x
    stream = torch.cuda.Stream(on_card)
    with torch.cuda.stream(stream):
        later = torch.zeros_like(index, device=on_card)
        torch.cuda._sleep(50_000_000)
        later += index.to(on_card)
        found = (AddClustering()(Data(edge_index=later, num_nodes=LARGE.num_vertices)).x * 1).cpu()
    assert torch.equal(found, expected)


@pytest.mark.gpu
def test_a_batch_on_a_card_is_a_batch_of_graphs(on_card):
    batch = Batch.from_data_list([data_of(*network) for network in SOME])
    made = triadic.GraphBatch.from_graphs(batch.to(on_card), directed=True)
    assert made.sizes.tolist() == [vertices for vertices, _ in SOME]
    expected = triadic.triad_census(triadic.GraphBatch.from_graphs(batch, directed=True))
    assert triadic.triad_census(made)["030T"].tolist() == expected["030T"].tolist()


def test_importing_triadic_does_not_import_torch():
    text = "import triadic, triadic.pyg, sys; assert 'torch' not in sys.modules; assert 'AddTriads' in dir(triadic.pyg)"
    subprocess.run([sys.executable, "-c", text], check=True)
