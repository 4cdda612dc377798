"""Chat services of a player's own (NT14), to which their notifications are posted, too."""

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from urllib.parse import urljoin
from uuid import UUID

from django.conf import settings
from django.db import transaction

from core import clock as service_clock
from core import vault
from core.accounts.models import Player
from core.notifications import channels, selectors, services, trying
from core.notifications.chatting import SERVICES, Message
from core.notifications.models import Channel, Chat, Delivery, Notification
from core.notifications.posting import (
    Addresses,
    Letter,
    Road,
    checked_host,
    no_points,
    quiet_until,
    switch_on,
)
from core.refusals import NotFound, TooMany, invalid

MOST = 5


def create(player: Player, service: str, url: str, *, now: datetime | None = None) -> Chat:
    """A chat address. Raises Invalid (bad_chat), naming the fields; TooMany (chat_limit)."""
    at = now or service_clock.now()
    host = checked(service, url)
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if Chat.objects.filter(player=player).count() >= MOST:
            raise TooMany("chat_limit", f"You have {MOST} chat addresses, which is the limit.")
        chat = Chat.objects.create(player=player, service=service, url=vault.seal(url), host=host, created_at=at)
        services.tell_of_security(player, "chat", at, host=host)
    return chat


def change(
    player: Player, chat_id: UUID, *, url: str | None = None, active: bool | None = None, now: datetime | None = None
) -> Chat:
    """Change what is given; `active` switches it on again, or off. Raises NotFound, Invalid (bad_chat)."""
    at = now or service_clock.now()
    with transaction.atomic():
        find(player, chat_id)
        chat = Chat.objects.select_for_update().get(pk=chat_id)
        if url is not None:
            chat.url, chat.host = vault.seal(url), checked(chat.service, url)
        if active is True or (url is not None and active is None):
            switch_on(chat)
        elif active is False and chat.off_since is None:
            chat.off_since, chat.off_because = at, "by you"
        chat.save()
    return chat


def find(player: Player, chat_id: UUID) -> Chat:
    """One of the player's chat addresses. Raises NotFound."""
    chat = Chat.objects.filter(player=player, pk=chat_id).first()
    if chat is None:
        raise NotFound("not_found", "There is no such chat address of yours.")
    return chat


def of(player: Player) -> list[Chat]:
    """The player's chat addresses, oldest first."""
    return list(Chat.objects.filter(player=player).order_by("created_at", "pk"))


def remove(player: Player, chat_id: UUID) -> None:
    """Raises NotFound."""
    find(player, chat_id).delete()


def offered() -> list[str]:
    """The services that the operator lists, in that order."""
    return list(settings.TREY_CHAT_SERVICES)


def checked(service: str, url: str, *, also: Sequence[str] = ()) -> str:
    """The host of an address of a service.

    Raises Invalid (bad_chat), naming the fields. `also` lists other names that would be accepted.
    """
    errors: list[tuple[str, str]] = []
    if service not in offered():
        known = ", ".join([*offered(), *also]) or "none"
        errors.append(("service", f"There is no such service here. There are: {known}."))
    host = checked_host(url, errors)
    if not errors and (wrong := SERVICES[service].wrong(url)) is not None:
        errors.append(("url", f"{wrong} It looks like {SERVICES[service].address}"))
    if errors:
        raise invalid("bad_chat", errors)
    return host


def posted(service: str, url: str, message_id: str, message: Message) -> Letter:
    """A message as it is posted to an address of a service."""
    where, body = SERVICES[service].post(url, message)
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    # No service knows the header; a bridge or bot of the player's own can use it to drop duplicates.
    headers = {"Content-Type": "application/json; charset=utf-8", "Idempotency-Key": message_id}
    return Letter(where, message_id, text.encode(), headers)


def absolute(link: str | None) -> str | None:
    """The absolute address of a link."""
    return urljoin(settings.TREY_SITE_URL, link) if link is not None else None


def letters(going: Sequence[tuple[Delivery, Chat]], now: datetime) -> list[Letter]:
    """The letters of deliveries, composed now. A few queries, however many there are."""
    told = [(one.player, one) for one in (delivery.notification for delivery, _ in going)]
    texts, stories = selectors.texts(told), selectors.stories(told, now)
    return [_letter(one, to, texts[one.pk], stories[one.pk]) for (_, one), (_, to) in zip(told, going, strict=True)]


def _letter(one: Notification, to: Chat, words: selectors.Said, story: Sequence[str]) -> Letter:
    message = Message(("\n".join([str(words["text"]), *story]),), absolute(words["link"]))
    return posted(to.service, vault.unseal(to.url), f"msg_{one.pk}", message)


def trial(to: Chat, _: datetime) -> Letter:
    """A test message."""
    return posted(to.service, vault.unseal(to.url), f"msg_test_{to.pk}", Message((trying.TEXT,), absolute("/")))


def _working(players: Collection[UUID]) -> Iterable[Chat]:
    return Chat.objects.filter(player__in=players, off_since__isnull=True, service__in=offered())


ROAD = Road("notifications.chat", "chat", Delivery, "chat", letters, no_points, quiet_until).register()
channels.add(Channel.CHAT, Addresses(Channel.CHAT, ROAD, _working))
trying.add("chat", Chat, trial)
