"""Every command that writes, killed at a system call, or on a disk that is full, broken or read-only from that call on.

After the fault, the target is the old file or the new one, never a part of one. The same command then runs once more
without a fault; it must succeed, give the same files as an undisturbed run, and leave nothing else in the folder.

Runs under ``LD_PRELOAD=fault_at_call.so``; `stress/run.py` compiles and preloads it.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import re
import shutil
import signal
import sys
from pathlib import Path

import numpy as np

COMMANDS = {
    "convert to csv": ["convert", "network.txt", "out.csv"],
    "convert to packed text": ["convert", "network.txt", "out.txt.gz"],
    "convert to parquet": ["convert", "network.txt", "out.parquet"],
    "convert to matrix market": ["convert", "network.txt", "out.mtx"],
    "convert to graphml": ["convert", "network.txt", "out.graphml"],
    "convert to gexf": ["convert", "network.txt", "out.gexf"],
    "convert to a folder": ["convert", "network.txt", "out.triadic"],
    "clustering to csv": ["clustering", "network.txt", "-o", "out.csv"],
    "clustering to parquet": ["clustering", "network.txt", "-o", "out.parquet"],
    "clustering to npy": ["clustering", "network.txt", "-o", "out.npy"],
    "census to csv": ["census", "network.txt", "--directed", "--by-vertex", "-o", "out.csv"],
    "graphlets to parquet": ["graphlets", "network.txt", "-o", "out.parquet"],
    "generate": ["generate", "rmat", "6", "-o", "out.parquet", "--seed", "1"],
    "tile": ["tile", "network.txt", "out.tiles", "--ranges", "3", "--directed"],
    "clustering by tiles": ["clustering", "network.txt", "--tiles", "out.tiles", "-o", "out.csv", "--undirected"],
    "clustering of tiles": ["clustering", "stored.tiles", "-o", "out.csv"],
    "census of tiles": ["census", "stored.tiles"],
}
FAULTS = {"kill": 0, "full disk": errno.ENOSPC, "broken disk": errno.EIO, "read-only": errno.EROFS}


def library():
    """Return the functions of the preloaded library."""
    found = ctypes.CDLL(None)
    found.fault_arm.argtypes = [ctypes.c_long, ctypes.c_int]
    found.fault_calls.restype = ctypes.c_long
    return found


def prepare(folder):
    """Write the inputs, and run every command once so that all kernels are compiled and stored."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rng = np.random.default_rng(1)
    rows = rng.zipf(1.6, (300, 2)) % 60
    (folder / "network.txt").write_text("".join(f"v{u} v{v}\n" for u, v in rows.tolist()))
    code, _, said = run_in_child(
        ["tile", "network.txt", "stored.tiles", "--ranges", "3", "--directed"], folder, 1 << 60, 0
    )
    assert code == 0, said


def warm(base, folder):
    """Run each command in this process on one thread, so that forked processes find all modules and kernels loaded."""
    from triadic.cli import main

    here, out, errors = Path.cwd(), os.dup(1), os.dup(2)
    for words in COMMANDS.values():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(base, folder)
        os.chdir(folder)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        try:
            if main([*words, "--threads", "1"]):
                main(words)
        finally:
            os.dup2(out, 1)
            os.dup2(errors, 2)
            os.chdir(here)


def run_in_child(words, folder, at, error):
    """Run a command in a forked process with a fault; return its exit status, its number of calls, and its words."""
    report, say = os.pipe()
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.dup2(say, 2)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        # The streams of the parent may be files, in which the command would look for a place.
        sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
        code = 70
        try:
            from triadic.cli import main

            faults = library()
            faults.fault_arm(at, error)
            code = main(words)
            faults.fault_arm(-1, 0) if error else None
            os.write(2, f"\ncalls={faults.fault_calls()}\n".encode())
        except BaseException as problem:
            os.write(2, f"\nTRACEBACK {type(problem).__name__}: {problem}\n".encode())
        finally:
            os._exit(code)
    os.close(say)
    said = b""
    while part := os.read(report, 1 << 16):
        said += part
    os.close(report)
    status = os.waitpid(child, 0)[1]
    text = said.decode(errors="replace")
    calls = re.search(r"calls=(\d+)", text)
    return os.waitstatus_to_exitcode(status), int(calls[1]) if calls else 0, text


def contents(folder):
    """Return the bytes of all files of a folder but the inputs."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "network.txt"
    }


def stable(files):
    """Return contents without what differs from run to run, such as times and inode numbers."""

    def clean(name, content):
        if name.endswith("header.json"):
            return json.dumps(
                {key: value for key, value in json.loads(content).items() if key not in ("origin", "checksum")}
            )
        return content

    # Results of tiles name the graph by its header, whose origin holds times; their numbers are in the tables.
    return {name: clean(name, content) for name, content in files.items() if "/results/" not in name}


def check(name, fault, at, base, folder, tally, expected):
    """Run a command with one fault, and again without."""
    words, error = COMMANDS[name], FAULTS[fault]
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder)
    out = next((word for word in words if word.startswith("out.") and not word.endswith((".tiles", ".triadic"))), None)
    if out is not None:
        (folder / out).write_bytes(b"old")
    code, _, said = run_in_child(words, folder, at, error)
    case = f"{name}, {fault} at call {at}"
    if "TRACEBACK" in said or "Traceback" in said:
        return tally.fail(said[-2000:], case=case)
    if fault == "kill" and code not in (-signal.SIGKILL, 0):
        return tally.fail(f"exit code {code}: {said}", case=case)
    if fault != "kill" and code not in (0, 2):
        return tally.fail(f"exit code {code}: {said}", case=case)
    if out is not None and (folder / out).read_bytes() not in (b"old", expected[out]):
        return tally.fail(f"{out} is neither the old nor the new file", case=case)
    again, _, said = run_in_child(words, folder, -1, 0)
    if again != 0:
        return tally.fail(f"the second run ended with {again}: {said[-2000:]}", case=case)
    found, wanted = stable(contents(folder)), stable(expected)
    if found != wanted:
        odd = sorted(set(found) ^ set(wanted)) or [key for key in found if found[key] != wanted[key]]
        return tally.fail(f"files differ after the second run: {odd[:5]}", case=case)
    return tally.add(f"{fault}: {'ended' if code else 'was through'}")


def run(count, seed, folder, tally, faults):
    """Check random commands, faults and calls."""
    rng = np.random.default_rng(seed)
    base, work = folder / "base", folder / "work"
    prepare(base)
    warm(base, work)
    known = {}
    for _ in range(count):
        name = list(COMMANDS)[rng.integers(len(COMMANDS))]
        if name not in known:
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(base, work)
            code, calls, said = run_in_child(COMMANDS[name], work, 1 << 60, 0)
            if code != 0:
                raise SystemExit(f"{name}: {said}")
            known[name] = calls, contents(work)
        calls, expected = known[name]
        fault = faults[rng.integers(len(faults))]
        check(name, fault, int(rng.integers(1, calls + 1)), base, work, tally, expected)
