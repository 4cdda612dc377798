"""Where live streams are, which have a server of their own, which page sent a request, and adding to an address."""

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest


def with_query(url: str, added: Mapping[str, str]) -> str:
    """The address with more parameters at its end; what it has stays as it is, byte for byte (RFC 6749, 3.1.2)."""
    between = "" if url.endswith(("?", "&")) else "&" if "?" in url else "?"
    return f"{url}{between}{urlencode(added)}"


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


def is_own(origin: str | None, fetch_site: str | None, own: str) -> bool:
    """Return whether a request comes from a page of the origin `own`, or from the address bar."""
    if origin is not None:
        return origin == own
    return fetch_site in (None, "same-origin", "none")


def from_own_page(request: HttpRequest) -> bool:
    """Return whether one of our pages sent this request to the API."""
    own = f"{request.scheme}://{request.get_host()}"
    return is_own(request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site"), own)


def site_beside(host: str) -> str:
    """The origin of our pages for a server at `host` (a Host header), which may listen on a port of its own."""
    site = urlsplit(settings.TREY_SITE_URL)
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        name = ""  # no page of ours has this address
    port = "" if site.port is None else f":{site.port}"
    return f"{site.scheme}://{f'[{name}]' if ':' in name else name}{port}"
