"""Runs one part of Trey, for containers: `python -m config.running.part web`.

Docker restarts a container whose process ends, but not one that is unhealthy. So each container has its own supervisor,
which replaces processes that die or hang.
"""

import argparse
import sys
from contextlib import AbstractContextManager, nullcontext
from threading import Event

from config import environment
from config.errors import StartupError
from config.processes import SERVICES, WEB, Process
from config.running import preflight, signals
from config.running.supervisor import Supervisor, say


def main() -> None:
    """Run the part until a signal. Exit status 1 when it keeps dying."""
    parts = {process.name: process for process in SERVICES}
    parser = argparse.ArgumentParser(prog="config.running.part", description="Run one part of Trey.")
    parser.add_argument("part", choices=parts)
    chosen = parts[parser.parse_args().part]
    stopping, hurry = signals.listen()
    try:
        with _port_of(chosen):
            _run(chosen, stopping, hurry)
    except StartupError as error:
        sys.exit(f"trey: {error}")


def _port_of(part: Process) -> AbstractContextManager[None]:
    if part is not WEB:
        return nullcontext()
    host = environment.text("GRANIAN_HOST", "127.0.0.1")
    port = environment.integer("GRANIAN_PORT", 8000, at_least=1, at_most=65535)
    return preflight.held_port(host, port, "GRANIAN_PORT")


def _run(part: Process, stopping: Event, hurry: Event) -> None:
    supervisor = Supervisor(labelled=False)
    supervisor.start(part, {})
    try:
        while not stopping.wait(0.1):
            supervisor.watch()
    finally:
        say(part.name, "stopping")
        supervisor.stop(hurry)


if __name__ == "__main__":
    main()
