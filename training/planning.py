"""What the plain plan of `benchmarks/pace.py` costs in strength, by many games in the simulator.

Two seats, each played by the game's networks. One of them, the planner, plays every other turn by the plan, if it says
what to do. `training.checking` compares the plan's moves here with those of `games.plans`.
"""

import ctypes
from collections.abc import Sequence
from random import Random
from typing import Any

from games.rules import GAMES as RULES
from games.rules.shedding import SheddingGame
from training.library import (
    ALL_RANKS,
    GAMES,
    MOVES,
    Learner,
    Move,
    State,
    acts,
    library,
    listed_moves,
    rank_numbers,
)

KEPT = ("2", "T")
PLAY, PICK_UP, DRAW = MOVES.index("play"), MOVES.index("pick_up"), MOVES.index("draw")
PATIENCE = 20
BY_OUT = 1
"""How the simulator says that a game ended because somebody is out."""


def plan_of(game: str, keep: Sequence[str] = KEPT) -> dict[str, Any]:
    """Return the plan: the lowest cards, all of a rank, some kept; else draw (Castle) or pick up."""
    lines: list[dict[str, Any]] = [
        {"move": {"move": "play", "choose": "lowest", "count": "all", "keep": list(keep)}},
        *([{"move": {"move": "draw"}}] if game == "castle" else []),
        {"move": {"move": "pick_up"}},
    ]
    return {"lines": lines}


def planned(game: str, listed: Sequence[Move], keep: Sequence[str] = KEPT) -> Move | None:
    """Return what the plan plays of the moves that are legal in the seat's turn; None if it says nothing."""
    rules = RULES[game]
    assert isinstance(rules, SheddingGame)
    order = [*(rank for rank in rules.variant.order if rank not in keep), *keep]
    by_rank = {ALL_RANKS[move.rank]: move for move in listed if move.kind == PLAY}
    for rank in order:
        if rank in by_rank:
            by_rank[rank].count = by_rank[rank].most
            return by_rank[rank]
    kinds = {move.kind: move for move in listed}
    return (kinds.get(DRAW) if game == "castle" else None) or kinds.get(PICK_UP)


def planner_share(game: str, learner: Learner, games: int, keep: Sequence[str] = KEPT) -> float:
    """Return the share of games of two that the planner wins; a shared first place is half a win."""
    return sum(_share(game, learner, number, keep) for number in range(games)) / games


def _share(game: str, learner: Learner, number: int, keep: Sequence[str]) -> float:
    """Play a game. Of two games with the same deal either seat is the planner in one."""
    state, dealer = _dealt(game, Random(f"{game} {number // 2}"))
    planner, has_plan = number % 2, False
    while not state.ended:
        acting = [seat for seat in range(2) if acts(state, seat)]
        seat = planner if planner in acting else acting[0]
        is_setup = bool(state.setup)
        move = None
        if has_plan and seat == planner:
            move = planned(game, listed_moves(state, seat), keep)
        by_plan = move is not None
        if move is None:
            moves, ratings = learner.rate(state, seat)
            move = moves[max(range(len(moves)), key=ratings.__getitem__)]
        library().apply_move(ctypes.byref(state), seat, ctypes.byref(move), dealer)
        if seat == planner and not is_setup and not acts(state, planner):
            has_plan = not by_plan
    if state.ended == BY_OUT:
        return float(state.out == planner)
    mine, other = (_cards_left(state, seat) for seat in (planner, 1 - planner))
    return float(mine < other) or 0.5 * (mine == other)


def _dealt(game: str, chance: Random) -> tuple[State, int]:
    dealer, state = chance.randrange(2), State()
    _, events = RULES[game].deal(2, None, {}, dealer, lambda cards: chance.sample(cards, len(cards)))
    order = rank_numbers(events[0]["data"]["shuffle"])
    ranks = (ctypes.c_int8 * len(order))(*order)
    library().deal_ranks(ctypes.byref(state), GAMES.index(game), 2, dealer, ranks, len(order), PATIENCE)
    return state, dealer


def _cards_left(state: State, seat: int) -> int:
    one = state.seat[seat]
    return int(one.in_hand + one.in_up + sum(rank >= 0 for rank in one.down))
