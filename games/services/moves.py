"""Playing a move."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import structs

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.jobs.receipts import Answer, Keyed
from core.refusals import Conflict, Forbidden, Illegal, Invalid, NotFound, Refused, Stale
from games.projections import GAME, Snapshot
from games.projections.vocabulary import PLANNED, from_rules
from games.rules import IllegalMove, MalformedMove
from games.rules.fairness import Chance
from games.rules.game import Game
from games.selectors.access import may_know
from games.services.commands import NO_SUCH_GAME, RESIGN, decided, existing, wake_server

RACE_LOST = "race_lost"
INTERRUPT = "interrupt"
Condition = Callable[[Snapshot], bool]
TOO_LATE = "The table has changed, so this is no longer an interruption."
BOT_PLAYS = "A bot is playing for you. Take your seat back first."


@dataclass(frozen=True, slots=True)
class Played:
    game: Snapshot
    seat: int
    events: Sequence[log.PendingEvent]

    @property
    def version(self) -> int:
        return self.game.version


def play(
    game_id: UUID,
    player: Player,
    move: Any,
    *,
    keyed: Keyed | None = None,
    if_match: Condition | None = None,
    reason: str | None = None,
    now: datetime | None = None,
) -> Played | Answer:
    """Play a player's move. `if_match` is a condition on the game at the time of the move.

    With a key it is played exactly once: `keyed.answer` makes the response of what was `Played`, before the append,
    which locks a counter that other writers wait for. The same key with the same move returns that response again,
    whatever `if_match` says by then.

    Raises Stale (if_match), Conflict (race_lost, bot_plays), Invalid (malformed), Illegal (the rules' code), KeyReused.
    """
    at, actor = now or service_clock.now(), log.Actor("player", str(player.pk))

    def decide(snapshot: Snapshot | None) -> log.Decided[Any]:
        before = existing(snapshot)
        seat = _seat_of(before, player)
        if if_match is not None and not if_match(before):
            raise Stale("stale_version", f"The game has changed: it is at version {before.version} now. Read it again.")
        if move != RESIGN and before.players[seat].bot is not None:
            raise Conflict("bot_plays", BOT_PLAYS)
        return decided(game_id, before, judge(before, seat, move), None, actor=actor, now=at)

    def played(executed: log.Executed[Snapshot, Any]) -> Played:
        after = existing(executed.after)
        return Played(after, _seat_of(after, player), executed.events)

    receipt = keyed and replace(keyed, answer=lambda executed: keyed.answer(played(executed)))
    command_id = keyed.id if keyed is not None else None
    executed = log.execute(
        GAME, game_id, decide, actor=actor, now=at, command_id=command_id, reason=reason, receipt=receipt
    )
    wake_server(executed)
    return played(executed) if keyed is None else executed.result


def judge(snapshot: Snapshot, seat: int, move: Any) -> list[log.NewEvent]:
    if snapshot.status == "cancelled":
        raise Conflict("game_cancelled", "The game was called off.")
    if snapshot.salts is None:
        raise Conflict("not_started", "The game has not started yet.")
    rules, chance = snapshot.rules, Chance(bytes.fromhex(snapshot.secret), snapshot.salts)
    move, interrupts = _without_interrupt(rules, move)
    try:
        events = rules.decide(snapshot.state, seat, move, chance.shuffle(snapshot.shuffles + 1))
    except IllegalMove as error:
        if interrupts and not isinstance(error, MalformedMove):
            raise Conflict(RACE_LOST, TOO_LATE) from None
        raise _refusal(error) from None
    if interrupts and seat not in rules.may_interrupt(snapshot.state):
        # It has become the seat's turn: a move meant as an interruption must not be played as a turn.
        raise Conflict(RACE_LOST, TOO_LATE)
    return [from_rules(snapshot.game, event) for event in events]


@dataclass(frozen=True, slots=True)
class Step:
    """A move that the server makes now: a bot's, a player's forced one, or `planned` by its player."""

    seat: int
    move: dict[str, Any]
    actor: log.Actor
    planned: bool = False

    def events(self, snapshot: Snapshot) -> list[log.NewEvent]:
        first, *rest = judge(snapshot, self.seat, self.move)
        return [structs.replace(first, data={**first.data, PLANNED: True}) if self.planned else first, *rest]


def _without_interrupt(rules: Game, move: Any) -> tuple[Any, bool]:
    """The move as the rules know it, and whether it is to be played out of turn only. Raises Invalid (malformed)."""
    if not (rules.interrupts and isinstance(move, dict) and move.get("move") == "play" and INTERRUPT in move):
        return move, False
    if not isinstance(move[INTERRUPT], bool):
        raise Invalid("malformed", "interrupt must be true or false.")
    return {key: value for key, value in move.items() if key != INTERRUPT}, move[INTERRUPT]


def _seat_of(snapshot: Snapshot, player: Player) -> int:
    seat = snapshot.seat_of(player)
    if seat is not None:
        return seat
    if may_know(snapshot, player):
        raise Forbidden("not_a_player", "You are not a player in this game.")
    raise NotFound("not_found", NO_SUCH_GAME)


def _refusal(error: IllegalMove) -> Refused:
    if isinstance(error, MalformedMove):
        return Invalid(error.code, error.detail)
    if error.code == RACE_LOST:
        return Conflict(error.code, error.detail)
    return Illegal(error.code, error.detail)
