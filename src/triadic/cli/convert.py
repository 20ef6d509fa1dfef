"""``triadic convert``: a network from one format to another."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from triadic.cli.help import with_examples
from triadic.cli.options import CsvOptions, DayFirst, Network, Progress, ReadOptions, with_options


@with_examples("triadic convert friends.csv friends.triadic", "triadic convert trade.net trade.parquet --weighted")
@with_options
def convert(
    file: Network,
    output: Annotated[
        Path,
        typer.Argument(
            metavar="TARGET",
            help="File to write. The suffix is the format: .txt, .csv or .tsv (edge list), .parquet, .mtx, .graphml "
            "or .gexf. A name without suffix, or with .triadic, is a folder in triadic's own format, the fastest to "
            "read. - writes CSV to standard output.",
            show_default=False,
        ),
    ],
    *,
    weighted: Annotated[bool, typer.Option("--weighted", help="The same as --weights true.")] = False,
    lossy: Annotated[
        bool, typer.Option("--lossy", help="Write the network even if the format loses a part of it, such as labels.")
    ] = False,
    csv: CsvOptions,
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="NAMES",
            help="Names of further columns of the edges and vertices to keep, separated by commas. Default: those that "
            "the file declares.",
            show_default=False,
        ),
    ] = None,
    dayfirst: DayFirst = None,
    options: ReadOptions,
    progress: Progress = None,
) -> None:
    """Read a network in any format and write it in another.

    Loops and repeated edges are dropped; --combine says what becomes of their weights and columns, as in --combine max
    or --combine region=first,count=sum. Weights are kept if --weights names them. All else is kept: vertices without
    edges, directions, labels and the order of the vertices. A format that cannot hold the labels is refused, unless
    --lossy leaves them out.
    """
    import triadic
    from triadic.cli.network_files import check_target, read_network, reading_of, shows_progress, titled
    from triadic.cli.printing import print_text

    check_target(output)
    weights = options.weight_keywords(columns=True)
    if weighted and weights["weights"] is None:
        weights["weights"] = True
    if options.combine is not None and "=" in options.combine:
        rules = dict(rule.strip().rpartition("=")[::2] for rule in options.combine.split(","))
        weights["combine"] = triadic.io.format.ReadOptions(weights=weights["weights"]).rules(rules)
    keep = None if columns is None else [name.strip() for name in columns.split(",") if name.strip()]
    reading = {**options.read_keywords(), **weights, "columns": keep, "dayfirst": dayfirst}
    graph, _ = read_network(file, **reading, progress=shows_progress(progress))
    triadic.write(graph, output, lossy=lossy, **asdict(csv))
    print_text(titled(f"{output}: {graph!r}, of {file.name}", reading_of(graph)))
