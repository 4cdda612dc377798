"""Opening a room."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from games import clock as service_clock
from games.accounts.models import Player
from games.bots import BOTS
from games.clocks import ClockError, complete_clock
from games.models import Game
from games.projections import create
from games.refusals import Conflict, Invalid
from games.rules import GAMES, SetupError
from games.rules.fairness import commitment
from games.services.writing import Fact, advance, append

SECRET_BYTES = 32
SALT_BYTES = 16
MAX_SALT = 64
# No letters or digits that people mistake for others; 12 of them are 60 bits.
INVITATION_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
INVITATION_LENGTH = 12


def open_room(
    player: Player,
    *,
    game: str,
    ruleset: str | None = None,
    options: Mapping[str, Any] | None = None,
    seats: int,
    visibility: str = "public",
    rated: bool = True,
    clock: Mapping[str, Any] | None = None,
    salt: str | None = None,
    bots: Sequence[str] = (),
    rematch_of: UUID | None = None,
    now: datetime | None = None,
) -> Game:
    """Open a room and sit down in it; the caller is its opener.

    A private room gets an invitation code (``Game.invitation``). `salt` is the player's own part of the shuffle (1 to
    64 characters); one is drawn where none is given.

    Raises:
        Invalid: bad game, ruleset, options, seats, visibility, rated, clock or salt; `field` names it.
        Conflict: room_limit, where the server caps the rooms of a game.
    """
    now = now or service_clock.now()
    _check_choice(game, visibility, rated)
    asked = {} if options is None else options
    chosen, complete = complete_options(game, seats, ruleset, asked)
    if len(bots) >= seats:
        raise Invalid("bad_bots", f"Beside you there is room for {seats - 1} bots.", field="bots")
    secret = secrets.token_bytes(SECRET_BYTES)
    opened = Fact(
        "opened",
        {
            "game": game,
            "ruleset": chosen,
            "options": complete,
            "asked_options": dict(asked),
            "seats": seats,
            "visibility": visibility,
            "rated": rated,
            "clock": _complete_clock(clock),
            "invitation": _invitation() if visibility == Game.Visibility.PRIVATE else None,
            "opener": str(player.pk),
            "rematch_of": str(rematch_of) if rematch_of else None,
            "secret": secret.hex(),
            "commitment": commitment(secret),
        },
    )
    facts = [opened, joined_fact(player, 0, salt), *(bot_fact(level, seat) for seat, level in enumerate(bots, 1))]
    actor = {"kind": "player", "id": str(player.pk)}
    picture, events = advance(uuid.uuid4(), None, facts, actor=actor, now=now or service_clock.now())
    with transaction.atomic():
        _check_room_limit(game)
        row = create(picture, {player.pk: player})
        append(picture.id, events)
    return row


def _check_choice(game: object, visibility: object, rated: object) -> None:
    if not isinstance(game, str) or game not in GAMES:
        raise Invalid("unknown_game", f"game must be one of {', '.join(sorted(GAMES))}.", field="game")
    if visibility not in Game.Visibility.values:
        raise Invalid("bad_visibility", "visibility must be public or private.", field="visibility")
    if not isinstance(rated, bool):
        raise Invalid("bad_rated", "rated must be true or false.", field="rated")


def _complete_clock(clock: object) -> dict[str, Any]:
    try:
        return complete_clock({} if clock is None else clock, minimum_per_turn=settings.TREY_MIN_TURN)
    except ClockError as error:
        raise Invalid("bad_clock", error.detail, field=error.field) from None


def complete_options(game: str, seats: int, ruleset: str | None, options: object) -> tuple[str, dict[str, Any]]:
    """The ruleset and all options for so many seats. Raises Invalid, with the field."""
    try:
        return GAMES[game].complete_options(seats, ruleset, options)
    except SetupError as error:
        code = "bad_" + error.field.split(".")[0]
        raise Invalid(code, error.detail, field=error.field) from None


def joined_fact(player: Player, seat: int, salt: object) -> Fact:
    """The event of a player who sits down. Raises Invalid for a salt that is none."""
    if salt is None:
        salt = secrets.token_hex(SALT_BYTES)
    elif not isinstance(salt, str) or not 1 <= len(salt) <= MAX_SALT or not salt.isprintable():
        raise Invalid("bad_salt", f"salt must be 1 to {MAX_SALT} printable characters.", field="salt")
    return Fact("joined", {"player": str(player.pk), "bot": None, "salt": salt}, seat)


def bot_fact(level: object, seat: int) -> Fact:
    """The event of a bot that sits down. Raises Invalid for a level there is not."""
    if not isinstance(level, str) or level not in BOTS:
        raise Invalid("bad_level", f"level must be one of {', '.join(sorted(BOTS))}.", field="level")
    return Fact("joined", {"player": None, "bot": {"level": level}, "salt": secrets.token_hex(SALT_BYTES)}, seat)


def _invitation() -> str:
    return "".join(secrets.choice(INVITATION_ALPHABET) for _ in range(INVITATION_LENGTH))


def _check_room_limit(game: str) -> None:
    limit = settings.TREY_ROOMS_PER_GAME
    if limit is None:
        return
    with connection.cursor() as cursor:
        # Two who open the last room at once: the second one waits and counts the first.
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('trey rooms'), hashtext(%s))", [game])
    running = Game.objects.filter(game=game).exclude(status__in=("finished", "cancelled")).count()
    if running >= limit:
        raise Conflict("room_limit", f"This server has room for {limit} games of {GAMES[game].title} at a time.")
