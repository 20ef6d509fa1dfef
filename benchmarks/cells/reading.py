"""Reading of a compressed edge list to a graph, compared with Arrow, which parses the same bytes into two columns."""

from __future__ import annotations

from contextlib import contextmanager

import triadic
from contest import Cell, Contender, Goal, LeftOutError, Settings

_FILE = "web-NotreDame.txt.gz"
_HEADER_LINES = 4
_ARROW = "pyarrow, columns only"


def cells():
    yield Cell("read", _FILE.split(".", maxsplit=1)[0], _reading, {_ARROW: Goal(ratio=1 / 3)})


@contextmanager
def _reading(settings: Settings):
    import pyarrow as pa
    from pyarrow import csv

    path = settings.data / _FILE
    if not path.exists():
        raise LeftOutError(f"{path} does not exist; TRIADIC_DATA names another folder of networks")
    pa.set_cpu_count(settings.threads)

    def columns(_):
        return csv.read_csv(
            path,
            read_options=csv.ReadOptions(column_names=["source", "target"], skip_rows=_HEADER_LINES),
            parse_options=csv.ParseOptions(delimiter="\t"),
        )

    def entries(graph):
        return graph.num_arcs + graph.dropped.loops + graph.dropped.duplicates

    yield [
        Contender("triadic", count=lambda _: triadic.read(path), numbers=entries),
        Contender(_ARROW, count=columns, numbers=lambda table: table.num_rows),
    ]
