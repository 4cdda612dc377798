"""Counts, times and logs every request, and gives it an id that is on all its log lines."""

import logging
import re
import time
import uuid
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from structlog.contextvars import bound_contextvars

from config.ops import health, metrics

View = Callable[[HttpRequest], HttpResponseBase]

log = logging.getLogger("trey.web")
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
# Machines call these every few seconds under any host name, so they come before everything else and are not logged.
HEALTH: dict[str, View] = {
    "/healthz": health.healthz,
    "/readyz": health.readyz,
    "/metrics": health.show_metrics,
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
                request.get_full_path_info().partition("?")[0],
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
