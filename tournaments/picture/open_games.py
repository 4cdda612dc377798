"""Rounds, their tables and games, the entrants each one waits for, and those who did not turn up."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from games import selectors as games
from games.selectors import SeatRow, seats_at
from tournaments import selectors
from tournaments.models import Entrant, Tournament, TournamentGame
from tournaments.stream import Standing, Status
from tournaments.stream.state import entrants_by_seat


@dataclass(frozen=True, slots=True)
class Awaited:
    entrant: str
    since: datetime | None
    until: datetime | None
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class GameNow:
    """A game of the tournament, now.

    `status`: pending (not opened yet), open (a room), running, counted, voided, or without_result, which includes games
    that end, or would be opened, after their tournament.
    """

    row: TournamentGame
    status: str
    game: games.GameRow | None
    entrants: Sequence[str]
    """The entrants who play: at a table in the order of seats, in a season's room those who have sat down so far."""
    awaited: Sequence[Awaited] = ()
    left_to_bots: Sequence[str] = ()
    """The entrants for whom a bot plays, though somebody sits there."""
    beyond_same_table: bool = False
    """True if it does not count although it is `counted`: there are enough among the same entrants (PT5)."""
    corrected_by: TournamentGame | None = None
    """The result that stands in its place, in what `tables.corrected` made."""


def games_now(tournament: Tournament, rows: Sequence[TournamentGame]) -> list[GameNow]:
    """Games of a tournament with their entrants and those they wait for. Four queries, in a season five.

    If the tournament has the setting `same_table`, these and the reckoning, which is cached.
    """
    # A season's room has no entrants in its row before its result.
    wanted = [row.game for row in rows if row.outcome == "open" or not row.state.entrants]
    found: dict[UUID, games.GameRow] = {game.pk: game for game in games.awaited(wanted)} if wanted else {}
    outages = games.outages_for(found.values())
    rooms = [found[row.game] for row in rows if not row.state.entrants and row.game in found]
    sitting = _sitting(tournament, rooms)
    takes_results = tournament.status == Status.RUNNING
    limited = any(stage["settings"].get("same_table") is not None for stage in tournament.state.plan.all_stages)
    with_result = limited and any(row.outcome == "result" for row in rows)
    beyond = selectors.reckoning_for(tournament).beyond_same_table if with_result else ()
    return [
        _game_now(
            row,
            found.get(row.game),
            sitting.get(row.game, row.state.entrants),
            outages,
            takes_results=takes_results,
            beyond_same_table=str(row.game) in beyond,
        )
        for row in rows
    ]


def _sitting(tournament: Tournament, rooms: Sequence[games.GameRow]) -> dict[UUID, list[str | None]]:
    if not rooms:
        return {}
    entrants = list(Entrant.objects.filter(tournament=tournament).order_by("number"))
    keys = {player: one.key for one in entrants for player in one.former}
    keys |= {one.player_id: one.key for one in entrants if one.player_id is not None}
    return {
        room.pk: entrants_by_seat(
            [seat.player_id for seat in room.seat_rows()], (room.belongs_to or {}).get("bots") or (), keys.get
        )
        for room in rooms
    }


_GAME_OVER = ("finished", "cancelled")
_OVER: Mapping[str, str] = {"result": "counted", "void": "voided", "none": "without_result"}


def _game_now(
    row: TournamentGame,
    game: games.GameRow | None,
    seats: Sequence[str | None],
    outages: Sequence[tuple[datetime, datetime]],
    *,
    takes_results: bool,
    beyond_same_table: bool,
) -> GameNow:
    entrants = [key for key in seats if key is not None]
    if row.outcome != "open":
        return GameNow(row, _OVER[row.outcome], game, entrants, beyond_same_table=beyond_same_table)
    if not takes_results and (game is None or game.status in _GAME_OVER):
        return GameNow(row, "without_result", game, entrants)
    if game is None or game.status == "open":
        return GameNow(row, "open" if game else "pending", game, entrants)
    return GameNow(row, "running", game, entrants, _awaited(seats, game, outages), _left_to_bots(seats, game))


def _left_to_bots(seats: Sequence[str | None], game: games.GameRow) -> list[str]:
    sitting = zip(seats, game.seat_rows(), strict=False)
    return [
        entrant
        for entrant, seat in sitting
        if entrant is not None and seat.player_id is not None and seat.bot is not None and not seat.resigned
    ]


def _awaited(
    seats: Sequence[str | None], game: games.GameRow, outages: Sequence[tuple[datetime, datetime]]
) -> list[Awaited]:
    found = []
    for seat in game.seat_rows():
        entrant = seats[seat.index] if seat.index < len(seats) else None
        if seat.to_act and entrant is not None:
            until = games.deadline_of(game.clock, seat, outages)
            found.append(Awaited(entrant, seat.duty_since, until, seat.bot is not None))
    return found


@dataclass(frozen=True, slots=True)
class NoShow:
    """An entrant who is in and made no move in the game of this round, which may still run."""

    entrant: Entrant
    round: str
    runs: bool

    @property
    def who(self) -> str:
        name = self.entrant.player.username if self.entrant.player else "a deleted player"
        return f"{name} ({self.entrant.key})"

    @property
    def happened(self) -> str:
        return f"made no move {'so far ' if self.runs else ''}in {self.round}"


def no_shows(tournaments: Iterable[Tournament], games: Iterable[TournamentGame]) -> list[NoShow]:
    """Those of running tournaments with rounds who missed turns and made no move, in the order of entry.

    `games` are those of the tournaments, or the newest of those that have a result or may still get one. At most two
    queries. An entrant who made a move in a newer game did turn up; a newer game that waits for nobody yet says
    nothing.
    """
    rounds = {one.pk: one for one in tournaments if one.status == Status.RUNNING and one.kind != "season"}
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
            where = rounds[entrant.tournament_id].state.round_name(says[0].round or 0)
            found.append(NoShow(entrant, where, says[0].outcome == "open"))
    return found


def _sat_in(games: Iterable[TournamentGame]) -> Mapping[tuple[UUID, str], Sequence[TournamentGame]]:
    """The open games and the last one with a result of each entrant, by tournament and key, newest first."""
    sat: defaultdict[tuple[UUID, str], list[TournamentGame]] = defaultdict(list)
    for game in sorted(games, key=lambda game: (game.round or 0, game.number or 0), reverse=True):
        if game.round is None or game.outcome not in ("open", "result"):
            continue
        for key in game.state.entrants:
            found = sat[game.tournament_id, key]
            if not found or found[-1].outcome == "open":
                found.append(game)
    return sat


_SEAT = ("game_id", "player_id", "moved", "resigned", "timeouts", "bot")


def _is_away(seat: SeatRow) -> bool:
    return not seat.moved and not seat.resigned and (seat.timeouts > 0 or seat.bot is not None)
