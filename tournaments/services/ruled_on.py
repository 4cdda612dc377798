"""What a ruling is about: its game, its table, its entrants."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from core.refusals import Conflict, Invalid, NotFound
from games.selectors import games_of, row_of
from tournaments.stream import Table, Tournament, TournamentGame, outcomes
from tournaments.stream.asked import Asked
from tournaments.stream.facts import begun_stage
from tournaments.stream.state import entrants_by_seat


def is_of_season(t: Tournament, ruling: Asked) -> bool:
    """Return whether a result is entered that belongs to no table. Raises NotFound (no_such_stage)."""
    if ruling.name != "enter_result" or ruling.round is not None or ruling.game is not None:
        return False
    return t.plan_of(begun_stage(t, ruling.stage)).kind == "season"


def game_named(t: Tournament, ruling: Asked) -> str:
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


def table_named(t: Tournament, ruling: Asked) -> Table:
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


def game_to_rule(t: Tournament, table: Table, ruling: Asked) -> str:
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


def entrants_ruled_on(t: Tournament, ruling: Asked) -> Sequence[str]:
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
