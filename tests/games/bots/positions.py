"""Positions that are hard for a bot (hands of up to 200 cards, or many wild cards in Three Thirteen), bots asked."""

from collections.abc import Sequence
from random import Random
from typing import Any

from games import bots
from games.bots import shedding
from games.bots.shedding.ratings import Points
from games.bots.shedding.table import Hand, KnownTable
from games.rules import GAMES
from games.rules.cards import PLAIN_DECK
from games.rules.shedding import SheddingGame
from games.rules.shedding.state import Bonus, Player
from games.rules.three_thirteen import THREE_THIRTEEN

Position = tuple[dict[str, Any], list[dict[str, Any]]]
"""A view and its legal moves."""


def choose(
    level: str,
    view: dict[str, Any],
    legal: list[dict[str, Any]],
    seed: object,
    events: Any = (),
    *,
    memory: bots.Memory | None = None,
) -> Any:
    """The move of a bot that sees this view of a game."""
    return bots.choose(level, GAMES[view["game"]], view, legal, str(seed), events=events, memory=memory)


def choose_by_weights(view: dict[str, Any], legal: list[dict[str, Any]]) -> Any:
    """The move of a steady bot that has no networks, as in games with other options."""
    game = GAMES[view["game"]]
    assert isinstance(game, SheddingGame)
    return shedding.choose(game, view, legal, rating=Points)


def table_of(view: dict[str, Any], hands: Sequence[Hand] = ()) -> KnownTable:
    """The view as a steady bot reads it, who knows so much of the hands."""
    game = GAMES[view["game"]]
    assert isinstance(game, SheddingGame)
    return KnownTable(game, view, hands)


def big_hand(game: str, chance: Random) -> Position:
    """Return seat 0's view of a game with as many cards as there are, up to 200 in the hand."""
    rules = GAMES[game]
    assert isinstance(rules, SheddingGame)
    has_jokers = game in ("threes", "tripp_jokes")
    seats = min(6, rules.max_seats) if has_jokers else rules.min_seats
    seats = chance.choice([seats, min(16, rules.max_seats)])
    options = {"decks": 16} if game == "threes" else {}
    state, _ = rules.deal(seats, None, options, 0, lambda cards: chance.sample(cards, len(cards)))
    cards = list(state.rules.pack(seats))
    chance.shuffle(cards)

    def take(count: int) -> tuple[str, ...]:
        return tuple(cards.pop() for _ in range(min(count, len(cards))))

    others = [
        Player(take(chance.choice([0, 2])), take(1), (*take(1), None, None), (False,) * 3, arranged=True)
        for _ in range(1, seats)
    ]
    face_up, face_down = take(3), take(chance.choice([1, 3]))
    pile = take(chance.choice([0, 0, 1, 5, 30]))
    if game == "threes":
        pile = tuple(card for card in pile if card[0] not in "TX")  # they would have closed it
    stock = take(chance.choice([0, 0, 30]))
    hand = take(chance.choice([0, 7, 12, 60, 200, 200, 200]))
    me = Player(hand, face_up, (*face_down, *([None] * (3 - len(face_down)))), (False,) * 3, arranged=True)
    bonus: Bonus = chance.choice([None, "may"]) if hand and game != "threes" else None
    draft = state.draft()
    draft.players, draft.pile, draft.stock, draft.out_of_play = (me, *others), pile, stock, tuple(cards)
    draft.phase, draft.turn, draft.turn_number, draft.bonus = "playing", 0, 9, bonus
    frozen = draft.freeze()
    return rules.view(frozen, 0), rules.legal_moves(frozen, 0)


def rich_hand(chance: Random) -> Position:
    """Return seat 0's view of the last round of Three Thirteen with copies, neighbours and many wild cards."""
    state, _ = THREE_THIRTEEN.deal(8, None, {"decks": 6}, 7, lambda cards: chance.sample(cards, len(cards)))
    near = [card for card in PLAIN_DECK if card[0] in chance.sample("A23456789TJQ", 4) or card[1] == "S"]
    step = chance.choice(["draw", "discard"])
    wilds = chance.randint(0, 6)
    size = 13 if step == "draw" else 14
    hand = ["KS", "KH", "KD", "KC", "KS", "KH"][:wilds] + chance.choices(near, k=size - wilds)
    hands = (tuple(hand), *state.hands[1:])
    position = state._replace(round=11, hands=hands, step=step, turn=0)
    return THREE_THIRTEEN.view(position, 0), THREE_THIRTEEN.legal_moves(position, 0)
