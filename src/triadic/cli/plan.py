"""``triadic plan``: memory, disk space and time of a count, estimated before the count."""

from typing import Annotated

import typer

from triadic.cli import completion
from triadic.cli.help import with_examples
from triadic.cli.options import Directed, Format, Header, Json, Memory, Source, Target, Threads, Weights, weights_of


@with_examples(
    "triadic plan friends.txt.gz", "triadic plan --num-vertices 1000000 --edges 50000000 --of census --memory 8GB"
)
def plan(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="Network: a file, folder, quoted pattern or -, as of `triadic tile`. Or the folder of its tiles.",
            show_default=False,
        ),
    ] = None,
    *,
    num_vertices: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Without FILE: the number of vertices. With FILE: the vertices are the numbers from 0 to N-1.",
            show_default=False,
        ),
    ] = None,
    edges: Annotated[
        int | None, typer.Option(metavar="M", help="Without FILE: the number of edges.", show_default=False)
    ] = None,
    of: Annotated[
        str,
        typer.Option(
            "--of",
            metavar="COUNT",
            autocompletion=completion.planned_counts,
            help="Count to plan: clustering, census, census-by-vertex, graphlets (the first five), or another count, "
            "such as 'graphlets of five vertices' or 'temporal motifs'. With --weights, clustering means "
            "weighted-clustering.",
        ),
    ] = "clustering",
    memory: Memory = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="W", help="Plan for a cluster with this number of worker processes.", show_default=False),
    ] = None,
    worker_memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="With --workers: memory of each worker. Default: 16GB.", show_default=False),
    ] = None,
    as_json: Json = False,
    directed: Directed = None,
    format_: Format = None,
    source: Source = None,
    target: Target = None,
    header: Header = None,
    weights: Weights = None,
    threads: Threads = None,
    measure: Annotated[bool, typer.Option("--measure", help="Measure the speed of this machine.")] = False,
    within: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="With --time: width of the estimate to propose, such as 1% of the value on either side.",
            show_default=False,
        ),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Propose an estimate if the count takes longer than this, such as 30s.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Estimate what a count takes: bytes read, written and held in memory, number of tasks, and time.

    The plan says whether the graph is counted in memory, by tiles or on a cluster. It reads a sample of a large file.
    Many graphs are counted in memory, as one graph: plan them with --num-vertices and --edges, the sums over all.
    """
    from triadic.cli.estimating import seconds_of, share_of
    from triadic.cli.network_files import Url, parse_location, printed_warnings
    from triadic.cli.printing import print_json, print_rows, print_text
    from triadic.errors import ArgumentError
    from triadic.io.batches import batch_kind
    from triadic.planning.plan import plan as plan_count
    from triadic.planning.plan import proposal

    if within is not None and time is None:
        raise ArgumentError(f"--within {within}: expected --time as well")
    limit = None if time is None else seconds_of("--time", time)
    if within is not None:
        share_of("--within", within)
    if (file is None) == (edges is None) or (file is None and num_vertices is None):
        raise ArgumentError("expected either FILE, or --num-vertices N and --edges M")
    place = None if file is None else parse_location(file)
    if isinstance(place, Url):
        raise ArgumentError(
            f"{file}: a plan reads files and folders of this machine; expected --num-vertices N and --edges M, which "
            f"`triadic info {file}` prints if there are tiles"
        )
    kind = None if place is None else batch_kind(place)
    if kind is not None:
        raise ArgumentError(
            f"{file}: holds many graphs ({kind}), which are counted in memory as one graph; expected --num-vertices N "
            f"and --edges M in place of FILE, the sums that `triadic info {file}` prints"
        )
    network = place if place is not None else (num_vertices or 0, edges or 0)
    with printed_warnings():
        found = plan_count(
            network,
            of=of,
            memory=memory,
            threads=threads,
            workers=workers,
            worker_memory=worker_memory,
            directed=directed,
            format=format_,
            num_vertices=None if file is None else num_vertices,
            source=source,
            target=target,
            header=header,
            weights=weights_of(weights),
            measure=measure,
        )
    name = "FILE" if file is None else file
    words = [name, "--estimate", "--within", within or "1%", "--time", str(time)]
    instead = "" if limit is None else proposal(found, limit, words)
    if as_json:
        print_json({**found.as_record(), **({} if limit is None else {"proposal": instead})})
        return
    title = place.name if place is not None else "a graph of this size"
    print_rows(found.rows(), title=f"{found.of} of {title}")
    print_text(found.footnote())
    if instead:
        print_text(instead)
