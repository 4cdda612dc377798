"""The channels of groups: a room or a tournament posts there for everybody who reads there.

Who may add one, and when, its `Holder` says (`rooms`, `tournaments`).
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

from chats.models import GroupChannel, Posting
from core import clock as service_clock
from core import log, vault
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.login import tokens
from core.accounts.models import Player
from core.chatting import Mention, Message
from core.jobs import services as work
from core.notifications import endpoints
from core.notifications.models import State
from core.notifications.posting import Request, about, written
from core.notifications.senders import TESTED, Poster, put_test
from core.refusals import NotFound, Refused, TooMany

MOST_CHANNELS = 5
DROP = "notifications.drop_channel"

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


_holders: dict[str, "Holder"] = {}


class Holder:
    """Whatever holds channels: rooms, tournaments. Which services they are is in its log; the addresses are not."""

    subject: str

    def __init__(self) -> None:
        _holders[self.subject] = self

    def runs(self, one: Any, player: Player | None) -> bool:
        """Whether the player runs a room or tournament, and so sees whose each channel is."""
        raise NotImplementedError

    def change(self, holder_id: UUID, player: Player, decide: Decide, act: Act, now: datetime) -> None:
        """Append the events that `decide` finds. Raises NotFound, and whatever forbids the act."""
        raise NotImplementedError

    def announce(self, posting: Posting, service: str, now: datetime) -> Message:
        """What the channels are told: never more than everybody there may see. `service`: whose handles."""
        raise NotImplementedError

    def outdated(self, posting: Posting, now: datetime) -> str | None:  # noqa: ARG002
        """Why it must not go out any more, or None."""
        return None

    def add(
        self, holder_id: UUID, player: Player, service: str, url: str, *, app: str | None = None
    ) -> tuple[GroupChannel, str | None]:
        """Add a channel; whoever it concerns is told. Also returns a webhook's secret, which is shown only this once.

        An app's ends with it. Raises Invalid (bad_chat), TooMany (channel_limit), what `change` raises.
        """
        at, host = (
            service_clock.now(),
            endpoints.checked("bad_chat", service, url, (*endpoints.offered(), endpoints.WEBHOOK)),
        )
        secret = endpoints.new_secret() if service == endpoints.WEBHOOK else None
        with transaction.atomic():
            if app is not None:
                tokens.check_app(player, app)
            row = GroupChannel.objects.create(
                player=player,
                app=app,
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

    def remove(self, holder_id: UUID, player: Player, channel_id: UUID) -> None:
        """Remove a channel, as whoever runs it or gave it. Raises NotFound; what `change` raises."""
        row = self._one(holder_id, channel_id)
        act = Act.REMOVE_OWN if row.player_id == player.pk else Act.REMOVE
        with transaction.atomic():
            GroupChannel.objects.filter(pk=row.pk).delete()
            self.change(holder_id, player, lambda channels: gone(channels, [row]), act, service_clock.now())

    def test(self, holder_id: UUID, player: Player, channel_id: UUID) -> GroupChannel:
        row = self._one(holder_id, channel_id)
        if row.player_id != player.pk:
            raise NotFound("not_found", "You have no such channel.")
        put_test(row)
        return row

    def shown(self, one: Any, player: Player | None) -> list[dict[str, Any]]:
        """The channels, for people who may know of it; `own` for the giver alone, `given_by` for who runs it."""
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


@ending.at_once(Right.APP, What.CHANNELS)
def end_channels_of_app(*, player: Player, app: str, **_: Any) -> None:
    """They post nothing any more at once; what they were added to names them until the job is done."""
    rows = GroupChannel.objects.filter(player=player, app=app)
    for row in rows:
        what = {"subject": row.subject, "id": row.subject_id, "player": player.pk, "service": row.service}
        work.put(DROP, str(row.pk), what)
    rows.delete()


@work.local(DROP)
def drop_channel(job: work.Job, now: datetime) -> None:
    player = Player.objects.filter(pk=job.data["player"]).first()
    if player is not None:  # otherwise closing the account saw to it
        row = GroupChannel(pk=UUID(job.key), service=job.data["service"])
        _holders[job.data["subject"]].drop(player, {UUID(job.data["id"]): [row]}, now)


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
    if len(channels) >= MOST_CHANNELS:
        raise TooMany("channel_limit", f"There are {MOST_CHANNELS} channels, which is the limit.")
    after = [*channels, {"id": str(row.pk), "service": row.service}]
    return {"channels": after, "added": row.service, "removed": None}


def _own(row: GroupChannel | None, player: Player | None) -> GroupChannel | None:
    return row if row is not None and player is not None and row.player_id == player.pk else None


def dropped(subject_id: UUID, channels: Named, players: Iterable[UUID]) -> list[dict[str, Any]]:
    """The data of the events by which the channels go that these players gave."""
    return gone(channels, given_at(subject_id, players))


def given_at(subject_id: UUID, players: Iterable[UUID]) -> QuerySet[GroupChannel]:
    return GroupChannel.objects.filter(subject_id=subject_id, player__in=players)


@ending.at_once(Right.ROOM, What.CHANNELS)
@ending.at_once(Right.TOURNAMENT, What.CHANNELS)
def forget(*, subject_id: UUID, players: Iterable[UUID], **_: Any) -> None:
    """The players have no right to the subject any more: the channels that they gave it go, and what waits for them."""
    given_at(subject_id, players).delete()


class Groups(Poster):
    job, name = "notifications.group", "group"
    model, rows, column = GroupChannel, Posting, "channel"

    def no_points(self, rows: Sequence[Posting], now: datetime) -> dict[int, str]:
        found = {one.pk: _holders[one.subject].outdated(one, now) for one in rows}
        return {key: reason for key, reason in found.items() if reason is not None}

    def write(self, going: Sequence[tuple[Posting, GroupChannel]], now: datetime) -> list[Request]:
        return [self._request(one, to, now) for one, to in going]

    @staticmethod
    def _request(one: Posting, to: GroupChannel, now: datetime) -> Request:
        said = _holders[one.subject].announce(one, to.service, now)
        facts = {"topic": one.topic, "cause": one.cause, **about(one)}
        return written(to, f"msg_group_{one.pk}", said, one.created_at, facts)


GROUPS = Groups()
TESTED[GROUPS.name] = GroupChannel


def post(
    holder_id: UUID,
    topic: str,
    cause: str,
    *,
    subject: str,
    subject_id: UUID,
    version: int,
    **data: Any,
) -> None:
    """Post something to a group's channels, once for its cause in each, in the caller's transaction."""
    at = service_clock.now()
    what = {"topic": topic, "subject": subject, "subject_id": subject_id, "version": version, "data": data}
    state = {"created_at": at, "state": State.HELD, "until": at, "at": at}
    channels = GroupChannel.objects.filter(subject_id=holder_id, off_since__isnull=True)
    for channel in channels.filter(service__in=(*endpoints.offered(), endpoints.WEBHOOK)).order_by("created_at", "pk"):
        one, new = Posting.objects.get_or_create({**what, **state}, channel=channel, cause=cause)
        if new:
            GROUPS.queue([one])


def mention(player: Player | None, service: str) -> Mention:
    """How a player is named in a service: mentioned only if they consented."""
    if player is None:
        return Mention("Somebody")
    return Mention(player.username, player.handles.get(service))
