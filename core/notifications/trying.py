"""Tests of addresses by their owners: posted like everything else, but once, with the outcome noted at the address."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from core import vault
from core.jobs import services as work
from core.notifications import posting
from core.notifications.posting import Letter

ERRAND = "notifications.test"
TEXT = "This is a test: Trey can post here."

_addresses: dict[str, tuple[type[Any], Callable[[Any, datetime], Letter]]] = {}


def add(name: str, model: type[Any], letter: Callable[[Any, datetime], Letter]) -> None:
    """Register a kind of address that can be tested: a model with `tested_at`, and the letter of a test."""
    _addresses[name] = model, letter


def put(name: str, address: Any) -> None:
    """Have an address tested. If a test is waiting already, there is only one."""
    work.put(ERRAND, f"{name}:{address.pk}", {"address": name, "id": str(address.pk)}, lane=f"test {address.pk}")


def _prepare(piece: work.Piece, now: datetime) -> Letter | None:
    model, letter = _addresses[piece.data["address"]]
    address = model.objects.filter(pk=piece.data["id"]).first()
    return letter(address, now) if address is not None else None


def _send(letter: Letter) -> str | None:
    """Return what went wrong; a test that fails has done its work."""
    try:
        posting.send(letter)
    except (work.Later, work.GaveUp) as error:
        return str(error)
    return None


def _settle(piece: work.Piece, _: Letter, error: str | None, now: datetime) -> None:
    model, _letter = _addresses[piece.data["address"]]
    rows = model.objects.filter(pk=piece.data["id"])
    rows.update(tested_at=now, error=error)
    if error is None:
        rows.update(failing_since=None)


def _failed(piece: work.Piece, error: Exception, _: datetime | None, now: datetime) -> None:
    """Note that the address could not be decrypted."""
    if isinstance(error, vault.Unreadable):
        _settle(piece, None, str(error), now)  # type: ignore[arg-type]


work.errand(
    ERRAND,
    work.Errand.one_by_one(prepare=_prepare, send=_send, settle=_settle, failed=_failed, retries=posting.retries),
)
