"""The application: the commands of triadic, and commands that other packages add.

A package adds a command by an entry point of the group ``triadic.commands``: the name of the entry point is the name of
the command, and its value a function whose annotations typer reads. Such a command is imported only when it runs and
when the commands are listed.
"""

# typer reads annotations at run time, so they are not postponed here nor in the commands.

from typing import TYPE_CHECKING, Annotated, Any

import typer

from triadic.cli.commands import CommandList, Group
from triadic.cli.count import Count
from triadic.cli.estimates import Stream
from triadic.cli.graphlets import Compare, Graphlets, Orbits
from triadic.cli.info import Info, Plan
from triadic.cli.printing import print_remark
from triadic.cli.significance import Significance
from triadic.cli.temporal import Temporal
from triadic.cli.triads import Census, Clustering
from triadic.cli.writing import Convert, Demo, Report, Tile, models
from triadic.errors import TriadicError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "triadic.commands"


class CommandGroup(Group):
    """The commands of triadic, followed by the commands of other packages."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - typer has no public name for the class
        """Return the names of all commands in the order of the help, without commands that cannot be loaded."""
        names = super().list_commands(ctx)
        for entry in _entry_points():
            try:
                if entry.name in names:
                    raise _error(entry, "is left out: there is already a command of this name")
                _load(entry)
            except TriadicError as error:
                print_remark(str(error))
            else:
                names.append(entry.name)
        return names

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as above
        """Return a command by its name, or None if there is none."""
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        entry = next((entry for entry in _entry_points() if entry.name == cmd_name), None)
        return None if entry is None else _load(entry)


application = CommandList(
    cls=CommandGroup,
    pretty_exceptions_enable=False,  # `triadic.cli.main` prints each error as one line
    context_settings={"help_option_names": ["-h", "--help"]},
)
application.add(Count, Clustering, Census, Graphlets, Orbits, Stream, Temporal, Compare, Significance, Report)
application.add_typer(models, name="generate")
application.add(Convert, Tile, Plan, Demo, Info)


def _entry_points() -> "list[EntryPoint]":
    from importlib.metadata import entry_points

    return sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: (entry.name, _package(entry)))


def _load(entry: "EntryPoint") -> Any:  # noqa: ANN401 - typer has no public name for the class of a command
    """Import a command of another package."""
    command = CommandList(add_completion=False)
    try:
        command.command(entry.name)(entry.load())
        return typer.main.get_command(command)
    except Exception as error:  # whatever is wrong in another package, the other commands have to work
        raise _error(entry, f"cannot be loaded: {type(error).__name__}: {error}") from error


def _package(entry: "EntryPoint") -> str:
    return "" if entry.dist is None else entry.dist.name


def _error(entry: "EntryPoint", problem: str) -> TriadicError:
    return TriadicError(" ".join(f"the command {entry.name} of the package {_package(entry)} {problem}".split()))


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
