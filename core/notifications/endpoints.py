"""The addresses that people give for posting to: their webhooks and chats.

An address may hold a token, so it is encrypted, and only its host is ever shown.
"""

import secrets as lots
from base64 import b64encode
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import transaction

from core import clock as service_clock
from core import vault
from core.accounts import ending, signals
from core.accounts.ending import Right, What
from core.accounts.login import tokens
from core.accounts.models import Player
from core.chatting import SERVICES
from core.jobs import services as work
from core.notifications.kinds import HOOK_TYPES
from core.notifications.models import LASTING, Calendar, Chat, Delivery, Hook, State
from core.notifications.posting import Errors, checked_host
from core.notifications.senders import WEBHOOKS
from core.refusals import Forbidden, NotFound, TooMany, invalid

SECRET_BYTES = 24
# The time for which the old secret of a webhook signs beside the new one.
BOTH = timedelta(hours=24)
WEBHOOK = "webhook"

Own = TypeVar("Own", Hook, Chat)


def offered() -> list[str]:
    return list(settings.TREY_CHAT_SERVICES)


def create_webhook(
    player: Player, url: str, types: Sequence[str] | None = None, *, app: str | None = None
) -> tuple[Hook, str]:
    """A new webhook and its secret; one that an app makes ends with the app. Raises Invalid, TooMany."""
    host, secret = checked("bad_webhook", WEBHOOK, url, (WEBHOOK,), types), new_secret()
    chosen = sorted(set(types)) if types is not None else list(HOOK_TYPES)
    hook = Hook(player=player, secret=vault.seal(secret), types=chosen, created_at=service_clock.now(), app=app)
    return _add(hook, url, host), secret


def create_chat(player: Player, service: str, url: str, *, app: str | None = None) -> Chat:
    """A chat address; one that an app makes ends with the app. Raises Invalid (bad_chat), TooMany."""
    host = checked("bad_chat", service, url, offered())
    return _add(Chat(player=player, service=service, created_at=service_clock.now(), app=app), url, host)


def change(
    model: type[Own],
    player: Player,
    endpoint_id: UUID,
    *,
    url: str | None = None,
    types: Sequence[str] | None = None,
    active: bool | None = None,
    app: str | None = None,
) -> Own:
    """Change what is given; another address is switched on, told as a new one is, and of the app that gives it.

    Raises NotFound, Invalid (bad_webhook, bad_chat), naming the fields.
    """
    with transaction.atomic():
        one = find(model, player, endpoint_id, lock=True)
        host = checked(f"bad_{one.WORD}", one.service, url, offered() if one.service != WEBHOOK else (WEBHOOK,), types)
        if isinstance(one, Hook) and types is not None:
            one.types = sorted(set(types))
        if url is not None:
            if app is not None:
                tokens.check_app(player, app)
            # An app may know the secret of what it made, which so stays its own.
            one.url, one.host, one.app = vault.seal(url), host, app or one.app
        if active is True or (url is not None and active is None):
            one.switch_on()
        elif active is False and one.off_since is None:
            one.off_since, one.off_because = service_clock.now(), "by you"
        one.save()
        if url is not None:
            signals.secured.send(sender=Player, player=player, what=one.WORD, now=service_clock.now(), host=host)
    return one


def rotate(player: Player, hook_id: UUID, *, app: str | None = None) -> tuple[Hook, str]:
    """A new secret, shown only this once. For a day both secrets sign.

    Raises NotFound; Forbidden (forbidden): an app would know the secret of a webhook that outlives it.
    """
    secret = new_secret()
    with transaction.atomic():
        hook = find(Hook, player, hook_id, lock=True)
        if app not in (None, hook.app):
            raise Forbidden("forbidden", "This app did not create this webhook. Only you can renew its secret.")
        hook.old_secret, hook.old_secret_until = hook.secret, service_clock.now() + BOTH
        hook.secret = vault.seal(secret)
        hook.save(update_fields=["secret", "old_secret", "old_secret_until"])
    return hook, secret


