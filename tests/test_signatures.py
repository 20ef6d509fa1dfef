"""Types that numba infers in the kernels: integers only.

A signed and an unsigned 64-bit integer that meet in numba become a float64, which is exact only up to 2**53.
"""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from pkgutil import walk_packages

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import triadic
from triadic import Graph, generate
from triadic.core.oriented import Oriented
from triadic.core.triad_types import CLOSED_TYPE_OF_CODE, ROLE_OF_CODE
from triadic.counts.triad_list import list_triads
from triadic.counts.typed_triads import count_typed_triads
from triadic.devices import cpu as folder
from triadic.devices.cpu import (
    closed_triads,
    common_neighbours,
    edge_cliques,
    edge_common_neighbours,
    edge_orbit_rows,
    edge_orbits,
    edge_order,
    edge_sample,
    edge_triangles,
    event_reach,
    first_events,
    five_cycles,
    five_vertex,
    fixed_point,
    four_vertex,
    id_kernels,
    id_rows,
    list_walk,
    local_wedge_sampling,
    middle_lists,
    motif_intensity,
    moving_window,
    name_hash,
    neighbour_choice,
    neighbourhood_kernels,
    neighbourhoods,
    orbit_sums,
    path_sampling,
    range_wedges,
    recut_kernels,
    row_walks,
    rows,
    rows_by_rank,
    shared_cliques,
    short_rows,
    small_graphlets,
    small_graphs,
    small_sort,
    squares,
    strengths,
    subgraph_draws,
    temporal_motifs,
    tetrahedra,
    tile_products,
    tile_triads,
    tile_triangles,
    tiling_kernels,
    timed_pairs,
    timed_triangles,
    timed_wedges,
    triad_list_kernels,
    triangle_listing,
    triangle_work,
    triangles_at,
    trussness,
    typed_triads,
    vertex_arrays,
    vertex_census,
    walked_supports,
    wedge_sampling,
    weight_sums,
    weighted_choice,
    weighted_row_sort,
    weighted_tiling_kernels,
    weighted_triangle_kernels,
    weighted_triangles,
    whole_rows,
)
from triadic.devices.cpu import triangles as cpu
from triadic.devices.cpu.labelled_wedges import labelled_wedges
from triadic.devices.cpu.tile_supports import add_supports_of_tiles
from triadic.graph import event_orientation
from triadic.graph.orientation import orient_few
from triadic.io.distinct_numbers import ValuesOfNumbers
from triadic.tiles import recut as recutting
from triadic.tiles.triple_part import join
from triadic.tiles.triples import triples


def all_kernels():
    modules = [import_module(found.name) for found in walk_packages(folder.__path__, f"{folder.__name__}.")]
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}": found
        for module in modules
        for name, found in vars(module).items()
        if isinstance(found, Dispatcher) and found.py_func.__module__ == module.__name__
    }


KERNELS = all_kernels()
# Sums of weights and coefficients are floats.
WITH_FLOATS = (
    *(
        of.__name__.rpartition(".")[2]
        for of in (
            fixed_point,
            motif_intensity,
            strengths,
            tile_products,
            weight_sums,
            weighted_row_sort,
            weighted_triangle_kernels,
        )
    ),
    "recut_kernels.count_columns_of_ranges",  # lengths, which are multiplied as floats
    "vertex_arrays.divide_at_vertices",
    "vertex_arrays.divide_by_pairs",
    "vertex_arrays.add_runs",
    "event_reach.find_limits",  # times may be floats
    "first_events.find_ends_of_windows",
    "moving_window.sweep",  # it writes means
    "moving_window.sum_of_coefficients",
    "triangle_work.add_sampled_costs",
    "subgraph_draws.unit_draws",  # numbers in [0, 1)
    "wedge_sampling.closed_weight",  # weights of local coefficients, which are rounded to whole numbers
    "wedge_sampling.row_weight",
    "wedge_sampling.tally_wedges",
)
OF_INTEGERS = [name for name in KERNELS if not name.startswith(WITH_FLOATS)]


def variable_types(overload):
    """Return the type of each variable from numba's listing of a kernel, which the cache stores as text."""
    return re.findall(r"::\s*(.*)", str(overload.type_annotation))


CORE = np.triu_indices(80, k=1)
SOURCE, TARGET = np.r_[CORE[0], 80, 81, 5], np.r_[CORE[1], 3, 4, 5]


