"""Which channels a notification takes, decided when it is told; and whether it still has a point when it goes out."""

from __future__ import annotations

from datetime import datetime

from games.platform.accounts.models import Player
from games.platform.telling.choices import FALLBACK, Choices
from games.platform.telling.kinds import Kind, subject_of
from games.platform.telling.models import Channel, Delivery, Hook, Notification, Seen, State
from games.platform.work import services as work

HOOK = "telling.webhook"

SWITCHED_OFF = "switched off"
NO_ADDRESS = "no address"
NOT_VERIFIED = "not verified"


def plan(one: Notification, kind: Kind, chosen: Choices, now: datetime) -> None:
    """Write down what becomes of a new notification on each channel, and queue what goes out."""
    if one.lost is not None:
        Delivery.objects.bulk_create(_skipped(one, channel, one.lost, now) for channel in Channel.values)
        return
    matrix = chosen.matrix[kind.name]
    hooks = _hooks(one, kind)
    deliveries = [
        Delivery(notification=one, channel=Channel.LIVE, state=State.SENT, at=now)
        if matrix[Channel.LIVE]
        else _skipped(one, Channel.LIVE, SWITCHED_OFF, now),
        *(_skipped(one, channel, NO_ADDRESS if matrix[channel] else SWITCHED_OFF, now) for channel in _WITHOUT_ADDRESS),
        _mail(one, matrix[Channel.MAIL], now, reached=bool(hooks)),
        *(
            Delivery(notification=one, channel=Channel.WEBHOOK, hook=hook, state=State.HELD, until=now, at=now)
            for hook in hooks
        ),
    ]
    if not hooks:
        deliveries.append(_skipped(one, Channel.WEBHOOK, NO_ADDRESS, now))
    Delivery.objects.bulk_create(deliveries)
    for delivery in deliveries:
        if delivery.state == State.HELD and delivery.hook_id is not None:
            queue_hook(delivery, now)


# What nobody can give an address for yet.
_WITHOUT_ADDRESS = (Channel.PUSH, Channel.CHAT)


def queue_hook(delivery: Delivery, due_at: datetime, *, again: bool = False) -> None:
    """Have a webhook's delivery sent; `again`: whatever became of it before, and of its point."""
    data = {"delivery": delivery.pk, **({"again": True} if again else {})}
    work.put(HOOK, str(delivery.pk), data, due_at=due_at, lane=f"webhook {delivery.hook_id}", sooner=again)


def no_point(one: Notification, now: datetime) -> str | None:
    """Why a notification is not to go out any more (NT4), by what is written down and by the truth of this moment."""
    if one.lost is not None:
        return one.lost
    return subject_of(one).lost(one, now)


def seen(one: Notification, *, always: bool) -> bool:
    """Whether the player has said to have seen what it is about (TU2)."""
    if always or one.version is None or one.subject_id is None:
        return False
    return Seen.objects.filter(player_id=one.player_id, subject_id=one.subject_id, version__gte=one.version).exists()


def _hooks(one: Notification, kind: Kind) -> list[Hook]:
    if kind.hook is None:
        return []
    return list(Hook.objects.filter(player_id=one.player_id, off_since__isnull=True, types__contains=[kind.hook]))


def _mail(one: Notification, cell: bool | str, now: datetime, *, reached: bool) -> Delivery:
    if cell is False or (cell == FALLBACK and reached):
        return _skipped(one, Channel.MAIL, SWITCHED_OFF, now)
    if not Player.objects.filter(pk=one.player_id).exclude(email="").exists():
        return _skipped(one, Channel.MAIL, NO_ADDRESS, now)
    # No address can be verified yet, so none gets any mail (NT11).
    return _skipped(one, Channel.MAIL, NOT_VERIFIED, now)


def _skipped(one: Notification, channel: str, reason: str, now: datetime) -> Delivery:
    return Delivery(notification=one, channel=channel, state=State.SKIPPED, reason=reason, at=now)
