"""The figures of ``triadic significance``, as a record and as a file."""

from __future__ import annotations

from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any

from triadic.cli.counting import count_file
from triadic.errors import ArgumentError, WriteError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Unpack

    from triadic.cli.counting import Counted, Keywords, Options
    from triadic.graph.graph import Graph
    from triadic.measures.significance_result import Significance

_SUFFIXES = (".csv", ".parquet")


def take_significance(
    path: Path,
    *,
    of: str,
    null: str | None,
    samples: int,
    steps: int | None,
    seed: int | None,
    **options: Unpack[Options],
) -> Counted[Significance]:
    """Read a network and hold its counts against those of random ones."""
    from triadic.measures import significance  # noqa: F401 - the engine: loaded before the clock runs
    from triadic.measures.profiled_counts import PROFILED
    from triadic.null_models.model import NULLS

    if of not in PROFILED:  # told before a long reading
        raise ArgumentError(f"--of {of}: expected {', '.join(PROFILED)}")
    if null is not None and null not in NULLS:
        raise ArgumentError(f"--null {null}: expected {', '.join(NULLS)}")
    if samples < 2:
        raise ArgumentError(f"--samples {samples}: expected at least 2, or there is no deviation")
    count = partial(_significance, of=of, null=null, samples=samples, steps=steps, seed=seed)
    return count_file(path, count, what=PROFILED[of].needed.name, **options)


def record(found: Significance) -> dict[str, Any]:
    """Give plain numbers and strings, for JSON, which has no nan."""
    return {
        found.of: found.to_dict(),
        "profile": {name: None if isnan(score) else score for name, score in found.profile.items()},
        "null": found.null,
        "samples": len(found.samples),
        "steps": found.steps,
        "seed": found.seed,
        "resolution": found.resolution,
    }


def check(path: Path) -> None:
    """Raise where `write` could not write, before any work is done for it."""
    if path.suffix not in _SUFFIXES:
        raise ArgumentError(f"{path}: expected a file whose name ends in {' or '.join(_SUFFIXES)}")
    if not path.parent.is_dir():
        raise WriteError(f"{path}: there is no folder {path.parent}")


def write(path: Path, found: Significance) -> None:
    """Write a row a name, an undefined z as nothing; the file appears whole or not at all."""
    import pyarrow as pa

    from triadic.io.whole_file import whole_file

    profile = found.profile
    wide = max(found.counts) >= 2**63
    table = pa.table(
        {
            "name": list(found.names),
            "count": pa.array(found.counts, type=pa.decimal128(38, 0) if wide else None),
            "mean": found.mean,
            "std": found.std,
            "z": pa.array(found.z, from_pandas=True),
            "p": found.p,
            "profile": pa.array([profile.get(name) for name in found.names], type=pa.float64(), from_pandas=True),
        }
    )
    with whole_file(path) as temporary:
        if path.suffix == ".parquet":
            import pyarrow.parquet

            pyarrow.parquet.write_table(table, temporary)
        else:
            import pyarrow.csv

            pyarrow.csv.write_csv(table, temporary)


def _significance(
    graph: Graph,
    keywords: Keywords,
    *,
    of: str,
    null: str | None,
    samples: int,
    steps: int | None,
    seed: int | None,
) -> Significance:
    from triadic.measures.significance import significance

    return significance(graph, of=of, null=null, samples=samples, steps=steps, seed=seed, **keywords)
