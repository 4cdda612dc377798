"""Encryption of stored secrets: second factors, webhooks, and addresses with tokens.

The keys are settings.TREY_VAULT_KEYS: the first encrypts, and all of them decrypt. `manage.py rotate_vault` encrypts
what is among HOLDERS with the first.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db.models import Model, QuerySet


class Unreadable(Exception):  # noqa: N818  a state of what is stored
    """A secret that none of the keys decrypts."""


def seal(text: str) -> str:
    return str(_fernet(tuple(settings.TREY_VAULT_KEYS)).encrypt(text.encode()).decode())


def unseal(sealed: str) -> str:
    """Decrypt. Raises Unreadable."""
    from cryptography.fernet import InvalidToken

    try:
        return str(_fernet(tuple(settings.TREY_VAULT_KEYS)).decrypt(sealed.encode()).decode())
    except InvalidToken:
        raise Unreadable("None of TREY_VAULT_KEYS decrypts it. Also set the key that was used before.") from None


def resealed(sealed: str) -> str:
    return seal(unseal(sealed))


@dataclass(frozen=True, slots=True)
class Holder:
    """The rows of a table that hold secrets, newest first; `recode` replaces a row's, unsaved, and names the fields."""

    rows: Callable[[], QuerySet[Any]]
    recode: Callable[[Any, Callable[[str], str]], Sequence[str]]


#: Apps add theirs in `AppConfig.ready`.
HOLDERS: list[Holder] = []


def hold_columns(model: type[Model], *columns: str) -> None:
    """Register a table with `created_at` whose columns are encrypted or null."""

    def recode(row: Model, code: Callable[[str], str]) -> Sequence[str]:
        for column in columns:
            if (sealed := getattr(row, column)) is not None:
                setattr(row, column, code(sealed))
        return columns

    HOLDERS.append(Holder(lambda: model._default_manager.order_by("-created_at"), recode))  # noqa: SLF001


@lru_cache(maxsize=4)
def _fernet(keys: tuple[str, ...]) -> Any:
    from cryptography.fernet import Fernet, MultiFernet

    # Any text is a key: Fernet wants 32 bytes.
    return MultiFernet([Fernet(urlsafe_b64encode(sha256(b"trey vault\0" + key.encode()).digest())) for key in keys])
