"""The bodies that clients ask for most, as plain functions.

Nothing is sent that is not named here. The serializers document the bodies in the OpenAPI schema, and tests hold each
body against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from games import belonging, selectors
from games.access import may_know, may_watch
from games.clocks import clock_schema
from games.models import Game
from games.platform.accounts.models import Player
from games.platform.http import bodies
from games.platform.http.addresses import live_url
from games.platform.http.conditional import etag_of
from games.projections import Snapshot, load_all
from games.services import Played

CLOCK_KEYS = tuple(clock_schema()["properties"])

#: Raise it when a release makes another body out of the same version of a game: then a client's tags of before are no
#: longer true. Releases with the same number take each other's tags, and may run side by side.
SHAPE = 1

Body = dict[str, Any]


class PlayerRefBody(bodies.Body):
    """A player, as others see them."""

    id: UUID
    username: Annotated[str | None, bodies.doc("null if the account was closed.")]


def game_body(game: Snapshot, player: Player | None, parts: Body | None = None) -> Body:
    """A room or a game, as the player (None: anybody) may see it; `parts` is what is `changeable`."""
    parts = changeable(game) if parts is None else parts
    seats, your_seat = list(enumerate(game.players)), game.seat_of(player)
    opener = (index for index, seat in seats if game.opener is not None and seat.player == game.opener)
    return {
        "id": game.id,
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
        "to_act": [index for index, seat in seats if seat.duty is not None],
        "deadlines": parts["deadlines"],
        "deadline_at": min(parts["deadlines"].values(), default=None),
        "timeouts": {str(index): seat.timeouts for index, seat in seats if seat.timeouts},
        "rated": game.rated,
        "plans": game.plans,
        "clock": {key: game.clock[key] for key in CLOCK_KEYS},
        "live_url": parts["live_url"],
        "invitation": game.invitation if your_seat is not None else None,
        "channels": [channel["service"] for channel in game.channels],
        "rematch_of": game.rematch_of,
        "tournament": parts["tournament"],
        "opened_at": game.opened_at,
        "moved_at": game.moved_at,
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "view": selectors.view_of(game, player),
    }


def game_bodies(listed: Sequence[Game], player: Player) -> list[Body]:
    """The same for the games of several rows."""
    games = load_all([row.id for row in listed])
    # Since it was listed a game without spectators may have been dealt, or the player may have left a private room.
    return bodies_of([game for game in games if may_know(game, player) and may_watch(game, player)], player)


def bodies_of(games: Sequence[Snapshot], player: Player) -> list[Body]:
    """The same for games that the player may see. The owner of tournaments is asked once for all."""
    tournaments = belonging.described(games)
    return [game_body(game, player, _changeable(game, tournaments.get(game.id))) for game in games]


def played_body(played: Played, player: Player) -> Body:
    """A move that was applied: its events, and the game after it."""
    return {
        "version": played.version,
        "events": selectors.redacted(player, played.game, played.events),
        "game": game_body(played.game, player),
    }


def changeable(game: Snapshot) -> Body:
    """Those parts of a game's body that can change while its version stays: names, outages, what it belongs to."""
    return _changeable(game, belonging.described([game]).get(game.id))


def game_etag(game: Mapping[str, Any], player: Player) -> str:
    """The strong ETag of a game's body for a player, `"v17-<digest>"`.

    `game` is the body, or as much of it as this takes: `version` and what is `changeable`. The rest of a body follows
    from these, from the player and from the shape.
    """
    parts = {key: game[key] for key in ("version", *CHANGEABLE)}
    return etag_of(game["version"], {**parts, "viewer": player.pk, "shape": SHAPE})


CHANGEABLE = ("players", "deadlines", "live_url", "tournament")


def _changeable(game: Snapshot, tournament: Mapping[str, Any] | None) -> Body:
    deadlines = selectors.deadlines(game)
    return {
        "version": game.version,
        "players": [_seat(game, index) for index in range(len(game.players))],
        "deadlines": {str(seat): due for seat, due in deadlines.items()},
        "live_url": live_url(f"games/{game.id}/live"),
        "tournament": tournament,
    }


def _seat(game: Snapshot, index: int) -> Body:
    seat, player = game.players[index], None
    if seat.player is not None:
        account = game.account_of(seat)
        player = {"id": seat.player, "username": account.username if account is not None else None}
    bot = {"level": seat.bot["level"]} if seat.bot is not None else None
    return {"seat": index, "player": player, "bot": bot}
