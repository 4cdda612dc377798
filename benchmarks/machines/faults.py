"""What fails: a machine, a cable, a server; and that it gets well."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.clients import Client
from benchmarks.machines.cluster import PASSWORD, Cluster
from benchmarks.machines.load import Ledger, Watcher
from benchmarks.machines.network import Host

# Writes on the host where it runs, and says so each time that it was acknowledged.
WRITER = """
import sys, time, psycopg
while True:
    try:
        with psycopg.connect(host="127.0.0.1", user="postgres", password=sys.argv[1], dbname="postgres",
                             autocommit=True, connect_timeout=2) as there:
            there.execute("CREATE TABLE IF NOT EXISTS probe (at float)")
            while True:
                there.execute("INSERT INTO probe VALUES (%s)", [time.time()])
                print("taken", time.time(), flush=True)
                time.sleep(0.05)
    except psycopg.Error as error:
        print("refused", time.time(), str(error).splitlines()[0], flush=True)
        time.sleep(0.2)
"""
# Says all the time what HAProxy leads to.
ROLES = """
import time, redis
while True:
    role, _, *more = redis.Redis(password="secret").execute_command("ROLE")
    print("a primary with replicas" if role == b"master" and more[0] else f"{role} {more}", flush=True)
    time.sleep(0.1)
"""


@dataclass
class Scene:
    """All machines, and all people."""

    cluster: Cluster
    ledger: Ledger
    front: Client
    watchers: list[Watcher]
    patience: float

    def primary(self) -> Host:
        """The primary, waited for."""
        self.cluster.wait("a primary", lambda: self.cluster.primary() is not None)
        found = self.cluster.primary()
        assert found is not None
        return found

    def whole(self) -> None:
        """Wait until no machine is missing."""
        self.cluster.wait("all machines", self.cluster.is_whole)


@dataclass(frozen=True)
class Fault:
    """Something that fails and is mended; the seconds after which moves must be taken again; it returns what to say."""

    seconds: float
    act: Callable[[Scene], str]


def primary_killed(scene: Scene) -> str:
    """PostgreSQL and Patroni of the primary are killed, and start again half a minute later."""
    host = scene.primary()
    for pid in host.pids():
        words = Path(f"/proc/{pid}/cmdline").read_bytes() if Path(f"/proc/{pid}").exists() else b""
        if b"postgres" in words or b"patroni" in words:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    host.processes.pop("patroni").wait()
    time.sleep(30 * scene.patience)
    other = scene.primary()
    host.restart("patroni")
    scene.whole()
    return f"{host.name} was the primary, then {other.name}" if other is not host else f"WRONG: {host.name} is it still"


def primary_cut_off(scene: Scene) -> str:
    """The primary is cut off from all others. Somebody writes on that host all the time."""
    host = scene.primary()
    lines: list[str] = []
    writer = subprocess.Popen(
        host.command([sys.executable, "-c", WRITER, PASSWORD]),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    reading = threading.Thread(target=lambda: lines.extend(writer.stdout or ()), daemon=True)
    reading.start()
    scene.cluster.wait("a writer on the primary", lambda: len(lines) > 5)
    host.cut_off()
    cut_at = time.time()
    # An acknowledgement that was on its way.
    time.sleep(30 * scene.patience)
    late = [line for line in lines if line.startswith("taken") and float(line.split()[1]) > cut_at + 0.5]
    said = subprocess.run(
        host.command([sys.executable, "-c", "import sys, urllib.request as u; print(u.urlopen('http://127.0.0.1:8008/patroni').read().decode())"]),
        capture_output=True, text=True, check=False, timeout=20,
    ).stdout  # fmt: skip
    other = scene.primary()
    writer.kill()
    writer.wait()
    host.come_back()
    scene.whole()
    stopped = '"role": "primary"' not in said and '"role": "master"' not in said
    if late or not stopped or other is host:
        return f"WRONG: {host.name} took {len(late)} writes after it was cut off; Patroni there says {said[:200]}"
    return f"{host.name} took no write from then on; {other.name} took over"


def standby_lost(scene: Scene) -> str:
    """A host with a standby dies, and comes back."""
    host = next(each for each in scene.cluster.standbys() if each is not scene.cluster.redis_primary())
    return _dead(scene, host)


def redis_primary_killed(scene: Scene) -> str:
    """Redis' primary is killed, and starts again as a primary of nobody. Somebody asks for the primary all the time."""
    host = scene.cluster.redis_primary()
    assert host is not None
    host.processes["redis"].kill()
    host.processes.pop("redis").wait()
    scene.cluster.wait("another primary of Redis", lambda: scene.cluster.redis_primary() not in (None, host))
    other = scene.cluster.redis_primary()
    time.sleep(5)
    asking = subprocess.Popen(
        scene.cluster.apps[0].command([sys.executable, "-c", ROLES]), stdout=subprocess.PIPE, text=True
    )
    host.restart("redis")
    time.sleep(15)
    scene.whole()
    asking.kill()
    roles = asking.communicate()[0].splitlines()
    if set(roles) != {"a primary with replicas"}:
        return f"WRONG: HAProxy led to {sorted(set(roles))} after {host.name} was back"
    return f"{host.name} was the primary, then {other.name if other else 'none'}; it came back as a replica"


