"""The application as granian serves it: `python -m config.web --interface rsgi config.serving:gateway`."""

import gc
import re
import sys
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse

from config import processes, watchdog
from config.wsgi import application

# Django is set up by now.
from django.conf import settings  # isort: skip
from django.core.cache import close_caches  # isort: skip
from django.core.signals import request_finished, request_started  # isort: skip
from django.db import close_old_connections  # isort: skip
from django.urls import reverse  # isort: skip
from config.gateway import LARGEST_BODY, Gateway, Lane  # isort: skip
from config.ops import metrics  # isort: skip
from config.ops.middleware import HEALTH  # isort: skip
from config.pages import is_api  # isort: skip
from core.accounts.login.hashing import CALLS  # isort: skip
from core.http.media import MAX_BODY  # isort: skip
from games.services.outages import WEB, Pulse  # isort: skip

settings.DATABASES["default"] |= settings.TREY_WEB_DATABASE
# Python's switch interval in seconds, which a call waits for each of its turns while a page is made: a fifth of the
# default.
sys.setswitchinterval(0.001)

_main = Lane("request", settings.TREY_THREADS)
_pages = Lane("page", settings.TREY_PAGES, settings.TREY_PAGES_WAITING, settings.TREY_PAGE_SECONDS)
_dashboard = Lane("dashboard", settings.TREY_PAGES, settings.TREY_PAGES_WAITING, settings.TREY_PAGE_SECONDS)
_health = Lane("health", 1)
_hashing = Lane("hashing", settings.TREY_HASHES, settings.TREY_HASHES_WAITING)
# Seating a round can keep a processor busy for seconds.
_seating = Lane("seating", 1)
_SEATS = re.compile(r"/api/v1/tournaments/[^/]+/(?:start|next-round)")
# An export of thousands of games takes minutes, a spreadsheet of a thousand entrants more than a second.
_exports = Lane("export", 1, settings.TREY_PAGES_WAITING, settings.TREY_PAGE_SECONDS)
_LANES = {(method, path): _health for path in HEALTH for method in ("GET", "HEAD")}
_LANES |= {(method, reverse(name)): _hashing for name in CALLS for method in ("POST", "PUT", "DELETE")}
_LANES |= {("GET", reverse(f"api:{name}")): _exports for name in ("export", "my_results")}
# What apps call, too.
_CALLS = {reverse(f"oauth-{name}") for name in ("discovery", "token", "device-code", "revoke", "userinfo", "jwks")}


def lane_of(method: str, path: str) -> Lane:
    """The threads for a request. A page can take as long as a hundred calls of the API, which do not wait for it."""
    if lane := _LANES.get((method, path)):
        return lane
    if path.startswith("/t/") and path.endswith("/results.xlsx"):
        return _exports
    if path.startswith("/admin/"):
        return _dashboard
    if method == "POST" and _SEATS.fullmatch(path):
        return _seating
    return _main if is_api(path) or path in _CALLS or path.startswith(settings.STATIC_URL) else _pages


def answers() -> bool:
    there = processes.answers(settings.GRANIAN_HOST, settings.GRANIAN_PORT, "/healthz")
    if there:
        # For systemd, which hears it more than once.
        watchdog.tell("READY=1")
    return there


def settled(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """The application, which shows nobody a deadline that its first heartbeat after a start or a pause will move."""
    if environ["PATH_INFO"] not in HEALTH:
        _pulse.settle()
    return application(environ, start_response)


metrics.start_at_zero()
_pulse = Pulse(WEB, answers)
gateway = Gateway(
    settled,
    lane_of,
    settings.TREY_BODY_SECONDS,
    lambda path: MAX_BODY if is_api(path) else LARGEST_BODY,
)

# What was loaded so far stays for good. Python's full collections need not walk over it, which takes a tenth of a
# request otherwise.
gc.collect()
gc.freeze()
# Connections are returned after each request, so none is left to close before the next; the cache keeps none.
request_started.disconnect(close_old_connections)
request_finished.disconnect(close_caches)
_pulse.start()
