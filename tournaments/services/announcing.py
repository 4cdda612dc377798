"""Messages of organisers to all entrants, and the channels that a tournament posts to (NT7).

Which services the channels are is in the log; the addresses are not.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.notifications import groups, posting
from core.notifications.models import GroupChannel
from core.refusals import Refused
from tournaments import access, models, selectors
from tournaments.projections import TOURNAMENT
from tournaments.services.commands import carry_out, not_found, of_player
from tournaments.stream import By, Fact, Tournament, announcing, check_organiser
from tournaments.stream.reading import Reader

SUBJECT = "tournament"

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
        row, secret = groups.give(player, SUBJECT, tournament_id, service, url, now=now)
        of_player(tournament_id, player, decide, now=now)
    return row, secret


def remove_channel(tournament_id: UUID, player: Player, channel_id: UUID, *, now: datetime | None = None) -> None:
    """Remove a channel, as an organiser or as the player who gave it. Raises NotFound, Forbidden (not_an_organiser)."""
    row = groups.one_of(SUBJECT, tournament_id, channel_id)

    def decide(t: Tournament, by: By) -> tuple[None, list[Fact]]:
        if row.player_id != player.pk:
            check_organiser(t, by)
        return None, announcing.drop_channels(t, groups.gone(t.channels, [row]))

    with transaction.atomic():
        GroupChannel.objects.filter(pk=row.pk).delete()
        of_player(tournament_id, player, decide, now=now)


def try_channel(tournament_id: UUID, player: Player, channel_id: UUID) -> GroupChannel:
    """Have a test posted to a channel that the player gave. Raises NotFound."""
    row = groups.own_of(SUBJECT, tournament_id, channel_id, player)
    posting.put_test(row)
    return row


def channels_shown(row: models.Tournament, player: Player | None) -> list[dict[str, Any]]:
    """Return what a tournament posts to, for people who may know of it, as `groups.shown` does."""
    return groups.shown(row.channels, SUBJECT, row.pk, player, runs=access.organises(row, player))


def drop_channels(*, player: Player, now: datetime, **_: Any) -> None:
    """An account is being closed: its channels are removed, and the tournaments no longer name them."""
    _drop(player, groups.given_by(player, SUBJECT), now)


def drop_channels_of_staff(*, instance: Player, update_fields: Collection[str] | None, **_: Any) -> None:
    """An account was saved. If it is not staff, the channels go that it gave to tournaments that others organise."""
    if update_fields is not None and not {"is_staff", "is_superuser"} & set(update_fields):
        return
    if instance.is_staff or instance.is_superuser:
        return
    given = groups.given_by(instance, SUBJECT)
    own = models.Tournament.objects.filter(pk__in=given, organisers__contains=[instance.pk]) if given else ()
    _drop(instance, {pk: rows for pk, rows in given.items() if pk not in {one.pk for one in own}}, service_clock.now())


def _drop(player: Player, given: Mapping[UUID, Sequence[GroupChannel]], now: datetime) -> None:
    """A tournament that cannot be read because its log is damaged does not keep the account open; it is logged."""
    for tournament_id, rows in given.items():

        def decide(t: Tournament, rows: Sequence[GroupChannel] = rows) -> tuple[None, list[Fact]]:
            return None, announcing.drop_channels(t, groups.gone(t.channels, rows))

        GroupChannel.objects.filter(pk__in=[row.pk for row in rows]).delete()
        try:
            carry_out(tournament_id, decide, actor=log.Actor("player", str(player.pk)), now=now)
        except (Refused, log.LogError, LookupError, ValueError):
            logger.exception("tournament %s still names the channels of %s", tournament_id, player.pk)


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that was sent, or with `dry_run` would be: its text, and how many players are told."""

    told: int
    text: str
    """The message as everybody reads it."""
    version: int | None
    """The version of its event; None for a dry run."""


def send_message(tournament_id: UUID, player: Player, body: Mapping[str, Any], *, now: datetime | None = None) -> Sent:
    """Write to all entrants; `body` is the body of ``POST tournaments/{id}/messages``.

    Raises NotFound, Forbidden (not_an_organiser), Invalid (text), Conflict (not_open), TooMany (message_limit).
    """
    at = now or service_clock.now()
    read = Reader(body, ("text", "dry_run"))
    text = read.text("text", announcing.MAX_MESSAGE, required=True)
    dry_run = read.flag("dry_run", default=False)
    read.check()

    def decide(t: Tournament, by: By) -> tuple[None, list[Fact]]:
        return None, announcing.send_message(t, by, text, now=at)

    if dry_run:
        now_is = TOURNAMENT.load(tournament_id, log.Lock.NONE)
        if now_is is None:
            raise not_found()
        decide(now_is, By(player.pk, staff=player.is_staff))
        return Sent(_told(now_is, player), announcing.message_text(now_is.plan.title, text), None)
    done = of_player(tournament_id, player, decide, now=at)
    assert done.tournament is not None  # noqa: S101  without a key nothing is replayed
    said = announcing.message_text(done.tournament.plan.title, text)
    return Sent(_told(done.tournament, player), said, done.events[-1].version)


def _told(t: Tournament, player: Player) -> int:
    return sum(one != player.pk for one in selectors.written_to(t.id))
