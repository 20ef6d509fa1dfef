"""A deferred Ctrl-C is raised once, at the end of the block."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from numba import types

from triadic.core import compiled
from triadic.core.progress import held_back

SIGINT = int(signal.SIGINT)
press = types.ExternalFunction("raise", types.int32(types.int32))


def press_and_return(presses):
    """Press Ctrl-C within a kernel, which then returns arrays."""
    presses[0] += 1
    press(SIGINT)
    return presses, presses + 1


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


def test_each_interrupt_of_a_block_reaches_the_handler_of_the_user():
    times = []
    before = signal.signal(signal.SIGINT, lambda number, _: times.append(number))
    try:
        with held_back():
            interrupt()
            interrupt()
            assert times == []
        assert times == [signal.SIGINT, signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


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


@pytest.mark.parametrize("boxes_in_c", [True, False], ids=["numba runs first in triadic", "numba ran before"])
def test_an_interrupt_within_a_kernel_is_raised_after_its_first_and_after_every_later_call(monkeypatch, boxes_in_c):
    if boxes_in_c and not compiled._BOXES_IN_C:
        pytest.skip("a plugin of pytest ran numba before")
    monkeypatch.setattr(compiled, "_BOXES_IN_C", boxes_in_c)
    interrupted = compiled.kernel(press_and_return)
    presses = np.zeros(1, dtype=np.int64)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            interrupted(presses)
    assert presses[0] == 3
    caught = []
    before = signal.signal(signal.SIGINT, lambda number, _: caught.append(number))
    try:
        found, one_more = interrupted(presses)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (found[0], one_more[0], caught) == (4, 5, [SIGINT])


@pytest.mark.nightly
def test_interrupts_of_the_significance_of_a_small_graph_are_nothing_else():
    program = """
import json, random, signal, threading, time, warnings
import triadic
warnings.simplefilter("ignore")
graph = triadic.generate.erdos_renyi(60, 180, seed=1)
triadic.significance(graph, samples=2, seed=1)
main, met, done = threading.main_thread().ident, [], threading.Event()

def draw():
    drawn = random.Random(1)
    time.sleep(0.5)
    for _ in range(300):
        time.sleep(drawn.uniform(0.001, 0.006))
        signal.pthread_kill(main, signal.SIGINT)
    time.sleep(0.5)
    done.set()

threading.Thread(target=draw, daemon=True).start()
while not done.is_set():
    try:
        while not done.is_set():
            triadic.significance(graph, samples=2, seed=1, threads=1)
    except BaseException as error:
        met.append(type(error).__name__)
print(json.dumps(met))
"""
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    met = json.loads(process.stdout)
    assert len(met) > 100
    assert set(met) == {"KeyboardInterrupt"}
