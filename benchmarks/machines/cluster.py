"""The machines of deploy/machines: three for the stores, two for Trey, and a proxy, with the files of that folder."""

import http.client
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import redis

from benchmarks.machines.network import Host

CHECKOUT = Path(__file__).resolve().parents[2]
DEPLOY = CHECKOUT / "deploy/machines"
PASSWORD = "a-password-of-the-harness"
PARTS = ("web", "live", "worker", "follow", "beat")
USER = "postgres"
# Where the database is on a machine of Trey.
HAPROXY, PGBOUNCER = 5000, 6432
# What a role asks for, since PgBouncer does not pass on what a connection asks for (docs/operate/running.md).
LIMITS = {"lock_timeout": "60s", "statement_timeout": "600s", "idle_in_transaction_session_timeout": "60s"}


def environ_of(file: Path) -> dict[str, str]:
    """The settings in a file of `NAME=value` lines."""
    lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def settings(port: int = HAPROXY) -> dict[str, str]:
    """Trey's settings: those of deploy/machines/trey.env, and what a load of machines needs that are one."""
    return {
        **environ_of(DEPLOY / "trey.env"),
        "DATABASE_URL": f"postgresql://trey:{PASSWORD}@127.0.0.1:{port}/trey",
        "TREY_ENV": "production",
        "TREY_HOSTS": "trey.example.org,localhost",
        "TREY_SECRET_KEY": "0123456789" * 5,
        "TREY_LOG_FORMAT": "text",
        "TREY_LOG_LEVEL": "warning",
        "TREY_WORKERS": "1",
        "GRANIAN_WORKERS": "1",
        "TREY_SITE_URL": "http://trey.example.org",
        "TREY_LIMITS": "sign_ups=none,logins=none,moves=none,games_per_player=none,bots_per_player=none",
    }


