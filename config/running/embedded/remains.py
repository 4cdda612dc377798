"""The processes of an embedded server, found by the folder they work in; they can be in the way of the next one."""

import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from psutil import Process

# Seconds within which a killed process must be gone.
_DYING = 5.0


def of(folder: Path, name: str | None = None) -> "list[Process]":
    """The processes, with this name or any, whose working directory is the folder."""
    # Installed along with the embedded servers only.
    import psutil

    found, at = [], str(folder.resolve())
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if name in (None, process.name()) and process.cwd() == at:
                found.append(process)
    return found


def resume(processes: "Sequence[Process]") -> None:
    for process in processes:
        _send(process, signal.SIGCONT)


def end(processes: "Sequence[Process]", patience: float) -> None:
    """Resume them, wait this many seconds for them to end on their own, then kill what is left."""
    if not processes:
        return
    import psutil

    resume(processes)
    _, left = psutil.wait_procs(processes, patience)
    for process in left:
        _send(process, signal.SIGKILL)
    psutil.wait_procs(left, _DYING)


def _send(process: "Process", number: signal.Signals) -> None:
    import psutil

    with suppress(psutil.NoSuchProcess):
        process.send_signal(number)
