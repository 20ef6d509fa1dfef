"""``triadic significance``: the counts of a network in a file, compared with those of random networks."""

import warnings
from functools import partial
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triadic.cli import completion
from triadic.cli.help import with_examples
from triadic.cli.null_options import NullOptions
from triadic.cli.options import BatchOptions, CountOptions, CsvOptions, Json, Network, with_options

if TYPE_CHECKING:
    from rich.table import Table

    from triadic.cli.batch_counting import BatchFigures
    from triadic.cli.counting import CountResult, MeasureKeywords
    from triadic.core.formatting import CsvStyle
    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph
    from triadic.measures.significance.result import Diagnosis, Significance

_PRESERVED = {
    "degrees": "the same degrees",
    "mutual": "the same in, out and mutual degrees",
    "gnm": "the same numbers of vertices and edges",
    "configuration": "the same degrees, loops and repeats erased",
}


@with_examples(
    "triadic significance followers.txt --seed 1",
    "triadic significance friends.txt --of clustering --samples 1000 -o table.csv",
    "triadic significance neurons.csv --groups types.csv --positions soma.csv --bins 20 --diagnose",
)
@with_options
def significance(
    file: Network,
    *,
    of: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            autocompletion=completion.statistics,
            help="Counts to compare: triads, clustering, graphlets, graphlets5 (of five vertices), intensity (of "
            "triads, with --weights), or several separated by commas. Default: triads of a directed network, and "
            "clustering,graphlets of an undirected one.",
            show_default=False,
        ),
    ] = None,
    null: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=completion.nulls,
            help="What the random networks have in common with FILE: degrees; mutual (in, out and mutual degrees); gnm "
            "(numbers of vertices and edges); configuration (degrees, then loops and repeats are erased). Default: "
            "mutual for the triads of a directed network, otherwise degrees.",
            show_default=False,
        ),
    ] = None,
    samples: Annotated[int, typer.Option(metavar="N", help="Number of random networks.")] = 100,
    steps: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Edge switches tried for each random network. Default: 10 per edge.", show_default=False
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Seed of the random networks; the same seed gives the same figures.", show_default=False
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the table to FILE: .csv or .parquet. Of many graphs, write a row for each graph.",
            show_default=False,
        ),
    ] = None,
    csv: CsvOptions,
    as_json: Json = False,
    options: CountOptions,
    kept: NullOptions,
    many: BatchOptions,
) -> None:
    """Compare the counts of a network with the counts of random networks that have the same degrees.

    Clustering and graphlets ignore the directions of a directed network.
    """
    from triadic.cli.batch_counting import BatchOutput, count_batch, is_batch
    from triadic.cli.counting import count_file
    from triadic.cli.printing import print_json, print_remark
    from triadic.core.checked import check_seed
    from triadic.errors import ArgumentError
    from triadic.io.tables import check_table
    from triadic.measures.significance import significance as _  # noqa: F401 - compiled code: loaded before the time is taken
    from triadic.measures.significance.statistics import STATISTICS
    from triadic.null_models.model import NULLS

    if output is not None:
        check_table(output, (".csv", ".parquet"), csv)
    groups = None if of is None else tuple(of.split(","))
    if groups is not None and not set(groups) <= set(STATISTICS):
        raise ArgumentError(f"--of {of}: expected {', '.join(STATISTICS)}, or several of them separated by commas")
    if null is not None and null not in NULLS:
        raise ArgumentError(f"--null {null}: expected {', '.join(NULLS)}")
    if samples < 2:
        raise ArgumentError(f"--samples {samples}: expected at least 2, to have a standard deviation")
    kept.check()
    # A device that has the count with the fewest devices has all of them.
    counts = [STATISTICS[group].count for group in groups or ("graphlets",)]
    count = min(counts, key=lambda count: len(count.kinds))
    if is_batch(file, many):
        if kept.given():
            raise ArgumentError(f"{' '.join(kept.given())}: for one network; {file.name} has many graphs")
        of_batch = partial(_measure_batch, of=groups, null=null, samples=samples, steps=steps, seed=check_seed(seed))
        directions = groups is None or "triads" in groups
        shown = BatchOutput(output, by_vertex=False, as_json=as_json, csv=csv)
        count_batch(file, of_batch, options, many, count=count, output=shown, counts_directions=directions)
        return
    measure = partial(_measure, of=groups, null=null, samples=samples, steps=steps, seed=seed, kept=kept)
    result = count_file(file, measure, options, count=count)
    if "triads" in result.figures.groups and not result.graph.directed:
        print_remark(f"{file.name} has no directions: every edge is counted as mutual")
    if output is not None:
        write_table(output, result.figures, csv)
    if as_json:
        print_json(result.as_record(_record(result.figures), arcs=True))
    else:
        print_significance(file.name, result)


def _measure(
    graph: "Graph",
    keywords: "MeasureKeywords",
    *,
    of: tuple[str, ...] | None,
    null: str | None,
    samples: int,
    steps: int | None,
    seed: int | None,
    kept: NullOptions,
) -> "Significance":
    from triadic.measures.significance.significance import significance

    warnings.filterwarnings("default", category=UserWarning)  # printed, whatever the filters of Python are
    of_weights = {"weights": kept.null_weights, "tolerance": kept.tolerance}
    of_walks = {"effective": kept.effective, "diagnose": kept.diagnose}
    of_null = kept.keywords(graph) | of_weights | of_walks
    return significance(graph, of=of, null=null, samples=samples, steps=steps, seed=seed, **of_null, **keywords)


