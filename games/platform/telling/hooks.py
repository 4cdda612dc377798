"""Webhooks (NT13): who gets what, and carrying it there with signatures by Standard Webhooks.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import json
import secrets as lots
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from standardwebhooks import Webhook

from games.platform import clock as service_clock
from games.platform.accounts.models import Player
from games.platform.refusals import NotFound, TooMany, invalid
from games.platform.telling import channels, outgoing, selectors, services, vault
from games.platform.telling.kinds import ACCOUNT, HOOK_TYPES, SECURITY, Kind, kind_of, the_kind
from games.platform.telling.models import Channel, Delivery, Hook, Notification, State
from games.platform.work import services as work

MOST = 10
SECRET_BYTES = 24
# How long the old secret signs beside the new one.
BOTH = timedelta(hours=24)
GONE = 410
ERRAND = "telling.webhook"


@dataclass(frozen=True, slots=True)
class Letter:
    """What is posted; the address and the secrets are for nobody's eyes."""

    url: str = field(repr=False)
    id: str
    body: str
    secrets: tuple[str, ...] = field(repr=False)


class Gone(work.GaveUp):
    """The endpoint said that it is gone."""


class _Webhooks:
    """The channel: a delivery for each webhook that wants the type."""

    def plan(self, one: Notification, kind: Kind, now: datetime) -> Sequence[Delivery]:
        own = Hook.objects.filter(player_id=one.player_id, off_since__isnull=True, types__contains=[kind.hook])
        hooks = list(own) if kind.hook is not None else []
        deliveries = [channels.held(one, Channel.WEBHOOK, now) for _ in hooks]
        for delivery, hook in zip(deliveries, hooks, strict=True):
            delivery.hook = hook
        return deliveries or [channels.skipped(one, Channel.WEBHOOK, channels.NO_ADDRESS, now)]

    def works(self, delivery: Delivery) -> bool:
        return delivery.hook is not None and delivery.hook.failing_since is None

    def queue(self, delivery: Delivery, due_at: datetime, *, again: bool = False) -> None:
        """`again`: whatever became of it before, and of its point."""
        data = {"delivery": delivery.pk, **({"again": True} if again else {})}
        work.put(ERRAND, str(delivery.pk), data, due_at=due_at, lane=f"webhook {delivery.hook_id}", sooner=again)


WAY = _Webhooks()
channels.add(Channel.WEBHOOK, WAY)


# What players do with them


def create(player: Player, url: str, types: Sequence[str] | None, *, now: datetime | None = None) -> tuple[Hook, str]:
    """A new webhook, and its secret, which is shown this once.

    Raises Invalid (bad_webhook), naming the fields; TooMany (webhook_limit).
    """
    at = now or service_clock.now()
    errors: list[tuple[str, str]] = []
    host = _host(url, errors)
    chosen = _types(types, errors)
    if errors:
        raise invalid("bad_webhook", errors)
    secret = new_secret()
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if Hook.objects.filter(player=player).count() >= MOST:
            raise TooMany("webhook_limit", f"You have {MOST} webhooks, which is as many as one may have.")
        hook = Hook.objects.create(
            player=player, url=vault.seal(url), host=host, secret=vault.seal(secret), types=chosen, created_at=at
        )
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
    host = _host(url, errors) if url is not None else ""
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
            hook.off_since, hook.off_because, hook.failing_since, hook.error = None, None, None, None
        elif active is False and hook.off_since is None:
            hook.off_since, hook.off_because = at, "by you"
        hook.save()
    return hook


def rotate(player: Player, hook_id: UUID, *, now: datetime | None = None) -> tuple[Hook, str]:
    """A new secret, shown this once. For a day both sign. Raises NotFound."""
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
    """Send everything again that the webhook was to get since then, with the ids of the first time; return how much.

    Raises NotFound.
    """
    at = now or service_clock.now()
    with transaction.atomic():
        hook = _locked(player, hook_id)
        again = list(Delivery.objects.filter(hook=hook, notification__created_at__gte=since).order_by("notification"))
        work.drop(ERRAND, [str(delivery.pk) for delivery in again])
        ids = [delivery.pk for delivery in again]
        Delivery.objects.filter(pk__in=ids).update(state=State.HELD, reason=None, until=at, at=at)
        for delivery in again:
            WAY.queue(delivery, at, again=True)
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


def _host(url: str, errors: list[tuple[str, str]]) -> str:
    try:
        return outgoing.check_url(url)
    except outgoing.BadAddress as error:
        errors.append(("url", str(error)))
        return ""


def _types(wanted: Sequence[str] | None, errors: list[tuple[str, str]]) -> list[str]:
    if wanted is None:
        return list(HOOK_TYPES)
    if unknown := [one for one in wanted if one not in HOOK_TYPES]:
        errors.append(("types", f"There is no type {unknown[0]!r}. There are: {', '.join(HOOK_TYPES)}."))
    elif not wanted:
        errors.append(("types", "Name at least one type."))
    return sorted(set(wanted))


# Carrying them there