def replay(player: Player, hook_id: UUID, since: datetime) -> int:
    """Resend all that the webhook should have got since then, with the same ids; return how much. Raises NotFound."""
    at = service_clock.now()
    with transaction.atomic():
        hook = find(Hook, player, hook_id, lock=True)
        again = Delivery.objects.filter(hook=hook, notification__created_at__gte=since).order_by("notification")
        work.drop(WEBHOOKS.job, list(map(str, again.values_list("pk", flat=True))))
        again.update(state=State.HELD, reason=None, until=at, at=at)
        rows = list(again)
        WEBHOOKS.queue(rows, again=True)
    return len(rows)


def find(model: type[Own], player: Player, endpoint_id: UUID, *, lock: bool = False) -> Own:
    """One of the player's own. Raises NotFound."""
    rows = model.objects.select_for_update() if lock else model.objects
    one = rows.filter(player=player, pk=endpoint_id).first()
    if one is None:
        raise NotFound("not_found", f"You have no such {model._meta.verbose_name}.")  # noqa: SLF001
    return one


def of(player: Player, *models: type[Hook] | type[Chat] | type[Calendar]) -> list[Hook | Chat | Calendar]:
    return [
        one for model in models or LASTING for one in model.objects.filter(player=player).order_by("created_at", "pk")
    ]


@ending.at_once(Right.APP, What.ADDRESSES)
def end_of_app(*, player: Player, app: str, **_: Any) -> None:
    for model in LASTING:
        model.objects.filter(player=player, app=app).delete()


@ending.at_once(Right.PASSWORD, What.ADDRESSES)
def ask_about(*, player: Player, **_: Any) -> None:
    """After a new password: have the owner asked whether they stay."""
    for model in LASTING:
        model.objects.filter(player=player).update(in_question=True)


def decide(player: Player, *, stay: bool) -> None:
    for model in LASTING:
        rows = model.objects.filter(player=player, in_question=True)
        if stay:
            rows.update(in_question=False)
        else:
            rows.delete()


def end(player: Player, endpoint_id: str) -> None:
    for one in of(player):
        if str(one.pk) == endpoint_id:
            one.delete()


def checked(
    code: str, service: str, url: str | None, known: Collection[str], types: Sequence[str] | None = None
) -> str:
    errors: Errors = []
    if url is not None and service not in known:
        errors.append(
            ("service", f"This server does not offer that service. Choose one of: {', '.join(known) or 'none'}.")
        )
    host = checked_host(url, errors) if url is not None else ""
    if not errors and url is not None and service != WEBHOOK and (wrong := SERVICES[service].wrong(url)) is not None:
        errors.append(("url", f"{wrong} It looks like {SERVICES[service].address}"))
    if unknown := [one for one in types or () if one not in HOOK_TYPES]:
        errors.append(("types", f"There is no type {unknown[0]!r}. Choose from: {', '.join(HOOK_TYPES)}."))
    elif types is not None and not types:
        errors.append(("types", "Name at least one type."))
    if errors:
        raise invalid(code, errors)
    return host


def _add(one: Own, url: str, host: str) -> Own:
    """Save a new endpoint, and tell its owner of it. Raises TooMany (webhook_limit, chat_limit)."""
    with transaction.atomic():
        if one.app is None:
            Player.objects.select_for_update(no_key=True).get(pk=one.player_id)
        else:
            tokens.check_app(one.player, one.app)
        if type(one).objects.filter(player=one.player_id).count() >= one.MOST:
            name = {"webhook": "webhooks", "chat": "chat addresses"}[one.WORD]
            raise TooMany(f"{one.WORD}_limit", f"You have {one.MOST} {name}, which is the limit.")
        one.url, one.host = vault.seal(url), host
        one.save(force_insert=True)
        signals.secured.send(sender=Player, player=one.player, what=one.WORD, now=one.created_at, host=host)
    return one


def new_secret() -> str:
    return f"whsec_{b64encode(lots.token_bytes(SECRET_BYTES)).decode()}"
