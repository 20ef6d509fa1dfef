"""Every public function and every argument with values that nobody meant: a result, or one line that names it.

A call that returns is fine, unless the annotation of the argument rules the value out, such as a text for a flag. A
call that fails raises an exception of triadic, in one line that is short, and names the argument or shows its value.
Workers run under a limit on memory and on time.
"""

from __future__ import annotations

import decimal
import fractions
import inspect
import io
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types
import warnings
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from multiprocessing import get_context
from multiprocessing.connection import wait
from numbers import Integral, Real
from pathlib import Path

import numpy as np

from files import address_space

MEMORY = 1 << 30
SECONDS = 10
LONGEST = 600  # characters of a message
LONG = 100_000
# Arguments that are one of a few words, and words that none of them is.
CHOICES = (
    "device",
    "combine",
    "null",
    "ties",
    "over",
    "method",
    "definition",
    "mean",
    "kernel",
    "kind",
    "absent",
    "by",
    "of",
)
NO_CHOICE = ("", " ", "undirected", "cpu:0", "true")
SLOW = ("triadic.report", "triadic.plot.graphlets")  # seconds a call; left out of a draw
EXCLUDED = {"within": ("samples",), "offsets": ("graph_of_vertex",)}  # arguments that leave out others


def values():
    """Return the values by name, as functions: a generator and an open file are used up by one call."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # its threads leave no address space to ours

    import networkx as nx
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import scipy.sparse

    import triadic

    class Plain:
        """A class that knows nothing."""

    class Hostile:
        """Its text has lines."""

        def __repr__(self):
            return "hostile\n" * 1000

    recursive = []
    recursive.append(recursive)
    whole = np.arange(3)
    of_classes = [
        *(None, True, False, 0, 1, -1, 2, 3, 17, 10**8, 2**31, 2**32, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30),
        *(0.0, -0.0, 0.5, 1.5, 1e300, float("nan"), float("inf"), float("-inf"), 1j),
        *(np.True_, np.int8(-1), np.int64(2), np.uint64(2**64 - 1), np.float32(0.5), np.float64("nan"), np.str_("x")),
        *("", " ", "undirected", "true", "auto", "cpu:0", "cuda:99", "x" * LONG, "a\0b", "\ud800", "two\nlines",
          "\x1b[31m"),
        *(b"", b"bytes", b"\xff" * LONG, (), [], {}, set(), [None], [None] * 3, ["a", 1], [[0, 1], [1]], [10**30],
          [1.5], [-1]),
        *(("a", "b", "c"), {"a": None}, {0: 1}, {0, 1}, frozenset("a"), range(3), [0, 1, 2], recursive),
        *(np.array(3), np.zeros((2, 2)), np.zeros((0, 2), int), np.array([None, "a"], object), np.array([]),
          whole == 1),
        *(np.ma.masked_array([0, 1, 2], [0, 1, 0]), np.zeros(3, [("u", int), ("v", float)]), np.array(["a", "b"])),
        *(np.array([np.nan, 1]), np.array([2**64 - 1], np.uint64), np.array([1, 2], "m8[s]"), np.array(["NaT"],
          "M8[s]")),
        *(np.datetime64("2020-01-01"), np.timedelta64(1, "s"), np.datetime64("NaT"), timedelta(1), timedelta(-1)),
        *(date(2020, 1, 1), datetime(2020, 1, 1, tzinfo=UTC), decimal.Decimal("NaN"), fractions.Fraction(1, 3)),
        *(pd.Series([0, 1, 2]), pd.Series(["a", None]), pd.DataFrame({"a": [1, 2], "b": [2, 3]}), pd.DataFrame(),
          pd.NA),
        *(pl.Series([0, 1, 2]), pl.DataFrame({"u": [0, 1], "v": [1, 2]}), pa.array([0, None]), pa.table({"u": [1]})),
        *(nx.path_graph(3), nx.Graph(), scipy.sparse.eye(3).tocsr(), scipy.sparse.coo_array((2, 3)),
          triadic.Graph.from_edges([], [])),
        *(Path("/nowhere/at/all"), Path(), len, print, int, Plain, Plain(), Hostile(), triadic, NotImplemented, ...),
    ]  # fmt: skip
    found = {}
    for number, value in enumerate(of_classes):
        text = "recursive" if value is recursive else " ".join(repr(value)[:40].split()).partition(" at 0x")[0]
        found[f"{number} {type(value).__module__}.{type(value).__name__} {text}"] = lambda value=value: value
    return found | {
        "a generator": lambda: (i for i in range(3)),
        "an open file": lambda: io.StringIO("0 1\n"),
        "an open file of bytes": lambda: io.BytesIO(b"0 1\n"),
        "an iterator of nothing": lambda: iter(()),
        "a memoryview": lambda: memoryview(b"abc"),
    }


def calls(folder):
    """Return the valid calls: for each public callable its function, and its arguments by name.

    An argument that needs another one, such as ``bins=`` of ``positions=``, has it here; those that an argument
    excludes are left out where it is abused.
    """
    import matplotlib as mpl

    mpl.use("agg")
    import triadic
    from triadic import generate, plot
    from triadic.core.arcs import Arcs

    source, target = [0, 0, 1, 1, 2, 2, 3, 3, 4, 5], [1, 2, 2, 0, 0, 3, 4, 5, 5, 3]
    signs = [1.0, -2.0, 3.0, 1.0, -1.0, 2.0, 1.0, 1.0, -1.0, 2.0]
    names = list("abcdef")
    graph = triadic.Graph.from_edges(source, target, directed=True, labels=names)
    simple = triadic.Graph.from_edges(source, target)
    weighted = triadic.Graph.from_edges(source, target, weights=np.abs(signs))
    signed = triadic.Graph.from_edges(source, target, weights=np.sign(signs), combine="first")
    arcs = Arcs(np.array(source, np.int32), np.array(target, np.int32), 6, directed=True)
    batch = triadic.GraphBatch.from_graphs([simple, graph.to_undirected()])
    events = triadic.TemporalGraph.from_edges(source, target, list(range(10)))
    stream = triadic.EdgeStream(memory="20MB", seed=1)
    stream.add(source, target)
    (folder / "edges.txt").write_text("".join(f"{u} {v}\n" for u, v in zip(source, target, strict=True)))
    (folder / "events.txt").write_text(
        "".join(f"{u} {v} {i}\n" for i, (u, v) in enumerate(zip(source, target, strict=True)))
    )
    (folder / "batch.csv").write_text("graph,source,target\n0,0,1\n0,1,2\n1,0,1\n")
    stream.save(folder / "stream")
    tiles = triadic.tile(folder / "edges.txt", folder / "tiles", ranges=2)
    model = generate.ErdosRenyi(10, 20, seed=1)
    kinds, places = list("xyxyxy"), np.arange(12.0).reshape(6, 2)
    out = {"path": folder / "out.txt", "output": folder / "out.csv"}
    null = {"samples": 2, "seed": 1, "steps": 10}
    kept = {"groups": kinds, "positions": places, "bins": 2}
    given = {  # what a required argument is, unless the call says another
        "graph": graph, "a": simple, "b": graph, "source": source, "target": target, "delta": 5, "window": 4, "step": 2,
        "arcs": arcs, "vertices": 10, "num_vertices": 10, "edges": 20, "links": 2, "k": 4,
        "p": 0.1, "rows": 3, "columns": 3, "scale": 4,
        "model": model, "events": 40, "labels": ["a", "b"], "types": kinds, "samples": 2,
        "time": range(10),
        "indptr": [0, 1, 2], "indices": [1, 0], "matrix": simple.to_scipy(), "shapes": "triangle",
        "tiles": folder / "tiles", "graphs": [simple, graph], "of": "triangles",
        "groups": kinds,
        "networks": {"one": graph, "two": simple}, "i": 0, "name": "delta", "duration": 5,
        "weights": (0.0, 2.0),
        "start": 0, "table": __import__("pandas").DataFrame({"graph": [0, 0], "source": [0, 1], "target": [1, 2]}),
    }  # fmt: skip
    own = {
        "triadic.Graph": {"graph": __import__("networkx").path_graph(4)},
        "triadic.Graph.from_edges": {"weights": signs, "combine": "first", "labels": names, "num_vertices": 6},
        "triadic.Graph.from_csr": {"weights": [1.0, 1.0], "labels": ["a", "b"]},
        "triadic.Graph.from_scipy": {"labels": names},
        "triadic.GraphBatch.from_arrays": {
            "source": [0, 2],
            "target": [1, 3],
            "graph_of_vertex": [0, 0, 1, 1],
            "num_graphs": 2,
        },
        "triadic.GraphBatch.from_graphs": {"graphs": [simple, simple]},
        "triadic.Graph.with_vertices": {"table": {"label": [0, 1], "n": [1, 2]}},
        "triadic.Graph.subgraph": {"vertices": ["a", "b", "c"]},
        "triadic.TemporalGraph.to_parquet": {"path": folder / "events.parquet"},
        "triadic.EdgeStream": {"memory": "20MB", "seed": 1},
        "triadic.EdgeStream.load": {"path": folder / "stream"},
        "triadic.EdgeStream.save": {"path": folder / "stream.out"},
        "triadic.EdgeStream.vertex_of": {"name": "a"},
        "triadic.EdgeStream.update": {"added": [True] * 10},
        "triadic.triangles": {"vertices": ["a"]},
        "triadic.clustering": {"vertices": ["a"]},
        "triadic.triad_census": {"vertices": ["a"]},
        "triadic.estimate": {"of": "transitivity", "samples": 50, "seed": 1, "max_seconds": 1.0},
        "triadic.estimate_stream": {"memory": "20MB", "seed": 1, "path": folder / "edges.txt"},
        "triadic.k_truss": {"k": 3},
        "triadic.mmd": {"a": batch, "b": batch, "of": "degree"},
        "triadic.randomize": {**null, **kept},
        "triadic.significance": {**null, **kept, "of": "triads"},
        "triadic.list_triads": {"of": "030T"},
        "triadic.list_matches": {"of": "A -> B; B -> C"},
        "triadic.explain": {"of": "A -> B; B -> C"},
        "triadic.tile": {"path": folder / "edges.txt"},
        "triadic.sample": {"of": "012", "samples": 3},
        "triadic.over_time": {"of": "clustering"},
        "triadic.shuffle_events": {"graph": events, "samples": 2, "seed": 1, "null": "shuffled_times"},
        "triadic.report": {"samples": 2, "seed": 1, "size": 4, "path": folder / "out.html"},
        "triadic.read": {"path": folder / "edges.txt"},
        "triadic.io.read_arcs": {"path": folder / "edges.txt"},
        "triadic.read_batch": {"path": folder / "batch.csv"},
        "triadic.read_temporal": {"path": folder / "events.txt"},
        "triadic.signed_triangles": {"graph": signed},
        "triadic.structural_balance": {"graph": signed},
        "triadic.motif_intensity": {"graph": weighted},
        "triadic.weighted_clustering": {"graph": weighted},
        "triadic.TiledGraph.index": {"labels": [0, 1]},
        "triadic.TiledGraph.of": None,  # needs a cluster
        "triadic.generate.connectome": {"num_vertices": 50, "arcs": 100, "types": 5},
        "triadic.generate.write_parquet": {"path": folder / "out.parquet"},
        "triadic.generate.delaunay": {"seed": 1},
        "triadic.plot.significance_profile": {"samples": 2, "seed": 1},
        "triadic.plot.intensity": {"graph": weighted},
        "triadic.plot.types": {"typed": triadic.count(graph, ["030T"], by="type", types=kinds)},
        "triadic.vertex_table": {"of": ["degree"]},
        "triadic.Graph.filter": {"weights": (0.0, 2.0)},
    }
    timed = ("temporal_motifs", "over_time")
    of_events = {f"triadic.{name}" for name in timed} | {"triadic.plot.temporal_motifs"}
    selves = {
        "Graph": weighted, "GraphBatch": batch, "TemporalGraph": events, "TiledGraph": tiles, "EdgeStream": stream,
        "GraphletTransform": triadic.graphlet_transform(simple), "Table": triadic.vertex_table(graph, ["degree"]),
    }  # fmt: skip
    made = {}
    for name, function in public(triadic, generate, plot):
        if own.get(name, {}) is None:
            continue
        owner = name.split(".")[1]
        bound = function
        if isinstance(function, types.FunctionType) and owner in selves and name.count(".") == 2:
            subject = graph if name in ("triadic.Graph.subgraph", "triadic.Graph.index") else selves[owner]
            bound = getattr(subject, function.__name__)
        parameters = inspect.signature(bound).parameters
        needed = {key: given.get(key, out.get(key)) for key, one in parameters.items() if is_required(one)}
        if name in of_events:
            needed |= {"graph": events, "delta": 5} if "delta" in parameters else {"graph": events}
        made[name] = bound, needed | own.get(name, {})
    made["triadic.significance of events"] = (
        triadic.significance,
        {"graph": events, "delta": 5, "samples": 2, "seed": 1},
    )
    made["triadic.report of events"] = (
        triadic.report,
        {"graph": events, "delta": 5, "samples": 2, "path": folder / "out.html"},
    )
    made["triadic.shuffle_events of links"] = (
        triadic.shuffle_events, {"graph": events, "null": "shuffled_links", "steps": 10, "samples": 2}
    )  # fmt: skip
    made["triadic.temporal_motifs in windows"] = (
        triadic.temporal_motifs, {"graph": events, "delta": 5, "by": "time", "window": 4, "step": 2}
    )  # fmt: skip
    return made


def is_required(parameter):
    """Return whether a call needs a parameter; keywords of any name need none."""
    return parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD


def is_meant(argument, value):
    """Return whether a value means what happens: hours of work, or a function that raises when it is called."""
    if argument == "progress":
        return callable(value)
    if isinstance(value, str) and value == "\ud800":  # part of a file name that is not UTF-8
        return argument in ("label", "name")
    return argument in ("steps", "samples") and isinstance(value, Integral) and value > 1_000_000


def clear(folder):
    """Remove what calls wrote."""
    for stale in folder.glob("out*"):
        shutil.rmtree(stale) if stale.is_dir() else stale.unlink()


def public(*modules):
    """Yield name and function of the public callables with arguments; results that only triadic makes have none."""
    made_by_users = {
        "Graph", "GraphBatch", "TemporalGraph", "TiledGraph", "EdgeStream", "GraphletTransform", "Table",
        "BarabasiAlbert", "Delaunay", "ErdosRenyi", "Grid", "RMat", "WattsStrogatz",
    }  # fmt: skip
    results = {"GraphBatch", "TemporalGraph", "GraphletTransform", "Table"}  # not made by their class
    for module in modules:
        for name in module.__all__:
            value = getattr(module, name)
            path = f"{module.__name__}.{name}"
            if inspect.isfunction(value):
                yield path, value
            elif inspect.isclass(value) and name in made_by_users:
                if name not in results:
                    yield path, value
                for method in dir(value):
                    if method.startswith("_") or method == "fill":  # into arrays that triadic makes
                        continue
                    found = inspect.getattr_static(value, method)
                    if isinstance(found, (types.FunctionType, classmethod, staticmethod)):
                        bound = getattr(value, method)
                        names = [key for key in inspect.signature(bound).parameters if key != "self"]
                        if names and "Mapping" not in bound.__qualname__:
                            yield f"{path}.{method}", bound


def ruled_out(annotation, value):
    """Return whether the annotation of an argument rules a value out for sure."""
    if value is None or isinstance(value, np.bool_):  # which is a bool, and a bool is a number; None is no weights
        return False
    words = {word.strip() for word in str(annotation).split("|")}
    if not words <= {"bool", "int", "float", "str", "None"}:
        return False
    kinds = {
        "bool": (bool, np.bool_), "int": (Integral, np.ndarray), "float": (Real, np.ndarray), "str": str,
        "None": type(None)
    }  # fmt: skip
    return not any(isinstance(value, kinds[word]) for word in words)


def attempt(function, arguments, name, value, annotation):
    """Call a function with one abused argument; return the outcome and the problem."""
    from triadic.errors import TriadicError

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            given = arguments | {name: value}
            for other in EXCLUDED.get(name, ()):
                given.pop(other, None)
            result = function(**given)
            if isinstance(result, Iterator):
                for _, _item in zip(range(5), result, strict=False):
                    pass
        except TriadicError as error:
            return judged(str(error), name, value)
        except IndexError as error:  # of batches, which are sequences
            if "IndexError" not in (function.__doc__ or ""):
                raise
            return judged(str(error), name, value)
    for warning in said:
        if warning.category.__module__.startswith("numpy") or warning.category is RuntimeWarning:
            return "FAILED", f"warning: {warning.message}"
        if "\n" in str(warning.message) or len(str(warning.message)) > LONGEST:
            return "FAILED", f"warning of {len(str(warning.message))} characters: {str(warning.message)[:300]!r}"
    if ruled_out(annotation, value) or (name in CHOICES and isinstance(value, str) and value in NO_CHOICE):
        return "FAILED", "accepted, though the annotation rules it out"
    return "answered", None


def judged(message, name, value):
    """Return the outcome of an error: whether its message is one line that names the argument."""
    from triadic.errors import escape_controls

    with suppress(Exception):
        texts = [str(value), repr(value), " ".join(repr(value).split())]
        texts += [os.fsdecode(value)] if isinstance(value, bytes) else []
        known = {escape_controls(text[:30]) for text in texts} | {type(value).__name__}
        if "\n" in message:
            return "FAILED", f"a message of several lines: {message[:300]!r}"
        if len(message) > LONGEST:
            return "FAILED", f"a message of {len(message)} characters: {message[:300]!r}"
        named = re.match(r"[\w .\[\]/-]+[:=]", message) or name in message
        if not named and not any(text and text in message for text in known):
            return "FAILED", f"neither {name} nor its value is named: {message!r}"
    return "one line", None


def work(cases, folder, connection):
    """Call in a worker, and report each outcome."""
    os.chdir(tempfile.mkdtemp(dir=folder))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # bars of progress
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def give_up(*_):
        raise BaseExceptionGroup("hangs", [TimeoutError()])

    signal.signal(signal.SIGALRM, give_up)
    known, table = values(), calls(Path.cwd())
    with address_space(MEMORY):
        for name, argument, value in cases:
            function, arguments = table[name]
            clear(Path.cwd())
            signal.alarm(6 * SECONDS if name.startswith(SLOW) else SECONDS)
            try:
                annotation = inspect.signature(function).parameters[argument].annotation
                outcome, problem = attempt(function, arguments, argument, known[value](), annotation)
            except BaseException as error:
                outcome, problem = "FAILED", "".join(traceback.format_exception(error))[-1500:]
            signal.alarm(0)
            connection.send((outcome, problem))
            if "matplotlib.pyplot" in sys.modules:
                sys.modules["matplotlib.pyplot"].close("all")
    connection.close()


def run(count, seed, folder, tally):
    """Call with `count` drawn cases, or with all if there are no more."""
    table, known = calls(folder), values()
    cases = [
        (name, argument, value)
        for name, (function, _) in table.items()
        for argument, one in inspect.signature(function).parameters.items()
        if one.kind is not one.VAR_KEYWORD  # of any name
        for value, make in known.items()
        if not is_meant(argument, make())
    ]
    for name, (function, arguments) in table.items():  # which also compiles
        clear(folder)
        try:
            function(**arguments)
        except Exception as error:
            tally.fail(f"the valid call fails: {error!r}", case=f"{name} {arguments}")
    if count < len(cases):
        cases = [case for case in cases if not case[0].startswith(SLOW)]
    drawn = [cases[i] for i in np.random.default_rng(seed).permutation(len(cases))[:count]]
    workers = os.cpu_count() or 1
    left = [drawn[i::workers] for i in range(workers)]
    running = {}

    def start(number):
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(left[number], folder, theirs))
        process.start()
        theirs.close()
        running[ours] = number, process, time.monotonic()

    context = get_context("fork")
    for number in range(workers):
        start(number)
    while running:
        for ours in wait(list(running), timeout=1):
            number, process, _ = running[ours]
            name, argument, value = (left[number] or [("", "", "")])[0]
            case = f"{name}({argument}= {value})"
            try:
                outcome, problem = ours.recv()
            except EOFError:
                process.join()
                del running[ours]
                if left[number]:
                    tally.fail(f"the process ended with {process.exitcode}", case=case)
                    left[number] = left[number][1:]
                    start(number)
                continue
            running[ours] = number, process, time.monotonic()
            left[number] = left[number][1:]
            tally.fail(problem, case=case) if outcome == "FAILED" else tally.add(outcome)
        for _, process, moved in list(running.values()):
            if time.monotonic() - moved > 12 * SECONDS:  # compiled code that no signal stops
                process.kill()
