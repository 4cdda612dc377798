"""Find out why a process is silent: it hangs, it gets no processor time, or it works without saying so.

Linux has three figures that tell these apart: the processor time of the process, how long its threads waited in the run
queue (schedstat), and how long anything on the machine waited (/proc/pressure/cpu, if the kernel has it). Each is
compared between two looks. On other systems nothing is known, and a silent process counts as hanging.
"""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
# Seconds.
_SPAN = 2.0
# The share of the time in which a thread waited for a processor that explains a silence.
_WAITED = 0.25
# Under pressure a smaller share explains it, since a thread's wait is counted only when it ends.
_PRESSED, _WAITED_UNDER_PRESSURE = 0.5, 0.1
# The share of a processor that a working process uses.
_WORKS = 0.5


class Why(Enum):
    """The reason for which a process is silent."""

    STILL = "it stands still"
    STARVED = "it is given no processor time"
    AT_WORK = "it is at work"


@dataclass(frozen=True, slots=True)
class Look:
    """The figures of a process at a moment. All but `looks` and `runnable` are totals, in seconds.

    `looks` is the number of looks since the first one, and `runnable` the number of those in which a thread wanted a
    processor.
    """

    at: float
    used: float
    waited: float
    pressure: float | None
    looks: int = 1
    runnable: int = 0

    def after(self, earlier: "Look") -> "Look":
        """This look as one that follows an earlier one."""
        return replace(self, looks=earlier.looks + 1, runnable=earlier.runnable + self.runnable)


class Silence:
    """The silence of a process, judged again after every `_SPAN` seconds from the first look on."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._begun = self._first = self._last = look(pid)
        self._judged: Why | None = None
        self.is_waited_for = False

    @property
    def used(self) -> float:
        """Seconds of processor time that the process has used since the first look."""
        return self._last.used - self._begun.used if self._last and self._begun else 0.0

    def look(self) -> Why | None:
        """Look again. Return why it is silent, as of the last whole span; None before there is one."""
        seen = look(self._pid)
        if seen is None or self._first is None or self._last is None:
            return Why.STILL
        self._last = seen.after(self._last)
        if self._last.at - self._first.at >= _SPAN:
            self._judged = why(self._first, self._last)
            self._first = self._last = replace(seen, looks=1)
        return self._judged


def look(pid: int) -> Look | None:
    """Look at a process. None if it is gone, or if the system does not say."""
    try:
        fields = _fields(Path(f"/proc/{pid}/stat"))
        threads = [entry.name for entry in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return None
    states, waited = set(), 0.0
    for thread in threads:
        # The process may have ended, or the kernel may lack the figures.
        with suppress(OSError):
            states.add(_fields(Path(f"/proc/{pid}/task/{thread}/stat"))[0])
            waited += int(Path(f"/proc/{pid}/task/{thread}/schedstat").read_text().split()[1]) / 1e9
    used = (int(fields[11]) + int(fields[12])) / _TICK
    return Look(time.monotonic(), used, waited, _pressure(), runnable=int("R" in states))


def why(first: Look, last: Look) -> Why:
    """Return why a process said nothing between two looks at it."""
    span = last.at - first.at
    if span <= 0:
        return Why.STILL
    used = (last.used - first.used) / span
    # A process that wanted a processor in a look and did not use one was waiting for it.
    wanted = last.runnable / last.looks - used
    waited = max((last.waited - first.waited) / span, wanted)
    pressed = (
        first.pressure is not None and last.pressure is not None and (last.pressure - first.pressure) / span >= _PRESSED
    )
    if waited >= (_WAITED_UNDER_PRESSURE if pressed else _WAITED):
        return Why.STARVED
    return Why.AT_WORK if used >= _WORKS else Why.STILL


def _fields(stat: Path) -> list[str]:
    """Return the fields after the name of the program, which may hold any character; the first one is the state."""
    return stat.read_text(errors="replace").rpartition(")")[2].split()


def _pressure() -> float | None:
    try:
        lines: Iterable[str] = Path("/proc/pressure/cpu").read_text().splitlines()
    except OSError:
        return None
    total = next((line.rpartition("total=")[2] for line in lines if line.startswith("some")), None)
    return int(total) / 1e6 if total is not None else None
