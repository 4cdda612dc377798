"""The simulator against the rules and the bot: the same games side by side, compared after each move."""

import ctypes
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

from games.bots.listing import any_of
from games.bots.shedding.memory import dealt
from games.bots.shedding.network import Networks
from games.bots.shedding.ratings import Chances
from games.bots.shedding.table import Hand, KnownTable
from games.bots.shedding.turn import MOST_RATED, Turn, moves_to_rate
from games.rules import GAMES as RULES
from games.rules.shedding import SheddingGame
from training.library import (
    ALL_RANKS,
    GAMES,
    MOVES,
    Learner,
    Move,
    State,
    counts,
    library,
    listed_moves,
    move_of,
    rank_numbers,
)

SEATS = {"three_card": (2, 6), "tripp_jokes": (2, 6), "threes": (2, 6), "castle": (2, 5)}
NEAR = 2e-4
"""How far ratings may differ: the simulator calculates in single precision."""


class DiffersError(AssertionError):
    """The simulator and Trey disagree. The message says about what."""


def check_game(
    game: str, chance: Random, learner: Learner | None = None, networks: Networks | None = None
) -> Counter[str]:
    """Play a game of random moves in the rules and in the simulator. Return how many moves and ratings were compared.

    With a learner the ratings of its networks are compared with those of the bot by the same networks.
    Raises DiffersError.
    """
    rules, seats = RULES[game], chance.randint(*SEATS[game])
    dealer, patience = chance.randrange(seats), chance.choice((3, 20))
    options = {"play_until": "first_out", "stalemate_after": patience}
    state, events = rules.deal(seats, None, options, dealer, lambda cards: chance.sample(cards, len(cards)))
    order = rank_numbers(events[0]["data"]["shuffle"])
    assert isinstance(rules, SheddingGame)
    memory = dealt(rules, rules.redact(events[0], "public")["data"])
    fast, simulator, compared = State(), library(), Counter[str]()
    ranks = (ctypes.c_int8 * len(order))(*order)
    simulator.deal_ranks(ctypes.byref(fast), GAMES.index(game), seats, dealer, ranks, len(order), patience)
    while rules.result(state) is None:
        interrupting = rules.may_interrupt(state)
        seat = chance.choice(interrupting if interrupting and chance.random() < 0.5 else rules.to_act(state))
        legal = rules.legal_moves(state, seat)
        _compare("legal moves", _listed(fast, seat), _listed_by_rules(legal))
        if learner and networks and seat in rules.to_act(state):
            simulated = {_key(one): rating for one, rating in zip(*learner.rate(fast, seat), strict=True)}
            compared["ratings"] += _compare_ratings(rules.view(state, seat), memory.hands, legal, networks, simulated)
        move = any_of(chance.choice(legal), chance)
        for event in rules.decide(state, seat, move, list):
            state = rules.evolve(state, event)
            memory.see(rules.redact(event, "public")["data"])
        simulator.apply_move(ctypes.byref(fast), seat, ctypes.byref(move_of(move)), dealer)
        _compare(f"the state after {move}", _state_of(fast), _state_of_rules(state, memory.hands))
        compared["moves"] += 1
    return compared


def _compare(what: str, simulated: object, ruled: object) -> None:
    if simulated != ruled:
        raise DiffersError(f"{what}: the simulator has {simulated}, the rules have {ruled}")


def _listed(fast: State, seat: int) -> list[tuple[Any, ...]] | None:
    if fast.setup:
        return None
    return sorted(
        (MOVES[one.kind], one.rank, one.count, one.most) if one.kind == 1 else (MOVES[one.kind], one.position)
        for one in listed_moves(fast, seat)
    )


def _listed_by_rules(legal: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]] | None:
    listed: list[tuple[Any, ...]] = []
    for one in legal:
        match one:
            case {"move": "arrange"}:
                return None
            case {"move": "play", "rank": rank, "min": least, "max": most}:
                listed.append(("play", ALL_RANKS.index(rank), least, most + len(one.get("with_face_up", ()))))
            case {"move": "flip", "positions": positions}:
                listed += [("flip", position) for position in positions]
            case _:
                listed.append((one["move"], 0))
    return sorted(listed)


def _state_of(fast: State) -> dict[str, Any]:
    # After the end only the result counts.
    if fast.ended:
        return {"ended": ("", "out", "stalemate")[fast.ended], "out": fast.out}
    return {
        "seats": [
            (
                tuple(one.hand),
                tuple(one.up),
                [max(-1, rank) for rank in one.down],
                [bool(seen) for seen in one.shown],
                (tuple(one.known), list(one.cannot[: one.unknown])),
            )
            for one in fast.seat[: fast.seats]
        ],
        "stock": list(fast.stock[: fast.stock_count])[::-1],
        "pile": list(fast.pile[: fast.pile_count]),
        "gone": tuple(fast.gone),
        "turn": (fast.setup, fast.turn, fast.bonus, fast.direction, fast.openers, fast.opening_rank),
        "stalled": fast.stalled,
    }


def _state_of_rules(state: Any, hands: Sequence[Hand]) -> dict[str, Any]:
    if state.result is not None:
        winner = next(row["seat"] for row in state.result["placements"] if row["place"] == 1)
        is_out = state.result["ended_by"] == "out"
        return {"ended": state.result["ended_by"], "out": winner if is_out else -1}
    return {
        "seats": [
            (
                counts(one.hand),
                counts(one.face_up),
                [-1 if card is None else rank_numbers([card])[0] for card in one.face_down],
                list(one.shown),
                (counts(hand.known), [sum(1 << ALL_RANKS.index(rank) for rank in cannot) for cannot in hand.cannot]),
            )
            for one, hand in zip(state.players, hands, strict=True)
        ],
        "stock": rank_numbers(state.stock),
        "pile": rank_numbers(state.pile),
        "gone": counts(state.out_of_play),
        "turn": (
            state.phase == "setup", -1 if state.turn is None else state.turn, (None, "may", "must").index(state.bonus),
            state.direction, sum(1 << seat for seat in state.openers),
            ALL_RANKS.index(state.opening_rank) if state.opening_rank else -1,
        ),
        "stalled": state.stalled,
    }  # fmt: skip


def _compare_ratings(
    view: Mapping[str, Any],
    hands: Sequence[Hand],
    legal: Sequence[Mapping[str, Any]],
    networks: Networks,
    simulated: Mapping[tuple[Any, ...], float],
) -> int:
    """Compare how the simulator and the bot rate each move; return how many ratings that were."""
    table = KnownTable(RULES[view["game"]], view, hands)  # type: ignore[arg-type]  # a game of the family
    turn = Turn(table, Chances(table, networks))
    if table.is_setup:
        cards = legal[0]["from"]
        chosen = combinations(cards, legal[0]["choose"])
        rated = [({"move": "arrange", "face_up": up}, turn.rate_arrangement(cards, up)) for up in chosen]
    else:
        moves = moves_to_rate(legal)
        rated = [(move, turn.rate(move, MOST_RATED // len(moves))) for move in moves]
    for move, mine in rated:
        its = simulated[_key(move_of(move))]
        if mine < 2.0 and abs(mine - its) > NEAR:
            raise DiffersError(f"the rating of {move} in {view}: the simulator has {its}, the bot has {mine}")
    return len(rated)


def _key(move: Move) -> tuple[Any, ...]:
    return move.kind, move.rank, move.count, move.position, tuple(move.face_up)
