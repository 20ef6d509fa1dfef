"""Errors of stores at URLs: which requests are worth repeating, and what an error says in one line.

Packages of fsspec raise many kinds of errors for the same answers of a store. This module reads the status of the HTTP
answer, or the number of the error of the system, and distinguishes four cases: a missing file, a refused access, a
full store, and an error that may pass, such as 503 or a lost connection. Only requests of the last case are repeated.
"""

from __future__ import annotations

import errno
import random
import socket
import time
from typing import TYPE_CHECKING, TypeVar

from triadic.errors import is_full_disk

if TYPE_CHECKING:
    from collections.abc import Callable

    T = TypeVar("T")

_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)
# Errors of the caller, of names or of the system: the same request fails again.
_LASTING = (
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    NotImplementedError,
    MemoryError,
    FileExistsError,
    FileNotFoundError,
    IsADirectoryError,
    NotADirectoryError,
)
_LASTING_NUMBERS = (errno.ENAMETOOLONG, errno.EFBIG, errno.ENOSYS, errno.EMFILE)
# Answers of 400 to 499 that may differ later: timeout, conflict, too early, too many requests.
_PASSING_STATUSES = (408, 409, 425, 429)
_FULL_STATUS = 507

_PATIENCE = 60.0
"""Seconds in which a request is repeated. The waiting times of the package itself, such as s3fs, are part of them."""
_FIRST_WAIT, _LONGEST_WAIT = 0.25, 8.0


def patiently(request: Callable[[], T]) -> T:
    """Return the result of a request to a store; repeat it for a minute while it fails with errors that may pass.

    Waiting times double from a quarter of a second to eight seconds, each times a random factor from 0.5 to 1, so that
    many workers which a store asked to slow down do not return at the same time.

    Parameters
    ----------
    request : callable
        Called without arguments; it must not leave a partial file if it fails.

    Raises
    ------
    Exception
        The last error of the request.

    Examples
    --------
    >>> answers = iter([OSError("503 Slow Down"), b"tile"])
    >>> def request():
    ...     answer = next(answers)
    ...     if isinstance(answer, Exception):
    ...         raise answer
    ...     return answer
    >>> patiently(request)
    b'tile'
    """
    deadline, wait = time.monotonic() + _PATIENCE, _FIRST_WAIT
    while True:
        try:
            return request()
        except Exception as error:
            pause = wait * random.uniform(0.5, 1)  # noqa: S311 - not for secrets
            if not may_pass(error) or time.monotonic() + pause > deadline:
                raise
        time.sleep(pause)
        wait = min(2 * wait, _LONGEST_WAIT)


def may_pass(error: BaseException) -> bool:
    """Return whether the same request may succeed later."""
    if isinstance(error, _LASTING) or is_refused(error) or is_full(error):
        return False
    if isinstance(error, OSError) and error.errno in _LASTING_NUMBERS:
        return False
    cause = getattr(error, "os_error", error)  # aiohttp wraps errors of the system
    if isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_NONAME:  # no host has this name
        return False
    status = _status(error)
    return status is None or not 400 <= status < 500 or status in _PASSING_STATUSES


def is_refused(error: BaseException) -> bool:
    """Return whether a store refused the access: credentials are missing, wrong, or no longer valid."""
    return (
        isinstance(error, PermissionError)
        or (isinstance(error, OSError) and error.errno in _REFUSED)
        or _status(error) in (401, 403)
        or "Credential" in type(error).__name__
    )


def is_full(error: BaseException) -> bool:
    """Return whether a store, or a disk, has no room for a file."""
    return is_full_disk(error) or _status(error) == _FULL_STATUS


def one_line(error: BaseException) -> str:
    """Return the message of an error in one line of 200 characters at most, with what to do where that is known."""
    text = " ".join(str(error).split())[:200].rstrip(". ") or type(error).__name__
    if is_refused(error):
        return f"access is refused ({text}); renew the credentials or the permissions, then run the same command again"
    if is_full(error):
        return f"the store is full ({text}); make room, then run the same command again"
    return f"{text}; run the same command again" if may_pass(error) else text


def _status(error: BaseException) -> int | None:
    """Return the status of the HTTP answer that an error reports, or None."""
    seen: BaseException | None = error
    for _ in range(4):  # s3fs raises an OSError from the error of botocore
        if seen is None:
            return None
        answer = getattr(seen, "response", None)
        found = answer.get("ResponseMetadata", {}).get("HTTPStatusCode") if isinstance(answer, dict) else None
        for status in (found, getattr(seen, "status", None), getattr(seen, "status_code", None)):
            if isinstance(status, int) and 400 <= status < 600:
                return status
        code = str(getattr(seen, "code", ""))  # of gcsfs
        if code.isdecimal() and 400 <= int(code) < 600:
            return int(code)
        seen = seen.__cause__
    return None
