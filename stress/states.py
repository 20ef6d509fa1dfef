"""States and files of streams: forged numbers and lengths, states of other streams, damaged files.

A state that was forged with a checksum that agrees is taken or refused; it never crashes, and no counts fail later.
"""

from __future__ import annotations

import io
import json
import traceback
import zipfile
from contextlib import suppress

import numpy as np

import files

LEFT = 1 << 29  # bytes of address space
SECONDS = 60
WHOLE = [0, 1, -1, 7, 2**31, 2**40, 2**62, 2**63 - 1, 2**63, 2**64, -(2**63)]
NUMBERS = [*WHOLE, 1.5, float("nan"), None, True, "7", [], {}]
TYPES = ["<i8", ">i8", "<u8", ">u8", "<i4", "<f8", "|b1", "<U9", "|S8", "|O", "<M8[s]", "<c16", "|V8"]


def stream_of(rng):
    """Return a stream of some memory and seed with some edges, of which some went."""
    import triadic

    stream = triadic.EdgeStream(memory=int(rng.choice([17_000_000, 17_000_000, 20_000_000])), seed=int(rng.integers(3)))
    arcs = rng.zipf(1.5, (int(rng.integers(0, 5000)), 2)) % int(rng.choice([5, 300, 10**6]))
    stream.add(*arcs.T)
    if rng.random() < 0.5:
        stream.remove(*arcs[: len(arcs) // 3].T)
    return stream


def forged_array(array, rng):
    """Return another array: of another type, shape or order, or with other numbers."""
    kind = int(rng.integers(7))
    if kind == 0:
        return array.astype(rng.choice(["f8", "u4", "i8", "i4", "O", "c16"]))
    if kind == 1:
        return array[..., : int(rng.integers(array.shape[-1] + 1))]
    if kind == 2:
        return np.asfortranarray(array) if rng.random() < 0.5 else np.ascontiguousarray(array.T)
    if kind == 3:
        return array.reshape(-1) if rng.random() < 0.5 else array[None]
    if kind == 4:
        return np.concatenate([array, array], axis=-1)
    changed = array.copy()
    if changed.size and changed.dtype.kind in "iu":
        at = int(rng.integers(changed.size))
        changed.flat[at] = changed.flat[int(rng.integers(changed.size))] if kind == 5 else rng.integers(2**62)
        if rng.random() < 0.3:
            changed.flat[at] = np.iinfo(changed.dtype).max if rng.random() < 0.5 else np.iinfo(changed.dtype).min
    return changed


def forged_state(state, rng):
    """Return a state with another field or several, often with a checksum that agrees."""
    from triadic.measures.estimates.stream_result import StreamState

    fields = state._asdict()
    for _ in range(int(rng.integers(1, 3))):
        name = list(fields)[int(rng.integers(len(fields)))]
        if name in ("numbers", "edges"):
            fields[name] = forged_array(np.asarray(fields[name]), rng)
        else:
            fields[name] = NUMBERS[int(rng.integers(len(NUMBERS)))]
    if rng.random() < 0.7:
        with suppress(TypeError, ValueError, AttributeError):
            fields = StreamState.of(*(fields[name] for name in ("memory", "seed", "numbers", "edges")))._asdict()
    return StreamState(**fields)


def forged_file(state, rng):
    """Return the bytes of a file with forged fields, headers of arrays, members or lengths."""
    about = {name: getattr(state, name) for name in ("version", "memory", "seed", "checksum")}
    kind = int(rng.integers(8))
    if kind == 0:
        about[list(about)[int(rng.integers(len(about)))]] = NUMBERS[int(rng.integers(len(NUMBERS)))]
    if kind == 1:
        about.pop(list(about)[int(rng.integers(len(about)))])
    text = json.dumps(NUMBERS[int(rng.integers(len(NUMBERS)))] if kind == 2 else about)
    members = {}
    for name, array in (("about", np.array(text)), ("numbers", state.numbers), ("edges", state.edges)):
        stream = io.BytesIO()
        np.lib.format.write_array(stream, array, allow_pickle=False, version=(1, 0))
        content = stream.getvalue()
        if kind in (3, 4) and rng.random() < 0.6:  # the header states another type or shape
            length = int.from_bytes(content[8:10], "little")
            shape = tuple(WHOLE[int(rng.integers(len(WHOLE)))] for _ in range(int(rng.integers(4))))
            dtype = TYPES[int(rng.integers(len(TYPES)))] if kind == 3 else array.dtype.str
            stated = {"descr": dtype, "fortran_order": rng.random() < 0.3, "shape": shape if kind == 4 else array.shape}
            header = repr(stated).encode()[: length - 1].ljust(length - 1) + b"\n"
            content = content[:10] + header + content[10 + length :]
        if kind == 5 and rng.random() < 0.5:
            content = content[: int(rng.integers(len(content) + 1))]
        members[f"{name}.npy"] = content
    if kind == 6:
        members.pop(list(members)[int(rng.integers(3))])
    packing = zipfile.ZIP_DEFLATED if kind == 7 else zipfile.ZIP_STORED
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", packing) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return target.getvalue()


def check(path, stream, rng):
    """Restore or load something that is wrong; return the outcome, or raise what should not be raised."""
    import triadic
    from triadic.errors import TriadicError

    state, before = stream._state(), stream.estimate()
    own = rng.random() < 0.1
    try:
        if rng.random() < 0.5:
            wrong = state if own else forged_state(state, rng)
            other = stream_of(rng) if not own and rng.random() < 0.2 else stream
            other._restore(wrong)
            assert (other.memory, other.seed) == (wrong.memory, wrong.seed), "the state of another stream"
            loaded = other
        else:
            stream.save(path)
            content = path.read_bytes()
            if not own:
                content = forged_file(state, rng) if rng.random() < 0.6 else files.mutate(content, [("", content)], rng)
            path.write_bytes(content)
            loaded = triadic.EdgeStream.load(path)
    except TriadicError as error:
        assert not own, f"refused what it wrote: {error}"
        assert "\n" not in str(error), f"several lines: {str(error)!r}"
        assert len(str(error)) < 1000, f"a long message: {str(error)[:200]}"
        assert stream.estimate() == before, "the stream was changed by a state that it refused"
        return "refused"
    found = loaded.estimate()
    assert 50 * loaded.edges_kept <= loaded.memory, "more edges than fit"
    if own:
        assert found == before, "another estimate"
    loaded.local()
    loaded.add([1, 2, 3], [2, 3, 1])
    loaded.remove([1, 2], [2, 3])
    assert str(loaded.estimate())
    return "right" if found == before else "taken: checksum and edges agree"


def work(number, seed, count, folder, connection):
    """Check states in a worker, and report each outcome."""
    for case in range(count):
        rng = np.random.default_rng([seed, number, case])
        path = folder / f"{number}.stream"
        connection.send(("start", f"state {seed} {number} {case}", (b"", SECONDS)))
        try:
            with files.address_space(LEFT):
                outcome, problem = check(path, stream_of(rng), rng), None
        except BaseException:
            outcome, problem = "FAILED", traceback.format_exc()
        path.unlink(missing_ok=True)
        connection.send((outcome, problem, None))
    connection.close()


def run(count, seed, folder, tally):
    """Check `count` states and files of streams."""
    import triadic

    triadic.EdgeStream(memory="17MB").estimate()  # loads kernels before the address space is limited
    files.run(count, seed, folder, tally, work=work)
