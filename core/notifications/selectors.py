"""Reading notifications. A notification's JSON is NT8's."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import product
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils.text import capfirst
from msgspec import UNSET

from core import lasting
from core.accounts.models import Player
from core.chatting import Message
from core.notifications.bodies import NotificationBody, NotificationFateBody, NotificationFatesBody
from core.notifications.kinds import About, Pair, kind_of, subject_of
from core.notifications.models import (
    Calendar,
    Channel,
    Chat,
    Delivery,
    Hook,
    Inbox,
    Notification,
    State,
    Subscription,
)
from core.rows import fetch_all

_SKIPPED = """
SELECT channel, count(*) FROM notifications_notification, jsonb_object_keys(skipped) channel
WHERE created_at > %s GROUP BY channel
"""


def notifications_of(player: Player) -> QuerySet[Notification]:
    return Notification.objects.filter(player=player)


def unread(rows: QuerySet[Notification], player: Player) -> QuerySet[Notification]:
    """Those of the player's notifications that are unread; pointless ones count as read."""
    return rows.filter(number__gt=read_up_to(player), lost__isnull=True)


def told(kind: str, subject_id: UUID) -> QuerySet[Player]:
    """Return who has a notification of this kind about a game or tournament, by name."""
    rows = Notification.objects.filter(kind=kind, subject_id=subject_id)
    return Player.objects.filter(pk__in=rows.values("player"), is_active=True).order_by("username")


def after(player: Player, number: int, limit: int = 100) -> list[Notification]:
    sent = Delivery.objects.filter(notification=OuterRef("pk"), channel=Channel.LIVE, state=State.SENT)
    rows = Notification.objects.filter(Exists(sent), player=player, number__gt=number)
    return list(rows.order_by("number")[:limit])


def outcomes(since: datetime) -> dict[tuple[str, str], int]:
    found = dict.fromkeys(product(Channel.values, State.values), 0)
    rows = Delivery.objects.filter(at__gt=since).order_by().values_list("channel", "state")
    found |= {(channel, state): count for channel, state, count in rows.annotate(count=Count("pk"))}
    for channel, count in fetch_all(_SKIPPED, [since]):
        found[channel, State.SKIPPED] += count
    return found


def read_up_to(player: Player) -> int:
    return Inbox.objects.filter(player=player).values_list("read_up_to", flat=True).first() or 0


def unread_count(player: Player, *, besides: UUID | None = None) -> int:
    """Count the unread notifications but those about `besides`."""
    rows = unread(notifications_of(player), player)
    return (rows if besides is None else rows.exclude(subject_id=besides)).count()


def bodies(player: Player, rows: Sequence[Notification]) -> list[NotificationBody]:
    """The JSON of notifications, with what happened to each on every channel. A few queries, however many there are."""
    told = messages([(player, one) for one in rows])
    read = read_up_to(player)
    deliveries: dict[int, list[Delivery]] = defaultdict(list)
    for delivery in Delivery.objects.filter(notification__in=[one.pk for one in rows]).order_by("pk"):
        deliveries[delivery.notification_id].append(delivery)
    return [
        NotificationBody(
            number=one.number,
            kind=one.kind,
            cause=one.cause,
            text=told[one.pk].text,
            link=told[one.pk].link,
            created_at=one.created_at,
            read=one.lost is not None or one.number <= read,
            channels=_channels(one, deliveries[one.pk]),
        )
        for one in rows
    ]


