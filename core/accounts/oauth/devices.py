"""The codes of programs that have no browser. They last for ten minutes, in Redis.

Each part has its own key: in allauth's one value, a program that asks undoes what its owner has just decided.
"""

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any, TypedDict

from allauth.core.internal.cryptokit import generate_user_code
from django.core.cache import cache
from oauthlib.oauth2.rfc8628.grant_types import DeviceCodeGrant

LASTS = 600
INTERVAL = 5
LETTERS = 6
TRIES = 10


class Waiting(TypedDict):
    client_id: str
    scopes: list[str]
    user_code: str


class Decision(TypedDict):
    """Who decided, and what they granted; nobody, and nothing: it was refused."""

    player: str | None
    scopes: list[str]
    standing: str
    session: str


def begin(client_id: str, scopes: Sequence[str]) -> tuple[str, str]:
    """The secret by which the program asks, and the letters that its owner types."""
    device_code = secrets.token_urlsafe(32)
    user_code = _free_code()
    waiting = Waiting(client_id=client_id, scopes=list(scopes), user_code=user_code)
    cache.set(_key("device", _digest(device_code)), waiting, LASTS)
    cache.set(_key("letters", user_code), _digest(device_code), LASTS)
    return device_code, user_code


def find(letters: str) -> tuple[str, Waiting] | None:
    """Return the digest and the request of the program that waits for a code, in any spelling; None if none waits."""
    plain = "".join(letter for letter in letters.upper() if letter.isalnum())
    name: str | None = cache.get(_key("letters", plain)) if len(plain) == LETTERS and plain.isascii() else None
    if name is None or cache.get(_key("decision", name)) is not None:
        return None
    waiting: Waiting | None = cache.get(_key("device", name))
    return None if waiting is None else (name, waiting)


def decide(name: str, decision: Decision) -> bool:
    """Keep what was decided; False if it was decided before."""
    return bool(cache.add(_key("decision", name), decision, LASTS))


def ask(client_id: str, device_code: str) -> tuple[str | None, Decision | None]:
    """How it stands, in oauthlib's words (None: there is no such code), and what was granted."""
    name = _digest(device_code)
    waiting = cache.get(_key("device", name))
    if waiting is None or waiting["client_id"] != client_id:
        return None, None
    if not cache.add(_key("asked", name), 1, INTERVAL):
        return DeviceCodeGrant.DEVICE_CODE_SLOW_DOWN, None
    decision = cache.get(_key("decision", name))
    if decision is None:
        return DeviceCodeGrant.DEVICE_CODE_PENDING, None
    if decision["player"] is None:
        return DeviceCodeGrant.DEVICE_CODE_DENIED, None
    return DeviceCodeGrant.DEVICE_CODE_AUTHORIZED, decision


def use(device_code: str) -> bool:
    """Use a code up; False if somebody was faster."""
    return bool(cache.delete(_key("device", _digest(device_code))))


def _free_code() -> str:
    # That even two of 64 million are taken is unlikely; a cache that says so of each is broken.
    for _ in range(TRIES):
        code: str = generate_user_code(length=LETTERS, dashed=False)
        if cache.get(_key("letters", code)) is None:
            return code
    raise RuntimeError("every code for a device is taken")


def _key(kind: str, name: Any) -> str:
    return f"oauth.{kind}.{name}"


def _digest(device_code: str) -> str:
    return hashlib.sha256(device_code.encode()).hexdigest()
