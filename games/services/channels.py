"""The channels that a room posts to (NT7). Which services they are is in the log; the addresses are not."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from core import log
from core.accounts.models import Player
from core.notifications import groups, posting
from core.notifications.models import GroupChannel
from core.refusals import Forbidden, NotFound
from games.projections import Snapshot
from games.projections import vocabulary as stored
from games.services.commands import change, changed, check_not_over, check_opener, member, without

GAME = "game"

logger = logging.getLogger(__name__)


def add_channel(
    game_id: UUID, player: Player, service: str, url: str, *, now: datetime | None = None
) -> tuple[GroupChannel, str | None]:
    """Add a channel to a room, as its opener. Those who sit there are told. Also returns the secret of a webhook.

    Raises NotFound, Forbidden (not_a_player, not_the_opener, tournament_game), Conflict (game_over, game_cancelled),
    Invalid (bad_chat), TooMany (channel_limit).
    """

    def decide(room: Snapshot) -> Sequence[log.NewEvent]:
        seat = member(room, player)
        check_not_over(room)
        check_opener(room, player, "say what it posts to")
        if room.belongs_to is not None:
            raise Forbidden("tournament_game", "A tournament's rooms have no channels of their own.")
        after = groups.with_one_more(room.channels, row.pk, service)
        return [log.NewEvent(stored.CHANNELS_CHANGED, groups.changed(after, added=service), seat)]

    with transaction.atomic():
        row, secret = groups.give(player, GAME, game_id, service, url, now=now)
        changed(game_id, decide, player=player, now=now)
    return row, secret


def remove_channel(game_id: UUID, player: Player, channel_id: UUID, *, now: datetime | None = None) -> None:
    """Remove a channel, as the opener or as the player who added it. Raises NotFound, Forbidden (not_the_opener)."""
    row = groups.one_of(GAME, game_id, channel_id)

    def decide(room: Snapshot) -> Sequence[log.NewEvent]:
        if row.player_id != player.pk:
            member(room, player)
            check_opener(room, player, "say what it posts to")
        return without(room, [row], room.seat_of(player))

    with transaction.atomic():
        GroupChannel.objects.filter(pk=row.pk).delete()
        changed(game_id, decide, player=player, now=now)


def try_channel(game_id: UUID, player: Player, channel_id: UUID) -> GroupChannel:
    """Have a test posted to a channel that the player added. Raises NotFound."""
    row = groups.own_of(GAME, game_id, channel_id, player)
    posting.put_test(row)
    return row


def channels_shown(game: Snapshot, player: Player) -> list[dict[str, Any]]:
    """Return what a room posts to, for people who may know of it, as `groups.shown` does."""
    return groups.shown(game.channels, GAME, game.id, player, runs=game.opener == player.pk)


def drop_channels(sender: object, player: Player, now: datetime, **_: object) -> None:  # noqa: ARG001  a signal's
    """An account is being closed: its channels are removed, and the rooms no longer name them.

    A room that is gone, or whose log is damaged, does not keep the account open; it is logged.
    """
    for game_id, rows in groups.given_by(player, GAME).items():

        def decide(room: Snapshot, rows: Sequence[GroupChannel] = rows) -> Sequence[log.NewEvent]:
            return without(room, rows)

        try:
            with transaction.atomic():
                GroupChannel.objects.filter(pk__in=[row.pk for row in rows]).delete()
                change(game_id, decide, actor=log.Actor("player", str(player.pk)), now=now)
        except (NotFound, log.LogError, LookupError, ValueError):
            logger.exception("the room %s still names the channels of %s", game_id, player.pk)
