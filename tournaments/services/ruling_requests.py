"""Read the body of a ruling and check what can be checked without the tournament."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar
from uuid import UUID, uuid4

from core.refusals import Conflict, Invalid, NotFound
from core.text import MAX_REASON
from games.bots import BOTS
from games.selectors import games_of, row_of
from tournaments.rules.settings import MOST_STAGES
from tournaments.stream import Scored, Table, Tournament, TournamentGame, outcomes, rulings
from tournaments.stream.facts import begun_stage
from tournaments.stream.reading import ENTRANT, MOST_DIGITS, NO_ENTRANT, SHORT, Reader, bad, setting, settings_of
from tournaments.stream.ruled import RULINGS
from tournaments.stream.state import entrants_by_seat

NAMES = tuple(RULINGS)
ALL_KEYS = frozenset(key for one in RULINGS.values() for key in one.keys or ())
KEYS = ("ruling", "reason", "dry_run")
MOST_SECONDS = 366 * 86_400
MAX_NUMBER = 1_000_000
MAX_SCORE = 100_000
_ENTRANT = {"type": "string", "pattern": f"^{ENTRANT.pattern}$", "maxLength": 8}
_POINTS = {
    "oneOf": [
        {"type": "string", "pattern": f"^{SHORT.pattern}$"},
        {"type": "integer", "minimum": 1 - 10**MOST_DIGITS, "maximum": 10**MOST_DIGITS - 1},
    ]
}

D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Placed:
    """How a game ended for an entrant, as an organiser gives it."""

    entrant: str | None = setting(read=lambda read: read.entrant("entrant"), schema=_ENTRANT)
    place: int | None = setting(most=MAX_NUMBER, help="Only an absent entrant needs none.")
    score: int | None = setting(least=-MAX_SCORE, most=MAX_SCORE)
    timeouts: int | None = setting(least=0, most=MAX_SCORE, help="By default those of the game.")
    absent: bool = setting(default=False)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A requested ruling. Fields that do not belong to it are None."""

    name: str
    reason: str = setting(required=True, most=MAX_REASON)
    dry_run: bool = setting(default=False)
    game: UUID | None = setting()
    round: int | None = setting(most=MAX_NUMBER)
    table: int | None = setting(most=MAX_NUMBER)
    entrant: str | None = setting(read=lambda read: read.entrant("entrant"), schema=_ENTRANT)
    players: Sequence[Scored] = setting(
        default=(), read=lambda read: _read(read, "players", read_players, list[Scored]())
    )
    rounds: int | None = setting(most=100)
    points: Fraction = setting(
        default=Fraction(),
        read=lambda read: _read(read, "points", rulings.read_points, Fraction()),
        schema=_POINTS,
        help='A whole number, or a fraction such as "-1/2".',
    )
    player: str | None = setting(most=100)
    bot: str | None = setting(
        read=lambda read: read.choice("bot", sorted(BOTS)) or None, schema={"type": "string", "enum": sorted(BOTS)}
    )
    seconds: int = setting(default=lambda _: 0, most=MOST_SECONDS)
    stage: int | None = setting(most=MOST_STAGES, help="By default the present one.")

    @property
    def of_entrant(self) -> str:
        if self.entrant is None:
            raise bad("entrant", NO_ENTRANT)
        return self.entrant


ASKED, PLACED = settings_of(Ruling), settings_of(Placed)


def read_ruling(body: Mapping[str, Any]) -> Ruling:
    """The body of ``POST tournaments/{id}/rulings``. Raises Invalid, naming the fields at fault."""
    name = body.get("ruling")
    # The keys of an unknown ruling are read, too, so that all errors are reported at once.
    is_known = isinstance(name, str) and name in NAMES
    own = (RULINGS[str(name)].keys or ()) if is_known else sorted(ALL_KEYS & set(body))
    read = Reader(body, (*KEYS, *(own if is_known else sorted(ALL_KEYS))))
    asked = {key: one.value(read, {}) if key in own or one.read is None else one.default for key, one in ASKED.items()}
    ruling = Ruling(name=read.choice("ruling", NAMES, required=True), **asked)
    _check(ruling, read)
    read.check()
    return ruling


def _read(read: Reader, name: str, reader: Callable[[object], D], default: D) -> D:
    try:
        return reader(read.get(name))
    except Invalid as error:
        read.refuse(name, error.detail)
        return default


def _check(ruling: Ruling, read: Reader) -> None:
    if ruling.name not in RULINGS:
        return
    if ruling.entrant is None and "entrant" in (RULINGS[ruling.name].keys or ()) and ruling.name != "extend":
        read.refuse("entrant", NO_ENTRANT)
    if ruling.name == "restore" and ruling.game is None:
        read.refuse("game", "Name the game.")
    if ruling.name == "replace" and (ruling.player is None) == (ruling.bot is None):
        read.refuse("player", "Name either a player or a bot.")
    if ruling.name == "extend":
        if not ruling.seconds:
            read.refuse("seconds", f"Must be a whole number from 1 to {MOST_SECONDS}.")
        if (ruling.round is None) == (ruling.game is None):
            read.refuse("round", "Name either a round or a game.")


