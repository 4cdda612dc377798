"""Channels of groups (NT7), to which a room or a tournament posts for everybody who reads there.

Their owner decides who may add one and when. Here they are stored, and messages are delivered as to all endpoints; the
subject composes a message when it goes out.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db.models import QuerySet

from core import clock as service_clock
from core import vault
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.notifications import chat, endpoints, webhooks
from core.notifications.chatting import Mention, Message
from core.notifications.kinds import Announcement, the_subject
from core.notifications.models import GroupChannel, Posting, State
from core.notifications.posting import TEST_TEXT, Poster, Request
from core.refusals import NotFound, TooMany, invalid

MOST = 5
WEBHOOK = "webhook"
TURN, RESULT, ROUND, STANDINGS = "turn", "result", "round", "standings"

Named = Sequence[Mapping[str, str]]
"""The channels of a group as its events name them: `[{"id", "service"}]`."""


def give(
    player: Player, subject: str, subject_id: UUID, service: str, url: str, *, now: datetime | None = None
) -> tuple[GroupChannel, str | None]:
    """Store a channel in the caller's transaction; return it and a webhook's secret, which is shown only this once.

    The caller sees to it that there are not more than `MOST`. Raises Invalid (bad_chat), naming the fields.
    """
    host = _host(service, url)
    secret = webhooks.new_secret() if service == WEBHOOK else None
    row = GroupChannel.objects.create(
        id=uuid4(),
        player=player,
        subject=subject,
        subject_id=subject_id,
        service=service,
        url=vault.seal(url),
        host=host,
        secret=vault.seal(secret) if secret is not None else None,
        created_at=now or service_clock.now(),
    )
    return row, secret


def with_one_more(channels: Named, channel_id: UUID, service: str) -> list[Mapping[str, str]]:
    """The channels and a new one. Raises TooMany (channel_limit)."""
    if len(channels) >= MOST:
        raise TooMany("channel_limit", f"There are {MOST} channels, which is the limit.")
    return [*channels, {"id": str(channel_id), "service": service}]


def without(channels: Named, channel_id: UUID) -> list[Mapping[str, str]]:
    """The channels without this one."""
    return [one for one in channels if one["id"] != str(channel_id)]


def changed(channels: Named, *, added: str | None = None, removed: str | None = None) -> dict[str, Any]:
    """The data of the event that lists the channels from now on."""
    return {"channels": list(channels), "added": added, "removed": removed}


def one_of(subject: str, subject_id: UUID, channel_id: UUID) -> GroupChannel:
    """A channel of a subject. Raises NotFound."""
    row = GroupChannel.objects.filter(subject=subject, subject_id=subject_id, pk=channel_id).first()
    if row is None:
        raise NotFound("not_found", "There is no such channel.")
    return row


def own_of(subject: str, subject_id: UUID, channel_id: UUID, player: Player) -> GroupChannel:
    """A channel that the player added. Raises NotFound."""
    row = one_of(subject, subject_id, channel_id)
    if row.player_id != player.pk:
        raise NotFound("not_found", "There is no such channel of yours.")
    return row


def gone(channels: Named, rows: Iterable[GroupChannel]) -> list[dict[str, Any]]:
    """The data of the events by which these channels go, one after the other; none for those not among them."""
    changes, left = [], list(channels)
    for row in rows:
        after = without(left, row.pk)
        if len(after) < len(left):
            changes.append(changed(after, removed=row.service))
        left = after
    return changes


def given_at(subject_id: UUID, players: Iterable[UUID]) -> QuerySet[GroupChannel]:
    """The channels that players gave a subject."""
    return GroupChannel.objects.filter(subject_id=subject_id, player__in=players)


@ending.at_once(Right.ROOM, What.CHANNELS)
@ending.at_once(Right.TOURNAMENT, What.CHANNELS)
def forget(*, subject_id: UUID, players: Iterable[UUID], **_: Any) -> None:
    """The players have no right to the subject any more: the channels that they gave it go, and what waits for them."""
    given_at(subject_id, players).delete()


def given_by(player: Player, subject: str) -> dict[UUID, list[GroupChannel]]:
    """The channels that a player added, by subject."""
    found: dict[UUID, list[GroupChannel]] = {}
    for row in GroupChannel.objects.filter(subject=subject, player=player):
        found.setdefault(row.subject_id, []).append(row)
    return found


def shown(
    channels: Named, subject: str, subject_id: UUID, player: Player | None, *, runs: bool
) -> list[dict[str, Any]]:
    """The channels for people who may know of the subject.

    Only the giver sees `own`, a channel's state, and only who `runs` the subject `given_by`, whose it is.
    """
    rows = GroupChannel.objects.filter(subject=subject, subject_id=subject_id).select_related("player")
    found = {str(row.pk): row for row in rows}
    return [
        {
            "id": one["id"],
            "service": one["service"],
            "own": _own(found.get(one["id"]), player),
            "given_by": found[one["id"]].player.username if runs and one["id"] in found else None,
        }
        for one in channels
    ]


def _own(row: GroupChannel | None, player: Player | None) -> GroupChannel | None:
    return row if row is not None and player is not None and row.player_id == player.pk else None


def channels_of(subject_id: UUID) -> list[GroupChannel]:
    """The channels that work."""
    rows = GroupChannel.objects.filter(subject_id=subject_id, off_since__isnull=True)
    return list(rows.order_by("created_at", "pk"))


def post(
    channels: Iterable[GroupChannel],
    topic: str,
    cause: str,
    *,
    subject: str,
    subject_id: UUID,
    version: int,
    data: Mapping[str, Any] | None = None,
    now: datetime | None = None,
) -> None:
    """Post something to these channels, once for its cause in each, in the caller's transaction."""
    at = now or service_clock.now()
    for channel in channels:
        one, new = Posting.objects.get_or_create(
            channel=channel,
            cause=cause,
            defaults={
                "topic": topic, "subject": subject, "subject_id": subject_id, "version": version,
                "data": dict(data or {}), "created_at": at, "state": State.HELD, "until": at, "at": at,
            },
        )  # fmt: skip
        if new:
            GROUPS.queue([one])


