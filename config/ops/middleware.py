"""Around every request: counted, timed, logged, and given an id by which its log line is found."""

import logging
import re
import time
import uuid
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from config.ops import health, metrics

View = Callable[[HttpRequest], HttpResponseBase]

log = logging.getLogger("trey.web")
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
# Asked every few seconds by machines, under any host name: answered before everything else, and not logged.
_HEALTH: dict[str, View] = {
    "/healthz": health.healthz,
    "/readyz": health.readyz,
    "/metrics": health.show_metrics,
}
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def observed(get_response: View) -> View:
    """Django's middleware; the request's id is the client's `X-Request-ID`, when it is a plain one, or a new one."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        begun = time.perf_counter()
        sent = request.headers.get("X-Request-ID", "")
        request_id = sent if _ID.fullmatch(sent) else uuid.uuid4().hex
        response = _HEALTH.get(request.path, get_response)(request)
        seconds = time.perf_counter() - begun
        response["X-Request-ID"] = request_id
        method = request.method if request.method in _METHODS else "other"
        view = _view(request)
        metrics.REQUESTS.labels(method, view, response.status_code).inc()
        metrics.SECONDS.labels(method, view).observe(seconds)
        if request.path not in _HEALTH:
            # The path only: a query can hold an invitation. As it was sent: decoded it can hold lines of its own.
            log.info(
                "%s %s",
                method,
                request.get_full_path_info().partition("?")[0],
                extra={"status": response.status_code, "ms": round(seconds * 1000, 1), "request_id": request_id},
            )
        return response

    return middleware


def _view(request: HttpRequest) -> str:
    """The route, never the path: there are as many paths as games."""
    if request.path in _HEALTH:
        return request.path
    match = request.resolver_match
    return f"/{match.route}" if match is not None else "unknown"
