"""The commands put together: what ``triadic --help`` lists."""

# typer reads annotations while the program runs, so they are not postponed here nor in the commands.

from importlib.metadata import entry_points
from typing import Annotated

import typer

from triadic.cli import generate
from triadic.cli.census import census
from triadic.cli.clustering import clustering
from triadic.cli.compare import compare
from triadic.cli.convert import convert
from triadic.cli.demo import demo
from triadic.cli.graphlets import graphlets
from triadic.cli.info import info
from triadic.cli.plan import plan
from triadic.cli.report import report
from triadic.cli.significance import significance
from triadic.cli.tile import tile

application = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,  # `triadic.cli.main` makes one line of every mistake
    context_settings={"help_option_names": ["-h", "--help"]},
)
application.command()(clustering)
application.command()(census)
application.command()(graphlets)
application.command()(compare)
application.command()(significance)
application.command()(report)
application.add_typer(generate.models, name="generate")
application.command()(convert)
application.command()(tile)
application.command()(plan)
application.command()(demo)
application.command()(info)


def _add_installed_commands() -> None:
    """Add the commands that other packages declare in the entry-point group ``triadic.commands``."""
    for entry in entry_points(group="triadic.commands"):
        try:
            application.command(entry.name)(entry.load())
        except Exception as error:  # noqa: BLE001 - a broken package must not break the other commands
            typer.echo(f"triadic: the command {entry.name!r} ({entry.value}) cannot be loaded: {error}", err=True)


_add_installed_commands()


def _print_version(wanted: bool) -> None:
    if wanted:
        from triadic._version import __version__

        typer.echo(f"triadic {__version__}")
        raise typer.Exit


@application.callback(invoke_without_command=True)
def _triadic(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - acts by its callback
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Count the small patterns that tie a network together, exactly."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
