"""``triadic stream``: the triangles of a stream of edges, estimated in one pass and in bounded memory."""

from pathlib import Path
from typing import Annotated, Any

import typer

from triadic.cli.help import with_examples
from triadic.cli.options import Format, Header, Json, Network, Progress, Source, Target, Threads


@with_examples(
    "triadic stream edges.parquet --memory 100MB",
    "triadic stream monday.csv --save week.stream",
    "triadic stream tuesday.csv --load week.stream --save week.stream",
)
def stream(
    file: Network,
    *,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Memory of the sample of edges, such as 100MB, beside what reading holds. Default: 100MB.",
            show_default=False,
        ),
    ] = None,
    confidence: Annotated[
        str, typer.Option(metavar="SHARE", help="How often the interval holds the exact number.")
    ] = "95%",
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed of the sample; random by default.", show_default=False)
    ] = None,
    load: Annotated[
        Path | None,
        typer.Option(
            metavar="STREAM", help="Go on with the stream in this file, which --save wrote.", show_default=False
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="STREAM", help="Write the stream to this file, to go on with it.", show_default=False),
    ] = None,
    as_json: Json = False,
    format_: Format = None,
    source: Source = None,
    target: Target = None,
    header: Header = None,
    threads: Threads = None,
    progress: Progress = None,
) -> None:
    """Estimate the number of triangles of a file in one pass and in bounded memory.

    Directions, loops and repeated edges are ignored. Ctrl-C prints the estimate from the edges so far.
    """
    import time

    import triadic
    from triadic.cli.estimating import share_of
    from triadic.cli.network_files import printed_warnings, shows_progress, titled
    from triadic.cli.printing import print_json, print_remark, print_rows
    from triadic.core.formatting import format_float
    from triadic.errors import ArgumentError, WriteError

    for name, value in {"memory": memory, "seed": seed}.items():
        if load is not None and value is not None:
            raise ArgumentError(f"--{name} {value}: a stream that is loaded has its own; leave out --{name} or --load")
    if save is not None and (save.is_dir() or not save.parent.is_dir()):
        raise WriteError(f"{save}: expected a file in an existing folder")
    into = None if load is None else triadic.EdgeStream.load(load, threads=threads)
    columns: dict[str, Any] = {"format": format_, "source": source, "target": target, "header": header}
    started = time.perf_counter()
    with printed_warnings():
        found = triadic.estimate_stream(
            file,
            memory=memory,
            confidence=share_of("--confidence", confidence, below_one=True),
            seed=seed,
            into=into,
            threads=threads,
            progress=shows_progress(progress),
            **columns,
        )
    seconds = time.perf_counter() - started
    if save is not None:
        found.stream.save(save)
    exact, bounded = found.probability == 1, found.high < float("inf")
    record = {
        "triangles": found.value,
        "low": found.low,
        "high": found.high if bounded else None,
        "standard_error": found.error,
        "confidence": found.confidence,
        "edges_kept": found.edges_kept,
        "probability": found.probability,
        **{name: getattr(found, name) for name in ("arcs", "loops", "repeats")},
        "seed": found.stream.seed,
        "stopped": found.stopped,
        "seconds": round(seconds, 6),
    }
    if as_json:
        print_json(record)
        return
    ends = f"{format_float(found.low)} to {format_float(found.high)}, with a probability of {100 * found.confidence:g}%"
    about = "" if exact else "about "
    kept = "all edges" if exact else f"edges, 1 of {round(1 / found.probability):,}; seed {found.stream.seed}"
    rows = [
        ("triangles", format_float(found.value), "exact: all edges are kept" if exact else ends if bounded else
         "too few in the sample for an interval"),
        *([("error", format_float(found.error), "standard error")] if not exact else []),
        ("arcs", f"{found.arcs:,}", f"{found.loops:,} loops, {about}{found.repeats:,} repeats"),
        ("kept", f"{found.edges_kept:,}", kept),
        ("seconds", f"{seconds:.3f}", ""),
    ]  # fmt: skip
    print_rows(rows, title=titled(file.name, found.columns))
    if found.stopped:
        print_remark("stopped by Ctrl-C: the estimate is that of the edges so far")
