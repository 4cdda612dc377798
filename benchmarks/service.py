"""The service as `make run` starts it, with data of its own that is removed at the end."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from benchmarks.clients import Client
from benchmarks.ground import own_place
from config.running.embedded import Place

CHECKOUT = Path(__file__).resolve().parents[1]
POSTMASTER = "postgres/postmaster.pid"
PARTS = ("web", "live", "worker", "follow", "beat", "stores")
# Seconds after which a service that is not well will not become so.
PATIENCE = 120.0


@dataclass
class Service(Client):
    """The running service: its address, its processes, and what its responses were."""

    root: Path = field(kw_only=True)
    process: subprocess.Popen[bytes] = field(kw_only=True)

    def part(self, name: str) -> psutil.Process:
        """The leading process of a part."""
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.Error):
                if child.name() == f"trey-{name}":
                    return child
        raise LookupError(name)


def first_process(root: Path, file: str) -> psutil.Process:
    """The first process of an embedded server."""
    return psutil.Process(int((root / file).read_text(encoding="ascii").split()[0]))


def postmaster(service: Service) -> psutil.Process:
    """PostgreSQL's first process."""
    return first_process(service.root, POSTMASTER)


def redis(service: Service) -> psutil.Process:
    """Redis."""
    return first_process(service.root, "redis/server.pid")


def wait_until_well(service: Service) -> bool:
    """Wait until the service is ready, all parts have their processes, and none of them is stopped."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(psutil.Error, LookupError, OSError, ValueError, IndexError):
            status, _ = service.call("GET", "/readyz", timeout=5)
            ours = [service.part(name) for name in PARTS]
            web, worker = ours[0].children(), ours[2].children()
            ours += [*web, *worker, postmaster(service), redis(service)]
            ours += postmaster(service).children()
            gone = any(process.status() in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE) for process in ours)
            if status == 200 and not gone and len(web) == len(worker) == 2:
                return True
        time.sleep(0.2)
    return False


@contextmanager
def running(place: Place, port: int) -> Iterator[Service]:
    """The running service, ready for requests. Ends the program if it does not start."""
    process = subprocess.Popen([sys.executable, "-m", "config.running.run", "--port", str(port)], cwd=CHECKOUT)
    service = Service("127.0.0.1", port, root=place.root, process=process)
    try:
        if not wait_until_well(service):
            sys.exit("The service does not start. Its lines above say why.")
        yield service
    finally:
        service.stopping.set()
        process.send_signal(signal.SIGINT)
        process.wait(60)


@contextmanager
def served(port: int) -> Iterator[Service]:
    """The running service in a place of its own (`own_place`)."""
    with own_place() as place, running(place, port) as service:
        yield service
