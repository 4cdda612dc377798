"""The rules of play: from a move to its events.

A move is one event with its consequences. If it ends the round, `round_scored` and the next `dealt` follow as events
of their own.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from games.rules import moves
from games.rules.cards import pretty, without
from games.rules.game import Event, Shuffle
from games.rules.moves import IllegalMove
from games.rules.three_thirteen.dealing import next_deal, placements, round_scored
from games.rules.three_thirteen.events import evolve
from games.rules.three_thirteen.lay_out import lay_out
from games.rules.three_thirteen.state import DISCARD, DRAW, IDLE_TURNS, State, clockwise_after

SHAPES: moves.Shapes = {
    "draw": {"from": moves.one_of("stock", "discard")},
    "discard": {"card": moves.card},
    "go_out": {"discard": moves.card, "melds": moves.card_lists},
    "resign": {},
}
OPTIONAL = frozenset({"melds"})


def decide(state: State, seat: int, move: object, shuffle: Shuffle) -> list[Event]:
    canonical = moves.read_move(move, SHAPES, OPTIONAL)
    check_in_play(state, seat)
    if canonical["move"] == "resign":
        return _with_round_end(state, _resigned(state, seat, canonical), shuffle)
    check_turn(state, seat)
    match canonical["move"]:
        case "draw":
            return [_drew(state, seat, canonical, shuffle)]
        case "discard":
            event = _discarded(state, seat, canonical)
        case _:
            event = _went_out(state, seat, canonical)
    return _with_round_end(state, event, shuffle)


def check_in_play(state: State, seat: int) -> None:
    """Raise IllegalMove if the game is over, there is no such seat, or it has resigned."""
    if state.result is not None:
        raise IllegalMove("game_over", "The game is over.")
    if type(seat) is not int or not 0 <= seat < state.seats:
        raise IllegalMove("no_such_seat", f"There is no seat {moves.said(seat)}.")
    if seat in state.resigned:
        raise IllegalMove("resigned", "You have left this game.")


def check_turn(state: State, seat: int) -> None:
    if seat != state.turn:
        raise IllegalMove("not_your_turn", "It is not your turn.")


def check_draw(state: State, source: str) -> None:
    """Raise IllegalMove if no card can be drawn from `source`, "stock" or "discard" (TT3, TT8, TT13)."""
    if state.step != DRAW:
        raise IllegalMove("already_drawn", "You have already drawn a card. Discard one, or go out.")
    if source == "discard":
        if not state.discards:
            raise IllegalMove("discard_pile_empty", "The discard pile is empty. Draw from the stock.")
    elif not state.stock:
        if len(state.discards) < 2:
            raise IllegalMove(
                "stock_empty",
                "The stock is empty, and there are too few discards to renew it. Draw from the discard pile.",
            )
        if state.went_out is None and state.renewed >= state.options["renewals"]:
            raise IllegalMove(
                "stock_empty",
                "The stock is empty and cannot be renewed again in this round. Draw from the discard pile.",
            )


def can_draw(state: State, source: str) -> bool:
    try:
        check_draw(state, source)
    except IllegalMove:
        return False
    return True


def _check_discard(state: State, seat: int, card: str) -> None:
    if state.step != DISCARD:
        raise IllegalMove("draw_first", "Draw a card first.")
    if card not in state.hands[seat]:
        raise IllegalMove("not_your_cards", f"You do not have {pretty(card)}.")


def _drew(state: State, seat: int, move: dict[str, Any], shuffle: Shuffle) -> Event:
    source = move["from"]
    check_draw(state, source)
    stock_count, discard_count, renewed = len(state.stock), len(state.discards), state.renewed
    order, idle = None, 0
    if source == "discard":
        card = state.discards[-1]
        discard_count -= 1
        idle = state.idle + 1
    elif state.stock:
        card = state.stock[0]
        stock_count -= 1
    else:
        order = list(shuffle(state.discards[:-1]))
        card = order[0]
        stock_count, discard_count, renewed = len(order) - 1, 1, renewed + 1
    data = {
        "move": move,
        "card": card,
        "stock_count": stock_count,
        "discard_count": discard_count,
        "renewed": renewed,
        "idle": idle,
        "shuffle": order,
    }
    return {"type": "drew", "seat": seat, "data": data}


def _discarded(state: State, seat: int, move: dict[str, Any]) -> Event:
    _check_discard(state, seat, move["card"])
    final_turns = None if state.final_turns is None else state.final_turns[1:]
    return {"type": "discarded", "seat": seat, "data": {"move": move} | _turn_ended(state, seat, final_turns, 1)}


def _went_out(state: State, seat: int, move: dict[str, Any]) -> Event:
    if state.went_out is not None:
        raise IllegalMove(
            "somebody_is_out", "Another player has already gone out. Discard a card to end your final turn."
        )
    _check_discard(state, seat, move["discard"])
    melds = _melds_of_all(state, without(state.hands[seat], [move["discard"]]), move.get("melds"))
    final_turns = tuple(other for other in clockwise_after(seat, state.seats) if other not in state.resigned)
    data = {"move": move, "melds": melds} | _turn_ended(state, seat, final_turns, 1)
    return {"type": "went_out", "seat": seat, "data": data}


def _melds_of_all(state: State, hand: tuple[str, ...], named: list[list[str]] | None) -> list[list[str]]:
    """Return melds of the whole hand, as named or, if none are, as found (TT5)."""
    if named is None:
        found = lay_out(hand, wild=state.wild)
        if found.left:
            left = " ".join(pretty(card) for card in found.left)
            raise IllegalMove("not_all_melded", f"Your other cards do not all form melds. Left over at best: {left}.")
        return [list(meld) for meld in found.melds]
    for meld in named:
        if not is_meld(meld, state.wild):
            shown = " ".join(pretty(card) for card in meld)
            raise IllegalMove("no_meld", f"{shown} is neither a set nor a run." if meld else "A meld cannot be empty.")
    if sorted(card for meld in named for card in meld) != sorted(hand):
        raise IllegalMove("not_all_melded", "Your melds must contain every card except the discard, each exactly once.")
    return named


def _resigned(state: State, seat: int, move: dict[str, Any]) -> Event:
    """The player leaves with all cards (TT12, S11). Its turn, if it has one, is over."""
    place = len(state.in_play)
    idle = 0
    final_turns = None if state.final_turns is None else tuple(other for other in state.final_turns if other != seat)
    if seat == state.turn:
        turn = _turn_ended(state, seat, final_turns, 0)
    else:
        turn = _turn([state.turn], state.step, state.turn_number, final_turns)
        if state.step == DISCARD:
            # TT13: the count starts again, with the turn under way.
            idle = min(state.idle, 1)
    result = None
    if place == 2:
        result = {"ended_by": "resignation", "placements": placements(state, (*state.resigned, seat))}
        turn["to_act"] = []
    data = {"move": move, "place": place, "result": result, "idle": idle}
    return {"type": "resigned", "seat": seat, "data": data | turn}


def _turn_ended(state: State, seat: int, final_turns: tuple[int, ...] | None, discarded: int) -> dict[str, Any]:
    """Return whose turn is next after `seat` discarded (`discarded` is 1) or resigned (0).

    Nobody is next if the round is over: all final turns are done (TT6); nobody is out and the stock has run dry or was
    not used for too long (TT13); or there is nothing to draw, because a player left with the last discard.
    """
    others = clockwise_after(seat, state.seats) if final_turns is None else final_turns
    queue = [other for other in others if other not in state.resigned]
    over = not queue or (not state.stock and len(state.discards) + discarded == 0)
    if final_turns is None:
        dry = not state.stock and state.renewed >= state.options["renewals"]
        idle = state.idle if discarded else 0
        over = over or dry or idle >= IDLE_TURNS * len(state.in_play)
    return _turn([] if over else queue[:1], DRAW, state.turn_number + 1, final_turns)


def _turn(to_act: list[Any], step: str, number: int, final_turns: tuple[int, ...] | None) -> dict[str, Any]:
    """Return the facts about the turn that all events have which can end one."""
    return {
        "to_act": to_act,
        "step": step,
        "turn_number": number,
        "final_turns": None if final_turns is None else list(final_turns),
    }


def _with_round_end(state: State, event: Event, shuffle: Shuffle) -> list[Event]:
    """Return the event, followed by the scores and the next deal if it ended the round (TT6)."""
    if event["data"]["to_act"]:
        return [event]
    after = evolve(state, event)
    if after.result is not None:
        return [event]
    scored = round_scored(after)
    after = evolve(after, scored)
    if after.result is not None:
        return [event, scored]
    return [event, scored, next_deal(after, shuffle)]


RUN_ORDER = "A23456789TJQK"  # aces are low in runs (TT1)
SMALLEST = 3


def is_meld(cards: Sequence[str], wild: str) -> bool:
    """Return whether the cards, in any order, are a set or a run. `wild` is the wild rank.

    A wild card stands for any card, so only the other cards can spoil a meld.
    """
    if len(cards) < SMALLEST:
        return False
    natural = [card for card in cards if card[0] != wild]
    is_set = len({card[0] for card in natural}) <= 1
    return is_set or _is_run(natural, len(cards))


def _is_run(natural: Sequence[str], length: int) -> bool:
    """One suit, no place taken twice, and all within `length` places. The wild cards always find room within A..K."""
    if len({card[1] for card in natural}) > 1 or length > len(RUN_ORDER):
        return False
    places = sorted(RUN_ORDER.find(card[0]) for card in natural)
    taken_once = all(low < high for low, high in pairwise(places))
    return taken_once and places[0] >= 0 and places[-1] - places[0] < length
