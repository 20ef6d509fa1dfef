"""Attributes that are computed once do not hold up other threads or forked processes."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from triadic.core.records import cached_property


class Slow:
    """An object whose attribute takes until it is released."""

    def __init__(self):
        self.entered, self.released = threading.Event(), threading.Event()

    @cached_property
    def value(self):
        self.entered.set()
        self.released.wait(30)
        return 7


@pytest.fixture
def busy():
    """Yield while another thread computes the attribute."""
    slow = Slow()
    thread = threading.Thread(target=lambda: slow.value)
    thread.start()
    slow.entered.wait(30)
    yield
    slow.released.set()
    thread.join()


def test_threads_compute_attributes_of_different_objects_at_the_same_time(busy):
    other = Slow()
    other.released.set()
    assert other.value == 7


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_forked_meanwhile_computes_it_too(busy):
    other = Slow()
    other.released.set()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os._exit(other.value)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_the_value_is_computed_once():
    slow = Slow()
    slow.released.set()
    assert slow.value == 7
    slow.entered.clear()
    assert slow.value == 7
    assert not slow.entered.is_set()
