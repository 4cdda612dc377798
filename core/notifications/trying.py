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
    if address is None:
        return None
    if until := posting.busy_until([address], now).get(address.pk):
        _note(piece, f"It asks to be left alone until {until:%Y-%m-%d %H:%M} UTC.", now)
        return None
    return letter(address, now)


def _send(letter: Letter) -> Exception | None:
    """Return what went wrong; a test that fails has done its work."""
    try:
        posting.send(letter)
    except (work.Later, work.GaveUp) as error:
        return error
    return None


def _settle(piece: work.Piece, _: Letter, error: Exception | None, now: datetime) -> None:
    if (address := _note(piece, str(error) if error is not None else None, now)) is not None:
        posting.heed(address, error, now)


def _note(piece: work.Piece, error: str | None, now: datetime) -> Any:
    """The address, with the outcome noted; None: it is gone."""
    model, _letter = _addresses[piece.data["address"]]
    rows = model.objects.filter(pk=piece.data["id"])
    rows.update(tested_at=now, error=error)
    if error is None:
        rows.update(failing_since=None)
    return rows.first()


def _failed(piece: work.Piece, error: Exception, _: datetime | None, now: datetime) -> None:
    """Note that the address could not be decrypted."""
    if isinstance(error, vault.Unreadable):
        _note(piece, str(error), now)


work.errand(
    ERRAND,
    work.Errand.one_by_one(prepare=_prepare, send=_send, settle=_settle, failed=_failed, retries=posting.retries),
)
