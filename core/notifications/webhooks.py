"""Webhooks (NT13): who gets what, signed by Standard Webhooks.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

import json
import secrets as lots
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction

from core import clock as service_clock
from core import vault
from core.accounts.models import Player
from core.jobs import services as work
from core.notifications import endpoints, selectors
from core.notifications.kinds import HOOK_TYPES, kind_of
from core.notifications.models import Channel, Delivery, Hook, Notification, State
from core.notifications.posting import Request, Sender
from core.refusals import invalid

MOST = 10
SECRET_BYTES = 24
# The time for which the old secret signs beside the new one.
BOTH = timedelta(hours=24)


def create(player: Player, url: str, types: Sequence[str] | None, *, now: datetime | None = None) -> tuple[Hook, str]:
    """A new webhook, and its secret, which is shown only this once.

    Raises Invalid (bad_webhook), naming the fields; TooMany (webhook_limit).
    """
    host, chosen = _checked(url, types)
    chosen = chosen if types is not None else list(HOOK_TYPES)
    secret = new_secret()
    hook = Hook(player=player, secret=vault.seal(secret), types=chosen, created_at=now or service_clock.now())
    return endpoints.add(hook, url, host, most=MOST), secret


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
    host, chosen = _checked(url, types)
    with transaction.atomic():
        hook = endpoints.find(Hook, player, hook_id, lock=True)
        if types is not None:
            hook.types = chosen
        address = (url, host) if url is not None else None
        endpoints.change(hook, now or service_clock.now(), address=address, active=active)
    return hook


def rotate(player: Player, hook_id: UUID, *, now: datetime | None = None) -> tuple[Hook, str]:
    """A new secret, shown only this once. For a day both secrets sign. Raises NotFound."""
    secret = new_secret()
    with transaction.atomic():
        hook = endpoints.find(Hook, player, hook_id, lock=True)
        hook.old_secret, hook.old_secret_until = hook.secret, (now or service_clock.now()) + BOTH
        hook.secret = vault.seal(secret)
        hook.save(update_fields=["secret", "old_secret", "old_secret_until"])
    return hook, secret


def replay(player: Player, hook_id: UUID, since: datetime, *, now: datetime | None = None) -> int:
    """Resend everything that the webhook should have got since then, with the same ids; return how much.

    Raises NotFound.
    """
    at = now or service_clock.now()
    with transaction.atomic():
        hook = endpoints.find(Hook, player, hook_id, lock=True)
        again = list(Delivery.objects.filter(hook=hook, notification__created_at__gte=since).order_by("notification"))
        work.drop(WEBHOOKS.job, [str(delivery.pk) for delivery in again])
        ids = [delivery.pk for delivery in again]
        Delivery.objects.filter(pk__in=ids).update(state=State.HELD, reason=None, until=at, at=at)
        for delivery in again:
            delivery.until = at
        WEBHOOKS.queue(again, again=True)
    return len(again)


def new_secret() -> str:
    return f"whsec_{b64encode(lots.token_bytes(SECRET_BYTES)).decode()}"


def _checked(url: str | None, types: Sequence[str] | None) -> tuple[str, list[str]]:
    """The host, and the types in order, of what is given. Raises Invalid (bad_webhook), naming the fields."""
    errors: endpoints.Errors = []
    host = endpoints.checked_host(url, errors) if url is not None else ""
    if unknown := [one for one in types or () if one not in HOOK_TYPES]:
        errors.append(("types", f"There is no type {unknown[0]!r}. There are: {', '.join(HOOK_TYPES)}."))
    elif types is not None and not types:
        errors.append(("types", "Name at least one type."))
    if errors:
        raise invalid("bad_webhook", errors)
    return host, sorted(set(types or ()))


def written(hook: Hook, message_id: str, event: Mapping[str, Any], now: datetime) -> Request:
    signing = [hook.secret]
    if hook.old_secret is not None and hook.old_secret_until is not None and hook.old_secret_until > now:
        signing.append(hook.old_secret)
    return signed(vault.unseal(hook.url), message_id, event, [vault.unseal(one) for one in signing])


def signed(url: str, message_id: str, event: Mapping[str, Any], secrets: Iterable[str]) -> Request:
    text = json.dumps(event, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
    return Request(url, message_id, text.encode(), {"Content-Type": "application/json"}, tuple(secrets))


class Webhooks(Sender):
    job, name, channel = "notifications.webhook", "webhook", Channel.WEBHOOK
    model, column = Hook, "hook"

    def wants(self, endpoint: Hook, one: Notification) -> bool:
        kind = kind_of(one)
        return kind.hook in endpoint.types and kind.hooked(one.data)

    def write(self, going: Sequence[tuple[Delivery, Hook]], now: datetime) -> list[Request]:
        told = [delivery.notification for delivery, _ in going]
        texts = selectors.texts((one.player, one) for one in told)
        return [self._written(one, hook, texts[one.pk], now) for one, (_, hook) in zip(told, going, strict=True)]

    @staticmethod
    def _written(one: Notification, hook: Hook, words: selectors.Said, now: datetime) -> Request:
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


WEBHOOKS = Webhooks()
