"""The addresses that players give for posting to, as their owners see them: given, changed, switched off, ended.

An address may hold a token, so it is encrypted (`core.vault`), and only its host is ever shown.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

import httpx
from django.db import transaction
from django.utils.crypto import salted_hmac

from core import vault
from core.accounts import ending, signals
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.notifications import outgoing
from core.notifications.models import BusyAddress, Chat, Endpoint, Hook
from core.refusals import NotFound, TooMany

Errors = list[tuple[str, str]]
Own = TypeVar("Own", Hook, Chat)

# Those that outlive a new password, until their owner says whether they stay (AC6).
_LASTING: tuple[type[Hook] | type[Chat], ...] = (Hook, Chat)


def checked_host(url: str, errors: Errors) -> str:
    """The host of an address that may be posted to, as far as that is known without a look-up."""
    try:
        return outgoing.check_url(url)
    except outgoing.BadAddress as error:
        errors.append(("url", str(error)))
        return ""


def add(one: Own, url: str, host: str, *, most: int) -> Own:
    """Save a new endpoint, and tell its owner of it. Raises TooMany (webhook_limit, chat_limit)."""
    name = str(one._meta.verbose_name)  # noqa: SLF001  Django's public way
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=one.player_id)
        if type(one).objects.filter(player=one.player_id).count() >= most:
            raise TooMany(f"{one.WORD}_limit", f"You have {most} {name}{_plural(name)}, which is the limit.")
        one.url, one.host = vault.seal(url), host
        one.save(force_insert=True)
        signals.secured.send(sender=Player, player=one.player, what=one.WORD, now=one.created_at, host=host)
    return one


def find(model: type[Own], player: Player, endpoint_id: UUID, *, lock: bool = False) -> Own:
    """One of the player's own. Raises NotFound."""
    rows = model.objects.select_for_update() if lock else model.objects
    one = rows.filter(player=player, pk=endpoint_id).first()
    if one is None:
        raise NotFound("not_found", f"There is no such {model._meta.verbose_name} of yours.")  # noqa: SLF001
    return one


def change(one: Endpoint, now: datetime, *, address: tuple[str, str] | None, active: bool | None) -> None:
    """Give it another address (with its host), switch it on again or off. Another address is switched on."""
    if address is not None:
        one.url, one.host = vault.seal(address[0]), address[1]
    if active is True or (address is not None and active is None):
        switch_on(one)
    elif active is False and one.off_since is None:
        one.off_since, one.off_because = now, "by you"
    one.save()


def switch_on(one: Endpoint) -> None:
    """Have it tried again. The caller saves it."""
    one.off_since, one.off_because, one.failing_since, one.error = None, None, None, None


def of(player: Player) -> list[Endpoint]:
    return [one for model in _LASTING for one in model.objects.filter(player=player).order_by("created_at", "pk")]


@ending.at_once(Right.PASSWORD, What.ADDRESSES)
def ask_about(*, player: Player, **_: Any) -> None:
    """After a new password: have the owner asked whether they stay."""
    for model in _LASTING:
        model.objects.filter(player=player).update(in_question=True)


def decide(player: Player, *, stay: bool) -> None:
    for model in _LASTING:
        rows = model.objects.filter(player=player, in_question=True)
        if stay:
            rows.update(in_question=False)
        else:
            rows.delete()


def end(player: Player, endpoint_id: str) -> None:
    for one in of(player):
        if str(one.pk) == endpoint_id:
            one.delete()


def keep_busy(one: Endpoint, seconds: float, now: datetime, longest: timedelta) -> None:
    """NT9: an address that asks to be left alone (`Retry-After`) is left alone, by whatever goes there."""
    until = now + min(timedelta(seconds=max(0.0, seconds)), longest)
    BusyAddress.objects.update_or_create({"until": until}, digest=_digest(one))


def busy_until(endpoints: Collection[Endpoint], now: datetime) -> dict[UUID, datetime]:
    """Until when the addresses of endpoints ask to be left alone, by the endpoints' ids; one query if there are any."""
    digests = {one.pk: _digest(one) for one in endpoints}
    rows = BusyAddress.objects.filter(until__gt=now).in_bulk(set(digests.values())) if digests else {}
    return {pk: rows[digest].until for pk, digest in digests.items() if digest in rows}


def _digest(one: Endpoint) -> str:
    """The same for all who give the same address, however they write its host and port. Raises vault.Unreadable."""
    address = httpx.URL(vault.unseal(one.url)).copy_with(fragment=None)
    return salted_hmac("core.notifications.posting", str(address), algorithm="sha256").hexdigest()


def _plural(name: str) -> str:
    return "es" if name.endswith("s") else "s"
