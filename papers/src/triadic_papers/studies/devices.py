"""The devices of a study: ``--devices cpu,opencl:0,cuda:0,1``."""

from __future__ import annotations

from dataclasses import dataclass

from triadic.devices.runtimes import registry as gpus
from triadic.errors import ArgumentError, DeviceError, MissingExtraError


@dataclass(frozen=True)
class Devices:
    """Devices to run on.

    Attributes
    ----------
    cpu : bool
    gpus : tuple of str
        Single GPUs: "cuda:0", "opencl:0".
    sets : tuple of str
        Several GPUs together, such as "cuda:0,1": two, four and so on of the GPUs given together.
    """

    cpu: bool
    gpus: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all single devices."""
        return (*(("cpu",) if self.cpu else ()), *self.gpus)

    def with_cards(self, cards: int) -> str | None:
        """Return the first set of `cards` GPUs, or None."""
        return next((name for name in self.sets if name.count(",") + 1 == cards), None)

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """Return the single GPUs of these kinds."""
        return tuple(name for name in self.gpus if name.partition(":")[0] in kinds)


def find_devices(names: str | None) -> Devices:
    """Return the devices with the given names; by default the CPU, and all CUDA cards or else the first OpenCL device.

    Parameters
    ----------
    names : str, optional
        Names separated by commas. Numbers after a name belong to it: "cuda:0,1" stands for two cards, with rows for the
        first card alone and for both together.

    Raises
    ------
    ArgumentError
        A name has another form.
    DeviceError
        A device does not exist.
    MissingExtraError
        The package for a device is not installed.

    Examples
    --------
    >>> find_devices("cpu").names
    ('cpu',)
    """
    words = _default() if names is None else _words(names)
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


def _words(names: str) -> list[str]:
    """Split at commas, except between the numbers of one device."""
    words: list[str] = []
    for part in names.split(","):
        if part.strip().isdecimal() and words and ":" in words[-1]:
            words[-1] += f",{part.strip()}"
        else:
            words.append(part.strip())
    return words


def _default() -> list[str]:
    for kind in gpus.KINDS:
        which = "all" if gpus.DEVICES[kind].auto_edges is not None else "0"  # devices that "auto" picks are alike
        try:
            if gpus.is_installed(kind) and gpus.count(kind):
                return ["cpu", f"{kind}:{which}"]
        except (DeviceError, ImportError):
            continue
    return ["cpu"]


def _steps(cards: int) -> list[int]:
    """Return the sizes of device sets: 2, 4, 8, ... up to the number of cards, and all cards."""
    steps = [1 << power for power in range(1, 10) if 1 << power <= cards]
    return steps if cards < 2 or cards in steps else [*steps, cards]


def _together(names: tuple[str, ...]) -> str:
    kind = names[0].partition(":")[0]
    return f"{kind}:{','.join(name.partition(':')[2] for name in names)}"
