"""``triadic generate``: random networks and lattices, written to files."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triadic.cli.help import CommandList, Group, with_examples
from triadic.cli.options import Progress, with_options

if TYPE_CHECKING:
    from triadic.generate import Model

models = CommandList(cls=Group, help="Draw a network from a model and write it to a file.", invoke_without_command=True)

VertexCount = Annotated[int, typer.Argument(metavar="VERTICES", help="Number of vertices.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """Options of every model."""

    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="File of the network to write.")]
    directed: Annotated[bool, typer.Option("--directed", help="Draw arcs instead of edges without direction.")] = False
    progress: Progress = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomModelOptions(ModelOptions):
    """Options of the models that draw random numbers."""

    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="Seed; the same seed gives the same network.", show_default=False),
    ] = None


@models.callback()
def _generate(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@models.command()
@with_examples("triadic generate rmat 16 -o network.parquet --seed 1")
@with_options
def rmat(
    scale: Annotated[int, typer.Argument(metavar="SCALE", help="The network has 2^SCALE vertices.")],
    *,
    edge_factor: Annotated[int, typer.Option(metavar="N", help="Number of edges drawn per vertex.")] = 16,
    a: Annotated[
        float, typer.Option(metavar="P", help="Probability of the upper left quarter of the adjacency matrix.")
    ] = 0.57,
    b: Annotated[float, typer.Option(metavar="P", help="Probability of the upper right quarter.")] = 0.19,
    c: Annotated[float, typer.Option(metavar="P", help="Probability of the lower left quarter.")] = 0.19,
    options: RandomModelOptions,
) -> None:
    """Recursive matrix (R-MAT, Kronecker): hubs and communities."""
    from triadic.generate import RMat

    _write(RMat(scale, edge_factor, a=a, b=b, c=c, seed=options.seed, directed=options.directed), options)


@models.command()
@with_examples("triadic generate watts-strogatz 10000 10 0.1 -o network.txt")
@with_options
def watts_strogatz(
    vertices: VertexCount,
    k: Annotated[int, typer.Argument(metavar="K", help="Neighbours of a vertex on the ring, both sides together.")],
    p: Annotated[float, typer.Argument(metavar="P", help="Probability that an edge is rewired.")],
    *,
    options: RandomModelOptions,
) -> None:
    """Ring with some edges rewired: a small world."""
    from triadic.generate import WattsStrogatz

    _write(WattsStrogatz(vertices, k, p, seed=options.seed, directed=options.directed), options)


@models.command()
@with_examples("triadic generate barabasi-albert 10000 5 -o network.txt")
@with_options
def barabasi_albert(
    vertices: VertexCount,
    links: Annotated[int, typer.Argument(metavar="LINKS", help="Number of edges of each new vertex.")],
    *,
    options: RandomModelOptions,
) -> None:
    """Growth with preferential attachment: scale-free."""
    from triadic.generate import BarabasiAlbert

    _write(BarabasiAlbert(vertices, links, seed=options.seed, directed=options.directed), options)


@models.command()
@with_examples("triadic generate erdos-renyi 10000 50000 -o network.csv --seed 1")
@with_options
def erdos_renyi(
    vertices: VertexCount,
    edges: Annotated[int, typer.Argument(metavar="EDGES", help="Number of edges.")],
    *,
    options: RandomModelOptions,
) -> None:
    """Given number of edges, drawn uniformly at random."""
    from triadic.generate import ErdosRenyi

    _write(ErdosRenyi(vertices, edges, seed=options.seed, directed=options.directed), options)


@models.command()
@with_examples("triadic generate delaunay 10000 -o mesh.txt")
@with_options
def delaunay(vertices: VertexCount, *, options: RandomModelOptions) -> None:
    """Delaunay triangulation of random points: a planar mesh."""
    from triadic.generate import Delaunay

    _write(Delaunay(vertices, seed=options.seed, directed=options.directed), options)


@models.command()
@with_examples("triadic generate grid 100 200 -o torus.txt --periodic")
@with_options
def grid(
    rows: Annotated[int, typer.Argument(metavar="ROWS", help="Number of rows.")],
    columns: Annotated[int, typer.Argument(metavar="COLUMNS", help="Number of columns.")],
    *,
    periodic: Annotated[bool, typer.Option("--periodic", help="Join opposite borders: a torus.")] = False,
    options: ModelOptions,
) -> None:
    """Square lattice or torus."""
    from triadic.generate import Grid

    _write(Grid(rows, columns, periodic=periodic, directed=options.directed), options)


def _write(model: "Model", options: ModelOptions) -> None:
    """Write the network of a model: block by block to Parquet, from a graph in memory to any other format."""
    from triadic.cli.network_files import check_target, shows_progress
    from triadic.cli.printing import print_text
    from triadic.core.progress import reporting
    from triadic.io.formats import format_of_name

    output = options.output
    check_target(output)
    with reporting(shows_progress(options.progress), f"drawing {output.name}") as report:
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
    print_text(
        f"{output}: {model.vertices:,} vertices, {model.arcs:,} {kind} drawn"
        + ("" if seed is None else f", seed {seed}")
    )
