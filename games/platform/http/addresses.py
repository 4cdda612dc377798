"""The addresses of what has a server of its own."""

from django.conf import settings


def live_url(path: str) -> str:
    """Where the live stream at a path under `/api/v1/` is: a whole URL, or a path at the API's own address."""
    return f"{settings.TREY_LIVE_URL}/api/v1/{path}"
