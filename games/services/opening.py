"""Opening a room as a player, and how many rooms, games and bots one may have at once; opening a tournament's tables.

Rooms and running games count for their opener. Tables opened by a tournament's runner have no opener and are not
limited (LI6).
"""

import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.refusals import Conflict, Invalid, TooMany
from core.rows import execute
from games.events import Opened
from games.models import Game, Seat
from games.projections import GAME, Snapshot
from games.rules import PLAYED
from games.rules.fairness import commitment
from games.selectors import belonging
from games.services.commands import decided, evolved, existing, wake_server
from games.services.seating import bot_joined, deal, player_joined
from games.services.terms import Terms

SECRET_BYTES = 32
# No letters or digits that people mistake for others; 12 of them are 60 bits.
_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_LENGTH = 12
RETRY = {"Retry-After": "60"}


def open_room(
    player: Player,
    terms: Terms,
    *,
    salt: str | None = None,
    bots: Sequence[str | None] = (),
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

    Raises Invalid (naming every field of the terms at fault; bots, salt), Forbidden (not_an_entrant of its tournament),
    Conflict (room_limit, if the server caps the rooms of a game), TooMany (game_limit, bot_limit of this player).
    """
    first = opened(terms, opener=player, rematch_of=rematch_of, belongs_to=belongs_to, secret=secret)
    at, actor, room = now or service_clock.now(), log.Actor("player", str(player.pk)), game_id or uuid.uuid4()
    if belongs_to is not None:
        salt = belonging.owner().admit(belongs_to, room, player) or salt
    if len(bots) >= terms.seats:
        fit = "1 bot fits" if terms.seats == 2 else f"{terms.seats - 1} bots fit"
        raise Invalid("bad_bots", f"At most {fit}.", field="bots")
    events = [
        first,
        player_joined(player, 0, salt, rated=terms.counts),
        *(
            bot_joined(terms.game, level, seat, salt)
            for seat, (level, salt) in enumerate(zip_longest(bots, bot_salts), 1)
        ),
    ]

    def decide(before: Snapshot | None) -> log.Decided[None]:
        return decided(room, before, events, None, actor=actor, now=at, accounts=[player])

    with transaction.atomic():
        check_games(player)
        check_bots(player, len(bots))
        _check_room_limit(terms.game)
        return existing(log.execute(GAME, room, decide, actor=actor, now=at).after)


def opened(
    terms: Terms,
    *,
    opener: Player | None,
    rematch_of: UUID | None = None,
    belongs_to: Mapping[str, Any] | None = None,
    secret: bytes | None = None,
) -> log.NewEvent:
    secret = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
    return log.NewEvent(
        Opened.type,
        {
            **terms.complete(),
            "game": terms.game,
            "rated": terms.counts,
            "plans": terms.plans,
            "invitation": new_invitation() if terms.visibility == Game.Visibility.PRIVATE else None,
            "opener": str(opener.pk) if opener is not None else None,
            "rematch_of": str(rematch_of) if rematch_of else None,
            "belongs_to": dict(belongs_to) if belongs_to is not None else None,
            "secret": secret.hex(),
            "commitment": commitment(secret),
        },
    )


def new_invitation() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def _check_room_limit(game: str) -> None:
    limit = settings.TREY_LIMITS["rooms_per_game"]
    if limit is None:
        return
    # Of two concurrent calls, the second waits and counts the first one's room.
    execute("SELECT pg_advisory_xact_lock(hashtext('trey rooms'), hashtext(%s))", [game])
    running = Game.objects.filter(game=game).exclude(status__in=("finished", "cancelled")).count()
    if running >= limit:
        raise Conflict("room_limit", f"This server has room for {limit} games of {PLAYED[game].title} at a time.")


def check_games(player: Player) -> None:
    """Raises TooMany (game_limit) unless the player may open one more. Call it in the transaction that opens it."""
    limit = settings.TREY_LIMITS["games_per_player"]
    if limit is None:
        return
    _one_at_a_time(player)
    if _unfinished(player).count() >= limit:
        detail = f"You have {limit} open tables and running games, which is the limit. Finish or cancel one first."
        raise TooMany("game_limit", detail, headers=RETRY)


def check_bots(player: Player, more: int = 1) -> None:
    """Raises TooMany (bot_limit) unless that many more bots may sit. Call it in the transaction that seats them."""
    limit = settings.TREY_LIMITS["bots_per_player"]
    if limit is None or more == 0:
        return
    _one_at_a_time(player)
    playing = Seat.objects.filter(game__in=_unfinished(player), player__isnull=True, bot__isnull=False).count()
    if playing + more > limit:
        detail = f"You can have at most {limit} bots in your unfinished games at once. You have {playing}."
        raise TooMany("bot_limit", detail, headers=RETRY)


def _unfinished(player: Player) -> QuerySet[Game]:
    # Through the seats, which have an index by player.
    games = Game.objects.filter(players__player=player, opener=player)
    return games.exclude(status__in=(Game.Status.FINISHED, Game.Status.CANCELLED))


def _one_at_a_time(player: Player) -> None:
    # Of two concurrent calls, the second waits and counts what the first opened.
    execute("SELECT pg_advisory_xact_lock(hashtext('trey player'), hashtext(%s))", [str(player.pk)])


@dataclass(frozen=True, slots=True)
class Entry:
    player: Player | None = None
    bot: str | None = None
    salt: str | None = None


def open_table(
    game_id: UUID,
    entries: Sequence[Entry],
    terms: Terms,
    *,
    actor: log.Actor,
    belongs_to: Mapping[str, Any] | None = None,
    secret: bytes | None = None,
    now: datetime | None = None,
) -> Snapshot:
    """Open and start a game under a given id, with these entries in the order of their seats.

    It has no opener. Safe to repeat: a caller that was killed and tries again gets the game it opened, in its present
    state. `belongs_to` is `{"tournament": id, "round", "table", "number"}`; players cannot call such a game off. A
    table with a bot or a guest is not rated. Its shuffles come from `secret`, or from one that is drawn.

    Raises Invalid (bad terms or salt, not an entry for each seat, the same player twice), Conflict (too_few_players).
    """
    at = now or service_clock.now()
    people = [entry.player for entry in entries if entry.player is not None]
    counts = terms.counts and len(people) == len(entries) and not any(player.is_guest for player in people)
    if len(entries) != terms.seats:
        raise Invalid("bad_entries", "Give one entry for each seat.", field="entries")
    if len({player.pk for player in people}) != len(people):
        raise Invalid("bad_entries", "A player can sit down only once.", field="entries")

    def decide(snapshot: Snapshot | None) -> log.Decided[None]:
        if snapshot is not None:
            return log.Decided((), None)
        events = [opened(terms, opener=None, belongs_to=belongs_to, secret=secret)]
        events += [_joined(terms.game, entry, seat, rated=counts) for seat, entry in enumerate(entries)]
        events += deal(evolved(game_id, None, events, at))
        return decided(game_id, None, events, None, actor=actor, now=at, accounts=people)

    executed = log.execute(GAME, game_id, decide, actor=actor, now=at)
    wake_server(executed)
    return existing(executed.after)


def _joined(game: str, entry: Entry, seat: int, *, rated: bool) -> log.NewEvent:
    if (entry.player is None) == (entry.bot is None):
        raise Invalid("bad_entries", "Each entry must be either a player or a bot.", field="entries")
    if entry.player is not None:
        return player_joined(entry.player, seat, entry.salt, rated=rated)
    return bot_joined(game, entry.bot, seat, entry.salt)
