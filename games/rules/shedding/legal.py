"""Which moves a seat has: the one place that asks what may be played (S3, S4, CA7, CA9)."""

from typing import Any, NamedTuple

from games.rules.shedding.state import Cards, Player, State
from games.rules.shedding.variant import Variant, goes, in_a_row


class Group(NamedTuple):
    """The cards of one rank that a seat may play now, and the face-up cards that may go along with all of them."""

    rank: str
    cards: list[str]
    with_face_up: list[str]


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


def groups(variant: Variant, state: State, seat: int) -> list[Group]:
    """What the seat may play from hand or face-up cards, rank by rank; empty when it cannot play."""
    player = state.players[seat]
    by_rank: dict[str, list[str]] = {}
    for card in active_zone(player):
        by_rank.setdefault(card[0], []).append(card)
    beat, wild = variant.to_beat(state.pile, state.options), variant.wild(state.options)
    merge = len(by_rank) == 1 and merging(variant, state, player)
    return [
        Group(rank, cards, [card for card in player.face_up if card[0] == rank] if merge else [])
        for rank, cards in by_rank.items()
        if (rank == state.opening_rank if state.opening_rank else goes(rank, beat, wild))
    ]


def can_draw(variant: Variant, state: State, seat: int, playable: bool) -> bool:
    """Whether `draw` is legal for the seat in turn (TC6, CA7); `playable` says whether it could play instead."""
    if not state.stock or state.openers:
        return False
    if variant.draws == "fill":
        return state.bonus is not None and len(state.players[seat].hand) < 3
    if variant.draws == "gamble":
        return not state.pile or (not playable and len(state.players[seat].hand) == 3)
    return False


def interruption(variant: Variant, state: State, seat: int) -> list[str]:
    """CA9c: the cards with which the seat may complete a set of four out of turn; empty when it may not."""
    if not variant.interrupts or state.phase != "playing" or not state.pile or state.openers or seat == state.turn:
        return []
    rank = state.pile[-1][0]
    cards = [card for card in active_zone(state.players[seat]) if card[0] == rank]
    return cards if cards and len(cards) + in_a_row(state.pile) == 4 else []


def legal_moves(variant: Variant, state: State, seat: int) -> list[dict[str, Any]]:
    """The seat's legal moves as CONTRACT lists them: plays once a rank, flips and choices once."""
    if not may_act(state, seat):
        cards = interruption(variant, state, seat)
        return [_listed(Group(cards[0][0], cards, []), least=len(cards))] if cards else []
    player = state.players[seat]
    if state.phase == "setup":
        return [{"move": "arrange", "choose": 3, "from": [*player.face_up, *player.hand]}]
    moves: list[dict[str, Any]]
    if is_bound_to_flip(player):
        moves = [{"move": "flip", "positions": [p for p, card in enumerate(player.face_down) if card is not None]}]
        playable = True
    else:
        moves = [_listed(group) for group in groups(variant, state, seat)]
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


def _listed(group: Group, least: int = 1) -> dict[str, Any]:
    move = {"move": "play", "rank": group.rank, "cards": group.cards, "min": least, "max": len(group.cards)}
    return move | {"with_face_up": group.with_face_up} if group.with_face_up else move
