"""Messages of an organiser to all entrants."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from tournaments import selectors
from tournaments.projections import TOURNAMENT
from tournaments.services.commands import not_found, of_player
from tournaments.stream import By, Fact, Tournament, announcing
from tournaments.stream.reading import Reader


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
