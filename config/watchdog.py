"""Tells Trey's supervisor or systemd (sd_notify(3)) every second that this process runs.

    python -m config.watchdog MODULE [ARGUMENT ...]

is `python -m MODULE [ARGUMENT ...]`, where the process and every process that it forks do so. A process that hangs
(stopped, waiting for a frozen disk) falls silent, and the watcher replaces it. Without NOTIFY_SOCKET in the environment
nobody watches, and nothing is sent.
"""

import os
import runpy
import socket
import sys
import threading
import time

# Seconds.
EVERY = 1.0
_SOCKET = "NOTIFY_SOCKET"


def start() -> None:
    """Send from now on, in this process and in all that it forks."""
    if _SOCKET in os.environ:
        os.register_at_fork(after_in_child=_start_here)
        _start_here()


def notify(*lines: str) -> None:
    """Send lines such as READY=1 to the watcher. Without a watcher this does nothing."""
    address = os.environ.get(_SOCKET)
    if not address:
        return
    # systemd writes an abstract address with an @.
    target = f"\0{address[1:]}" if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        try:
            sender.sendto("\n".join(lines).encode(), target)
        except OSError:
            # The watcher is gone or does not read; the next message follows in a second.
            return


def message(pid: int) -> tuple[str, str]:
    """Return the message that a process sends. systemd ignores fields that begin with X_."""
    return "WATCHDOG=1", f"X_TREY_PID={pid}"


def _start_here() -> None:
    threading.Thread(target=_tell, name="watchdog", daemon=True).start()


def _tell() -> None:
    while True:
        notify(*message(os.getpid()))
        time.sleep(EVERY)


def main() -> None:
    """Run the module named on the command line."""
    if len(sys.argv) < 2:
        sys.exit("usage: python -m config.watchdog MODULE [ARGUMENT ...]")
    del sys.argv[0]
    start()
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
