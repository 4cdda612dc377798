"""/healthz, /readyz and /metrics, for supervisors, proxies and Prometheus."""

import logging
import threading
import time
from collections.abc import Callable

import psycopg
import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import http_date
from django.views.decorators.http import require_safe

from config import pooler
from config.ops import metrics
from core import clock
from core.redis_client import connect

log = logging.getLogger("trey.health")

# Seconds for which findings about a pooler hold: if it is good, and if somebody may be fixing it.
_HOLDS, _HOLDS_IF_BAD = 60.0, 10.0
# The errors of a statement that a pooler has lost or mistaken for another one.
_MIXED_UP = {"26000", "42P05", "08P01"}

_asked = connect(settings.REDIS_URL, timeout=2)


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process is alive. Nothing else is checked. Pages take the time from it (LV7)."""
    return JsonResponse({"status": "ok"}, headers={"Date": http_date(clock.now().timestamp())})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 if the database, Redis and all migrations are there, else 503 with what is missing."""
    missing = {name: reason for name, ask in _NEEDED.items() if (reason := ask())}
    if not missing:
        return JsonResponse({"status": "ready", "checks": dict.fromkeys(_NEEDED, "ok")})
    log.warning("not ready", extra={"missing": ",".join(missing)})
    problem = {
        "type": "about:blank",
        "title": "Not ready",
        "status": 503,
        "code": "not_ready",
        "detail": " ".join(missing.values()),
        "checks": {name: missing.get(name, "ok") for name in _NEEDED},
    }
    return JsonResponse(problem, status=503, content_type="application/problem+json", headers={"Retry-After": "5"})


@require_safe
def show_metrics(request: HttpRequest) -> HttpResponse:
    """The metrics in Prometheus's text format."""
    body, content_type = metrics.exposition()
    return HttpResponse(body, headers={"Content-Type": content_type})


# Anybody may call these, so the responses name no host and no user.
def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid(), current_setting('transaction_read_only')")
            number, read_only = cursor.fetchone()
    except DatabaseError as error:
        connection.close()
        _pooler.forget()
        mixed_up = getattr(error.__cause__, "sqlstate", None) in _MIXED_UP
        return (mixed_up and _pooler.problem()) or "The database does not respond."
    if read_only == "on":
        return "The database takes no changes."
    return "" if pooler.is_direct(connection.connection, number) else _pooler.problem()


class _Pooler:
    """What this process knows of the pooler between it and the database."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until, self._problem = 0.0, ""

    def problem(self) -> str:
        """Return what is wrong with it and what to set, or an empty string."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._problem = self._look()
                self._until = time.monotonic() + (_HOLDS_IF_BAD if self._problem else _HOLDS)
            return self._problem

    def forget(self) -> None:
        """Look again next time: it may be another one by now."""
        with self._lock:
            self._until = 0.0

    @staticmethod
    def _look() -> str:
        try:
            found = pooler.look(**pooler.arguments_of(connection.get_connection_params()))
        except psycopg.Error:
            return "The database does not respond."
        return "" if found.usable else f"Between Trey and PostgreSQL {found.value}. {found.advice}"


_pooler = _Pooler()


def _redis() -> str:
    try:
        _asked.ping()
    except (redis.RedisError, OSError):
        return "Redis does not respond."
    return ""


def _migrations() -> str:
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        connection.close()
        return "Without the database it is unknown whether migrations are missing."
    return f"Migrations are missing: {len(waiting)}." if waiting else ""


_NEEDED: dict[str, Callable[[], str]] = {"database": _database, "redis": _redis, "migrations": _migrations}