def prepared():
    """Make oriented graphs in every way that triadic has."""
    for directed in (False, True):
        graph = Graph.from_edges(SOURCE, TARGET, directed=directed)
        again = Graph.from_csr(graph.indptr, graph.indices, directed=directed, trusted=True)
        triadic.edge_support(again)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rows_by_rank, "_KEY_BITS", 0)  # long keys, as of a large graph
            Graph.from_csr(graph.indptr, graph.indices, directed=directed, trusted=True).oriented()
        assert Graph.from_edges(SOURCE, TARGET, directed=directed, weights=np.ones(len(SOURCE))).is_weighted
        for dtype in (np.int32, np.int64):
            rows.first_wrong_row(graph.indptr, graph.indices.astype(dtype), threads=1)
            rows.is_symmetric(graph.indptr, graph.indices.astype(dtype), threads=1)
            arcs = rows.ArcList(SOURCE.astype(dtype), TARGET.astype(dtype))
            place = np.arange(82, dtype=dtype)
            rows.degrees(arcs, 82, threads=1)
            for rule in (rows.ORIENT, rows.ORIENT_ONCE, rows.FORWARD, rows.BOTH):
                rows.sort_rows(arcs, 82, place, rule, with_state=directed, threads=1)
    oriented = graph.oriented()
    rows.column_counts(oriented.indices, 82, threads=1)
    edge_order.in_edge_order(oriented, np.arange(oriented.num_edges, dtype=np.int32), threads=1)
    return oriented


def widen_ends(patch, ids):
    """Make all lists use one type of ids, which otherwise depends on the number of vertices."""
    prepare, lists = triangle_work.prepare, middle_lists.middle_lists
    for module in (cpu, closed_triads, weighted_triangles):
        patch.setattr(
            module,
            "prepare",
            lambda *a, **k: replace(work := prepare(*a, **k), ends=work.ends.astype(ids)),
        )
    for module in (neighbourhoods, squares, whole_rows):
        patch.setattr(
            module,
            "middle_lists",
            lambda *a, **k: replace(found := lists(*a, **k), ends=found.ends.astype(ids)),
        )


def count_a_mesh(given):
    """Count on a mesh with ids of the width of a graph, in both ways to walk."""
    mesh = generate.delaunay(50, seed=1).oriented()
    mesh = replace(mesh, rank=mesh.rank.astype(given.rank.dtype), indices=mesh.indices.astype(given.indices.dtype))
    for longest_queue in (0, short_rows.LONGEST_QUEUE):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(short_rows, "LONGEST_QUEUE", longest_queue)
            short_rows.by_vertex(mesh, threads=1)


