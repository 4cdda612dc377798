"""Entrants who did not turn up for their last game, and who are seated again nevertheless."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from games.models import Seat
from tournaments.models import Entrant, Tournament, TournamentGame
from tournaments.stream import Standing, Status


@dataclass(frozen=True, slots=True)
class NoShow:
    """An entrant who is in and made no move in the last game, which was in this round."""

    entrant: Entrant
    round: int


def no_shows(tournaments: Iterable[Tournament], games: Iterable[TournamentGame]) -> list[NoShow]:
    """Those of running tournaments with rounds who missed turns and made no move, in the order of entry.

    `games` are the tournaments' with a result, or the newest of them. At most two queries.
    """
    rounds = {one.pk for one in tournaments if one.status == Status.RUNNING and one.kind != "season"}
    last: dict[tuple[UUID, str], tuple[UUID, int]] = {}
    for game in sorted(games, key=lambda game: (game.round or 0, game.number or 0)):
        if game.outcome == "result" and game.round is not None and game.tournament_id in rounds:
            last |= {(game.tournament_id, key): (game.game, game.round) for key in game.entrants}
    if not last:
        return []
    seats = Seat.objects.filter(game__in={game for game, _ in last.values()}, moved=False, resigned=False)
    away = set(seats.filter(Q(timeouts__gt=0) | Q(bot__isnull=False)).values_list("game_id", "player_id"))
    if not away:
        return []
    entrants = Entrant.objects.filter(
        tournament__in=rounds, player__in={player for _, player in away if player}, standing=Standing.IN
    )
    found = []
    for entrant in entrants.select_related("player").order_by("tournament", "number"):
        played = last.get((entrant.tournament_id, entrant.key))
        if played is not None and (played[0], entrant.player_id) in away:
            found.append(NoShow(entrant, played[1]))
    return found
