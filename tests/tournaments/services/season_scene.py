"""A season whose own rooms are really played: people and bots that are entrants make legal moves."""

from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

from core import log
from core.accounts.models import Player
from games import services as games
from games.bots.listing import any_of
from games.models import Game
from games.projections import GAME, Snapshot
from games.rules import GAMES
from tests.scenes import done_at
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club


def season(club: Club, **asked: Any) -> Club:
    """A running season of the club, which closes in ten days."""
    closes = club.now + timedelta(days=10)
    return club.start(**{"kind": "season", "closes_at": closes.isoformat(), **asked})


def room_of(club: Club, *people: Player, bots: tuple[str, ...] = (), seats: int | None = None) -> UUID:
    """The first of these people opens a room of the season, with these entrants that are bots; the others join."""
    first, *others = people
    wanted = seats or len(people) + len(bots)
    room = services.open_game(club.id, first, seats=wanted, bots=bots, now=club.now)
    for player in others:
        done_at(club.now, games.join, room.id, player)
    return room.id


def state_of(game: UUID) -> Snapshot:
    found = GAME.load(game, log.Lock.NONE)
    assert found is not None
    return found


def play(club: Club, game: UUID, moves: int) -> int:
    """So many legal moves, of people and bots alike; returns how many were made before the game ended."""
    chance, made = Random(1), 0
    rules = GAMES[Game.objects.get(pk=game).game]
    while made < moves:
        now = state_of(game)
        if now.state is None or rules.status(now.state) == "finished":
            break
        seat = rules.to_act(now.state)[0]
        player = now.players[seat].player
        if player is None:
            club.now += timedelta(minutes=1)  # a bot takes its time
            assert done_at(club.now, games.play_bots, game)
        else:
            move = any_of(chance.choice(rules.legal_moves(now.state, seat)), chance)
            games.play(game, Player.objects.get(pk=player), move, now=club.now)
        made += 1
    return made