class Cluster:
    """All machines, and what the operator knows of them."""

    def __init__(self, folder: Path, tools: dict[str, str]) -> None:
        self.folder, self.tools = folder, tools
        self.stores = [Host(f"db{number}", 10 + number, folder) for number in (1, 2, 3)]
        self.apps = [Host(f"app{number}", 20 + number, folder) for number in (1, 2)]
        self.proxy = Host("proxy", 31, folder)
        self.hosts = [*self.stores, *self.apps, self.proxy]

    def start(self) -> None:
        """Start everything, and wait until the service is ready."""
        for host in self.stores:
            self._start_etcd(host)
            self._start_redis(host)
        for host in self.stores:
            self._start_patroni(host)
        self.wait("a primary of PostgreSQL", lambda: self.primary() is not None)
        self._make_database()
        self.wait("two standbys", lambda: len(self.standbys()) == 2)
        self.wait("a primary of Redis", lambda: self.redis_primary() is not None)
        for host in self.apps:
            host.start("haproxy", [self.tools["haproxy"], "-db", "-f", str(DEPLOY / "haproxy-stores.cfg")])
        if self.tools["pgbouncer"]:
            self._start_pgbouncer(self.apps[1])
        self.manage("migrate", "--noinput", "--verbosity", "0")
        for host in self.apps:
            self._start_trey(host)
        self.proxy.start("haproxy", [self.tools["haproxy"], "-db", "-f", str(DEPLOY / "haproxy.cfg")])
        self.wait("the service", self.is_well)

    def stop(self) -> None:
        """Stop everything at once: nothing of it is kept."""
        for host in self.hosts:
            with suppress(subprocess.CalledProcessError):
                host.die()

    def _start_trey(self, host: Host) -> None:
        for part in PARTS:
            state = host.folder / part
            shutil.rmtree(state, ignore_errors=True)
            state.mkdir()
            environ = {
                **settings(PGBOUNCER if "pgbouncer" in host.processes else HAPROXY),
                "TREY_STATE_DIR": str(host.folder),
                "PROMETHEUS_MULTIPROC_DIR": str(state),
            }
            if part != "web":
                del environ["PROMETHEUS_MULTIPROC_DIR"]
            host.start(part, [sys.executable, "-m", "config.processes", part], environ, cwd=CHECKOUT)

    def manage(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """`manage.py` on a machine of Trey."""
        return subprocess.run(
            self.apps[0].command([sys.executable, "manage.py", *command]),
            cwd=CHECKOUT,
            env={**os.environ, **settings()},
            check=check,
            capture_output=True,
            text=True,
        )

    def primary(self) -> Host | None:
        """The host whose PostgreSQL is the primary, as Patroni says."""
        return next((host for host in self.stores if _asked(host, "/primary") == 200), None)

    def standbys(self) -> list[Host]:
        """The hosts whose PostgreSQL is a standby that follows."""
        return [host for host in self.stores if _asked(host, "/replica") == 200]

    def redis_primary(self) -> Host | None:
        """The host whose Redis is the primary, as the sentinels say."""
        for host in self.stores:
            with (
                suppress(redis.RedisError),
                redis.Redis(host.address, 26379, socket_timeout=2, decode_responses=True) as asked,
            ):
                found = asked.sentinel_get_master_addr_by_name("trey")
                if found is not None:
                    return next((each for each in self.stores if each.address == found[0]), None)
        return None

    def is_well(self) -> bool:
        """Whether both machines are ready, and the proxy and all three databases see it so."""
        ready = all(_asked(host, "/readyz", 8000) == 200 for host in self.apps)
        return ready and _asked(self.proxy, "/healthz", 80) == 200 and _asked(self.apps[0], "/healthz", 8001) == 200

    def is_whole(self) -> bool:
        """Whether besides no host is missing any more, and a commit may wait for either standby."""
        counted = [host for host in self.stores if _asked(host, "/quorum") == 200]
        return self.primary() is not None and len(counted) == 2 and self.is_well()

    def wait(self, what: str, ask: Callable[[], Any], patience: float = 400) -> None:
        """Wait until it is so. Raises TimeoutError."""
        until = time.monotonic() + patience
        while not ask():
            if time.monotonic() > until:
                raise TimeoutError(f"{what}: not after {patience:.0f} s")
            time.sleep(0.3)

    def _start_etcd(self, host: Host) -> None:
        given = environ_of(DEPLOY / "etcd.env")
        mine = {name: value.replace("10.77.0.11", host.address) for name, value in given.items()}
        mine |= {
            "ETCD_NAME": host.name,
            "ETCD_DATA_DIR": str(host.folder / "etcd"),
            "ETCD_INITIAL_CLUSTER": given["ETCD_INITIAL_CLUSTER"],
        }
        host.start("etcd", [self.tools["etcd"]], mine)

    def _start_redis(self, host: Host) -> None:
        first = self.stores[0]
        follows = [] if host is first else ["--replicaof", first.address, "6379"]
        # Both write into their files.
        for file in ("redis.conf", "sentinel.conf"):
            shutil.copyfile(DEPLOY / file, host.folder / file)
        host.start("redis", [self.tools["redis-server"], "redis.conf", *follows])
        host.start("sentinel", [self.tools["redis-server"], "sentinel.conf", "--sentinel"])

    def _start_patroni(self, host: Host) -> None:
        data = host.folder / "postgresql"
        data.mkdir(mode=0o700)
        shutil.chown(data, USER)
        environ = {
            "PATRONI_NAME": host.name,
            "PATRONI_RESTAPI_CONNECT_ADDRESS": f"{host.address}:8008",
            "PATRONI_POSTGRESQL_CONNECT_ADDRESS": f"{host.address}:5432",
            "PATRONI_POSTGRESQL_DATA_DIR": str(data / "data"),
            "PATRONI_POSTGRESQL_BIN_DIR": self.tools["postgresql"],
            "PATRONI_POSTGRESQL_PGPASS": str(data / "pgpass"),
            "PATRONI_SUPERUSER_PASSWORD": PASSWORD,
            "PATRONI_REPLICATION_PASSWORD": PASSWORD,
            "HOME": str(data),
        }
        host.start("patroni", [self.tools["patroni"], str(DEPLOY / "patroni.yml")], environ, cwd=data, user=USER)

    def _start_pgbouncer(self, host: Host) -> None:
        users, file = host.folder / "userlist.txt", host.folder / "pgbouncer.ini"
        users.write_text(f'"trey" "{PASSWORD}"\n')
        file.write_text((DEPLOY / file.name).read_text().replace("/etc/pgbouncer/userlist.txt", str(users)))
        host.start("pgbouncer", [self.tools["pgbouncer"], str(file)], user=USER)

    def _make_database(self) -> None:
        primary = self.primary()
        assert primary is not None
        with psycopg.connect(
            host=primary.address, user="postgres", password=PASSWORD, dbname="postgres", autocommit=True
        ) as there:
            there.execute(f"CREATE ROLE trey LOGIN PASSWORD '{PASSWORD}'")
            there.execute("CREATE DATABASE trey OWNER trey")
            for name, value in LIMITS.items():
                there.execute(f"ALTER ROLE trey SET {name} = '{value}'")


def _asked(host: Host, path: str, port: int = 8008) -> int:
    connection = http.client.HTTPConnection(host.address, port, timeout=6)
    try:
        connection.request("GET", path, headers={"Host": "localhost"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()
