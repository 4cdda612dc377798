"""The notifications in an account's export (AC5)."""

from collections.abc import Iterator
from typing import Any

from core import lasting
from core.accounts.models import Player
from core.notifications.models import Chat, GroupChannel, Hook, Notification, Subscription


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
    for hook in Hook.objects.filter(player=player).order_by("created_at"):
        yield {
            "id": hook.pk,
            "host": hook.host,
            "types": hook.types,
            "created_at": hook.created_at,
            "off_since": hook.off_since,
        }


def subscriptions_of(player: Player) -> Iterator[dict[str, Any]]:
    """The browsers that get pushes, without their secrets."""
    for one in Subscription.objects.filter(player=player).order_by("created_at"):
        yield {"id": one.pk, "host": one.host, "created_at": one.created_at, "off_since": one.off_since}


def chats_of(player: Player) -> Iterator[dict[str, Any]]:
    """The chat addresses, without their secrets."""
    for one in Chat.objects.filter(player=player).order_by("created_at"):
        yield {
            "id": one.pk,
            "service": one.service,
            "host": one.host,
            "created_at": one.created_at,
            "off_since": one.off_since,
        }


def channels_of(player: Player) -> Iterator[dict[str, Any]]:
    """The channels that the player added to rooms, without their secrets."""
    for one in GroupChannel.objects.filter(player=player).order_by("created_at"):
        yield {
            "id": one.pk,
            one.subject: one.subject_id,
            "service": one.service,
            "host": one.host,
            "created_at": one.created_at,
            "off_since": one.off_since,
        }
