"""The game or table that a ruling names."""

from __future__ import annotations

from uuid import uuid4

from games.models import Game
from games.refusals import Conflict, Invalid, NotFound
from tournaments.services.asked import Ruling
from tournaments.stream import Table, Tournament, outcomes


def game_named(t: Tournament, ruling: Ruling) -> str:
    """The named game: by its id, or as the only one of a table. Raises NotFound, Invalid, Conflict."""
    if ruling.game is not None:
        key = str(ruling.game)
        if key in t.games or Game.objects.filter(pk=ruling.game, tournament=t.id).exists():
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
    return outcomes.known_table(t, ruling.round, ruling.table)


def game_to_rule(t: Tournament, table: Table, ruling: Ruling) -> str:
    """The game that gets its result by a ruling: the named one, an open one, or a new id."""
    if ruling.game is not None:
        return str(ruling.game)
    return next((game.id for game in t.games_of(table) if game.is_open), str(uuid4()))
