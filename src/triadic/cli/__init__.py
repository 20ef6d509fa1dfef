"""The command line, ``triadic`` and ``python -m triadic``: one file a command.

What costs time to import (rich, pyarrow, the engine) is imported inside the functions that need it, so that a
command on a small file costs little more than loading the engine.
"""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, cast

from triadic.errors import TriadicError

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
MISTAKEN = 2
BROKEN_PIPE = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    A mistake (in the arguments, in a file, for want of memory or of a package) is one line on standard error and
    exit code 2; an interruption is 130; a reader of the output that goes away is silent.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``triadic``; those of the process by default.

    Returns
    -------
    int
        The exit code.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files and vertices may have letters that it lacks
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        import typer  # inside, for Ctrl-C during the imports

        from triadic.cli.application import application

        # typer tells a mistaken command line by a UsageError, which it does not name in public; it is the class above
        # the BadParameter that it does name.
        usage_error = cast("type[Exception]", typer.BadParameter.__base__)
        try:
            code = application(
                args=None if arguments is None else list(arguments), prog_name="triadic", standalone_mode=False
            )
            if sys.stdout is not None:  # closed by the caller
                sys.stdout.flush()
        except usage_error as error:
            return _complain(_usage(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return BROKEN_PIPE
    except (TriadicError, OSError, MemoryError) as error:
        return _complain(str(error) or "out of memory")
    return code if isinstance(code, int) else 0


def _complain(message: str) -> int:
    sys.stderr.write(f"triadic: {' '.join(message.splitlines())}\n")
    return MISTAKEN


def _usage(error: Exception) -> str:
    """Say on one line what typer found wrong, and where to read on."""
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", "triadic")
    return f"{message.rstrip('.')}; see {command} --help"


def _forget_output() -> None:
    """Send what is still in the buffer nowhere, or Python complains about the closed pipe at its end."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
