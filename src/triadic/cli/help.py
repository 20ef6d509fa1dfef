"""Help of commands as plain text: usage, description, arguments, options by group, and examples.

typer's own help has the types of Python and the brackets of its usage line in it. The text here is also printed sooner,
because it does without the package rich.
"""

# The classes extend typer's, whose methods take objects that have no public names.

import shutil
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from triadic.cli.options import Options

_MOST_COLUMNS = 100  # longer lines are hard to read
_NAME_COLUMNS = 26  # a longer name stands on a line of its own
_OTHERS = "Options"


class CommandList(typer.Typer):
    """Commands whose help is printed as plain text."""

    def command(self, name: str | None = None, **keywords: Any) -> Callable[[Any], Any]:  # noqa: ANN401 - typer's
        """Add a function as a command; its attribute `examples`, lines of a shell, ends the help."""

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            examples = "\n".join(getattr(function, "examples", ()))
            return typer.Typer.command(self, name, **{"cls": Command, "epilog": examples, **keywords})(function)

        return add

    def add(self, *commands: type[Options]) -> None:
        """Add classes as commands."""
        for each in commands:
            self.command()(each.command())


class Command(TyperCommand):
    """A command whose help is plain text."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer's
        """Write the help of the command."""
        formatter.write("\n".join(help_of(self, ctx)))


class Group(TyperGroup):
    """Commands whose common help is plain text."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer's
        """Write the help of the group, with a line for each command."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, _paragraphs(command.help)[0]) for name, command in commands if command and not command.hidden]
        formatter.write("\n".join(help_of(self, ctx, rows)))


def with_examples(*lines: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let the help of a command end with examples of its use."""

    def add(function: Callable[..., None]) -> Callable[..., None]:
        function.examples = lines  # type: ignore[attr-defined] # any function has attributes
        return function

    return add


def help_of(command: Any, context: Any, commands: Sequence[tuple[str, str]] = ()) -> Iterator[str]:  # noqa: ANN401 - typer's
    """Yield the lines of the help of a command, or of a group with these commands."""
    shown = [parameter for parameter in command.get_params(context) if not getattr(parameter, "hidden", False)]
    arguments = [parameter for parameter in shown if parameter.param_type_name == "argument"]
    options = [parameter for parameter in shown if parameter.param_type_name == "option"]
    columns = min(_MOST_COLUMNS, shutil.get_terminal_size().columns)
    words = [context.command_path, *(["COMMAND"] if commands else []), *map(_usage, arguments), "[OPTIONS]"]
    first, *more = _indented(f"Usage: {' '.join(words)}", 0, columns)
    yield first
    yield from (f"{'':<7}{line}" for line in more)
    for paragraph in _paragraphs(command.help):
        yield ""
        yield from _indented(paragraph, 2, columns)
    yield from _section("Commands", commands, columns)
    yield from _section("Arguments", [(_name(it), it.help or "") for it in arguments], columns)
    groups = {_OTHERS: [it for it in options if not it.rich_help_panel]}
    for option in options:
        if option.rich_help_panel:
            groups.setdefault(option.rich_help_panel, []).append(option)
    for title, members in groups.items():
        yield from _section(title, [(_spelling(it), _description(it)) for it in members], columns)
    if command.epilog:
        yield ""
        yield "Examples:"
        yield from (f"  {line}" for line in command.epilog.splitlines())
    yield ""


def _usage(argument: Any) -> str:  # noqa: ANN401 - typer's
    """Return an argument as in the usage line: in brackets if it may be left out, with dots if it repeats."""
    name = _name(argument)
    if argument.nargs != 1 and not name.endswith("..."):
        name += "..."
    return name if argument.required else f"[{name}]"


def _name(parameter: Any) -> str:  # noqa: ANN401 - typer's
    return str(parameter.metavar or parameter.name.upper())


def _spelling(option: Any) -> str:  # noqa: ANN401 - typer's
    """Return how an option is written: short names first, then what follows it."""
    names = [*sorted(option.opts, key=len), *(name.strip() for name in option.secondary_opts)]
    return ", ".join(names) + ("" if option.is_flag or option.count else f" {_name(option)}")


def _description(option: Any) -> str:  # noqa: ANN401 - typer's
    """Return the help of an option, with its default."""
    text = option.help or ""
    if option.multiple:
        text += " Can be given more than once."
    if option.required:
        text += " Required."
    elif option.show_default and not option.is_flag and option.default is not None and not callable(option.default):
        text += f" Default: {option.default}."
    return text.strip()


def _section(title: str, rows: Sequence[tuple[str, str]], columns: int) -> Iterator[str]:
    """Yield a title, and names with their descriptions beside them."""
    if not rows:
        return
    yield ""
    yield f"{title}:"
    width = min(_NAME_COLUMNS, columns // 3, max(len(name) for name, _ in rows))
    for name, description in rows:
        lines = _indented(description, width + 4, columns)
        if len(name) > width:
            yield from _indented(name, 2, columns)
        else:
            first = next(lines, "").strip()
            yield f"  {name:<{width}}  {first}".rstrip()
        yield from lines


def _indented(text: str, indent: int, columns: int) -> Iterator[str]:
    """Yield a paragraph in lines that end between words."""
    lines = wrap(text, max(columns - indent, 20), break_long_words=False, break_on_hyphens=False)
    return (f"{'':<{indent}}{line}" for line in lines)


def _paragraphs(text: str | None) -> list[str]:
    """Cut a docstring into paragraphs, each on one line."""
    return [" ".join(part.split()) for part in (text or "").split("\n\n")]
