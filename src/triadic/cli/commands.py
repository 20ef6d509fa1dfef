"""How a command of the command line is declared, and its help.

A command is a class: its docstring is the help, its attributes made by `option`, `flag` and `argument` are its options,
and its base classes are groups of options that it shares with other commands. An object of the class is a call: the
attributes are then the values that the user gave, and `run` does the work.

The help is plain text, as typer prints it without the package rich, which takes longer: usage, description, arguments,
options by group, and examples.
"""

# typer reads annotations at run time, so they are not postponed here nor in the commands. The classes extend typer's,
# whose methods take objects that have no public names.

import re
import shutil
import sys
from collections.abc import Callable, Iterable
from inspect import Parameter, Signature
from typing import Any, ClassVar, cast, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import OptionInfo, ParameterInfo

from triadic.errors import ArgumentError

_MOST_COLUMNS = 100  # longer lines are hard to read
_NAME_COLUMNS = 30  # a longer name stands on a line of its own


def option(
    metavar: str | None,
    help: str,  # noqa: A002 - as in typer
    *names: str,
    default: object = None,
    words: Iterable[str] | Callable[[str], list[str]] | None = None,
    callback: Callable[..., object] | None = None,
) -> Any:  # noqa: ANN401 - the annotation of the attribute is the type of the value
    """Declare an option; without names, its name is that of the attribute.

    Parameters
    ----------
    metavar : str, optional
        What follows the option in the help.
    help : str
    *names : str
    default : object, optional
        Value without the option; ``...`` for an option that has to be given.
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


def output_file(help: str, default: object = None, *, metavar: str = "FILE") -> Any:  # noqa: A002, ANN401 - as of `option`
    """Declare the option ``-o`` of the file that a command writes."""
    return option(metavar, help, "-o", "--output", default=default)


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

    def given(self, *names: str) -> list[str]:
        """Return some options, or all, as far as they differ from their defaults, as words of a command line."""
        options = {name: each for name, each in self.declared().items() if isinstance(each, OptionInfo)}
        return self.words(*(name for name in names or options if getattr(self, name) != options[name].default))

    def words(self, *names: str) -> list[str]:
        """Return some options that were given, as words of a command line."""
        words: list[str] = []
        for name in names:
            value, declared = getattr(self, name), self._all_options()[name]
            option, _, negated = cast("Any", declared).param_decls[0].partition("/")
            if isinstance(value, bool):
                words.append(option if value else negated)
            elif value is not None:
                for each in value if isinstance(value, list) else [value]:
                    words += [option, f"{each:g}" if isinstance(each, float) else str(each)]
        return words

    def refuse_without(self, needed: str, *names: str) -> None:
        """Raise an ArgumentError if one of some options is given without the one that they need."""
        words = self.words(*names)
        if words:
            raise ArgumentError(f"{words[0]} {words[1]}: expected {spelled(needed)} as well")


class CommandList(typer.Typer):
    """Commands whose help is printed as plain text."""

    def __init__(self, **keywords: Any) -> None:  # noqa: ANN401 - of typer
        super().__init__(rich_markup_mode=None, **keywords)

    def command(self, name: str | None = None, **keywords: Any) -> Callable[[Any], Any]:  # noqa: ANN401 - as typer's
        """Add a function as a command; its attribute `examples`, lines of a shell, ends the help."""

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            examples = "\n".join(getattr(function, "examples", ()))
            return typer.Typer.command(self, name, **{"cls": Command, "epilog": examples, **keywords})(function)

        return add

    def add(self, *commands: type[Options]) -> None:
        """Add classes as commands."""
        for each in commands:
            self.command()(each.command())


class _PlainHelp:
    """Help that is as wide as the terminal."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - of typer
        """Write the help."""
        formatter.width = min(_MOST_COLUMNS, shutil.get_terminal_size().columns)
        super().format_help(ctx, formatter)  # type: ignore[misc] # of the other base class


class Group(_PlainHelp, TyperGroup):
    """Commands with a common help."""


class Command(_PlainHelp, TyperCommand):
    """A command whose help has its options in groups, and examples."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401 - of typer
        """Return the words of the usage line, arguments without braces."""
        return [piece.strip("{}").upper() for piece in super().collect_usage_pieces(ctx)]

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002 - any number of letters
        """Return the first sentence of the help."""
        return " ".join((self.help or "").partition("\n\n")[0].split())

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """Write the arguments, and the options by group."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        parameters: Any = self.get_params(ctx)
        for parameter in parameters:
            if parameter.param_type_name == "argument":
                groups["Arguments"].append((parameter.metavar or parameter.name.upper(), parameter.help or ""))
            elif (record := parameter.get_help_record(ctx)) is not None:
                text = re.sub(r" *\[default: (.*)\]$", r" Default: \1.", record[1])
                text += " Can be given more than once." if parameter.multiple else ""
                name = re.sub("<.*>", parameter.name.upper(), record[0].replace(" / ", "/"))
                groups.setdefault(parameter.rich_help_panel or "Options", []).append((name, text))
        for title, rows in groups.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=min(_NAME_COLUMNS, formatter.width // 3))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002 - of typer
        """Write the examples."""
        if self.epilog:
            formatter.write("\nExamples:\n" + "".join(f"  {line}\n" for line in self.epilog.splitlines()))


def with_examples(*lines: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let the help of a command end with examples of its use."""

    def add(function: Callable[..., None]) -> Callable[..., None]:
        function.examples = lines  # type: ignore[attr-defined] # any function has attributes
        return function

    return add