def read_players(raw: object) -> list[Scored]:
    """`[{"entrant", "place", "score", "timeouts", "absent"}]`, the last three optional. Raises Invalid (players).

    An absent player needs no place, and then has the last one.
    """
    if not isinstance(raw, list) or not raw:
        raise _bad("Must be a list of players, each with its entrant and place.")
    rows = [_player(one) for one in raw]
    given = [place for place, _ in rows if place is not None]
    present = [place for place, player in rows if place is not None and not player.absent]
    if outcomes.are_places(given):
        return [player if place is not None else replace(player, place=1 + len(given)) for place, player in rows]
    outcomes.check_places(present)
    # Places are counted among those who were there, so absent players come after them.
    return [replace(player, place=1 + len(present)) if player.absent else player for _, player in rows]


def _player(raw: object) -> tuple[int | None, Scored]:
    """The place as it was given, and the player."""
    if not isinstance(raw, Mapping):
        raise _bad("A player has an entrant, a place and, if known, score, timeouts and absent.")
    read = Reader(raw, tuple(PLACED))
    given = {name: one.value(read, {}) for name, one in PLACED.items()}
    if given["entrant"] is None:
        read.refuse("entrant", NO_ENTRANT)
    if given["place"] is None and not given["absent"]:
        read.refuse("place", "Only an absent entrant needs none.")
    read.check()
    return given["place"], Scored(**given | {"place": given["place"] or 0})


def _bad(detail: str) -> Invalid:
    return bad("players", detail)


def is_of_season(t: Tournament, ruling: Ruling) -> bool:
    """Return whether a result is entered that belongs to no table. Raises NotFound (no_such_stage)."""
    if ruling.name != "enter_result" or ruling.round is not None or ruling.game is not None:
        return False
    return t.plan_of(begun_stage(t, ruling.stage)).kind == "season"


def game_named(t: Tournament, ruling: Ruling) -> str:
    """The named game: by its id, or as the only one of a table. Raises NotFound, Invalid, Conflict."""
    if ruling.game is not None:
        key = str(ruling.game)
        if key in t.games or games_of(t.id).filter(pk=ruling.game).exists():
            return key
        raise NotFound("no_such_game", "The tournament has no such game.")
    games = t.games_of(table_named(t, ruling))
    found = [game.id for game in games if game.is_open] or [game.id for game in games if game.counts]
    if len(found) > 1:
        raise Invalid("invalid", "The table has several games: name one by its id.", field="game")
    if not found:
        raise Conflict("already_void", "The table has no game that could be voided.")
    return found[0]


def table_named(t: Tournament, ruling: Ruling) -> Table:
    """The named table: by round and number, or by one of its games. Raises NotFound, Invalid."""
    if ruling.game is not None:
        game = outcomes.known_game(t, str(ruling.game))
        if game.round is None or game.table is None:
            raise Invalid("invalid", "This game belongs to no table.", field="game")
        return t.tables[game.round, game.table]
    if ruling.round is None:
        raise Invalid("invalid", "Name the round.", field="round")
    if ruling.table is None:
        raise Invalid("invalid", "Name the table.", field="table")
    table = outcomes.known_table(t, ruling.round, ruling.table)
    if ruling.stage not in (None, t.stage_of(table.round)):
        raise Invalid("invalid", f"Round {table.round} is not of that stage.", field="stage")
    return table


def game_to_rule(t: Tournament, table: Table, ruling: Ruling) -> str:
    """The game that gets its result by a ruling: the named one, an open one, or a new id."""
    if ruling.game is not None:
        return str(ruling.game)
    return next((game.id for game in t.games_of(table) if game.is_open), str(uuid4()))


def entrants_at(t: Tournament, game: TournamentGame) -> Sequence[str | None]:
    """The entrants of a game by seat; for a season's room, those who sit there now."""
    if game.round is not None:
        return game.entrants
    room = row_of(UUID(game.id))
    if room is None:
        return game.entrants
    players = [seat.player_id for seat in room.seat_rows()]
    return entrants_by_seat(players, (room.belongs_to or {}).get("bots") or (), t.played_for)


def entrants_ruled_on(t: Tournament, ruling: Ruling) -> Sequence[str]:
    """The entrants at the table that a ruling is about; empty if it is not about a table. Raises NotFound, Invalid."""
    if is_of_season(t, ruling):
        return [one.entrant for one in ruling.players if one.entrant in t.entrants]
    if ruling.name in ("rule_table", "enter_result"):
        return table_named(t, ruling).entrants
    if ruling.name == "void":
        game = t.games.get(game_named(t, ruling))
    elif ruling.name == "restore" or (ruling.name == "extend" and ruling.game is not None):
        game = t.games.get(str(ruling.game))
    else:
        return ()
    return [] if game is None else [key for key in entrants_at(t, game) if key is not None]
