"""Counts, times and logs every request under an id, and answers /healthz, /readyz and /metrics."""

import logging
import re
import time
import uuid
from collections.abc import Callable
from http import HTTPStatus

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.http import http_date
from django.views.decorators.http import require_safe
from structlog.contextvars import bound_contextvars

from config.ops import metrics
from core import clock
from core.redis_client import connect

View = Callable[[HttpRequest], HttpResponseBase]

log = logging.getLogger("trey.web")
_CALENDAR = re.compile(r"(/ics/).*", re.DOTALL)
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

_asked = connect(settings.REDIS_URL, timeout=2)


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process is alive. Nothing else is checked. Pages take the time from it."""
    return JsonResponse({"status": "ok"}, headers={"Date": http_date(clock.now().timestamp())})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 if the database, Redis and all migrations are there, else 503 with what is missing."""
    missing = {name: reason for name, ask in _NEEDED.items() if (reason := ask())}
    if not missing:
        return JsonResponse({"status": "ready", "checks": dict.fromkeys(_NEEDED, "ok")})
    logging.getLogger("trey.health").warning("not ready", extra={"missing": ",".join(missing)})
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
    body, content_type = metrics.exposition()
    return HttpResponse(body, headers={"Content-Type": content_type})


# Anybody may call these, so the responses name no host and no user.
def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('transaction_read_only')")
            (read_only,) = cursor.fetchone()
    except DatabaseError:
        connection.close()
        return "The database does not respond."
    return "The database does not accept changes." if read_only == "on" else ""


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
        return "Without the database, it is unknown whether migrations are missing."
    return f"Migrations are missing: {len(waiting)}." if waiting else ""


_NEEDED: dict[str, Callable[[], str]] = {"database": _database, "redis": _redis, "migrations": _migrations}


# Machines call these every few seconds under any host name, so they come before everything else and are not logged.
HEALTH: dict[str, View] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": show_metrics,
}
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def observed(get_response: View) -> View:
    """Django's middleware. The request's id is the client's `X-Request-ID` if that is a plain one, else a new one."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        sent = request.headers.get("X-Request-ID", "")
        request_id = sent if _ID.fullmatch(sent) else uuid.uuid4().hex
        with bound_contextvars(request_id=request_id):
            response = observe(request)
        response["X-Request-ID"] = request_id
        # Django would log errors once more.
        response._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001
        return response

    def observe(request: HttpRequest) -> HttpResponseBase:
        begun = time.perf_counter()
        response = HEALTH.get(request.path, get_response)(request)
        seconds = time.perf_counter() - begun
        method = request.method if request.method in _METHODS else "other"
        view = _view(request)
        metrics.count(method, view, response.status_code, seconds)
        wanted = settings.TREY_LOG_REQUESTS or response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
        if wanted and request.path not in HEALTH:
            # Only the path, since a query can hold an invitation; and as it was sent, since decoded it can hold line
            # breaks.
            log.info(
                "%s %s",
                method,
                # A calendar's address is a secret.
                _CALENDAR.sub(r"\1[calendar]", request.get_full_path_info().partition("?")[0]),
                extra={"status": response.status_code, "ms": round(seconds * 1000, 1)},
            )
        return response

    return middleware


def _view(request: HttpRequest) -> str:
    """The route instead of the path, since there are as many paths as games."""
    if request.path in HEALTH:
        return request.path
    match = request.resolver_match
    return f"/{match.route}" if match is not None else "unknown"
