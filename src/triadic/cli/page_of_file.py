"""From a file to its report, each step with its time."""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING, Unpack

from triadic.cli.networks import read_network, wants_progress
from triadic.errors import WriteError

if TYPE_CHECKING:
    from pathlib import Path

    from triadic.cli.counting import Options


def write(
    network: Path, page: Path, *, samples: int = 100, seed: int | None = None, **options: Unpack[Options]
) -> None:
    """Read a network and write its report.

    Parameters
    ----------
    network, page : Path
    samples, seed
        As for `triadic.report`.
    **options
        As the command line has them.
    """
    from triadic.core.blocks import resolve_threads
    from triadic.counts.closed_triads import CLOSED_TRIADS
    from triadic.counts.count import check_device
    from triadic.generate.arguments import check_seed
    from triadic.reports.findings import find
    from triadic.reports.making import check_samples
    from triadic.reports.page import check_packages, write_page

    threads, device = options.get("threads"), options.get("device", "auto")
    # Mistakes in these are told before a long reading.
    check_packages()
    samples, seed = check_samples(samples), check_seed(seed)
    resolve_threads(threads)
    check_device(CLOSED_TRIADS, device)
    if page.is_dir() or not page.parent.is_dir():
        raise WriteError(f"{page}: expected the name of a file in a folder that there is")
    progress = wants_progress(options.get("show_progress"))
    directed, form, vertices = options.get("directed"), options.get("format"), options.get("vertices")
    graph, seconds = read_network(
        network, directed=directed, format=form, vertices=vertices, threads=threads, show_progress=progress
    )
    started = time.perf_counter()
    graph.oriented(threads=threads)
    seconds["prepare"] += time.perf_counter() - started
    found = find(graph, samples=samples, seed=seed, threads=threads, device=device, progress=progress)
    # As many samples as there was time for: another machine might take more.
    words = ["triadic", "report", str(network), "-o", str(page), "--samples", str(found.samples), "--seed", str(seed)]
    words += [] if directed is None else ["--directed" if directed else "--undirected"]
    words += [] if form is None else ["--format", form]
    words += [] if vertices is None else ["--vertices", str(vertices)]
    words += [] if threads is None else ["--threads", str(threads)]
    words += [] if device == "auto" else ["--device", device]
    write_page(page, found, title=network.name, repeat=shlex.join(words), earlier=seconds)
