"""Secrets at rest, encrypted with a key of the operator's: of second factors, of webhooks, addresses with tokens.

The keys are settings.TREY_VAULT_KEYS, the newest first: it encrypts, all of them decrypt. `manage.py rotate_vault` has
everything encrypted by the newest, after which the others can go.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from functools import lru_cache
from hashlib import sha256
from typing import Any

from django.conf import settings


class Unreadable(Exception):  # noqa: N818  a state of what is stored
    """A secret that none of the keys decrypts."""


def seal(text: str) -> str:
    """Encrypt."""
    return str(_fernet(tuple(settings.TREY_VAULT_KEYS)).encrypt(text.encode()).decode())


def unseal(sealed: str) -> str:
    """Decrypt. Raises Unreadable."""
    from cryptography.fernet import InvalidToken

    try:
        return str(_fernet(tuple(settings.TREY_VAULT_KEYS)).decrypt(sealed.encode()).decode())
    except InvalidToken:
        raise Unreadable("None of TREY_VAULT_KEYS decrypts it. Set the key that was in use before, too.") from None


def is_sealed(text: str) -> bool:
    """Return whether the text looks sealed: the first byte of a Fernet token is its version, 0x80."""
    return text.startswith("gAAAA")


def sealed_anew(sealed: str) -> str:
    """The same secret, encrypted by the newest key. Raises Unreadable."""
    return seal(unseal(sealed))


@lru_cache(maxsize=4)
def _fernet(keys: tuple[str, ...]) -> Any:
    from cryptography.fernet import Fernet, MultiFernet

    # Any text is a key: Fernet wants 32 bytes.
    return MultiFernet([Fernet(urlsafe_b64encode(sha256(b"trey vault\0" + key.encode()).digest())) for key in keys])
