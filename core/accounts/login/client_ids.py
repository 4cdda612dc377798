"""Client ids: an app is the address to which its players come back. Nobody registers."""

import re

from django.conf import settings

LONGEST = 100
OPEN, CLOSED = "open", "none"
"""settings.TREY_APPS: any app, or none; else a list of client ids."""

_PIECE = r"(?:[A-Za-z0-9._~!$&'()+,;=:@/-]|%[0-9A-Fa-f]{2})*"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_HOST = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[0-9A-Fa-f:.]+\])"
_WEB = re.compile(rf"https://({_HOST}(?::[0-9]{{1,5}})?)/{_PIECE}(?:\?(?:{_PIECE}|\?)*)?")
_LOOPBACK = re.compile(rf"http://(?:127\.0\.0\.1|\[::1\])/{_PIECE}")
_OWN_SCHEME = re.compile(rf"([A-Za-z][A-Za-z0-9+-]*(?:\.[A-Za-z0-9+-]+)+):/(?!/){_PIECE}")
_PORT = re.compile(r"(http://(?:127\.0\.0\.1|\[::1\])):([0-9]{1,5})(/.*)")


def is_client_id(text: str) -> bool:
    """Return whether a text is the id of an app: https, a loopback address without its port, or a scheme of its own."""
    if len(text) > LONGEST:
        return False
    if found := _WEB.fullmatch(text):
        host = found[1].partition(":")[0].lower()
        return host != "localhost" and not host.endswith(".localhost")
    return bool(_LOOPBACK.fullmatch(text) or _OWN_SCHEME.fullmatch(text))


def is_allowed(client_id: str) -> bool:
    """Return whether the operator lets an app in."""
    apps = settings.TREY_APPS
    return apps == [OPEN] or client_id in apps


def leads_back(client_id: str, redirect_uri: str) -> bool:
    """Return whether an app may be answered there: at its id, and on this device at any port."""
    if found := _PORT.fullmatch(redirect_uri):
        return 0 < int(found[2]) < 65536 and client_id == found[1] + found[3]
    return redirect_uri == client_id


def host_of(client_id: str) -> str:
    """Return what people are shown of an app before all else: its host or its scheme."""
    if found := _WEB.fullmatch(client_id):
        return found[1]
    if found := _OWN_SCHEME.fullmatch(client_id):
        return found[1]
    return "a program on this device"
