"""Positions for plans, and what a plan says of them."""

from typing import Any

from games.rules import GAMES
from games.rules.plans import Verdict, judge, read_plan
from games.rules.three_thirteen.state import State as RummyState
from tests.rules.table import Table

LOWEST = {"move": "play", "choose": "lowest"}
HIGHEST = {"move": "play", "choose": "highest"}


def line(move: dict[str, Any] | str, **when: Any) -> dict[str, Any]:
    """A line of a plan; `interrupt` is a key of its own, all else a condition."""
    written = {"move": {"move": move} if isinstance(move, str) else move, "when": when}
    return written | {"interrupt": when.pop("interrupt")} if "interrupt" in when else written


def verdict(game: str, state: Any, *lines: dict[str, Any], seat: int = 0) -> Verdict:
    """What a plan of these lines does."""
    return judge(GAMES[game], state, seat, read_plan(GAMES[game], {"lines": list(lines)}))


def at(game: str, *hands: str, **table: Any) -> Any:
    """A shedding game in the middle of play, as `tests.rules.table.Table.at` describes it: its state."""
    return Table.at(game, hands, **table).state


def played(game: str, state: Any, *lines: dict[str, Any], seat: int = 0) -> str | None:
    """The move of a plan as a word and its cards: "play 5H 5D"; None if no line plays."""
    move = verdict(game, state, *lines, seat=seat).move
    return None if move is None else " ".join(" ".join(v) if isinstance(v, list) else str(v) for v in move.values())


def holds(game: str, state: Any, seat: int = 0, /, **when: Any) -> bool:
    """Whether a condition holds, asked with a line whose move is never the reason."""
    return verdict(game, state, line({"move": "play", "cards": ["2S"] * 30}, **when), seat=seat).lines != [
        "does not hold"
    ]


def rummy(hand: str, top: str = "2C", *, drawn: bool = False, in_round: int = 1, **facts: Any) -> RummyState:
    """Three Thirteen at seat 0's turn, with this hand and discard pile (the last card is its top)."""
    game = GAMES["three_thirteen"]
    options = {"ace_points": facts.pop("ace_points", 15), "decks": 2}
    state, _ = game.deal(2, None, options, 1, list)
    step = "discard" if drawn else "draw"
    changed: RummyState = state._replace(
        hands=(tuple(hand.split()), state.hands[1]),
        discards=tuple(top.split()),
        step=step,
        round=in_round,
        **facts,
    )
    return changed
