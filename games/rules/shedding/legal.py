"""Which moves a seat has: the one place that asks what may be played (S3, S4, CA7, CA9)."""

from collections.abc import Collection
from typing import Any

from games.rules.shedding.state import Cards, Player, State
from games.rules.shedding.variant import Variant, in_a_row, ranks_that_go


def active_zone(player: Player) -> Cards:
    """The cards a player plays from: hand, else face-up cards; empty when only face-down cards are left."""
    return player.hand or player.face_up


def may_act(state: State, seat: int) -> bool:
    """Whether it is for this seat to move: its turn, its part in an opening race, or its choice in setup."""
    if state.phase == "setup":
        player = state.players[seat]
        return not player.arranged and player.place is None
    return seat == state.turn or (state.turn is None and seat in state.openers)


def is_bound_to_flip(player: Player) -> bool:
    """Whether the face-down cards are the active zone."""
    return not player.hand and not player.face_up


def merging(variant: Variant, state: State, player: Player) -> bool:
    """Whether a play of the whole hand may take face-up cards along (TJ6, TH9)."""
    return not state.stock and bool(player.hand) and bool(player.face_up) and variant.merges(state.options)


def playable_ranks(variant: Variant, state: State) -> Collection[str]:
    """The ranks that go on the pile; for the first play, where a ruling names its rank, that one."""
    if state.opening_rank:
        return state.opening_rank
    return ranks_that_go(variant.to_beat(state.pile, state.options), variant.wild(state.options))


def can_play(variant: Variant, state: State, player: Player) -> bool:
    """Whether a card of the player's hand or face-up cards may be played."""
    ranks = playable_ranks(variant, state)
    return any(card[0] in ranks for card in active_zone(player))


def plays(variant: Variant, state: State, player: Player) -> list[dict[str, Any]]:
    """What the player may play from hand or face-up cards, rank by rank; empty when it cannot play."""
    zone, ranks = active_zone(player), playable_ranks(variant, state)
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
    if len(moves) == 1 and len(moves[0]["cards"]) == len(zone) and merging(variant, state, player):
        along = [card for card in player.face_up if card[0] == moves[0]["rank"]]
        return [moves[0] | {"with_face_up": along}] if along else moves
    return moves


def can_draw(variant: Variant, state: State, seat: int, playable: bool) -> bool:
    """Whether `draw` is legal for the seat in turn (TC6, CA7); `playable` says whether it could play instead."""
    if not state.stock or state.openers:
        return False
    if variant.draws == "fill":
        return state.bonus is not None and len(state.players[seat].hand) < 3
    if variant.draws == "gamble":
        return not state.pile or (not playable and len(state.players[seat].hand) == 3)
    return False


def interruptions(variant: Variant, state: State) -> dict[int, list[str]]:
    """CA9c: for each seat that may complete a set of four out of turn the cards that do it."""
    if not variant.interrupts or state.phase != "playing" or not state.pile or state.openers:
        return {}
    rank, missing = state.pile[-1][0], 4 - in_a_row(state.pile)
    held: dict[int, list[str]] = {}
    for seat, player in enumerate(state.players):
        for card in player.hand or player.face_up:
            if card[0] == rank and seat != state.turn:
                held.setdefault(seat, []).append(card)
    return {seat: cards for seat, cards in held.items() if len(cards) == missing}


def interruption(variant: Variant, state: State, seat: int) -> list[str]:
    """CA9c: the cards with which this seat may complete a set of four out of turn; empty when it may not."""
    return [] if seat == state.turn else interruptions(variant, state).get(seat, [])


def legal_moves(variant: Variant, state: State, seat: int) -> list[dict[str, Any]]:
    """The seat's legal moves as CONTRACT lists them: plays once a rank, flips and choices once."""
    if not may_act(state, seat):
        cards = interruption(variant, state, seat)
        count = len(cards)
        return [{"move": "play", "rank": cards[0][0], "cards": cards, "min": count, "max": count}] if cards else []
    player = state.players[seat]
    if state.phase == "setup":
        return [{"move": "arrange", "choose": 3, "from": [*player.face_up, *player.hand]}]
    moves: list[dict[str, Any]]
    if is_bound_to_flip(player):
        moves = [{"move": "flip", "positions": [p for p, card in enumerate(player.face_down) if card is not None]}]
        playable = True
    else:
        moves = plays(variant, state, player)
        playable = bool(moves)
        if not playable:
            moves.append({"move": "pick_up"})
    if can_draw(variant, state, seat, playable):
        moves.append({"move": "draw"})
    if state.bonus == "may":
        moves.append({"move": "end_turn"})
    return moves


def why_not(variant: Variant, state: State, seat: int) -> dict[str, str] | None:
    """`{"code", "detail"}`: why the seat has no legal move now; None when it has one."""
    player = state.players[seat]
    if state.phase == "finished":
        return {"code": "game_over", "detail": "The game is over."}
    if player.resigned:
        return {"code": "resigned", "detail": "You have left the game."}
    if player.place is not None:
        return {"code": "already_out", "detail": "You are out: no card is left to you."}
    if may_act(state, seat) or interruption(variant, state, seat):
        return None
    if state.phase == "setup":
        return {"code": "already_arranged", "detail": "You have chosen; others are still choosing."}
    return {"code": "not_your_turn", "detail": "It is not your turn."}