def messages(
    told: Sequence[tuple[Player, Notification]], now: datetime | None = None, *, in_full: bool = False
) -> dict[int, Message]:
    """What players are told, composed now, by primary key, in a few queries; with the story at a time."""
    abouts, names, stories = _abouts(told), _names([one for _, one in told]), dict[int, list[str]]()
    by_subject: dict[str, list[tuple[Player, Notification]]] = defaultdict(list)
    for player, one in told:
        by_subject[one.subject].append((player, one))
    happened = dict[int, str]()
    for some in by_subject.values():
        if now is not None:
            stories |= subject_of(some[0][1]).stories(some, now, in_full=in_full)
        else:
            happened |= subject_of(some[0][1]).happened(some)
    found = {}
    for _, one in told:
        kind, about = kind_of(one), abouts[one.pk]
        story, what = tuple(stories.get(one.pk, ())), happened.get(one.pk)
        said = kind.sentence({**about, "names": names}, one.data) if not what else f"{capfirst(about['title'])}. {what}"
        found[one.pk] = Message((said,), kind.link(about), story, kind.hook or one.kind)
    return found


def _abouts(told: Sequence[tuple[Player, Notification]]) -> dict[int, About]:
    pairs: dict[str, dict[tuple[UUID, UUID], Pair]] = defaultdict(dict)
    subjects = {}
    for player, one in told:
        subjects[one.subject] = subject_of(one)
        if one.subject_id is not None:
            pairs[one.subject][player.pk, one.subject_id] = player, one.subject_id
    known = {name: subject.about(pairs[name].values()) for name, subject in subjects.items()}
    return {
        one.pk: known[one.subject][player.pk, one.subject_id] if one.subject_id is not None else {}
        for player, one in told
    }


def _names(told: Iterable[Notification]) -> dict[str, str]:
    """The names of the players that notifications name, by id, wherever they are now; one query if there are any."""
    ids = {one.data.get(field) for one in told for field in kind_of(one).people} - {None}
    rows = Player.objects.filter(pk__in=ids, closed_at=None).values_list("pk", "username") if ids else ()
    return {str(pk): username for pk, username in rows}


def _channels(one: Notification, deliveries: Iterable[Delivery]) -> NotificationFatesBody:
    found: dict[str, list[NotificationFateBody]] = defaultdict(list)
    for delivery in deliveries:
        found[delivery.channel].append(_fate(one, delivery))
    skipped = {
        channel: NotificationFateBody(State.SKIPPED.value, one.created_at, reason=reason)
        for channel, reason in (one.skipped or {}).items()
    }
    shown: dict[str, Any] = {channel: fates[0] if len(fates) == 1 else fates for channel, fates in found.items()}
    return NotificationFatesBody(**skipped, **shown)


def _fate(one: Notification, delivery: Delivery) -> NotificationFateBody:
    state, reason, until = delivery.state, delivery.reason, delivery.until
    if state == State.HELD and one.lost is not None:
        # It will not go out, although its outbound job has not noticed yet.
        state, reason, until = State.SKIPPED, one.lost, None
    fate = NotificationFateBody(str(state), delivery.at)
    if reason is not None and state in (State.FAILED, State.GIVEN_UP):
        fate.error = reason
    elif reason is not None:
        fate.reason = reason
    if until is not None and state == State.FAILED:
        fate.next_try = until
    elif until is not None:
        fate.until = until
    fate.webhook = delivery.hook_id or UNSET
    fate.push = delivery.subscription_id or UNSET
    fate.chat = delivery.chat_id or UNSET
    return fate


# What an account's export has of it: without secrets.


def exported_notifications(player: Player) -> Iterator[dict[str, Any]]:
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


#: The parts of an export with their models.
ENDPOINTS: Mapping[str, Any] = {"webhooks": Hook, "push": Subscription, "chat": Chat}
_EXPORTED = ("id", "host", "created_at", "off_since", "types", "service")


def exported_endpoints(model: Any, player: Player) -> Iterator[dict[str, Any]]:
    for one in model.objects.filter(player=player).order_by("created_at"):
        row = {name: getattr(one, name) for name in _EXPORTED if hasattr(one, name)}
        yield row | ({one.subject: one.subject_id} if hasattr(one, "subject") else {})


def exported_calendar(player: Player) -> Iterator[dict[str, Any]]:
    for one in Calendar.objects.filter(player=player):
        yield {"created_at": one.created_at, "read_at": one.read_at}
