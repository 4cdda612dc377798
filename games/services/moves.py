"""Playing a move: by a person, a bot, a clock that ran out, or an organiser, all the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID, uuid4

from games import clock as service_clock
from games.access import may_know
from games.accounts.models import Player
from games.models import Game
from games.projections import Picture
from games.refusals import Conflict, Forbidden, Illegal, Invalid, NotFound, Refused, Stale
from games.rules import GAMES, IllegalMove, MalformedMove
from games.rules.fairness import Chance
from games.services.idempotency import Claim
from games.services.writing import Fact, Stamped, Written, change

RACE_LOST = "race_lost"
RESIGN = {"move": "resign"}
BOT_PLAYS = "A bot plays for you: take your seat back first."


@dataclass(frozen=True, slots=True)
class Cause:
    """Who is behind a move: kept in the events' meta as ``actor``.

    ``forced``: the server, for a player (`id`) who had no other move and wants such ones made at once.
    """

    kind: Literal["player", "forced", "bot", "timeout", "organiser"]
    id: str | None = None
    reason: str | None = None

    def as_meta(self) -> dict[str, Any]:
        """As an event's meta keeps it."""
        meta: dict[str, Any] = {"kind": self.kind}
        if self.id is not None:
            meta["id"] = self.id
        if self.reason is not None:
            meta["reason"] = self.reason
        return meta


@dataclass(frozen=True, slots=True)
class Played:
    """A move that was applied: the game after it (seats and their players loaded) and its events, oldest first."""

    game: Game
    seat: int
    events: Sequence[Stamped]

    @property
    def version(self) -> int:
        """The game's version after the move."""
        return self.game.version


@dataclass(frozen=True, slots=True)
class Outcome:
    """What to answer: `body` is what `answer` made of the move, or what was stored when the key came first."""

    status: int
    body: Any
    replayed: bool


def play(
    game_id: UUID,
    player: Player | None,
    move: Any,
    *,
    answer: Callable[[Played], Any],
    key: str | None = None,
    if_version: int | None = None,
    seat: int | None = None,
    cause: Cause | None = None,
    command_id: UUID | None = None,
    now: datetime | None = None,
) -> Outcome:
    """Play one move, once.

    `answer` makes the body of the answer (plain JSON data) inside the transaction; with a `key` it is stored with the
    move, and the same key with the same move gives it again for 30 days. `seat` plays for a seat without its player
    (bots, timeouts, organisers), with a `cause`. `command_id` is the log's id of a command that comes without a key.

    Raises:
        NotFound, Forbidden (not_a_player), Stale (if_version), Conflict (not_started, game_cancelled, race_lost,
        bot_plays),
        Invalid (malformed, or a bad key), Illegal (the rules' code), KeyReused.
    """
    if player is None and (seat is None or cause is None):
        raise TypeError("a move without a player needs its seat and its cause")
    now = now or service_clock.now()
    actor = cause or Cause("player", str(player.pk) if player else None)
    claim = Claim(player, game_id, key, move, now) if key is not None and player is not None else None

    def decide(game: Game, picture: Picture) -> Sequence[Fact]:
        mover = _mover(game, player, seat)
        if if_version is not None and if_version != picture.version:
            raise Stale("stale_version", f"The game is at version {picture.version} by now, not at {if_version}.")
        if player is not None and move != RESIGN and picture.players[mover].bot is not None:
            raise Conflict("bot_plays", BOT_PLAYS)
        return judge(picture, mover, move)

    # One answer for each try: what counts is that of the try that was kept.
    outcomes: list[Outcome] = []

    def keep(written: Written) -> None:
        body = answer(Played(written.game, _mover(written.game, player, seat), written.events))
        if claim is not None:
            claim.keep(201, body)
        outcomes.append(Outcome(201, body, replayed=False))

    try:
        change(
            game_id,
            decide,
            actor=actor.as_meta(),
            now=now,
            first=claim.take if claim is not None else None,
            last=keep,
            command_id=claim.id if claim is not None else command_id or uuid4(),
        )
    except Claim.Answered as before:
        return Outcome(before.status, before.body, replayed=True)
    return outcomes[-1]


def _mover(game: Game, player: Player | None, seat: int | None) -> int:
    if seat is not None:
        return seat
    own = game.seat_of(player)
    if own is not None:
        return own
    if player is not None and may_know(game, player):
        raise Forbidden("not_a_player", "You do not play in this game.")
    raise NotFound("not_found", "There is no such game.")


def judge(picture: Picture, seat: int, move: Any) -> list[Fact]:
    """What a move leads to. Raises Conflict, Invalid or Illegal."""
    if picture.status == "cancelled":
        raise Conflict("game_cancelled", "The game was called off.")
    if picture.salts is None:
        raise Conflict("not_started", "The game has not started yet.")
    chance = Chance(bytes.fromhex(picture.secret), picture.salts)
    try:
        events = GAMES[picture.game].decide(picture.state, seat, move, chance.shuffle(picture.shuffles + 1))
    except IllegalMove as error:
        raise _refusal(error) from None
    return [Fact(event["type"], event["data"], event["seat"]) for event in events]


def _refusal(error: IllegalMove) -> Refused:
    if isinstance(error, MalformedMove):
        return Invalid(error.code, error.detail)
    if error.code == RACE_LOST:
        return Conflict(error.code, error.detail)
    return Illegal(error.code, error.detail)
