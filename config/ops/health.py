"""/healthz, /readyz and /metrics, for supervisors, proxies and Prometheus."""

import logging
from collections.abc import Callable

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.ops import metrics

log = logging.getLogger("trey.health")

# No retries: the check is about now.
_asked = redis.Redis.from_url(
    settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=2, retry=Retry(NoBackoff(), 0)
)


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process is alive. Nothing else is checked."""
    return JsonResponse({"status": "ok"})


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


# Anyone may call these, so the responses name no host and no user.
def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        connection.close()
        return "The database does not respond."
    return ""


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