def _measure_batch(
    batch: "GraphBatch",
    keywords: "MeasureKeywords",
    *,
    of: tuple[str, ...] | None,
    null: str | None,
    samples: int,
    steps: int | None,
    seed: int,
) -> "BatchFigures":
    """Compare each graph with random graphs of its own; the printed table holds z, and a file all figures."""
    from triadic.cli.batch_counting import BatchFigures
    from triadic.cli.printing import print_remark
    from triadic.measures.significance.significance import significance

    if of is not None and "triads" in of and not batch.directed:
        print_remark("the graphs have no directions: every edge is counted as mutual")
    columns = significance(batch, of=of, null=null, samples=samples, steps=steps, seed=seed, **keywords)
    given = {"null": null, "samples": samples, "steps": steps, "seed": seed}
    return BatchFigures(
        columns,
        {},
        settings={name: value for name, value in given.items() if value is not None},
        printed=[name for name in columns if name.endswith(" z")],
    )


def _record(figures: "Significance") -> dict[str, Any]:
    """Return plain numbers and strings, for JSON; None for an undefined figure, because JSON has no NaN."""
    comparisons = figures.to_dict()
    return {
        **{group: {name: comparisons[name] for name in names} for group, names in figures.groups.items()},
        "profile": {name: None if isnan(score) else score for name, score in figures.profile.items()},
        "null": figures.null,
        "kept": figures.kept or None,
        "diagnosis": None if figures.diagnosis is None else _diagnosis_record(figures.diagnosis),
        "samples": len(figures.samples),
        "steps": figures.steps,
        "seed": figures.seed,
        "resolution": figures.resolution,
    }


def _diagnosis_record(diagnosis: "Diagnosis") -> dict[str, Any]:
    """Return the figures of a diagnosis as plain numbers for JSON."""
    of_count = {
        name: {
            heading: None if isnan(value) else value
            for heading, value in zip(("time", "effective", "drift"), values, strict=True)
        }
        for name, *values in zip(
            diagnosis.names,
            diagnosis.time.tolist(),
            diagnosis.effective.tolist(),
            diagnosis.drift.tolist(),
            strict=True,
        )
    }
    return {
        "mixed": diagnosis.mixed,
        "reasons": list(diagnosis.reasons),
        "accepted": diagnosis.accepted,
        "in_place": diagnosis.in_place_after,
        "counts": of_count,
    }


def write_table(path: Path, figures: "Significance", csv: "CsvStyle") -> None:
    """Write a row for each count, an undefined z as null; the file appears only when it is complete."""
    from triadic.io.tables import write_rows
    from triadic.measures.significance.result import COLUMNS

    profile = figures.profile
    columns = (
        figures.names,
        figures.counts,
        figures.mean,
        figures.std,
        figures.z,
        figures.p,
        figures.q,
        [profile.get(name, nan) for name in figures.names],
    )
    write_rows(path, dict(zip(COLUMNS, columns, strict=True)), csv)


def print_significance(title: str, result: "CountResult[Significance]") -> None:
    """Print each count with the mean, standard deviation, z, p and profile that random networks give it."""
    from triadic.cli.printing import dropped_rows, output_console, print_note, print_rows, print_table, run_rows

    graph, figures = result.graph, result.figures
    undirected = graph.directed and "triads" not in figures.groups
    rows = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("edges", f"{graph.num_edges:,}", "directions left out" if undirected else ""),
        *dropped_rows(graph.dropped),
        ("samples", f"{len(figures.samples):,}", f"random networks with {_PRESERVED[figures.null]}"),
        *([("kept", figures.kept, "the same numbers of edges in each")] if figures.kept else []),
        *([] if figures.steps is None else [("steps", f"{figures.steps:,}", "of edge switching per random network")]),
        ("seed", str(figures.seed), ""),
        *([] if figures.diagnosis is None else [_diagnosis_row(figures.diagnosis)]),
        *run_rows(result),
    ]
    print_rows(rows, title=result.title(title, counts_directions="triads" in figures.of))
    console = output_console()
    console.print()
    print_table(console, _table(figures, directed=graph.directed, encoding=console.encoding))
    least = f"with {len(figures.samples):,} samples it is at least {figures.resolution:.3g}"
    each = " in each group of counts" if len(figures.groups) > 1 else ""
    print_note(
        console,
        f"z: standard deviations above the mean. p: two-sided; {least}.\nq: p as a false discovery rate among all "
        f"rows. Profile: z scaled to length 1{each}.",
    )


def _diagnosis_row(diagnosis: "Diagnosis") -> tuple[str, str, str]:
    """Return a row about the length of the walks: the slowest count and its effective size."""
    least = min((size for size in diagnosis.effective.tolist() if not isnan(size)), default=nan)
    mixed = "mixed" if diagnosis.mixed else "not mixed"
    accepted = f"{diagnosis.accepted:.0%} of the steps accepted"
    return "walks", mixed, f"effective size {least:.3g}, {accepted}" if not isnan(least) else accepted


def _table(figures: "Significance", *, directed: bool, encoding: str) -> "Table":
    """Return the table; without directions, the types of triads with asymmetric pairs are left out."""
    from rich.table import Table

    from triadic.cli.drawings import can_show
    from triadic.core.triad_types import ASYMMETRIC

    table = Table(box=None, pad_edge=False, header_style="dim")
    name, *headings = figures.headings
    table.add_column(name, style="cyan")
    for heading in headings:
        table.add_column(heading, justify="right")
    at_most = "≤" if can_show("≤", encoding) else "<="
    for cells in figures.cells():
        if not ASYMMETRIC.get(cells[0]) or directed:
            table.add_row(*(cell.replace("≤", at_most) for cell in cells))
    return table
