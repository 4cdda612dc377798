"""Messages of organisers to all entrants."""

from dataclasses import dataclass
from uuid import UUID

from core import clock as service_clock
from core.accounts.models import Player
from tournaments import selectors
from tournaments.services.commands import by_of, loaded, of_player
from tournaments.stream import life


@dataclass(frozen=True, slots=True)
class Sent:
    told: int
    text: str
    version: int | None


def send_message(tournament_id: UUID, player: Player, text: str, *, dry_run: bool = False) -> Sent:
    """Write to all entrants, one paragraph of at most `life.MAX_MESSAGE` letters."""
    version = None
    if dry_run:
        t = loaded(tournament_id)
        life.send_message(t, by_of(player), text, now=service_clock.now())
    else:
        done = of_player(tournament_id, player, lambda t, by, at: life.send_message(t, by, text, now=at))
        t, version = done.tournament, done.events[-1].version
    told = sum(one != player.pk for one in selectors.written_to(t.id))
    return Sent(told, life.message_text(t.plan.title, text), version)
