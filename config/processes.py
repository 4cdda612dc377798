"""The processes Trey is made of: the one place that says their commands, for `make run` and for docker-compose.yml."""

from dataclasses import dataclass, field
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Process:
    """One process: what is run, from the folder of the code, and what its environment says besides."""

    name: str
    command: tuple[str, ...]
    environ: dict[str, str] = field(default_factory=dict)


MIGRATE = Process("migrate", ("python", "manage.py", "migrate", "--noinput"))

# The address and the number of workers and threads come from granian's own variables (GRANIAN_HOST, GRANIAN_PORT, ...).
WEB = Process(
    "web",
    (
        "python", "-m", "granian", "--interface", "wsgi", "--no-ws", "--log-level", "error",
        "--respawn-failed-workers", "--workers-kill-timeout", "10", "config.wsgi:application",
    ),
    {"GRANIAN_WORKERS": "2", "GRANIAN_BLOCKING_THREADS": "16", "TREY_DB_POOL": "16"},
)  # fmt: skip
WORKER = Process(
    "worker",
    ("python", "-m", "celery", "--quiet", "--app", "config", "worker", "--without-gossip", "--without-mingle"),
    # It only reads JSON, so root's worker (on one's own machine) is no danger.
    {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"},
)
FOLLOW = Process("follow", ("python", "manage.py", "follow"))
BEAT = Process("beat", ("python", "-m", "celery", "--quiet", "--app", "config", "beat", "--pidfile="))

SERVICES = (WEB, WORKER, FOLLOW, BEAT)