def prepare(piece: work.Piece, now: datetime) -> Letter | None:
    """What to post; None for what lost its point, and for a webhook that is gone or switched off."""
    found = Delivery.objects.select_related("notification", "hook")
    delivery = found.filter(pk=piece.data["delivery"]).first()
    if delivery is None or delivery.hook is None:
        return None
    reason = channels.SWITCHED_OFF if delivery.hook.off_since is not None else None
    if reason is None and not piece.data.get("again"):
        reason = channels.no_point(delivery.notification, now)
    if reason is not None:
        channels.note(delivery, State.SKIPPED, now, reason=reason)
        return None
    return letter(delivery, delivery.hook, now)


def letter(delivery: Delivery, hook: Hook, now: datetime) -> Letter:
    """The letter of a delivery, composed now."""
    one = delivery.notification
    player = Player.objects.get(pk=one.player_id)
    told = selectors.texts(player, [one])[one.pk]
    body = {
        "type": kind_of(one).hook,
        "timestamp": one.created_at,
        "data": {
            "number": one.number,
            "kind": one.kind,
            "cause": one.cause,
            "text": told["text"],
            "link": told["link"],
            **({one.subject: one.subject_id, "version": one.version} if one.subject_id is not None else {}),
        },
    }
    return written(hook, f"msg_{one.pk}", body, now)


def written(hook: Hook, message_id: str, body: Mapping[str, Any], now: datetime) -> Letter:
    """A body as it is posted, with the secrets that sign it."""
    signing = [hook.secret]
    if hook.old_secret is not None and hook.old_secret_until is not None and hook.old_secret_until > now:
        signing.append(hook.old_secret)
    text = json.dumps(body, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
    return Letter(vault.unseal(hook.url), message_id, text, tuple(vault.unseal(one) for one in signing))


def send(one: Letter) -> outgoing.Reply:
    """Post it. Raises Later for what may succeed another time, Gone for an endpoint that answers 410."""
    # Of the real clock, which the receiver checks it by; sign() takes any time for UTC.
    stamp = datetime.now(UTC)
    signatures = [Webhook(secret).sign(one.id, stamp, one.body) for secret in one.secrets]
    headers = {
        "Content-Type": "application/json",
        "webhook-id": one.id,
        "webhook-timestamp": str(int(stamp.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
    try:
        reply = outgoing.post(one.url, one.body.encode(), headers)
    except outgoing.BadAddress as error:
        raise work.Later(str(error)) from None
    except outgoing.Unreachable as error:
        raise work.Later(f"It cannot be reached: {error}") from None
    if reply.status == GONE:
        raise Gone("It answered 410: it is gone.")
    if not 200 <= reply.status < 300:
        raise work.Later(f"It answered {reply.status}.", after=_seconds(reply.retry_after, stamp))
    return reply


def settle(piece: work.Piece, _: Letter, __: outgoing.Reply, now: datetime) -> None:
    """It has arrived."""
    delivery = Delivery.objects.filter(pk=piece.data["delivery"]).first()
    if delivery is None or delivery.hook_id is None:
        return
    channels.note(delivery, State.SENT, now)
    Hook.objects.filter(pk=delivery.hook_id, failing_since__isnull=False).update(failing_since=None, error=None)


def failed(piece: work.Piece, error: Exception, again: datetime | None, now: datetime) -> None:
    """It has not. An endpoint that is gone, or has failed for three days, is switched off, and its owner told."""
    delivery = Delivery.objects.filter(pk=piece.data["delivery"]).first()
    if delivery is None or delivery.hook_id is None:
        return
    state = State.FAILED if again is not None else State.GIVEN_UP
    channels.note(delivery, state, now, reason=str(error), until=again)
    hook = Hook.objects.select_for_update().filter(pk=delivery.hook_id).first()
    if hook is None:
        return
    hook.error = str(error)[:500]
    hook.failing_since = hook.failing_since or now
    give_up = retries().give_up
    if isinstance(error, Gone):
        _switch_off(hook, "gone", now)
    elif again is None or (give_up is not None and now - hook.failing_since >= give_up):
        _switch_off(hook, "failing", now)
    hook.save(update_fields=["error", "failing_since", "off_since", "off_because"])


def retries() -> work.Retries:
    """NT9's pauses, as settings.TREY_RETRIES has them (seconds: the first, the longest, in all)."""
    return work.Retries(*(timedelta(seconds=one) for one in settings.TREY_RETRIES))


def _switch_off(hook: Hook, why: str, now: datetime) -> None:
    if hook.off_since is not None:
        return
    hook.off_since, hook.off_because = now, why
    cause = f"webhook:{hook.pk}:off:{int(now.timestamp())}"
    data = {"what": "hook_off", "host": hook.host, "why": why}
    services.tell([hook.player_id], the_kind(SECURITY, ACCOUNT), cause, data=data, now=now)


def _seconds(wish: str | None, now: datetime) -> float | None:
    """A Retry-After (RFC 9110, 10.2.3): seconds, or a date."""
    if wish is None:
        return None
    if wish.strip().isdecimal():
        return float(wish.strip()[:10])
    try:
        at = parsedate_to_datetime(wish)
    except ValueError:
        return None
    return (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds()


work.errand(ERRAND, work.Errand(prepare=prepare, send=send, settle=settle, failed=failed, retries=retries))
