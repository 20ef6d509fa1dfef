"""Which devices a study runs on: ``--devices cpu,opencl:0,cuda:0,1``."""

from __future__ import annotations

from dataclasses import dataclass

from triadic.devices.gpu import open as gpus
from triadic.errors import ArgumentError, DeviceError, MissingExtraError


@dataclass(frozen=True)
class Devices:
    """What to run on, and why the rest is not there.

    Attributes
    ----------
    cpu : bool
    gpus : tuple of str
        One GPU each: "cuda:0", "opencl:0".
    sets : tuple of str
        Several GPUs together, as "cuda:0,1"; two, four and so on of those named together.
    """

    cpu: bool
    gpus: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All single devices."""
        return (*(("cpu",) if self.cpu else ()), *self.gpus)

    def with_cards(self, cards: int) -> str | None:
        """Give the first set of so many GPUs."""
        return next((each for each in self.sets if each.count(",") + 1 == cards), None)

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """Give the single GPUs of these kinds."""
        return tuple(each for each in self.gpus if each.partition(":")[0] in kinds)


def find_devices(asked: str | None) -> Devices:
    """Give the devices asked for; by default the CPU, and the CUDA cards or else the first OpenCL device.

    Parameters
    ----------
    asked : str, optional
        Names with commas between. Numbers after a name belong to it: "cuda:0,1" is two cards, for which rows of one
        card (the first) and of both are run.

    Raises
    ------
    ArgumentError, DeviceError, MissingExtraError

    Examples
    --------
    >>> find_devices("cpu").names
    ('cpu',)
    """
    words = _default() if asked is None else _words(asked)
    cpu, single, sets = False, list[str](), list[str]()
    for word in words:
        if word == "cpu":
            cpu = True
            continue
        kind = word.partition(":")[0]
        if kind not in gpus.KINDS:
            raise ArgumentError(f"--devices {word}: expected cpu, cuda, cuda:1, cuda:0,1, cuda:all, opencl or opencl:1")
        try:
            named = gpus.named(word)
        except (ArgumentError, DeviceError, MissingExtraError) as error:
            message = str(error).removeprefix(f"device={word!r}: ")
            raise type(error)(f"--devices {word}: {message}") from error
        single.append(named[0])
        sets += [_together(named[:cards]) for cards in _steps(len(named))]
    return Devices(cpu, tuple(dict.fromkeys(single)), tuple(dict.fromkeys(sets)))


def _words(asked: str) -> list[str]:
    """Split at commas, but for those between the numbers of one device."""
    words: list[str] = []
    for part in asked.split(","):
        if part.strip().isdecimal() and words and ":" in words[-1]:
            words[-1] += f",{part.strip()}"
        else:
            words.append(part.strip())
    return words


def _default() -> list[str]:
    for kind, which in (("cuda", "all"), ("opencl", "0")):
        try:
            if gpus.is_installed(kind) and gpus.count(kind):
                return ["cpu", f"{kind}:{which}"]
        except (DeviceError, ImportError):
            continue
    return ["cpu"]


def _steps(cards: int) -> list[int]:
    """Two, four, eight ... of them, and all."""
    steps = [1 << power for power in range(1, 10) if 1 << power <= cards]
    return steps if cards < 2 or cards in steps else [*steps, cards]


def _together(names: tuple[str, ...]) -> str:
    kind = names[0].partition(":")[0]
    return f"{kind}:{','.join(name.partition(':')[2] for name in names)}"
