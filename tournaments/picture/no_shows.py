"""Entrants who did not turn up for their present or last game, and are still in."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from games.selectors import SeatRow, seats_at
from tournaments.models import Entrant, Tournament, TournamentGame
from tournaments.stream import Standing, Status


@dataclass(frozen=True, slots=True)
class NoShow:
    """An entrant who is in and made no move in the game of this round, which may still run."""

    entrant: Entrant
    round: int
    runs: bool

    @property
    def who(self) -> str:
        name = self.entrant.player.username if self.entrant.player else "a deleted player"
        return f"{name} ({self.entrant.key})"

    @property
    def happened(self) -> str:
        return f"made no move {'so far ' if self.runs else ''}in round {self.round}"


def no_shows(tournaments: Iterable[Tournament], games: Iterable[TournamentGame]) -> list[NoShow]:
    """Those of running tournaments with rounds who missed turns and made no move, in the order of entry.

    `games` are those of the tournaments, or the newest of those that have a result or may still get one. At most two
    queries. An entrant who made a move in a newer game did turn up; a newer game that waits for nobody yet says
    nothing.
    """
    rounds = {one.pk for one in tournaments if one.status == Status.RUNNING and one.kind != "season"}
    sat = _sat_in(game for game in games if game.tournament_id in rounds)
    if not sat:
        return []
    rows = seats_at({game.game for found in sat.values() for game in found}).filter(player__isnull=False)
    seats = {(seat.game_id, seat.player_id): seat for seat in rows.only(*_SEAT)}
    away = {player for (_, player), seat in seats.items() if _is_away(seat)}
    if not away:
        return []
    entrants = Entrant.objects.filter(tournament__in=rounds, player__in=away, standing=Standing.IN)
    found = []
    for entrant in entrants.select_related("player").order_by("tournament", "number"):
        mine = [
            (game, seats.get((game.game, entrant.player_id)))
            for game in sat.get((entrant.tournament_id, entrant.key), ())
        ]
        says = next(((game, seat) for game, seat in mine if seat and (seat.moved or _is_away(seat))), None)
        if says is not None and _is_away(says[1]):
            found.append(NoShow(entrant, says[0].round or 0, says[0].outcome == "open"))
    return found


def _sat_in(games: Iterable[TournamentGame]) -> Mapping[tuple[UUID, str], Sequence[TournamentGame]]:
    """The open games and the last one with a result of each entrant, by tournament and key, newest first."""
    sat: defaultdict[tuple[UUID, str], list[TournamentGame]] = defaultdict(list)
    for game in sorted(games, key=lambda game: (game.round or 0, game.number or 0), reverse=True):
        if game.round is None or game.outcome not in ("open", "result"):
            continue
        for key in game.entrants:
            found = sat[game.tournament_id, key]
            if not found or found[-1].outcome == "open":
                found.append(game)
    return sat


_SEAT = ("game_id", "player_id", "moved", "resigned", "timeouts", "bot")


def _is_away(seat: SeatRow) -> bool:
    return not seat.moved and not seat.resigned and (seat.timeouts > 0 or seat.bot is not None)
