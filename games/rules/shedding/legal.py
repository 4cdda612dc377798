"""The legal moves of a seat (S3, S4, S14, CA7, CA9)."""

from collections.abc import Collection
from typing import Any, NamedTuple

from games.rules.moves import IllegalMove, said
from games.rules.shedding.rules import Cards
from games.rules.shedding.state import Player, State

SETTLES_AFTER = 5
"""The number of pick-ups without progress, for each seat in play, after which seats can settle (S14)."""


class Opening(NamedTuple):
    """The seats that may make the first play, and the rank it must be of, if any."""

    seats: list[int]
    rank: str | None = None


def opening(state: State) -> Opening:
    """Find who opens (HG6): the dealer's neighbour, or the first seat, in a race all, with the lowest rank."""
    rules = state.rules
    around = [seat for seat in state.around(state.dealer + (rules.opener or 1)) if state.players[seat].place is None]
    if rules.opener:
        return Opening(around[:1])
    held = {seat: {card[0] for card in state.players[seat].hand} for seat in around}
    rank = next(rank for rank in rules.search if any(rank in ranks for ranks in held.values()))
    holders = [seat for seat in around if rank in held[seat]]
    if rules.race:
        return Opening(sorted(holders), rank)
    return Opening(holders[:1], None if rules.any_card_opens else rank)


def active_zone(player: Player) -> Cards:
    return player.hand or player.face_up


def may_act(state: State, seat: int) -> bool:
    """Return whether the seat is to act: in its turn, in an opening race, or in setup."""
    if state.phase == "setup":
        player = state.players[seat]
        return not player.arranged and player.place is None
    return seat == state.turn or (state.turn is None and seat in state.openers)


def is_bound_to_flip(player: Player) -> bool:
    """Return whether only face-down cards are left."""
    return not player.hand and not player.face_up


def merging(state: State, player: Player) -> bool:
    """Return whether the player may add face-up cards to a play of the whole hand (TJ6, TH9)."""
    return not state.stock and bool(player.hand) and bool(player.face_up) and state.rules.merges


def playable_ranks(state: State) -> Collection[str]:
    if state.opening_rank:
        return state.opening_rank
    rules = state.rules
    return rules.going(rules.to_beat(state.pile, state.laid_on_empty))


def can_play(state: State, player: Player) -> bool:
    ranks = playable_ranks(state)
    return any(card[0] in ranks for card in active_zone(player))


def plays(state: State, player: Player) -> list[dict[str, Any]]:
    zone, ranks = active_zone(player), playable_ranks(state)
    by_rank: dict[str, list[str]] = {}
    for card in zone:
        rank = card[0]
        if rank in by_rank:
            by_rank[rank].append(card)
        elif rank in ranks:
            by_rank[rank] = [card]
    moves: list[dict[str, Any]] = [
        {"move": "play", "rank": rank, "cards": cards, "min": 1, "max": len(cards)} for rank, cards in by_rank.items()
    ]
    if len(moves) == 1 and len(moves[0]["cards"]) == len(zone) and merging(state, player):
        along = [card for card in player.face_up if card[0] == moves[0]["rank"]]
        return [moves[0] | {"with_face_up": along}] if along else moves
    return moves


def can_draw(state: State, seat: int, playable: bool) -> bool:
    """Return whether the seat in turn may `draw` (TC6, CA7). `playable` says whether it could play instead."""
    draws = state.rules.draws
    if draws is None or not state.stock or state.opening_rank:
        return False
    held = len(state.players[seat].hand)
    if draws == "fill":
        return state.bonus is not None and held < state.rules.hand
    return not state.pile or (not playable and state.bonus != "may" and held == state.rules.hand)


def interruptions(state: State) -> dict[int, list[str]]:
    """Return the seats that may complete a row out of turn, each with its cards of the rank (CA9c)."""
    if not state.rules.interrupts or state.phase != "playing" or not state.pile or state.openers:
        return {}
    missing = state.rules.missing(state.pile)
    if not missing:
        return {}
    rank = state.pile[-1][0]
    held: dict[int, list[str]] = {}
    for seat, player in enumerate(state.players):
        for card in player.hand or player.face_up:
            if card[0] == rank and seat != state.turn:
                held.setdefault(seat, []).append(card)
    return {seat: cards for seat, cards in held.items() if len(cards) >= missing}


def interruption(state: State, seat: int) -> list[str]:
    return [] if seat == state.turn else interruptions(state).get(seat, [])


def legal_moves(state: State, seat: int) -> list[dict[str, Any]]:
    if not may_act(state, seat):
        cards = interruption(state, seat)
        if not cards:
            return []
        missing = state.rules.missing(state.pile)
        return [{"move": "play", "rank": cards[0][0], "cards": cards, "min": missing, "max": missing}]
    player = state.players[seat]
    if state.phase == "setup":
        return [{"move": "arrange", "choose": state.rules.table, "from": [*player.face_up, *player.hand]}]
    moves: list[dict[str, Any]]
    if is_bound_to_flip(player):
        moves = [{"move": "flip", "positions": [p for p, card in enumerate(player.face_down) if card is not None]}]
        playable = True
    else:
        moves = plays(state, player)
        playable = bool(moves)
        if not playable and state.bonus != "may":
            moves.append({"move": "pick_up"})
    if can_draw(state, seat, playable):
        moves.append({"move": "draw"})
    if state.bonus == "may":
        moves.append({"move": "end_turn"})
    return moves


def settles_after(state: State) -> int:
    return SETTLES_AFTER * len(state.in_play)


def may_settle(state: State) -> bool:
    return state.phase == "playing" and state.stalled >= settles_after(state)


def check_in_play(state: State, seat: int) -> None:
    """Raise IllegalMove if the game is over, there is no such seat, or it has left or is out."""
    if state.phase == "finished":
        raise IllegalMove("game_over", "The game is over.")
    if not (type(seat) is int and 0 <= seat < len(state.players)):
        raise IllegalMove("no_such_seat", f"There is no seat {said(seat)}.")
    if state.players[seat].resigned:
        raise IllegalMove("resigned", "You have left this game.")
    if state.players[seat].place is not None:
        raise IllegalMove("already_out", "You are out: you have no cards left.")


def why_not(state: State, seat: int) -> dict[str, str] | None:
    try:
        check_in_play(state, seat)
    except IllegalMove as refused:
        return refused.as_json()
    if may_act(state, seat) or interruption(state, seat):
        return None
    if state.phase == "setup":
        return {"code": "already_arranged", "detail": "You have chosen. Other players are still choosing."}
    return {"code": "not_your_turn", "detail": "It is not your turn."}
