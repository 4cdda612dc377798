"""The channels that a tournament posts to (NT7). Which services they are is in the log; the addresses are not."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from core import log
from core.accounts.models import Player
from core.notifications import groups, trying
from core.notifications.models import GroupChannel
from core.refusals import Refused
from tournaments import models
from tournaments.services.commands import carry_out, of_player
from tournaments.stream import By, Fact, Tournament, announcing, check_organiser

TOURNAMENT = "tournament"

logger = logging.getLogger(__name__)


def add_channel(
    tournament_id: UUID, player: Player, service: str, url: str, *, now: datetime | None = None
) -> tuple[GroupChannel, str | None]:
    """Have the tournament post to a channel, as an organiser. Entrants are told. Returns a webhook's secret, too.

    Raises NotFound, Forbidden (not_an_organiser), Conflict (tournament_over), Invalid (bad_chat), TooMany
    (channel_limit).
    """

    def decide(t: Tournament, by: By) -> tuple[None, list[Fact]]:
        check_organiser(t, by)
        after = groups.with_one_more(t.channels, row.pk, service)
        return None, announcing.add_channel(t, by, groups.changed(after, added=service))

    with transaction.atomic():
        row, secret = groups.give(player, TOURNAMENT, tournament_id, service, url, now=now)
        of_player(tournament_id, player, decide, now=now)
    return row, secret


def remove_channel(tournament_id: UUID, player: Player, channel_id: UUID, *, now: datetime | None = None) -> None:
    """Remove a channel, as an organiser or as the player who gave it. Raises NotFound, Forbidden (not_an_organiser)."""
    row = groups.one_of(TOURNAMENT, tournament_id, channel_id)

    def decide(t: Tournament, by: By) -> tuple[None, list[Fact]]:
        if row.player_id != player.pk:
            check_organiser(t, by)
        return None, _without(t, [row])

    with transaction.atomic():
        GroupChannel.objects.filter(pk=row.pk).delete()
        of_player(tournament_id, player, decide, now=now)


def try_channel(tournament_id: UUID, player: Player, channel_id: UUID) -> GroupChannel:
    """Have a test posted to a channel that the player gave. Raises NotFound."""
    row = groups.own_of(TOURNAMENT, tournament_id, channel_id, player)
    trying.put("group", row)
    return row


def channels_shown(row: models.Tournament, player: Player | None) -> list[dict[str, Any]]:
    """Return what a tournament posts to, for people who may know of it; only its giver sees how a channel is doing."""
    return groups.shown(row.channels, TOURNAMENT, row.pk, player)


def drop_channels(*, player: Player, now: datetime, **_: Any) -> None:
    """An account is being closed: its channels are removed, and the tournaments no longer name them.

    A tournament that cannot be read because its log is damaged does not keep the account open; it is logged.
    """
    for tournament_id, rows in groups.given_by(player, TOURNAMENT).items():

        def decide(t: Tournament, rows: Sequence[GroupChannel] = rows) -> tuple[None, list[Fact]]:
            return None, _without(t, rows)

        GroupChannel.objects.filter(pk__in=[row.pk for row in rows]).delete()
        try:
            carry_out(tournament_id, decide, actor=log.Actor("player", str(player.pk)), now=now)
        except (Refused, log.LogError, LookupError, ValueError):
            logger.exception("tournament %s still names the channels of %s", tournament_id, player.pk)


def _without(t: Tournament, rows: Sequence[GroupChannel]) -> list[Fact]:
    changes, left = [], list(t.channels)
    for row in rows:
        after = groups.without(left, row.pk)
        if len(after) < len(left):
            changes.append(groups.changed(after, removed=row.service))
        left = after
    return announcing.drop_channels(t, changes)
