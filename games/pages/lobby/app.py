"""The site as an app: the service worker, at the root because it serves all pages."""

from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe


@require_safe
def service_worker(_: HttpRequest) -> HttpResponse:
    """The service worker; browsers ask for a newer one at each visit."""
    return HttpResponse(_script(), content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})


@cache
def _script() -> bytes:
    return (Path(__file__).parents[1] / "static" / "lobby" / "sw.js").read_bytes()
