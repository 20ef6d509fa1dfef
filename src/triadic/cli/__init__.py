"""The command line, ``triadic`` and ``python -m triadic``: a class for each command, and one runner.

Packages and modules that take long to import (rich, pyarrow, numba and the compiled kernels) are imported inside the
functions that need them, so that help is printed at once.
"""

from __future__ import annotations

import codecs
import io
import sys
from typing import TYPE_CHECKING, cast

from triadic.errors import TriadicError

if TYPE_CHECKING:
    from collections.abc import Sequence


def _name_bytes(error: UnicodeError) -> tuple[str | bytes, int]:
    """Encode what an encoding lacks: bytes of file names that are not UTF-8 as they are, letters as escapes."""
    try:
        return codecs.lookup_error("surrogateescape")(error)
    except UnicodeError:
        return codecs.backslashreplace_errors(error)


codecs.register_error("triadic", _name_bytes)

INTERRUPTED = 130
FAILED = 2
BROKEN_PIPE = 1
_EXTRA = "unexpected extra argument"  # of a shell that replaces a pattern by the names of files


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    An error in the arguments or in a file, too little memory, or a missing package is printed as one line on standard
    error. If the reader of the output is gone, nothing is printed.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``triadic``; by default, the arguments of the process.

    Returns
    -------
    int
        The exit code: 0, 130 after an interruption with Ctrl-C, 1 if the reader of the output is gone, 2 after an
        error.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="triadic")
    try:
        import typer  # here, so that Ctrl-C is handled during the imports too

        from triadic.cli.application import application

        # typer raises UsageError for an error in the arguments, but has no public name for it: it is the base class of
        # BadParameter.
        usage_error = cast("type[Exception]", typer.BadParameter.__base__)
        try:
            code = application(
                args=None if arguments is None else list(arguments), prog_name="triadic", standalone_mode=False
            )
            if sys.stdout is not None:  # None if the caller closed it
                sys.stdout.flush()
        except usage_error as error:
            return _print_error(_usage_message(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return BROKEN_PIPE
    except (TriadicError, OSError, MemoryError) as error:
        return _print_error(str(error) or "out of memory")
    return code if isinstance(code, int) else 0


def _print_error(message: str) -> int:
    from triadic.cli.printing import print_remark

    print_remark(message)
    return FAILED


def _usage_message(error: Exception) -> str:
    """Return the error that typer found in the arguments, and the command that prints the help, as one line."""
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", "triadic")
    takes_batch = any(each.name == "batch" for each in getattr(getattr(context, "command", None), "params", ()))
    quote = "quote a pattern of files, such as 'graphs/*.gml'; " if takes_batch and _EXTRA in message else ""
    return f"{message.rstrip('.')}; {quote}see {command} --help"


def _discard_output() -> None:
    """Discard the output that is still buffered: Python would print an error about the closed pipe at its exit."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
