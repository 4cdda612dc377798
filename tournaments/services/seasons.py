"""A season's rooms: entrants open them whenever they like (SN1)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from games import clock as service_clock
from games import log
from games import services as games
from games.accounts.models import Player
from games.projections import Snapshot
from games.refusals import Conflict, Forbidden, Invalid
from tournaments.projections import TOURNAMENT
from tournaments.services.commands import not_found
from tournaments.services.runner import run_task
from tournaments.services.todo import task_id, write_down
from tournaments.stream import Tournament
from tournaments.stream.agenda import Kind, Work
from tournaments.stream.facts import check_running


def open_game(
    tournament_id: UUID, player: Player, *, seats: int, bots: Sequence[str] = (), now: datetime | None = None
) -> Snapshot:
    """Open a room of a season; only entrants can join it. `bots` are entrants that are bots, and sit down at once.

    Raises:
        NotFound, Forbidden (not_an_entrant), Invalid (seats, bots), Conflict (not_a_season, not_started,
        tournament_over, season_closed; room_limit).
    """
    at = now or service_clock.now()
    t = TOURNAMENT.load(tournament_id, log.Lock.NONE)
    if t is None:
        raise not_found()
    check_season(t, at)
    entrant = t.entrant_of(player.pk)
    if entrant is None or not entrant.is_in:
        raise Forbidden("not_an_entrant", "Only entrants of the season open its games.")
    with transaction.atomic():
        room = games.open_room(
            player,
            game=t.plan.game,
            ruleset=t.plan.ruleset,
            options=t.plan.options,
            seats=seats,
            visibility=t.plan.visibility,
            rated=t.plan.rated,
            clock=t.plan.clock,
            bots=[_level(t, key) for key in _once(bots)],
            belongs_to={"tournament": str(t.id), "round": None, "table": None, "number": None, "bots": list(bots)},
            now=at,
        )
        work = Work(Kind.ROOM, str(room.id), {"game": str(room.id)})
        write_down(t.id, [work], due_at=at)
    run_task(task_id(t.id, work.kind, work.key), now=at)
    return room


def check_season(t: Tournament, now: datetime) -> None:
    """Raises Conflict (not_a_season, not_started, tournament_over, season_closed) where no game can begin."""
    if t.plan.kind != "season":
        raise Conflict("not_a_season", "The games of this tournament are opened by its rounds.")
    check_running(t)
    opens, closes = t.plan.opens_at, t.plan.closes_at
    if opens is not None and now < opens:
        raise Conflict("not_started", f"The season opens at {opens:%Y-%m-%d %H:%M} UTC.")
    if closes is not None and now >= closes:
        raise Conflict("season_closed", "The season is closed: no game can begin any more.")


def _level(t: Tournament, key: str) -> str:
    entrant = t.entrants.get(key)
    if entrant is None or entrant.bot is None or not entrant.is_in:
        raise Invalid("invalid", f"{key} is no bot that plays in this season.", field="bots")
    return str(entrant.bot["level"])


def _once(bots: Sequence[str]) -> Sequence[str]:
    if len(set(bots)) < len(bots):
        raise Invalid("invalid", "Names an entrant twice.", field="bots")
    return bots
