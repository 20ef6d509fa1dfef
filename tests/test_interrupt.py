"""A deferred Ctrl-C is raised once, at the end of the block."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from triadic.core.interrupt import held_back


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)  # a Ctrl-C that is not deferred would be raised here


def block(reached):
    with held_back():
        interrupt()
        reached.append("the end of it")


def block_in_a_block(reached):
    with held_back():
        block(reached)
        reached.append("the end of both")


def test_an_interrupt_waits_for_the_end_of_the_block():
    reached = []
    with pytest.raises(KeyboardInterrupt):
        block(reached)
    assert reached == ["the end of it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_outermost_of_nested_blocks_raises_the_interrupt():
    reached = []
    with pytest.raises(KeyboardInterrupt):
        block_in_a_block(reached)
    assert reached == ["the end of it", "the end of both"]


def test_without_an_interrupt_nothing_happens():
    with held_back():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_in_the_block_is_raised_unchanged():
    with pytest.raises(ZeroDivisionError), held_back():
        _ = 1 / 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_block_in_another_thread_defers_nothing():
    met = []

    def block():
        with held_back():
            met.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=block)
    thread.start()
    thread.join()
    assert met == [signal.default_int_handler]


@pytest.mark.parametrize("kernels", [1, pytest.param(3, marks=pytest.mark.nightly)])
def test_an_interrupt_while_kernels_compile_ends_the_program_without_a_trace(tmp_path, kernels):
    program = """
import sys
from numba.core import event
from triadic import Graph, triangles
from triadic.cli import main

class Teller(event.Listener):
    def on_start(self, compilation):
        print("compiling", flush=True)
    def on_end(self, compilation):
        pass

sys.argv = ["triadic", "clustering", sys.argv[1]]
with event.install_listener("numba:compile", Teller()):
    sys.exit(main())
"""
    (tmp_path / "net.txt").write_text("0 1\n1 2\n2 0\n")
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "net.txt")],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_OPT": "0"},  # compiled faster
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert [process.stdout.readline() for _ in range(kernels)] == kernels * ["compiling\n"]
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "Traceback" not in said