def haproxy_killed(scene: Scene) -> str:
    """HAProxy on a machine of Trey is killed, and starts again five seconds later."""
    return _killed(scene, scene.cluster.apps[0], "haproxy")


def pgbouncer_killed(scene: Scene) -> str:
    """PgBouncer on a machine of Trey is killed, and starts again five seconds later."""
    host = scene.cluster.apps[1]
    return _killed(scene, host, "pgbouncer") if "pgbouncer" in host.processes else "PgBouncer was left out"


def _killed(scene: Scene, host: Host, name: str) -> str:
    host.processes[name].kill()
    host.processes.pop(name).wait()
    time.sleep(5)
    host.restart(name)
    scene.whole()
    return f"{host.name}; {_heard(scene)}"


def web_cut_off(scene: Scene) -> str:
    """A machine with web, live streams and workers is cut off for twenty seconds."""
    host = scene.cluster.apps[0]
    host.cut_off()
    time.sleep(20)
    host.come_back()
    scene.whole()
    return f"{host.name}; {_heard(scene)}"


def app_host_lost(scene: Scene) -> str:
    """A machine with web, live streams and workers dies, and comes back."""
    return f"{_dead(scene, scene.cluster.apps[1])}; {_heard(scene)}"


def store_host_lost(scene: Scene) -> str:
    """The host with the primary of PostgreSQL dies with all that is on it: etcd, perhaps Redis' primary."""
    host = scene.primary()
    redis_too = scene.cluster.redis_primary() is host
    ran = host.die()
    time.sleep(30 * scene.patience)
    other = scene.primary()
    host.come_back(ran)
    scene.whole()
    also = ", with Redis' primary" if redis_too else ""
    return f"{host.name}{also}; {other.name} took over"


def _dead(scene: Scene, host: Host) -> str:
    """A machine dies, and comes back."""
    ran = host.die()
    time.sleep(15)
    host.come_back(ran)
    scene.whole()
    return host.name


def _heard(scene: Scene) -> str:
    """Whether streams bring something."""
    since = time.monotonic()
    try:
        scene.cluster.wait("streams", lambda: any(each.heard_at > since for each in scene.watchers), 30)
    except TimeoutError:
        return "WRONG: streams bring nothing"
    return "streams bring moves"


FAULTS = {
    "primary-killed": Fault(30, primary_killed),
    "primary-cut-off": Fault(30, primary_cut_off),
    "standby-lost": Fault(5, standby_lost),
    "redis-primary-killed": Fault(5, redis_primary_killed),
    "haproxy-killed": Fault(5, haproxy_killed),
    "pgbouncer-killed": Fault(5, pgbouncer_killed),
    "web-cut-off": Fault(5, web_cut_off),
    "app-host-lost": Fault(5, app_host_lost),
    "store-host-lost": Fault(30, store_host_lost),
}