def mention(player: Player | None, service: str) -> Mention:
    """How a player is named in a service: mentioned only if they consented."""
    if player is None:
        return Mention("Somebody")
    return Mention(player.username, player.handles.get(service))


def _written(to: GroupChannel, message_id: str, said: Announcement, at: datetime, data: Mapping[str, Any]) -> Request:
    url, message = vault.unseal(to.url), said.message
    if to.secret is None:
        return chat.posted(to.service, url, message_id, message)
    text = "".join(part.name if isinstance(part, Mention) else part for part in message.parts)
    event = {"type": said.type, "timestamp": at, "data": {**data, "text": text, "link": message.link}}
    return webhooks.signed(url, message_id, event, [vault.unseal(to.secret)])


def _host(service: str, url: str) -> str:
    if service != WEBHOOK:
        return chat.checked(service, url, also=(WEBHOOK,))
    errors: endpoints.Errors = []
    host = endpoints.checked_host(url, errors)
    if errors:
        raise invalid("bad_chat", errors)
    return host


class Groups(Poster):
    job, name = "notifications.group", "group"
    model, rows, column = GroupChannel, Posting, "channel"

    def no_points(self, rows: Sequence[Posting], now: datetime) -> dict[int, str]:
        found = {one.pk: the_subject(one.subject).outdated(one, now) for one in rows}
        return {key: reason for key, reason in found.items() if reason is not None}

    def write(self, going: Sequence[tuple[Posting, GroupChannel]], now: datetime) -> list[Request]:
        return [self._written(posting, to, now) for posting, to in going]

    @staticmethod
    def _written(one: Posting, to: GroupChannel, now: datetime) -> Request:
        said = the_subject(one.subject).announce(one, to.service, now)
        data = {"topic": one.topic, "cause": one.cause, one.subject: one.subject_id, "version": one.version}
        return _written(to, f"msg_group_{one.pk}", said, one.created_at, data)

    def trial(self, to: GroupChannel, now: datetime) -> Request:
        said = Announcement(Message((TEST_TEXT,), chat.absolute("/")), "test")
        return _written(to, f"msg_test_{to.pk}", said, now, {})


GROUPS = Groups()
