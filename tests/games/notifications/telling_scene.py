"""What the tests of telling share: the news of a player, and what the other processes do meanwhile."""

import random
from typing import Any

from core.accounts.models import Player
from core.jobs import services as work
from core.notifications import services as telling
from core.notifications.models import Notification
from games.notifications.following import tell_players
from games.projections import Snapshot
from tests import notifications
from tests.games.services.service_scene import a_move, game_now, next_mover, play

CLOCK = {"per_turn": 86_400}


def news_of(player: Player, *kinds: str) -> list[dict[str, Any]]:
    """What a player was told, oldest first, after all that follows from the log."""
    tell_players.catch_up()
    work.do_all(kinds=[telling.CHANGES])
    rows = Notification.objects.filter(player=player).order_by("number")
    bodies = notifications.bodies(player, list(rows))
    return [body for body in bodies if not kinds or body["kind"] in kinds]


def told(player: Player, *kinds: str) -> list[str]:
    """The kinds of what a player was told, oldest first, but for what was only listed."""
    return [body["kind"] for body in news_of(player, *kinds) if body["channels"]["live"]["state"] == "sent"]


def local_jobs() -> int:
    """Do what is due in the queue."""
    return work.do_all().done


def move(game: Snapshot, rng: random.Random | None = None) -> Player:
    """Whose turn it is makes a move; returns the mover."""
    now = game_now(game.id)
    mover = next_mover(now)
    assert mover is not None
    chosen = a_move(now, mover, rng)
    assert chosen is not None
    play(game.id, mover, chosen)
    return mover


def handed_over(game: Snapshot) -> Player:
    """Moves are made until somebody else than the mover is to act; returns whoever that is."""
    while True:
        mover = move(game)
        awaited = next_mover(game_now(game.id))
        assert awaited is not None
        if awaited != mover:
            return awaited


def dealt(*players: Player, rng: random.Random | None = None, **asked: Any) -> Snapshot:
    """A game in which everybody has chosen the face-up cards, so that one is to move."""
    from tests.games.services.service_scene import started

    game = started(*players, **asked)
    while game_now(game.id).status == "setup":
        move(game, rng)
    return game_now(game.id)
