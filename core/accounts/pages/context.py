"""Context for the templates of accounts, in addition to their views'."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from core.accounts.pages.limits import ROOT


def account(request: HttpRequest) -> dict[str, Any]:
    """Context processor: on pages of accounts, who is logged in and whether passkeys work there."""
    if not request.path.startswith(ROOT):
        return {}
    # Not `.port`, which fails for a number that no port has.
    host, (_, colon, port) = settings.TREY_PASSKEY_HOST, request.get_host().rpartition(":")
    return {
        "viewer": request.user,
        "passkey_host": f"{host}:{port}" if colon and port.isdecimal() else host,
        "passkey_works": works_for(request.get_host(), host),
    }


def works_for(host: str, passkey_host: str) -> bool:
    """Return whether a page at `host` (a Host header) may use passkeys of `passkey_host`: itself or a parent."""
    name = urlsplit(f"//{host}").hostname or ""
    return name == passkey_host or name.endswith(f".{passkey_host}")
