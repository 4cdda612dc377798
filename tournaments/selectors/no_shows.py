"""Entrants who did not turn up for their last game, and who are seated again nevertheless."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from games.models import Seat
from tournaments.models import Entrant, Tournament, TournamentGame
from tournaments.stream import Standing, Status


@dataclass(frozen=True, slots=True)
class NoShow:
    """An entrant who is in and made no move in the last game, which was in this round."""

    entrant: Entrant
    round: int


def no_shows(tournament: Tournament, entrants: Iterable[Entrant], games: Iterable[TournamentGame]) -> list[NoShow]:
    """Those of a running tournament with rounds who missed turns and made no move, in the order of entry. One query.

    `entrants` (in that order, with their players) and `games` are all of the tournament's.
    """
    if tournament.status != Status.RUNNING or tournament.kind == "season":
        return []
    last: dict[str, TournamentGame] = {}
    ended = [game for game in games if game.outcome == "result" and game.round is not None]
    for game in sorted(ended, key=lambda game: (game.round or 0, game.number or 0)):
        last |= dict.fromkeys(game.entrants, game)
    seats = Seat.objects.filter(game__in={game.game for game in last.values()}, moved=False, resigned=False)
    away = set(seats.filter(Q(timeouts__gt=0) | Q(bot__isnull=False)).values_list("game_id", "player_id"))
    found = []
    for entrant in entrants:
        if entrant.standing != Standing.IN or entrant.player_id is None:
            continue
        played = last.get(entrant.key)
        if played is not None and played.round is not None and (played.game, entrant.player_id) in away:
            found.append(NoShow(entrant, played.round))
    return found
