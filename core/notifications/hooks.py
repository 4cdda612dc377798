"""Webhooks (NT13): who gets what, and posting it, signed by Standard Webhooks.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

import json
import secrets as lots
from base64 import b64encode
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction

from core import clock as service_clock
from core import vault
from core.accounts.models import Player
from core.jobs import services as work
from core.notifications import channels, selectors, services
from core.notifications.kinds import HOOK_TYPES, Kind, kind_of
from core.notifications.models import Channel, Delivery, Hook, Notification, State
from core.notifications.posting import Addresses, Letter, Road, checked_host, no_points, switch_on
from core.refusals import NotFound, TooMany, invalid

MOST = 10
SECRET_BYTES = 24
# The time for which the old secret signs beside the new one.
BOTH = timedelta(hours=24)


# What players do with them


def create(player: Player, url: str, types: Sequence[str] | None, *, now: datetime | None = None) -> tuple[Hook, str]:
    """A new webhook, and its secret, which is shown only this once.

    Raises Invalid (bad_webhook), naming the fields; TooMany (webhook_limit).
    """
    at = now or service_clock.now()
    errors: list[tuple[str, str]] = []
    host = checked_host(url, errors)
    chosen = _types(types, errors)
    if errors:
        raise invalid("bad_webhook", errors)
    secret = new_secret()
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if Hook.objects.filter(player=player).count() >= MOST:
            raise TooMany("webhook_limit", f"You have {MOST} webhooks, which is the limit.")
        hook = Hook.objects.create(
            player=player, url=vault.seal(url), host=host, secret=vault.seal(secret), types=chosen, created_at=at
        )
        services.tell_of_security(player, "webhook", at, host=host)
    return hook, secret


def change(
    player: Player,
    hook_id: UUID,
    *,
    url: str | None = None,
    types: Sequence[str] | None = None,
    active: bool | None = None,
    now: datetime | None = None,
) -> Hook:
    """Change what is given; `active` switches it on again, or off. Raises NotFound, Invalid (bad_webhook)."""
    at = now or service_clock.now()
    errors: list[tuple[str, str]] = []
    host = checked_host(url, errors) if url is not None else ""
    chosen = _types(types, errors) if types is not None else []
    if errors:
        raise invalid("bad_webhook", errors)
    with transaction.atomic():
        hook = _locked(player, hook_id)
        if url is not None:
            hook.url, hook.host = vault.seal(url), host
        if types is not None:
            hook.types = chosen
        if active is True or (url is not None and active is None):
            switch_on(hook)
        elif active is False and hook.off_since is None:
            hook.off_since, hook.off_because = at, "by you"
        hook.save()
    return hook


def rotate(player: Player, hook_id: UUID, *, now: datetime | None = None) -> tuple[Hook, str]:
    """A new secret, shown only this once. For a day both secrets sign. Raises NotFound."""
    at = now or service_clock.now()
    secret = new_secret()
    with transaction.atomic():
        hook = _locked(player, hook_id)
        hook.old_secret, hook.old_secret_until = hook.secret, at + BOTH
        hook.secret = vault.seal(secret)
        hook.save(update_fields=["secret", "old_secret", "old_secret_until"])
    return hook, secret


def remove(player: Player, hook_id: UUID) -> None:
    """Raises NotFound."""
    with transaction.atomic():
        _locked(player, hook_id).delete()


def replay(player: Player, hook_id: UUID, since: datetime, *, now: datetime | None = None) -> int:
    """Resend everything that the webhook should have got since then, with the same ids; return how much.

    Raises NotFound.
    """
    at = now or service_clock.now()
    with transaction.atomic():
        hook = _locked(player, hook_id)
        again = list(Delivery.objects.filter(hook=hook, notification__created_at__gte=since).order_by("notification"))
        work.drop(ROAD.errand, [str(delivery.pk) for delivery in again])
        ids = [delivery.pk for delivery in again]
        Delivery.objects.filter(pk__in=ids).update(state=State.HELD, reason=None, until=at, at=at)
        for delivery in again:
            delivery.until = at
        ROAD.queue(again, again=True)
    return len(again)


def find(player: Player, hook_id: UUID) -> Hook:
    """One of the player's webhooks. Raises NotFound."""
    hook = Hook.objects.filter(player=player, pk=hook_id).first()
    if hook is None:
        raise NotFound("not_found", "There is no such webhook of yours.")
    return hook


def new_secret() -> str:
    """A secret as Standard Webhooks writes one."""
    return f"whsec_{b64encode(lots.token_bytes(SECRET_BYTES)).decode()}"


def _locked(player: Player, hook_id: UUID) -> Hook:
    find(player, hook_id)
    return Hook.objects.select_for_update().get(pk=hook_id)


def _types(wanted: Sequence[str] | None, errors: list[tuple[str, str]]) -> list[str]:
    if wanted is None:
        return list(HOOK_TYPES)
    if unknown := [one for one in wanted if one not in HOOK_TYPES]:
        errors.append(("types", f"There is no type {unknown[0]!r}. There are: {', '.join(HOOK_TYPES)}."))
    elif not wanted:
        errors.append(("types", "Name at least one type."))
    return sorted(set(wanted))


# Carrying them there


def letters(going: Sequence[tuple[Delivery, Hook]], now: datetime) -> list[Letter]:
    """The letters of deliveries, composed now. A few queries, however many."""
    told = [delivery.notification for delivery, _ in going]
    texts = selectors.texts((one.player, one) for one in told)
    return [_letter(one, hook, texts[one.pk], now) for one, (_, hook) in zip(told, going, strict=True)]


def _letter(one: Notification, hook: Hook, words: selectors.Said, now: datetime) -> Letter:
    data = {
        "number": one.number,
        "kind": one.kind,
        "cause": one.cause,
        "text": words["text"],
        "link": words["link"],
        **({one.subject: one.subject_id, "version": one.version} if one.subject_id is not None else {}),
    }
    event = {"type": kind_of(one).hook, "timestamp": one.created_at, "data": data}
    return written(hook, f"msg_{one.pk}", event, now)


def written(hook: Hook, message_id: str, event: Mapping[str, Any], now: datetime) -> Letter:
    """An event as it is posted, with the secrets that sign it."""
    signing = [hook.secret]
    if hook.old_secret is not None and hook.old_secret_until is not None and hook.old_secret_until > now:
        signing.append(hook.old_secret)
    return signed(vault.unseal(hook.url), message_id, event, [vault.unseal(one) for one in signing])


def signed(url: str, message_id: str, event: Mapping[str, Any], secrets: Iterable[str]) -> Letter:
    """An event for an address, in the form of Standard Webhooks."""
    text = json.dumps(event, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
    return Letter(url, message_id, text.encode(), {"Content-Type": "application/json"}, tuple(secrets))


def _working(players: Collection[UUID]) -> Iterable[Hook]:
    return Hook.objects.filter(player__in=players, off_since__isnull=True)


def _wanted(hook: Hook, one: Notification, kind: Kind) -> bool:
    return kind.hook in hook.types and kind.hooked(one.data)


ROAD = Road("notifications.webhook", "webhook", Delivery, "hook", letters, no_points).register()
channels.add(Channel.WEBHOOK, Addresses(Channel.WEBHOOK, ROAD, _working, _wanted))
