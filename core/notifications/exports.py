"""The notifications in an account's export (AC5)."""

from collections.abc import Iterator
from typing import Any

from core import lasting
from core.accounts.models import Player
from core.notifications.models import Chat, Endpoint, GroupChannel, Hook, Notification, Subscription


def notifications_of(player: Player) -> Iterator[dict[str, Any]]:
    """All notifications, oldest first."""
    for one in lasting.in_batches(Notification.objects.filter(player=player).order_by("number")):
        yield {
            "number": one.number,
            "kind": one.kind,
            "cause": one.cause,
            "about": one.subject_id,
            "data": one.data,
            "created_at": one.created_at,
            "lost": one.lost,
        }


def hooks_of(player: Player) -> Iterator[dict[str, Any]]:
    """The webhooks, without their secrets."""
    return ({**_endpoint(one), "types": one.types} for one in _of(Hook, player))


def subscriptions_of(player: Player) -> Iterator[dict[str, Any]]:
    """The browsers that get pushes, without their secrets."""
    return (_endpoint(one) for one in _of(Subscription, player))


def chats_of(player: Player) -> Iterator[dict[str, Any]]:
    """The chat addresses, without their secrets."""
    return ({**_endpoint(one), "service": one.service} for one in _of(Chat, player))


def channels_of(player: Player) -> Iterator[dict[str, Any]]:
    """The channels that the player added to rooms, without their secrets."""
    rows = _of(GroupChannel, player)
    return ({**_endpoint(one), one.subject: one.subject_id, "service": one.service} for one in rows)


def _of(model: Any, player: Player) -> Any:
    return model.objects.filter(player=player).order_by("created_at")


def _endpoint(one: Endpoint) -> dict[str, Any]:
    return {"id": one.pk, "host": one.host, "created_at": one.created_at, "off_since": one.off_since}
