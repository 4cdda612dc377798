"""Tells `make run` or systemd (sd_notify(3)) every few seconds that this process runs, and ends it if it hangs.

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
# Seconds between two messages.
EVERY = 15.0


def start() -> None:
    """Watch from now on, in this process and in all that it forks."""
    os.register_at_fork(after_in_child=_start_here)
    _start_here()


def tell(message: str) -> None:
    """Send a message of sd_notify(3), such as `READY=1`."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        # The watcher may be gone, or not read. systemd writes an abstract address with an @.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender:
            sender.sendto(message.encode(), f"\0{address[1:]}" if address.startswith("@") else address)


def _start_here() -> None:
    # From this moment on: the thread may never get its turn.
    signal.alarm(LONGEST)
    threading.Thread(target=_go_on, name="watchdog", daemon=True).start()


def _go_on() -> None:
    while True:
        signal.alarm(LONGEST)
        # systemd ignores fields that begin with X_.
        tell(f"WATCHDOG=1\nX_TREY_PID={os.getpid()}")
        time.sleep(EVERY)


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
