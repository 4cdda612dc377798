"""A plan that people may leave whenever they look, and what it costs in strength in games of two.

The games are played by the rules, with the real code of plans. The players' own moves are what the game's networks rate
best; the simulator plays along, since it rates faster than the bot.
"""

import ctypes
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.rules import GAMES as RULES
from games.rules.plans import Plan, judge, read_plan
from training.library import ALL_RANKS, GAMES, MOVES, Learner, Move, State, library, move_of, rank_numbers

KEPT = ("2", "T")
"""What is kept for piles that nothing else beats."""
FEW = 3
"""With the stock out, Castle's plan plays while the hand has no more cards than this."""
PATIENCE = 20


@dataclass(frozen=True)
class Rule:
    """By which rule the plan is made."""

    keep: Sequence[str] = KEPT
    always: bool = False
    """Whether it plays in the same way once the stock is out."""


def plan_of(game: str, rule: Rule) -> dict[str, Any]:
    """Return the plan: while there is a stock, the lowest cards, all of a rank, some kept; else draw or pick up.

    In Castle, whose stock is soon out, it also plays from a small hand afterwards.
    """
    play = {"move": "play", "choose": "lowest", "count": "all", "keep": list(rule.keep)}
    whens: list[dict[str, Any]] = [{}] if rule.always else [{"stock_is_out": False}]
    if game == "castle" and not rule.always:
        whens.append({"hand_at_most": FEW})
    lines: list[dict[str, Any]] = [{"move": play, "when": when} for when in whens]
    # CA7: to draw is another way not to play, and the player's choice.
    lines += [{"move": {"move": "draw"}}] if game == "castle" else []
    return {"lines": [*lines, {"move": {"move": "pick_up"}}]}


def planner_share(game: str, learner: Learner, games: int, rule: Rule) -> float:
    """Return the share of games of two that the planner wins; a shared first place counts as half a win.

    The planner plays every other turn by the plan, if it says what to do. Of two games with the same deal either seat
    is the planner in one.
    """
    plan = read_plan(RULES[game], plan_of(game, rule))
    return sum(_share(game, learner, number, plan) for number in range(games)) / games


def _share(game: str, learner: Learner, number: int, plan: Plan) -> float:
    rules, chance, simulated = RULES[game], Random(f"{game} {number // 2}"), State()
    dealer, planner, has_plan = chance.randrange(2), number % 2, False
    options = {"stalemate_after": PATIENCE}
    state, events = rules.deal(2, None, options, dealer, lambda cards: chance.sample(cards, len(cards)))
    order = rank_numbers(events[0]["data"]["shuffle"])
    ranks = (ctypes.c_int8 * len(order))(*order)
    library().deal_ranks(ctypes.byref(simulated), GAMES.index(game), 2, dealer, ranks, len(order), PATIENCE)
    while (result := rules.result(state)) is None:
        acting = rules.to_act(state)
        seat = planner if planner in acting else acting[0]
        is_playing = rules.status(state) == "playing"
        by_plan = judge(rules, state, seat, plan).move if has_plan and seat == planner else None
        move = by_plan or _best(learner, simulated, seat, rules.legal_moves(state, seat))
        for event in rules.decide(state, seat, move, list):
            state = rules.evolve(state, event)
        library().apply_move(ctypes.byref(simulated), seat, ctypes.byref(move_of(move)), dealer)
        if seat == planner and is_playing and planner not in rules.to_act(state):
            has_plan = by_plan is None
    places: dict[int, int] = {row["seat"]: row["place"] for row in result["placements"]}
    return (places[planner] == 1) / Counter(places.values())[1]


def _best(learner: Learner, simulated: State, seat: int, legal: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the move that the networks rate best, as the rules take it."""
    moves, ratings = learner.rate(simulated, seat)
    return _with_cards(moves[max(range(len(moves)), key=ratings.__getitem__)], legal)


def _with_cards(move: Move, legal: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a move of the simulator with cards of its ranks: those of the hand before those face up."""
    match kind := MOVES[move.kind]:
        case "play":
            rank = ALL_RANKS[move.rank]
            listed = next(one for one in legal if one["move"] == kind and one["rank"] == rank)
            return {"move": kind, "cards": [*listed["cards"], *listed.get("with_face_up", ())][: move.count]}
        case "arrange":
            wanted = list(move.face_up)
            up = []
            for card in legal[0]["from"]:
                if wanted[ALL_RANKS.index(card[0])]:
                    wanted[ALL_RANKS.index(card[0])] -= 1
                    up.append(card)
            return {"move": kind, "face_up": up}
        case "flip":
            return {"move": kind, "position": move.position}
        case _:
            return {"move": kind}
