"""How a command of the command line is declared, and its help.

A command is a class: its docstring is the help, its attributes made by `option`, `flag` and `argument` are its options,
and its base classes are groups of options that it shares with other commands. An object of the class is a call: the
attributes are then the values that the user gave, and `run` does the work.

The help is plain text: usage, description, arguments, options by group, and examples. typer's own has the types of
Python and the brackets of its usage line in it, and takes longer to print, because it needs the package rich.
"""

# typer reads annotations at run time, so they are not postponed here nor in the commands. The classes extend typer's,
# whose methods take objects that have no public names.

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import Parameter, Signature
from textwrap import wrap
from typing import Any, ClassVar, cast, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import OptionInfo, ParameterInfo

_MOST_COLUMNS = 100  # longer lines are hard to read
_NAME_COLUMNS = 26  # a longer name stands on a line of its own
_OTHERS = "Options"


def option(
    default: object,
    metavar: str | None,
    help: str,  # noqa: A002 - as in typer
    *names: str,
    words: Iterable[str] | Callable[[str], list[str]] | None = None,
    callback: Callable[..., object] | None = None,
) -> Any:  # noqa: ANN401 - the annotation of the attribute is the type of the value
    """Declare an option; without names, its name is that of the attribute.

    Parameters
    ----------
    default : object
        Value without the option; ``...`` for an option that has to be given.
    metavar : str, optional
        What follows the option in the help.
    help : str
    *names : str
    words : iterable of str or callable, optional
        Words that a shell completes, or a function from what has been typed to such words.
    callback : callable, optional
        Called with the value.
    """
    complete = words if words is None or callable(words) else completing(words)
    return typer.Option(default, *names, metavar=metavar, help=help, autocompletion=complete, callback=callback)


def flag(help: str, *names: str) -> Any:  # noqa: A002, ANN401 - as of `option`
    """Declare an option without a value, False by default."""
    return typer.Option(False, *names, help=help)


def argument(metavar: str, help: str, default: object = ...) -> Any:  # noqa: A002, ANN401 - as of `option`
    """Declare an argument."""
    return typer.Argument(default, metavar=metavar, help=help)


def completing(words: Iterable[str]) -> Callable[[str], list[str]]:
    """Return the function by which a shell completes one of some words."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return complete


def spelled(name: str) -> str:
    """Return how the option of an attribute is written, such as ``--max-samples``."""
    return f"--{name.replace('_', '-')}"


class Options:
    """Options of a command, as attributes.

    Attributes
    ----------
    examples : tuple of str
        Lines of a shell, which end the help of the command.

    Examples
    --------
    >>> from pathlib import Path
    >>> from triadic.cli.options import Reading
    >>> class Convert(Reading, without=["where", "combine"]):
    ...     file: Path = argument("FILE", "File to read.")
    >>> list(Convert.declared())  # doctest: +NORMALIZE_WHITESPACE
    ['file', 'directed', 'format', 'num_vertices', 'source', 'target', 'header', 'bad_rows', 'weights', 'min_weight',
    'max_weight']
    >>> Convert(file=Path("a.txt"), header=True).words("directed", "header")
    ['--header']
    """

    examples: ClassVar[tuple[str, ...]] = ()
    _left_out: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls, *, panel: str | None = None, without: "Iterable[str | type[Options]]" = ()) -> None:
        """Give the own options of a class to a group of the help, and leave out some of its bases' options."""
        for name, declared in vars(cls).items():
            if isinstance(declared, OptionInfo):
                declared.rich_help_panel = panel
                declared.param_decls = declared.param_decls or (spelled(name),)
        left_out = ([each] if isinstance(each, str) else each.declared() for each in without)
        cls._left_out = cls._left_out.union(*left_out)

    def __init__(self, **given: object) -> None:
        for name, declared in self._all_options().items():
            setattr(self, name, given.get(name, None if declared.default is ... else declared.default))

    @classmethod
    def _all_options(cls) -> dict[str, ParameterInfo]:
        """Return the own options before those of the base classes."""
        return {
            name: getattr(cls, name)
            for each in cls.__mro__
            for name, value in vars(each).items()
            if isinstance(value, ParameterInfo)
        }

    @classmethod
    def declared(cls) -> dict[str, ParameterInfo]:
        """Return the options by name, without those that the class leaves out."""
        left_out = cls._left_out - vars(cls).keys()
        return {name: option for name, option in cls._all_options().items() if name not in left_out}

    @classmethod
    def command(cls) -> Callable[..., None]:
        """Return the command as a function with a parameter for each option, as typer takes it.

        If the command writes to standard output, ``-o -``, what it prints is written to standard error.
        """

        def call(**given: object) -> None:
            if str(given.get("output")) == "-":
                sys.stdout = sys.stderr
            cls(**given).run()

        types, described = get_type_hints(cls), cast("Any", call)
        described.__signature__ = Signature(
            [Parameter(name, Parameter.KEYWORD_ONLY, default=option) for name, option in cls.declared().items()]
        )
        described.__annotations__ = {name: types[name] for name in cls.declared()}
        described.__doc__, described.examples = cls.__doc__, cls.examples
        described.__name__ = re.sub("(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        return call

    def run(self) -> None:
        """Do what the command is for."""
        raise NotImplementedError

    def words(self, *names: str) -> list[str]:
        """Return some options that were given, as words of a command line."""
        words: list[str] = []
        for name in names:
            value, option = getattr(self, name), spelled(name)
            if isinstance(value, bool):
                words.append(option if value else "--undirected" if name == "directed" else f"--no-{name}")
            elif value is not None:
                for each in value if isinstance(value, list) else [value]:
                    words += [option, f"{each:g}" if isinstance(each, float) else str(each)]
        return words


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
