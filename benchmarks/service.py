"""The service as `make run` starts it, with data of its own that is removed at the end."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.faults import CHECKOUT, Service, wait_until_well


@contextmanager
def served(port: int) -> Iterator[Service]:
    """The running service, ready for requests. Ends the program if it does not start."""
    import django

    django.setup()
    from django.conf import settings

    from config.local import embedded

    place = settings.PLACE
    try:
        with embedded.started(place):
            process = subprocess.Popen([sys.executable, "-m", "config.local.run", "--port", str(port)], cwd=CHECKOUT)
            service = Service(port, place.root, process)
            try:
                if not wait_until_well(service):
                    sys.exit("The service does not start. Its lines above say why.")
                yield service
            finally:
                service.stopping.set()
                process.send_signal(signal.SIGINT)
                process.wait(60)
    finally:
        shutil.rmtree(place.root, ignore_errors=True)
        shutil.rmtree(place.sockets, ignore_errors=True)
