"""The channels that a room posts to (NT7). Which services they are is in the log; the addresses are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from games.platform import log
from games.platform.accounts.models import Player
from games.platform.refusals import Forbidden, NotFound, TooMany
from games.platform.telling import groups, trying
from games.platform.telling.models import GroupChannel
from games.projections import Snapshot
from games.projections import vocabulary as stored
from games.services.commands import change, changed
from games.services.membership import check_not_over, check_opener, member

GAME = "game"


def add_channel(
    game_id: UUID, player: Player, service: str, url: str, *, now: datetime | None = None
) -> tuple[GroupChannel, str | None]:
    """Give a room a channel, as its opener. Those who sit there are told. Returns a webhook's secret, too.

    Raises NotFound, Forbidden (not_a_player, not_the_opener, tournament_game), Conflict (game_over, game_cancelled),
    Invalid (bad_chat), TooMany (channel_limit).
    """

    def decide(room: Snapshot) -> Sequence[log.NewEvent]:
        seat = member(room, player)
        check_not_over(room)
        check_opener(room, player, "say what it posts to")
        if room.belongs_to is not None:
            raise Forbidden("tournament_game", "A tournament's rooms have no channels of their own.")
        if len(room.channels) >= groups.MOST:
            raise TooMany("channel_limit", f"There are {groups.MOST} channels, which is as many as there may be.")
        after = [*room.channels, {"id": str(row.pk), "service": service}]
        return [_event(after, seat, added=service)]

    with transaction.atomic():
        row, secret = groups.give(player, GAME, game_id, service, url, now=now)
        changed(game_id, decide, player=player, now=now)
    return row, secret


def remove_channel(game_id: UUID, player: Player, channel_id: UUID, *, now: datetime | None = None) -> None:
    """Take a channel away, as the opener or as whoever gave it. Raises NotFound, Forbidden (not_the_opener)."""
    row = _row(game_id, channel_id)

    def decide(room: Snapshot) -> Sequence[log.NewEvent]:
        if row.player_id != player.pk:
            member(room, player)
            check_opener(room, player, "say what it posts to")
        return _without(room, [row], room.seat_of(player))

    with transaction.atomic():
        GroupChannel.objects.filter(pk=row.pk).delete()
        changed(game_id, decide, player=player, now=now)


def find_channel(game_id: UUID, player: Player, channel_id: UUID) -> GroupChannel:
    """A channel that the player gave. Raises NotFound."""
    row = _row(game_id, channel_id)
    if row.player_id != player.pk:
        raise NotFound("not_found", "There is no such channel of yours.")
    return row


def try_channel(game_id: UUID, player: Player, channel_id: UUID) -> GroupChannel:
    """Have a test posted to a channel that the player gave. Raises NotFound."""
    row = find_channel(game_id, player, channel_id)
    trying.put("group", row)
    return row


def channels_shown(game: Snapshot, player: Player) -> list[dict[str, Any]]:
    """What a room posts to, for whoever may know of it; how a channel does only for who gave it."""
    rows = {str(row.pk): row for row in GroupChannel.objects.filter(subject=GAME, subject_id=game.id)}
    return [shown(one, rows.get(one["id"]), player) for one in game.channels]


def shown(channel: Mapping[str, str], row: GroupChannel | None, player: Player) -> dict[str, Any]:
    """A channel as the player may see it."""
    own = row if row is not None and row.player_id == player.pk else None
    return {"id": channel["id"], "service": channel["service"], "own": own}


def drop_channels(sender: object, player: Player, now: datetime, **_: object) -> None:  # noqa: ARG001  a signal's
    """An account is being closed: the channels that it gave go, and the rooms no longer name them."""
    own: dict[UUID, list[GroupChannel]] = {}
    for row in GroupChannel.objects.filter(subject=GAME, player=player):
        own.setdefault(row.subject_id, []).append(row)
    for game_id, rows in own.items():

        def decide(room: Snapshot, rows: Sequence[GroupChannel] = rows) -> Sequence[log.NewEvent]:
            return _without(room, rows, None)

        with transaction.atomic():
            GroupChannel.objects.filter(pk__in=[row.pk for row in rows]).delete()
            change(game_id, decide, actor=log.Actor("player", str(player.pk)), now=now)


def _without(room: Snapshot, rows: Sequence[GroupChannel], seat: int | None) -> list[log.NewEvent]:
    events, left = [], list(room.channels)
    for row in rows:
        after = [one for one in left if one["id"] != str(row.pk)]
        # What is over stays as it was: it posts nothing any more.
        if len(after) < len(left) and room.status not in ("finished", "cancelled"):
            events.append(_event(after, seat, removed=row.service))
        left = after
    return events


def _event(
    channels: Sequence[Mapping[str, str]], seat: int | None, *, added: str | None = None, removed: str | None = None
) -> log.NewEvent:
    data = {"channels": list(channels), "added": added, "removed": removed}
    return log.NewEvent(stored.CHANNELS_CHANGED, data, seat)


def _row(game_id: UUID, channel_id: UUID) -> GroupChannel:
    row = GroupChannel.objects.filter(subject=GAME, subject_id=game_id, pk=channel_id).first()
    if row is None:
        raise NotFound("not_found", "There is no such channel.")
    return row
