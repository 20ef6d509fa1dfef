"""A network in, a page out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from triadic.convert.recognise import GraphLike, as_graph
from triadic.generate.arguments import check_seed, check_whole
from triadic.reports.findings import find
from triadic.reports.page import check_packages, write_page

if TYPE_CHECKING:
    from os import PathLike

    from triadic.core.progress import ProgressKeyword

MOST_SAMPLES = 1_000_000


def report(
    graph: GraphLike,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    samples: int = 100,
    seed: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> None:
    """Write a report of a network: one HTML page that needs nothing beside it.

    It holds what the graph is and what was dropped, its figures and plots, the triad census with its significance, the
    vertices with the most triangles and the highest clustering, and how all that was computed.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes
    path : path-like
        Where to write the page; what stands there is replaced when the new one is whole.
    title : str, optional
        What the page calls the network; the name of its file without the suffix by default.
    samples : int, default 100
        Random networks to hold the census against, as `triadic.significance` does; 0 for none, and for figures under
        U|MAN instead.
    seed : int, optional
        The same seed gives the same random networks; one is drawn by default, and stands on the page.
    threads : int, optional
        Number of threads; as many as the process may use by default.
    device : str, default "auto"
        Where to count, as for `triadic.triangles`.
    progress : bool or callable, default False
        True for a bar on standard error; a callable gets ``(done, total)``, once for each count.

    Raises
    ------
    MissingExtraError
        jinja2 or matplotlib is not installed: ``pip install 'triadic[report]'``.
    ArgumentError
        A number of samples that is none.
    WriteError

    Notes
    -----
    On a large network fewer random networks are sampled, or graphlets left out, so that neither takes longer than
    about a minute; the page then says so. Pages are a few hundred kilobytes, whatever the network.

    Examples
    --------
    >>> import triadic
    >>> page = getfixture("tmp_path") / "small-world.html"
    >>> triadic.report(triadic.generate.watts_strogatz(200, 6, 0.1, seed=1), page, samples=0)
    >>> page.read_text(encoding="utf-8").count("<figure")
    5
    """
    check_packages()
    samples = check_samples(samples)
    graph, target = as_graph(graph), Path(path)
    seed = check_seed(seed)
    found = find(graph, samples=samples, seed=seed, threads=threads, device=device, progress=progress)
    asked = "".join(
        f", {name}={value!r}"
        for name, value in {"title": title, "samples": found.samples, "seed": seed, "device": device}.items()
        if value is not None
    )
    repeat = f"triadic.report(graph, {str(target)!r}{asked})"
    write_page(target, found, title=target.stem if title is None else title, repeat=repeat)


def check_samples(samples: int) -> int:
    """Take a number of samples, 0 among them; one alone has no standard deviation.

    Raises
    ------
    ArgumentError
    """
    return 0 if samples == 0 else check_whole("samples", samples, 2, MOST_SAMPLES)
