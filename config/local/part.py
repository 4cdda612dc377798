"""Runs one part of Trey, for containers: `python -m config.local.part web`.

Docker restarts a container whose process ends, not one that is unhealthy. So each container has a supervisor of its
own, which replaces what dies or stands still.
"""

import argparse
import sys

from config.errors import StartupError
from config.local import signals
from config.local.supervisor import Supervisor, say
from config.processes import SERVICES


def main() -> None:
    """Run the part until a signal. Exit status 1 when it keeps dying."""
    parts = {process.name: process for process in SERVICES}
    parser = argparse.ArgumentParser(prog="config.local.part", description="Run one part of Trey.")
    parser.add_argument("part", choices=parts)
    chosen = parts[parser.parse_args().part]
    stopping, hurry = signals.listen()
    supervisor = Supervisor(labelled=False)
    supervisor.start(chosen, {})
    try:
        while not stopping.wait(0.1):
            supervisor.watch()
    except StartupError as error:
        sys.exit(f"trey: {error}")
    finally:
        say(chosen.name, "stopping")
        supervisor.stop(hurry)


if __name__ == "__main__":
    main()
