"""Tells `make run` or systemd (sd_notify(3)) every second that this process runs, and ends it if it hangs.

    python -m config.watchdog MODULE [ARGUMENT ...]

is `python -m MODULE [ARGUMENT ...]`, where the process and every process that it forks do so. One that hangs (stopped,
waiting for a frozen disk) falls silent, and is replaced; where nobody listens, as in a container, SIGALRM ends it after
LONGEST. Without NOTIFY_SOCKET in the environment nothing is sent. What the environment makes impossible is said without
a traceback, with exit status 1.
"""

import os
import runpy
import signal
import socket
import sys
import threading
import time
from contextlib import suppress

from config.environment import StartupError

# Seconds that the watchdog's thread may have to wait for its turn.
LONGEST = 60


def start() -> None:
    """Watch from now on, in this process and in all that it forks."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    # systemd writes an abstract address with an @.
    target = f"\0{address[1:]}" if address.startswith("@") else address
    os.register_at_fork(after_in_child=lambda: _start_here(target))
    _start_here(target)


def _start_here(target: str) -> None:
    # From this moment on: the thread may never get its turn.
    signal.alarm(LONGEST)
    threading.Thread(target=_tell, args=[target], name="watchdog", daemon=True).start()


def _tell(target: str) -> None:
    # systemd ignores fields that begin with X_.
    message = f"WATCHDOG=1\nX_TREY_PID={os.getpid()}".encode()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        while True:
            signal.alarm(LONGEST)
            # The watcher may be gone, or not read; the next message follows in a second.
            if target:
                with suppress(OSError):
                    sender.sendto(message, target)
            time.sleep(1)


def run(module: str, *arguments: str) -> None:
    """Be `python -m MODULE ARGUMENT ...`, watched."""
    sys.argv = [module, *arguments]
    start()
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except StartupError as error:
        sys.exit(f"trey: {error}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m config.watchdog MODULE [ARGUMENT ...]")
    run(*sys.argv[1:])
