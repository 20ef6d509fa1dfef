"""``triadic generate``: networks drawn from models, to try things on."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triadic.cli.options import Directedness, Output, Progress, Seed

if TYPE_CHECKING:
    from triadic.generate import Model

models = typer.Typer(help="Draw a network from a model and write it to a file.", invoke_without_command=True)

VertexCount = Annotated[int, typer.Argument(metavar="VERTICES", help="Number of vertices.")]


@models.callback()
def _generate(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@models.command()
def rmat(
    scale: Annotated[int, typer.Argument(help="The network has 2^SCALE vertices.")],
    *,
    output: Output,
    edge_factor: Annotated[int, typer.Option(metavar="N", help="Edges drawn for each vertex.")] = 16,
    a: Annotated[float, typer.Option(metavar="P", help="Probability of the matrix's upper left quarter.")] = 0.57,
    b: Annotated[float, typer.Option(metavar="P", help="The same, upper right.")] = 0.19,
    c: Annotated[float, typer.Option(metavar="P", help="The same, lower left.")] = 0.19,
    seed: Seed = None,
    directed: Directedness = False,
    progress: Progress = None,
) -> None:
    """Recursive matrix (R-MAT, Kronecker): hubs and communities."""
    from triadic.generate import RMat

    _write(RMat(scale, edge_factor, a=a, b=b, c=c, seed=seed, directed=directed), output, progress)


@models.command()
def watts_strogatz(
    vertices: VertexCount,
    k: Annotated[int, typer.Argument(metavar="K", help="Neighbours of a vertex on the ring, both sides together.")],
    p: Annotated[float, typer.Argument(metavar="P", help="Probability that a link is rewired.")],
    *,
    output: Output,
    seed: Seed = None,
    directed: Directedness = False,
    progress: Progress = None,
) -> None:
    """Ring with some links rewired: a small world."""
    from triadic.generate import WattsStrogatz

    _write(WattsStrogatz(vertices, k, p, seed=seed, directed=directed), output, progress)


@models.command()
def barabasi_albert(
    vertices: VertexCount,
    links: Annotated[int, typer.Argument(metavar="LINKS", help="Links that each new vertex brings.")],
    *,
    output: Output,
    seed: Seed = None,
    directed: Directedness = False,
    progress: Progress = None,
) -> None:
    """Growth with preferential attachment: scale-free."""
    from triadic.generate import BarabasiAlbert

    _write(BarabasiAlbert(vertices, links, seed=seed, directed=directed), output, progress)


@models.command()
def erdos_renyi(
    vertices: VertexCount,
    edges: Annotated[int, typer.Argument(metavar="EDGES", help="Number of edges.")],
    *,
    output: Output,
    seed: Seed = None,
    directed: Directedness = False,
    progress: Progress = None,
) -> None:
    """So many edges, uniformly at random."""
    from triadic.generate import ErdosRenyi

    _write(ErdosRenyi(vertices, edges, seed=seed, directed=directed), output, progress)


@models.command()
def delaunay(
    vertices: VertexCount,
    *,
    output: Output,
    seed: Seed = None,
    directed: Directedness = False,
    progress: Progress = None,
) -> None:
    """Triangulated random points: a planar mesh."""
    from triadic.generate import Delaunay

    _write(Delaunay(vertices, seed=seed, directed=directed), output, progress)


@models.command()
def grid(
    rows: Annotated[int, typer.Argument(metavar="ROWS", help="Number of rows.")],
    columns: Annotated[int, typer.Argument(metavar="COLUMNS", help="Number of columns.")],
    *,
    output: Output,
    periodic: Annotated[bool, typer.Option("--periodic", help="Join opposite borders: a torus.")] = False,
    directed: Directedness = False,
    progress: Progress = None,
) -> None:
    """Square lattice, or torus."""
    from triadic.generate import Grid

    _write(Grid(rows, columns, periodic=periodic, directed=directed), output, progress)


def _write(model: "Model", output: Path, show_progress: bool | None) -> None:
    """Write a model's network: to Parquet block by block, to anything else by way of a graph."""
    from triadic.cli.networks import check_target, wants_progress
    from triadic.core.progress import reporting
    from triadic.io.formats import format_of_name

    check_target(output)
    with reporting(wants_progress(show_progress), f"drawing {output.name}") as report:
        known = format_of_name(str(output))
        if known is not None and known.name == "parquet":
            from triadic.generate import write_parquet

            write_parquet(output, model, progress=report)
        else:
            import triadic
            from triadic.generate import make_graph

            triadic.write(make_graph(model, progress=report), output)
    kind = "arcs" if model.directed else "edges"
    seed = getattr(model, "seed", None)
    typer.echo(
        f"{output}: {model.vertices:,} vertices, {model.arcs:,} {kind} drawn"
        + ("" if seed is None else f", seed {seed}")
    )
