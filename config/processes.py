"""The processes of Trey and their commands.

    python -m config.processes PART

is how systemd's units and the containers start one; `make run` starts all.
"""

import os
import resource
import sys
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
OLDEST_POSTGRESQL = 15


@dataclass(frozen=True)
class Process:
    name: str
    command: tuple[str, ...]
    environ: dict[str, str] = field(default_factory=dict)


_GUESSES = ("Is the server running ", "This probably means ", "before or while processing ")


def why_unreachable(error: Exception) -> str:
    """Return what libpq says of the last connection that failed, without its guesses at the reason."""
    lines = [line.strip() for line in str(error).strip().splitlines()]
    return [line for line in lines if not line.startswith(_GUESSES)][-1]


# PostgreSQL's log says what failed, but without values: statements and details hold hashes of passwords, digests of
# tokens and hidden cards.
POSTGRES_LOG = {
    "log_statement": "none",
    "log_min_error_statement": "panic",
    "log_min_duration_statement": "-1",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",
}

MIGRATE = Process("migrate", ("python", "manage.py", "migrate", "--noinput"))

# Each connection is an open file, and without a free one granian cannot even refuse.
_, _files = resource.getrlimit(resource.RLIMIT_NOFILE)
_CONNECTIONS = 16_384 if _files == resource.RLIM_INFINITY else min(16_384, _files // 2)

# granian reads its address and its number of workers from GRANIAN_HOST, GRANIAN_PORT and GRANIAN_WORKERS.
WEB = Process(
    "web",
    (
        "python", "-m", "config.watchdog", "config.web", "--interface", "rsgi", "--no-ws", "--log-level", "error",
        "--respawn-failed-workers", "--workers-kill-timeout", "10",
        # By default a process stops accepting at 512 connections, and waits for ever for the first byte of each.
        "--http", "1", "--http1-header-read-timeout", "15000", "--backpressure", str(_CONNECTIONS),
        "config.serving:gateway",
    ),
    {"GRANIAN_WORKERS": "2"},
)  # fmt: skip
WORKER = Process(
    "worker",
    (
        "python", "-m", "config.watchdog", "celery", "--quiet", "--skip-checks", "--app", "config", "worker",
        "--without-gossip", "--without-mingle", "--without-heartbeat",
    ),
)  # fmt: skip
FOLLOW = Process("follow", ("python", "-m", "config.watchdog", "manage", "follow"))
BEAT = Process(
    "beat",
    ("python", "-m", "config.watchdog", "celery", "--quiet", "--skip-checks", "--app", "config", "beat", "--pidfile="),
)
# Streams that stay open, in an event loop. It listens at GRANIAN_HOST, port TREY_LIVE_PORT.
LIVE = Process("live", ("python", "-m", "config.watchdog", "config.live"))

SERVICES = (WEB, LIVE, WORKER, FOLLOW, BEAT)
# Revives the embedded servers of `make run`.
STORES = Process("stores", ("python", "-m", "config.watchdog", "config.running.embedded"))


def answers(host: str, port: int, path: str) -> bool:
    caller = HTTPConnection(host, port, timeout=5)
    try:
        caller.request("GET", path, headers={"Host": "localhost"})
        return caller.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        caller.close()


def main() -> None:
    part = next((process for process in SERVICES if [process.name] == sys.argv[1:]), None)
    if part is None:
        sys.exit(f"usage: python -m config.processes {{{','.join(process.name for process in SERVICES)}}}")
    # The operator's settings take precedence.
    os.execve(sys.executable, [sys.executable, *part.command[1:]], {**part.environ, **os.environ})  # noqa: S606


if __name__ == "__main__":
    main()
