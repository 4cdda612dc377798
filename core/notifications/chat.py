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
from core.notifications import endpoints, selectors
from core.notifications.chatting import SERVICES, Message
from core.notifications.models import Channel, Chat, Delivery
from core.notifications.posting import TEST_TEXT, Request, Sender
from core.refusals import invalid

MOST = 5


def create(player: Player, service: str, url: str, *, now: datetime | None = None) -> Chat:
    """A chat address. Raises Invalid (bad_chat), naming the fields; TooMany (chat_limit)."""
    host = checked(service, url)
    chat = Chat(player=player, service=service, created_at=now or service_clock.now())
    return endpoints.add(chat, url, host, most=MOST)


def change(
    player: Player, chat_id: UUID, *, url: str | None = None, active: bool | None = None, now: datetime | None = None
) -> Chat:
    """Change what is given; `active` switches it on again, or off. Raises NotFound, Invalid (bad_chat)."""
    with transaction.atomic():
        chat = endpoints.find(Chat, player, chat_id, lock=True)
        address = (url, checked(chat.service, url)) if url is not None else None
        endpoints.change(chat, now or service_clock.now(), address=address, active=active)
    return chat


def of(player: Player) -> list[Chat]:
    return list(Chat.objects.filter(player=player).order_by("created_at", "pk"))


def offered() -> list[str]:
    return list(settings.TREY_CHAT_SERVICES)


def checked(service: str, url: str, *, also: Sequence[str] = ()) -> str:
    """The host of an address of a service.

    Raises Invalid (bad_chat), naming the fields. `also` lists other names that would be accepted.
    """
    errors: endpoints.Errors = []
    if service not in offered():
        known = ", ".join([*offered(), *also]) or "none"
        errors.append(("service", f"There is no such service here. There are: {known}."))
    host = endpoints.checked_host(url, errors)
    if not errors and (wrong := SERVICES[service].wrong(url)) is not None:
        errors.append(("url", f"{wrong} It looks like {SERVICES[service].address}"))
    if errors:
        raise invalid("bad_chat", errors)
    return host


def posted(service: str, url: str, message_id: str, message: Message) -> Request:
    where, body = SERVICES[service].post(url, message)
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    # No service knows the header; a bridge or bot of the player's own can use it to drop duplicates.
    headers = {"Content-Type": "application/json; charset=utf-8", "Idempotency-Key": message_id}
    return Request(where, message_id, text.encode(), headers)


def absolute(link: str | None) -> str | None:
    return urljoin(settings.TREY_SITE_URL, link) if link is not None else None


class Chats(Sender):
    job, name, channel = "notifications.chat", "chat", Channel.CHAT
    model, column = Chat, "chat"

    def of(self, players: Collection[UUID]) -> Iterable[Chat]:
        return Chat.objects.filter(player__in=players, off_since__isnull=True, service__in=offered())

    def write(self, going: Sequence[tuple[Delivery, Chat]], now: datetime) -> list[Request]:
        told = [(one.player, one) for one in (delivery.notification for delivery, _ in going)]
        texts, stories = selectors.texts(told), selectors.stories(told, now)
        requests = []
        for (_, one), (_, to) in zip(told, going, strict=True):
            words = texts[one.pk]
            message = Message(("\n".join([words["text"], *stories[one.pk]]),), absolute(words["link"]))
            requests.append(posted(to.service, vault.unseal(to.url), f"msg_{one.pk}", message))
        return requests

    def trial(self, to: Chat, now: datetime) -> Request:  # noqa: ARG002
        return posted(to.service, vault.unseal(to.url), f"msg_test_{to.pk}", Message((TEST_TEXT,), absolute("/")))


CHATS = Chats()
