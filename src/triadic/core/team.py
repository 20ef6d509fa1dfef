"""Threads that one call uses for all its passes over a graph.

A call such as `clustering` makes several passes, and starting threads for each pass takes a noticeable part of the time
of a small graph. Within `one_team`, the passes of the calling thread share helpers: threads that are started by the
first pass that needs them, wait for the next pass, and have ended when the block ends. So no thread is left between
calls, where a fork would copy its locks and the end of the interpreter would meet it.
"""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from triadic.core.interrupt import held_back

if TYPE_CHECKING:
    from collections.abc import Iterator


class Pass(Protocol):
    """Work that a thread and its helpers share."""

    def work(self, worker: int) -> None:
        """Run blocks until there are no more; never raise."""


class Helper:
    """A thread that works on one pass after another, once it is started."""

    def __init__(self, worker: int) -> None:
        self._worker = worker
        self._given: tuple[Pass, threading.Lock] | None = None
        # Each pass has a lock of its own for its end, so that none is left over from the pass before.
        self._begin, self._end = threading.Lock(), threading.Lock()
        self._begin.acquire()
        self._given_passes = self._ended_passes = 0
        self._thread = threading.Thread(target=self._serve, name=f"triadic-{worker}", daemon=True)

    def give(self, work: Pass) -> None:
        """Let the thread begin a pass; start it for its first pass."""
        if self._thread.ident is None:
            with held_back():  # Ctrl-C during the start would leave a thread that runs and has no `ident` yet
                self._thread.start()
        self._end = threading.Lock()
        self._end.acquire()
        self._given = work, self._end
        try:
            self._given_passes += 1
        finally:  # also if Ctrl-C comes between the two
            self._begin.release()

    def has_ended(self, timeout: float) -> bool:
        """Wait for the end of the pass, at most `timeout` seconds; return whether it has ended."""
        # Counted, since Ctrl-C may come right after the lock is acquired, and the lock is not released again.
        if self._ended_passes < self._given_passes:
            self._end.acquire(timeout=timeout)
        return self._ended_passes >= self._given_passes

    def dismiss(self) -> None:
        """Let the thread end after its pass, and wait for it."""
        if self._thread.ident is not None:
            self._given = None
            if self._begin.locked():  # it is not if Ctrl-C came before the thread began its pass
                self._begin.release()
            self._thread.join()

    def _serve(self) -> None:
        while True:
            self._begin.acquire()
            given, self._given = self._given, None
            if given is None:
                return
            work, end = given
            work.work(self._worker)
            del given, work  # the arrays of a pass are freed at its end
            self._ended_passes += 1
            end.release()


class Team:
    """The helpers of one thread. Worker 0 is the thread itself; helpers are workers from 1 on.

    Attributes
    ----------
    busy : bool
        Whether a pass is under way, or was interrupted: then the team takes no other.
    """

    def __init__(self) -> None:
        self.busy = False
        self._helpers: list[Helper] = []

    def begin(self, work: Pass, workers: int) -> None:
        """Let all workers but the thread itself begin a pass."""
        self._helpers += [Helper(worker) for worker in range(len(self._helpers) + 1, workers)]
        for helper in self._helpers[: workers - 1]:
            try:
                helper.give(work)
            except RuntimeError:  # the system starts no more threads: those that run take all blocks
                return

    def has_ended(self, timeout: float) -> bool:
        """Wait for the helpers to end the pass, at most `timeout` seconds for each; return whether all have."""
        return all(helper.has_ended(timeout) for helper in self._helpers)

    def dismiss(self) -> None:
        """End all threads, also if Ctrl-C interrupts the wait for one of them."""
        try:
            for helper in self._helpers:
                helper.dismiss()
        except BaseException:
            for helper in self._helpers:
                helper.dismiss()
            raise


class _OfThread(threading.local):
    team: Team | None = None


_current = _OfThread()


def _leave_team() -> None:
    _current.team = None


if hasattr(os, "register_at_fork"):  # a fork from a progress function: the threads of the team are not in the child
    os.register_at_fork(after_in_child=_leave_team)


@contextmanager
def one_team() -> Iterator[None]:
    """Share helpers among the passes that the calling thread makes within the block; also a decorator."""
    if _current.team is not None:
        yield
        return
    team = Team()
    try:
        _current.team = team
        yield
    finally:
        _current.team = None
        team.dismiss()


@contextmanager
def team_for_pass() -> Iterator[Team]:
    """Yield the team of the calling thread, or a new team outside `one_team` and within another pass."""
    team = _current.team
    if team is None or team.busy:
        team = Team()
        try:
            yield team
        finally:
            team.dismiss()
        return
    team.busy = True
    yield team
    team.busy = False  # not after an exception
