"""Opening a room as a player."""

import secrets
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.refusals import Conflict, Invalid
from games import belonging
from games.models import Game
from games.projections import GAME, Snapshot
from games.projections import vocabulary as stored
from games.rules import GAMES
from games.rules.fairness import commitment
from games.services.allowances import check_bots, check_games
from games.services.commands import decided, existing
from games.services.seating import bot_joined, player_joined
from games.services.terms import Terms

SECRET_BYTES = 32
# No letters or digits that people mistake for others; 12 of them are 60 bits.
_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_LENGTH = 12


def open_room(
    player: Player,
    *,
    game: str,
    ruleset: str | None = None,
    options: Mapping[str, Any] | None = None,
    seats: int,
    visibility: str = "public",
    rated: bool = True,
    plans: bool = True,
    clock: Mapping[str, Any] | None = None,
    salt: str | None = None,
    bots: Sequence[str] = (),
    bot_salts: Sequence[str] = (),
    rematch_of: UUID | None = None,
    belongs_to: Mapping[str, Any] | None = None,
    game_id: UUID | None = None,
    secret: bytes | None = None,
    now: datetime | None = None,
) -> Snapshot:
    """Open a room and sit down in it; the caller is its opener.

    A private room gets an invitation code (`Snapshot.invitation`). `salt` is the player's own part of the shuffle (1 to
    64 characters), by default a random one. `belongs_to` is for a tournament's room (`{"tournament", "round", "table",
    "number"}`; the last three may be null): the tournament decides who may join it, and gives the room's id, the secret
    of its shuffles and the salts of its bots, which are otherwise drawn.

    Raises:
        Invalid: naming every field at fault: game, ruleset, options, seats, visibility, rated, plans, clock; or bots or
            salt.
        Forbidden: a room of a tournament in which the player does not take part.
        Conflict: room_limit, if the server caps the rooms of a game.
        TooMany: game_limit, bot_limit of this player.
    """
    terms = Terms(game, seats, ruleset, options, visibility, rated, clock, plans)
    first = opened(terms, opener=player, rematch_of=rematch_of, belongs_to=belongs_to, secret=secret)
    at, actor, room = now or service_clock.now(), log.Actor("player", str(player.pk)), game_id or uuid.uuid4()
    if belongs_to is not None:
        salt = belonging.owner().admit(belongs_to, room, player) or salt
    if len(bots) >= seats:
        fit = "1 bot fits" if seats == 2 else f"{seats - 1} bots fit"
        raise Invalid("bad_bots", f"At most {fit}.", field="bots")
    events = [
        first,
        player_joined(player, 0, salt, rated=rated),
        *(bot_joined(level, seat, salt) for seat, (level, salt) in enumerate(zip_longest(bots, bot_salts), 1)),
    ]

    def decide(before: Snapshot | None) -> log.Decided[None]:
        return decided(room, before, events, None, actor=actor, now=at, accounts=[player])

    with transaction.atomic():
        check_games(player)
        check_bots(player, len(bots))
        _check_room_limit(game)
        return existing(log.execute(GAME, room, decide, actor=actor, now=at).after)


def opened(
    terms: Terms,
    *,
    opener: Player | None,
    rematch_of: UUID | None = None,
    belongs_to: Mapping[str, Any] | None = None,
    secret: bytes | None = None,
) -> log.NewEvent:
    """The first event of a room; its secret is drawn unless given. Raises Invalid, naming every field at fault."""
    terms.check()
    ruleset, options = terms.complete_options()
    secret = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
    return log.NewEvent(
        stored.OPENED,
        {
            "game": terms.game,
            "ruleset": ruleset,
            "options": options,
            "asked_options": dict(terms.asked_options),
            "seats": terms.seats,
            "visibility": terms.visibility,
            "rated": terms.rated,
            "plans": terms.plans,
            "clock": terms.complete_clock(),
            "invitation": new_invitation() if terms.visibility == Game.Visibility.PRIVATE else None,
            "opener": str(opener.pk) if opener is not None else None,
            "rematch_of": str(rematch_of) if rematch_of else None,
            "belongs_to": dict(belongs_to) if belongs_to is not None else None,
            "secret": secret.hex(),
            "commitment": commitment(secret),
        },
    )


def new_invitation() -> str:
    """A code that lets people into a private room or tournament."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def _check_room_limit(game: str) -> None:
    limit = settings.TREY_ROOMS_PER_GAME
    if limit is None:
        return
    with connection.cursor() as cursor:
        # Of two concurrent calls, the second waits and counts the first one's room.
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('trey rooms'), hashtext(%s))", [game])
    running = Game.objects.filter(game=game).exclude(status__in=("finished", "cancelled")).count()
    if running >= limit:
        raise Conflict("room_limit", f"This server has room for {limit} games of {GAMES[game].title} at a time.")
