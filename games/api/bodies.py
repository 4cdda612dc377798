"""The bodies that clients ask for most, as plain functions.

Nothing is sent that is not named here. The serializers document the bodies in the OpenAPI schema, and tests hold each
body against it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.core.exceptions import ObjectDoesNotExist

import games
from games import belonging, selectors
from games.accounts.models import Player
from games.clocks import clock_schema
from games.clocks.calendar import Interval
from games.http.conditional import etag_of
from games.models import Game, Seat
from games.services import Played

CLOCK_KEYS = tuple(clock_schema()["properties"])

Body = dict[str, Any]


def game_body(game: Game, player: Player, parts: Body | None = None) -> Body:
    """A room or a game (seats and their players loaded), as the player may see it; `parts` is what is `changeable`."""
    parts = changeable(game) if parts is None else parts
    seats, your_seat = game.seat_rows(), game.seat_of(player)
    opener = (seat.index for seat in seats if game.opener_id is not None and seat.player_id == game.opener_id)
    return {
        "id": game.pk,
        "game": game.game,
        "ruleset": game.ruleset,
        # The database gives keys in an order of its own, and a strong ETag means bytes.
        "options": dict(sorted(game.options.items())),
        "visibility": game.visibility,
        "status": game.status,
        "seats": game.seats,
        "players": parts["players"],
        "your_seat": your_seat,
        "opener": next(opener, None),
        "version": game.version,
        "to_act": [seat.index for seat in seats if seat.to_act],
        "deadlines": parts["deadlines"],
        "deadline_at": min(parts["deadlines"].values(), default=None),
        "timeouts": {str(seat.index): seat.timeouts for seat in seats if seat.timeouts},
        "rated": game.rated,
        "clock": {key: game.clock[key] for key in CLOCK_KEYS},
        "live_url": parts["live_url"],
        "invitation": game.invitation if your_seat is not None else None,
        "rematch_of": game.rematch_of_id,
        "tournament": parts["tournament"],
        "opened_at": game.opened_at,
        "moved_at": game.moved_at,
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "view": selectors.view_of(game, player),
    }


def game_bodies(listed: Sequence[Game], player: Player) -> list[Body]:
    """The same for several; what does not come with their rows is looked up once for all."""
    outages, tournaments = selectors.outages_for(listed), belonging.described(listed)
    return [game_body(game, player, _changeable(game, outages, tournaments.get(game.pk))) for game in listed]


def played_body(played: Played, player: Player) -> Body:
    """A move that was applied: its events, and the game after it."""
    return {
        "version": played.version,
        "events": selectors.redacted(player, played.game, played.events),
        "game": game_body(played.game, player),
    }


def changeable(game: Game) -> Body:
    """Those parts of a game's body that can change while its version stays: names, outages, what it belongs to."""
    return _changeable(game, selectors.outages_for([game]), belonging.described([game]).get(game.pk))


def game_etag(game: Mapping[str, Any], player: Player) -> str:
    """The strong ETag of a game's body for a player, `"v17-<digest>"`.

    `game` is the body, or as much of it as this takes: `version` and what is `changeable`. The rest of a body follows
    from these, from the player and from the code.
    """
    parts = {key: game[key] for key in ("version", *CHANGEABLE)}
    return etag_of({**parts, "viewer": player.pk, "code": _code()})


CHANGEABLE = ("players", "deadlines", "live_url", "tournament")


def _changeable(game: Game, outages: Sequence[Interval], tournament: Mapping[str, Any] | None) -> Body:
    deadlines = selectors.deadlines(game, outages)
    return {
        "version": game.version,
        "players": [_seat(seat) for seat in game.seat_rows()],
        "deadlines": {str(seat): due for seat, due in deadlines.items()},
        "live_url": None,
        "tournament": tournament,
    }


def _seat(seat: Seat) -> Body:
    bot = {"level": seat.bot["level"]} if seat.bot is not None else None
    return {"seat": seat.index, "player": _player(seat), "bot": bot}


def _player(seat: Seat) -> Body | None:
    if seat.player_id is None:
        return None
    try:
        player = seat.player
    except ObjectDoesNotExist:
        player = None
    return {"id": seat.player_id, "username": player.username if player is not None else None}


@cache
def _code() -> str:
    """A digest of the games' source: another release may make another body out of the same version."""
    files = sorted(Path(games.__path__[0]).rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
