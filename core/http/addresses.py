"""The addresses of live streams, which have a server of their own."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


def live_url(path: str) -> str:
    """Return where the live stream at a path under `/api/v1/` is: a whole URL, or a path at the API's own address."""
    return f"{settings.TREY_LIVE_URL}/api/v1/{path}"


def page_live_url(request: HttpRequest, path: str) -> str:
    """The same for a page of ours: under the host name of the page, because its cookie is sent to no other."""
    if not settings.TREY_LIVE_URL:
        return live_url(path)
    name, live = request.get_host(), urlsplit(settings.TREY_LIVE_URL)
    if not name.endswith("]"):
        name = name.rpartition(":")[0] or name
    port = "" if live.port is None else f":{live.port}"
    return f"{live.scheme}://{name}{port}{live.path}/api/v1/{path}"
