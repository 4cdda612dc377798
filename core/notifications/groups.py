"""Channels of groups (NT7), to which a room or a tournament posts for everybody who reads there.

Each app says who may add one and when (`Holder.change`). Here they are stored, and messages are delivered as to all
endpoints; the subject composes a message when it goes out.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from core import clock as service_clock
from core import log, vault
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.notifications import chat, endpoints, webhooks
from core.notifications.chatting import Mention, Message
from core.notifications.kinds import Announcement, the_subject
from core.notifications.models import GroupChannel, Posting, State
from core.notifications.posting import TEST_TEXT, Poster, Request, put_test
from core.refusals import NotFound, Refused, TooMany, invalid

MOST = 5
WEBHOOK = "webhook"
TURN, RESULT, ROUND, STANDINGS = "turn", "result", "round", "standings"

logger = logging.getLogger(__name__)

Named = Sequence[Mapping[str, str]]
"""The channels of a group as its events name them: `[{"id", "service"}]`."""


Decide = Callable[[Named], Sequence[Mapping[str, Any]]]
"""The data of the events that change the present channels."""


class Act(Enum):
    """What somebody does to a group's channels; their own they may remove whoever they are."""

    ADD = "add"
    REMOVE = "remove"
    REMOVE_OWN = "remove one's own"
    CLOSE = "close an account, or lose a right to it"


class Holder:
    """Whatever holds channels: rooms, tournaments. Which services they are is in its log; the addresses are not."""

    subject: str

    def runs(self, one: Any, player: Player | None) -> bool:
        """Whether the player runs a room or tournament, and so sees whose each channel is."""
        raise NotImplementedError

    def change(self, holder_id: UUID, player: Player, decide: Decide, act: Act, now: datetime) -> None:
        """Append the events that `decide` finds. Raises NotFound, and whatever forbids the act."""
        raise NotImplementedError

    def add(
        self, holder_id: UUID, player: Player, service: str, url: str, *, now: datetime | None = None
    ) -> tuple[GroupChannel, str | None]:
        """Add a channel; whoever it concerns is told. Also returns a webhook's secret, which is shown only this once.

        Raises Invalid (bad_chat), naming the fields; TooMany (channel_limit); what `change` raises.
        """
        at = now or service_clock.now()
        host = _host(service, url)
        secret = webhooks.new_secret() if service == WEBHOOK else None
        with transaction.atomic():
            row = GroupChannel.objects.create(
                player=player,
                subject=self.subject,
                subject_id=holder_id,
                service=service,
                url=vault.seal(url),
                host=host,
                secret=vault.seal(secret) if secret is not None else None,
                created_at=at,
            )
            self.change(holder_id, player, lambda channels: [_with(channels, row)], Act.ADD, at)
        return row, secret

    def remove(self, holder_id: UUID, player: Player, channel_id: UUID, *, now: datetime | None = None) -> None:
        """Remove a channel, as whoever runs it or gave it. Raises NotFound; what `change` raises."""
        row = self._one(holder_id, channel_id)
        act = Act.REMOVE_OWN if row.player_id == player.pk else Act.REMOVE
        with transaction.atomic():
            GroupChannel.objects.filter(pk=row.pk).delete()
            self.change(holder_id, player, lambda channels: gone(channels, [row]), act, now or service_clock.now())

    def test(self, holder_id: UUID, player: Player, channel_id: UUID) -> GroupChannel:
        """Have a test posted to a channel that the player gave. Raises NotFound."""
        row = self._one(holder_id, channel_id)
        if row.player_id != player.pk:
            raise NotFound("not_found", "There is no such channel of yours.")
        put_test(row)
        return row

    def shown(self, one: Any, player: Player | None) -> list[dict[str, Any]]:
        """The channels of a room or tournament, for people who may know of it.

        Only the giver sees `own`, a channel's state, and only who runs it `given_by`, whose it is.
        """
        rows = GroupChannel.objects.filter(subject=self.subject, subject_id=one.id).select_related("player")
        found = {str(row.pk): row for row in rows}
        runs = self.runs(one, player)
        return [
            {
                "id": named["id"],
                "service": named["service"],
                "own": _own(found.get(named["id"]), player),
                "given_by": found[named["id"]].player.username if runs and named["id"] in found else None,
            }
            for named in one.channels
        ]

    def given_by(self, player: Player) -> dict[UUID, list[GroupChannel]]:
        found: dict[UUID, list[GroupChannel]] = {}
        for row in GroupChannel.objects.filter(subject=self.subject, player=player):
            found.setdefault(row.subject_id, []).append(row)
        return found

    def drop_given(self, *, player: Player, now: datetime, **_: Any) -> None:
        """An account is being closed: its channels are removed, and nothing names them any more."""
        self.drop(player, self.given_by(player), now)

    def drop(self, player: Player, given: Mapping[UUID, Sequence[GroupChannel]], now: datetime) -> None:
        """Remove these channels. What is gone, or has a damaged log, keeps no account open; it is logged."""
        for holder_id, rows in given.items():
            GroupChannel.objects.filter(pk__in=[row.pk for row in rows]).delete()
            try:
                self.change(holder_id, player, partial(gone, rows=rows), Act.CLOSE, now)
            except (Refused, log.LogError, LookupError, ValueError):
                logger.exception("%s %s still names the channels of %s", self.subject, holder_id, player.pk)

    def _one(self, holder_id: UUID, channel_id: UUID) -> GroupChannel:
        row = GroupChannel.objects.filter(subject=self.subject, subject_id=holder_id, pk=channel_id).first()
        if row is None:
            raise NotFound("not_found", "There is no such channel.")
        return row


def gone(channels: Named, rows: Iterable[GroupChannel]) -> list[dict[str, Any]]:
    """The data of the events by which these channels go, one after the other; none for those not among them."""
    changes, left = [], list(channels)
    for row in rows:
        after = [one for one in left if one["id"] != str(row.pk)]
        if len(after) < len(left):
            changes.append({"channels": after, "added": None, "removed": row.service})
        left = after
    return changes


def _with(channels: Named, row: GroupChannel) -> dict[str, Any]:
    """The data of the event by which a channel comes. Raises TooMany (channel_limit)."""
    if len(channels) >= MOST:
        raise TooMany("channel_limit", f"There are {MOST} channels, which is the limit.")
    after = [*channels, {"id": str(row.pk), "service": row.service}]
    return {"channels": after, "added": row.service, "removed": None}


def _own(row: GroupChannel | None, player: Player | None) -> GroupChannel | None:
    return row if row is not None and player is not None and row.player_id == player.pk else None


def given_at(subject_id: UUID, players: Iterable[UUID]) -> QuerySet[GroupChannel]:
    return GroupChannel.objects.filter(subject_id=subject_id, player__in=players)


@ending.at_once(Right.ROOM, What.CHANNELS)
@ending.at_once(Right.TOURNAMENT, What.CHANNELS)
def forget(*, subject_id: UUID, players: Iterable[UUID], **_: Any) -> None:
    """The players have no right to the subject any more: the channels that they gave it go, and what waits for them."""
    given_at(subject_id, players).delete()


def channels_of(subject_id: UUID) -> list[GroupChannel]:
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
