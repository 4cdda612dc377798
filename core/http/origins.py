"""Check which page sent a request: a session counts only if one of our own pages did.

Browsers say so by `Origin` (Fetch, section 3.1) and `Sec-Fetch-Site` (Fetch Metadata). A request with neither comes
from an old browser or from no browser: then the cookie's SameSite and, on writes, the CSRF token have to do.
"""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


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