def count_everything(given):
    for hubs in (0, 60):
        cpu.total(given, threads=1, hubs=hubs)
        cpu.by_vertex(given, threads=1, hubs=hubs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_walks, "FEW_ENTRIES", 0)  # walks of rows, as of a large graph
        patch.setattr(row_walks, "_SORTED", 1e9)
        patch.setattr(triangle_work, "HUBS", [0, 16])  # a choice
        cpu.total(given, threads=1)
        cpu.by_vertex(given, threads=1)
        patch.setattr(walked_supports, "_MADE", 1e12)
        neighbourhoods.by_edge(given, threads=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(middle_lists, "_SMALL", 0)  # lists as of a large graph
        unsigned = middle_lists.as_unsigned(given.indices)
        middle_lists.middle_lists(given.indptr, unsigned, given.indptr[:-1], threads=1)
    neighbourhoods.by_edge(given, threads=1)
    for chunk_bytes in (8, None):
        four_vertex.by_vertex(given, threads=1, chunk_bytes=chunk_bytes)
    squares.by_vertex(given, threads=1)
    five_vertex.by_vertex(given, threads=1)
    edge_orbits.four_by_edge(given, threads=1)
    edge_orbits.five_by_edge(given, threads=1)
    vertex_arrays.neighbour_sums(given, given.degree[:, None], threads=1)
    values = np.ones(given.num_edges)
    weighted_triangles.by_vertex(given, values, threads=1, hubs=60)
    weight_sums.sum_at_ends(given, values, threads=1)
    weight_sums.sums_and_pairs(given.indptr, values, threads=1)
    vertex_arrays.take(given.degree, given.rank, threads=1)
    rows.slots_of_edges(given, SOURCE.astype(given.rank.dtype), TARGET.astype(given.rank.dtype), threads=1)
    for labelled in (False, True):
        closed_triads.by_code(given, labelled=labelled, threads=1)
    closed_triads.by_role(given, ROLE_OF_CODE, threads=1)
    vertex_census.census_by_vertex(given, (1, 1), threads=1)
    vertex_census.wedges(given, threads=1)
    labelled_wedges(given, threads=1)
    for name in ("003", "012", "201", "030T"):
        list(list_triads(given, name, 9))
    at_entry = np.ones(given.num_edges)
    motif_intensity.by_type(given, at_entry, at_entry, at_entry, threads=1)
    group = np.zeros(given.num_vertices, dtype=np.int32)
    count_typed_triads(given, id_rows.rows_above(given, threads=1), "030T", group, 1)
    listing = triangle_listing.TriangleListing(given, threads=1)
    listing.write(0, listing.count(0, listing.blocks), np.empty((9, 3), dtype=np.int64))
    few = np.array([5, 80])
    triangles_at.triangles_at(given.indptr, given.indices, few, few, threads=1)
    triangles_at.costs_at(given.indptr, given.indices, few, threads=1)
    for threads in (1, 2):  # two threads share a round only if it is long enough
        trussness.trussness(given, threads=threads)
    vertex_arrays.divide_at_vertices(given.degree, given.degree, given.rank, values)
    vertex_arrays.divide_by_pairs(given.degree, given.degree, 0, 9, values)
    vertex_arrays.sums_of_runs(values, np.array([0, 9]))


def count_events(ids):
    """Count the motifs of timed events, whose numbers are of a type."""
    ends = [end[SOURCE != TARGET].astype(np.int32) for end in (SOURCE, TARGET)]
    time = np.arange(len(ends[0]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(event_orientation, "_MOST_EVENTS_32", 0 if ids is np.uint64 else 1 << 30)
        twice = [np.concatenate([end, end]) for end in ends]
        times = np.arange(2 * len(time))
        oriented = event_orientation.orient_events(*twice, times, 82, threads=1)
        reach = event_reach.reach_of(oriented, 99)
        for long in (False, True):
            patch.setattr(timed_wedges, "windows_are_long", lambda *_, long=long: long)
            temporal_motifs.motifs_of_vertices(oriented, 99, False, threads=1)
            temporal_motifs.two_events_of_vertices(oriented, 99, False, threads=1)
        far_apart = event_orientation.orient_events(*twice, times * (2**40 + 1) + times**2, 82, threads=1)
        event_reach.reach_of(far_apart, 99)
        call_what_kernels_of_events_call(oriented, reach)
        first_events.motifs_by_first_event(*ends, time, 99, 82, None, 164, events=3, simultaneous=False, threads=1)
    few, none = np.zeros(len(time), dtype=np.int64), np.zeros(83, dtype=np.int64)
    place, walked = np.zeros((len(time), 2), dtype=np.int64), np.zeros((len(time), 3), dtype=np.int64)
    first_events.merge(0, *ends, few, few, none, few, place, walked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moving_window, "_INT32", 0 if ids is np.uint64 else 2**31)
        pairs = moving_window.pair_list(*ends, 82)
    steps = np.arange(len(time))
    for triads in (False, True):
        moving_window.count_windows(pairs, np.maximum(steps - 99, 0), steps, triads=triads, threads=1)
    call_what_windows_call(pairs)


def call_what_kernels_of_events_call(oriented, reach):
    """Call the functions that kernels of events call; a kernel from the cache does not compile them."""
    key, counts = np.int64(50), np.zeros(24, dtype=np.int64)
    event_reach.after_window(oriented.moments, np.int64(0), np.int64(9), key)
    event_reach.begin_of_window(oriented.moments, np.int64(0), np.int64(9), key)
    event_reach.bound_of_triples(oriented.indptr, oriented.moments, oriented.places, *reach)
    timed_wedges.looked_up_events(oriented, reach)
    timed_wedges.walked_entries(oriented.row_indptr, oriented.heads)
    timed_wedges.pair_of(oriented.row_indptr, oriented.heads, np.int64(1), np.int64(2))
    timed_triangles.first_from(oriented.events, np.int64(0), np.int64(9), key)
    whole = [np.int64(number) for number in (0, 9, 0, 4, 9, 1, 1, 1, 1, 1)]
    timed_pairs.add_stars(oriented.moments, *whole[:5], False, *whole[5:], counts)


def call_what_windows_call(pairs):
    """Call the functions that the kernel of moving windows calls; a kernel from the cache does not compile them."""
    one, state = np.int64(1), moving_window._empty(pairs, triads=True)
    window = np.zeros(2, dtype=np.int64)
    moving_window.move(pairs.pair, pairs.direction, state.events, state.state, state.touched, window, np.int64(0), one)
    moving_window.change(
        np.int64(pairs.pair[0]),
        *pairs[2:],
        *state[:4],
        state.degree,
        state.triangles,
        state.of_degree,
        state.sums,
        True,
    )
    moving_window.sum_of_coefficients(state.of_degree)
    moving_window.turned(one)
    moving_window.turn(one, one, one, state.degree, state.sums)
    moving_window.pair_of(one, one + one, pairs.high, pairs.up)


def count_small_graphs(given, source, target):
    """Count and orient as small graphs are."""
    cuts = {"cuts": np.array([0, given.num_vertices]), "threads": 1}
    for count in (small_graphs.total, small_graphs.by_vertex, small_graphs.by_entry, small_graphs.by_code):
        count(given, **cuts)
    small_graphs.by_role(given, ROLE_OF_CODE, **cuts)
    small_graphlets.by_vertex(given, **cuts)
    small_graphlets.squares_by_vertex(given, **cuts)
    n, m = given.num_vertices, given.num_edges
    support, at = np.zeros(m, dtype=np.int32), [np.zeros(n, dtype=np.int64) for _ in range(3)]
    indices = middle_lists.as_unsigned(given.indices)
    small_graphlets.add_tetrahedra(given.indptr, indices, 0, n, support, at[0])
    small_graphlets.add_off_chord(given.indptr, indices, 0, n, support, at[1])
    small_graphlets.add_squares(given.indptr, indices, given.degree, 0, n, at[2])
    graph_of_vertex = np.zeros(n, dtype=np.int64)
    small_sort.rank_in_graphs(given.degree, graph_of_vertex, np.array([0, given.num_vertices]), given.rank.copy())
    small_sort.first_between_graphs(source, target, graph_of_vertex)
    ends, rank = np.zeros(n, dtype=np.int64), given.rank.astype(np.int32)
    small_sort.count_ends(source.astype(np.int32), target.astype(np.int32), ends)
    empty = np.zeros(n + 1, dtype=np.int64), np.empty(len(source), np.int32), np.empty(0, np.uint8), ends.copy()
    small_sort.sort_few(source.astype(np.int32), target.astype(np.int32), rank, *empty)
    small_sort.count_in_order(source, graph_of_vertex, np.zeros(1, dtype=np.int64))
    orient_few(source, target, given.num_vertices, directed=True)


def call_what_kernels_call(given, ids):
    """Call the functions that kernels call; a kernel from the cache does not compile them."""
    columns, mark = given.indices.astype(ids), np.zeros(32, dtype=np.int64)
    neighbourhood_kernels.lowest(int(neighbourhood_kernels.words_before(3)))
    for meet in (tetrahedra.count_in_short_row, tetrahedra.count_in_long_row):
        meet(mark, 0, 4, mark.copy(), mark.copy())
    nowhere, paths = np.zeros(32, dtype=np.int32), np.zeros((82, 2), dtype=np.int64)
    squares.fetch_ahead(given.indptr, columns, given.indptr, columns, nowhere, 0)
    squares.add_from_many(given.indptr, columns, given.indptr, columns, nowhere, 0, 0, 0, 0, paths)
    squares.add_from_few(given.indptr, columns, given.indptr, columns, nowhere, 0, 0, 0, 0, paths, paths.copy())
    values, one = np.ones(82), np.uint64(1)
    weighted_triangle_kernels.add_hits(columns, values, np.zeros(1, dtype=np.uint64), one, 1.0, values, values.copy())
    weighted_row_sort.combined(1.0, 2.0, weighted_row_sort.SUM)
    weighted_row_sort.sum_in_rising_order(mark[:3], values[:3], -1)
    table, bits, row_start = np.zeros(2, dtype=np.uint16), np.zeros(4, dtype=np.int64), np.zeros(3, dtype=np.int64)
    weighted_tiling_kernels.group_weighted_by_rows(
        mark[:2], bits[:2], 0, 0, 0, table, row_start, 3, row_start.copy(), bits.copy(), bits.copy()
    )
    weighted_triangle_kernels.join_parts(given.indptr, mark[:2], mark[:2], values)
    list_walk.mark_row(columns, 0, 5, mark)
    list_walk.marked(mark, 5)
    list_walk.unmark_row(columns, 0, 5, mark)
    list_walk.fetch_row_ahead(given.indptr, columns, columns, 0, 60)
    flags = np.ones(82, dtype=np.uint8)
    tile_triangles.fetch_whole_row_ahead(given.indptr, columns, columns, 0, 60)
    closed_triads.walk_whole_row(given.indptr, columns, np.int64(60), flags)
    closed_triads.walk_row(given.indptr, columns, 60, int(columns[given.indptr[60]]), flags)
    closed_triads.place_of_middle(columns, given.indptr[60], given.indptr[61], int(columns[given.indptr[61] - 1]))
    three = np.ones(3, dtype=np.int64)
    for add in (vertex_census._add_mutual, vertex_census._add_out, vertex_census._add_in):
        add(np.ones(6, dtype=np.int64), three)
    above, below = id_rows.rows_above(given, threads=1), id_rows.rows_below(given, threads=1)
    typed_triads._state(above, 0, 1)
    codes, flags = np.ones(64, dtype=bool), np.ones(82, dtype=np.uint8)
    found = np.empty((9, 3), dtype=np.int64)
    listing = triad_list_kernels
    seconds = np.empty_like(given.rank)
    listing._seconds(above, below, seconds[:0], 2, codes, 1, flags, seconds)
    listing._far(above, below, codes, 1, flags, seconds, 0)
    listing._in_both(above, codes, 1, seconds[0], 0, 3, flags, found, 0)
    listing._in_one(above, above, codes, 1, seconds[0], 0, 3, flags, found, 0)
    listing._in_neither(above, 1, seconds[0], 3, flags, found, 0)
    listing._write(1, seconds[0], seconds[0], found, 0)
    list_walk.position(columns, 0, 9, 3)
    rows.rank_by_degree(given.degree, np.empty(82, dtype=given.rank.dtype))


def draw_everything(given):
    """Draw wedges and paths, and call the functions that kernels of draws call."""
    for local in (False, True):
        table = wedge_sampling.row_table(given, local=local, threads=1)
        wedge_sampling.tally(given, table, 1, 0, 99, local, threads=1)
    table = wedge_sampling.row_table(given, local=False, threads=1)
    wedge_sampling.draws(given, table, 1, 0, 99, threads=1)
    lengths, before = np.diff(given.indptr), np.empty(given.num_vertices + 1, dtype=np.uint64)
    range_wedges.add_up_rows(lengths, given.degree, 0, before)
    places = np.empty((9, 2), dtype=np.int64)
    range_wedges.choose_in_range(
        lengths, before, before[-1], np.uint64(0), np.uint64(1), 0, places[:, 0].copy(), places[:, 1].copy(), places
    )
    near = neighbour_choice.neighbours(given, threads=1)
    for centred in (False, True):
        paths = path_sampling.PathTables(given, near, centred=centred, threads=1)
        paths.tally(1, 0, 99, threads=1)
        paths.draws(1, 0, 99, threads=1)
    members, start = np.arange(given.num_vertices), np.array([0, given.num_vertices])
    none, many = np.zeros(1, dtype=np.int64), np.array([99])
    local_wedge_sampling.closed_by_class(near, members, start, 1, none, many, threads=1)
    one, key, numbers, columns = np.int64(1), np.uint64(1), np.arange(9), near.indices
    neighbour_choice.neighbour(*near.arrays, one, one)
    neighbour_choice.entry_of(given.indptr, columns, one, one + one)
    weighted_choice.group_of(*table.arrays, key)
    weighted_choice.place_below(key, one)
    wedge_sampling.row_weight(one, one, one)
    wedge_sampling.closed_weight(one + one, one + one, one + one)
    rooms = [np.zeros(shape, dtype=np.int64) for shape in ((4, 64), (64, 3), 64)]
    wedge_sampling.find_batch(given.indptr, columns, 1, rooms[1], 1, 2, rooms[0])
    weights, state = (near.indptr, columns, given.degree, np.zeros(0, dtype=np.uint32)), np.zeros(0, dtype=np.uint8)
    path_sampling.edge_weight(*weights, one, one)
    four = np.array([0, 1, 2, 3])
    path_sampling.class_of(given.indptr, columns, four, True)
    plain = path_sampling.PathTables(given, near, centred=False, threads=1)
    first = plain.first_row, plain.table.before, 0, key, key
    path_sampling.draw_path(*near.arrays, given.degree, plain.place, *first, four)
    room = np.zeros(64, dtype=np.uint64), rooms[2], np.zeros((64, 4), dtype=np.int64), rooms[2].copy()
    of = given.degree, plain.place, plain.first_row
    path_sampling.draw_batch(*near.arrays, *of, *plain.table.arrays, np.uint64(plain.table.total), key, 0, 9, *room)
    of = given.indptr, columns, state, given.degree, *table.arrays
    choose = given.indptr, given.degree, *table.arrays, np.uint64(table.total), 0, key, 0
    wedge_sampling.choose_batch(*choose, 9, room[0], rooms[0], rooms[1])
    wedge_sampling.choose_places(*choose, rooms[1], np.zeros((64, 2), dtype=np.int64))
    wedge_sampling.draw_batch(*of, np.uint64(table.total), 0, key, 0, 9, room[0], rooms[0], rooms[1], rooms[2])
    before, ranks = np.ones(given.num_vertices + 1, dtype=np.uint64), np.zeros((9, 4), dtype=np.int64)
    before[0] = 0  # rank 0, of the highest degree, is drawn
    subgraph_draws.draw_stars(*near.arrays, before, key, numbers, ranks)
    subgraph_draws.write_codes(given.indptr, columns, state, ranks[:, :3].copy(), numbers)
    subgraph_draws.edges_of_leaves(given.indptr, columns, ranks, numbers)
    subgraph_draws.unit_draws(key, numbers, key, np.zeros(9))
    subgraph_draws.places_below(key, numbers, key, 9, numbers.copy())


def call_what_kernels_of_orbits_call(given):
    """Call the functions that kernels of orbits call."""
    whole = whole_rows.whole_rows(given, threads=1)
    listed = edge_triangles.edge_triangles(given, whole, threads=1)
    n, m = given.num_vertices, given.num_edges
    common, joined, reached = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    at_edge, number, one = np.zeros(m, dtype=np.int64), np.ones(n, dtype=np.int64), np.int64(1)
    sums, of_class, at_pair = (np.zeros((n, columns), dtype=np.int64) for columns in (12, 12, 2))
    triangles = listed.ptr, listed.third, listed.low, listed.high
    row_support, shared = np.zeros(2 * m, dtype=np.int32), np.zeros(n, dtype=np.int32)
    of, pairs = common_neighbours, (common, at_pair)
    rows_of, to_common = (whole.ptr, whole.ends, whole.edges), (listed.ptr, listed.third, listed.low)
    bit_ptr, bits, mean = np.zeros(n + 1, dtype=np.int64), np.zeros(8 * m, dtype=np.int64), np.zeros(n, dtype=np.int64)
    of.add_links(*rows_of, *triangles, row_support, number, bit_ptr, bits, mean, 0, 0, *pairs, shared, of_class, sums)
    of.count_shared(*to_common, one, 0, -1, shared)
    of.add_by_bits(whole.ptr, whole.ends, bit_ptr, bits, one, whole.ptr[2] - 1, False, *pairs, shared)
    of.add_by_lists(*to_common, one, 0, *pairs, shared)
    of.add_pair(one, one, *pairs)
    of.add_ends(whole.ptr, number, 0, one, 0, reached, *pairs, of_class, sums)
    of.add_middles(*rows_of, row_support, number, 0, one, *pairs, at_edge, of_class, sums)
    vertices = np.arange(3)
    shared_cliques.add_four_cliques(*vertices, *vertices, np.int64(1), listed.support, at_edge, sums)
    shared_cliques.add_five_cliques(joined, 1, 3, 2, np.int64(1), reached, joined.copy())
    five_cycles.beyond(whole.ptr, whole.ends, np.int64(1), 0, whole.ptr[:-1].copy())
    for of in (orbit_sums.pairs_of, orbit_sums.triples_of, orbit_sums.fours_of):
        of(9)
    orbit_sums.finish(np.zeros(73, dtype=np.int64), 0, 0, 0)
    call_what_kernels_of_edge_orbits_call(whole, listed, row_support)


def call_what_kernels_of_edge_orbits_call(whole, listed, row_support):
    """Call the functions that kernels of edge orbits call."""
    n, m = len(whole.ptr) - 1, len(listed.support)
    rows_of, triangles = (whole.ptr, whole.ends, whole.edges), (listed.ptr, listed.third, listed.low, listed.high)
    paths, beyond, at_edge = (np.zeros(shape, dtype=np.int64) for shape in (n, (n, 2), 8 * m))
    edge_common_neighbours.add_diamonds(*rows_of, *triangles, 0, paths, beyond, at_edge)
    edge_common_neighbours.add_middles(*rows_of, row_support, 0, paths, beyond, at_edge)
    word, sums, one = np.zeros(1, dtype=np.int64), np.zeros(99, dtype=np.int64), np.int64(1)
    edge_cliques.add_thirds(word, 1, 3, 3, 2, one, one, one, one, one, sums)
    edge_cliques.add_five_cliques(word, 1, 3, 3, 2, one, word.copy(), sums)
    edge_cliques.add_to_edges(whole.edges, *triangles[:2], listed.high, np.zeros(n, np.int64), 0, 0, 1, sums, at_edge)
    edge_cliques.move(sums, 0, 2, one, at_edge)
    row, at, end = np.zeros(68, dtype=np.int64), np.zeros(8, dtype=np.int64), np.zeros(12, dtype=np.int64)
    edge_orbit_rows.fill_four(row, at, end, end)
    cliques = np.zeros(len(listed.third), dtype=np.int32)
    at_edges, at_vertices = np.zeros((m, 8), dtype=np.int64), np.zeros((n, 12), dtype=np.int64)
    third = triangles[1:]
    edge_orbit_rows.add_triangles(row, one, one, one, one, *third, cliques, at_edges, at_vertices)
    for finish in (edge_orbit_rows.finish_trees, edge_orbit_rows.finish_triangles, edge_orbit_rows.finish_denser):
        finish(row, at, end, end)


def tile_and_join(folder):
    """Make tiles of a file of arcs, and join the tiles of each triple of ranges."""
    triadic.write(Graph.from_edges(SOURCE, TARGET, directed=True), folder / "arcs.txt")
    for directed in (False, True):
        tiled = triadic.tile(folder / "arcs.txt", folder / f"{directed}", ranges=3, directed=directed, threads=1)
        tiles = tiled.oriented().source
        for triple in triples(tiles.layout):
            part = join(tiles, triple, threads=1)
            cpu.total(part, threads=1)
            for count in (tile_triangles.total, tile_triangles.by_vertex, tile_triads.by_code):
                count(part.span, threads=1)
            tile_triads.by_role(part.span, CLOSED_TYPE_OF_CODE, threads=1)
            i, j, k = triple
            near, middle, far = (
                (tile, np.zeros(len(tile.indices), dtype=np.int32))
                for tile in (tiles.tile(i, k), tiles.tile(j, k), tiles.tile(i, j))
            )
            add_supports_of_tiles(near, middle, far, tiles.layout.length(k), (0, tiles.layout.length(i)))
        cuts = np.array([0, 20, 50, tiles.layout.vertices])
        recutting.tested_in_ranges(tiles, cuts)
        recut = recutting.RecutTiles(tiles, recutting.recut_layout(tiles, cuts))
        for ranges in np.ndindex(3, 3):
            if ranges[1] <= ranges[0]:
                recut.tile(*ranges)
    tiling_kernels.count_columns(np.zeros(3, dtype=np.int32), np.zeros(3, dtype=np.int64))
    rank, values = np.zeros(3, dtype=np.int32), np.zeros(3, dtype=np.int64)
    vertex_arrays.gather_window(values, 0, rank, 0, 3, values.copy())
    recut_kernels.first_at_least(rank, 0, 3, 1)
    name_hash.hash_names(np.zeros(3, dtype=np.uint8), np.arange(1, 4), np.zeros(3, dtype=np.uint64))
    ids, room = np.array([3, 5, 9]), [np.zeros(3, dtype=np.int64) for _ in range(3)]
    for numbers in (ids, ids * 10**12):  # in a table, and in a rising list
        found = ValuesOfNumbers([numbers], [np.arange(3)], rows=3)
        assert found.table[found.places(numbers)].tolist() == [0, 1, 2]
    id_kernels.add_counts(ids, ids, 3, np.zeros(7, dtype=np.int64))
    id_kernels.group_of_degree(1, np.array([2, 1, 0], dtype=np.int32), ids)
    id_kernels.rank_in_groups(np.array([1, 2, 1]), 2, np.array([2, 1, 0], dtype=np.int32), ids[:2], ids[:2], *room)


def add_up_exactly(oriented):
    """Add up values of edges as integers, and round the sums."""
    values = np.linspace(-1, 1, oriented.num_edges)
    for count in (tile_products.products_of_graph, tile_products.pairs_of_graph):
        limbs = count(oriented, values, threads=1)
        fixed_point.rounded(limbs, fixed_point.PRODUCT_FRACTION, threads=1)
    sums = strengths.strengths(oriented, np.abs(values), threads=1)
    fixed_point.rounded_pairs(sums, threads=1)
    digits, ends = np.zeros(9, dtype=np.uint64), limbs[:2].copy()
    columns = middle_lists.as_unsigned(oriented.indices)
    fixed_point.digits_of(limbs, 0, 0, digits)
    fixed_point.nearest(digits, 1)
    fixed_point.split(0.5, fixed_point.PRODUCT_FRACTION, fixed_point.PRODUCT_LIMBS)
    fixed_point.add_square(0.5, sums, 0)
    tile_products.add(0.5, limbs, 0)
    for add in (tile_products.add_products, tile_products.add_pairs):
        add(columns, values, np.zeros(1, dtype=np.uint64), 1, values, 0.5, limbs, ends)


def compile_called_kernels():
    """Compile again what was loaded from the cache: a loaded kernel does not bring the kernels that it calls."""
    missing = {name.partition(".")[0] for name, kernel in KERNELS.items() if not kernel.signatures}
    for name, kernel in KERNELS.items():
        if name.partition(".")[0] in missing:
            kernel.recompile()


def stream_edges():
    """Let edges come and go in a stream that keeps a part of them."""
    stream = triadic.EdgeStream(seed=1)
    stream.add(SOURCE, TARGET)
    stream.remove(SOURCE[:9], TARGET[:9])
    ends = np.arange(2, dtype=np.uint64)
    edge_sample.slot_of(np.ones((4, 2), dtype=np.uint64) * ends, ends[0], ends[1])
    edge_sample._free(np.zeros((4, 2), dtype=np.uint64), np.int64(1))
    edge_sample.home(np.zeros((4, 2), dtype=np.uint64), ends[0], ends[1])


@pytest.fixture(scope="module", autouse=True)
def everything_has_run(tmp_path_factory):
    """Run every kernel on 32-bit and on 64-bit ids."""
    tile_and_join(tmp_path_factory.mktemp("tiles"))
    stream_edges()
    oriented = prepared()
    add_up_exactly(oriented)
    wide = Oriented(
        oriented.rank.astype(np.int64), oriented.indptr, oriented.indices.astype(np.int64), None, oriented.degree
    )
    for given, ids in ((oriented, np.uint32), (wide, np.uint64)):
        with pytest.MonkeyPatch.context() as patch:
            widen_ends(patch, ids)
            count_everything(given)
            count_a_mesh(given)
            count_small_graphs(given, SOURCE.astype(given.rank.dtype), TARGET.astype(given.rank.dtype))
        call_what_kernels_call(given, ids)
        count_events(ids)
        call_what_kernels_of_orbits_call(given)
        draw_everything(given)
    compile_called_kernels()


def test_the_kernels_are_found():
    assert len(KERNELS) >= 35
    for module in (neighbourhood_kernels, tetrahedra, vertex_census):
        assert any(name.startswith(module.__name__.rpartition(".")[2]) for name in KERNELS)


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_was_compiled(name):
    assert KERNELS[name].signatures


@pytest.mark.parametrize("name", OF_INTEGERS)
def test_no_argument_or_result_is_a_float(name):
    for signature, overload in KERNELS[name].overloads.items():
        assert "float" not in str(signature)
        assert "float" not in str(overload.signature.return_type)


@pytest.mark.parametrize("name", OF_INTEGERS)
def test_no_variable_inside_is_a_float(name):
    for overload in KERNELS[name].overloads.values():
        found = variable_types(overload)
        assert found
        assert not [kind for kind in found if "float" in kind or "complex" in kind]


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_release_the_interpreter(name):
    assert KERNELS[name].targetoptions["nogil"] is True
    assert not KERNELS[name].targetoptions.get("parallel")


def test_a_float_would_be_found():
    """The tests above would also pass if they inspected no variable."""
    kernel = numba.njit(lambda a: int(a[0] * 0.5) + 1)
    kernel(np.ones(1, dtype=np.int64))
    assert [found for overload in kernel.overloads.values() for found in variable_types(overload) if "float64" in found]
