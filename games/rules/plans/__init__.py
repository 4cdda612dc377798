"""Plans: what a player leaves for the turns to come. Pure; the rules judge the moves.

A plan is read by `read_plan` for a game, and judged by `judge` against a position of it. The game declares what its
lines may say (`games.rules.planning`), and `schema_of` describes it for clients.
"""

from dataclasses import dataclass
from typing import Any

from games.rules.cards import without
from games.rules.game import Game, State
from games.rules.planning import Attempt, Move, Position
from games.rules.plans.reading import MOST_LINES, MOST_TURNS, Line, Plan, PlanError, read_plan, schema_of

DOES_NOT_HOLD = "does not hold"
NOT_IN_HAND = "not in hand"
NOT_LEGAL = "not legal"
PLAYS = "plays"
NOT_TRIED = "not tried"
VERDICTS = (DOES_NOT_HOLD, NOT_IN_HAND, NOT_LEGAL, PLAYS, NOT_TRIED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a plan: the line that plays and its move, or None for both, and a word about each line."""

    line: int | None
    move: Move | None
    lines: list[str]

    def as_json(self) -> dict[str, Any]:
        return {"line": self.line, "move": self.move, "lines": self.lines}


def judge(game: Game, state: State, seat: int, plan: Plan) -> Verdict:
    """Return what the seat's plan does now.

    Out of turn, only lines with `interrupt` are tried, and only if the seat may interrupt.
    """
    in_turn = seat in game.to_act(state)
    interrupting = not in_turn and seat in game.may_interrupt(state)
    position = Position(game, state, seat)
    said = [NOT_TRIED] * len(plan.lines)
    for number, line in enumerate(plan.lines):
        if in_turn or (interrupting and line.interrupt):
            said[number], move = _tried(position, line)
            if move is not None:
                return Verdict(number, move, said)
    return Verdict(None, None, said)


def judge_as_in_turn(game: Game, state: State, seat: int, plan: Plan) -> Verdict:
    """Return what the plan does now; if nothing, and it is not the seat's turn, what it would do if it were.

    The seat must still be in the game.
    """
    now = judge(game, state, seat, plan)
    if now.line is not None or seat in game.to_act(state):
        return now
    return judge(game, game.as_in_turn(state, seat), seat, plan)


def _tried(position: Position, line: Line) -> tuple[str, Move | None]:
    wanted = {"move": line.form.move, **line.move}
    attempt = Attempt(position, line.form, wanted)
    if not all(condition.holds(attempt, value) for condition, value in line.when):
        return DOES_NOT_HOLD, None
    if not _has(position, line.form.cards(wanted)):
        return NOT_IN_HAND, None
    return (PLAYS, attempt.move) if attempt.events is not None else (NOT_LEGAL, None)


def _has(position: Position, cards: Any) -> bool:
    try:
        without(position.game.held(position.state, position.seat), cards)
    except ValueError:
        return False
    return True
